"""Rules that hands break during play, named from clear sightings or offered in a question; the rest with reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.lab.breaches import ASKED, Case, follow_case, load_cases
from engine import load, slugs
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
    "SPM-SU-03": "which side lies up is agreed before play, and a table with another side up is not followed",
}
"""Rules, by their ids or parts of them, that no look during play can show to be broken, and why."""

NOT_FOLLOWED = {
    "AZ-SU-02": "a wrong filling is asked about, but no choice says that it is wrong",
    "TP-08": "only right fillings are tried",
    "SP-SU-03": "only right fillings are tried",
    "SP-SU-04": "only right fillings are tried",
    "QG-SU-03": "only right fillings are tried; a top card with too few tiles is passed over without a word",
    "QG-DR-06": "only right fillings are tried, and turning cards is one",
    "QG-DR-07": "no take of a card that lies face down is tried, since its hex is not known before",
    "SP-PL-06": "no move of somebody who has passed is tried",
    "SP-PA-01": "no pass that keeps five tiles is tried",
    "SP-PAY-03": "no payment of jokers alone is tried",
    "SP-SU-05": "the round counter is not weighed",
    "SPM-SU-02": "the round counter is not weighed",
    "SPM-VA-01": "the side of the storage card is not weighed",
    "AZ-EN-01": "what is played after the end is not weighed",
    "AZM-PL-01": "tiles that lie across two recesses are told of single photos only",
    "AZM-VA-01": "no line that stays on the tray is tried",
}
"""Rules that a look could show to be broken and that following a game does not name yet."""


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
        if rule == RECORD or POINTS in rule or any(part in rule for part in (*NOT_SHOWN, *NOT_FOLLOWED))
    }
    assert told | excused == {*load(slug).rulebook}
    assert not told & excused


def test_few_rules_can_only_be_asked_about() -> None:
    # Tiles that are hidden, stacked, left or kept in a hand look alike: the question offers each of them.
    asked = {case.rule for case in CASES if case.how == ASKED}
    assert asked <= {"AZ-DR-02", "AZ-PL-02", "AZ-PL-08", "SP-DR-05", "SP-PAY-05"}
