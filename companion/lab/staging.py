"""From a Table to what the simulated table is to show, and from its photograph to a truth file."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from engine import Cell, Edition, Layout, Part, Table, Zone
from engine.layout import OWNER, TRACK
from engine.table import ALL, CARD, EMPTY, UNSEEN, Frozen, card_of
from hardware.tabletop.heaps import CENTRE
from hardware.tabletop.photograph import Truth
from hardware.tabletop.stage import Stage

OTHER_PILE = 4
"""How many cards lie under the topmost one of a pile that a Table does not tell."""
DIRECTION_DEG = 60.0
"""A turned card tells in which of six directions its print points, clockwise from the right."""


def stage_table(table: Table, layout: Layout) -> Stage:
    """A Table as things to put down."""
    own = {surface.name for surface in layout.surfaces if not surface.shared}
    pieces = {piece.kinds[0]: piece.name for piece in layout.pieces if len(piece.kinds) == 1}
    boards: dict[int, dict[str, str]] = {part.seat: {} for part in table.boards}
    shared: list[tuple[str, str]] = []
    piles = _piles(table, layout)
    marks = {part.seat: layout.marks[(part.seat - 1) % len(layout.marks)] for part in table.boards if layout.marks}
    for part in table.parts:
        for cell, kind in _in_cells(part, layout, marks.get(part.seat, "")):
            if cell.surface in own and part.seat != ALL:
                boards[part.seat][cell.name] = pieces.get(kind, kind)
            else:
                shared.append((cell.name, pieces.get(kind, kind)))
    return Stage(
        side=table.side,
        boards=boards,
        discs=(*(tuple(table.common.heaps[name]) for name in _discs(table, layout)), *(kinds for kinds, _ in piles)),
        centre=tuple(pieces.get(kind, kind) for kind in _middle(table, layout, pieces)),
        beside={part.seat: tuple(_beside(part, layout)) for part in table.boards},
        shared=tuple(shared),
        marks=marks,
        tokens={part.seat: laps for part in table.boards if (laps := _laps_gone(part, layout))},
        piles=(*(0 for _ in _discs(table, layout)), *(under for _, under in piles)) if piles else (),
    )


def _piles(table: Table, layout: Layout) -> list[tuple[tuple[str, ...], int]]:
    """The piles of cards: what lies on each, its topmost card included, and how many cards lie under that one.

    The first is that whose tiles the Table tells. How high others are it does not tell; a token lies on the last.
    """
    pile, card = layout.free_heap, layout.disc
    if pile is None or card is None or not card.prints or pile.on != card.name:
        return []
    kinds, left = table.common.heaps.get(pile.name, ()), table.common.tracks.get(pile.name)
    told = [((CARD, *kinds), (left or 1) - 1)] if kinds or left else []
    low = tuple(piece.name for piece in layout.props if piece.height_mm < layout.tile.height_mm)
    return [*told, ((CARD,), OTHER_PILE), ((CARD, *low), OTHER_PILE)]


def _discs(table: Table, layout: Layout) -> list[str]:
    """The heaps that lie on discs, by their numbers."""
    carried = {heap.name for heap in layout.heaps if heap.numbered and heap.on}
    return [name for name in table.common.heaps if name.rpartition(".")[0] in carried]


def _free(layout: Layout) -> list[str]:
    """The heaps of all that lie on the bare table, among discs."""
    among_discs = any(heap.numbered and heap.on for heap in layout.heaps)
    return [heap.name for heap in layout.heaps if among_discs and not (heap.each or heap.numbered or heap.on)]


def _middle(table: Table, layout: Layout, last: Container[str]) -> list[str]:
    """What lies free in the middle, kinds of their own last, so that a marker that goes leaves the others in place."""
    kinds = [kind for name in _free(layout) for kind in table.common.heaps.get(name, ())]
    return sorted(kinds, key=lambda kind: kind in last)


def _beside(part: Part, layout: Layout) -> Iterator[str]:
    for heap in layout.heaps:
        yield from part.heaps.get(heap.name, ()) if heap.each else ()


def _in_cells(part: Part, layout: Layout, mark: str) -> Iterator[tuple[Cell, str]]:
    """Every piece of a part that lies in a cell, marks on tracks included: those of its own kind by that."""
    for zone in layout.zones:
        if zone.heap:
            yield from ((cell, shown) for cell, shown in zip(zone.cells, _heap_of(zone, part), strict=False))
        elif zone.role not in (TRACK, OWNER):
            for cell in zone.cells:
                if (kind := part.cells.get(cell.name, EMPTY)) not in (EMPTY, UNSEEN):
                    yield cell, _shown(kind, zone, cell)
    for name, cell in marks_of(part, layout).items():
        piece = layout.piece(layout.track(name).piece)
        yield cell, mark if mark in piece.kinds else piece.name


def _heap_of(zone: Zone, part: Part) -> Iterator[str]:
    """The pieces of a heap that lies in cells, whichever of them."""
    return (_shown(kind, zone, zone.cells[0]) for kind in part.heaps.get(zone.name, ()) if kind != UNSEEN)


def _shown(kind: str, zone: Zone, cell: Cell) -> str:
    """A kind as the simulated table calls it: a card face down by its piece, a card with a print by that print."""
    card = card_of(kind)
    if card is None:
        return kind
    printed, direction = card
    if printed in ("", UNSEEN):
        return zone.piece
    turn = (90.0 + DIRECTION_DEG * int(direction) - cell.turn_deg) % 360 if direction.isdigit() else 0.0
    return f"x{printed}@{turn:g}"


def marks_of(part: Part, layout: Layout) -> dict[str, Cell]:
    """The cell of each track in which the mark of a seat, or of all, stands.

    Laps gone are told by tokens, or by nothing: then a picture tells a number only up to whole laps, while the truth
    keeps it as it is.
    """
    found: dict[str, Cell] = {}
    for track in layout.tracks:
        told = part.tracks.get(track.tells) if track.each == (part.seat != ALL) else None
        name = None if told is None else track.cell_of(told)
        if name is not None:
            found[track.name] = next(cell for cell in track.cells if cell.name == name)
    return found


def _laps_gone(part: Part, layout: Layout) -> int:
    """How many tokens a seat has for laps gone."""
    tracks = [track for track in layout.tracks if track.token]
    return sum(track.laps_gone(told) for track in tracks if (told := part.tracks.get(track.tells)) is not None)


def truth_table(table: Table, truth: Truth, edition: Edition[Any, Any]) -> dict[str, Any]:
    """The truth file of a photograph: the Table with the places of its boards and discs, and what is covered.

    What the picture cannot tell is left out: boards of whose cells for tiles less than half can be seen, discs and
    other heaps with tiles that are out of it or covered, and all of the middle where no disc is in it.
    """
    layout = edition.layout
    hidden = {each.laid.heap for each in truth.loose if each.covered or not _in_picture(each.middle_px, truth)}
    hidden |= {f"disc {i}" for i, place in enumerate(truth.discs_px) if not _in_picture(place, truth)}
    seats = [part for part in table.boards if _is_seen(part.seat, truth, layout)]
    discs = dict(zip(_discs(table, layout), truth.discs_px, strict=False))
    unseen = [name for i, name in enumerate(discs) if f"disc {i}" in hidden]
    places = discs if _on_cards(layout) else {name: place for name, place in discs.items() if name not in unseen}
    common = _seen_heaps(table.common, [*places, *_seen_free(table, layout, places, hidden)])
    parts = [common] if common.cells or common.tracks or common.heaps else []
    parts += [_seen_heaps(part, _own_heaps(part, layout, hidden)) for part in seats]
    written = edition.format_table(replace(table, parts=tuple(parts)))
    marks = stage_table(table, layout).marks
    for board, part in zip(written["boards"], seats, strict=True):
        board["corners_px"] = _rounded(truth.corners_px[part.seat])
        if covered := sorted(_covered(part, truth, layout)):
            board["covered"] = covered
        if layout.owner:
            board[layout.owner.piece] = marks[part.seat]
    if covered := sorted({*_covered_of_all(truth, layout), *(unseen if _on_cards(layout) else ())}):
        written["covered"] = covered
    for i, (name, place) in enumerate(places.items()):
        written[edition.heap_fields[name.rpartition(".")[0]]][i]["centre_px"] = _rounded(np.array(place))
    return written | {"camera": _camera(truth)}


def _on_cards(layout: Layout) -> bool:
    """Whether heaps lie on cards, which lie in no order: one that cannot be seen is told and said to be covered."""
    return layout.disc is not None and bool(layout.disc.prints)


def _seen_free(table: Table, layout: Layout, places: Collection[str], hidden: set[str]) -> list[str]:
    """The heaps of all that lie among discs, or on a pile of cards, where they can be seen."""
    if not _on_cards(layout):
        return _free(layout) if places and CENTRE not in hidden else []
    named = [heap.name for heap in layout.heaps if not (heap.each or heap.numbered)]
    first = f"disc {len(_discs(table, layout))}"
    return [*(heap.name for heap in layout.heaps if heap.numbered), *(named if first not in hidden else [])]


def _camera(truth: Truth) -> dict[str, Any]:
    lens = truth.lens
    return {
        "size_px": [lens.width_px, lens.height_px],
        "focal_px": round(lens.focal_px, 2),
        "eye_mm": [round(value, 2) for value in lens.eye_mm],
        "target_mm": [round(value, 2) for value in lens.target_mm],
        "roll_deg": round(lens.roll_deg, 4),
        "distortion": [lens.k1, lens.k2],
    }


def _is_seen(seat: int, truth: Truth, layout: Layout) -> bool:
    marks = _track_cells(layout)
    covered, all_ = (len({*cells} - marks) for cells in (truth.covered[seat], truth.cells_px[seat]))
    return covered * 2 <= all_


def _track_cells(layout: Layout) -> set[str]:
    """The cells of tracks, which are many and small."""
    return {cell.name for track in layout.tracks for cell in track.cells}


def _seen_heaps(part: Part, names: Iterable[str]) -> Part:
    return replace(part, heaps=Frozen({name: part.heaps[name] for name in names if name in part.heaps}))


def _own_heaps(part: Part, layout: Layout, hidden: set[str]) -> list[str]:
    """The heaps of a seat without those beside its board that are not all in view."""
    beside = {heap.name for heap in layout.heaps if heap.each}
    return [name for name in part.heaps if name not in beside or f"beside {part.seat}" not in hidden]


def _covered(part: Part, truth: Truth, layout: Layout) -> set[str]:
    """The covered cells by the names a Table has for them: of a track only the number, where its mark is covered."""
    covered = {*truth.covered[part.seat], *truth.covered.get(ALL, ())}
    told = {layout.track(name).tells for name, cell in marks_of(part, layout).items() if cell.name in covered}
    own = {*truth.covered[part.seat]} - _track_cells(layout)
    return told | {name for name in own if layout.zone(layout.cell(name).zone).role != OWNER}


def _covered_of_all(truth: Truth, layout: Layout) -> set[str]:
    """The zones of shared surfaces that cannot be seen whole; what seats have on their tracks is told of the seats."""
    zones = {layout.zone(layout.cell(name).zone) for name in truth.covered.get(ALL, ())}
    each = {track.name for track in layout.tracks if track.each}
    return {zone.name for zone in zones if zone.name not in each}


def _in_picture(place: tuple[float, float], truth: Truth) -> bool:
    return 0 <= place[0] < truth.lens.width_px and 0 <= place[1] < truth.lens.height_px


def _rounded(points: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    return np.round(points, 1).tolist()
