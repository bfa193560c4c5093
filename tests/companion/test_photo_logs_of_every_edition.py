"""Games of every edition told from a photo a round, a tenth of them missing: every score is exact or in its range."""

from __future__ import annotations

from random import Random

import pytest

from companion.lab.confusions import Confusions
from companion.lab.photoexam import imagined_shots, judge
from companion.lab.photogames import photo_game
from engine import slugs

SEED = 983_000


@pytest.mark.parametrize("slug", slugs())
def test_every_score_is_exact_or_within_what_is_claimed(slug: str) -> None:
    game = photo_game(0, SEED, edition=slug)
    judged = judge(game, imagined_shots(game, Random(SEED), Confusions()))
    assert judged["wrong"] == []
    assert judged["rounds"]["held"] == judged["rounds"]["claims"] > 0
    assert judged["final"]["held"] == judged["final"]["claims"]
