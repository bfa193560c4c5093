"""Scores that stand on two sliders of a tray, as the small boxes have them."""

from __future__ import annotations

from engine.table import Frozen, Part
from engine.table_json import an_object, number


def score_tracks(score: int | None, sliders: tuple[int, int] | None) -> Frozen[int | None]:
    """The tracks that tell a score: the score itself, and its digits where they stand on sliders."""
    digits = dict(zip(SLIDERS, sliders, strict=True)) if sliders else {}
    return Frozen({"score": score, **digits})


def sliders_in(part: Part) -> tuple[int, int] | None:
    """Tens and units where the score stands on sliders."""
    tens, units = (part.tracks.get(name) for name in SLIDERS)
    return None if tens is None or units is None else (tens, units)


SLIDERS = ("slider.tens", "slider.units")


def sliders_of(value: object, name: str) -> tuple[int, int] | None:
    """Tens and units of a score kept on two sliders, or None where there are none."""
    if value is None:
        return None
    sliders = an_object(value, f"sliders of {name}")
    tens, units = (number(sliders.get(key), f"{key} of {name}", range(10)) for key in ("tens", "units"))
    return tens, units
