"""Azul by chance: a state machine that also breaks rules, and a second, naive referee to agree with.

The referee is written from the text of rules/azul.md alone: cells in dicts, every run counted step by step, nothing of
the engine's. It reads the events of a game as a record writes them.
"""

import os
import random
from collections import Counter
from copy import deepcopy
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import engine
from engine.record import Start, dump_event, final, format_start, replay

EFFORT = int(os.environ.get("AZUL_EFFORT", "1"))
# Shrinking a whole game takes minutes, so that too is left to the longer run.
PHASES = set(Phase) if EFFORT > 1 else set(Phase) - {Phase.shrink, Phase.explain}
CALM = settings(deadline=None, derandomize=EFFORT == 1, phases=PHASES)
AZUL = engine.load("azul")
EDITIONS = [AZUL, engine.load("azul-mini")]
COLOURS = "BYRKW"
EVERYTHING = Counter(COLOURS * 20)

# ---------------------------------------------------------------------------------------------------------- the referee

PRINT = {(r, c): "BYRKW"[(c - r) % 5] for r in range(1, 6) for c in range(1, 6)}
FLOOR_COSTS = [1, 1, 2, 2, 2, 3, 3]


class Player:
    def __init__(self) -> None:
        self.lines: dict[int, list[str]] = {row: [] for row in range(1, 6)}
        self.wall: dict[tuple[int, int], str] = {}
        self.floor: list[str] = []
        self.score = 0

    def run(self, cell, step):
        """How many tiles lie in a row through a cell, this one included, in both directions of a step."""
        length = 1
        for sign in (1, -1):
            row, column = cell
            while (row + sign * step[0], column + sign * step[1]) in self.wall:
                row, column = row + sign * step[0], column + sign * step[1]
                length += 1
        return length

    def worth(self, cell):
        across, down = self.run(cell, (0, 1)), self.run(cell, (1, 0))
        if across == 1 and down == 1:
            return 1
        return (across if across > 1 else 0) + (down if down > 1 else 0)

    def columns(self, row, colour, side):
        """Where a colour may go in a row of the wall."""
        free = [column for column in range(1, 6) if (row, column) not in self.wall]
        if side == "coloured":
            return [column for column in free if PRINT[row, column] == colour]
        taken = {cell[1] for cell, tile in self.wall.items() if tile == colour}
        in_row = any(cell[0] == row and tile == colour for cell, tile in self.wall.items())
        return [] if in_row else [column for column in free if column not in taken]

    def to_floor(self, tiles):
        """What of these tiles finds no cell."""
        spilled = []
        for tile in tiles:
            if len(self.floor) < 7:
                self.floor.append(tile)
            else:
                spilled.append(tile)
        return spilled

    def tile(self, row, column):
        """Empty a line onto the wall, or the floor: what goes into the lid."""
        tiles, self.lines[row] = self.lines[row], []
        if column == 0:
            return self.to_floor(tiles)
        self.score += self.worth((row, column))
        self.wall[row, column] = tiles.pop()
        return tiles

    def sweep(self):
        """Charge and clear the floor: what goes into the lid."""
        self.score = max(0, self.score - sum(FLOOR_COSTS[: len(self.floor)]))
        swept, self.floor = [tile for tile in self.floor if tile != "1"], []
        return swept

    def tilings(self, side):
        """What every way of tiling this wall brings in this round, floor included."""
        rows, gains = self.complete(), []
        for columns in product(range(6), repeat=len(rows)):
            trial = deepcopy(self)
            for row, column in zip(rows, columns, strict=True):
                if column not in (trial.columns(row, trial.lines[row][0], side) or [0]):
                    break
                trial.tile(row, column)
            else:
                trial.sweep()
                gains.append(trial.score - self.score)
        return gains

    def transcripts(self, rows, side):
        """What can be written down of tiling these rows from the top: row, column and points of each."""
        if not rows:
            return [((), self)]
        found = []
        for column in self.columns(rows[0], self.lines[rows[0]][0], side) or [0]:
            after = deepcopy(self)
            after.tile(rows[0], column)
            told = (rows[0], column, after.score - self.score)
            found += [((told, *later), end) for later, end in after.transcripts(rows[1:], side)]
        return found

    def legal_tiles(self, side):
        """The rows and columns that may be tiled now: out of order only where that changes nothing for anybody."""
        found = set()
        for row in self.complete():
            above, colour = [upper for upper in self.complete() if upper < row], self.lines[row][0]
            in_order = self.transcripts(above, side)
            for column in self.columns(row, colour, side) or [0]:
                first = deepcopy(self)
                first.tile(row, column)
                same_above = {told for told, _ in in_order} == {told for told, _ in first.transcripts(above, side)}
                later = {(column, first.score - self.score)}
                for _, end in in_order:
                    fits = column in (end.columns(row, colour, side) or [0])
                    later.add((column if fits else None, end.worth((row, column)) if column else 0))
                if same_above and len(later) == 1:
                    found.add((row, column))
        return found

    def complete(self):
        return [row for row in range(1, 6) if len(self.lines[row]) == row]

    def rows(self):
        return [r for r in range(1, 6) if all((r, c) in self.wall for c in range(1, 6))]

    def bonus(self):
        columns = [c for c in range(1, 6) if all((r, c) in self.wall for r in range(1, 6))]
        colours = [x for x in COLOURS if list(self.wall.values()).count(x) == 5]
        return 2 * len(self.rows()) + 7 * len(columns) + 10 * len(colours)


