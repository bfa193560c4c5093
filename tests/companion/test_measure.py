"""Readings compared with the truth, on cases small enough to count by hand."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from companion.lab.measure import calibration, calibration_error, compare, swapped, tally, wilson

SQUARE = [[0, 0], [100, 0], [100, 100], [0, 100]]
TRUTH: dict[str, Any] = {
    "edition": "azul",
    "side": "coloured",
    "boards": [
        {
            "seat": 1,
            "corners_px": SQUARE,
            "lines": [".", "..", "...", "....", "...KK"],
            "wall": ["B....", ".....", ".....", ".....", "....."],
            "floor": "Y",
            "score": 7,
        }
    ],
    "factories": [{"tiles": "BBKY", "centre_px": [300, 50]}, {"tiles": "", "centre_px": [500, 50]}],
    "centre": {"tiles": "KR", "first_player": True},
}
CELLS = 25 + 15 + 7


@pytest.fixture
def reading() -> dict[str, Any]:
    """A reading that is all right."""
    return deepcopy(TRUTH)


def counts(read: dict[str, Any], truth: dict[str, Any] = TRUTH) -> dict[str, int]:
    return dict(tally(compare(truth, read)))


def test_a_perfect_reading_is_right_in_everything(reading: dict[str, Any]) -> None:
    found = counts(reading)
    assert (found["cells"], found["cells_right"], found["cells_doubted"], found["cells_silent"]) == (CELLS, CELLS, 0, 0)
    assert all(found[f"{kind}_right"] == found[kind] for kind in ("boards", "tables", "scores", "discs", "middles"))
    assert found["discs"] == 2
    assert not compare(TRUTH, reading).is_doubtful


def test_a_wrong_cell_is_silent_unless_it_was_doubted(reading: dict[str, Any]) -> None:
    board = reading["boards"][0]
    board["wall"][0] = "Y...."
    found = counts(reading)
    assert (found["cells_silent"], found["cells_right"], found["boards_right"], found["tables_right"]) == (
        1,
        CELLS - 1,
        0,
        0,
    )
    for cell in ("wall.1.1", "wall.1", "wall"):
        board["doubts"] = [{"cell": cell}]
        found = counts(reading)
        assert (found["cells_silent"], found["boards_right"]) == (0, 0)
    board["doubts"] = [{"cell": "wall.1.2"}]
    assert counts(reading)["cells_silent"] == 1


def test_a_right_cell_in_doubt_is_right_and_counted_as_doubt(reading: dict[str, Any]) -> None:
    reading["boards"][0]["doubts"] = [{"cell": "line.5"}]
    found = counts(reading)
    assert (found["cells_right"], found["cells_doubted"], found["boards_right"]) == (CELLS, 5, 1)
    assert compare(TRUTH, reading).is_doubtful


def test_what_could_not_be_seen_is_wrong_but_not_silent(reading: dict[str, Any]) -> None:
    reading["boards"][0]["floor"] = "?"
    found = counts(reading)
    assert (found["cells_right"], found["cells_silent"], found["cells_doubted"]) == (CELLS - 1, 0, 1)


def test_covered_and_unknown_cells_are_not_judged(reading: dict[str, Any]) -> None:
    truth = deepcopy(TRUTH)
    truth["boards"][0] |= {"covered": ["wall.1.1", "line.5", "score"], "floor": "?"}
    reading["boards"][0]["wall"][0] = "R...."
    reading["boards"][0] |= {"score": 50, "floor": "R"}
    found = counts(reading, truth)
    assert (found["cells"], found["cells_right"], found["scores"]) == (CELLS - 1 - 5 - 1, CELLS - 7, 0)
    assert found["tables_right"] == 1


def test_boards_are_matched_by_place_not_by_seat() -> None:
    other = {**TRUTH["boards"][0], "seat": 2, "corners_px": [[x + 400, y] for x, y in SQUARE], "floor": "", "score": 3}
    truth = {**TRUTH, "boards": [TRUTH["boards"][0], other]}
    read = {**TRUTH, "boards": [{**other, "seat": 1}, {**TRUTH["boards"][0], "seat": 2}]}
    judged = compare(truth, read)
    assert [board.index for board in judged.boards] == [1, 0]
    assert judged.is_right


def test_a_board_too_far_off_is_missed_and_another_invented(reading: dict[str, Any]) -> None:
    reading["boards"][0]["corners_px"] = [[x + 36, y] for x, y in SQUARE]
    found = counts(reading)
    assert (found["boards_missed"], found["boards_invented"], found["cells_missed"]) == (1, 1, CELLS)
    assert (found["cells_right"], found["cells_silent"], found["cells_doubted"], found["scores"]) == (0, 0, 0, 0)
    reading["boards"][0]["corners_px"] = [[x + 35, y] for x, y in SQUARE]
    assert counts(reading)["boards_missed"] == 0


def test_a_reading_that_failed_misses_all() -> None:
    found = counts({"photo": "x.jpg", "error": "no board"})
    assert (found["cells"], found["cells_missed"], found["tables"], found["tables_right"]) == (CELLS, CELLS, 1, 0)
    assert (found["discs"], found["discs_right"], found["heaps_silent"]) == (2, 0, 0)


@pytest.mark.parametrize(("score", "doubts", "silent"), [(8, [], 1), (8, ["score"], 0), (None, [], 0)])
def test_a_wrong_score_is_silent_unless_unknown_or_doubted(
    reading: dict[str, Any], score: int | None, doubts: list[str], silent: int
) -> None:
    reading["boards"][0] |= {"score": score, "doubts": [{"cell": cell} for cell in doubts]}
    found = counts(reading)
    assert (found["scores"], found["scores_right"], found["scores_silent"]) == (1, 0, silent)
    assert (found["boards_right"], found["tables_right"]) == (1, 0)


def test_discs_are_matched_by_place_and_read_in_any_order(reading: dict[str, Any]) -> None:
    reading["factories"] = [{"tiles": "", "centre_px": [510, 50]}, {"tiles": "YKBB", "centre_px": [290, 45]}]
    assert counts(reading)["discs_right"] == 2
    reading["factories"][1]["tiles"] = "BBK"
    found = counts(reading)
    assert (found["discs_right"], found["heaps_silent"]) == (1, 1)
    reading["doubts"] = [{"cell": "factory.2"}]
    assert counts(reading)["heaps_silent"] == 0
    reading["factories"] = [{"tiles": "BBKY", "centre_px": [300, 131]}]
    found = counts(reading)
    assert (found["discs_right"], found["heaps_silent"]) == (0, 0)


def test_the_centre_counts_with_its_marker(reading: dict[str, Any]) -> None:
    reading["centre"] = {"tiles": "RK", "first_player": False}
    found = counts(reading)
    assert (found["middles"], found["middles_right"], found["heaps_silent"]) == (1, 0, 1)
    reading["doubts"] = [{"cell": "centre"}]
    assert counts(reading)["heaps_silent"] == 0


def test_stars_and_the_supply_are_compared_too() -> None:
    truth: dict[str, Any] = {
        "edition": "summer-pavilion",
        "boards": [{"corners_px": SQUARE, "stars": {"O": "....O."}, "corners": "G..P"}],
    }
    truth["supply"] = "PGOYB?????"
    board = {**truth["boards"][0], "stars": {"O": "....R."}}
    read = {**truth, "boards": [board], "supply": "PGO???????"}
    found = counts(read, truth)
    assert (found["cells"], found["cells_silent"], found["shared"], found["shared_right"]) == (10, 1, 5, 3)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"), [(0, 0, 0, 1), (50, 100, 0.404, 0.596), (100, 100, 0.963, 1), (0, 10, 0, 0.278)]
)
def test_wilson(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=0.001)


def test_calibration_bins_and_error() -> None:
    bins = calibration([(0.4, False), (0.4, True), (0.99, True), (0.99, True), (1.0 + 1e-9, True)])
    assert [(found.count, found.right) for found in bins] == [(2, 1), (2, 2), (1, 1)]
    assert calibration_error(bins) == pytest.approx((0.2 + 0.02) / 5)
    assert calibration_error([]) == 0


@pytest.mark.parametrize(
    ("read", "told"),
    [("LB1", (("LB", "1"), ("LB", "1"))), ("DG1", (("LB", "1"), ("DG", "1"))), (".", None), ("?", None), ("J", None)],
)
def test_colours_and_patterns_are_counted_where_a_kind_that_has_both_was_read(read: str, told: Any) -> None:
    truth = {
        "edition": "queens-garden",
        "side": "a",
        "boards": [{"seat": 1, "corners_px": SQUARE, "garden": {"F0": "LB1"}}],
    }
    seen = deepcopy(truth)
    seen["boards"][0]["garden"]["F0"] = read  # type: ignore[index]
    assert swapped([compare(truth, seen)]) == ({told: 1} if told else {})
