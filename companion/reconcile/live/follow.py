"""Following a game at the table: from sighting to sighting, what happened.

Several stories are kept at a time, each with its weight, and every sighting weighs them anew, so evidence of several
pictures adds up. What nearly all the weight agrees on is the outcome; the rest is looked at again, then asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import exp, log
from typing import Any

from companion.reconcile.live.answer import playable
from companion.reconcile.live.blur import Blur
from companion.reconcile.live.bridge import bridge, visibly_wrong
from companion.reconcile.live.choices import most_in_doubt, offer_of
from companion.reconcile.live.disputes import Disputes, Place
from companion.reconcile.live.explain import (
    POOR,
    best_first,
    ended,
    explain_several,
    explain_simply,
    explain_unseen_wrong,
    forced,
    in_turn,
    likeliest,
    mixed_up,
    over_by_scores,
    refill_order,
    taken_back,
)
from companion.reconcile.live.likelihood import SCORE, Evidence
from companion.reconcile.live.nearby import with_neighbours
from companion.reconcile.live.open_scores import OpenScores
from companion.reconcile.live.outcome import (
    SEEN_OTHERWISE,
    Bridge,
    Finding,
    Outcome,
    Question,
    box_of,
    choice,
    findings_of,
)
from companion.reconcile.live.places import Places, Point, Seen, carried, places_of, seat_again, seat_all
from companion.reconcile.live.refill import renumbered
from companion.reconcile.live.retell import retold
from companion.reconcile.live.stories import (
    IN_ORDER,
    agreed,
    grown_by,
    is_broken,
    is_filled,
    is_poor,
    is_same,
    is_set_right,
    legal_by_blur,
    normal,
    rests_on_blur,
    shortened,
)
from companion.reconcile.live.story import Story, boards_fit, enact
from companion.reconcile.photo import read_table
from engine import OVER, Edition
from engine.moves import Correct
from engine.table import ALL
from vision.sighting import Sighting

UNEXPLAINED = -17.0
"""A sighting that the best story explains no better than this shows something that no story tells."""
LOOKS = 3
"""So many pictures of one moment are looked at before a person is asked."""
SAME_MOMENT = 0.5
"""What another picture of the same moment counts: much of what misled the first misleads it too."""
STORIES = 12
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
        open_scores: Mapping[int, Iterable[int]] | None = None,
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
        self._blur = Blur()
        self._choices: frozenset[str] = frozenset()
        """What was offered when somebody was last asked what happened."""
        self.agree(state, past, words, open_scores)

    def agree(
        self,
        state: Any,
        past: Sequence[Any] = (),
        words: Mapping[Place, str] | None = None,
        open_scores: Mapping[int, Iterable[int]] | None = None,
    ) -> None:
        """Go on from a state that the log tells, with what people say lies in cells, which no look outvotes.

        `past` are the states before its last events that may be taken back on the table, the latest first;
        `open_scores` are the scores that are possible where the log leaves one open.
        """
        self._open = OpenScores()
        self._open.leave(state, open_scores or {})
        self._root, self._past = state, tuple(past)
        self._round: list[tuple[Any, Any]] = []
        """What was seen to happen since the last filling: states, each with the move made in it."""
        self._disputes.believe(words or {})
        self._stories = [Story(self.edition, state)]
        self._others: list[Story] = []
        self._looks, self._asked = 0, False
        self._missed = False
        """Whether moves of this round were made without a look in between."""
        self._unsure_of, self._behind = False, 0
        """Whether what happened by this moment is not told, and for how many moments before it was not."""
        self._given_up: frozenset[str] | None = None

    def give_up(
        self,
        state: Any,
        past: Sequence[Any] = (),
        words: Mapping[Place, str] | None = None,
        open_scores: Mapping[int, Iterable[int]] | None = None,
    ) -> None:
        """Nobody knows what happened: go on from the state that the log tells, and ask nothing of this moment again.

        Where that is the last agreed one, what may have happened since is still kept in mind, for later looks to tell.
        """
        if state != self._root:
            self.agree(state, past, words, open_scores)
        self._asked, self._given_up = True, self._choices

    @property
    def state(self) -> Any:
        """The last agreed state."""
        return self._root

    @property
    def open_scores(self) -> Mapping[int, frozenset[int]]:
        """By seat the scores that are possible, where one is open."""
        return self._open.possible(self._root)

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
        if self.edition.awaits_chance(self._root) and (order := refill_order(self._root, evidence, self.edition)):
            self.places = renumbered(self.places, order)
            seen = self.seen = self.seat(sighting) or seen
            evidence = Evidence(seen, self._layout, self._disputes.muted)
        self._stories = self._told(evidence, SAME_MOMENT if again else 1.0)
        outcome = self._conclude(sighting, seen, evidence)
        self._blur.note(seen.tiles)
        best = self._stories[0]
        if outcome.look_again or outcome.question or best.is_news or best.rest < UNEXPLAINED:
            # Where the game may have gone on, its scores may have too.
            return outcome
        self.places = replace(self.places, tiles=self._lying(evidence, self.places.tiles))
        return self._disputed(outcome, seen, Evidence(seen, self._layout) if self._disputes.muted else evidence)

    def _moved(self, seen: Seen, evidence: Evidence) -> Seen | None:
        """The sighting with boards told by what lies on them, where they changed places; None where they did not."""
        stands = Story(self.edition, self._root)
        if boards_fit(stands, evidence) >= UNEXPLAINED or len(seen.boards) < self._root.setup.players:
            return None
        seats = tuple(seen.boards)
        others = [seen.reseated(dict(zip(seats, order, strict=True))) for order in permutations(seats)][1:]
        fitting = [each for each in others if boards_fit(stands, Evidence(each, self._layout)) >= POOR]
        return fitting[0] if len(fitting) == 1 else None

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
        scores = self._disputes.marks.wrong(self._root, seen, evidence, self._open.seats)
        settled = self._open.settle(self._root, evidence)
        for seat, score in settled.items():
            if score != self._root.scores[seat - 1]:
                self._root = self.edition.correct(self._root, {SCORE: score}, seat)
                self._stories = normal(list(self._standing_again()))
        for fix in self._disputes.discs(self._root, evidence):
            undone, moves, known = self._put_right_from_the_start(0, (fix,))
            self._play(undone, moves, known, seen)
            self._stories = [Story(self.edition, self._root)]
            outcome = replace(outcome, undone=undone, moves=moves)
            break
        return replace(
            outcome,
            question=question,
            scores=scores,
            settled=settled,
            disputed=self._disputes.asked,
        )

    def _told(self, evidence: Evidence, scale: float) -> list[Story]:
        """Every story gone on, the likeliest kept; what is less and less likely is tried only if all else is poor."""
        stories = self._stories
        grown = grown_by(stories, evidence, scale)
        if is_poor(grown) or any(likeliest(grown).breaks):
            # Two legal moves that nobody saw are likelier than one that breaks a rule.
            likely = [*stories[:SEVERAL], *filter(is_set_right, stories[SEVERAL:])]
            grown += [after for story in likely for after in explain_several(story, evidence, scale)]
        if is_poor(grown):
            roots = taken_back(Story(self.edition, self._root), self._past)
            grown += [after for story in roots for after in explain_simply(story, evidence, scale)]
        if is_poor(grown) or any(likeliest(grown).breaks):
            # Nobody is accused of what may be a tile that was misread on its disc.
            grown += mixed_up(stories[0], evidence, self._blur.swaps, scale)
        if any(likeliest(grown).breaks):
            # Nor of acting after a pass that nobody saw.
            for story in self._miscounted():
                grown += explain_simply(story, evidence, scale)
        if max(story.rest for story in grown) < POOR:
            # A breach that explains all weighs more than one with a move beside it.
            grown += explain_unseen_wrong(stories[0], evidence, scale)
        grown += over_by_scores(stories[0], evidence, scale)
        told = (self._scored(story, evidence, scale) for story in best_first(grown, STORIES))
        kept = normal(best_first([in_turn(story, self._roots[story.undone]) for story in told], STORIES))
        # What weighs next to nothing is still worth offering to a person where nothing weighs more.
        self._others = best_first([story for story in grown if story.is_news], CHOICES) if len(kept) == 1 else []
        return kept

    def _miscounted(self) -> Iterator[Story]:
        """Where the game stands if others have passed than it seemed while nobody looked, which leaves no mark."""
        if not self._missed or not (passed := getattr(self._root, PASSED, ())):
            return
        for way in self.edition.resumes(self._root, self.edition.table(self._root), 0):
            if way.numbers.get(PASSED) in (None, " ".join(map(str, passed))):
                continue
            right = Correct(ALL, tuple(way.numbers.items()), SEEN_OTHERWISE)
            yield Story(self.edition, self._root).then(right, MISCOUNTED, breaks=False)

    def _scored(self, story: Story, evidence: Evidence, scale: float) -> Story:
        """The story weighed by the score tracks as well, where moves were missed in which points were counted.

        Marks are moved late, so one that stands where it stood before says nothing.
        """
        if len(story.moves) < 2:
            return story
        pairs = enumerate(zip(self._root.scores, story.state.scores, strict=True), 1)
        told = sum(max(evidence.score(seat, old), evidence.score(seat, new), BAD_SCORE) for seat, (old, new) in pairs)
        return story.weighing(story.weight + scale * told)

    @property
    def _roots(self) -> dict[int, Any]:
        """By how many of the last events were taken back, the state in which a story then begins."""
        return dict(enumerate((self._root, *self._past)))

    def _conclude(self, sighting: Sighting, seen: Seen, evidence: Evidence) -> Outcome:
        best = self._stories[0]
        explained = self._is_explained(best, seen, evidence)
        if best.is_news and explained:
            moves, chance = agreed(self._stories, self._roots)
            if moves or (best.undone and chance):
                return self._commit(best, moves, chance, seen)
        elif explained:
            return Outcome(chance=exp(best.weight))
        return self._unsure(sighting, seen, explained)

    def _is_explained(self, story: Story, seen: Seen, evidence: Evidence) -> bool:
        """Whether a story tells what is seen, apart from cells that have contradicted the game before."""
        several = story.unseen > 1
        if any(story.breaks) and (story.unseen > IN_ORDER or rests_on_blur(story, self._roots, self._blur.swaps)):
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
        kept = [story for story in self._stories if story.undone == undone and story.moves[:count] == moves]
        if not any(story.moves[count:] for story in kept):
            # What leaves no mark is written down with the last move that does, where nothing else can follow.
            told = ended(best) or forced(best)
            if told.moves != best.moves:
                kept, moves, count = [told], told.moves, len(told.moves)
        otherwise = [story for story in self._stories if story not in kept and is_same(story, best)]
        self._stories = [shortened(story, count) for story in kept]
        self._asked, self._given_up = False, None
        undone, moves, known = self._put_right_from_the_start(undone, moves)
        findings = self._play(undone, moves, known, seen)
        self._missed = self._missed or best.unseen > IN_ORDER
        turns = {story.state.seat: story.weight for story in otherwise}
        if best.unseen > (1 if self._blur.swaps else IN_ORDER):
            turns = dict.fromkeys(self._root.setup.seats, MISCOUNTED - log(self._root.setup.players - 1)) | turns
        self._stories = normal([*self._stories, *self._turned(turns)])
        return Outcome(undone, moves, findings, chance=chance)

    def _turned(self, turns: Mapping[int, float]) -> Iterator[Story]:
        """Where the game stands, if it is another player's turn, with the weights of that."""
        for seat, weight in turns.items():
            if self._root.seat and seat not in (0, self._root.seat):
                turn = Correct(ALL, ((TURN, seat),), SEEN_OTHERWISE)
                yield Story(self.edition, self._root).then(turn, weight, breaks=False)

    def _put_right_from_the_start(self, undone: int, moves: tuple[Any, ...]) -> tuple[int, tuple[Any, ...], int]:
        """The moves with the round told once more from its filling on, where a piece of that was another one.

        Returns how many events are taken back, the moves, and how many of these were known before.
        """
        right = moves[0] if moves else None
        if undone or not isinstance(right, Correct) or right.why != SEEN_OTHERWISE:
            return undone, moves, 0
        told = retold(self.edition, self._round, self._root, right, self._blur.filled)
        return (undone, moves, 0) if told is None else (len(told), (*told, *moves[1:]), len(told))

    def _play(self, undone: int, moves: Sequence[Any], known: int, seen: Seen) -> tuple[Finding, ...]:
        """Take back the last events and play moves from there; the rules that moves break which were not known."""
        past = [state for state, _ in reversed(self._round)]
        past += self._past[len(past) :]
        state = past[undone - 1] if undone else self._root
        past = past[undone:]
        self._round = self._round[: max(0, len(self._round) - undone)]
        findings: list[Finding] = []
        for i, move in enumerate(moves):
            if i >= known and not isinstance(move, Correct):
                findings += findings_of(self.edition, state, move, seen)
            self._disputes.marks.remember(state, move)
            past.insert(0, state)
            if self.edition.awaits_chance(state):
                self._round, self._missed = [], False
                if i >= known:
                    self._blur.begin(seen.discs)
            self._round.append((state, move))
            state = self.edition.settle(enact(self.edition, state, move))
        self._root, self._past = state, tuple(past[:PAST])
        return tuple(findings)

    def _unsure(self, sighting: Sighting, seen: Seen, explained: bool) -> Outcome:
        players, chance = self._root.setup.players, exp(self._stories[0].weight)
        self._unsure_of = True
        is_last = self._looks >= LOOKS
        if not (is_last or self._behind) or not seen.is_whole(players, self._discs):
            return Outcome(look_again=not is_last, chance=chance)
        best, overdue = self._stories[0], self._behind >= OVERDUE
        surest = best if explained and is_filled(self._stories) else legal_by_blur(self._stories)
        if overdue and explained and not any(best.breaks):
            surest = best
        if surest is not None:
            return self._commit(surest, surest.moves, exp(surest.weight), seen)
        missed = best.unseen > 1 and not is_broken(self._stories)
        if (not explained or missed or overdue) and (bridged := self._bridged(sighting, seen)):
            return bridged
        if not is_last or self._asked or self._root.phase == OVER:
            return Outcome(look_again=not is_last, chance=chance)
        self._asked = True
        question = self._question(seen)
        self._choices = frozenset(question.choices)
        # Who did not know before does not know now, unless something else may have happened.
        known = self._choices == self._given_up
        return Outcome(question=None if known else question, chance=chance)

    def _bridged(self, sighting: Sighting, seen: Seen) -> Outcome | None:
        """Set the game to what lies on the table, since nothing explains it; None where that cannot lie there."""
        reading = read_table(seen.of(sighting), self.edition)
        otherwise = [story for story in self._stories if story.moves and is_set_right(story)]
        found = bridge(self.edition, self._root, reading, [(each.state, exp(each.weight)) for each in otherwise])
        if found is None:
            return None
        findings = tuple(
            Finding(violation, box_of(seen, self._layout, violation.seat, violation.cell))
            for violation in visibly_wrong(self.edition, self._root, reading)
        )
        self._root, self._past, self._round, self._missed = found.state, (), [], True
        self._open.leave(found.state, found.scores)
        self._stories = normal([Story(self.edition, found.state), *self._standing_otherwise(found)])
        self._asked, self._given_up = False, None
        return Outcome(moves=found.moves, findings=findings, bridge=found)

    def _standing_again(self) -> Iterator[Story]:
        """Where the game stands now, and where it may stand instead as before."""
        for story in filter(is_set_right, self._stories):
            again = Story(self.edition, self._root, weight=story.weight)
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
        seat, cell = most_in_doubt(offer_of(self.edition, self._root, likely).spots)
        return Question(likely, seat, box_of(seen, self.edition.layout, seat, cell))


ODD_HEAP = -5.0
"""A heap that is explained no better than this clearly holds a piece more or less."""
BAD_SCORE = -5.0
"""No score that stands otherwise on its track weighs more than this."""
MISCOUNTED = -4.6
"""Somebody else's turn, after several moves without a look in between."""
PASSED = "passed"
"""The name by which corrections know who has passed."""
TURN = "turn"
"""The name by which corrections know whose turn it is."""
OVERDUE = 2
"""So many moments a question may wait for its answer; then what breaks no rule is believed, or what lies there."""
PAST = 2
"""So many events may be taken back on the table."""


SEVERAL = 2
"""So many of the best stories are gone on with by several moves at once."""