class Referee:
    def __init__(self, side: str, players: int, first: int) -> None:
        self.side, self.starter, self.turn = side, first, first
        self.players = {seat: Player() for seat in range(1, players + 1)}
        self.bag, self.lid = list(COLOURS * 20), list[str]()
        self.sources: dict[int, list[str]] = {}
        self.marker: int | None = None
        self.over, self.round = False, 0

    def play(self, event):
        if event["event"] == "fill":
            self.fill(event["factories"])
        elif event["event"] == "take":
            self.take(event["seat"], event["from"], event["colour"], event["line"])
        elif event["event"] == "tile":
            self.lid += self.players[event["seat"]].tile(event["row"], event["column"])
        else:
            self.lid += self.players[event["seat"]].sweep()
        if self.sources and not any(self.sources.values()):
            if self.side == "coloured":
                for player in self.players.values():
                    for row in player.complete():
                        (column,) = player.columns(row, player.lines[row][0], self.side)
                        self.lid += player.tile(row, column)
            if not any(player.complete() for player in self.players.values()):
                self.end_round()

    def fill(self, discs):
        for disc in discs:
            drawn = list(disc)
            if len(drawn) > len(self.bag):
                # In whatever order they are written: all that was left of the bag lies on this disc.
                for tile in self.bag:
                    drawn.remove(tile)
                self.bag, self.lid = self.lid, []
            for tile in drawn:
                self.bag.remove(tile)
        self.sources = {0: [], **{i: list(disc) for i, disc in enumerate(discs, 1)}}
        self.marker, self.turn = None, self.starter
        self.round += 1

    def take(self, seat, source, colour, line):
        player = self.players[seat]
        taken = [tile for tile in self.sources[source] if tile == colour]
        rest = [tile for tile in self.sources[source] if tile != colour]
        self.sources[source] = []
        self.sources[0] += rest
        if source == 0 and self.marker is None:
            self.marker = seat
            player.to_floor(["1"])
        while line and taken and len(player.lines[line]) < line:
            player.lines[line].append(taken.pop())
        self.lid += player.to_floor(taken)
        self.turn = seat + 1 if seat + 1 in self.players else 1

    def end_round(self):
        for player in self.players.values():
            self.lid += player.sweep()
        self.starter = self.marker or self.starter
        self.sources = {}
        self.over = any(player.rows() for player in self.players.values()) or not (self.bag or self.lid)

    def legal_takes(self):
        player = self.players[self.turn]
        return {
            (self.turn, source, colour, line)
            for source, tiles in self.sources.items()
            for colour in set(tiles)
            for line in range(6)
            if line == 0
            or (
                len(player.lines[line]) < line
                and set(player.lines[line]) <= {colour}
                and not any(cell[0] == line and tile == colour for cell, tile in player.wall.items())
            )
        }

    def totals(self):
        return [player.score + player.bonus() for player in self.players.values()]

    def winners(self):
        standing = {seat: (p.score + p.bonus(), len(p.rows())) for seat, p in self.players.items()}
        return tuple(seat for seat in standing if standing[seat] == max(standing.values()))

    def table(self):
        """All that there is, in the engine's spelling."""
        boards = [
            (
                tuple("".join(tiles).rjust(row, ".") for row, tiles in player.lines.items()),
                tuple("".join(player.wall.get((r, c), ".") for c in range(1, 6)) for r in range(1, 6)),
                "".join(player.floor),
                player.score,
            )
            for player in self.players.values()
        ]
        return boards, Counter(self.bag), Counter(self.lid), self.starter, self.over, self.round


