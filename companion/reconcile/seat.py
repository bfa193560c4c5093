"""All photos of one seat's board: the chain through them, opened or begun anew where they contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.reconcile.chain import Chain, Link, Weights, begin, run_chain
from companion.reconcile.gaps import Moment, start_moment, stretches_of, weighed_stretches
from companion.reconcile.looks import Candidate, Look, candidates
from engine import Edition, Layout, Setup, Stretches
from vision.cells import EMPTY, UNSEEN

CERTAIN_TILE = 0.999
MOST_OPEN = 4.5
"""Bits: a board of which more is hidden, and cannot be told from the photos before and after, is left out."""
WALL_BITS = 1.0
OTHER_BITS = 2.6
TRIES = 4


@dataclass(frozen=True)
class Match:
    """What all seats have in common."""

    edition: Edition[Any, Any, Any]
    layout: Layout
    setup: Setup[Any]


@dataclass(frozen=True)
class SeatLook:
    """A look at the seat's board, with the number of its photo and what the board may be."""

    photo: int
    look: Look
    candidates: Sequence[Candidate]


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


def prepare(looks: Sequence[tuple[int, Look]], match: Match) -> list[SeatLook]:
    """The looks that say enough, each with the boards that it may show."""
    narrowed = _narrowed([look for _, look in looks])
    told = ((photo, look) for (photo, _), look in zip(looks, narrowed, strict=True) if _open_bits(look) <= MOST_OPEN)
    return [SeatLook(photo, look, _candidates(look, match)) for photo, look in told]


def _candidates(look: Look, match: Match, opened: frozenset[str] = frozenset()) -> list[Candidate]:
    return candidates(look, match.edition, match.layout, match.setup.side, opened)


def _narrowed(looks: Sequence[Look]) -> list[Look]:
    """Walls only fill: a hidden cell holds what it held before, and nothing if it holds nothing later."""
    cells = [dict(look.cells) for look in looks]
    walls = [name for name in (cells[0] if cells else ()) if name.startswith("wall")]
    for name in walls:
        tile = ""
        for board in cells:
            best = max(board[name], key=board[name].__getitem__)
            if best == UNSEEN and tile:
                board[name] = {tile: 1.0}
            elif best not in (UNSEEN, EMPTY) and board[name][best] >= CERTAIN_TILE:
                tile = best
        empty = False
        for board in reversed(cells):
            best = max(board[name], key=board[name].__getitem__)
            if best == UNSEEN and empty:
                board[name] = {EMPTY: 1.0}
            elif best == EMPTY and board[name][best] >= CERTAIN_TILE:
                empty = True
    return [replace(look, cells=board) for look, board in zip(looks, cells, strict=True)]


def _open_bits(look: Look) -> float:
    hidden = [name for name, reads in look.cells.items() if reads.get(UNSEEN, 0.0) > 0.1]
    return sum(WALL_BITS if name.startswith("wall") else OTHER_BITS for name in hidden)


def link_seat(
    seat: int,
    looks: Sequence[SeatLook],
    moments: Sequence[Moment],
    match: Match,
    counted_from: int,
) -> SeatChain:
    """The chain through a seat's looks; from one photo on the cube may show the bonuses of the end as well."""
    looks, opened, blind = list(looks), [frozenset[str]()] * len(looks), set[int]()
    rules = stretches_of(match.edition)
    start = start_moment(match.edition, match.setup)
    nodes: list[Weights] = []
    breaks: list[int] = []
    evidence, first, tries = 0.0, 0, 0
    while True:
        links = [_link(seat, looks, i, moments, start, match, i in blind, counted_from) for i in range(len(looks))]
        chain = _run(links, looks, first, start.boards[seat], bool(breaks), match)
        if chain.broken is None:
            nodes = nodes[:first] + list(chain.nodes)
            return SeatChain(seat, tuple(looks), tuple(links), tuple(nodes), evidence + chain.evidence, tuple(breaks))
        at = first + chain.broken + bool(breaks)
        cells = _contradicting(looks, at, start.boards[seat], rules)
        fresh = cells - opened[at]
        if fresh and tries < TRIES:
            for i in {max(at - 1, 0), at}:
                opened[i] |= fresh
                looks[i] = replace(looks[i], candidates=_candidates(looks[i].look, match, opened[i]))
            tries += 1
        elif at not in blind:
            blind.add(at)
        else:
            nodes = nodes[:first] + list(chain.nodes)
            evidence += chain.evidence
            breaks.append(at)
            first, tries = at, 0


def _run(links: Sequence[Link], looks: Sequence[SeatLook], first: int, start: Any, broken: bool, match: Match) -> Chain:
    rules = stretches_of(match.edition)
    if not broken:
        return run_chain({(0, 0, 0): 1.0}, [start], links, rules, match.setup)
    weights, boards = begin(links[first]), [candidate.board for candidate in looks[first].candidates]
    chain = run_chain(weights, boards, links[first + 1 :], rules, match.setup)
    return replace(chain, nodes=(chain.first, *chain.nodes))


def _link(
    seat: int,
    looks: Sequence[SeatLook],
    at: int,
    moments: Sequence[Moment],
    start: Moment,
    match: Match,
    blind: bool,
    counted_from: int,
) -> Link:
    here = looks[at]
    before = moments[looks[at - 1].photo] if at else start
    after = moments[here.photo]
    if blind:
        # Where counting tiles leads nowhere, something in the middle was misread: do without it.
        before, after = replace(before, left=None), replace(after, left=None)
    counted = None
    if here.photo >= counted_from and not here.look.said:
        counted = {i: _bonus(candidate, match) for i, candidate in enumerate(here.candidates)}
    return Link(
        here.candidates, here.look.scores, weighed_stretches(before, after, seat, match.edition, match.setup), counted
    )


def _bonus(candidate: Candidate, match: Match) -> int:
    return max(ending.bonus for ending in stretches_of(match.edition).endings(candidate.board, match.setup))


def _contradicting(looks: Sequence[SeatLook], at: int, start: Any, rules: Stretches[Any]) -> frozenset[str]:
    """The cells in which a look contradicts the one before, by the pair of boards that does so least."""
    before = [candidate.board for candidate in looks[at - 1].candidates] if at else [start]
    found = [frozenset(rules.conflicts(old, new.board)) for old in before for new in looks[at].candidates]
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
