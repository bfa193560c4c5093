"""The editions that are learned, and the looks they are rendered in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from engine.layout import Layout, load_layout
from hardware.tabletop.art import Art, load_art
from models.training.tints import Tinted
from vision.cells import EMPTY, UNSEEN, tile_cells, tracks

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


def others() -> list[str]:
    """The editions that are not learned."""
    slugs = (path.parent.name.replace("_", "-") for path in EDITIONS_DIR.glob("*/layout.toml"))
    return sorted(slug for slug in slugs if slug not in EDITIONS)


@cache
def kinds() -> tuple[str, ...]:
    """The boards that are told apart: every side of the first surface of every edition that is learned."""
    return tuple(f"{slug} {side}" for slug, layout in layouts().items() for side in layout.surfaces[0].sides)


@cache
def labels() -> tuple[str, ...]:
    """What a cell may be read as: empty, unseen, or a kind of piece that tells something."""
    pieces = [piece for layout in layouts().values() for piece in layout.pieces]
    return tuple(dict.fromkeys((EMPTY, UNSEEN, *(kind for piece in pieces for kind in piece.kinds))))


def most_cells() -> int:
    """The most cells for tiles that a board has which is learned."""
    return max(len(tile_cells(layout)) for layout in layouts().values())


def most_tracks() -> int:
    """The most tracks that a board has which is learned."""
    return max(len(tracks(layout)) for layout in layouts().values())


def most_discs() -> int:
    """The most discs that lie on a table."""
    heaps = (layout.numbered_heap for layout in layouts().values())
    return max(count for heap in heaps if heap for _, count in heap.counts)


def kind_in(layout: Layout, laid: str) -> str:
    """The letter of what the simulated table calls by a piece's name or by its letter."""
    return next((piece.kinds[0] for piece in layout.pieces if piece.name == laid and len(piece.kinds) == 1), laid)


@dataclass(frozen=True)
class TileLook:
    """An edition in one of the looks it is rendered in."""

    kind: int
    """The place of its first side among all kinds of boards."""
    layout: Layout
    art: Art
    share: float
    tints: tuple[Art, ...] = ()
    """The same art in other inks."""


def looks(packs: Path | None, own_share: float = OWN) -> list[TileLook]:
    """Every edition in our own art, and in that of the packs that there are, where our own has this share."""
    found = []
    for number, (slug, share) in enumerate(EDITIONS.items()):
        layout = layouts()[slug]
        pack = packs / slug if packs and (packs / slug).exists() else None
        own = own_share if pack else 1.0
        for folder, part in ((None, own), (pack, 1 - own)) if pack else ((None, own),):
            art = load_art(layout, folder)
            tints = tuple(Tinted(art, np.random.default_rng([number, tint])) for tint in range(TINTS))
            first = kinds().index(f"{slug} {layout.surfaces[0].sides[0]}")
            found.append(TileLook(first, layout, art, share * part, tints))
    return found
