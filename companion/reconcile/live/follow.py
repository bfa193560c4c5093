"""Following a game at the table: from sighting to sighting, what happened.

Several stories are kept at a time, each with its weight, and every sighting weighs them anew, so evidence of several
pictures adds up. What nearly all the weight agrees on is the outcome; the rest is looked at again, then asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from math import exp, log
from typing import Any

from companion.reconcile.live.agreed import Agreed
from companion.reconcile.live.answer import playable
from companion.reconcile.live.bridge import bridge, put_right, visibly_wrong
from companion.reconcile.live.choices import most_in_doubt, offer_of
from companion.reconcile.live.counted import Counted, counted_otherwise
from companion.reconcile.live.disputes import Disputes, Place
from companion.reconcile.live.explain import POOR
from companion.reconcile.live.likelihood import SCORE, Evidence
from companion.reconcile.live.nearby import with_neighbours
from companion.reconcile.live.open_scores import OpenScores
from companion.reconcile.live.outcome import Bridge, Finding, Outcome, Question, box_of, choice
from companion.reconcile.live.places import Places, Point, Seen, carried, places_of, seat_again, seat_all
from companion.reconcile.live.refill import renumbered
from companion.reconcile.live.steps import refill_order, unmarked_end
from companion.reconcile.live.stories import (
    IN_ORDER,
    agreed,
    best_first,
    is_broken,
    is_filled,
    is_over,
    is_set_right,
    legal_by_blur,
    lies_alike,
    normal,
    rests_on_blur,
    shortened,
)
from companion.reconcile.live.story import Story, boards_fit
from companion.reconcile.live.telling import MISCOUNTED, grown, kept
from companion.reconcile.photo import read_table
from engine import OVER, Edition, EngineError
from engine.moves import Correct
from vision.sighting import Sighting

UNEXPLAINED = -17.0
"""A sighting that the best story explains no better than this shows something that no story tells."""
LOOKS = 3
"""So many pictures of one moment are looked at before a person is asked."""
SAME_MOMENT = 0.5
"""What another picture of the same moment counts: much of what misled the first misleads it too."""
CHOICES = 6


@dataclass(frozen=True)
class Known:
    """What a log tells beside the state of its game."""

    past: Sequence[Any] = ()
    """The states before its last events that may be taken back on the table, the latest first."""
    words: Mapping[Place, str] = field(default_factory=dict)
    """What people say lies in cells."""
    open_scores: Mapping[int, Iterable[int]] = field(default_factory=dict)
    """The scores that are possible where the log leaves one open."""


NOTHING_KNOWN = Known()


class Follower:
    """Where the game stands by what was seen."""

    def __init__(
        self, edition: Edition[Any, Any], state: Any, known: Known = NOTHING_KNOWN, unknown: Iterable[Place] = ()
    ) -> None:
        """`unknown` are cells that people were asked about before, and that nobody knows."""
        self.edition = edition
        self._layout = edition.layout
        self._disputes = Disputes(edition)
        self._disputes.leave(unknown)
        self._agreed = Agreed(edition, state, known.past, self._disputes.marks)
        self.places: Places | None = None
        self.handheld = False
        """Whether each picture may be taken from elsewhere."""
        self.seen: Seen | None = None
        """The last sighting with its seats."""
        self._choices: frozenset[str] = frozenset()
        """What was offered when somebody was last asked what happened."""
        self.agree(state, known)

    def agree(self, state: Any, known: Known = NOTHING_KNOWN) -> None:
        """Go on from a state that the log tells, with what people say lies in cells, which no look outvotes."""
        self._open = OpenScores(self.edition)
        self._open.leave(state, known.open_scores)
        self._agreed.agree(state, known.past)
        self._disputes.believe(known.words)
        self._stories = [Story(self.edition, state)]
        self._others: list[Story] = []
        self._looks, self._asked = 0, False
        self._unsure_of, self._behind = False, 0
        """Whether what happened by this moment is not told, and for how many moments before it was not."""
        self._given_up: frozenset[str] | None = None

    def give_up(self, state: Any, known: Known = NOTHING_KNOWN) -> None:
        """Nobody knows what happened: go on from the state that the log tells, and ask nothing of this moment again.

        Where that is the last agreed one, what may have happened since is still kept in mind, for later looks to tell.
        """
        if state != self.state:
            self.agree(state, known)
        self._asked, self._given_up = True, self._choices

    @property
    def state(self) -> Any:
        """The last agreed state."""
        return self._agreed.state

    @property
    def is_settled(self) -> bool:
        """Whether everything that was seen agrees with the game, or has spoken against it for long."""
        return not (self._unsure_of or self._asked) and self._disputes.are_settled

    @property
    def open_scores(self) -> Mapping[int, frozenset[int]]:
        """By seat the scores that are possible, where one is open."""
        return self._open.possible(self.state)

    @property
    def _discs(self) -> int | None:
        """How many discs are in use; None where there may be any number."""
        numbered = self._layout.numbered_heap
        if numbered is None:
            return 0
        return len(numbered.names(self.state.setup.players)) if numbered.counts else None

    def playable(self, state: Any, moves: Sequence[Any]) -> tuple[Any, ...]:
        """The moves that people answer, as the log can play them from where it stands."""
        return playable(self.edition, state, moves, Evidence(self.seen, self._layout) if self.seen else None)

    def seat(self, sighting: Sighting) -> Seen | None:
        """The sighting with its seats and discs; None as long as not everybody's board was ever in view."""
        players = self.state.setup.players
        if self.places is None:
            whole = seat_all(sighting, players, self._discs)
            return whole and with_neighbours(whole, self._layout, places_of(whole))
        if self.handheld:
            self.places = carried(sighting, self.places)
        return with_neighbours(seat_again(sighting, self.places, self._discs), self._layout, self.places)

    def see(self, sighting: Sighting, again: bool = False) -> Outcome:
        """Take in a sighting; `again` says that it is of the same moment as the last one."""
        seen = self.seen = self.seat(sighting)
        if seen is None or sighting.side not in ("", self.state.setup.side):
            return Outcome()
        self.places = places_of(seen, self.places)
        self._looks = self._looks + 1 if again else 1
        if not again:
            self._behind = self._behind + 1 if self._unsure_of else 0
            self._stories = [story.at_next_moment() for story in self._stories]
        self._unsure_of = False
        if self._given_up is not None and not again:
            self._asked = False
        evidence = Evidence(seen, self._layout, self._disputes.muted)
        if moved := self._moved(seen, evidence):
            seen = self.seen = moved
            self.places = places_of(seen, self.places)
            evidence = Evidence(seen, self._layout, self._disputes.muted)
        if self.edition.awaits_chance(self.state) and (order := refill_order(self.state, evidence, self.edition)):
            self.places = renumbered(self.places, order)
            seen = self.seen = self.seat(sighting) or seen
            evidence = Evidence(seen, self._layout, self._disputes.muted)
        self._tell(evidence, SAME_MOMENT if again else 1.0)
        outcome = self._conclude(sighting, seen, evidence)
        self._agreed.blur.note(seen.tiles)
        best = self._stories[0]
        if outcome.look_again or outcome.question or best.is_news or best.rest < UNEXPLAINED:
            # Where the game may have gone on, its scores may have too.
            return outcome
        self.places = replace(self.places, tiles=self._lying(evidence, self.places.tiles))
        whole = Evidence(seen, self._layout) if self._disputes.muted else evidence
        return self._put_right(self._disputed(outcome, seen, whole), sighting, seen)

    def _moved(self, seen: Seen, evidence: Evidence) -> Seen | None:
        """The sighting with boards told by what lies on them, where they changed places; None where they did not."""
        stands = Story(self.edition, self.state)
        if boards_fit(stands, evidence) >= UNEXPLAINED or len(seen.boards) < self.state.setup.players:
            return None
        seats = tuple(seen.boards)
        others = [seen.reseated(dict(zip(seats, order, strict=True))) for order in permutations(seats)][1:]
        fitting = [each for each in others if boards_fit(stands, Evidence(each, self._layout)) >= POOR]
        return fitting[0] if len(fitting) == 1 else None

    def _lying(self, evidence: Evidence, before: Mapping[int, tuple[Point, ...]]) -> dict[int, tuple[Point, ...]]:
        """Where the pieces of discs lie that are not empty."""
        return {
            number: tuple(tile.place_px for tile in evidence.lying(number, kinds)) or before.get(number, ())
            for number, kinds in evidence.discs_of(self.edition.table(self.state)).items()
            if kinds
        }

    def _disputed(self, outcome: Outcome, seen: Seen, evidence: Evidence) -> Outcome:
        """What goes on to contradict where the game stands; discs that were misread are set right at once."""
        # Where the game was just set to what lies there, the next look tells what goes on to contradict it.
        question = None if outcome.bridge else self._disputes.note(self._stories[0], seen, evidence)
        scores = self._disputes.marks.wrong(self.state, seen, evidence, self._open.seats)
        settled = self._open.settle(self.state, evidence)
        for seat, score in settled.items():
            if score != self.state.scores[seat - 1]:
                self._agreed.state = self.edition.correct(self.state, {SCORE: score}, seat)
                self._stories = normal(list(self._standing_again()))
        for fix in self._disputes.discs(self.state, evidence) if not outcome.is_news else ():
            undone, moves, known = self._agreed.put_right_from_the_start(0, (fix,))
            self._agreed.play(undone, moves, known, seen)
            self._stories = [Story(self.edition, self.state)]
            outcome = replace(outcome, undone=undone, moves=moves)
            break
        return replace(
            outcome,
            question=question,
            scores=scores,
            settled=settled,
            disputed=self._disputes.asked,
        )

    def _put_right(self, outcome: Outcome, sighting: Sighting, seen: Seen) -> Outcome:
        """Set cells right that a bridge set and looks clearly show otherwise, where nobody has vouched for them."""
        outvoted = self._disputes.outvoted()
        if not outvoted:
            return outcome
        reading = read_table(seen.of(sighting), self.edition)
        for seat in sorted({seat for seat, _ in outvoted}):
            cells = {name: kind for (owner, name), kind in outvoted.items() if owner == seat}
            right, scores = put_right(self.edition, self.state, reading, self._disputes.marks.off, seat, cells)
            if not self._is_possible(right):
                continue
            self._agreed.play(0, (right,), 0, seen)
            self._stories = normal(list(self._standing_again()))
            self._disputes.put_right((seat, name) for name in cells)
            opened = {seat: scores} if len(scores) > 1 else {}
            self._open.leave(self.state, opened)
            outcome = replace(outcome, moves=(*outcome.moves, right), opened={**outcome.opened, **opened})
        asked = outcome.question and (outcome.question.seat, outcome.question.cell)
        return replace(
            outcome,
            question=outcome.question if asked not in outvoted else None,
            disputed=self._disputes.asked,
        )

    def _is_possible(self, right: Correct) -> bool:
        try:
            self.edition.correct(self.state, dict(right.cells), right.seat)
        except EngineError:
            # There are not so many pieces of that kind.
            return False
        return True

    def _tell(self, evidence: Evidence, scale: float) -> None:
        """Go on with every story; the likeliest are kept."""
        found = grown(self._agreed, self._stories, evidence, scale)
        self._stories = kept(self._agreed, found, evidence, scale)
        # What weighs next to nothing is still worth offering to a person where nothing weighs more.
        self._others = (
            best_first([story for story in found if story.is_news], CHOICES) if len(self._stories) == 1 else []
        )

    def _conclude(self, sighting: Sighting, seen: Seen, evidence: Evidence) -> Outcome:
        best = self._stories[0]
        explained = self._is_explained(best, seen, evidence)
        if best.is_news and explained:
            moves, chance = agreed(self._stories, self._agreed.roots)
            if moves or (best.undone and chance):
                return self._commit(best, moves, chance, seen)
        elif explained:
            return Outcome(chance=exp(best.weight))
        return self._unsure(sighting, seen, evidence, explained)

    def _is_explained(self, story: Story, seen: Seen, evidence: Evidence) -> bool:
        """Whether a story tells what is seen, apart from cells that have contradicted the game before."""
        several = story.unseen > 1
        if any(story.breaks) and (
            story.unseen > IN_ORDER or rests_on_blur(story, self._agreed.roots, self._agreed.blur.swaps)
        ):
            return False
        if evidence.worst_heap(story.table) < ODD_HEAP:
            # A heap of a seat that holds other pieces was reached into: that is no misread cell.
            return False
        if any(story.breaks) or not story.is_news or story.undone:
            # What is taken back lies where it was before, so loose tiles have to tell of that.
            return story.rest >= (POOR if several else UNEXPLAINED)
        # Loose tiles are often seen badly: boards alone may vouch for what breaks no rule.
        muted = self._disputes.noted
        boards = boards_fit(story, Evidence(seen, self._layout, muted) if muted else evidence)
        return boards >= (POOR if several else UNEXPLAINED)

    def _commit(self, best: Story, moves: tuple[Any, ...], chance: float, seen: Seen) -> Outcome:
        """Write the moves down as what happened, and go on with the stories that tell them."""
        undone, count = best.undone, len(moves)
        same = [story for story in self._stories if story.undone == undone and story.moves[:count] == moves]
        if not any(story.moves[count:] for story in same):
            # What leaves no mark is written down with the last move that does, where nothing else can follow.
            told = unmarked_end(best)
            if told.moves != best.moves:
                same, moves, count = [told], told.moves, len(told.moves)
        otherwise = [unmarked_end(story) for story in self._stories if story not in same and lies_alike(story, best)]
        self._stories = [shortened(story, count) for story in same]
        self._asked, self._given_up = False, None
        undone, moves, known = self._agreed.put_right_from_the_start(undone, moves)
        findings = self._agreed.play(undone, moves, known, seen)
        self._agreed.missed = self._agreed.missed or best.unseen > IN_ORDER
        ways = {Counted.of(self.edition, story.state): story.weight for story in reversed(otherwise)}
        if best.unseen > (1 if self._agreed.blur.swaps else IN_ORDER) and self.state.seat:
            now, others = Counted.of(self.edition, self.state), self.state.setup.players - 1
            ways = {now.with_turn(seat): MISCOUNTED - log(others) for seat in self.state.setup.seats} | ways
        self._stories = normal([*self._stories, *counted_otherwise(self.edition, self.state, ways)])
        return Outcome(undone, moves, findings, chance=chance)

    def _unsure(self, sighting: Sighting, seen: Seen, evidence: Evidence, explained: bool) -> Outcome:
        players, chance = self.state.setup.players, exp(self._stories[0].weight)
        self._unsure_of = True
        is_last = self._looks >= LOOKS
        if not (is_last or self._behind) or not seen.is_whole(players, self._discs):
            return Outcome(look_again=not is_last, chance=chance)
        best = self._stories[0]
        # After the end no look may come that tells more, and people want their scores.
        overdue = self._behind >= OVERDUE or (is_last and is_over(self._stories))
        surest = best if explained and is_filled(self._stories) else legal_by_blur(self._stories)
        if overdue and explained and not any(best.breaks):
            surest = best
        if surest is not None:
            return self._commit(surest, surest.moves, exp(surest.weight), seen)
        missed = best.unseen > 1 and not is_broken(self._stories)
        if (not explained or missed or overdue) and (bridged := self._bridged(sighting, seen, evidence)):
            return bridged
        if not is_last or self._asked or self.state.phase == OVER:
            return Outcome(look_again=not is_last, chance=chance)
        self._asked = True
        question = self._question(seen)
        self._choices = frozenset(question.choices)
        # Who did not know before does not know now, unless something else may have happened.
        known = self._choices == self._given_up
        return Outcome(question=None if known else question, chance=chance)

    def _bridged(self, sighting: Sighting, seen: Seen, evidence: Evidence) -> Outcome | None:
        """Set the game to what lies on the table, since nothing explains it; None where that cannot lie there."""
        reading = read_table(seen.of(sighting), self.edition)
        otherwise = [story for story in self._stories if story.moves and is_set_right(story)]
        instead = [(each.state, exp(each.weight)) for each in otherwise]
        found = bridge(self.edition, self.state, reading, instead, self._disputes.marks.off)
        if found is None:
            return None
        findings = tuple(
            Finding(violation, box_of(seen, self._layout, violation.seat, violation.cell))
            for violation in visibly_wrong(self.edition, self.state, reading)
        )
        self._disputes.bridged(self.edition.table(self.state), self.edition.table(found.state), evidence)
        self._agreed.bridge(found.state)
        self._open.leave(found.state, found.scores)
        self._stories = normal([Story(self.edition, found.state), *self._standing_otherwise(found)])
        self._asked, self._given_up = False, None
        return Outcome(moves=found.moves, findings=findings, bridge=found)

    def _standing_again(self) -> Iterator[Story]:
        """Where the game stands now, and where it may stand instead as before."""
        for story in filter(is_set_right, self._stories):
            again = Story(self.edition, self.state, weight=story.weight)
            for right in story.moves:
                again = again.then(right, 0.0, breaks=False)
            yield again

    def _standing_otherwise(self, found: Bridge) -> Iterator[Story]:
        for right, weight in found.others:
            yield Story(self.edition, found.state).then(right, weight, breaks=False)

    def _question(self, seen: Seen) -> Question:
        chances: dict[str, float] = {}
        for story in (*self._stories, *self._others):
            if not story.undone:
                text = choice(self.edition, story.moves)
                chances[text] = chances.get(text, 0.0) + exp(min(story.weight, 0.0))
        told = sorted(chances.items(), key=lambda entry: -entry[1])[:CHOICES]
        likely = {text: round(min(chance, 1.0), 4) for text, chance in told}
        seat, cell = most_in_doubt(offer_of(self.edition, self.state, likely).spots)
        return Question(likely, seat, box_of(seen, self.edition.layout, seat, cell))


ODD_HEAP = -5.0
"""A heap that is explained no better than this clearly holds a piece more or less."""
OVERDUE = 2
"""So many moments a question may wait for its answer; then what breaks no rule is believed, or what lies there."""
