"""One picture by itself: from a sighting to a Table with its doubts and the rules that it visibly breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

from companion.reconcile.doubtful import sure_violations
from companion.reconcile.rims import FULL_DISC, is_usual, parted
from companion.reconcile.sense import FITS, MARKER, normal, weigh_board, weigh_count, weigh_supply
from engine import Edition, Layout
from engine.drafting import DISCS
from engine.layout import Track
from engine.record import violation_json
from vision.cells import EMPTY, UNSEEN
from vision.placed import told_stranger
from vision.sighting import LooseTile, Reads, SeenHeap, SeenSurface, Sighting, Stranger

CERTAIN = 0.99
"""A reading less likely than this is a doubt; of 90,789 cells of own renderings four are then silently wrong."""
PLAINLY_UNSEEN = 0.8
"""A cell that is less surely hidden is told as what can be seen of it looks like, and is a doubt."""
CERTAIN_SCORE = 0.95
PLAIN_DISC = 0.95
"""What is less surely a disc may be something else; set on own renderings, where 2 of 669 surer ones were."""
SCORE = "score"
WORTH_SAYING = 0.01
"""Readings less likely than this are not listed."""


def to_table(sighting: Sighting, edition: Edition[Any, Any]) -> dict[str, Any]:
    """A Table in the format of docs/formats.md."""
    layout = edition.layout
    table: dict[str, Any] = {"edition": sighting.edition, "side": sighting.side, "size_px": list(sighting.size_px)}
    sighting = weighed(sighting, edition)
    table["boards"] = [_board(board, layout) for board in sighting.boards]
    doubts: list[dict[str, Any]] = []
    discs, strays = _usual_discs(sighting)
    torn = [_is_torn(disc) for disc in discs]
    middle = [*(sighting.centre or ()), *strays]
    if _is_whole(discs):
        before = [disc.tiles for disc in discs]
        discs, middle = parted(discs, middle)
        torn = [each or disc.tiles != tiles for each, disc, tiles in zip(torn, discs, before, strict=True)]
    if discs:
        heaps = zip(discs, torn, strict=True)
        table["factories"] = [_disc(disc, i, middle, doubts, unsure) for i, (disc, unsure) in enumerate(heaps, 1)]
    if sighting.centre is not None:
        table["centre"] = _centre(middle, doubts, not _is_whole(discs) or any(torn))
    for board, seen in zip(table["boards"], sighting.boards, strict=True):
        _settle_score(board, seen, table, edition)
    table["doubts"] = doubts
    if sighting.strangers:
        table["left_out"] = [_left_out(stranger, sighting.edition) for stranger in sighting.strangers]
    return table | {"violations": [violation_json(each) for each in sure_violations(edition, table)]}


def _left_out(stranger: Stranger, edition: str) -> dict[str, Any]:
    """What was taken for a board and is not read, with the reason."""
    why = f"what is there {told_stranger(stranger, [edition])}"
    return {"corners_px": np.round(stranger.corners_px, 1).tolist(), "why": why}


def _usual_discs(sighting: Sighting) -> tuple[list[SeenHeap], list[LooseTile]]:
    """No more discs than so many players use, the surest; tiles on what was no disc lie in the middle.

    More that are plainly seen than the boards allow tell of a board that was overlooked.
    """
    plain = sum(disc.sure > PLAIN_DISC for disc in sighting.discs)
    fewest = DISCS.get(len(sighting.boards), len(sighting.discs))
    most = next((count for count in DISCS.values() if count >= max(fewest, plain)), fewest)
    kept = sorted(sighting.discs, key=lambda disc: -disc.sure)[:most]
    strays = [tile for disc in sighting.discs if disc not in kept for tile in disc.tiles]
    return [disc for disc in sighting.discs if disc in kept], strays


def _is_whole(discs: Sequence[SeenHeap]) -> bool:
    """Whether the whole ring of discs is in view, and so all that lies within it."""
    return len(discs) in DISCS.values() and not any(disc.cut_off for disc in discs)


def _is_all_in_view(sighting: Sighting) -> bool:
    """Whether all boards and discs of a game, and all cells, are in view."""
    discs = DISCS.get(len(sighting.boards))
    cells = [reads for board in sighting.boards for reads in board.cells.values()]
    are_seen = all(max(reads, key=reads.__getitem__) != UNSEEN for reads in cells)
    return len(sighting.discs) == discs and _is_whole(sighting.discs) and are_seen


def _is_torn(disc: SeenHeap) -> bool:
    """Whether a tile at a disc's rim decides if it holds as many as discs do, so that nobody can be sure of it."""
    return disc.crowded and not is_usual(disc.tiles)


