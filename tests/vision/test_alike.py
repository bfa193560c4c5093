"""What plain cells tell of those that are in doubt."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Layout, load
from vision.alike import COLOURS, Alike, compared, looks_of
from vision.cells import points, tile_cells

AZUL = load("azul").layout
NAMES = [cell.name for cell in tile_cells(AZUL)]
RED = [cell.name for cell in tile_cells(AZUL) if cell.printed("coloured") == "R"]
BARE, TILE = np.full(COLOURS, -0.4), np.full(COLOURS, -1.2)


def reads(letter: str, sure: float) -> dict[str, float]:
    """A reading of this letter, else of a bare or a red cell."""
    other = "." if letter == "R" else "R"
    return {letter: sure, other: 1 - sure} | dict.fromkeys(set("?BYKW1"), 0.0)


def board(doubted: dict[str, tuple[dict[str, float], np.ndarray]], tiles: int = 3, seed: int = 0) -> Alike:
    """A board with red tiles on the first cells of its lines, all else bare, but for what is doubted."""
    rng = np.random.default_rng(seed)
    lines = [name for name in NAMES if name.startswith("line")][:tiles]
    said = {name: reads("R" if name in lines else ".", 0.9999) for name in NAMES}
    looks = {name: (TILE if name in lines else BARE) for name in NAMES}
    for name, (read, look) in doubted.items():
        said[name], looks[name] = read, look
    noise = rng.normal(0, 0.03, (len(NAMES), COLOURS))
    return Alike(said, (np.array([looks[name] for name in NAMES]) + noise).astype(np.float32))


def weighed(cell: str, *boards: Alike, side: str = "coloured", layout: Layout = AZUL) -> dict[str, float]:
    """What the first of these boards is then read as in a cell."""
    return dict(compared(boards, tile_cells(layout), side)[0][cell])


def test_a_doubtful_cell_that_looks_like_plain_print_is_bare() -> None:
    assert weighed(RED[0], board({RED[0]: (reads(".", 0.9), BARE)}))["."] > 0.99


def test_a_doubtful_cell_that_looks_like_plain_tiles_is_a_tile() -> None:
    assert weighed(RED[0], board({RED[0]: (reads("R", 0.9), TILE)}))["R"] > 0.99


def test_tiles_of_another_board_tell_as_well() -> None:
    doubted = board({RED[0]: (reads(".", 0.9), BARE)}, tiles=0)
    assert weighed(RED[0], doubted)["."] == pytest.approx(0.9)
    assert weighed(RED[0], doubted, board({}, seed=1))["."] > 0.99


@pytest.mark.parametrize(("letter", "look"), [("R", BARE), (".", TILE)])
def test_no_look_makes_certain_what_was_read_otherwise(letter: str, look: np.ndarray) -> None:
    against = weighed(RED[0], board({RED[0]: (reads(letter, 0.3), look)}))
    assert max(against.values()) < 0.985
    assert weighed(RED[0], board({RED[0]: (reads(letter, 0.999), look)}))[letter] > 0.98


def test_what_looks_like_neither_stays_as_it_was_read() -> None:
    strange = np.array([-0.4, -2.5, -0.4, -2.5, 0.4, -2.5])
    assert weighed(RED[0], board({RED[0]: (reads(".", 0.9), strange)}))["."] == pytest.approx(0.9)


def test_cells_without_print_are_left_alone() -> None:
    doubted = {name: (reads(".", 0.9), BARE) for name in (RED[0], "line.5.5", "floor.1")}
    for cell in ("line.5.5", "floor.1"):
        assert weighed(cell, board(doubted))["."] == pytest.approx(0.9)
    assert weighed(RED[0], board(doubted), side="grey")["."] == pytest.approx(0.9)


def test_looks_are_lightness_against_white_in_both_cuts() -> None:
    view = np.full((2, 336, 336, 3), 100, np.uint8)
    x, y = np.rint(points(tile_cells(AZUL), AZUL.surfaces[0])[NAMES.index(RED[0])]).astype(int)
    view[1, y - 6 : y + 7, x - 6 : x + 7] = (0, 0, 200)
    looks = looks_of(view, np.array([200, 200, 200], np.float32), points(tile_cells(AZUL), AZUL.surfaces[0]))
    assert looks.shape == (len(NAMES), COLOURS)
    assert looks[NAMES.index(RED[0])] == pytest.approx(np.log(np.array([0.5, 0.5, 0.5, 0, 0, 1]) + 0.03), abs=1e-3)
