"""From one look at a seat's board to the next: how the stretch in between may have gone, by boards and by scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.reconcile.photolog.chain import Link, Weights
from companion.reconcile.photolog.gaps import Match, start_moment, start_score, stretches_of
from companion.reconcile.photolog.seat import SeatChain, best_board
from engine import Stretch, View

POSSIBLE = 1e-4
"""A score at least so likely is not ruled out."""
SUSPECT = 0.01
"""So likely it must be that the cube stands wrong before it is reckoned with."""

Scores = Mapping[int, float]
"""How likely each score is, the likeliest first."""


@dataclass(frozen=True)
class Passage:
    """A look at a board and the one before: the likeliest boards, and the scores that are not ruled out."""

    before: View
    after: View
    old: Scores
    new: Scores
    ways: tuple[tuple[float, Stretch], ...]
    """How likely each stretch is that leads from one to the other, the likeliest first; none where nothing does."""

    def rounds(self) -> dict[int, float]:
        """How likely each number of rounds is."""
        chances: dict[int, float] = defaultdict(float)
        for chance, stretch in self.ways:
            chances[stretch.rounds] += chance
        return dict(chances) or {self._told_rounds(): 1.0}

    def _told_rounds(self) -> int:
        """How many rounds both looks tell by themselves where nothing leads from one to the other; else one."""
        if self.before.scored is None or self.after.scored is None:
            return 1
        return max(0, self.after.scored - self.before.scored)

    def stretch(self, rounds: int) -> Stretch | None:
        """The likeliest stretch of so many rounds."""
        return next((stretch for _, stretch in self.ways if stretch.rounds == rounds), None)


def passages(chain: SeatChain, nodes: Sequence[Weights], match: Match) -> Iterator[Passage]:
    """The way to each look of a seat from the one before, the first from the start of the game."""
    board = start_moment(match.edition, match.setup).boards[chain.seat]
    scores: Scores = {start_score(match.edition, match.setup, chain.seat): 1.0}
    for at, link in enumerate(chain.links):
        now, then = best_board(chain, at).board, earned(nodes[at])
        ways = () if at in chain.breaks else tuple(_ways(board, now, scores, then, link, match))
        yield Passage(board, now, scores, then, ways)
        if not chain.looks[at].anybodys:
            board, scores = now, then


def _ways(before: View, after: View, old: Scores, new: Scores, link: Link, match: Match) -> list[tuple[float, Stretch]]:
    gains_of = stretches_of(match.edition).gains
    found: list[tuple[float, float, Stretch]] = []
    for stretch, weight in link.stretches:
        if gains := gains_of(before, after, stretch, match.setup):
            led = sum(
                usual * chance * new.get(gain.after(score), 0.0)
                for gain, usual in gains.items()
                for score, chance in old.items()
            )
            found.append((weight * led / sum(gains.values()), weight, stretch))
    # Where the cube stands wrong scores tell nothing.
    by_scores = any(chance for chance, _, _ in found)
    ways = [(chance if by_scores else weight, stretch) for chance, weight, stretch in found]
    total = sum(chance for chance, _ in ways)
    return sorted(((chance / total, stretch) for chance, stretch in ways if chance), key=lambda way: -way[0])


def believed(nodes: Weights) -> Weights:
    """Without the cube standing wrong, unless something speaks for that: of what never shows nothing can be made."""
    right = {node: weight for node, weight in nodes.items() if node[1] == node[2]}
    return right if sum(right.values()) > 1 - SUSPECT else nodes


def earned(nodes: Weights) -> Scores:
    """The scores that can have been earned."""
    weighed: dict[int, float] = defaultdict(float)
    for (_, score, _), weight in believed(nodes).items():
        weighed[score] += weight
    return possible(weighed)


def possible(weighed: Mapping[int, float]) -> dict[int, float]:
    """Scores that are not ruled out, the likeliest first."""
    whole = sum(weighed.values())
    likely = {score: weight / whole for score, weight in weighed.items() if weight >= POSSIBLE * whole}
    return dict(sorted(likely.items(), key=lambda entry: -entry[1]))
