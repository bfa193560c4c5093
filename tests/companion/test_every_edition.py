"""The way from a picture to a Table and back, for every edition, side and number of players alike."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.lab.imagine import imagine
from companion.lab.play import play_game, play_randomly
from companion.lab.staging import marks_of, stage_table, truth_table
from companion.reconcile.photo import read_table, to_table
from companion.reconcile.reading import Unsure
from companion.reconcile.tracks import SCORE, WORTH_SAYING, laps_of, tracks_telling
from engine import Edition, Table, load, slugs
from engine.layout import Layout
from engine.table import ALL, EMPTY, UNSEEN, Frozen, Part
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import truth_of
from hardware.tabletop.tiers import TIERS
from hardware.tabletop.world import set_table
from vision.sighting import LooseTile, Reads, SeenHeap, SeenSurface, Sighting

CASES = [(slug, side, players) for slug in slugs() for side in load(slug).sides for players in load(slug).players]
every_edition = pytest.mark.parametrize(("slug", "side", "players"), CASES)
LONGEST = 400
"""Moves, where a game played by chance does not end."""
POSITIONS = 12
"""Of a game, from its start to its end."""


def positions(slug: str, side: str, players: int) -> Iterator[Table]:
    """Tables from all over a game that is played by chance."""
    edition, rng = load(slug), Random(f"{slug} {side} {players}")
    state = edition.start(edition.setup(side, players))
    tables = [edition.table(state)]
    for move, _ in zip(play_game(edition, state.setup, play_randomly, rng), range(LONGEST), strict=False):
        state = edition.settle(edition.apply(state, move))
        tables.append(edition.table(state))
    return iter(tables[:: max(1, len(tables) // POSITIONS)])


def visible(table: Table, layout: Layout) -> Table:
    """A Table without what no camera sees: what is agreed on, hidden numbers, laps of tracks, and a middle in which
    nothing lies."""
    parts = tuple(_visible(part, layout) for part in table.parts)
    several = {heap.name for heap in layout.heaps if heap.numbered}
    shown = (part for part in parts if part.cells or part.tracks or part.heaps.keys() - several)
    return replace(table, parts=tuple(shown), options=Frozen())


def _visible(part: Part, layout: Layout) -> Part:
    tracks = {name: told for name, told in part.tracks.items() if part.seat or name not in layout.numbers}
    for track in layout.tracks:
        told = tracks.get(track.tells)
        if track.lap and told is not None:
            cell = track.cell_of(told)
            tracks[track.tells] = int(cell.rpartition(".")[2]) if cell else None
    return replace(part, tracks=Frozen(tracks))


@every_edition
def test_a_table_survives_its_json(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    for table in positions(slug, side, players):
        assert edition.parse_table(json.loads(json.dumps(edition.format_table(table)))) == table


@every_edition
def test_what_is_seen_perfectly_is_read_as_it_lies(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    for table in positions(slug, side, players):
        read = read_table(imagine(table), edition)
        lying = visible(table, edition.layout)
        assert visible(read.table, edition.layout) == lying
        open_ = [doubt for doubt in read.doubts if not _is_off_its_track(doubt.cell, lying.part(doubt.seat))]
        assert [doubt for doubt in open_ if not _is_of_another_lap(doubt, table.part(doubt.seat), edition)] == []


def _is_of_another_lap(doubt: Unsure, part: Part, edition: Edition[Any, Any]) -> bool:
    """Whether a score is in doubt that may be the true one or one that the same cells show after a lap."""
    tracks = tracks_telling(SCORE, edition.layout)
    told = {int(number) for number, chance in doubt.reads.items() if number != UNSEEN and chance >= WORTH_SAYING}
    return doubt.cell == SCORE and part.tracks[SCORE] in told <= {*laps_of(min(told), tracks)}


@pytest.mark.parametrize(("slug", "score", "shown"), [("summer-pavilion", 85, 5), ("summer-pavilion-mini", 105, 5)])
def test_a_score_that_may_be_of_another_lap_is_in_doubt(slug: str, score: int, shown: int) -> None:
    """Of a board that is nearly full; of one with little on it the same mark leaves no doubt."""
    edition, side = load(slug), load(slug).sides[0]
    table = edition.table(edition.start(edition.setup(side, 2)))
    stars = {cell.name: cell.printed(side) or "R" for cell in edition.layout if cell.name.startswith("star.")}

    def read_with(laid: int) -> list[Mapping[str, float]]:
        cells = {name: kind if at < laid else EMPTY for at, (name, kind) in enumerate(stars.items())}
        part = replace(table.part(1), cells=Frozen({**table.part(1).cells, **cells}), tracks=Frozen({SCORE: score}))
        lying = replace(table, parts=(table.common, part, table.part(2)))
        return [doubt.reads for doubt in read_table(imagine(lying), edition).doubts if doubt.cell == SCORE]

    (reads,) = read_with(len(stars))
    assert {str(score), str(shown)} <= reads.keys()
    assert read_with(6) == []


def _is_off_its_track(cell: str, part: Part) -> bool:
    """Whether this is a number that no cell of its track shows."""
    return cell in part.tracks and part.tracks[cell] is None


@pytest.mark.parametrize("slug", slugs())
def test_layouts_tell_the_kinds_of_tiles_that_editions_name(slug: str) -> None:
    edition = load(slug)
    tile = edition.layout.piece(next(zone.piece for zone in edition.layout.zones if zone.role == "tiles"))
    assert tile.kinds == tuple(edition.letters)


@every_edition
def test_a_heap_that_is_seen_cell_by_cell_is_read_as_one(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    heaped = [zone for zone in edition.layout.zones if zone.heap]
    *_, table = positions(slug, side, players)
    sighting = imagine(table)
    beside = tuple(heap for heap in sighting.heaps if all(heap.name != zone.name for zone in heaped))
    sighting = replace(sighting, heaps=beside)
    for zone in heaped:
        for part in table.boards:
            lying = dict(zip((cell.name for cell in zone.cells), part.heaps[zone.name], strict=False))
            cells = {cell.name: {lying.get(cell.name, EMPTY): 0.999, UNSEEN: 0.001} for cell in zone.cells}
            seen = next(each for each in sighting.others if (each.surface, each.seat) == (zone.surface, part.seat))
            sighting = _replaced(sighting, seen, cells={**seen.cells, **cells})
    read = read_table(sighting, edition)
    assert visible(read.table, edition.layout) == visible(table, edition.layout)


@every_edition
def test_the_json_of_a_reading_is_a_table_with_places(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    *_, table = positions(slug, side, players)
    read = json.loads(json.dumps(to_table(imagine(table), edition)))
    assert visible(edition.parse_table(read), edition.layout) == visible(table, edition.layout)
    assert [board["seat"] for board in read["boards"]] == list(range(1, players + 1))
    assert all(len(board["corners_px"]) == 4 and board["located"] == "print" for board in read["boards"])
    assert all(board["confidence"] > 0.99 for board in read["boards"])
    numbered = [name for name in table.common.heaps if name.rpartition(".")[2].isdigit()]
    listed = [each for field in read.values() if isinstance(field, list) for each in field if "centre_px" in str(each)]
    assert len(listed) == len(numbered)


@every_edition
def test_a_disturbed_cell_is_a_doubt(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    *_, table = positions(slug, side, players)
    for name in _one_of_each_zone(edition.layout):
        sighting = _with_cell(imagine(table), name, edition)
        doubts = {(doubt.seat, doubt.cell) for doubt in read_table(sighting, edition).doubts}
        seat = ALL if edition.layout.surface(edition.layout.cell(name).surface).shared else 1
        assert (seat, name) in doubts


@every_edition
def test_a_disturbed_track_is_a_doubt(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    table = next(positions(slug, side, players))
    for track in edition.layout.tracks:
        marks = [
            (surface, mark)
            for surface in _surfaces(imagine(table))
            for mark, reads in surface.tracks.items()
            if mark[1] == track.name and reads[UNSEEN] < 0.5
        ]
        for surface, mark in marks[:1]:
            low, high = (str(number) for number in track.numbers[1:3])
            sighting = _replaced(imagine(table), surface, tracks={**surface.tracks, mark: _torn(low, high)})
            doubts = {(doubt.seat, doubt.cell) for doubt in read_table(sighting, edition).doubts}
            assert (mark[0], track.tells) in doubts


@every_edition
def test_a_disturbed_heap_is_a_doubt(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    table = next(each for each in positions(slug, side, players) if any(each.common.heaps.values()))
    one, other = list(edition.letters)[:2]
    tile = LooseTile((5.0, 5.0), (5.0, 5.0), 0.999, _torn(one, other))
    sighting = imagine(table)
    heaps = [(each, replace(each, tiles=(*each.tiles, tile))) for each in (*sighting.discs[:1], *sighting.heaps)]
    for heap, disturbed in heaps:
        swapped = _swapped(sighting, heap, disturbed)
        named = f"{heap.name}.1" if heap in sighting.discs else heap.name
        assert (heap.seat, named) in {(doubt.seat, doubt.cell) for doubt in read_table(swapped, edition).doubts}


@every_edition
def test_what_rests_on_a_doubt_breaks_no_rule(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    for table in positions(slug, side, players):
        assert set(to_table(imagine(table), edition)["violations"]) == set()
        for name in _one_of_each_zone(edition.layout):
            assert to_table(_with_cell(imagine(table), name, edition), edition)["violations"] == []


@every_edition
def test_what_lies_in_cells_and_heaps_is_put_down(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    layout = edition.layout
    carried = {heap.name for heap in layout.heaps if heap.numbered and heap.on}
    props = {piece.name for piece in layout.props}
    for table in positions(slug, side, players):
        stage = stage_table(table, layout)
        laid = [kind for board in stage.boards.values() for kind in board.values()]
        laid += [kind for _, kind in stage.shared]
        heaps = (*stage.discs, stage.centre, *stage.beside.values())
        loose = [kind for heap in heaps for kind in heap if kind not in props]
        # Piles, which a Table does not tell, show their topmost cards.
        tops = len(stage.discs) - sum(name.rpartition(".")[0] in carried for name in table.common.heaps)
        marks = [mark for part in table.parts for mark in marks_of(part, layout)]
        pieces = [kind for _, _, kind in table.items() if kind not in (EMPTY, UNSEEN)]
        held = [kind for part in table.parts for kinds in part.heaps.values() for kind in kinds]
        assert len(laid) + len(loose) - tops == len(pieces) + len(held) + len(marks)


@every_edition
def test_a_truth_file_is_the_position_as_far_as_it_is_in_view(slug: str, side: str, players: int) -> None:
    edition = load(slug)
    layout, art = edition.layout, load_art(edition.layout)
    *_, table = positions(slug, side, players)
    truth = truth_of(set_table(stage_table(table, layout), layout, art, TIERS["rig"], 3), layout)
    told = edition.parse_table(json.loads(json.dumps(truth_table(table, truth, edition))))
    assert told.boards
    for part in told.parts:
        whole = table.part(part.seat)
        assert part.cells == whole.cells
        assert part.tracks == whole.tracks
        assert set(part.heaps.values()) <= set(whole.heaps.values())


def _torn(one: str, other: str) -> Reads:
    return {one: 0.5, other: 0.49, UNSEEN: 0.01}


def _one_of_each_zone(layout: Layout) -> list[str]:
    return [zone.cells[0].name for zone in layout.zones if zone.role in ("tiles", "slot") and not zone.heap]


def _surfaces(sighting: Sighting) -> tuple[SeenSurface, ...]:
    return (*sighting.boards, *sighting.others)


def _with_cell(sighting: Sighting, name: str, edition: Edition[Any, Any]) -> Sighting:
    """A sighting in which a cell of the first seat, or of all, is perhaps empty and perhaps one of two kinds."""
    one, other = list(edition.letters)[:2]
    seen = next(each for each in _surfaces(sighting) if name in each.cells)
    reads = dict.fromkeys(seen.cells[name], 0.0) | {one: 0.4, other: 0.3, EMPTY: 0.3}
    return _replaced(sighting, seen, cells={**seen.cells, name: reads})


def _replaced(sighting: Sighting, seen: SeenSurface, **changes: Any) -> Sighting:
    key = (seen.surface, seen.seat)
    boards, others = (
        tuple(replace(each, **changes) if (each.surface, each.seat) == key else each for each in group)
        for group in (sighting.boards, sighting.others)
    )
    return replace(sighting, boards=boards, others=others)


def _swapped(sighting: Sighting, heap: SeenHeap, other: SeenHeap) -> Sighting:
    discs, heaps = (tuple(other if each is heap else each for each in g) for g in (sighting.discs, sighting.heaps))
    return replace(sighting, discs=discs, heaps=heaps)
