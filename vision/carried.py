"""Reading heaps that lie on cards, and those in cells of boards of which it does not matter in which a piece lies.

Each card and each such board is looked at by itself, with its surroundings: nothing else on the table can be mistaken
for what lies there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import dist, prod, sqrt

import cv2
import numpy as np

from engine.layout import CARD, ORNAMENT, Heap, Layout, Piece, Zone
from vision.closeup import closer_tiles
from vision.discs import held, known_disc
from vision.find import Disc
from vision.loose import KnownLoose, LooseReading, on_board, tiles_in_view
from vision.network import Floats, Models
from vision.patches import Patch, read_patch
from vision.pose import Array, Pose, inverse, transform
from vision.rectify import Pyramid, box_to_mm, disc_height, loose_height, table_scale
from vision.sighting import LooseTile, Reads, SeenHeap, SeenSurface

AROUND = 1.35
"""How far around a card is looked, in its reach: tiles hang over its rim."""
ON_CARD = 1.0
"""A piece lies on a card if its middle is no farther from the card's than this, in the same."""
CLOSEST_CARDS = 0.75
"""How near each other the middles of two cards may be, in the same: nearer is one card found twice."""
TRUE_TO_SIZE = (0.5, 2.0)
"""How far off the finder may take a card's size to be."""
MOST_CARDS = 20
"""A picture may be full of what looks a little like a card."""
FACE_MM = 10.0
"""How far from where it should be a card's print may be seen."""
MAYBE_FACE = 0.3
"""A card without tiles lies face down, and is one of a pile, if it is less likely to show a face."""
MARGIN_MM = 12.0
"""How much is seen around a board for heaps."""
RIM_MM = 6.0
"""How far beyond its board a tile may lie that was put on it."""


def read_carried(
    pyramid: Pyramid,
    table: Pose,
    boards: Sequence[Array],
    others: Sequence[SeenSurface],
    discs: Sequence[Disc],
    layout: Layout,
    white: Floats,
    models: Models,
    known: KnownLoose,
) -> LooseReading:
    """What lies on cards, and in the heaps of seats' boards.

    `boards` are the corners in pixels of all surfaces, `others` those that are not the first of a seat.
    """
    view = _View(pyramid, table, layout, white, models, known.patches)
    lying = [disc for disc in discs if not on_board(disc.centre_px, boards)]
    standing = tuple(held(pyramid, disc, known.discs) or known_disc(pyramid, disc) for disc in lying)
    cards = _cards(view, [each.disc for each in standing])
    heaps = [heap for seen in others for heap in _heaps_of(view, seen)]
    return LooseReading(*_sorted_out(cards, layout), tuple(heaps), KnownLoose(standing, tuple(view.patches)))


class _View:
    """A table that is looked at part by part."""

    def __init__(
        self,
        pyramid: Pyramid,
        table: Pose,
        layout: Layout,
        white: Floats,
        models: Models,
        known: Sequence[Patch],
    ) -> None:
        self.layout = layout
        self.face, self.tops = table.at(disc_height(layout)), table.at(loose_height(layout))
        self._pyramid, self._white, self._models, self._known = pyramid, white, models, known
        self._scale = table_scale(layout)
        self.patches: list[Patch] = []
        """The parts that were looked at."""

    def pieces(self, frame: Array, size_mm: Array) -> Sequence[LooseTile]:
        """The pieces in a rectangle of the table whose millimetres a frame brings to those of the table."""
        # The network halves its picture four times.
        width, height = (int(side) for side in np.ceil(size_mm * self._scale / 16) * 16)
        to_mm = frame @ box_to_mm(np.zeros((2, 2)), self._scale)

        def closely(maps: Floats) -> Sequence[LooseTile]:
            tiles = tiles_in_view(maps, to_mm, self.tops, self.layout, self._models)
            return closer_tiles(self._pyramid, self.tops, tiles, self._white, self.layout, self._models)

        patch = read_patch(
            self._pyramid, self.tops @ to_mm, (width, height), self._white, self._models, closely, self._known
        )
        self.patches.append(patch)
        return patch.pieces


