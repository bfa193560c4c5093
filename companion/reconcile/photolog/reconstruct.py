"""A game from photos taken now and then: every score, exact where it is determined, else how far it is open and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from companion.reconcile.heaps import CERTAIN
from companion.reconcile.photolog.chain import Weights
from companion.reconcile.photolog.claims import Claim, claim_end, claims_of
from companion.reconcile.photolog.gaps import Match, Moment, is_closed, stretches_of
from companion.reconcile.photolog.looks import Candidate, Look, PhotoReading, kept_cells, surplus
from companion.reconcile.photolog.order import Arranged, in_order, seat_boards
from companion.reconcile.photolog.passage import Passage, passages
from companion.reconcile.photolog.rounds import agree, ticks_of
from companion.reconcile.photolog.seat import SeatChain, SeatLook, best_board, cell_chances, link_seat, prepare
from engine import View, load
from engine.table import EMPTY, UNSEEN
from engine.text import Text, say

Words = Mapping[tuple[str, int], Mapping[str, str]]
"""What people said: by the photo's sha256 and the seat, what lies in cells, or the `score`."""

DOUBTED_PIECES = 3
"""A cell that is in doubt may misjudge the pieces that were taken by so many."""


@dataclass(frozen=True)
class Doubted:
    """A cell that all photos together leave open."""

    seat: int
    cell: str
    reads: Mapping[str, float]


@dataclass(frozen=True)
class PhotoAccount:
    """What one photo tells, in the light of all others."""

    arranged: Arranged
    rounds: int
    """How many rounds were scored when it was taken."""
    closed: bool
    """Whether all of the next round was taken by then."""
    boards: Mapping[int, Candidate]
    claims: Mapping[int, Claim]
    doubts: tuple[Doubted, ...]
    same_as: str | None
    """The photo before, if this one shows the same position."""

    @property
    def name(self) -> str:
        """The photo's name."""
        return self.arranged.snapshot.name

    @property
    def sha256(self) -> str:
        """What the photo is called in the log."""
        return self.arranged.snapshot.sha256


@dataclass(frozen=True)
class LeftOut:
    """A photo that is not reckoned with."""

    snapshot: PhotoReading
    kind: str
    """The kind of which it shows more pieces than there are."""

    @property
    def why(self) -> Text:
        """The reason, as a log keeps it."""
        edition = load(self.snapshot.edition)
        return say(
            "{photo} is left out: it shows more than {most} tiles of a kind ({kind}), so it is misread",
            photo=self.snapshot.name,
            most=edition.tiles_of_each,
            kind=edition.name_of(self.kind),
        )


@dataclass(frozen=True)
class Account:
    """A game as its photos tell it."""

    photos: tuple[PhotoAccount, ...]
    ordered_by: str
    """`time`, by the cameras' clocks, or `walls`, by what lies on boards."""
    over: bool
    final: Mapping[int, Claim]
    """The scores at the end of the game, bonuses included, of boards that were seen once it had ended; else the last
    scores that were seen."""
    left_out: tuple[LeftOut, ...] = ()
    """The photos that tell nothing, since what they show cannot be."""


def reconstruct(
    snapshots: Sequence[PhotoReading], match: Match, hints: Mapping[str, int] | None = None, words: Words | None = None
) -> Account:
    """The game that some photos show.

    Hints say whose board a photo of one board (by its sha256) shows; words are what people said of cells and scores.
    """
    odd = [(shot, surplus(shot)) for shot in snapshots]
    left_out = tuple(LeftOut(shot, kind) for shot, kind in odd if kind is not None)
    ordered, by = in_order([shot for shot, kind in odd if kind is None])
    arranged = seat_boards(ordered, match.setup.players, hints)
    told = {number for number, shot in enumerate(arranged) if shot.snapshot.sha256 in (hints or {})}
    looks = {seat: prepare(_looks_of(seat, arranged, words or {}), match, told) for seat in match.setup.seats}
    moments = [_moment(number, shot, looks) for number, shot in enumerate(arranged)]
    grown = _first_after_growth(moments, match)
    ends = [n for n, moment in enumerate(moments) if n >= grown and _may_show_end(n, looks, moment, match)]
    chains = _weighed_endings(looks, moments, ends, match)
    ended = range(ends[0], len(moments)) if ends else range(0)
    passed = {seat: list(passages(chain, nodes, match)) for seat, (chain, nodes) in chains.items()}
    rounds = _agreed_rounds(chains, passed, moments, match)
    claims = {
        seat: claims_of(chain, nodes, passed[seat], rounds[seat], ended, match)
        for seat, (chain, nodes) in chains.items()
    }
    photos = tuple(_told(arranged, moments, chains, claims, match))
    finished = [chain.looks[-1].photo for chain, nodes in chains.values() if _is_over(chain, nodes, moments, match)]
    since = min(finished, default=0)
    last = {seat: way for seat, way in chains.items() if way[0].looks and way[0].looks[-1].photo >= since}
    over = bool(finished) and all(_is_settled(chain, nodes, match) for chain, nodes in last.values())
    final = {
        # Once a board has ended the game nothing is left to be taken, also where that is not in view.
        seat: claim_end(chain, nodes, claims[seat][-1], over or moments[chain.looks[-1].photo].left == 0, over, match)
        for seat, (chain, nodes) in last.items()
    }
    return Account(photos, by, over, final, left_out)


