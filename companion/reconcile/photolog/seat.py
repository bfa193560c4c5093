"""All photos of one seat's board: the chain through them, opened or begun anew where they contradict each other."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import log2

from companion.reconcile.photolog.chain import Chain, Link, Weights, begin, run_chain
from companion.reconcile.photolog.gaps import Match, Moment, start_moment, start_score, stretches_of, weighed_stretches
from companion.reconcile.photolog.looks import Candidate, Look, candidates, kept_cells, zone_of
from engine import Gain, Stretches, View
from engine.layout import SLOT, Zone
from engine.table import EMPTY, UNSEEN

CERTAIN_PIECE = 0.999
MOST_OPEN = 4.5
"""Bits: a board of which more is hidden, and cannot be told from the photos before and after, is left out."""
KEPT_BITS, OTHER_BITS = 1.0, 2.6
"""How much is open of a hidden cell: of one that keeps what was laid there, and of any other."""
FEW_KINDS = 6
"""Each doubling of the kinds beyond so many is one bit more."""
CARD_BITS = 8.0
"""Of a hidden place for cards nothing can be told."""


@dataclass(frozen=True)
class SeatLook:
    """A look at the seat's board, with the number of its photo and what the board may be."""

    photo: int
    look: Look
    candidates: Sequence[Candidate]
    anybodys: bool = False
    """Whether nothing tells whose board it is, so that it says nothing of the seat's other looks."""


@dataclass(frozen=True)
class SeatChain:
    """A seat through the game: for each look how likely everything is."""

    seat: int
    looks: tuple[SeatLook, ...]
    links: tuple[Link, ...]
    nodes: tuple[Weights, ...]
    evidence: float
    breaks: tuple[int, ...]
    """The looks that cannot follow from what was seen before."""


def prepare(looks: Sequence[tuple[int, Look]], match: Match, told: Container[int] = ()) -> list[SeatLook]:
    """The looks that say enough, each with the boards that it may show; of photos `told` it is known whose they are."""
    narrowed = zip(looks, _narrowed([look for _, look in looks], match), strict=True)
    clear = ((photo, look) for (photo, _), look in narrowed if _open_bits(look, match) <= MOST_OPEN)
    prepared = [SeatLook(photo, look, _candidates(look, match)) for photo, look in clear]
    bare = len(list(takewhile(lambda seen: seen.photo not in told and _is_anybodys(seen, match), prepared)))
    return [*(replace(seen, anybodys=True) for seen in prepared[:bare]), *prepared[bare:]]


def _is_anybodys(seen: SeatLook, match: Match) -> bool:
    """Whether it may be that nothing stays on a board yet, though its score may differ from that of others."""
    kept, most = kept_cells(match.edition.slug), stretches_of(match.edition).most
    bare = (
        candidate.board
        for candidate in seen.candidates
        if all(kind == EMPTY for cell, kind in candidate.letters.items() if cell in kept)
    )
    return any(most(board, match.setup) > 0 for board in bare)


def _candidates(look: Look, match: Match, opened: frozenset[str] = frozenset()) -> list[Candidate]:
    """The boards that a look may show, each with how far the game may have been."""
    rules = stretches_of(match.edition)
    return [
        replace(candidate, board=view, chance=candidate.chance * weight)
        for candidate in candidates(look, match.edition, match.setup.side, opened)
        for view, weight in rules.views(candidate.board, match.setup)
    ]


def _narrowed(looks: Sequence[Look], match: Match) -> list[Look]:
    """Where pieces stay, a hidden cell holds what it held before, and nothing if it holds nothing later."""
    cells = [dict(look.cells) for look in looks]
    for name in kept_cells(match.edition.slug) & {*(cells[0] if cells else ())}:
        piece = ""
        for board in cells:
            best = max(board[name], key=board[name].__getitem__)
            if best == UNSEEN and piece:
                board[name] = {piece: 1.0}
            elif best not in (UNSEEN, EMPTY) and board[name][best] >= CERTAIN_PIECE:
                piece = best
        empty = False
        for board in reversed(cells):
            best = max(board[name], key=board[name].__getitem__)
            if best == UNSEEN and empty:
                board[name] = {EMPTY: 1.0}
            elif best == EMPTY and board[name][best] >= CERTAIN_PIECE:
                empty = True
    return [replace(look, cells=board) for look, board in zip(looks, cells, strict=True)]


def _open_bits(look: Look, match: Match) -> float:
    hidden = [zone_of(match.edition.slug, name) for name, reads in look.cells.items() if reads.get(UNSEEN, 0.0) > 0.1]
    return sum(_bits(zone, match) for zone in hidden)


def _bits(zone: Zone, match: Match) -> float:
    more = max(0.0, log2(len(match.edition.letters) / FEW_KINDS))
    return CARD_BITS if zone.role == SLOT else (KEPT_BITS if zone.keeps else OTHER_BITS) + more


def link_seat(
    seat: int, looks: Sequence[SeatLook], moments: Sequence[Moment], match: Match, counted_from: int
) -> SeatChain:
    """The chain through a seat's looks; from one photo on the cube shows the bonuses of the end as well.

    A board that may be anybody's is told from the start of the game alone.
    """
    bare = sum(look.anybodys for look in looks)
    runs = [*([look] for look in looks[:bare]), looks[bare:]]
    chains = [_linked(seat, run, moments, match, counted_from) for run in runs]
    return SeatChain(
        seat,
        tuple(look for chain in chains for look in chain.looks),
        tuple(link for chain in chains for link in chain.links),
        tuple(weights for chain in chains for weights in chain.nodes),
        sum(chain.evidence for chain in chains),
        tuple(first + at for first, chain in enumerate(chains) for at in chain.breaks),
    )