def weighed(sighting: Sighting, edition: Edition[Any, Any]) -> Sighting:
    """The sighting weighed by what must hold on each board, and by how many pieces of a kind there are in all."""
    boards = [weigh_board(board.cells, edition.layout, sighting.side) for board in sighting.boards]
    loose = [tile for heap in (*(disc.tiles for disc in sighting.discs), sighting.centre or ()) for tile in heap]
    readings = [*(reads for cells in boards for reads in cells.values()), *(tile.reads for tile in loose)]
    there = [1.0] * (len(readings) - len(loose)) + [tile.sure for tile in loose]
    usual = dict.fromkeys(edition.letters, range(edition.tiles_of_each + 1))
    # One marker is in the game, in the middle or on a board: of a table that is all in view it is somewhere.
    usual[MARKER] = range(int(_is_all_in_view(sighting)), 2)
    rest = iter(weigh_supply(readings, there, usual))
    cells = [{name: next(rest) for name in board} for board in boards]

    def heap(tiles: Sequence[LooseTile]) -> tuple[LooseTile, ...]:
        return tuple(replace(tile, reads=next(rest)) for tile in tiles)

    return replace(
        sighting,
        boards=tuple(replace(board, cells=own) for board, own in zip(sighting.boards, cells, strict=True)),
        discs=tuple(replace(disc, tiles=heap(disc.tiles)) for disc in sighting.discs),
        centre=None if sighting.centre is None else heap(sighting.centre),
    )


def _board(seen: SeenSurface, layout: Layout) -> dict[str, Any]:
    cells = seen.cells
    best = {name: _best(name, reads) for name, reads in cells.items()}
    doubts = [
        _doubt(name, reads) for name, reads in cells.items() if best[name] == UNSEEN or reads[best[name]] < CERTAIN
    ]
    board: dict[str, Any] = {"seat": seen.seat, "corners_px": np.round(seen.located.corners_px, 1).tolist()}
    for zone in layout.zones:
        names = [cell.name for cell in zone.cells if cell.name in best]
        if zone.name == "floor":
            board["floor"] = "".join(best[name] for name in names).rstrip(EMPTY)
        elif names:
            rows = ["".join(best[name] for name in row) for _, row in groupby(names, key=_row_of)]
            board["lines" if zone.name == "line" else zone.name] = rows
    confidence = round(min(reads[best[name]] for name, reads in cells.items()), 4)
    return board | {"doubts": doubts, "confidence": confidence, "located": seen.located.how}


def _best(name: str, reads: Reads) -> str:
    seen = reads if reads[UNSEEN] >= PLAINLY_UNSEEN else {**reads, UNSEEN: 0.0}
    letter = max(seen, key=seen.__getitem__)
    # A Table has no marker on a wall or a line: what looks like one there has to be looked at.
    return UNSEEN if letter == MARKER and _row_of(name) != "floor" else letter


def _row_of(name: str) -> str:
    return name.rsplit(".", 1)[0]


def _doubt(cell: str, reads: Reads) -> dict[str, Any]:
    likely = sorted(reads.items(), key=lambda entry: -entry[1])
    told = {kind: round(chance, 3) for kind, chance in likely if chance >= WORTH_SAYING}
    return {"cell": cell, "reads": told}