def _looks_of(seat: int, arranged: Sequence[Arranged], words: Words) -> list[tuple[int, Look]]:
    seen = ((number, shot.snapshot.sha256, shot.looks().get(seat)) for number, shot in enumerate(arranged))
    return [(number, look.told(words.get((sha256, seat), {}))) for number, sha256, look in seen if look is not None]


def _moment(number: int, shot: Arranged, looks: Mapping[int, Sequence[SeatLook]]) -> Moment:
    doubted = sum(max(reads.values()) < CERTAIN for look in shot.snapshot.boards for reads in look.cells.values())
    here = {seat: look for seat, seen in looks.items() for look in seen if look.photo == number}
    boards = {seat: look.candidates[0].board for seat, look in here.items()}
    return Moment(boards, shot.snapshot.left, DOUBTED_PIECES * doubted)


def _weighed_endings(
    looks: Mapping[int, Sequence[SeatLook]], moments: Sequence[Moment], ends: Sequence[int], match: Match
) -> dict[int, tuple[SeatChain, tuple[Weights, ...]]]:
    """The chain of each seat; whether cubes show the bonuses of the end is weighed by all seats together."""
    known: dict[tuple[int, int], SeatChain] = {}

    def chain_of(seat: int, counted: int) -> SeatChain:
        # Chains differ only by how many of their own looks are concerned.
        concerned = sum(look.photo >= counted for look in looks[seat])
        if (seat, concerned) not in known:
            known[seat, concerned] = link_seat(seat, looks[seat], moments, match, counted)
        return known[seat, concerned]

    ways = [{seat: chain_of(seat, counted) for seat in looks} for counted in (len(moments), *ends)]
    evidence = [sum(chain.evidence for chain in way.values()) for way in ways]
    shares = [exp(value - max(evidence)) for value in evidence]
    best = ways[shares.index(max(shares))]
    weighed = {}
    for seat, chain in best.items():
        parts = [(share / sum(shares), way[seat]) for share, way in zip(shares, ways, strict=True)]
        alike = [(share, way.nodes) for share, way in parts if way.looks == chain.looks and way.breaks == chain.breaks]
        weighed[seat] = (chain, _mixed(alike))
    return weighed


def _mixed(parts: Sequence[tuple[float, Sequence[Weights]]]) -> tuple[Weights, ...]:
    """Several ways to see it, each with its share."""
    layers = []
    for number in range(len(parts[0][1])):
        layer: Weights = defaultdict(float)
        for share, nodes in parts:
            for node, weight in nodes[number].items():
                layer[node] += share * weight
        layers.append(dict(layer))
    return tuple(layers)


def _agreed_rounds(
    chains: Mapping[int, tuple[SeatChain, tuple[Weights, ...]]],
    passed: Mapping[int, Sequence[Passage]],
    moments: Sequence[Moment],
    match: Match,
) -> dict[int, list[int]]:
    """How many rounds each seat's board was scored in by each of its looks."""
    found = {seat: chain for seat, (chain, _) in chains.items()}
    told = agree(list(ticks_of(found, passed, moments, stretches_of(match.edition))))
    return {seat: [told[look.photo][seat] for look in chain.looks] for seat, chain in found.items()}