def table_of(state):
    boards = [(board.lines, board.wall, board.floor, board.score) for board in state.boards]
    return boards, Counter(state.bag), Counter(state.lid), state.starter, state.phase == engine.OVER, state.round


def careful(state, choices, rng):
    """A move by chance, but not to the floor where a line is open: such games have bonuses."""
    on_lines = [move for move in choices if state.phase == "draft" and move.line]
    return rng.choice(on_lines or choices)


def judged_game(edition, side, players, seed):
    """Play a game by chance and have the referee judge every event; the state it ended in, and how often what came."""
    rng = random.Random(f"{side} {players} {seed}")
    state = edition.start(edition.setup(side, players, first=seed % players + 1))
    referee, seen = Referee(side, players, state.setup.first), Counter[str]()
    while state.phase != engine.OVER and state.round <= 25:
        if edition.awaits_chance(state):
            assert table_of(state) == referee.table()
            seen["poured"] += len(state.bag) < 4 * len(state.factories)
            move = edition.deal(state, rng.sample)
        else:
            choices = edition.choices(state)
            move = careful(state, choices, rng) if seed % 2 else rng.choice(choices)
        event = edition.format_event(move)
        referee.play(event)
        state = edition.settle(edition.apply(state, move))
        assert list(state.scores) == [player.score for player in referee.players.values()], event
        seen["blocked"] += event.get("column") == 0
    assert table_of(state) == referee.table()
    seen["over"] += state.phase == engine.OVER
    seen["bonus"] += sum(player.bonus() > 2 for player in referee.players.values())
    if state.phase == engine.OVER:
        totals = final(edition, state)
        assert totals is not None
        assert [points for points, _ in totals.values()] == referee.totals()
        assert edition.winners(state) == referee.winners()
    return seen


@pytest.mark.parametrize(
    ("edition", "side", "players", "games"),
    [
        pytest.param(edition, side, players, games, id=f"{edition.slug}-{side}-{players}")
        for edition, side, games in [
            (AZUL, "coloured", 600),
            (AZUL, "grey", 150),
            (EDITIONS[1], "coloured", 70),
            (EDITIONS[1], "grey", 20),
        ]
        for players in (2, 3, 4)
    ],
)
def test_a_naive_referee_agrees_on_whole_games(edition, side, players, games):
    seen = sum((judged_game(edition, side, players, seed) for seed in range(games * EFFORT)), Counter[str]())
    # Games in which nothing happens would agree too.
    assert seen["over"] > games // 2
    assert seen["poured"]
    assert seen["bonus"]
    assert bool(seen["blocked"]) is (side == "grey")


@pytest.mark.parametrize("side", AZUL.sides)
@pytest.mark.parametrize("players", AZUL.players)
def test_a_naive_referee_agrees_on_what_is_allowed_and_what_a_round_can_bring(side, players, game):
    brought = skipped = 0
    for seed in range(6 * EFFORT):
        start = Start(AZUL, AZUL.setup(side, players))
        referee = Referee(side, players, 1)
        for turn in game(start, random.Random(seed)):
            moves = AZUL.legal_moves(turn.before)
            if turn.before.phase == "draft":
                assert {(m.seat, m.source, m.colour, m.line) for m in moves} == referee.legal_takes()
                assert len(moves) == len(referee.legal_takes())
            if turn.before.phase == "tile":
                tiles = {(m.seat, m.row, m.column) for m in moves if hasattr(m, "row")}
                seats = enumerate(map(player_of, turn.before.boards), 1)
                assert tiles == {(seat, *cell) for seat, player in seats for cell in player.legal_tiles(side)}
                skipped += len({row for seat, row, _ in tiles if seat == turn.move.seat}) > 1
            if turn.after.phase == "tile" != turn.before.phase:
                # The referee tiles at once on the coloured side, so it is asked about the table as the engine left it.
                gains = [player_of(board).tilings(side) for board in turn.after.boards]
                outlooks = AZUL.outlook(AZUL.table(turn.after))
                assert [(o.round_low, o.round_points) for o in outlooks] == [(min(g), max(g)) for g in gains]
                brought += sum(len(set(g)) > 1 for g in gains)
            referee.play(AZUL.format_event(turn.move))
    assert bool(brought) is bool(skipped) is (side == "grey")