def _linked(
    seat: int, looks: Sequence[SeatLook], moments: Sequence[Moment], match: Match, counted_from: int
) -> SeatChain:
    linking = _Linking(seat, looks, moments, match, counted_from)
    while (chain := linking.run()).broken is not None:
        linking.mend(chain, chain.broken)
    return linking.finish(chain)


class _Linking:
    """A chain in the making: what was opened, counted blindly or begun anew so far."""

    def __init__(
        self, seat: int, looks: Sequence[SeatLook], moments: Sequence[Moment], match: Match, counted_from: int
    ) -> None:
        self._seat, self._moments, self._match, self._counted_from = seat, moments, match, counted_from
        self._rules, self._start = stretches_of(match.edition), start_moment(match.edition, match.setup)
        self._start_score = start_score(match.edition, match.setup, seat)
        self._looks = list(looks)
        self._links: list[Link] = []
        self._opened: dict[int, frozenset[str]] = {}
        self._blind: set[int] = set()
        """Looks before which pieces are not counted: something of what is left to be taken was misread."""
        self._breaks: list[int] = []
        self._nodes: list[Weights] = []
        self._evidence = 0.0

    def run(self) -> Chain:
        """From the last break on, or from the start of the game."""
        self._links = [self._link(at) for at in range(len(self._looks))]
        if not self._breaks:
            board, score = self._start.boards[self._seat], self._start_score
            return run_chain({(0, score, score): 1.0}, [board], self._links, self._match)
        first = self._breaks[-1]
        boards = [candidate.board for candidate in self._looks[first].candidates]
        weights = begin(self._links[first], self._match)
        return run_chain(weights, boards, self._links[first + 1 :], self._match)

    def mend(self, chain: Chain, broken: int) -> None:
        """Let a look follow that nothing explains: open what contradicts, or do not count, or begin anew."""
        at = broken + (self._breaks[-1] + 1 if self._breaks else 0)
        cells = _contradicting(self._looks, at, self._start.boards[self._seat], self._rules)
        if fresh := cells - self._opened.get(at, frozenset()):
            for i in {max(at - 1, 0), at}:
                self._opened[i] = self._opened.get(i, frozenset()) | fresh
                look = self._looks[i].look
                self._looks[i] = replace(self._looks[i], candidates=_candidates(look, self._match, self._opened[i]))
        elif at not in self._blind:
            self._blind.add(at)
        else:
            self._keep(chain)
            self._breaks.append(at)

    def finish(self, chain: Chain) -> SeatChain:
        """The chain that goes through to the end."""
        self._keep(chain)
        return SeatChain(
            self._seat,
            tuple(self._looks),
            tuple(self._links),
            tuple(self._nodes),
            self._evidence,
            tuple(self._breaks),
        )

    def _keep(self, chain: Chain) -> None:
        self._nodes += [chain.first, *chain.nodes] if self._breaks else chain.nodes
        self._evidence += chain.evidence

    def _link(self, at: int) -> Link:
        here, match = self._looks[at], self._match
        before = self._moments[self._looks[at - 1].photo] if at else self._start
        after = self._moments[here.photo]
        if at in self._blind:
            before, after = replace(before, left=None), replace(after, left=None)
        counted = None
        if here.photo >= self._counted_from and not here.look.said:
            bonuses = ((i, _bonus(candidate, match)) for i, candidate in enumerate(here.candidates))
            counted = {i: bonus for i, bonus in bonuses if bonus is not None}
        stretches = weighed_stretches(before, after, self._seat, match.edition, match.setup)
        return Link(here.candidates, here.look.scores, stretches, counted)


def _bonus(candidate: Candidate, match: Match) -> Gain | None:
    """What the end brings to a board; None where it cannot have been counted when the board lay so."""
    endings = stretches_of(match.edition).endings(candidate.board, match.setup)
    return max((ending.bonus for ending in endings if ending.countable), default=None)


def _contradicting(looks: Sequence[SeatLook], at: int, start: View, rules: Stretches) -> frozenset[str]:
    """The cells in which a look contradicts the one before, by the pair of boards that does so least."""
    before = [candidate.board for candidate in looks[at - 1].candidates] if at else [start]
    found = [frozenset(rules.conflicts(old.part, new.board.part)) for old in before for new in looks[at].candidates]
    return min(found, key=len)


def best_board(chain: SeatChain, at: int) -> Candidate:
    """What the board is most likely to be, by all photos."""
    chances: dict[int, float] = {}
    for (index, _, _), weight in chain.nodes[at].items():
        chances[index] = chances.get(index, 0.0) + weight
    return chain.looks[at].candidates[max(chances, key=chances.__getitem__)]


def cell_chances(chain: SeatChain, at: int) -> Mapping[str, Mapping[str, float]]:
    """For each cell in which the possible boards differ, how likely each letter is by all photos."""
    chances: dict[str, dict[str, float]] = {}
    options = chain.looks[at].candidates
    for (index, _, _), weight in chain.nodes[at].items():
        for cell, letter in options[index].letters.items():
            reads = chances.setdefault(cell, {})
            reads[letter] = reads.get(letter, 0.0) + weight
    return {cell: reads for cell, reads in chances.items() if len(reads) > 1}
