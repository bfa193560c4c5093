"""From a position to what the simulated table is to show, and from its photograph to a truth file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from engine import Layout
from hardware.tabletop.photograph import Truth
from hardware.tabletop.stage import Stage

EMPTY = "."


def stage_table(table: Mapping[str, Any], layout: Layout) -> Stage:
    """A Table as things to put down."""
    own = {surface.name for surface in layout.surfaces if not surface.shared}
    known = {cell.name: cell for cell in layout}
    boards: dict[int, dict[str, str]] = {}
    shared = [(name, kind) for name, kind in _table_cells(table) if name in known]
    for board in table["boards"]:
        cells = [(name, kind) for name, kind in board_cells(board, known) if name in known]
        boards[board["seat"]] = {name: kind for name, kind in cells if known[name].surface in own}
        shared += [(name, kind) for name, kind in cells if known[name].surface not in own]
    centre = table.get("centre", {})
    marker = next((piece.name for piece in layout.pieces if piece.name in ("marker", "token")), "")
    return Stage(
        side=table["side"],
        boards=boards,
        discs=tuple(tuple(disc["tiles"]) for disc in table.get("factories", [])),
        centre=(*centre.get("tiles", ""), *([marker] if centre.get("first_player") else [])),
        beside={board["seat"]: tuple(board.get("reserve", "")) for board in table["boards"]},
        shared=tuple(shared),
    )


def score_cell(score: int, cells: Iterable[str]) -> str:
    """The cell in which a score is shown: beyond the end of the track players begin again at its start.

    The rules give tokens for rounds gone (80 or 60 points) or say nothing; tokens are not put down, so a picture tells
    a score only up to whole rounds, while the truth keeps it as it is.
    """
    last = max((int(name.removeprefix("score.")) for name in cells if name.startswith("score.")), default=score)
    # A round is of full tens: where the track ends before, as with 59, its 0 is also the end.
    lap = max(-(-last // 10) * 10, 1)
    left = score % lap
    return f"score.{lap if score and not left and lap == last else left}"


def truth_table(table: Mapping[str, Any], truth: Truth) -> dict[str, Any]:
    """The truth file of a photograph: the Table with the places of its boards and discs, and what is covered.

    What the picture cannot tell is left out: boards of whose cells for tiles less than half can be seen, discs and a
    middle with tiles that are out of it or covered, and all of the middle where no disc is in it.
    """
    boards = []
    for board in table["boards"]:
        seat = board["seat"]
        if len(_for_tiles(truth.covered[seat])) * 2 > len(_for_tiles(truth.cells_px[seat])):
            continue
        placed = board | {"corners_px": _rounded(truth.corners_px[seat])}
        hidden = sorted(_covered(board, truth, seat))
        boards.append(placed | ({"covered": hidden} if hidden else {}))
    written = {**table, "boards": boards}
    if "factories" in table:
        hidden_in = {each.laid.heap for each in truth.loose if each.covered or not _in_picture(each.middle_px, truth)}
        seen = [_in_picture(place, truth) and f"disc {i}" not in hidden_in for i, place in enumerate(truth.discs_px)]
        discs = zip(table["factories"], truth.discs_px, seen, strict=True)
        written["factories"] = [
            disc | {"centre_px": _rounded(np.array(place))} for disc, place, visible in discs if visible
        ]
        if not any(seen):
            del written["factories"]
        if not any(seen) or "centre" in hidden_in:
            written.pop("centre", None)
    lens = truth.lens
    written["camera"] = {
        "size_px": [lens.width_px, lens.height_px],
        "focal_px": round(lens.focal_px, 2),
        "eye_mm": [round(value, 2) for value in lens.eye_mm],
        "target_mm": [round(value, 2) for value in lens.target_mm],
        "roll_deg": round(lens.roll_deg, 4),
        "distortion": [lens.k1, lens.k2],
    }
    return written


def _for_tiles(cells: Iterable[str]) -> list[str]:
    """The cells without those of tracks, which are many and small."""
    return [cell for cell in cells if not cell.startswith(("score.", "slider."))]


def _covered(board: Mapping[str, Any], truth: Truth, seat: int) -> set[str]:
    """The covered cells by the names a Table has for them: of the score track only the cell that tells the score."""
    told = score_cell(board["score"], truth.cells_px[seat]) if board.get("score") is not None else ""
    cells = truth.covered[seat]
    return {"score" if cell == told else cell for cell in cells if cell == told or not cell.startswith("score.")}


def board_cells(board: Mapping[str, Any], known: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every piece that a Table's board tells of, by its cell."""
    for zone in ("lines", "wall"):
        for row, cells in enumerate(board.get(zone, []), 1):
            yield from _run(f"{zone.rstrip('s')}.{row}", cells)
    yield from _run("floor", board.get("floor", ""))
    for star, cells in board.get("stars", {}).items():
        yield from _run(f"star.{star}", cells)
    yield from _run("corner", board.get("corners", ""))
    for name, kind in board.get("garden", {}).items():
        yield name, kind if isinstance(kind, str) else _card(name, kind)
    storage = board.get("storage", {})
    for i, kind in enumerate(storage.get("tiles", []), 1):
        yield f"storage.{i}", kind
    if sliders := board.get("sliders"):
        yield from ((f"slider.{digit}.{value}", "slider") for digit, value in sliders.items())
    if board.get("score") is not None:
        yield score_cell(board["score"], known), "cube"


def _card(slot: str, card: Mapping[str, Any]) -> str:
    """A card in a slot: its printed hex looks away from the middle unless it is turned."""
    if card["face"] != "up":
        return "expansion"
    return f"x{card['hex']}@{60 * (card['at'] - int(slot[1:])) % 360}"


def _table_cells(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _run("supply", table.get("supply", ""))
    if "round" in table:
        yield f"round.{table['round']}", "counter"


def _run(name: str, cells: str) -> Iterator[tuple[str, str]]:
    for i, kind in enumerate(cells, 1):
        if kind != EMPTY:
            yield f"{name}.{i}", "marker" if kind == "1" else kind


def _in_picture(place: tuple[float, float], truth: Truth) -> bool:
    return 0 <= place[0] < truth.lens.width_px and 0 <= place[1] < truth.lens.height_px


def _rounded(points: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
    return np.round(points, 1).tolist()
