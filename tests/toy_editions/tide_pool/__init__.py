"""Tide Pool, made up for tests: the smallest game that has a bit of everything, in one folder.

Chance lays three tokens into every basket. In turn each player takes all tokens of one kind from one basket, the rest
of which slides into the sand, or from the sand, and lays them on one shelf: one kind each, from the left. A token
brings a point, a full shelf two more. After five tides each full shelf brings three again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.edition import Edition
from engine.entry import Act, Draw, Touch
from engine.errors import IllegalMoveError, ImpossibleMoveError, NotationError, RecordError, TableError
from engine.glimpse import Drawn, Glimpse
from engine.moves import Slip
from engine.notation import match_part
from engine.options import read_options
from engine.record import Fields, slips_json
from engine.resume import Resumption
from engine.score import Gain, Outlook, ScoreLine, total
from engine.state import FILL, OVER, Setup, in_fill
from engine.stretch import Ending, Gains, Reasons, Stretch, Stretches, View, changed_cells
from engine.table import ALL, EMPTY, UNSEEN, Frozen, Kinds, Part, Table, kinds_of, written
from engine.table_json import an_object, boards_of, number, score_or_unknown, side_of
from engine.text import Text, say
from engine.tiles import Sample
from engine.violations import RECORD, Rule, Violation, rulebook

SLUG, SIDE, GATHER = "tide-pool", "day", "gather"
LETTERS = {"sh": say("shell"), "co": say("coral"), "cr": say("crab")}
OF_EACH, HELD, SHELVES, ROOM, TIDES = 30, 3, (1, 2, 3), 5, 5
BASKETS = {2: 4, 3: 5}
FULL_SHELF, FULL_AT_END = 2, 3
LEFT, STAY, GAP = "left", "stay", "gap"
"""Slips: one token is left behind, the rest stays in the basket, tokens are laid from the right."""
RULES = rulebook(
    Rule(f"TP-{i:02}", text, "tests/toy_editions/tide_pool")
    for i, text in enumerate(
        (
            say("Players take turns clockwise."),
            say("All tokens of one kind are taken."),
            say("The rest of the basket slides into the sand."),
            say("A shelf takes tokens of one kind."),
            say("A full shelf takes nothing."),
            say("Tokens are put away only where no shelf takes them."),
            say("Tokens lie on a shelf from the left."),
            say("Each basket gets three tokens."),
            say("A token on a shelf brings a point, a full shelf two more."),
            say("At the end each full shelf brings three points."),
        ),
        1,
    )
)
TURN, ALL_OF_KIND, REST, ONE_KIND, FULL, AWAY, FROM_LEFT, WAVE, POINTS, BONUS = list(RULES)[:10]

Shelf = tuple[str, ...]


@dataclass(frozen=True)
class State:
    """Everything about a game at one moment."""

    setup: Setup[Any]
    phase: str
    round: int
    next: int
    bag: Kinds
    box: Kinds
    baskets: tuple[Kinds, ...]
    sand: Kinds
    pools: tuple[tuple[Shelf, ...], ...]
    scores: tuple[int, ...]

    @property
    def seat(self) -> int:
        return self.next if self.phase == GATHER else 0


@dataclass(frozen=True)
class Wave:
    """Chance: what comes into the baskets."""

    baskets: tuple[Kinds, ...]
    seat: int = 0


@dataclass(frozen=True)
class Take:
    """A seat takes a kind from a basket (0: from the sand) onto a shelf (0: puts it away)."""

    seat: int
    source: int
    kind: str
    shelf: int
    slips: tuple[Slip, ...] = ()


Move = Wave | Take


def start(setup: Setup[Any]) -> State:
    bag, n = kinds_of(OF_EACH * tuple(LETTERS)), setup.players
    pools = (((EMPTY,) * ROOM,) * len(SHELVES),) * n
    return State(setup, FILL, 0, setup.first, bag, (), ((),) * BASKETS[n], (), pools, (0,) * n)


# ------------------------------------------------------------------------------------------------------------ the rules


def sources(state: State) -> tuple[Kinds, ...]:
    return (state.sand, *state.baskets)


def takes(shelf: Shelf, kind: str) -> bool:
    return EMPTY in shelf and {*shelf} <= {EMPTY, kind}


def shelves_for(state: State, seat: int, kind: str) -> list[int]:
    """The shelves that take a kind; 0 where none does."""
    return [n for n in SHELVES if takes(state.pools[seat - 1][n - 1], kind)] or [0]


def takes_by(state: State, seat: int, shelves: Iterable[int] | None = None) -> Iterator[Take]:
    for source, kinds in enumerate(sources(state)):
        for kind in sorted({*kinds}):
            yield from (Take(seat, source, kind, n) for n in shelves or shelves_for(state, seat, kind))


def legal_moves(state: State) -> list[Move]:
    return list(takes_by(state, state.next)) if state.phase == GATHER else []


def pseudo_moves(state: State) -> Iterator[Move]:
    if state.phase != GATHER:
        return
    for seat in state.setup.seats:
        yield from takes_by(state, seat, (0, *SHELVES))
    for move in takes_by(state, state.next):
        kinds = sources(state)[move.source]
        if kinds.count(move.kind) > 1:
            yield replace(move, slips=(Slip(LEFT),))
        if move.source and {*kinds} != {move.kind}:
            yield replace(move, slips=(Slip(STAY),))
        if move.shelf and state.pools[move.seat - 1][move.shelf - 1].count(EMPTY) > kinds.count(move.kind):
            yield replace(move, slips=(Slip(GAP),))


def violations(state: State, move: Move) -> list[Violation]:
    if isinstance(move, Wave):
        return list(_wave_violations(state, move))
    if state.phase != GATHER or move.kind not in _at(state, move.source):
        return [Violation(RECORD, say("there is nothing of this to take"), move.seat)]
    slips = {slip.kind for slip in move.slips}
    fitting = shelves_for(state, move.seat, move.kind)
    shelf = state.pools[move.seat - 1][move.shelf - 1] if move.shelf else ()
    broken = {
        TURN: move.seat != state.next,
        ALL_OF_KIND: LEFT in slips,
        REST: STAY in slips,
        ONE_KIND: bool({*shelf} - {EMPTY, move.kind}),
        FULL: bool(shelf) and EMPTY not in shelf,
        AWAY: not move.shelf and fitting != [0],
        FROM_LEFT: GAP in slips,
    }
    place = f"shelf.{move.shelf}" if move.shelf else ""
    return [Violation(rule, RULES[rule].text, move.seat, place) for rule, is_so in broken.items() if is_so]


def _wave_violations(state: State, move: Wave) -> Iterator[Violation]:
    if state.phase != FILL or Counter(sum(move.baskets, ())) - Counter(state.bag):
        yield Violation(RECORD, say("the bag cannot have given these tokens"))
    for i in range(max(len(move.baskets), len(state.baskets))):
        if i >= len(state.baskets) or len(move.baskets[i : i + 1] or ((),)) != 1 or len(_nth(move.baskets, i)) != HELD:
            yield Violation(WAVE, RULES[WAVE].text, 0, f"basket.{i + 1}")


def apply(state: State, move: Move) -> State:
    if broken := violations(state, move):
        raise IllegalMoveError("the rules forbid it", broken)
    return enact(state, move)


def enact(state: State, move: Move) -> State:
    for violation in violations(state, move):
        if violation.rule == RECORD:
            raise ImpossibleMoveError(violation.text)
    if isinstance(move, Wave):
        filled = tuple(map(kinds_of, move.baskets))
        bag = _minus(state.bag, sum(filled, ()))
        return replace(state, phase=GATHER, round=state.round + 1, baskets=filled, bag=bag)
    pool, put_away = _laid(state, move)
    slips, taken = {slip.kind for slip in move.slips}, _taken(state, move)
    left = _minus(_at(state, move.source), taken)
    baskets, sand = list(state.baskets), state.sand
    if move.source:
        stays = STAY in slips
        baskets[move.source - 1], sand = (left, sand) if stays else ((), kinds_of(sand + left))
    else:
        sand = left
    scores = list(state.scores)
    scores[move.seat - 1] += total(score(state, move))
    after = replace(
        state,
        baskets=tuple(baskets),
        sand=sand,
        box=kinds_of(state.box + put_away),
        pools=(*state.pools[: move.seat - 1], pool, *state.pools[move.seat :]),
        scores=tuple(scores),
        next=move.seat % state.setup.players + 1,
    )
    if any(sources(after)):
        return after
    return replace(after, phase=OVER if after.round >= TIDES else FILL)


def _at(state: State, source: int) -> Kinds:
    return _nth(sources(state), source)


def _nth(heaps: Sequence[Kinds], i: int) -> Kinds:
    return heaps[i] if i < len(heaps) else ()


def _minus(kinds: Kinds, less: Iterable[str]) -> Kinds:
    return kinds_of((Counter(kinds) - Counter(less)).elements())


def _taken(state: State, move: Take) -> Kinds:
    count = _at(state, move.source).count(move.kind) - (LEFT in {slip.kind for slip in move.slips})
    return (move.kind,) * count


def _laid(state: State, move: Take) -> tuple[tuple[Shelf, ...], Kinds]:
    """The shelves of a seat after a take, and what found no room."""
    pool, taken = state.pools[move.seat - 1], _taken(state, move)
    if not move.shelf:
        return pool, taken
    shelf, left = list(pool[move.shelf - 1]), list(taken)
    from_right = GAP in {slip.kind for slip in move.slips}
    for i in sorted(range(ROOM), reverse=from_right):
        if left and shelf[i] == EMPTY:
            shelf[i] = left.pop()
    return (*pool[: move.shelf - 1], tuple(shelf), *pool[move.shelf :]), tuple(left)


def deal(state: State, sample: Sample) -> Wave:
    drawn = list(sample(state.bag, HELD * len(state.baskets)))
    return Wave(tuple(kinds_of(drawn[i : i + HELD]) for i in range(0, len(drawn), HELD)))


def draws(state: State, glimpse: Glimpse) -> Iterator[Drawn]:
    """The likeliest filling that is seen, then one basket otherwise."""
    seen = [glimpse.heap(f"basket.{i}", HELD, 3) for i in range(1, len(state.baskets) + 1)]
    if all(guesses and len(guesses[0]) == HELD for guesses in seen):
        first = [kinds_of(guesses[0]) for guesses in seen]
        yield Drawn(Wave(tuple(first)))
        for i, guesses in enumerate(seen):
            yield from (Drawn(Wave((*first[:i], kinds_of(each), *first[i + 1 :]))) for each in guesses[1:])


def seen_breaches(state: State, glimpse: Glimpse) -> Iterator[Move]:
    """A filling with too many tokens in a basket, or too few in one of them."""
    seen = [glimpse.heap(f"basket.{i}", HELD + 1) for i in range(1, len(state.baskets) + 1)]
    filled = tuple(kinds_of(guesses[0]) for guesses in seen if guesses)
    sizes = [*map(len, filled)]
    if state.phase == FILL and len(sizes) == len(seen) and min(sizes) >= HELD - 1 and sizes.count(HELD) < len(sizes):
        yield Wave(filled)


def renumbered(move: Move, numbers: Mapping[int, int]) -> Move:
    if isinstance(move, Wave):
        return Wave(tuple(kinds for _, kinds in sorted(zip(numbers.values(), move.baskets, strict=True))))
    return replace(move, source={0: 0, **numbers}[move.source])


def correct(state: State, cells: Mapping[str, str | int], seat: int) -> State:
    for cell, value in cells.items():
        state = _corrected(state, seat, cell.split("."), value)
    lying = Counter(kind for place, kinds in heaps(state).items() if place not in ("bag", "box") for kind in kinds)
    if lying - Counter(start(state.setup).bag):
        raise ImpossibleMoveError(say("there are not so many tokens"))
    hidden = kinds_of((Counter(start(state.setup).bag) - lying).elements())
    box = kinds_of((Counter(state.box) & Counter(hidden)).elements())
    phase = FILL if state.phase == GATHER and not any(sources(state)) else state.phase
    return replace(state, bag=_minus(hidden, box), box=box, phase=phase)


def _corrected(state: State, seat: int, cell: list[str], value: str | int) -> State:
    kinds = kinds_of(str(value).split())
    match cell:
        case ["score"] if seat and type(value) is int:
            return replace(state, scores=_with(state.scores, seat, value))
        case ["tide" | "round"] if not seat and value in range(TIDES + 1):
            return replace(state, round=int(value))
        case ["turn"] if not seat and value in state.setup.seats:
            return replace(state, next=int(value))
        case ["phase"] if not seat and value in (FILL, GATHER, OVER):
            return replace(state, phase=str(value))
        case ["shelf", row, place] if seat and value in (*LETTERS, EMPTY):
            pool = state.pools[seat - 1]
            shelf = _with(pool[int(row) - 1], int(place), str(value))
            return replace(state, pools=_with(state.pools, seat, _with(pool, int(row), shelf)))
        case ["sand"] if not seat and {*kinds} <= {*LETTERS}:
            return replace(state, sand=kinds)
        case ["basket", i] if not seat and {*kinds} <= {*LETTERS} and int(i) in range(1, len(state.baskets) + 1):
            return replace(state, baskets=_with(state.baskets, int(i), kinds))
    raise RecordError(f"a correction cannot set {'.'.join(cell)!r} to {value!r}")


def _with(values: tuple[Any, ...], place: int, value: object) -> tuple[Any, ...]:
    return (*values[: place - 1], value, *values[place:])


def heaps(state: State) -> dict[str, Sequence[str]]:
    laid = tuple(kind for pool in state.pools for shelf in pool for kind in shelf if kind != EMPTY)
    return {"bag": state.bag, "box": state.box, "baskets": sum(state.baskets, ()), "sand": state.sand, "laid": laid}


# -------------------------------------------------------------------------------------------------------------- scoring


def is_full(shelf: Iterable[str]) -> bool:
    kinds = {*shelf}
    return len(kinds) == 1 and not kinds & {EMPTY, UNSEEN}


def worth(shelves: Iterable[Shelf]) -> int:
    """What shelves have brought since the game began."""
    return sum(sum(kind in LETTERS for kind in shelf) + FULL_SHELF * is_full(shelf) for shelf in shelves)


def score(state: State, move: Move) -> list[ScoreLine]:
    if isinstance(move, Wave) or not move.shelf:
        return []
    pool, _ = _laid(state, move)
    points = worth(pool) - worth(state.pools[move.seat - 1])
    text = say("tokens on shelf {shelf}", shelf=move.shelf)
    return [ScoreLine(move.seat, points, POINTS, (f"shelf.{move.shelf}",), text)] if points else []


def bonus_lines(seat: int, shelves: Iterable[Shelf]) -> tuple[ScoreLine, ...]:
    full = [n for n, shelf in enumerate(shelves, 1) if is_full(shelf)]
    return tuple(
        ScoreLine(seat, FULL_AT_END, BONUS, (f"shelf.{n}",), say("shelf {shelf} is full", shelf=n)) for n in full
    )


def bonuses(state: State) -> list[ScoreLine]:
    return [line for seat, pool in enumerate(state.pools, 1) for line in bonus_lines(seat, pool)]


def winners(state: State) -> tuple[int, ...]:
    totals = [total(bonus_lines(0, pool)) + points for pool, points in zip(state.pools, state.scores, strict=True)]
    return tuple(seat for seat, points in enumerate(totals, 1) if points == max(totals))


# ----------------------------------------------------------------------------------------------- what lies on the table

NAMES = tuple(tuple(f"shelf.{row}.{i}" for i in range(1, ROOM + 1)) for row in SHELVES)


def shelves_of(part: Part) -> tuple[Shelf, ...]:
    return tuple(tuple(part.cells.get(name, UNSEEN) for name in row) for row in NAMES)


def _part(seat: int, shelves: Sequence[Sequence[str]], points: int | None) -> Part:
    cells = {
        name: kind for row, shelf in zip(NAMES, shelves, strict=True) for name, kind in zip(row, shelf, strict=True)
    }
    return Part(seat, SIDE, Frozen(cells), Frozen({"score": points}))


def _common(baskets: Iterable[Kinds] | None, sand: Kinds | None, tide: int | None) -> Part:
    lying = {f"basket.{i}": kinds_of(kinds) for i, kinds in enumerate(baskets or (), 1)}
    lying |= {} if sand is None else {"sand": kinds_of(sand)}
    return Part(ALL, SIDE, tracks=Frozen({} if tide is None else {"tide": tide}), heaps=Frozen(lying))


def _table(common: Part, boards: Iterable[Part]) -> Table:
    return Table(SLUG, SIDE, (*([common] if common.heaps or common.tracks else ()), *boards))


def table_of(state: State) -> Table:
    boards = (_part(seat, state.pools[seat - 1], state.scores[seat - 1]) for seat in state.setup.seats)
    return _table(_common(state.baskets, state.sand, state.round), boards)


def table_violations(table: Table, _state: State | None) -> list[Violation]:
    found = []
    for part in table.boards:
        for n, shelf in enumerate(shelves_of(part), 1):
            kinds = [kind for kind in shelf if kind != UNSEEN]
            broken = {
                ONE_KIND: len({*kinds} - {EMPTY}) > 1,
                FROM_LEFT: kinds != sorted(kinds, key=lambda kind: kind == EMPTY),
            }
            found += [
                Violation(rule, RULES[rule].text, part.seat, f"shelf.{n}") for rule, is_so in broken.items() if is_so
            ]
    return found


def outlook(table: Table) -> list[Outlook]:
    return [
        Outlook(
            part.seat,
            part.tracks.get("score"),
            (),
            0,
            bonus_lines(part.seat, shelves_of(part)),
            tuple(name for row in NAMES for name in row if part.cells.get(name, UNSEEN) == UNSEEN),
        )
        for part in table.boards
    ]


def format_table(table: Table) -> dict[str, Any]:
    common = table.common
    boards = [
        {"seat": part.seat, "shelves": list(map(list, shelves_of(part))), "score": part.tracks.get("score")}
        for part in table.boards
    ]
    baskets = [{"tiles": list(kinds)} for kinds in common.numbered.get("basket", {}).values()]
    told: dict[str, Any] = {"edition": SLUG, "side": table.side, "boards": boards, "baskets": baskets}
    told |= {"sand": list(common.heaps["sand"])} if "sand" in common.heaps else {}
    return told | ({"tide": common.tracks["tide"]} if "tide" in common.tracks else {})


def parse_table(written: Mapping[str, Any]) -> Table:
    side_of(written.get("side", SIDE), "side", (SIDE,))
    boards = [
        _part(seat, _shelves(board.get("shelves")), score_or_unknown(board.get("score"), "score"))
        for seat, board in boards_of(written)
    ]
    baskets = [_kinds(an_object(each, "baskets").get("tiles"), "baskets") for each in written.get("baskets", ())]
    sand, tide = written.get("sand"), written.get("tide")
    common = _common(
        baskets,
        None if sand is None else _kinds(sand, "sand"),
        None if tide is None else number(tide, "tide", range(TIDES + 1)),
    )
    return _table(common, boards)


def _kinds(value: object, name: str, allowed: Iterable[str] = (*LETTERS, UNSEEN)) -> Kinds:
    if not isinstance(value, list) or any(kind not in tuple(allowed) for kind in value):
        raise TableError(f"{name} must be a list of kinds, not {value!r}")
    return tuple(value)


def _shelves(value: object) -> list[Kinds]:
    if not isinstance(value, list) or [len(each) if isinstance(each, list) else 0 for each in value] != [ROOM] * 3:
        raise TableError(f"shelves must be three lists of {ROOM} kinds, not {value!r}")
    return [_kinds(shelf, "shelves", (*LETTERS, EMPTY, UNSEEN)) for shelf in value]


def show(table: Table) -> str:
    rows = [f"seat {p.seat}: {' | '.join(' '.join(s) for s in shelves_of(p))}" for p in table.boards]
    return "\n".join([*rows, *(f"{name}: {' '.join(kinds) or '-'}" for name, kinds in table.common.heaps.items())])


# ----------------------------------------------------------------------------------------------- how it is written down


def parse_event(state: State | None, event: Mapping[str, Any]) -> Move:
    fields, seats = Fields(event), range(1, state.setup.players + 1 if state else 4)
    match event["event"]:
        case "wave":
            told = fields.left.pop("baskets", None)
            if not isinstance(told, list):
                raise RecordError(f"baskets must be a list, not {told!r}")
            move: Move = Wave(tuple(_kinds(each, "baskets", LETTERS) for each in told))
        case "take":
            seat, source = fields.number("seat", seats), fields.number("from", range(10))
            kind, shelf = fields.text("kind"), fields.number("shelf", range(4))
            move = Take(seat, source, kind, shelf, fields.slips(""))
        case other:
            raise RecordError(f"no event of this game is called {other!r}")
    fields.done()
    return move


def format_event(move: Move) -> dict[str, Any]:
    if isinstance(move, Wave):
        return {"event": "wave", "baskets": [list(kinds) for kinds in move.baskets]}
    told = {"event": "take", "seat": move.seat, "from": move.source, "kind": move.kind, "shelf": move.shelf}
    return told | slips_json(move.slips)


def format_move(move: Move) -> str:
    return json.dumps(format_event(move), separators=(",", ":"))


def parse_move(text: str) -> Move:
    return parse_event(None, _json(text))


def format_state(state: State) -> str:
    setup = state.setup
    rest = [state.phase, state.round, state.next, state.bag, state.box, state.baskets, state.sand, state.pools]
    told = json.dumps([*rest, state.scores], separators=(",", ":"))
    return f"{SLUG}:{setup.side}:{setup.players}:{setup.first} {told}"


def parse_state(text: str) -> State:
    head, _, rest = text.partition(" ")
    side, players, first = match_part(rf"{SLUG}:(\w+):(\d):(\d)", head, "set-up")
    told = _json(rest)
    if not isinstance(told, list) or len(told) != 9:
        raise NotationError(f"the state of a game cannot be {rest!r}")
    return State(EDITION.setup(side, int(players), int(first)), *map(_frozen, told))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise NotationError(f"this is no notation: {text!r}") from None


def describe(move: Move) -> Text:
    if isinstance(move, Wave):
        return say("a wave fills the baskets: {kinds}", kinds=", ".join(map(written, move.baskets)))
    return say("seat {seat} takes {kind}", seat=move.seat, kind=LETTERS[move.kind])


# -------------------------------------------------------------------------------------------------- what people touch

TAKE, LAY, PUT_AWAY, FILLING = say("Take"), say("Lay it on"), say("Put it away"), say("Fill the baskets")


def acts(_state: State, move: Move) -> tuple[Act, ...]:
    if isinstance(move, Wave):
        return (Act(FILLING),)
    source = f"basket.{move.source}" if move.source else "sand"
    to = Act(LAY, (Touch(move.seat, f"shelf.{move.shelf}"),)) if move.shelf else Act(PUT_AWAY, (Touch(move.seat, ""),))
    return Act(TAKE, (Touch(ALL, source, move.kind),)), to


def awaited(state: State) -> tuple[Draw, ...]:
    return tuple(Draw(f"basket.{i}", HELD, state.bag) for i in range(1, len(state.baskets) + 1))


def place_name(name: str) -> Text:
    match name.split("."):
        case ["shelf", row, place]:
            return say("shelf {row}, cell {place}", row=row, place=place)
        case ["shelf", row]:
            return say("shelf {row}", row=row)
        case ["basket", i]:
            return say("basket {number}", number=i)
        case ["sand" | "tide" | "score" as one]:
            return {"sand": say("the sand"), "tide": say("tide"), "score": say("score")}[one]
    return say("{name}", name=name)


# -------------------------------------------------------------------------------------------- between two photographs


def gains(before: View, after: View, stretch: Stretch, _setup: Setup[Any]) -> Gains:
    """Shelves keep everything, so they tell the points."""
    if conflicts(before.part, after.part) or (after.scored or 0) - (before.scored or 0) != stretch.rounds:
        return {}
    return {Gain(worth(shelves_of(after.part)) - worth(shelves_of(before.part))): 1.0}


def conflicts(before: Part, after: Part) -> tuple[str, ...]:
    return changed_cells(before, after, ("shelf",))


def views(view: View, _setup: Setup[Any]) -> list[tuple[View, float]]:
    """A tide is over once nothing is left to be taken."""
    tide = view.common.tracks.get("tide")
    told = range(TIDES + 1) if tide is None else [tide] if not tide or view.left == 0 else [tide - 1]
    if tide and view.left is None:
        told = [tide - 1, tide]
    return [(replace(view, scored=n), 1 / len(told)) for n in told]


def fewest_rounds(before: View, after: View) -> int:
    then, now = before.common.tracks.get("tide"), after.common.tracks.get("tide")
    return 0 if then is None or now is None else max(0, now - 1 - then)


def endings(view: View, _setup: Setup[Any]) -> frozenset[Ending]:
    bonus = Gain(total(bonus_lines(view.part.seat, shelves_of(view.part))))
    return frozenset({Ending(Gain(), bonus, over=view.scored == TIDES, countable=view.scored == TIDES)})


def resumes(before: State, table: Table, _rounds: int) -> Iterator[Resumption]:
    """Tokens that lie out tell that a tide goes on, the tide how far the game is; whose turn it is nobody knows."""
    common, tide = table.common, table.common.tracks.get("tide") or 0
    phase = GATHER if any(common.heaps.values()) else OVER if tide >= TIDES else FILL
    taken = sum(map(len, before.baskets)) + len(before.sand) + HELD * len(before.baskets) * max(0, tide - before.round)
    for seat in before.setup.seats:
        yield Resumption({"phase": phase, "round": tide, "turn": seat}, missed=taken // 2)


STRETCHES = Stretches(
    gains=gains,
    conflicts=conflicts,
    reasons=lambda before, after, *_: Reasons(
        say("{points} points on the shelves", points=worth(shelves_of(after.part)) - worth(shelves_of(before.part)))
    ),
    views=views,
    fewest_rounds=fewest_rounds,
    is_due=lambda _view: False,
    round_tiles=lambda setup: HELD * BASKETS[setup.players],
    taken=lambda _before, _after, _setup: None,
    dearest=lambda _stretch, _setup: 0,
    most=lambda view, _setup: worth(shelves_of(view.part)),
    endings=endings,
    closing=lambda _views, _setup: OVER,
)

EDITION: Edition[State, Move] = Edition(
    slug=SLUG,
    name="Tide Pool",
    sides=(SIDE,),
    players=tuple(BASKETS),
    letters=LETTERS,
    tiles_of_each=OF_EACH,
    who_begins=say("The youngest player begins."),
    rulebook=RULES,
    parse_options=lambda options, _side: tuple(read_options(options, {})),
    format_options=lambda _setup: {},
    start=start,
    legal_moves=legal_moves,
    choices=legal_moves,
    pseudo_moves=pseudo_moves,
    apply=apply,
    enact=enact,
    correct=correct,
    implied=lambda _state: None,
    settle=lambda state: state,
    awaits_chance=in_fill,
    deal=deal,
    draws=draws,
    seen_breaches=seen_breaches,
    renumbered=renumbered,
    in_hand=frozenset({LEFT, STAY}),
    is_pass=lambda _move: False,
    out_of_turn=TURN,
    violations=violations,
    score=score,
    bonuses=bonuses,
    winners=winners,
    table=table_of,
    table_violations=table_violations,
    outlook=outlook,
    parse_table=parse_table,
    format_table=format_table,
    heap_fields={"basket": "baskets"},
    show=show,
    parse_state=parse_state,
    format_state=format_state,
    parse_move=parse_move,
    format_move=format_move,
    describe=describe,
    parse_event=parse_event,
    format_event=format_event,
    heaps=heaps,
    acts=acts,
    awaited=awaited,
    drawn=lambda _state, drawn: Wave(tuple(map(kinds_of, drawn))),
    place_name=place_name,
    kinds_at=lambda _place: tuple(LETTERS),
    stretches=STRETCHES,
    resumes=resumes,
)
