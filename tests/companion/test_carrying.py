"""A game is followed the same whether looks rest on the ones before or read the whole table each time."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from companion.capture.session import Session
from companion.gamelog import GameLog, PhotoRead
from companion.lab.rehearsal import camera_of, plan_of, watch
from companion.lab.simulate import simulate
from companion.pipeline import load_networks
from engine import Start
from vision.network import Families

MOVES = 5


@pytest.fixture(scope="module")
def networks() -> Families:
    return load_networks()


def followed(networks: Families, folder: Any, carries: bool) -> tuple[list[Any], list[int]]:
    """What is logged of the first moves of a game, and how many looks ago the boards of its readings were read."""
    plan = plan_of(0)
    camera = camera_of(plan)
    with GameLog(folder) as log:
        game = log.create(Start(plan.edition, plan.setup))
        session = Session(camera, game, networks, carries=carries)
        watch(session, camera)
        for step in islice(simulate(plan.edition, plan.setup, plan.rng), MOVES):
            camera.show(step.stage, step.move.seat)
            watch(session, camera)
        readings = [entry.event.reading for entry in game.entries() if isinstance(entry.event, PhotoRead)]
        carried = [board.get("carried", 0) for reading in readings if reading for board in reading["boards"]]
        return game.refresh().record_events(), carried


def test_the_same_moves_are_logged_with_and_without_carrying_on(networks, tmp_path):
    events, carried = followed(networks, tmp_path / "carried", carries=True)
    whole, anew = followed(networks, tmp_path / "whole", carries=False)
    assert events == whole
    assert len(events) >= MOVES
    assert any(carried)
    assert not any(anew)