def _settle_score(
    board: dict[str, Any], seen: SeenSurface, table: Mapping[str, Any], edition: Edition[Any, Any]
) -> None:
    """The score by its track, or by its sliders, weighed by what the tiles could have earned."""
    scores = track_scores(seen, edition.layout)
    likely = {score: chance for score, chance in scores.items() if chance >= WORTH_SAYING}
    if len(likely) > 1:
        alone = {**table, "boards": [board]}
        scores = normal({s: c * (FITS if _is_reachable(s, alone, edition) else 1) for s, c in likely.items()})
    best = max(scores, key=scores.__getitem__)
    board["score"] = None if best == UNSEEN else int(best)
    if len(score_tracks_of(seen, edition.layout)) > 1 and best != UNSEEN:
        board["sliders"] = {"tens": int(best) // 10, "units": int(best) % 10}
    if best == UNSEEN or scores[best] < CERTAIN_SCORE:
        board["doubts"].append(_doubt("score", scores))


def score_tracks_of(seen: SeenSurface, layout: Layout) -> list[tuple[Track, Reads]]:
    """The tracks on which a board tells its score, the highest digit first, with what is read there."""
    scores = (track for track in layout.tracks if track.tells == SCORE and (seen.seat, track.name) in seen.tracks)
    return [(track, seen.tracks[seen.seat, track.name]) for track in sorted(scores, key=lambda each: -each.worth)]


def track_scores(seen: SeenSurface, layout: Layout) -> dict[str, float]:
    """Scores by their chances: one track tells it, several tell its digits."""
    scores: dict[str, float] = {"0": 1.0}
    for track, reads in score_tracks_of(seen, layout):
        unseen = 1 - (1 - scores.get(UNSEEN, 0.0)) * (1 - reads[UNSEEN])
        told: dict[str, float] = {UNSEEN: unseen}
        for score, chance in scores.items():
            for number, each in reads.items():
                if UNSEEN not in (score, number):
                    sum_ = str(int(score) + track.worth * int(number))
                    told[sum_] = told.get(sum_, 0.0) + chance * each
        scores = told
    return scores


def _is_reachable(score: str, table: Mapping[str, Any], edition: Edition[Any, Any]) -> bool:
    if score == UNSEEN:
        return True
    board = {**table["boards"][0], "score": int(score)}
    position = edition.parse_table({**table, "boards": [board]})
    return all(violation.cell != "score" for violation in edition.table_violations(position, None))


def _disc(
    seen: SeenHeap, number: int, middle: list[LooseTile], doubts: list[dict[str, Any]], torn: bool
) -> dict[str, Any]:
    """A disc; the marker belongs to the middle even where it lies on one."""
    weighed = [replace(tile, reads=_without_marker(tile.reads)) for tile in seen.tiles]
    tiles = [tile for tile in weighed if max(tile.reads, key=tile.reads.__getitem__) != MARKER]
    middle += [tile for tile in weighed if tile not in tiles]
    sure = weigh_count([tile.sure for tile in tiles], (0, FULL_DISC))
    letters = _letters(tiles, sure, f"factory.{number}", doubts, unsure=seen.cut_off or torn)
    place = [round(value, 1) for value in seen.centre_px]
    return {"tiles": "".join(sorted(letters)), "centre_px": place}


def _without_marker(reads: Reads) -> Reads:
    return normal({kind: chance * (1 if kind == MARKER else FITS) for kind, chance in reads.items()})


def _centre(tiles: Sequence[LooseTile], doubts: list[dict[str, Any]], unsure: bool) -> dict[str, Any]:
    letters = _letters(tiles, [tile.sure for tile in tiles], "centre", doubts, unsure)
    kinds = "".join(sorted(letter for letter in letters if letter != MARKER))
    return {"tiles": kinds, "first_player": MARKER in letters}


def _letters(
    tiles: Sequence[LooseTile], sure: Sequence[float], cell: str, doubts: list[dict[str, Any]], unsure: bool = False
) -> list[str]:
    """The tiles that are there; one doubt for the heap if any of them is not certain."""
    letters, reads = [], {}
    for tile, there in zip(tiles, sure, strict=True):
        best = max(tile.reads, key=tile.reads.__getitem__)
        if there >= 0.5:
            letters.append(best)
        if min(max(there, 1 - there), tile.reads[best] if there >= 0.5 else 1.0) < CERTAIN:
            reads[best] = round(there * tile.reads[best], 3)
    if reads or unsure:
        doubts.append({"cell": cell, "reads": reads, "seen": "".join(sorted(letters))})
    return letters
