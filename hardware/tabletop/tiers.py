"""How hard a picture is: what may vary, and how far."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tier:
    """Ranges to draw from, each a lowest and a highest value."""

    name: str
    size_px: tuple[int, int]
    elevation_deg: tuple[float, float]
    """How high the camera stands above the table's horizon; 90 looks straight down."""
    field_deg: tuple[float, float]
    """The camera's horizontal field of view."""
    one_board: bool
    sloppy_mm: tuple[float, float]
    sloppy_deg: tuple[float, float]
    brightness: tuple[float, float]
    warmth: tuple[float, float]
    """From 0, a cold sky, to 1, a warm lamp."""
    clutter: tuple[int, int]
    hands: float
    """How often a hand reaches in."""
    blur_px: tuple[float, float]
    motion_px: tuple[float, float]
    noise: tuple[float, float]
    contrast: tuple[float, float]
    gloss: tuple[float, float]
    jpeg: tuple[int, int]
    taste: float = 1.0
    """How far the camera's own idea of tones and colours may be from the truth."""
    direct: tuple[float, float] = (0.3, 0.92)
    """How much of the light comes straight from lamps, and not from everywhere: at 1.15 all of it does."""
    of_all: bool = False
    """Whether that one board is one that all share."""
    taking: float = 0.0
    """How often a hand that reaches in takes from the middle, its arm over the board."""


TIERS = {
    tier.name: tier
    for tier in (
        Tier(
            name="rig",
            size_px=(2304, 1296),
            elevation_deg=(68, 90),
            field_deg=(62, 72),
            one_board=False,
            sloppy_mm=(0.2, 1.2),
            sloppy_deg=(0.5, 5.0),
            brightness=(0.75, 1.25),
            warmth=(0.2, 0.8),
            clutter=(1, 5),
            hands=0.0,
            blur_px=(0.0, 0.9),
            motion_px=(0.0, 0.0),
            noise=(0.5, 3.0),
            contrast=(0.0, 0.6),
            gloss=(0.02, 0.12),
            jpeg=(85, 95),
            taste=0.5,
        ),
        Tier(
            name="phone-table",
            size_px=(2304, 1296),
            elevation_deg=(42, 70),
            field_deg=(60, 76),
            one_board=False,
            sloppy_mm=(0.3, 1.8),
            sloppy_deg=(1.0, 8.0),
            brightness=(0.6, 1.4),
            warmth=(0.1, 0.95),
            clutter=(2, 7),
            hands=0.1,
            blur_px=(0.0, 1.0),
            motion_px=(0.0, 1.5),
            noise=(0.5, 4.5),
            contrast=(0.0, 1.0),
            gloss=(0.02, 0.2),
            jpeg=(72, 95),
        ),
        Tier(
            name="phone-board",
            size_px=(1600, 1200),
            elevation_deg=(40, 80),
            field_deg=(55, 72),
            one_board=True,
            sloppy_mm=(0.3, 1.8),
            sloppy_deg=(1.0, 8.0),
            brightness=(0.6, 1.4),
            warmth=(0.1, 0.95),
            clutter=(0, 4),
            hands=0.1,
            blur_px=(0.0, 1.4),
            motion_px=(0.0, 2.0),
            noise=(0.5, 4.5),
            contrast=(0.0, 1.0),
            gloss=(0.02, 0.25),
            jpeg=(72, 95),
        ),
        Tier(
            name="cells",
            size_px=(560, 560),
            elevation_deg=(38, 90),
            field_deg=(30, 60),
            one_board=True,
            sloppy_mm=(0.2, 2.2),
            sloppy_deg=(0.5, 10.0),
            brightness=(0.5, 1.5),
            warmth=(0.0, 1.0),
            clutter=(0, 0),
            hands=0.1,
            blur_px=(0.0, 1.0),
            motion_px=(0.0, 1.0),
            noise=(0.5, 5.0),
            contrast=(0.0, 1.1),
            gloss=(0.02, 0.35),
            jpeg=(70, 95),
        ),
        Tier(
            name="hard",
            size_px=(2304, 1296),
            elevation_deg=(32, 80),
            field_deg=(58, 80),
            one_board=False,
            sloppy_mm=(1.0, 3.0),
            sloppy_deg=(3.0, 14.0),
            brightness=(0.35, 1.7),
            warmth=(0.0, 1.0),
            clutter=(4, 10),
            hands=0.5,
            blur_px=(0.3, 2.2),
            motion_px=(0.0, 4.0),
            noise=(2.0, 9.0),
            contrast=(0.2, 1.2),
            gloss=(0.08, 0.45),
            jpeg=(55, 88),
            taste=1.2,
            direct=(0.3, 1.12),
            taking=0.5,
        ),
    )
}
