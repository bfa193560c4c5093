"""Nothing that was told is lost, and damage is noticed."""

from __future__ import annotations

from companion.lab.faults import FAULTS, FaultTally, measure

ROUNDS = 3


def test_nothing_that_was_told_is_lost() -> None:
    tallies = measure(ROUNDS, seed=5)
    assert tallies.keys() == FAULTS.keys()
    for name, tally in tallies.items():
        assert tally == FaultTally(ROUNDS, tally.told, lost=0, unnoticed=0), name
        assert tally.told > ROUNDS
