"""Games of every edition told from a photo a round, a tenth of them missing: every score is exact or in its range."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.lab.confusions import Confusions, load_confusions
from companion.lab.photoexam import account_of, imagined_shots, judge
from companion.lab.photogames import photo_game
from engine import slugs

CONFUSIONS = Path(__file__).parents[2] / "fixtures" / "benchmarks" / "confusions.json"
SEED = 983_000
TURNED = 960_000
"""Among the games from here on there are some whose first photos show bare boards, turned."""


@pytest.mark.parametrize("slug", slugs())
def test_every_score_is_exact_or_within_what_is_claimed(slug: str) -> None:
    game = photo_game(0, SEED, edition=slug)
    judged = judge(game, imagined_shots(game, Random(SEED), Confusions()))
    assert judged["wrong"] == []
    assert judged["rounds"]["held"] == judged["rounds"]["claims"] > 0
    assert judged["final"]["held"] == judged["final"]["claims"]


@pytest.mark.parametrize(
    ("slug", "number"),
    [("summer-pavilion", 2), ("summer-pavilion", 14), ("queens-garden", 12)],
)
def test_boards_on_which_nothing_lies_yet_may_be_anybodys(slug: str, number: int) -> None:
    """Whoever photographs the table from another side turns the boards' numbers, and bare boards look alike."""
    game = photo_game(number, TURNED, often=True, edition=slug)
    judged = judge(game, imagined_shots(game, Random(f"confusions {number}"), Confusions()))
    assert judged["wrong"] == []
    assert judged["rounds"]["held"] == judged["rounds"]["claims"] > 0


def test_a_game_is_not_over_while_somebody_still_lays_pieces() -> None:
    """One board is done with the last round, another is not: its final score is nobody's to tell."""
    game = photo_game(19, TURNED, often=True, edition="summer-pavilion")
    shots = imagined_shots(game, Random("confusions 19"), Confusions())
    last = game.photos[-1].table
    assert any(last.part(seat).heaps["reserve"] for seat in game.setup.seats)
    assert not account_of(game, shots).over
    assert judge(game, shots)["wrong"] == []


def test_a_board_that_proves_to_be_an_unlikely_one_may_have_any_score() -> None:
    """A later photo tells that a cell was misread; what was thought unlikely till then leaves the score open."""
    game = photo_game(10, TURNED, single=True, edition="queens-garden")
    judged = judge(game, imagined_shots(game, Random("confusions 10"), load_confusions(CONFUSIONS)))
    assert judged["wrong"] == []
    assert judged["rounds"]["held"] == judged["rounds"]["claims"] > 0