def _cards(view: _View, discs: Sequence[Disc]) -> list[SeenHeap]:
    """Every card that lies on the table, with all that is on it, itself included where that tells something."""
    card = view.layout.disc
    if card is None or not discs:
        return []
    found: list[tuple[Disc, Array]] = []
    for disc in sorted(discs, key=lambda disc: -disc.sure):
        place = _place(view, disc, card)
        if place is not None and all(
            np.linalg.norm(place - other) > CLOSEST_CARDS * card.reach_mm for _, other in found
        ):
            found.append((disc, place))
    found = found[:MOST_CARDS]
    places = np.array([place for _, place in found]).reshape(-1, 2)
    heaps = []
    for number, (disc, place) in enumerate(found):
        half = AROUND * card.reach_mm
        near = view.pieces(_shifted(place - half), np.full(2, 2 * half))
        own = [
            tile
            for tile in near
            if _holder(tile, places) == number and dist(tile.place_mm, place) < ON_CARD * card.reach_mm
        ]
        heaps.append(_heap_on(disc, own, card))
    return heaps


def _place(view: _View, disc: Disc, card: Piece) -> Array | None:
    """Where a card lies on the table; None for what is much smaller or larger."""
    rim = np.array(disc.centre_px) + disc.radius_px * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    place, *around = transform(inverse(view.face), rim)
    right, left, below, above = np.linalg.norm(np.array(around) - place, axis=1)
    size = min(right + left, below + above) / 2
    fits = TRUE_TO_SIZE[0] < size / card.reach_mm < TRUE_TO_SIZE[1]
    return transform(inverse(view.tops), rim[:1])[0] if fits else None


def _holder(tile: LooseTile, places: Array) -> int:
    """The card that lies nearest to a piece."""
    return int(np.argmin(np.linalg.norm(places - tile.place_mm, axis=1)))


def _shifted(to: Array) -> Array:
    return np.array([[1.0, 0.0, to[0]], [0.0, 1.0, to[1]], [0.0, 0.0, 1.0]])


def _heap_on(disc: Disc, pieces: Sequence[LooseTile], card: Piece) -> SeenHeap:
    """A card with the pieces on it; the card itself is one of them where it shows its face or carries others.

    Nothing lies on a card that shows its face: the surer it does, the less likely pieces are there, and the other way.
    """
    tiles = [_as_piece(tile) for tile in pieces if not _is_of_card(tile)]
    faces = faces_among([tile for tile in pieces if _is_of_card(tile)], card)
    face = max(faces, key=lambda face: face.sure, default=None)
    carries = 1 - prod(1 - tile.sure for tile in tiles)
    up = 0.0 if face is None else _without(face.sure, carries)
    if face is not None and up >= 0.5:
        itself = [replace(face, sure=max(face.sure, disc.sure), reads=_turned_over(face.reads, 1 - up))]
        tiles = [replace(tile, sure=tile.sure * (1 - up)) for tile in tiles]
    elif any(tile.sure >= 0.5 for tile in tiles):
        seen = dict.fromkeys((f"{CARD}:{each}" for each in card.prints), 0.0) if face is None else face.reads
        place = (0.0, 0.0) if face is None else face.place_mm
        itself = [LooseTile(disc.centre_px, place, disc.sure, _turned_over(seen, 1 - up))]
    else:
        itself = [] if face is None or face.sure < MAYBE_FACE else [face]
    return SeenHeap(disc.centre_px, disc.sure, (*itself, *tiles))


def _without(one: float, other: float) -> float:
    """How likely the one is, where not both can be, by how likely each is by itself."""
    return one * (1 - other) / max(1 - one * other, 1e-9)


def _turned_over(reads: Reads, down: float) -> dict[str, float]:
    """What a card is read as that lies face down so likely."""
    up = {kind: chance * (1 - down) for kind, chance in reads.items()}
    return up | {CARD: down + up.get(CARD, 0.0)}


def _as_piece(tile: LooseTile) -> LooseTile:
    """Something that is rather a piece than print, read as a piece; that it might be print makes it less sure."""
    kept = {kind: chance for kind, chance in tile.reads.items() if not kind.startswith(CARD)}
    share = sum(kept.values())
    return replace(tile, sure=tile.sure * share, reads={kind: chance / share for kind, chance in kept.items()})


def _is_of_card(tile: LooseTile) -> bool:
    """Whether something is print of a card rather than a piece."""
    return max(tile.reads, key=tile.reads.__getitem__).startswith(CARD)


