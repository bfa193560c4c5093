"""One seat through all its photos: which boards they show, which score was earned, and what the players' cube says.

A hidden chain. At each look it stands at a candidate board, an earned score and a kept score: the one that the players'
cube shows. Between looks all that the engine holds possible happens to both scores alike, unless the cube was moved
wrongly, which is rare. What was seen weighs each; summing forwards and backwards says how likely everything is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

from companion.reconcile.photolog.gaps import Match, Weighed, stretches_of
from companion.reconcile.photolog.looks import Candidate
from companion.reconcile.photolog.scale import Scale, scale_of
from engine import Gain, View

MISKEPT = 5e-6
"""How likely it is that players move their cube to one certain wrong score."""
MENDED = 0.05
"""How likely it is that a wrong cube is put right by the next photo."""
MISREAD_SCORE = 2e-7
"""However surely a score is read, the cube stands on any other number so often."""
LIKELY_SCORE = 0.01
RARE = 1e-4
"""Nodes less likely than this do not say how low the score can have been."""
NEGLIGIBLE = 1e-6
WIDE = 60
"""Where a score can have changed in more ways, only those are followed that lead to what the cube shows, if any do."""
LEGIBLE = 0.999
"""So surely a cube must be read for that."""

Node = tuple[int, int, int]
"""A candidate by its index, the earned score, the kept score."""
Weights = dict[Node, float]


@dataclass(frozen=True)
class Link:
    """A look in the chain: what the board may be, what the cube shows, and how the stretch before it may have been."""

    candidates: Sequence[Candidate]
    scores: Mapping[int, float]
    stretches: Sequence[Weighed]
    counted: Mapping[int, Gain] | None = None
    """For the candidates with which the game is over: the bonuses of the end, which the cube shows as well."""


@dataclass(frozen=True)
class Chain:
    """How likely everything is at each look, and how well it all explains what was seen."""

    first: Weights
    """The look that it begins with."""
    nodes: tuple[Weights, ...]
    evidence: float
    """The logarithm of how well all of it explains what was seen."""
    broken: int | None = None
    """The first look that nothing explains, where the chain could not go on."""


def begin(link: Link, match: Match) -> Weights:
    """A chain that begins in the midst of a game, with nothing but the cube to go by."""
    rules, scale = stretches_of(match.edition), scale_of(match.edition.slug)
    weights: Weights = {}
    for i, candidate in enumerate(link.candidates):
        most = rules.most(candidate.board, match.setup)
        shown = link.scores or dict.fromkeys(range(min(most + 1, scale.period)), 1.0)
        for number, chance in shown.items():
            laps = scale.scores(number, most)
            weights |= {(i, score, score): candidate.chance * chance / len(laps) for score in laps}
    total = sum(weights.values())
    return {node: weight / total for node, weight in weights.items()}


def run_chain(first: Weights, boards: Sequence[View], links: Sequence[Link], match: Match) -> Chain:
    """All looks at a seat's board after a first one, which may show these boards; the first is not among its nodes."""
    layers: list[Weights] = [first]
    edges: list[dict[Node, Weights]] = []
    evidence = 0.0
    for number, link in enumerate(links):
        for thorough in (False, True):
            step = _step(layers[-1], boards, link, match, thorough)
            reached = _sums(layers[-1], step)
            if (total := sum(reached.values())) > 0:
                break
        if total <= 0:
            return _chain(layers, edges, evidence, number)
        evidence += log(total)
        layers.append({node: weight / total for node, weight in _worth_following(reached, total)})
        edges.append(step)
        boards = [candidate.board for candidate in link.candidates]
    return _chain(layers, edges, evidence, None)


def _worth_following(reached: Weights, total: float) -> Iterator[tuple[Node, float]]:
    """The nodes that are not next to impossible; a board that may prove to be the one keeps all its usual scores."""
    boards: dict[int, float] = defaultdict(float)
    for (board, _, _), weight in reached.items():
        boards[board] += weight
    for node, weight in reached.items():
        usual = weight > RARE * boards[node[0]] > RARE * NEGLIGIBLE * total
        if weight > NEGLIGIBLE * total or usual:
            yield node, weight


def _chain(
    layers: Sequence[Weights], edges: Sequence[Mapping[Node, Weights]], evidence: float, broken: int | None
) -> Chain:
    first, *others = _smoothed(layers, edges)
    return Chain(first, tuple(others), evidence, broken)


def _step(before: Weights, boards: Sequence[View], link: Link, match: Match, thorough: bool) -> dict[Node, Weights]:
    """From each node the nodes that can follow, with their weights."""
    followers: dict[Node, Weights] = {node: defaultdict(float) for node in before}
    by_board: dict[int, list[Node]] = defaultdict(list)
    for node in before:
        by_board[node[0]].append(node)
    seen = _Cube(link.scores, scale_of(match.edition.slug))
    least = min(earned for (_, earned, _), weight in before.items() if weight > RARE)
    for old, nodes in by_board.items():
        for new, candidate in enumerate(link.candidates):
            gains = _weighed_gains(boards[old], candidate, link, least, match)
            bonus = (link.counted or {}).get(new, Gain())
            wide = _Wide(gains) if len(gains) > WIDE and seen.legible and not thorough else None
            for node in nodes if gains else ():
                told = wide.leading(node, bonus, seen) if wide and node[1] == node[2] else None
                if told is not None:
                    followers[node] |= {(new, score, score): weight for score, weight in told.items()}
                else:
                    _follow(node, followers[node], new, gains, bonus, seen)
    return followers


