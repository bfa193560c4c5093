"""The editions that are learned, and the looks they are rendered in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from engine.layout import Layout, load_layout
from hardware.tabletop.art import Art, load_art
from models.training.tints import Tinted

EDITIONS = {"azul": 0.7, "azul-mini": 0.3}
"""With the share of the photographs that show each."""
EDITIONS_DIR = Path(__file__).parents[2] / "engine" / "editions"
OWN = 0.25
"""The share of our own drawings where there is an art pack."""
TINTS = 40
"""In how many other inks each art is shown."""


@lru_cache
def layout_of(slug: str) -> Layout:
    """The layout of an edition."""
    return load_layout(EDITIONS_DIR / slug.replace("-", "_") / "layout.toml")


def layouts() -> dict[str, Layout]:
    """The layouts of the editions that are learned."""
    return {slug: layout_of(slug) for slug in EDITIONS}


@dataclass(frozen=True)
class Look:
    """An edition in one of the looks it is rendered in."""

    kind: int
    """The place of its first side among all kinds of boards."""
    layout: Layout
    art: Art
    share: float
    tints: tuple[Art, ...] = ()
    """The same art in other inks."""


def looks(packs: Path | None, own_share: float = OWN) -> list[Look]:
    """Every edition in our own art, and in that of the packs that there are, where our own has this share."""
    found = []
    for number, (slug, share) in enumerate(EDITIONS.items()):
        layout = layouts()[slug]
        pack = packs / slug if packs and (packs / slug).exists() else None
        own = own_share if pack else 1.0
        for folder, part in ((None, own), (pack, 1 - own)) if pack else ((None, own),):
            art = load_art(layout, folder)
            tints = tuple(Tinted(art, np.random.default_rng([number, tint])) for tint in range(TINTS))
            found.append(Look(2 * number, layout, art, share * part, tints))
    return found
