"""Which rules of Queen's Garden are visibly broken in a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.editions.queens_garden.garden import (
    AT_UNSEEN,
    BARE_GARDEN,
    CELLS,
    FREE,
    HEX_CELLS,
    NEIGHBOURS,
    SIX,
    SLOT_UNSEEN,
    UNSEEN,
    groups,
    print_of,
    ring_cell,
    slot_of,
)
from engine.editions.queens_garden.hexes import BIT, COLOUR, JOKER, KIN, PATTERN
from engine.editions.queens_garden.position import Position, SeenBoard
from engine.editions.queens_garden.scoring import seat_bonuses
from engine.editions.queens_garden.state import (
    STACK_CARDS,
    START_JOKERS,
    START_SCORE,
    STORAGE_CARDS,
    STORAGE_CELLS,
    TOP_TILES,
    State,
    printed_in,
    tiles_in,
)
from engine.editions.queens_garden.violations import too_many_tiles
from engine.score import total
from engine.state import OVER
from engine.text import say
from engine.violations import Violation


def position_violations(position: Position, state: State | None = None) -> list[Violation]:
    """The rules visibly broken; with the state that should lie there, also its scores, marker and stack."""
    found = [v for board in position.boards for v in _board_violations(board, position)]
    found += _middle_violations(position)
    found += _inventory(position)
    if state:
        found += _against_state(position, state)
    elif _is_untouched(position):
        found += [v for board in position.boards for v in _wrong_start(board)]
    return found


def _board_violations(board: SeenBoard, position: Position) -> Iterator[Violation]:
    storage = board.storage
    if storage and len(storage.tiles) + storage.jokers > STORAGE_CELLS:
        text = say("{count} tiles and jokers are too many", count=len(storage.tiles) + storage.jokers)
        yield Violation("QG-DR-04", text, board.seat, "storage")
    if storage and len(storage.cards) > STORAGE_CARDS:
        text = say("{count} expansions are too many", count=len(storage.cards))
        yield Violation("QG-DR-04", text, board.seat, "storage")
    yield from _misplaced(board)
    yield from _neighbours(board)
    yield from _twins(board)
    if board.score is not None and board.score < position.options.score_min:
        text = say("no score is below {least}", least=position.options.score_min)
        yield Violation("QG-SC-02", text, board.seat, "score")


def _misplaced(board: SeenBoard) -> Iterator[Violation]:
    printed = {ring_cell(slot, at) for slot, at in enumerate(board.slots) if at in SIX}
    for cell, content in enumerate(board.garden):
        if content == JOKER:
            yield Violation("QG-PL-05", say("a joker was placed"), board.seat, CELLS[cell])
        if content not in BIT or cell in printed:
            continue
        slot = slot_of(cell)
        known = slot is None or board.slots[slot] not in (SLOT_UNSEEN, AT_UNSEEN)
        if known and print_of(cell, board.slots) != FREE:
            yield Violation("QG-PL-01", say("no tile may lie there"), board.seat, CELLS[cell])


def _neighbours(board: SeenBoard) -> Iterator[Violation]:
    garden = board.garden
    alone = set()
    for cell in HEX_CELLS:
        if garden[cell] not in BIT:
            continue
        beside = [garden[other] for other in NEIGHBOURS[cell]]
        for other in NEIGHBOURS[cell]:
            if other < cell and garden[other] == garden[cell]:
                text = say("an identical {hex} lies beside it", hex=garden[cell])
                yield Violation("QG-PL-03", text, board.seat, CELLS[cell])
        if UNSEEN not in beside and not any(
            other in BIT and (KIN[garden[cell]] | BIT[garden[cell]]) & BIT[other] for other in beside
        ):
            alone.add(cell)
    # A hex without a match may have come first. Of two such side by side one came later, and had to match.
    for cell in sorted(alone):
        for other in NEIGHBOURS[cell]:
            if other in alone and other < cell:
                text = say(
                    "{hex} shares neither colour nor pattern with {others}", hex=garden[cell], others=garden[other]
                )
                yield Violation("QG-PL-02", text, board.seat, CELLS[cell])


def _twins(board: SeenBoard) -> Iterator[Violation]:
    garden = board.garden
    for attribute in (COLOUR, PATTERN):
        for cells in groups(garden, attribute):
            for cell in cells:
                same = [other for other in cells if garden[other] == garden[cell] and other < cell]
                if same and not any(other in NEIGHBOURS[cell] for other in same):
                    text = say("a group holds {hexes} twice", hexes=garden[cell])
                    yield Violation("QG-PL-04", text, board.seat, CELLS[cell])


def _middle_violations(position: Position) -> Iterator[Violation]:
    for number, card in enumerate(position.display or (), 1):
        if not card.hex and not card.tiles:
            text = say("an empty expansion was not turned face up")
            yield Violation("QG-DR-06", text, 0, f"display.{number}")
        elif card.hex and card.tiles:
            text = say("an expansion was turned although tiles lie on it")
            yield Violation("QG-DR-06", text, 0, f"display.{number}")
    size = STACK_CARDS.get(len(position.boards))
    if size and position.stack is not None and position.display is not None:
        count = position.stack + len(position.display)
        if count > size or (count < size and _is_untouched(position)):
            text = say("the stack has {count} expansions, it should be {wanted}", count=count, wanted=size)
            yield Violation("QG-SU-01", text, 0, "stack")
    if position.top is not None and UNSEEN not in position.top:
        count = len(position.top)
        if count > TOP_TILES or (count < TOP_TILES and _is_untouched(position)):
            text = say("the top card gets {wanted} tiles, not {count}", wanted=TOP_TILES, count=count)
            yield Violation("QG-SU-03", text, 0, "stack")


def _is_untouched(position: Position) -> bool:
    """Whether nobody can have done anything yet."""
    if position.marker != 0 or position.display or not position.boards or (position.round or 1) > 1:
        return False
    return position.top is not None and all(
        board.garden == BARE_GARDEN and board.storage and not board.storage.tiles and not board.storage.cards
        for board in position.boards
    )


def _wrong_start(board: SeenBoard) -> Iterator[Violation]:
    if board.score not in (None, START_SCORE):
        yield Violation("QG-SU-02", say("the score begins at {start}", start=START_SCORE), board.seat, "score")
    if board.storage and board.storage.jokers != START_JOKERS:
        text = say("the storage begins with {count} jokers", count=START_JOKERS)
        yield Violation("QG-SU-02", text, board.seat, "storage")


def _inventory(position: Position) -> Iterator[Violation]:
    tiles, cards = list(position.top or ()), []
    for card in position.display or ():
        tiles += card.tiles
        cards.append(card.hex)
    for board in position.boards:
        tiles += tiles_in(board.garden, board.slots)
        cards += printed_in(board.garden, board.slots)
        if board.storage:
            tiles += board.storage.tiles
            cards += board.storage.cards
    yield from too_many_tiles(tile for tile in tiles if tile in BIT)
    for hex_, count in sorted(Counter(card for card in cards if card in BIT).items()):
        if count > 1:
            text = say("{count} expansions {hex}: there is only one", count=count, hex=hex_)
            yield Violation("QG-INV-01", text)


def _against_state(position: Position, state: State) -> Iterator[Violation]:
    untouched = state.round <= 1 and _is_untouched(position)
    for board in position.boards:
        if board.seat > len(state.boards):
            continue
        if untouched:
            yield from _wrong_start(board)
        elif board.score is not None:
            yield from _wrong_score(board.seat, board.score, state)
    if position.marker is not None and position.marker != state.marker:
        text = say("the marker is not with the first to pass")
        yield Violation("QG-PA-01", text, position.marker, "display")
    if position.top is not None and len(position.top) < len(state.top) and not position.top:
        yield Violation("QG-DR-05", say("the new top card got no tiles"), 0, "stack")


def _wrong_score(seat: int, shown: int, state: State) -> Iterator[Violation]:
    kept = state.boards[seat - 1].score
    if shown == kept:
        return
    if state.phase != OVER:
        text = say("the score shows {shown}, it should be {score}", shown=shown, score=kept)
        yield Violation("QG-SC-01", text, seat, "score")
    elif shown != (final := kept + total(seat_bonuses(state, seat))):
        text = say("the score shows {shown}, at the end it should be {score}", shown=shown, score=final)
        yield Violation("QG-EN-01", text, seat, "score")
