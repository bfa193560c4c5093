"""How vision errs: readings of rendered tables, compared with the truth, kept so that games can be played with them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import dist
from pathlib import Path
from random import Random

from companion.lab.simulate import position_of_seed
from companion.lab.staging import stage_table
from companion.pipeline import see_picture
from companion.reconcile.live.places import Places, seat_again
from engine import Layout, Part, load
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import Photograph, photograph
from hardware.tabletop.tiers import TIERS
from vision.cells import EMPTY, UNSEEN
from vision.errors import VisionError
from vision.network import Families
from vision.sighting import LooseTile, Reads, SeenSurface

ODD = 0.998
"""A reading whose truth is stated at less than this is kept as it is; all others are taken for clear."""
WORTH_KEEPING = 1e-4
SAME_TILE_PX = 20
FIRST_SEED = 940_000
"""Seeds from here on are kept out of training and of other benchmarks."""


@dataclass(frozen=True)
class Odd:
    """How often something is read in an odd way, and the readings themselves by what was stated."""

    count: int
    """Of how many readings, odd or not."""
    reads: Sequence[Reads] = ()

    def draw(self, rng: Random) -> Reads | None:
        """One of the odd readings as often as they came, mostly none."""
        return rng.choice(self.reads) if rng.random() * max(self.count, 1) < len(self.reads) else None


NEVER = Odd(1)


@dataclass(frozen=True)
class Confusions:
    """What was measured of the reader on pictures whose truth is known."""

    tables: int = 0
    cells: Mapping[str, Odd] = field(default_factory=dict)
    """By zone and letter, as in `wall B`."""
    tracks: Odd = NEVER
    """By how many cells a reading is off, as in `1` or `-20`."""
    kinds: Mapping[str, Odd] = field(default_factory=dict)
    """Of loose tiles, by letter."""
    sure: Odd = NEVER
    """How sure it is that loose tiles are there: `sure` is 0 for one that was not detected."""
    invented: float = 0.0
    """The share of heaps with a detection too many."""
    missed: float = 0.0
    """The share of boards that were not found."""
    missed_discs: float = 0.0

    def of_cell(self, zone: str, kind: str, kinds: Sequence[str], rng: Random) -> Reads | None:
        """An odd reading of a cell that holds this, as often as they came; None for a clear one.

        Of a zone or kind that was never measured all zones and kinds are as odd as those that were.
        """
        return self._odd(self.cells, f"{zone} {kind}", kind, (EMPTY, *kinds), rng)

    def of_kind(self, kind: str, kinds: Sequence[str], rng: Random) -> Reads | None:
        """An odd reading of a loose piece of this kind; None for a clear one."""
        return self._odd(self.kinds, kind, kind, kinds, rng)

    def _odd(self, measured: Mapping[str, Odd], key: str, kind: str, kinds: Sequence[str], rng: Random) -> Reads | None:
        if key in measured or not measured or kind == UNSEEN:
            reads = measured.get(key, NEVER).draw(rng)
            if reads is not None and any(label not in (*kinds, UNSEEN) for label in reads):
                # Measured in an edition with other kinds.
                return _renamed(reads, kind, kind, kinds, rng)
            return None if reads is None else dict.fromkeys((*kinds, UNSEEN), 0.0) | dict(reads)
        other = rng.choice(sorted(measured))
        reads = measured[other].draw(rng)
        return None if reads is None else _renamed(reads, other.rpartition(" ")[2], kind, kinds, rng)


def _renamed(reads: Reads, true: str, kind: str, kinds: Sequence[str], rng: Random) -> Reads:
    """An odd reading of one kind as one of another kind: what it was mistaken for becomes something else too.

    In an edition of fewer kinds several of them become the same.
    """
    others: list[str] = []
    names = {true: kind, UNSEEN: UNSEEN}
    renamed = dict.fromkeys((*kinds, UNSEEN), 0.0)
    for label, chance in reads.items():
        if label not in names:
            others = others or [each for each in kinds if each != kind]
            names[label] = others.pop(rng.randrange(len(others)))
        renamed[names[label]] = renamed.get(names[label], 0.0) + chance
    return renamed


def load_confusions(path: Path) -> Confusions:
    """What `save_confusions` wrote."""
    told = json.loads(path.read_text(encoding="utf-8"))
    odd = {name: {key: Odd(**value) for key, value in told[name].items()} for name in ("cells", "kinds")}
    return Confusions(**{**told, **odd, "tracks": Odd(**told["tracks"]), "sure": Odd(**told["sure"])})


def save_confusions(confusions: Confusions, path: Path) -> None:
    """Written for people too: one line for each kind of reading."""
    told = asdict(confusions)
    lines = [f'"{name}": {_dump(value)}' for name, value in told.items() if name not in ("cells", "kinds")]
    for name in ("cells", "kinds"):
        rows = ",\n  ".join(f'"{key}": {_dump(value)}' for key, value in sorted(told[name].items()))
        lines.append(f'"{name}": {{\n  {rows}}}')
    path.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


class Measuring:
    """Readings as they come in, counted."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, int] = defaultdict(int)
        self._odd: defaultdict[str, list[Reads]] = defaultdict(list)
        self._tables = self._heaps = self._invented = 0
        self._boards = self._missed = self._discs = self._missed_discs = 0

    def add(self, slug: str, seed: int, networks: Families) -> None:
        """Read one rendered table of a rig camera."""
        edition = load(slug)
        layout, table = edition.layout, position_of_seed(edition, seed)
        photo = photograph(stage_table(table, layout), layout, load_art(layout), TIERS["rig"], seed)
        self._tables += 1
        self._boards += len(table.boards)
        self._discs += len(photo.truth.discs_px)
        try:
            sighting = see_picture(photo.picture, networks, slug)
        except VisionError:
            self._missed += len(table.boards)
            return
        middles = {seat: tuple(corners.mean(axis=0)) for seat, corners in photo.truth.corners_px.items()}
        discs = dict(enumerate(photo.truth.discs_px, 1))
        seen = seat_again(sighting, Places(middles, discs), len(discs))
        self._missed += len(table.boards) - len(seen.boards)
        self._missed_discs += len(discs) - len(seen.discs)
        for part in table.boards:
            if part.seat in seen.boards:
                self._add_board(part, seen.boards[part.seat], layout, photo)
        held = [tile for disc in seen.discs.values() for tile in disc.tiles]
        self._add_loose([*held, *(seen.centre or ())], photo, layout, len(seen.discs) + 1)

    def confusions(self) -> Confusions:
        """What they come to."""
        odd = {key: Odd(count, self._odd[key]) for key, count in self._counts.items()}
        return Confusions(
            self._tables,
            {key.removeprefix("cell "): value for key, value in odd.items() if key.startswith("cell ")},
            odd.get("track", NEVER),
            {key.removeprefix("kind "): value for key, value in odd.items() if key.startswith("kind ")},
            odd.get("sure", NEVER),
            _share(self._invented, self._heaps),
            _share(self._missed, self._boards),
            _share(self._missed_discs, self._discs),
        )

    def _add_board(self, part: Part, seen: SeenSurface, layout: Layout, photo: Photograph) -> None:
        covered = photo.truth.covered[part.seat]
        for cell, letter in part.cells.items():
            if cell in seen.cells and letter != UNSEEN and cell not in covered:
                self._add(f"cell {cell.split('.')[0]} {letter}", seen.cells[cell], letter)
        score = next((track for track in layout.tracks if track.name == track.tells and track.each), None)
        if score and (mark := (seen.seat, score.name)) in seen.tracks:
            cell = score.cell_of(part.tracks[score.tells] or 0) or ""
            shown = int(cell.rpartition(".")[2])
            off = {n if n == UNSEEN else str(int(n) - shown): chance for n, chance in seen.tracks[mark].items()}
            self._add("track", off, "0")

    def _add_loose(self, found: Sequence[LooseTile], photo: Photograph, layout: Layout, heaps: int) -> None:
        free = list(found)
        lying = [loose for loose in photo.truth.loose if not loose.covered and not loose.laid.heap.startswith("beside")]
        self._heaps += heaps
        for loose in lying:
            near = [tile for tile in free if dist(tile.place_px, loose.middle_px) < SAME_TILE_PX]
            tile = max(near, key=lambda tile: tile.sure, default=None)
            self._add("sure", {"sure": tile.sure if tile else 0.0}, "sure")
            if tile is None:
                continue
            free.remove(tile)
            letter = layout.kind_of(loose.laid.kind)
            self._add(f"kind {letter}", tile.reads, letter)
        self._invented += sum(tile.sure > 0.5 for tile in free)

    def _add(self, key: str, reads: Reads, truth: str) -> None:
        self._counts[key] += 1
        if reads.get(truth, 0.0) < ODD:
            kept = {letter: round(chance, 4) for letter, chance in reads.items() if chance >= WORTH_KEEPING}
            self._odd[key].append(kept | {truth: round(reads.get(truth, 0.0), 6)})


def _letter(kind: str, layout: Layout) -> str:
    """The letter of what lies there; a piece that is the only one of its kind is laid by its name."""
    return next((piece.kinds[0] for piece in layout.pieces if piece.name == kind and len(piece.kinds) == 1), kind)


def _share(count: int, total: int) -> float:
    return round(count / total, 5) if total else 0.0


def measure_confusions(count: int, networks: Families, slug: str = "azul") -> Iterator[Measuring]:
    """Read so many tables, the same measuring after each."""
    measuring = Measuring()
    for number in range(count):
        measuring.add(slug, FIRST_SEED + number, networks)
        yield measuring
