"""What cannot be seen accuses nobody: hiding parts of a table never brings up a broken rule."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import engine
from companion.lab.simulate import simulate

HIDDEN_SHARES = (0.05, 0.2, 0.6)


def hide(table: dict[str, Any], rng: Random, share: float) -> dict[str, Any]:
    """The table with some of its cells and heaps unseen."""

    def cells(row: str) -> str:
        return "".join("?" if rng.random() < share else cell for cell in row)

    hidden = {**table, "boards": []}
    for board in table["boards"]:
        floor = cells(board["floor"].ljust(7, "."))
        lines = [line if len(line) > row else cells(line) for row, line in enumerate(board["lines"], 1)]
        score = None if rng.random() < share else board["score"]
        hidden["boards"].append(
            {**board, "lines": lines, "wall": [*map(cells, board["wall"])], "floor": floor, "score": score}
        )
    hidden["factories"] = [{"tiles": "?"} if rng.random() < share else disc for disc in table["factories"]]
    if rng.random() < share:
        del hidden["centre"]
    return hidden


def mess(table: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The table with a few cells changed by chance, as careless hands leave it."""
    boards = [{**board, "wall": [*board["wall"]], "lines": [*board["lines"]]} for board in table["boards"]]
    for board in boards:
        for zone in ("wall", "lines"):
            row = rng.randrange(5)
            cell = rng.randrange(len(board[zone][row]))
            kinds = "BYRKW" if len(board["lines"][row]) > row + 1 else "BYRKW."
            board[zone][row] = board[zone][row][:cell] + rng.choice(kinds) + board[zone][row][cell + 1 :]
        board["score"] += rng.choice((0, 0, 40))
    return {**table, "boards": boards}


@pytest.mark.parametrize("side", ["coloured", "grey"])
@pytest.mark.parametrize("seed", range(6))
def test_hiding_a_part_brings_up_no_broken_rule(side: str, seed: int) -> None:
    edition, rng = engine.load("azul"), Random(seed)
    told = 0
    for played in simulate(edition, edition.setup(side, 2 + seed % 3), rng, 0.3):
        table = edition.format_table(edition.table(played.state))
        for shown in (table, mess(table, rng)):
            broken = {(v.rule, v.seat) for v in edition.table_violations(edition.parse_table(shown), None)}
            for share in HIDDEN_SHARES:
                less = edition.parse_table(hide(shown, rng, share))
                found = edition.table_violations(less, None)
                told += len(found)
                assert {(v.rule, v.seat) for v in found} <= broken, (shown, less)
    assert told
