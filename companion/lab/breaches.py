"""Every rule that hands can break, broken once in front of the follower: cases found by search and then kept.

A case is a state, what somebody does there against a rule, and what is played after it; or a mark that is moved to a
wrong score. The follower sees a clear sighting of each moment and has to name the rule, or to ask and offer it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from companion.lab.imagine import imagine
from companion.lab.play import play_randomly, play_well
from companion.reconcile.live.disputes import LASTING
from companion.reconcile.live.follow import LOOKS, Follower
from companion.reconcile.live.likelihood import SCORE
from companion.reconcile.live.marks import showing
from companion.reconcile.live.outcome import Outcome, parse_choice
from engine import OVER, Edition, EngineError, Table, load
from engine.table import ALL
from engine.violations import RECORD

NAMED, ASKED = "named", "asked"
TRIES = 2
"""So many moves that break the same rule are tried in one state."""
PATIENCE = 16
"""So many cases of one rule are tried in all."""
LOOKED_AT = 0.3
"""The share of a game's states in which something is tried."""
STEPS = 9
"""So many moves are played after a breach that the very look does not show."""


@dataclass(frozen=True)
class Case:
    """A rule broken, and how the follower comes to tell: by naming it, or by asking where looks cannot decide."""

    edition: str
    rule: str
    state: str
    move: str = ""
    then: tuple[str, ...] = ()
    """What is played afterwards, where the very look cannot tell."""
    marks: Mapping[str, int] = field(default_factory=dict)
    """Scores that marks show otherwise, by seat, and numbers of all, by name."""
    how: str = NAMED


@dataclass
class Told:
    """The rules that the follower named, and those that it offered in questions."""

    named: set[str] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)

    def how(self, rule: str) -> str:
        """How it told of a rule; nothing where it did not."""
        return NAMED if rule in self.named else ASKED if rule in self.asked else ""


def follow_case(case: Case) -> Told:
    """What the follower tells of a case, from clear sightings alone."""
    edition, told = load(case.edition), Told()
    state = edition.parse_state(case.state)
    follower = Follower(edition, state)
    follower.see(imagine(edition.table(state)))
    if case.marks:
        shown = edition.table(state)
        for whose, number in case.marks.items():
            seat, name = (int(whose), SCORE) if whose.isdecimal() else (ALL, whose)
            shown = showing(edition, shown, {seat: number}, name)
        for _ in range(LASTING):
            _look(follower, shown, told)
    for text in (case.move, *case.then) if case.move else ():
        state = edition.settle(edition.enact(state, edition.parse_move(text)))
        _look(follower, edition.table(state), told)
    return told


def _look(follower: Follower, table: Table, told: Told) -> None:
    """Look at a moment as often as the follower wants to."""
    for again in range(LOOKS):
        before = follower.state
        outcome = follower.see(imagine(table), bool(again))
        told.named |= {finding.violation.rule for finding in (*outcome.findings, *outcome.scores)}
        told.asked |= _offered(follower.edition, before, outcome)
        if not outcome.look_again:
            return


def _offered(edition: Edition[Any, Any], state: Any, outcome: Outcome) -> set[str]:
    """The rules that the choices of a question would break."""
    rules: set[str] = set()
    for text in outcome.question.choices if outcome.question and not outcome.question.cell else ():
        after = state
        for move in parse_choice(edition, text):
            rules |= {violation.rule for violation in edition.violations(after, move)}
            after = edition.settle(edition.enact(after, move))
    return rules


def search(
    slug: str, seeds: Iterable[int], wanted: Iterable[str], options: Mapping[str, object] | None = None
) -> Iterator[Case]:
    """A case for each of the wanted rules, the first that is found; one that is asked only where none is named."""
    edition, left, asked, tried = load(slug), set(wanted), dict[str, Case](), Counter[str]()
    for state in (state for seed in seeds for state in _states(edition, seed, options)):
        for case in _cases(edition, state, left, Random(len(tried))):
            how = follow_case(case).how(case.rule)
            tried[case.rule] += 1
            if how == NAMED:
                asked.pop(case.rule, None)
                yield case
            elif how == ASKED:
                asked.setdefault(case.rule, replace(case, how=ASKED))
            if how == NAMED or tried[case.rule] >= PATIENCE:
                left.discard(case.rule)
        if not left:
            break
    yield from asked.values()