def player_of(board):
    player = Player()
    player.lines = {row: list(line.replace(".", "")) for row, line in enumerate(board.lines, 1)}
    cells = ((r, c) for r in range(1, 6) for c in range(1, 6))
    player.wall = {(r, c): board.wall[r - 1][c - 1] for r, c in cells if board.wall[r - 1][c - 1] != "."}
    player.floor, player.score = list(board.floor), board.score
    return player


# Whole rows, columns and colours are rare in walls laid by chance, so walls are made of those.
ALL_CELLS = sorted(PRINT)
PARTS = [
    *({cell for cell in ALL_CELLS if cell[0] == r} for r in range(1, 6)),
    *({cell for cell in ALL_CELLS if cell[1] == c} for c in range(1, 6)),
    *({cell for cell in ALL_CELLS if PRINT[cell] == colour} for colour in COLOURS),
]
WALLS = st.builds(
    lambda parts, single, gone: set().union(*parts, single) - gone,
    st.lists(st.sampled_from(PARTS), max_size=5),
    st.sets(st.sampled_from(ALL_CELLS), max_size=4),
    st.sets(st.sampled_from(ALL_CELLS), max_size=2),
)


@settings(CALM, max_examples=300 * EFFORT)
@given(st.lists(st.tuples(WALLS, st.integers(0, 3)), min_size=2, max_size=4))
def test_a_naive_referee_agrees_on_the_end(walls):
    start = AZUL.start(AZUL.setup("coloured", len(walls)))
    referee, boards = Referee("coloured", len(walls), 1), []
    for (cells, score), player in zip(walls, referee.players.values(), strict=True):
        player.wall, player.score = {cell: PRINT[cell] for cell in cells}, score
        rows = tuple("".join(PRINT[r, c] if (r, c) in cells else "." for c in range(1, 6)) for r in range(1, 6))
        boards.append(start.boards[0]._replace(wall=rows, score=score))
    state = start._replace(boards=tuple(boards), phase=engine.OVER)
    totals = final(AZUL, state)
    assert totals is not None
    assert [points for points, _ in totals.values()] == referee.totals()
    assert AZUL.winners(state) == referee.winners()
    outlooks = AZUL.outlook(AZUL.table(state))
    assert [outlook.bonus_points for outlook in outlooks] == [player.bonus() for player in referee.players.values()]


def test_the_game_ends_when_bag_and_lid_have_nothing_for_another_round():
    board = "./.B/.BB/.YYY/....R|BYRK./WBYR./KWBY./RKWB./YRKW.|-|9"
    rest = "./.W/.WW/.KKK/..RRR|BYRK./WBYR./KWBY./RKWB./YRKW.|-|9"
    state = AZUL.parse_state(f"azul:coloured:4:1 r9 tile s1 m1 //////// - - - {board} {board} {rest} {rest} u1234")
    assert AZUL.settle(state).phase == engine.OVER
    lid = state._replace(lid="B")
    assert AZUL.settle(lid).phase == engine.FILL


def test_a_short_disc_is_no_breach_when_bag_and_lid_had_no_more():
    # Reached by legal play: the last disc got one tile, then floor lines overflowed into the empty lid.
    state = AZUL.parse_state(
        "azul:coloured:4:1 r9 draft2 s4 m4 ////////R BBWWWW - R1 "
        "./../RRR/..KK/..YYY|BY.KW/.BY.K/.WB../...../.....|RYYRRRR|7 "
        "./.B/..B/..../...WW|B.RKW/W..RK/.W.YR/RK.../.....|KK|5 "
        "./.B/.BB/..BB/.....|B.RK./W.YRK/KW.Y./...../.R...|WWWB|0 "
        "./RR/KKK/.YYY/..BBB|BY.KW/W.Y.K/.WBYR/.K.../Y..W.|YYY1KK|0"
    )
    assert AZUL.table_violations(AZUL.table(state), state) == []
    assert AZUL.table_violations(AZUL.table(state), None) == []