def _weighed_gains(board: View, candidate: Candidate, link: Link, least: int, match: Match) -> dict[Gain, float]:
    """What can have happened to the score, as likely as the stretch and as usual in it."""
    rules, weighed = stretches_of(match.edition), defaultdict[Gain, float](float)
    for stretch, chance in link.stretches:
        rich = replace(stretch, rich=least >= rules.dearest(stretch, match.setup))
        gains = rules.gains(board, candidate.board, rich, match.setup)
        total = sum(gains.values())
        for gain, weight in gains.items():
            weighed[gain] += chance * candidate.chance * weight / total
    return weighed


def _follow(node: Node, reached: Weights, new: int, gains: Mapping[Gain, float], bonus: Gain, cube: _Cube) -> None:
    """Add what follows from one node: both scores change alike, or the cube is moved wrongly, or put right again."""
    _, earned, kept = node
    anyhow: dict[int, float] = defaultdict(float)
    for gain, weight in gains.items():
        now, shown = gain.after(earned), gain.after(kept)
        reached[new, now, shown] += weight * cube.seen(bonus.after(shown))
        anyhow[now] += weight
    for now, weight in anyhow.items():
        if earned != kept:
            reached[new, now, now] += weight * MENDED * cube.seen(bonus.after(now))
        for score in cube.likely:
            reached[new, now, max(score - bonus.points, 0)] += weight * MISKEPT * cube.seen(score)


class _Wide:
    """Very many ways in which a score can have changed, by what they lead to."""

    def __init__(self, gains: Mapping[Gain, float]) -> None:
        self._by_points: dict[int, list[tuple[Gain, float]]] = defaultdict(list)
        self._by_least: dict[int | None, list[tuple[Gain, float]]] = defaultdict(list)
        for gain, weight in gains.items():
            self._by_points[gain.points].append((gain, weight))
            self._by_least[gain.least].append((gain, weight))

    def leading(self, node: Node, bonus: Gain, cube: _Cube) -> dict[int, float]:
        """How likely each score is that the cube shows, from a node whose cube stands right."""
        _, earned, _ = node
        found: dict[int, float] = {}
        for shown in cube.likely:
            score = shown - bonus.points
            ways = {**dict(self._by_points.get(score - earned, ())), **dict(self._by_least.get(score, ()))}
            if weight := sum(chance for gain, chance in ways.items() if gain.after(earned) == score):
                found[score] = weight * cube.seen(bonus.after(score))
        return found


class _Cube:
    """What was seen of a cube, as how well each score explains it."""

    def __init__(self, scores: Mapping[int, float], scale: Scale) -> None:
        self._scores, self._scale = scores, scale
        self._unseen = max(0.0, 1.0 - sum(scores.values())) / scale.period
        self._known: dict[int, float] = {}
        self.legible = sum(scores.values()) >= LEGIBLE
        self.likely = [score for score in scale.worth_trying(scores) if self.seen(score) >= LIKELY_SCORE]

    def seen(self, score: int) -> float:
        """How well a cube on this score explains what was seen."""
        if not self._scores:
            return 1.0
        if score not in self._known:
            best = max(self._scores.get(shown, 0.0) for shown in self._scale.shown(score))
            self._known[score] = max(best + self._unseen, MISREAD_SCORE)
        return self._known[score]


def _sums(before: Weights, step: Mapping[Node, Weights]) -> Weights:
    reached: Weights = defaultdict(float)
    for node, weight in before.items():
        for follower, chance in step[node].items():
            reached[follower] += weight * chance
    return reached


def _smoothed(layers: Sequence[Weights], edges: Sequence[Mapping[Node, Weights]]) -> tuple[Weights, ...]:
    """What later looks say about earlier ones."""
    later: Weights = dict.fromkeys(layers[-1], 1.0)
    smoothed = [layers[-1]]
    for layer, step in zip(reversed(layers[:-1]), reversed(edges), strict=True):
        earlier = {
            node: sum(chance * later.get(follower, 0.0) for follower, chance in step[node].items()) for node in layer
        }
        most = max(earlier.values(), default=0.0) or 1.0
        later = {node: value / most for node, value in earlier.items()}
        weighed = {node: layer[node] * later[node] for node in layer}
        total = sum(weighed.values()) or 1.0
        smoothed.append({node: weight / total for node, weight in weighed.items() if weight > NEGLIGIBLE * total})
    return tuple(reversed(smoothed))
