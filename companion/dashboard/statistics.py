"""What players did over all games: wins, scores, where their points come from, rules they broke."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from companion.dashboard.live.view import rounds
from companion.dashboard.snapshot import Snapshot
from engine import Rule

WIDTH, HEIGHT = 320, 120
"""Of the plot, in the units of its own drawing."""
MOST_CURVES = 4
"""So many players have a curve: those with most games."""


@dataclass
class PlayerStatistics:
    """One player, over all games."""

    name: str
    games: int = 0
    """Those that are over."""
    wins: int = 0
    """A shared victory counts for everybody who shares it."""
    scores: list[tuple[int, int]] = field(default_factory=list)
    """The number of each game that is over, and the score, where it is exact."""
    breaches: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    """Points by the id of the rule that they come from."""

    @property
    def average(self) -> float | None:
        """The mean score; None without any."""
        return sum(score for _, score in self.scores) / len(self.scores) if self.scores else None

    @property
    def best(self) -> int | None:
        """The highest score; None without any."""
        return max((score for _, score in self.scores), default=None)

    def bars(self) -> list[tuple[str, int, float]]:
        """Each kind of points with how many, and its share of the largest, the largest first."""
        most = max(map(abs, self.kinds.values()), default=0) or 1
        return [(rule, points, abs(points) / most) for rule, points in self.kinds.most_common() if points]


@dataclass(frozen=True)
class Career:
    """A player's scores, game by game, as SVG wants them."""

    name: str
    line: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Statistics:
    """All players, those with most games first."""

    players: tuple[PlayerStatistics, ...]
    rules: dict[str, Rule]
    curves: tuple[Career, ...]
    highest: int
    games: int
    """How many games are over."""


def statistics(snapshots: Iterable[Snapshot]) -> Statistics:
    """What all named players did in these games, the oldest first."""
    players: dict[str, PlayerStatistics] = {}
    rules: dict[str, Rule] = {}
    over = 0
    for snapshot in snapshots:
        if not snapshot.start.names:
            continue
        rules |= snapshot.folded.edition.rulebook
        over += snapshot.ledger.last.over
        for seat, name in enumerate(snapshot.start.names, 1):
            _count(players.setdefault(name.casefold(), PlayerStatistics(name)), snapshot, seat, over)
    found = sorted(players.values(), key=lambda each: (-each.games, -each.wins, each.name))
    highest = max((each.best or 0 for each in found), default=0) or 1
    curves = tuple(_curves(found, over, highest))
    return Statistics(tuple(found), rules, curves, highest, over)


def _count(player: PlayerStatistics, snapshot: Snapshot, seat: int, number: int) -> None:
    now, folded = snapshot.ledger.last, snapshot.folded
    player.breaches += sum(breach.violation.seat == seat for breach in folded.breaches)
    lines = [line for _, made in rounds(snapshot, seat) for line in made]
    if now.over:
        player.games += 1
        player.wins += seat in now.winners
        if (score := now.scores[seat - 1].value) is not None:
            player.scores.append((number, score))
        lines += [line for line in folded.edition.bonuses(folded.state) if line.seat == seat]
    for line in lines:
        player.kinds[line.rule] += line.points


def _curves(players: Iterable[PlayerStatistics], games: int, highest: int) -> Iterator[Career]:
    shown = [each for each in players if each.scores][:MOST_CURVES]
    for player in shown:
        dots = tuple(
            (WIDTH * (number - 1) / max(games - 1, 1), HEIGHT * (1 - max(score, 0) / highest))
            for number, score in player.scores
        )
        yield Career(player.name, " ".join(f"{x:.1f},{y:.1f}" for x, y in dots), dots)
