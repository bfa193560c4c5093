"""What can be said of a score: exact, or how far it is open, why, and which photo would settle it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.reconcile.photolog.chain import Link, Weights
from companion.reconcile.photolog.gaps import Match, stretches_of
from companion.reconcile.photolog.passage import POSSIBLE, Passage, Scores, believed, possible
from companion.reconcile.photolog.seat import SeatChain
from companion.reconcile.tracks import CERTAIN_NUMBER
from engine import Gain, Stretch
from engine.stretch import Reasons
from engine.text import Seat, Text, joined, say

MISKEPT = 0.95
"""So likely it must be that the cube stands wrong before it is said."""

COUNTED, BY_CUBE, OPEN = "counted", "cube", "open"


@dataclass(frozen=True)
class Claim:
    """A seat's score at a photo."""

    seat: int
    reads: Mapping[int, float]
    """Every score that is possible, and how likely it is."""
    shown: int | None
    """What the cube shows, where it can be read."""
    basis: str
    """`counted` from pieces, told by the `cube` where these leave it open, or `open`."""
    why: Text
    settle: Text | None = None
    """The photo that would settle it."""
    miskept: bool = False
    """Whether the cube shows another score than was earned."""
    rounds: int = 0
    """How many rounds this board was scored in so far."""

    @property
    def best(self) -> int:
        """The likeliest score."""
        return max(self.reads, key=self.reads.__getitem__)

    @property
    def low(self) -> int:
        """The least that it can be."""
        return min(self.reads)

    @property
    def high(self) -> int:
        """The most that it can be."""
        return max(self.reads)

    @property
    def exact(self) -> bool:
        """Whether it is determined."""
        return len(self.reads) == 1


def claims_of(
    chain: SeatChain,
    nodes: Sequence[Weights],
    passed: Sequence[Passage],
    rounds: Sequence[int],
    ended: Container[int],
    match: Match,
) -> list[Claim]:
    """A seat's score at each of its looks, by which so many rounds had been scored.

    In photos of a game that has ended, cubes may show its bonuses as well.
    """
    claims: list[Claim] = []
    before = 0
    for at, (link, passage) in enumerate(zip(chain.links, passed, strict=True)):
        stretch = passage.stretch(rounds[at] - before)
        before = 0 if chain.looks[at].anybodys else rounds[at]
        basis = _basis(passage, stretch, match)
        shown, legible = _shown(link)
        wrong = legible and _is_wrong(nodes[at])
        why = _why(passage, stretch, rounds[at], basis, legible, chain.looks[at].photo in ended, match)
        claims.append(
            Claim(
                chain.seat,
                _with_cube(passage.new, nodes[at]) if wrong and basis == OPEN else passage.new,
                shown if legible else None,
                basis,
                say("{first}; {second}", first=why, second=_unfitting(shown)) if wrong and basis == OPEN else why,
                _settling(chain.seat, passage, stretch, rounds[at], match) if basis == OPEN else None,
                wrong and basis != OPEN,
                rounds[at],
            )
        )
    return claims


def _is_wrong(nodes: Weights) -> bool:
    """Whether the cube shows another score than was earned by all that was read."""
    return sum(weight for (_, score, kept), weight in nodes.items() if score != kept) > MISKEPT


def _with_cube(reads: Scores, nodes: Weights) -> dict[int, float]:
    """Scores that pieces leave open, with what a cube shows that does not fit them: nobody knows which is right."""
    kept = _nearest_kept(nodes, reads)
    return possible({score: reads.get(score, 0.0) + (score == kept) for score in {*reads, kept}})


def _nearest_kept(nodes: Weights, reads: Scores) -> int:
    """The score that the cube shows, of the lap that is nearest to what pieces leave open."""
    weighed: dict[int, float] = defaultdict(float)
    for (_, _, kept), weight in nodes.items():
        weighed[kept] += weight
    return min(possible(weighed), key=lambda kept: min(abs(kept - score) for score in reads))


def _basis(passage: Passage, stretch: Stretch | None, match: Match) -> str:
    if len(passage.new) > 1:
        return OPEN
    gains_of = stretches_of(match.edition).gains
    gains = gains_of(passage.before, passage.after, stretch, match.setup) if stretch else {}
    likely = [gain for gain, usual in gains.items() if usual >= POSSIBLE * max(gains.values())]
    return COUNTED if len({gain.after(score) for gain in likely for score in passage.old}) == 1 else BY_CUBE


def claim_end(chain: SeatChain, nodes: Sequence[Weights], last: Claim, ends: bool, over: bool, match: Match) -> Claim:
    """The score after a seat's last look: `ends` scores what is due there, and `over` adds the bonuses of the end."""
    rules = stretches_of(match.edition)
    weighed: dict[int, float] = defaultdict(float)
    unfitting = last.basis == OPEN and last.shown is not None and _is_wrong(nodes[-1])
    for (index, earned, _), weight in believed(nodes[-1]).items():
        shown = _nearest_kept(nodes[-1], last.reads) if unfitting else earned
        endings = rules.endings(chain.looks[-1].candidates[index].board, match.setup)
        for ending in endings:
            gain = ending.gain if ends else Gain()
            for score in {earned, shown}:
                then = gain.after(score)
                weighed[ending.bonus.after(then) if over else then] += weight / len(endings)
    reads = possible(weighed)
    why, settle = last.why, last.settle
    if last.basis != OPEN and len(reads) > 1 and rules.last_choice and rules.last_photo:
        why = say("{first}; {second}", first=last.why, second=rules.last_choice)
        settle = say("a photo of the board of {player} {when}", player=Seat(chain.seat), when=rules.last_photo)
    return replace(
        last,
        reads=reads,
        basis=OPEN if len(reads) > 1 else last.basis,
        why=why,
        settle=settle,
    )


def _unfitting(shown: int | None) -> Text:
    return say(
        "the cube shows {shown}, which these pieces do not bring: one may be misread, or the cube stands wrong",
        shown=shown,
    )


def _shown(link: Link) -> tuple[int | None, bool]:
    """What the cube most likely shows, and whether it can be read."""
    shown = max(link.scores, key=link.scores.__getitem__, default=None)
    return shown, shown is not None and link.scores[shown] >= CERTAIN_NUMBER


def _why(
    passage: Passage, stretch: Stretch | None, rounds: int, basis: str, legible: bool, ended: bool, match: Match
) -> Text:
    if stretch is None:
        return say("this board cannot have come from how it was last seen, so only the cube tells the score")
    told = _reasons(passage, stretch, rounds, match)
    if basis == COUNTED:
        return say("{came}, and {seen}", came=told.came, seen=told.seen) if told.seen else told.came
    unknown = list(told.unseen)
    if not legible:
        unknown.append(say("the score cannot be read"))
    elif ended and basis == OPEN:
        unknown.append(say("whether the cube counts the bonuses of the end is open"))
    open_ = joined(unknown or [say("what lies there is in doubt")])
    why = say("{first}; {second}", first=told.came, second=open_)
    return say("{why}; the cube tells, and it fits", why=why) if basis == BY_CUBE else why


def _reasons(passage: Passage, stretch: Stretch, rounds: int, match: Match) -> Reasons:
    return stretches_of(match.edition).reasons(passage.before, passage.after, stretch, match.setup, rounds)


def _settling(seat: int, passage: Passage, stretch: Stretch | None, rounds: int, match: Match) -> Text:
    track = say("a photo that shows the score of {player} clearly", player=Seat(seat))
    photo = _reasons(passage, stretch, rounds, match).photo if stretch else None
    return say("{photo}, or {other}", photo=track, other=photo) if photo else track