def _first_after_growth(moments: Sequence[Moment], match: Match) -> int:
    """The first photo after which no board is seen to grow: photos before it show a game that goes on."""
    kept, first = kept_cells(match.edition.slug), 0
    before: dict[int, tuple[int, int]] = {}
    for number, moment in enumerate(moments):
        for seat, view in moment.boards.items():
            lying = sum(kind not in (EMPTY, UNSEEN) for cell, kind in view.part.cells.items() if cell in kept)
            photo, least = before.get(seat, (-1, 0))
            # Between its two looks it grew, so the game was not over at the earlier one.
            first = max(first, photo + 1) if lying > least else first
            before[seat] = (number, lying)
    return first


def _may_show_end(number: int, looks: Mapping[int, Sequence[SeatLook]], moment: Moment, match: Match) -> bool:
    """Whether a photo may show a game that is over and scored."""
    rules = stretches_of(match.edition)
    if moment.left or any(map(rules.is_due, moment.boards.values())):
        return False
    seen = [look.candidates for own in looks.values() for look in own if look.photo == number]
    # Each board as it most likely lies there, whatever the rounds that were scored.
    likeliest = [[each.board for each in found if each.letters == found[0].letters] for found in seen]
    endings = [[e for board in boards for e in rules.endings(board, match.setup)] for boards in likeliest]
    return any(e.over for ways in endings for e in ways) and all(any(e.countable for e in ways) for ways in endings)


def _is_over(chain: SeatChain, nodes: Sequence[Weights], moments: Sequence[Moment], match: Match) -> bool:
    """Whether the game surely ends with the last look at this board, in whichever way it is scored."""
    if not chain.looks:
        return False
    rules, last = stretches_of(match.edition), chain.looks[-1]
    taken = moments[last.photo].left == 0

    def ends(board: View) -> bool:
        ended = taken or not rules.is_due(board)
        return ended and all(ending.over for ending in rules.endings(board, match.setup))

    over = [ends(candidate.board) for candidate in last.candidates]
    return sum(weight for (index, _, _), weight in nodes[-1].items() if over[index]) > CERTAIN


def _is_settled(chain: SeatChain, nodes: Sequence[Weights], match: Match) -> bool:
    """Whether nobody has a choice any more on this board, as it was last seen."""
    endings = stretches_of(match.edition).endings
    boards = [candidate.board for candidate in chain.looks[-1].candidates]
    settled = [all(ending.settled for ending in endings(board, match.setup)) for board in boards]
    return sum(weight for (index, _, _), weight in nodes[-1].items() if settled[index]) > CERTAIN


def _told(
    arranged: Sequence[Arranged],
    moments: Sequence[Moment],
    chains: Mapping[int, tuple[SeatChain, tuple[Weights, ...]]],
    claims: Mapping[int, Sequence[Claim]],
    match: Match,
) -> Iterator[PhotoAccount]:
    rules, rounds = stretches_of(match.edition), 0
    before: dict[int, Candidate] = {}
    for number, shot in enumerate(arranged):
        here = {
            seat: (chain, at)
            for seat, (chain, _) in chains.items()
            for at, look in enumerate(chain.looks)
            if look.photo == number
        }
        boards = {seat: best_board(chain, at) for seat, (chain, at) in here.items()}
        said = {seat: claims[seat][at] for seat, (_, at) in here.items()}
        rounds = max([rounds, *(claim.rounds for claim in said.values())])
        doubts = [
            Doubted(seat, cell, reads)
            for seat, (chain, at) in here.items()
            for cell, reads in cell_chances(chain, at).items()
            if max(reads.values()) < CERTAIN
        ]
        same = number > 0 and _is_same(boards, before) and moments[number].left == moments[number - 1].left
        same_as = arranged[number - 1].snapshot.name if same else None
        yield PhotoAccount(shot, rounds, is_closed(moments[number], rules), boards, said, tuple(doubts), same_as)
        before |= boards


def _is_same(boards: Mapping[int, Candidate], before: Mapping[int, Candidate]) -> bool:
    known = [candidate.letters == before[seat].letters for seat, candidate in boards.items() if seat in before]
    return bool(boards) and len(known) == len(boards) and all(known)