@pytest.mark.parametrize("side", AZUL.sides)
def test_games_hold_only_the_events_that_records_of_their_side_have(side, game):
    # docs/formats.md: a floor is swept by an event only with explicitTiling, otherwise by the last wall tile.
    kinds = {"fill", "take"} | ({"tile"} if side == "grey" else set())
    for seed in range(5):
        moves = [turn.move for turn in game(Start(AZUL, AZUL.setup(side, 3)), random.Random(seed))]
        assert {AZUL.format_event(move)["event"] for move in moves} == kinds


# What chance hardly comes by, most of it after something was done wrong; counts of the bag are filled in.
BARE = "./../.../..../.....|...../...../...../...../.....|-|0"
ODD_TABLES = {
    "discs of one colour": f"draft1 s1 m0 BBBB/YYYY/RRRR// - BAG - {BARE} {BARE}",
    "a floor line that is full": "draft1 s1 m0 BBKK//// KKW BAG - "
    f"B/.K/.../..../.....|...../...../...../...../.....|BBYYRRK|0 {BARE}",
    "one cell left on the floor line": "draft1 s1 m0 //// KKKKKKWW BAG - "
    f"./../.../..../.....|...../...../...../...../.....|BBYYRR|0 {BARE}",
    "a line filled from its left": "tile s1 m1 //// - BAG - "
    f"./../B../..../.....|...../...../...../...../.....|1|0 {BARE} u12",
    "a line with tiles piled on it": "tile s1 m1 //// - BAG - "
    f"./../BBBBB/..../.....|...../...../...../...../.....|1|0 {BARE} u12",
    "a colour that lies elsewhere in its row": "tile s1 m1 //// - BAG - "
    f"./../.../RRRR/.....|...../...../...../...R./.....|1|0 {BARE} u12",
}


@pytest.mark.parametrize("table", ODD_TABLES.values(), ids=ODD_TABLES.keys())
@pytest.mark.parametrize("side", AZUL.sides)
def test_all_that_hands_can_do_at_an_odd_table_can_be_judged(side, table):
    bag = "".join(f"{colour}{20 - table.replace('BAG', '').count(colour)}" for colour in COLOURS)
    state = AZUL.parse_state(f"azul:{side}:2:1 r2 " + table.replace("BAG", bag))
    legal = AZUL.legal_moves(state)
    for move in AZUL.pseudo_moves(state):
        assert bool(AZUL.violations(state, move)) is (move not in legal), move
        heaps = AZUL.heaps(AZUL.enact(state, move))
        assert Counter(tile for tiles in heaps.values() for tile in tiles) == EVERYTHING, move
        AZUL.score(state, move)


def test_a_tile_shifted_off_a_pile_leaves_a_line_of_its_length():
    state = AZUL.start(AZUL.setup("coloured", 2))
    for notation in ("fill:BBBB/YYYY/RRRR/KKKK/WWWW", "1:1B>1!stacked=B", "2:2Y>5", "1:3R>5!shifted=B@1"):
        state = AZUL.enact(state, AZUL.parse_move(notation))
    position = AZUL.table(state)
    assert state.boards[0].lines[0] == "B"
    assert AZUL.parse_table(AZUL.format_table(position)) == position


# ---------------------------------------------------------------------------------------------------- the state machine


