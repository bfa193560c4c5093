"""Rules that hands break during play, named from clear sightings or offered in a question; the rest with reasons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from companion.lab.breaches import ASKED, Case, follow_case, load_cases
from companion.lab.imagine import imagine
from companion.reconcile.live.follow import LOOKS, Follower
from engine import load, slugs
from engine.table import Frozen
from engine.violations import RECORD

CASES = load_cases(Path(__file__).parents[2] / "fixtures" / "breaches" / "cases.json")

POINTS = "-PT-"
"""Rules that say what brings points: programs count them, and a mark that shows another score is told as that."""

NOT_SHOWN = {
    "-INV-": "nobody can lay more tiles of a kind than the box holds",
    "-SC-02": "no track has a place below the least score",
    "AZ-DR-08": "a colour that does not lie there cannot be taken",
    "SP-DR-09": "a colour that does not lie there cannot be taken",
    "QG-PL-07": "a card lies in one of the six slots or in none, and no second card can lie in a slot",
    "QG-SU-01": "cards lie on each other: nobody sees how many are in the stack",
    "AZ-SU-01": "how many discs there are is agreed before play",
    "SP-SU-01": "how many discs there are is agreed before play",
    "AZ-SU-03": "which side lies up is agreed before play, and a table with another side up is not followed",
    "AZM-SU-01": "which side lies up is agreed before play, and a table with another side up is not followed",
    "TP-05": "a full shelf has no place left, so what is laid there lies in no cell",
    "TP-09": "it says what brings points",
    "TP-10": "it says what brings points",
    "AZM-PL-01": "a sighting says what lies in a cell, not how it sits there: only a Table that is written down does",
    "SPM-VA-01": "a sighting does not say which side of the storage card lies up: it is agreed before play",
    "SPM-SU-03": "which side lies up is agreed before play, and a table with another side up is not followed",
}
"""Rules, by their ids or parts of them, that no look during play can show to be broken, and why."""


@pytest.mark.parametrize("case", CASES, ids=[f"{case.edition} {case.rule}" for case in CASES])
def test_a_broken_rule_is_told_from_looks(case: Case) -> None:
    edition = load(case.edition)
    if case.move:
        broken = edition.violations(edition.parse_state(case.state), edition.parse_move(case.move))
        assert case.rule in {violation.rule for violation in broken}
    assert follow_case(case).how(case.rule) == case.how


@pytest.mark.parametrize("slug", slugs())
def test_every_rule_has_a_case_or_a_reason(slug: str) -> None:
    told = {case.rule for case in CASES if case.edition == slug}
    excused = {
        rule
        for rule in load(slug).rulebook
        if rule == RECORD or POINTS in rule or any(part in rule for part in NOT_SHOWN)
    }
    assert told | excused == {*load(slug).rulebook}
    assert not told & excused


def test_few_rules_can_only_be_asked_about() -> None:
    # Tiles that are hidden, stacked, left or kept in a hand look alike: the question offers each of them.
    asked = {case.rule for case in CASES if case.how == ASKED}
    assert asked <= {"AZ-DR-02", "AZ-PL-02", "AZ-PL-08", "SP-DR-05", "SP-PAY-05"}


FILLED = {slug: heap.name for slug in slugs() for heap in load(slug).layout.heaps if heap.numbered and heap.counts}
"""By edition the heaps, of which there are as many as players need, that chance fills."""


@pytest.mark.parametrize("slug", FILLED)
def test_a_piece_overlooked_in_a_filling_accuses_nobody(slug: str) -> None:
    edition = load(slug)
    empty = edition.start(edition.setup(edition.sides[0], edition.players[0]))
    filled = edition.enact(empty, edition.deal(empty, Random(5).sample))
    table = edition.table(filled)
    name = f"{FILLED[slug]}.2"
    lying = Frozen({**table.common.heaps, name: table.common.heaps[name][1:]})
    overlooked = replace(table, parts=(replace(table.common, heaps=lying), *table.boards))
    follower = Follower(edition, empty)
    follower.see(imagine(edition.table(empty)))
    looks = [(shown, bool(again)) for shown in (overlooked, table) for again in range(LOOKS)]
    outcomes = [follower.see(imagine(shown), again) for shown, again in looks]
    assert follower.state == filled
    assert not any(outcome.findings for outcome in outcomes)
