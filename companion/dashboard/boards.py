"""Boards as drawings: the layout's cells in millimetres, with what lies on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from companion.pipeline import layout_of
from engine import Cell, Layout, Setup, load
from engine.table import card_of

MARGIN_MM = 6.0
HIDDEN = ("score", "slider.tens", "slider.units", "evaluation", "round", "supply")
"""Zones that tell numbers, or that lie on a table's own board: shown as text."""
EMPTY, UNSEEN, MARKER = ".", "?", "1"


@dataclass(frozen=True, slots=True)
class Spot:
    """A cell as it is drawn: an outline around its middle, and what lies there."""

    name: str
    zone: str
    x: float
    y: float
    points: str
    size: float
    kind: str
    """The tile's letter, `.` for none, `?` for unseen."""
    printed: str = ""

    @property
    def colour(self) -> str:
        """The tile's colour, by which it is painted."""
        return colour_of(self.kind)

    @property
    def label(self) -> str:
        """What stands on the tile."""
        return "" if self.kind == EMPTY else self.kind


@dataclass(frozen=True, slots=True)
class Drawing:
    """One board, with the part of the plane that it takes."""

    seat: int
    view: tuple[float, float, float, float]
    spots: tuple[Spot, ...]
    beside: tuple[str, ...] = ()
    """Tiles that lie beside the board."""

    @property
    def viewbox(self) -> str:
        """As SVG wants it."""
        return " ".join(f"{value:g}" for value in self.view)


def colour_of(kind: str) -> str:
    """The colour of a kind of tile: its letter, or the two letters before a pattern's number."""
    return {EMPTY: "empty", UNSEEN: "unseen", MARKER: "marker", "marker": "marker"}.get(kind, kind.rstrip("0123456789"))


def draw_board(board: Mapping[str, Any], setup: Setup[Any]) -> Drawing:
    """A Table's board, drawn."""
    layout = layout_of(setup.edition)
    (part,) = load(setup.edition).parse_table({"side": setup.side, "boards": [board]}).boards
    lying = {name: kind for name, kind in part.cells.items() if kind != EMPTY}
    spots = tuple(_spots(layout, setup, lying))
    return Drawing(board["seat"], _view(setup.edition), spots, tuple(_beside(board)))


def _spots(layout: Layout, setup: Setup[Any], lying: Mapping[str, str]) -> Iterator[Spot]:
    costs = _costs(setup)
    for cell in _drawn(layout):
        kind = lying.get(cell.name, EMPTY)
        if card := card_of(kind):
            kind = card[0] or "J"
        yield Spot(
            cell.name,
            cell.zone,
            round(cell.x_mm, 2),
            round(cell.y_mm, 2),
            _outline(cell),
            cell.size_mm,
            kind,
            cell.printed(setup.side) or costs.get(cell.name, ""),
        )


def _costs(setup: Setup[Any]) -> dict[str, str]:
    """What is printed on floor lines, in editions that have them: what a tile there costs."""
    costs = getattr(setup.options, "floor_penalties", ())
    return {f"floor.{i}": f"−{cost}" for i, cost in enumerate(costs, 1)}


def _drawn(layout: Layout) -> Iterator[Cell]:
    """What of a layout is drawn, larger things first, so that what lies on them shows."""
    board = layout.surfaces[0].name
    cells = [cell for cell in layout if cell.zone not in HIDDEN and cell.surface == board]
    return iter(sorted(cells, key=lambda cell: -cell.size_mm))


def _outline(cell: Cell) -> str:
    return " ".join(f"{x - cell.x_mm:.2f},{y - cell.y_mm:.2f}" for x, y in cell.outline_mm())


@lru_cache
def _view(edition: str) -> tuple[float, float, float, float]:
    """The part of a board that holds cells: the empty rim is not worth a phone's pixels."""
    corners = [corner for cell in _drawn(layout_of(edition)) for corner in cell.outline_mm()]
    left, right = min(x for x, _ in corners) - MARGIN_MM, max(x for x, _ in corners) + MARGIN_MM
    top, bottom = min(y for _, y in corners) - MARGIN_MM, max(y for _, y in corners) + MARGIN_MM
    return (math.floor(left), math.floor(top), math.ceil(right - left), math.ceil(bottom - top))


def _beside(board: Mapping[str, Any]) -> Iterator[str]:
    yield from board.get("reserve", "")
    yield from board.get("storage", {}).get("tiles", [])