def _states(edition: Edition[Any, Any], seed: int, options: Mapping[str, object] | None) -> Iterator[Any]:
    """The states of a game, with any number of players on either side."""
    rng = Random(f"breach {seed}")
    setup = edition.setup(rng.choice(edition.sides), rng.choice(edition.players), 1, options)
    state = edition.start(setup)
    policy = rng.choice((play_randomly, play_well))
    yield state
    while state.phase != OVER:
        move = edition.deal(state, rng.sample) if edition.awaits_chance(state) else policy(edition, state, rng)
        state = edition.settle(edition.enact(state, move))
        if rng.random() < LOOKED_AT:
            yield state


def _cases(edition: Edition[Any, Any], state: Any, wanted: set[str], rng: Random) -> Iterator[Case]:
    """Cases to try in a state: moves that break a wanted rule, those first that break no other, and wrong marks."""
    text = edition.format_state(state)
    if not edition.awaits_chance(state):
        for seat, score in zip(state.setup.seats, state.scores, strict=True):
            shown = showing(edition, edition.table(state), {seat: score + 2})
            rules = {each.rule for each in edition.table_violations(shown, state) if each.seat == seat}
            yield from (Case(edition.slug, rule, text, marks={str(seat): score + 2}) for rule in sorted(rules & wanted))
        for name, number in _wrong_for_all(edition, state):
            shown = showing(edition, edition.table(state), {ALL: number}, name)
            rules = {each.rule for each in edition.table_violations(shown, state) if each.cell == name}
            yield from (Case(edition.slug, rule, text, marks={name: number}) for rule in sorted(rules & wanted))
    by_rule: dict[str, list[Any]] = {}
    for move in edition.pseudo_moves(state) if state.phase != OVER else ():
        broken = {violation.rule for violation in edition.violations(state, move)} - {RECORD}
        for rule in sorted(broken & wanted):
            by_rule.setdefault(rule, []).append((len(broken), move))
    for rule, moves in by_rule.items():
        rng.shuffle(moves)
        for _, move in sorted(moves, key=lambda each: each[0])[:TRIES]:
            case = Case(edition.slug, rule, text, edition.format_move(move))
            # Whoever takes the cases strikes a rule off that was found.
            if rule in wanted:
                yield case
            if rule in wanted:
                yield replace(case, then=_legal_after(edition, state, move, rng))


def _wrong_for_all(edition: Edition[Any, Any], state: Any) -> Iterator[tuple[str, int]]:
    """Numbers that belong to all and have tracks, each as a mark shows it that was not moved on."""
    told = edition.table(state).common.tracks
    for name in dict.fromkeys(track.tells for track in edition.layout.tracks if not track.each):
        if (number := told.get(name) or 0) > 1:
            yield name, number - 1


def _legal_after(edition: Edition[Any, Any], state: Any, move: Any, rng: Random) -> tuple[str, ...]:
    """Some legal moves after a move."""
    played: list[str] = []
    try:
        state = edition.settle(edition.enact(state, move))
        while len(played) < STEPS and state.phase != OVER:
            chance = edition.awaits_chance(state)
            after = edition.deal(state, rng.sample) if chance else play_well(edition, state, rng)
            state = edition.settle(edition.enact(state, after))
            played.append(edition.format_move(after))
    except EngineError:
        # Hands cannot do this here.
        return ()
    return tuple(played)


def load_cases(path: Path) -> tuple[Case, ...]:
    """What `save_cases` wrote."""
    told = json.loads(path.read_text(encoding="utf-8"))
    return tuple(Case(**{**case, "then": tuple(case.get("then", ()))}) for case in told)


def save_cases(cases: Iterable[Case], path: Path) -> None:
    """One line a case, by edition and rule."""
    kept = sorted(cases, key=lambda case: (case.edition, case.rule))
    lines = (json.dumps({name: value for name, value in asdict(case).items() if value}) for case in kept)
    path.write_text("[" + ",\n".join(lines) + "]\n", encoding="utf-8")