class LegalGame(RuleBasedStateMachine):
    """Any legal game of both editions, with the options that change what a record holds."""

    edition: Any

    @initialize(
        slug=st.sampled_from(["azul", "azul-mini"]),
        side=st.sampled_from(AZUL.sides),
        players=st.sampled_from(AZUL.players),
        first=st.integers(1, 2),
        explicit=st.booleans(),
    )
    def set_up(self, slug, side, players, first, explicit):
        edition = self.edition = engine.load(slug)
        options = {"explicitTiling": True} if explicit else {}
        self.start = Start(edition, edition.setup(side, players, first, options))
        self.states = [edition.start(self.start.setup)]
        self.moves: list[Any] = []
        self.kept = [True]

    @property
    def state(self):
        return self.states[-1]

    def make(self, move, after):
        self.moves.append(move)
        self.states.append(self.edition.settle(after))

    @precondition(lambda self: self.edition.awaits_chance(self.state))
    @rule(rng=st.randoms(use_true_random=False))
    def fill(self, rng):
        move = self.edition.deal(self.state, rng.sample)
        self.make(move, self.edition.apply(self.state, move))
        self.kept.append(True)

    @precondition(lambda self: self.state.phase in ("draft", "tile"))
    @rule(data=st.data())
    def move(self, data):
        legal = self.edition.legal_moves(self.state)
        move = legal[data.draw(st.integers(0, len(legal) - 1))]
        self.make(move, self.edition.apply(self.state, move))
        self.kept.append(True)

    @precondition(lambda self: self.state.phase in ("draft", "tile"))
    @rule(data=st.data())
    def try_anything(self, data):
        """Whatever is tried, apply accepts it exactly if it is listed."""
        legal, state = self.edition.legal_moves(self.state), self.state
        pseudo = list(self.edition.pseudo_moves(state))
        for index in data.draw(st.lists(st.integers(0, len(pseudo) - 1), max_size=8)):
            if pseudo[index] in legal:
                self.edition.apply(state, pseudo[index])
            else:
                with pytest.raises(engine.IllegalMoveError):
                    self.edition.apply(state, pseudo[index])

    @precondition(lambda self: self.state.phase == engine.OVER)
    @rule()
    def read_the_result(self):
        totals = final(self.edition, self.state)
        assert totals is not None
        assert {totals[seat][0] for seat in self.edition.winners(self.state)} == {max(t for t, _ in totals.values())}

    @invariant()
    def no_tile_is_lost(self):
        assert Counter("".join(map("".join, self.edition.heaps(self.state).values()))) == EVERYTHING

    @invariant()
    def no_score_is_below_zero(self):
        assert min(self.state.scores) >= 0

    @invariant()
    def states_are_read_as_they_were_written(self):
        assert self.edition.parse_state(self.edition.format_state(self.state)) == self.state

    @invariant()
    def nothing_on_the_table_is_wrong(self):
        assert self.edition.table_violations(self.edition.table(self.state), self.state) == []

    def teardown(self):
        """The game replays from its own record: the same states, the same scores, the same judgement."""
        events = [format_start(self.start), *map(self.edition.format_event, self.moves)]
        steps = list(replay([dump_event(event) for event in events]))
        assert [step.state for step in steps] == self.states
        assert [step.ok for step in steps] == self.kept
        for before, step in pairwise(steps):
            points = Counter(dict(enumerate(before.state.scores, 1)))
            for line in step.lines:
                points[line.seat] += line.points
            assert list(points.values()) == list(step.state.scores)


class RoughGame(LegalGame):
    """A game in which hands now and then do what is forbidden."""

    @precondition(lambda self: self.state.phase in ("draft", "tile"))
    @rule(data=st.data())
    def break_a_rule(self, data):
        legal = self.edition.legal_moves(self.state)
        pseudo = [move for move in self.edition.pseudo_moves(self.state) if move not in legal]
        move = pseudo[data.draw(st.integers(0, len(pseudo) - 1))]
        told = f"{self.edition.format_move(move)} in {self.edition.format_state(self.state)}"
        assert self.edition.violations(self.state, move), told
        self.make(move, self.edition.enact(self.state, move))
        self.kept.append(False)

    @invariant()
    def nothing_on_the_table_is_wrong(self):
        """Much may be wrong on such a table, but it can be said, by rules of the rulebook."""
        found = self.edition.table_violations(self.edition.table(self.state), self.state)
        assert {violation.rule for violation in found} <= set(self.edition.rulebook)


@pytest.mark.parametrize("machine", [LegalGame, RoughGame])
def test_whatever_is_played(machine):
    run_state_machine_as_test(machine, settings=settings(CALM, max_examples=15 * EFFORT, stateful_step_count=60))
