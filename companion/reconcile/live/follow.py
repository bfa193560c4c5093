"""Following a game at the table: from sighting to sighting, what happened.

Several stories are kept at a time, each with its weight, and every sighting weighs them anew, so evidence of several
pictures adds up. What nearly all the weight agrees on is the outcome; the rest is looked at again, then asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, inf, log
from typing import Any

from companion.reconcile.live.answer import playable
from companion.reconcile.live.blur import Blur
from companion.reconcile.live.bridge import bridge, visibly_wrong
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
    in_turn,
    likeliest,
    mixed_up,
    over_by_scores,
    refill_order,
    stand,
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
from companion.reconcile.live.story import Story, boards_fit, enact
from companion.reconcile.live.unknown import NOT_MADE_UP
from companion.reconcile.photo import read_table
from engine import OVER, Edition
from engine.moves import Correct, Fill
from engine.table import ALL
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
                self._stories = _normal(list(self._standing_again()))
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
        grown = _grown(stories, evidence, scale)
        if _is_poor(grown) or any(likeliest(grown).breaks):
            # Two legal moves that nobody saw are likelier than one that breaks a rule.
            likely = [*stories[:SEVERAL], *filter(_is_set_right, stories[SEVERAL:])]
            grown += [after for story in likely for after in explain_several(story, evidence, scale)]
        if _is_poor(grown):
            roots = taken_back(Story(self.edition, self._root), self._past)
            grown += [after for story in roots for after in explain_simply(story, evidence, scale)]
        if _is_poor(grown) or any(likeliest(grown).breaks):
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
        kept = _normal(best_first([in_turn(story, self._begun(story)) for story in told], STORIES))
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

    def _begun(self, story: Story) -> Any:
        """The state in which a story begins."""
        return self._past[story.undone - 1] if story.undone else self._root

    def _conclude(self, sighting: Sighting, seen: Seen, evidence: Evidence) -> Outcome:
        best = self._stories[0]
        explained = self._is_explained(best, seen, evidence)
        if best.is_news and explained:
            moves, chance = self._agreed(best)
            if moves or (best.undone and chance):
                return self._commit(best, moves, chance, seen)
        elif explained:
            return Outcome(chance=exp(best.weight))
        return self._unsure(sighting, seen, explained)

    def _is_explained(self, story: Story, seen: Seen, evidence: Evidence) -> bool:
        """Whether a story tells what is seen, apart from cells that have contradicted the game before."""
        several = story.unseen > 1
        if any(story.breaks) and (story.unseen > IN_ORDER or self._rests_on_blur(story)):
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

    def _agreed(self, best: Story) -> tuple[tuple[Any, ...], float]:
        """As many of the first moves of the best story as nearly all the weight agrees on.

        All of them where nearly all the weight leads to the same, in whichever order, or tells the same but for which
        kinds loose pieces were; else its first moves only as far as their order is told.
        """
        accused = _rules(best, self._begun(best)) if any(best.breaks) else frozenset()
        for count in range(len(best.moves), -1, -1):
            moves, is_all = best.moves[:count], count == len(best.moves)
            if not (is_all or best.unseen <= IN_ORDER or not any(move.seat for move in moves)):
                continue
            same = [
                story
                for story in self._stories
                if story.undone == best.undone
                and (
                    story.moves[:count] == moves or (is_all and _is_same(story, best) and self._accuses(story, accused))
                )
            ]
            chance = sum(exp(story.weight) for story in same)
            if chance >= (CERTAIN_BREACH if any(best.breaks[:count]) else CERTAIN) and (count or best.undone):
                return moves, chance
        return (), 0.0

    def _accuses(self, story: Story, rules: frozenset[str]) -> bool:
        """Whether a story breaks all these rules, and perhaps more."""
        return not rules or rules <= _rules(story, self._begun(story))

    def _commit(self, best: Story, moves: tuple[Any, ...], chance: float, seen: Seen) -> Outcome:
        """Write the moves down as what happened, and go on with the stories that tell them."""
        undone, count = best.undone, len(moves)
        kept = [story for story in self._stories if story.undone == undone and story.moves[:count] == moves]
        if not any(story.moves[count:] for story in kept):
            # What leaves no mark is written down with the last move that does, where nothing else can follow.
            told = ended(best) or forced(best)
            if told.moves != best.moves:
                kept, moves, count = [told], told.moves, len(told.moves)
        otherwise = [story for story in self._stories if story not in kept and _is_same(story, best)]
        self._stories = [_from(story, count) for story in kept]
        self._asked, self._given_up = False, None
        undone, moves, known = self._put_right_from_the_start(undone, moves)
        findings = self._play(undone, moves, known, seen)
        self._missed = self._missed or best.unseen > IN_ORDER
        turns = {story.state.seat: story.weight for story in otherwise}
        if best.unseen > (1 if self._blur.swaps else IN_ORDER):
            turns = dict.fromkeys(self._root.setup.seats, MISCOUNTED - log(self._root.setup.players - 1)) | turns
        self._stories = _normal([*self._stories, *self._turned(turns)])
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
        surest = self._stories[0] if explained and self._is_filled() else self._resting_on_blur()
        if surest is not None:
            return self._commit(surest, surest.moves, exp(surest.weight), seen)
        missed = self._stories[0].unseen > 1 and not self._is_broken()
        if (not explained or missed or self._behind >= OVERDUE) and (bridged := self._bridged(sighting, seen)):
            return bridged
        if not is_last or self._asked or self._root.phase == OVER:
            return Outcome(look_again=not is_last, chance=chance)
        self._asked = True
        question = self._question(seen)
        self._choices = frozenset(question.choices)
        # Who did not know before does not know now, unless something else may have happened.
        known = self._choices == self._given_up
        return Outcome(question=None if known else question, chance=chance)

    def _is_filled(self) -> bool:
        """Whether discs were surely filled, and only which pieces lie there is open: later looks will tell."""
        fills = [story for story in self._stories if len(story.moves) == 1 and isinstance(story.moves[0], Fill)]
        chance = sum(exp(story.weight) for story in fills)
        likeliest = exp(self._stories[0].weight)
        return chance >= CERTAIN and likeliest >= RATHER and len({story.moves[0].supply for story in fills}) == 1

    def _rests_on_blur(self, story: Story) -> bool:
        """Whether a rule is broken only by what lies in heaps of which pieces were seen badly: nobody is accused."""
        if max(self._blur.swaps.values(), default=-inf) < BLURRED:
            return False
        state = self._begun(story)
        for move, breaks in zip(story.moves, story.breaks, strict=True):
            found = self.edition.violations(state, move) if breaks else []
            if any(self._layout.has_heap(each.cell) for each in found):
                return True
            state = self.edition.settle(enact(self.edition, state, move))
        return False

    def _is_broken(self) -> bool:
        """Whether some rule was broken, whatever happened of all that is likely: then people are asked."""
        least = self._stories[0].weight + NEGLIGIBLE
        return all(any(story.breaks) for story in self._stories if story.weight > least)

    def _resting_on_blur(self) -> Story | None:
        """The story by which a piece was seen badly, where only a broken rule speaks against it: nobody is accused."""
        legal = [story for story in self._stories if not any(story.breaks)]
        best = legal[0] if legal else None
        if best is None or not any(isinstance(move, Correct) for move in best.moves) or exp(best.weight) < NOT_MADE_UP:
            return None
        likely = (story for story in legal if story.weight > best.weight + NEGLIGIBLE)
        return best if all(_is_same(story, best) for story in likely) else None

    def _bridged(self, sighting: Sighting, seen: Seen) -> Outcome | None:
        """Set the game to what lies on the table, since nothing explains it; None where that cannot lie there."""
        reading = read_table(seen.of(sighting), self.edition)
        otherwise = [story for story in self._stories if story.moves and _is_set_right(story)]
        found = bridge(self.edition, self._root, reading, [(each.state, exp(each.weight)) for each in otherwise])
        if found is None:
            return None
        findings = tuple(
            Finding(violation, box_of(seen, self._layout, violation.seat, violation.cell))
            for violation in visibly_wrong(self.edition, self._root, reading)
        )
        self._root, self._past, self._round, self._missed = found.state, (), [], True
        self._open.leave(found.state, found.scores)
        self._stories = _normal([Story(self.edition, found.state), *self._standing_otherwise(found)])
        self._asked, self._given_up = False, None
        return Outcome(moves=found.moves, findings=findings, bridge=found)

    def _standing_again(self) -> Iterator[Story]:
        """Where the game stands now, and where it may stand instead as before."""
        for story in filter(_is_set_right, self._stories):
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


BLURRED = -2.3
"""A piece that may be another with no less weight than this was seen badly."""
RATHER = 0.5
"""So likely must a filling be that is believed until later looks tell more."""
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
"""So many moments a question may wait for its answer; then the game goes on from what lies on the table."""
IN_ORDER = 2
"""Of no more than so many moves without a look in between the order is told: players take turns."""
PAST = 2
"""So many events may be taken back on the table."""


SEVERAL = 2
"""So many of the best stories are gone on with by several moves at once."""


def _rules(story: Story, root: Any) -> frozenset[str]:
    """The rules that a story's moves break, if it begins in that state."""
    found: set[str] = set()
    for move, breaks in zip(story.moves, story.breaks, strict=True):
        found |= {each.rule for each in story.edition.violations(root, move)} if breaks else set()
        root = story.edition.settle(enact(story.edition, root, move))
    return frozenset(found)


def _is_same(story: Story, other: Story) -> bool:
    """Whether stories lead to the same, or tell the same but for their order or which kinds loose pieces were."""
    if story.look == other.look or (story.moves and Counter(story.moves) == Counter(other.moves)):
        return True
    moves, others = ([move for move in each.moves if not isinstance(move, Correct)] for each in (story, other))
    return moves == others and bool(moves) and not any((*story.breaks, *other.breaks))


def _from(story: Story, count: int) -> Story:
    """A story without its first moves, which were written down."""
    return replace(
        story,
        moves=story.moves[count:],
        undone=0,
        breaks=story.breaks[count:],
        judged=max(0, story.judged - count),
        seen=max(0, story.seen - count),
        leap=0,
    )


def _is_set_right(story: Story) -> bool:
    """Whether nothing happened in a story but that the game stood otherwise all the time."""
    return not story.undone and all(isinstance(move, Correct) for move in story.moves)


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
