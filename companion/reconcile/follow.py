"""Following a game at the table: from sighting to sighting, what happened.

Several stories are kept at a time, each with its weight, and every sighting weighs them anew, so evidence of several
pictures adds up. What nearly all the weight agrees on is the outcome; the rest is looked at again, then asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp, inf, log
from typing import Any

from companion.reconcile.disputes import Disputes
from companion.reconcile.explain import (
    POOR,
    QUIET,
    best_first,
    explain,
    explain_several,
    explain_simply,
    mixed_up,
    stand,
    taken_back,
)
from companion.reconcile.likelihood import Evidence
from companion.reconcile.outcome import Finding, Outcome, Question, box_of, choice, findings_of
from companion.reconcile.places import Places, Seen, carried, places_of, seat_again, seat_all
from companion.reconcile.story import Story, boards_fit, enact
from engine import OVER, Edition
from engine.drafting import DISCS
from engine.moves import Correct
from vision.sighting import Sighting

CERTAIN = 0.985
"""So likely must a legal explanation be to be written down; set by `azul bench live`."""
CERTAIN_BREACH = 0.995
"""The same for one that breaks a rule: nobody is accused lightly."""
UNEXPLAINED = -17.0
"""A sighting that the best story explains no better than this shows something that no story tells."""
LOOKS = 3
"""So many pictures of one moment are looked at before a person is asked."""
SAME_MOMENT = 0.5
"""What another picture of the same moment counts: much of what misled the first misleads it too."""
STORIES = 12
LEAST_WEIGHT = -14.0
"""A story that weighs less than this beside the best is forgotten."""
HOPELESS = -9.0
"""A story that weighs so much less than one that explains all is not gone on with."""
CHOICES = 6


class Follower:
    """Where the game stands by what was seen."""

    def __init__(self, edition: Edition[Any, Any, Any], state: Any, past: Sequence[Any] = ()) -> None:
        self.edition = edition
        self._disputes = Disputes(edition)
        self.places: Places | None = None
        self.handheld = False
        """Whether each picture may be taken from elsewhere."""
        self.seen: Seen | None = None
        """The last sighting with its seats."""
        self.agree(state, past)

    def agree(self, state: Any, past: Sequence[Any] = ()) -> None:
        """Go on from a state that the log tells; `past` are those before its last events, the latest first."""
        self._root, self._past = state, tuple(past)
        self._stories = [Story(self.edition, state)]
        self._others: list[Story] = []
        self._looks, self._asked = 0, False

    @property
    def state(self) -> Any:
        """The last agreed state."""
        return self._root

    def seat(self, sighting: Sighting) -> Seen | None:
        """The sighting with its seats and discs; None as long as not everybody's board was ever in view."""
        players = self._root.setup.players
        if self.places is None:
            return seat_all(sighting, players, DISCS[players])
        if self.handheld:
            self.places = carried(sighting, self.places)
        return seat_again(sighting, self.places, DISCS[players])

    def see(self, sighting: Sighting, again: bool = False) -> Outcome:
        """Take in a sighting; `again` says that it is of the same moment as the last one."""
        seen = self.seen = self.seat(sighting)
        if seen is None or sighting.side != self._root.setup.side:
            return Outcome()
        self.places = places_of(seen, self.places)
        self._looks = self._looks + 1 if again else 1
        evidence = Evidence(seen, self._disputes.muted)
        self._stories = self._told(evidence, SAME_MOMENT if again else 1.0)
        outcome = self._conclude(seen, evidence)
        if again or outcome.look_again or outcome.question or self._stories[0].is_news:
            # Where the game may have gone on, its scores may have too.
            return outcome
        return replace(outcome, scores=self._disputes.scores(self._root, seen))

    def _told(self, evidence: Evidence, scale: float) -> list[Story]:
        """Every story gone on, the likeliest kept; what is less and less likely is tried only if all else is poor."""
        stories = self._stories
        grown = _grown(stories, evidence, scale)
        if _is_poor(grown) or any(best_first(grown, 1)[0].breaks):
            # Two legal moves that nobody saw are likelier than one that breaks a rule.
            grown += [after for story in stories[:SEVERAL] for after in explain_several(story, evidence, scale)]
        if _is_poor(grown):
            roots = taken_back(Story(self.edition, self._root), self._past)
            grown += [after for story in roots for after in explain_simply(story, evidence, scale)]
        if _is_poor(grown):
            grown += mixed_up(stories[0], evidence, scale)
        kept = _normal(best_first(grown, STORIES))
        # What weighs next to nothing is still worth offering to a person where nothing weighs more.
        self._others = best_first([story for story in grown if story.is_news], CHOICES) if len(kept) == 1 else []
        return kept

    def _conclude(self, seen: Seen, evidence: Evidence) -> Outcome:
        best = self._stories[0]
        # Loose tiles are often seen badly: boards alone may vouch for what breaks no rule.
        explained = best.rest if any(best.breaks) else boards_fit(best, evidence)
        if best.is_news and explained >= UNEXPLAINED:
            moves, chance = self._agreed(best)
            if moves or (best.undone and chance):
                return self._commit(best, moves, chance, seen)
        elif not best.is_news and best.rest >= UNEXPLAINED:
            self._disputes.note(best, seen, evidence)
            return Outcome(chance=exp(best.weight))
        return self._unsure(seen)

    def _agreed(self, best: Story) -> tuple[tuple[Any, ...], float]:
        """As many of the first moves of the best story as nearly all the weight agrees on."""
        for count in range(len(best.moves), -1, -1):
            moves = best.moves[:count]
            same = [story for story in self._stories if story.undone == best.undone and story.moves[:count] == moves]
            chance = sum(exp(story.weight) for story in same)
            if chance >= (CERTAIN_BREACH if any(best.breaks[:count]) else CERTAIN) and (count or best.undone):
                return moves, chance
        return (), 0.0

    def _commit(self, best: Story, moves: tuple[Any, ...], chance: float, seen: Seen) -> Outcome:
        """Write the moves down as what happened, and go on with the stories that tell them."""
        undone, count = best.undone, len(moves)
        kept = [story for story in self._stories if story.undone == undone and story.moves[:count] == moves]
        past = list(self._past[undone:])
        state = self._past[undone - 1] if undone else self._root
        findings: list[Finding] = []
        for move in moves:
            if not isinstance(move, Correct):
                findings += findings_of(self.edition, state, move, seen)
            past.insert(0, state)
            state = self.edition.settle(enact(self.edition, state, move))
        self._root, self._past = state, tuple(past[:PAST])
        self._stories = _normal(
            [replace(story, moves=story.moves[count:], undone=0, breaks=story.breaks[count:]) for story in kept]
        )
        self._asked = False
        return Outcome(undone, moves, tuple(findings), chance=chance)

    def _unsure(self, seen: Seen) -> Outcome:
        players = self._root.setup.players
        if self._looks < LOOKS or not seen.is_whole(players, DISCS[players]):
            return Outcome(look_again=self._looks < LOOKS, chance=exp(self._stories[0].weight))
        if self._asked or self._root.phase == OVER:
            return Outcome(chance=exp(self._stories[0].weight))
        self._asked = True
        return Outcome(question=self._question(seen), chance=exp(self._stories[0].weight))

    def _question(self, seen: Seen) -> Question:
        chances: dict[str, float] = {}
        for story in (*self._stories, *self._others):
            if not story.undone:
                text = choice(self.edition, story.moves)
                chances[text] = chances.get(text, 0.0) + exp(min(story.weight, 0.0))
        told = sorted(chances.items(), key=lambda entry: -entry[1])[:CHOICES]
        likely = {text: round(min(chance, 1.0), 4) for text, chance in told}
        seats = {move.seat for story in self._stories for move in story.moves[-1:]}
        seat = seats.pop() if len(seats) == 1 else 0
        return Question(likely, seat, box_of(seen, self.edition.layout, seat, "" if seat else "centre"))


PAST = 2
"""So many events may be taken back on the table."""


SEVERAL = 2
"""So many of the best stories are gone on with by several moves at once."""


def _is_poor(stories: Iterable[Story]) -> bool:
    return all(story.rest < POOR for story in best_first(stories, 1))


def _grown(stories: Sequence[Story], evidence: Evidence, scale: float) -> list[Story]:
    """Stories gone on; where one explains all as it is, those less likely stay as they are."""
    grown: list[Story] = []
    most = quiet = -inf
    for story in sorted(stories, key=lambda story: -story.weight):
        if story.weight <= most + HOPELESS:
            break
        stay = stand(story, evidence, scale)
        if stay.rest > QUIET:
            quiet = max(quiet, story.weight)
        grown += [stay] if story.weight <= quiet else explain(story, evidence, scale)
        most = max(after.weight for after in grown)
    return grown


def _normal(stories: Sequence[Story]) -> list[Story]:
    """The stories with weights that sum to one, without those that weigh next to nothing."""
    most = max(story.weight for story in stories)
    shift = most + log(sum(exp(story.weight - most) for story in stories))
    return [replace(story, weight=story.weight - shift) for story in stories if story.weight > most + LEAST_WEIGHT]
