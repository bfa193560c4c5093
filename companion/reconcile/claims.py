"""What can be said of a score: exact, or how far it is open, why, and which photo would settle it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.reconcile.chain import Link, Weights
from companion.reconcile.gaps import stretches_of
from companion.reconcile.passage import Passage, believed, possible
from companion.reconcile.seat import Match, SeatChain
from companion.reconcile.tracks import CERTAIN_NUMBER
from engine import Gain, Stretch
from engine.score import total

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
    """`counted` from tiles, told by the `cube` where tiles leave it open, or `open`."""
    why: str
    settle: str = ""
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
    for at, (link, passage) in enumerate(zip(chain.links, passed, strict=True)):
        stretch = passage.stretch(rounds[at] - (rounds[at - 1] if at else 0))
        basis = _basis(passage, stretch, match)
        shown, legible = _shown(link)
        wrong = sum(weight for (_, score, kept), weight in nodes[at].items() if score != kept)
        claims.append(
            Claim(
                chain.seat,
                passage.new,
                shown if legible else None,
                basis,
                _why(passage, stretch, basis, legible, chain.looks[at].photo in ended, match),
                _settling(chain.seat, stretch, rounds[at]) if basis == OPEN else "",
                legible and wrong > MISKEPT,
                rounds[at],
            )
        )
    return claims


def _basis(passage: Passage, stretch: Stretch | None, match: Match) -> str:
    if len(passage.new) > 1:
        return OPEN
    gains_of = stretches_of(match.edition).gains
    ways = gains_of(passage.before, passage.after, stretch, match.setup) if stretch else frozenset()
    return COUNTED if len({gain.after(score) for gain in ways for score in passage.old}) == 1 else BY_CUBE


def claim_end(chain: SeatChain, nodes: Sequence[Weights], last: Claim, ends: bool, over: bool, match: Match) -> Claim:
    """The score after a seat's last look: `ends` scores what is due there, and `over` adds the bonuses of the end."""
    rules = stretches_of(match.edition)
    weighed: dict[int, float] = defaultdict(float)
    for (index, earned, _), weight in believed(nodes[-1]).items():
        endings = rules.endings(chain.looks[-1].candidates[index].board, match.setup)
        for ending in endings:
            gain = ending.gain if ends else Gain()
            weighed[gain.after(earned) + (ending.bonus if over else 0)] += weight / len(endings)
    reads = possible(weighed)
    chosen = last.basis != OPEN and len(reads) > 1
    return replace(
        last,
        reads=reads,
        basis=OPEN if len(reads) > 1 else last.basis,
        why=f"{last.why}; into which columns the last tiles went was not seen" if chosen else last.why,
        settle=f"a photo of the board of seat {chain.seat} after its last tiles were laid" if chosen else last.settle,
    )


def _shown(link: Link) -> tuple[int | None, bool]:
    """What the cube most likely shows, and whether it can be read."""
    shown = max(link.scores, key=link.scores.__getitem__, default=None)
    return shown, shown is not None and link.scores[shown] >= CERTAIN_NUMBER


def _why(passage: Passage, stretch: Stretch | None, basis: str, legible: bool, ended: bool, match: Match) -> str:
    if stretch is None:
        return "this board cannot have come from how it was last seen, so only the cube tells the score"
    lines = stretches_of(match.edition).explain(passage.before, passage.after)
    tiles = f"{len(lines)} new wall tile{'' if len(lines) == 1 else 's'}"
    if stretch.rounds <= 1:
        tiles += f" for {total(lines)} points"
    if basis == COUNTED:
        return f"{tiles}, and what fell to the floor was seen" if stretch.drafted else tiles
    unknown = [
        f"{stretch.rounds} rounds passed, so the order of tiles is open" if stretch.rounds > 1 else "",
        "" if stretch.drafted and stretch.rounds == 1 else "what the floor line cost was not seen",
        "" if legible else "the score cannot be read",
        "whether the cube counts the bonuses of the end is open" if ended and basis == OPEN and legible else "",
    ]
    open_ = ", ".join(part for part in unknown if part) or "what lies there is in doubt"
    return f"{tiles}; {open_}{'; the cube tells, and it fits' if basis == BY_CUBE else ''}"


def _settling(seat: int, stretch: Stretch | None, rounds: int) -> str:
    track = f"a photo that shows the score of seat {seat} clearly"
    if stretch is None or (stretch.drafted and stretch.rounds == 1):
        return track
    return f"{track}, or one taken in round {rounds} when all tiles were taken and none was moved to the wall yet"
