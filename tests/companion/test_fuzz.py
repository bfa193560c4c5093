"""Bad inputs at every entrance are answered: those that did harm once, and others made by chance."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.lab.fuzz import Tally, attempt, entrances, fuzz, mutate

BAD = Path(__file__).parents[2] / "fixtures" / "bad"
SECONDS, MOST = 25.0, 60


def test_inputs_that_did_harm_once_are_answered(tmp_path: Path) -> None:
    tried = set()
    with entrances(tmp_path) as ways:
        for way in ways:
            for path in sorted((BAD / way.name).iterdir()):
                tally = Tally()
                attempt(way, path.read_bytes(), tally)
                assert not tally.failures, path
                tried.add(path)
    assert tried == {path for path in BAD.rglob("*") if path.is_file()}


def test_inputs_made_by_chance_are_answered() -> None:
    tallies = fuzz(SECONDS, seed=7, most=MOST)
    assert {name: [why for why, _ in tally.failures] for name, tally in tallies.items() if tally.failures} == {}
    assert tallies


@pytest.mark.parametrize("seed", range(20))
def test_the_same_seed_makes_the_same_inputs(seed: int) -> None:
    data = b'{"event": "start", "players": ["Ann", "Ben"]}\n' * 3
    assert mutate(data, Random(seed)) == mutate(data, Random(seed))
