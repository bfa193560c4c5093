"""The editions that are learned, and the looks they are rendered in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.layout import Layout, Surface, edition_folders, layout_of, parts_of
from hardware.tabletop.art import Art, load_art, pack_in
from hardware.tabletop.restyle import restyled
from models.training.tints import Tinted
from models.training.varied import moved
from vision.cells import EMPTY, UNSEEN, card_labels, read_cells, tracks
from vision.network import Kind, kind_of

OWN = 0.25
"""The share of our own drawings where there is an art pack."""
TINTS = 40
"""In how many other inks each art is shown."""
TINTED = 0.5
"""How often it is shown in other inks."""
RESTYLES, REDRAWN = 400, 0.92
"""In how many other ways an art is drawn whose real print nobody has seen, and how often."""
NO_SIDE = "-"
"""What the side of a surface is called that has no sides to tell apart."""
ANY_NUMBER = 16
"""How many heaps there are at most where a layout does not say it."""
NO_PIECES = (EMPTY, UNSEEN)
"""The first labels; all others are kinds of pieces."""


@dataclass(frozen=True)
class Taught:
    """The editions that are learned, with the share of the photographs that show each; the rest is in their layouts."""

    shares: tuple[tuple[str, float], ...]

    @cached_property
    def layouts(self) -> dict[str, Layout]:
        """Their layouts."""
        return {slug: layout_of(slug) for slug, _ in self.shares}

    @cached_property
    def others(self) -> list[str]:
        """The editions that are not learned: their boards are none of ours."""
        return sorted(slug for slug in edition_folders() if slug not in self.layouts)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The boards that are told apart: every side of every surface of every edition that is learned."""
        return tuple(
            str(Kind(slug, side, "" if surface is layout.surfaces[0] else surface.name))
            for slug, layout in self.layouts.items()
            for surface in layout.surfaces
            for side in sides_of(surface)
        )

    def surface_of(self, kind: str) -> tuple[Layout, Surface]:
        """The layout and the surface that a kind of board is of."""
        slug, _, name = kind_of(kind)
        layout = self.layouts[slug]
        return layout, layout.surface(name) if name else layout.surfaces[0]

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """What a cell may be read as: empty, unseen, a kind of piece that tells something, or what a card shows."""
        pieces = [piece for layout in self.layouts.values() for piece in layout.pieces]
        told = [kind for piece in pieces for kind in (*piece.kinds, *card_labels(piece))]
        return tuple(dict.fromkeys((*NO_PIECES, *told)))

    @cached_property
    def parts(self) -> NDArray[np.float32] | None:
        """The parts of each label, (labels, parts), such as a colour and a pattern; None where no label has several."""
        each = [parts_of(label) for label in self.labels]
        if max(map(len, each)) == 1:
            return None
        known = list(dict.fromkeys(part for parts in each for part in parts))
        return np.array([[part in parts for part in known] for parts in each], np.float32)

    @property
    def most_cells(self) -> int:
        """The most cells that are read of a board which is learned."""
        return max(len(read_cells(*self.surface_of(kind))) for kind in self.kinds)

    @property
    def most_tracks(self) -> int:
        """The most tracks that a board has which is learned."""
        return max(len(tracks(*self.surface_of(kind))) for kind in self.kinds)

    @property
    def most_marks(self) -> int:
        """The most kinds of marks that are told apart on a track."""
        return max(1, *(len(layout.marks) for layout in self.layouts.values()))

    @property
    def most_surfaces(self) -> int:
        """The most boards that lie on a table."""
        return max(
            sum(1 if surface.shared else max(seats_of(layout)) for surface in layout.surfaces)
            for layout in self.layouts.values()
        )

    @property
    def most_discs(self) -> int:
        """The most discs that lie on a table."""
        heaps = (layout.numbered_heap for layout in self.layouts.values())
        return max((max((count for _, count in heap.counts), default=ANY_NUMBER) for heap in heaps if heap), default=0)

    def __str__(self) -> str:
        return " ".join(f"{slug}={share:g}" for slug, share in self.shares)


def taught(told: Sequence[str]) -> Taught:
    """The editions that are named like `azul` or `azul=0.7`; shares are made to come to one."""
    parts = [text.partition("=") for text in told]
    if unknown := [slug for slug, _, _ in parts if slug not in edition_folders()]:
        raise ValueError(f"no edition is called {unknown[0]!r}; there are {', '.join(sorted(edition_folders()))}")
    shares = {slug: float(share or 1) for slug, _, share in parts}
    if len(shares) < len(parts) or min(shares.values()) <= 0:
        raise ValueError(f"each edition is named once, with a share above 0, not {' '.join(told)}")
    whole = sum(shares.values())
    return Taught(tuple((slug, share / whole) for slug, share in shares.items()))


def taught_in(work: Path, told: Sequence[str]) -> Taught:
    """The editions that are named, for a folder of lessons: it may not hold lessons of others."""
    learned = taught(told)
    work.mkdir(parents=True, exist_ok=True)
    file = work / "editions"
    before = file.read_text(encoding="utf-8").strip() if file.exists() else str(learned)
    if before != str(learned):
        raise ValueError(f"{work} holds lessons of {before}, not of {learned}; give another folder")
    file.write_text(f"{learned}\n", encoding="utf-8")
    return learned


def sides_of(surface: Surface) -> tuple[str, ...]:
    """The sides of a surface that pictures tell apart."""
    return (NO_SIDE,) if surface.unknown else surface.sides or (NO_SIDE,)


def seats_of(layout: Layout) -> tuple[int, ...]:
    """How many may sit at a table, as far as a layout tells."""
    ring = layout.numbered_heap
    return tuple(players for players, _ in ring.counts) if ring and ring.counts else (2, 3, 4)


@dataclass(frozen=True)
class TileLook:
    """An edition in one of the looks it is rendered in."""

    layout: Layout
    art: Art
    share: float
    learned: Taught
    """All editions that are learned with it."""
    number: int = 0
    """Which look it is: its inks depend on that."""

    def inked(self, rng: np.random.Generator) -> Art:
        """The art as it is, or in one of its other inks."""
        guessed = self.art.is_guessed
        if rng.random() >= (REDRAWN if guessed else TINTED):
            return self.art
        tint = int(rng.integers(RESTYLES if guessed else TINTS))
        own = np.random.default_rng([self.number, tint])
        if not guessed:
            return Tinted(self.art, own)
        return Tinted(self.art.changed(moved(self.layout, own), lambda style: restyled(style, own)), own)


def looks(learned: Taught, packs: Path | None, own_share: float = OWN) -> list[TileLook]:
    """What is learned in our own art, and in that of the packs that there are, where our own has this share."""
    found = []
    for number, (slug, share) in enumerate(learned.shares):
        layout = learned.layouts[slug]
        pack = pack_in(packs, slug)
        own = own_share if pack else 1.0
        for folder, part in ((None, own), (pack, 1 - own)) if pack else ((None, own),):
            art = load_art(layout, folder)
            found.append(TileLook(layout, art, share * part, learned, number))
    return found
