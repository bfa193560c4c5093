"""Following a game at the table: from sighting to sighting, what happened.

Several stories are kept at a time, each with its weight, and every sighting weighs them anew, so evidence of several
pictures adds up. What nearly all the weight agrees on is the outcome; the rest is looked at again, then asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp, inf, log
from typing import Any

from companion.reconcile.live.answer import playable
from companion.reconcile.live.choices import most_in_doubt, offer_of
from companion.reconcile.live.disputes import Disputes, Place
from companion.reconcile.live.explain import (
    BREACH,
    IN_PROGRESS,
    POOR,
    QUIET,
    best_first,
    ended,
    explain,
    explain_several,
    explain_simply,
    explain_unseen_wrong,
    explain_wrong,
    forced,
    likeliest,
    mixed_up,
    over_by_scores,
    refill_order,
    stand,
    taken_back,
)
from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.nearby import with_neighbours
from companion.reconcile.live.outcome import Finding, Outcome, Question, box_of, choice, findings_of
from companion.reconcile.live.places import Places, Point, Seen, carried, places_of, seat_again, seat_all
from companion.reconcile.live.refill import renumbered
from companion.reconcile.live.story import Story, boards_fit, enact
from engine import OVER, Edition
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
NEGLIGIBLE = -6.0
"""A story that weighs so much less than the best does not make it doubtful."""
CHOICES = 6


class Follower:
    """Where the game stands by what was seen."""

    def __init__(
        self,
        edition: Edition[Any, Any],
        state: Any,
        past: Sequence[Any] = (),
        words: Mapping[Place, str] | None = None,
        unknown: Iterable[Place] = (),
    ) -> None:
        """`unknown` are cells that people were asked about before, and that nobody knows."""
        self.edition = edition
        self._layout = edition.layout
        self._disputes = Disputes(edition)
        self._disputes.leave(unknown)
        self.places: Places | None = None
        self.handheld = False
        """Whether each picture may be taken from elsewhere."""
        self.seen: Seen | None = None
        """The last sighting with its seats."""
        self._choices: frozenset[str] = frozenset()
        """What was offered when somebody was last asked what happened."""
        self.agree(state, past, words)

    def agree(self, state: Any, past: Sequence[Any] = (), words: Mapping[Place, str] | None = None) -> None:
        """Go on from a state that the log tells, with what people say lies in cells, which no look outvotes.

        `past` are the states before its last events that may be taken back on the table, the latest first.
        """
        self._root, self._past = state, tuple(past)
        self._disputes.believe(words or {})
        self._stories = [Story(self.edition, state)]
        self._others: list[Story] = []
        self._looks, self._asked = 0, False
        self._given_up: frozenset[str] | None = None

    def give_up(self, state: Any, past: Sequence[Any] = (), words: Mapping[Place, str] | None = None) -> None:
        """Nobody knows what happened: go on from the state that the log tells, and ask nothing of this moment again.

        Where that is the last agreed one, what may have happened since is still kept in mind, for later looks to tell.
        """
        if state != self._root:
            self.agree(state, past, words)
        self._asked, self._given_up = True, self._choices

    @property
    def state(self) -> Any:
        """The last agreed state."""
        return self._root

    @property
    def _discs(self) -> int | None:
        """How many discs are in use; None where there may be any number."""
        numbered = self._layout.numbered_heap
        if numbered is None:
            return 0
        return len(numbered.names(self._root.setup.players)) if numbered.counts else None

    def playable(self, state: Any, moves: Sequence[Any]) -> tuple[Any, ...]:
        """The moves that people answer, as the log can play them from where it stands."""
        return playable(self.edition, state, moves, Evidence(self.seen, self._layout) if self.seen else None)

    def seat(self, sighting: Sighting) -> Seen | None:
        """The sighting with its seats and discs; None as long as not everybody's board was ever in view."""
        players = self._root.setup.players
        if self.places is None:
            whole = seat_all(sighting, players, self._discs)
            return whole and with_neighbours(whole, self._layout, places_of(whole))
        if self.handheld:
            self.places = carried(sighting, self.places)
        return with_neighbours(seat_again(sighting, self.places, self._discs), self._layout, self.places)

    def see(self, sighting: Sighting, again: bool = False) -> Outcome:
        """Take in a sighting; `again` says that it is of the same moment as the last one."""
        seen = self.seen = self.seat(sighting)
        if seen is None or sighting.side != self._root.setup.side:
            return Outcome()
        self.places = places_of(seen, self.places)
        self._looks = self._looks + 1 if again else 1
        if self._given_up is not None and not again:
            self._asked = False
        evidence = Evidence(seen, self._layout, self._disputes.muted)
        if self.edition.awaits_chance(self._root) and (order := refill_order(self._root, evidence, self.edition)):
            self.places = renumbered(self.places, order)
            seen = self.seen = self.seat(sighting) or seen
            evidence = Evidence(seen, self._layout, self._disputes.muted)
        self._stories = self._told(evidence, SAME_MOMENT if again else 1.0)
        outcome = self._conclude(seen, evidence)
        best = self._stories[0]
        if outcome.look_again or outcome.question or best.is_news or best.rest < UNEXPLAINED:
            # Where the game may have gone on, its scores may have too.
            return outcome
        self.places = replace(self.places, tiles=self._lying(evidence, self.places.tiles))
        return self._disputed(outcome, seen, Evidence(seen, self._layout) if self._disputes.muted else evidence)

    def _lying(self, evidence: Evidence, before: Mapping[int, tuple[Point, ...]]) -> dict[int, tuple[Point, ...]]:
        """Where the pieces of discs lie that are not empty."""
        return {
            number: tuple(tile.place_px for tile in evidence.lying(number, kinds)) or before.get(number, ())
            for number, kinds in evidence.discs_of(self.edition.table(self._root)).items()
            if kinds
        }

    def _disputed(self, outcome: Outcome, seen: Seen, evidence: Evidence) -> Outcome:
        """What goes on to contradict where the game stands; discs that were misread are set right at once."""
        question = self._disputes.note(self._stories[0], seen, evidence)
        scores = self._disputes.marks.wrong(self._root, seen, evidence)
        fixes = tuple(self._disputes.discs(self._root, evidence))
        for fix in fixes:
            self._past = (self._root, *self._past)[:PAST]
            self._root = enact(self.edition, self._root, fix)
            self._stories = [Story(self.edition, self._root)]
        return replace(
            outcome,
            moves=(*outcome.moves, *fixes),
            question=question,
            scores=scores,
            disputed=self._disputes.asked,
        )

    def _told(self, evidence: Evidence, scale: float) -> list[Story]:
        """Every story gone on, the likeliest kept; what is less and less likely is tried only if all else is poor."""
        stories = self._stories
        grown = _grown(stories, evidence, scale)
        if _is_poor(grown) or any(likeliest(grown).breaks):
            # Two legal moves that nobody saw are likelier than one that breaks a rule.
            grown += [after for story in stories[:SEVERAL] for after in explain_several(story, evidence, scale)]
        if _is_poor(grown):
            roots = taken_back(Story(self.edition, self._root), self._past)
            grown += [after for story in roots for after in explain_simply(story, evidence, scale)]
        if _is_poor(grown) or any(likeliest(grown).breaks):
            # Nobody is accused of what may be a tile that was misread on its disc.
            grown += mixed_up(stories[0], evidence, scale)
        if max(story.rest for story in grown) < POOR:
            # A breach that explains all weighs more than one with a move beside it.
            grown += explain_unseen_wrong(stories[0], evidence, scale)
        grown += over_by_scores(stories[0], evidence, scale)
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
        if not any(story.moves[count:] for story in kept):
            # What leaves no mark is written down with the last move that does, where nothing else can follow.
            told = ended(best) or forced(best)
            if told.moves != best.moves:
                kept, moves, count = [told], told.moves, len(told.moves)
        past = list(self._past[undone:])
        state = self._past[undone - 1] if undone else self._root
        findings: list[Finding] = []
        for move in moves:
            if not isinstance(move, Correct):
                findings += findings_of(self.edition, state, move, seen)
            self._disputes.marks.remember(state, move)
            past.insert(0, state)
            state = self.edition.settle(enact(self.edition, state, move))
        self._root, self._past = state, tuple(past[:PAST])
        self._stories = _normal(
            [replace(story, moves=story.moves[count:], undone=0, breaks=story.breaks[count:]) for story in kept]
        )
        self._asked, self._given_up = False, None
        return Outcome(undone, moves, tuple(findings), chance=chance)

    def _unsure(self, seen: Seen) -> Outcome:
        players = self._root.setup.players
        if self._looks < LOOKS or not seen.is_whole(players, self._discs):
            return Outcome(look_again=self._looks < LOOKS, chance=exp(self._stories[0].weight))
        if self._asked or self._root.phase == OVER:
            return Outcome(chance=exp(self._stories[0].weight))
        self._asked = True
        question = self._question(seen)
        self._choices = frozenset(question.choices)
        # Who did not know before does not know now, unless something else may have happened.
        known = self._choices == self._given_up
        return Outcome(question=None if known else question, chance=exp(self._stories[0].weight))

    def _question(self, seen: Seen) -> Question:
        chances: dict[str, float] = {}
        for story in (*self._stories, *self._others):
            if not story.undone:
                text = choice(self.edition, story.moves)
                chances[text] = chances.get(text, 0.0) + exp(min(story.weight, 0.0))
        told = sorted(chances.items(), key=lambda entry: -entry[1])[:CHOICES]
        likely = {text: round(min(chance, 1.0), 4) for text, chance in told}
        seat, cell = most_in_doubt(offer_of(self.edition, self._root, likely).spots)
        return Question(likely, seat, box_of(seen, self.edition.layout, seat, cell))