def faces_among(shown: Sequence[LooseTile], card: Piece) -> list[LooseTile]:
    """The cards whose ornaments and prints are seen: each is told by both, which lie at a known distance."""
    away_mm = sqrt(3) * card.size_mm
    ornaments = [tile for tile in shown if tile.reads.get(ORNAMENT, 0.0) >= 0.5]
    prints = [tile for tile in shown if tile.reads.get(ORNAMENT, 0.0) < 0.5]
    pairs = sorted(
        (abs(dist(middle.place_mm, printed.place_mm) - away_mm), i, j)
        for i, middle in enumerate(ornaments)
        for j, printed in enumerate(prints)
    )
    faces, by_ornament, by_print = [], set[int](), set[int]()
    for off_mm, i, j in pairs:
        if off_mm < FACE_MM and i not in by_ornament and j not in by_print:
            by_ornament.add(i)
            by_print.add(j)
            sure = 1 - (1 - ornaments[i].sure) * (1 - prints[j].sure)
            faces.append(replace(ornaments[i], sure=sure, reads=_printed(prints[j].reads)))
    untold = {f"{CARD}:{kind}": 1 / len(card.prints) for kind in card.prints}
    faces += [replace(tile, reads=untold) for i, tile in enumerate(ornaments) if i not in by_ornament]
    return faces + [replace(tile, reads=_printed(tile.reads)) for j, tile in enumerate(prints) if j not in by_print]


def _printed(reads: Reads) -> dict[str, float]:
    """What a print is read as, and how likely it is a piece that lies there: in doubt then."""
    return {kind: chance for kind, chance in reads.items() if kind not in (CARD, ORNAMENT)}


def _sorted_out(cards: Sequence[SeenHeap], layout: Layout) -> tuple[tuple[SeenHeap, ...], tuple[LooseTile, ...] | None]:
    """The cards that lie out, and the tiles on the pile from which they come; None where no such pile is in view.

    A pile is told by as many tiles as lie on it; cards that show no face and carry nothing are piles, too.
    """
    ring, pile = layout.numbered_heap, layout.free_heap
    if ring is None or pile is None:
        return (), None
    full = [card for card in cards if _is_full(card, pile)]
    top = max(full, key=lambda card: sum(tile.sure for tile in card.tiles), default=None)
    lying = [replace(card, name=ring.name) for card in cards if card is not top and card.tiles]
    return tuple(lying), None if top is None else tuple(tile for tile in top.tiles if not _is_of_card(tile))


def _is_full(card: SeenHeap, pile: Heap) -> bool:
    tiles = [tile for tile in card.tiles if not _is_of_card(tile)]
    return sum(tile.sure >= 0.5 for tile in tiles) in pile.holds


def _heaps_of(view: _View, seen: SeenSurface) -> Iterator[SeenHeap]:
    """The heaps that lie in cells of a seat's surface."""
    layout = view.layout
    zones = [zone for zone in layout.zones if zone.heap and zone.surface == seen.surface]
    if not zones:
        return
    corners_px = seen.located.corners_px
    outline = transform(inverse(view.tops), corners_px)
    across, down = outline[1] - outline[0], outline[3] - outline[0]
    right, below = across / np.linalg.norm(across), down / np.linalg.norm(down)
    frame = np.eye(3)
    frame[:2] = np.column_stack([right, below, outline[0] - MARGIN_MM * (right + below)])
    size = np.array([np.linalg.norm(across), np.linalg.norm(down)]) + 2 * MARGIN_MM
    pieces = [tile for tile in view.pieces(frame, size) if _depth(tile, outline) > -RIM_MM]
    x, y = corners_px.mean(axis=0).tolist()
    for zone in zones:
        yield SeenHeap((x, y), 1.0, tuple(_in_zone(pieces, zone, layout)), name=zone.name, seat=seen.seat)


def _depth(tile: LooseTile, outline: Array) -> float:
    return float(cv2.pointPolygonTest(outline.astype(np.float32), tile.place_mm, True))


def _in_zone(pieces: Sequence[LooseTile], zone: Zone, layout: Layout) -> list[LooseTile]:
    """The pieces that lie in the cells of a zone: cards where cards are laid, others elsewhere."""
    card = layout.piece(zone.piece)
    if card.prints:
        return faces_among([tile for tile in pieces if _is_of_card(tile)], card)
    return [tile for tile in pieces if not _is_of_card(tile)]
