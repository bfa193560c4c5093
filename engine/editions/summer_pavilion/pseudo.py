"""What hands can do in a state of Summer Pavilion, legal or not: what a camera's sighting has to be explained by.

Every legal move comes first; then every move that is illegal as it stands; then each of them with one slip.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.editions.drafting import EXTRA
from engine.editions.summer_pavilion.moves import (
    BESIDE,
    CHARGED,
    FROM_CORNERS,
    FROM_SUPPLY,
    JOKER_LEFT,
    JOKERS,
    LEFT,
    MOVED,
    OFF_CELL,
    OLD_JOKER,
    OTHER_PAYER,
    OVERPAID,
    SECOND,
    SHORT,
    TOKEN,
    UNCHARGED,
    UNDISCARDED,
    UNPUSHED,
    Bonus,
    Move,
    Pass,
    Place,
    Take,
)
from engine.editions.summer_pavilion.rules import legal_moves
from engine.editions.summer_pavilion.scoring import lowered, tiles_taken
from engine.editions.summer_pavilion.state import (
    BONUS,
    CENTRE,
    DRAFT,
    EMPTY,
    FEATURES,
    PLACE,
    SLOTS,
    STARS,
    State,
    sources,
)
from engine.moves import Slip
from engine.tiles import lacking


def pseudo_moves(state: State) -> Iterator[Move]:
    """Every legal move, every illegal one that hands can make, and each with one slip."""
    legal = dict.fromkeys(legal_moves(state))
    yield from legal
    if state.phase == DRAFT:
        turn = list(_takes(state, state.seat))
        yield from (take for take in turn if take not in legal)
        for seat in state.setup.seats:
            if seat != state.seat:
                yield from _takes(state, seat)
        for take in turn:
            yield from (replace(take, slips=(slip,)) for slip in _take_slips(state, take))
    elif state.phase == PLACE:
        for seat in state.setup.seats:
            board = state.boards[seat - 1]
            yield from (place for place in _places(state, seat, board.reserve) if place not in legal)
            kept = board.corners.replace(EMPTY, "") if seat in state.passed else ""
            yield from (replace(place, slips=(Slip(FROM_CORNERS),)) for place in _places(state, seat, kept))
        for move in legal:
            if isinstance(move, Place):
                yield from (replace(move, slips=(slip,)) for slip in _place_slips(state, move))
            elif isinstance(move, Pass):
                yield from (replace(move, slips=(slip,)) for slip in _pass_slips(state, move))
        yield from (Bonus(state.seat, tile) for tile in dict.fromkeys(state.supply) if tile != EMPTY)
    elif state.phase == BONUS:
        short = {part for move in legal if isinstance(move, Bonus) for part in _all_but_one(move.tiles)}
        yield from (Bonus(state.seat, tiles) for tiles in sorted(short))
        # One tile too many is taken as easily as one too few.
        more = {
            "".join(sorted(move.tiles + tile)) for move in legal if isinstance(move, Bonus) for tile in state.supply
        }
        held = [tiles for tiles in sorted(more) if EMPTY not in tiles and not lacking(tiles, state.supply)]
        yield from (Bonus(state.seat, tiles) for tiles in held)


def _takes(state: State, seat: int) -> Iterator[Take]:
    for source, tiles in enumerate(sources(state)):
        for colour in dict.fromkeys(tiles):
            yield Take(seat, source, colour)


def _take_slips(state: State, take: Take) -> Iterator[Slip]:
    tiles, joker, colour = sources(state)[take.source], state.joker, take.colour
    taken = tiles_taken(state, take)
    rest = tiles
    for tile in taken:
        rest = rest.replace(tile, "", 1)
    yield from (Slip(LEFT, colour * n) for n in range(1, taken.count(colour)))
    yield from (Slip(EXTRA, other * rest.count(other)) for other in dict.fromkeys(rest) if other != joker)
    if colour != joker and joker in taken:
        yield Slip(JOKER_LEFT)
    yield from (Slip(JOKERS, joker * n) for n in range(1, rest.count(joker) + 1))
    if take.source != CENTRE and rest:
        yield Slip(UNPUSHED)
    if not state.marker:
        yield Slip(TOKEN)
    if _loses(state, take.seat, len(taken)):
        due = take.source == CENTRE and not state.marker
        yield Slip(UNCHARGED if due else CHARGED)


def _places(state: State, seat: int, tiles: str) -> Iterator[Place]:
    """Each of these tiles laid on every free cell, paid as it should be where that can be paid at all."""
    board, joker, options = state.boards[seat - 1], state.joker, state.setup.options
    held = {colour: tiles.count(colour) for colour in dict.fromkeys(tiles)}
    for index, star in enumerate(STARS):
        for slot in SLOTS:
            if board.stars[index][slot - 1] != EMPTY:
                continue
            cost = options.cost(star, slot)
            for colour, count in held.items():
                jokers = max(0, cost - count)
                if jokers <= (0 if colour == joker else held.get(joker, 0)):
                    yield Place(seat, star, slot, colour, jokers)


def _place_slips(state: State, place: Place) -> Iterator[Slip]:
    board, joker, options = state.boards[place.seat - 1], state.joker, state.setup.options
    cost = options.cost(place.star, place.cell)
    paid = joker * place.jokers + place.colour * (cost - place.jokers - 1)
    rest = board.reserve
    for tile in paid + place.colour:
        rest = rest.replace(tile, "", 1)
    others = [colour for colour in dict.fromkeys(rest) if colour not in (place.colour, joker)]

    yield from (Slip(OFF_CELL, at=index) for index in range(len(FEATURES)))
    if place.colour in state.supply:
        yield Slip(FROM_SUPPLY)
    yield from (Slip(SHORT, paid[:n]) for n in range(1, len(paid) + 1))
    yield from (Slip(OVERPAID, colour) for colour in dict.fromkeys(rest))
    yield from (Slip(UNDISCARDED, paid[:n]) for n in range(1, len(paid) + 1))
    for colour in others:
        if paid:
            yield Slip(OLD_JOKER if colour == state.old_joker else OTHER_PAYER, colour)
    for index, cells in enumerate(board.stars):
        for slot in SLOTS:
            if cells[slot - 1] != EMPTY:
                if EMPTY in cells and (STARS[index] != place.star or cells.count(EMPTY) > 1):
                    yield Slip(MOVED, at=index, to=slot)
            elif (STARS[index], slot) != (place.star, place.cell):
                yield from (Slip(SECOND, colour, index, slot) for colour in dict.fromkeys(rest))


def _pass_slips(state: State, move: Pass) -> Iterator[Slip]:
    board = state.boards[move.seat - 1]
    rest = board.reserve
    for tile in move.keep:
        rest = rest.replace(tile, "", 1)
    if rest:
        # Who has filled the corners may be keeping one more.
        one_more = rest if len(move.keep) == board.corners.count(EMPTY) else ""
        yield from (Slip(BESIDE, tiles) for tiles in dict.fromkeys((rest, *one_more)))
    if _loses(state, move.seat, len(rest)):
        yield Slip(UNCHARGED)


def _loses(state: State, seat: int, tiles: int) -> bool:
    """Whether being charged so many tiles shows: a score at the floor stays where it is."""
    score = state.scores[seat - 1]
    return lowered(score, tiles, state.setup.options) < score


def _all_but_one(tiles: str) -> Iterator[str]:
    for tile in dict.fromkeys(tiles):
        yield tiles.replace(tile, "", 1)