PAST = 2
"""So many events may be taken back on the table."""


SEVERAL = 2
"""So many of the best stories are gone on with by several moves at once."""


def _is_poor(stories: Sequence[Story]) -> bool:
    return likeliest(stories).rest < POOR


def _grown(stories: Sequence[Story], evidence: Evidence, scale: float) -> list[Story]:
    """Stories gone on; where one explains all as it is, those less likely stay as they are.

    Breaches are many, so they are tried only for stories that no legal step explains, and that are likely enough to
    make what is likeliest doubtful.
    """
    grown: list[Story] = []
    unexplained: list[Story] = []
    most = quiet = -inf
    for story in sorted(stories, key=lambda story: -story.weight):
        if story.weight <= most + HOPELESS:
            break
        stay = stand(story, evidence, scale)
        if stay.rest > QUIET:
            quiet = max(quiet, story.weight)
        steps = [stay] if story.weight <= quiet else list(explain(story, evidence, scale))
        if story.weight > quiet and all(after.rest <= QUIET for after in steps):
            unexplained.append(story)
        grown += steps
        most = max(after.weight for after in grown)
    for story in unexplained:
        if story.weight + max(IN_PROGRESS, BREACH) > most + NEGLIGIBLE:
            grown += explain_wrong(story, evidence, scale)
            most = max(after.weight for after in grown)
    return grown


def _normal(stories: Sequence[Story]) -> list[Story]:
    """The stories with weights that sum to one, without those that weigh next to nothing."""
    most = max(story.weight for story in stories)
    shift = most + log(sum(exp(story.weight - most) for story in stories))
    return [story.weighing(story.weight - shift) for story in stories if story.weight > most + LEAST_WEIGHT]
