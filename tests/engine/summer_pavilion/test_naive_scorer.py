"""A second, naive referee of whole games of Summer Pavilion, to agree with.

It is written from the text of rules/summer-pavilion.md alone: cells in dicts, every ring walked step by step, tables
typed from section 10, nothing of the engine's. It reads the events of a game as a record writes them.

AZUL_EFFORT=20 plays twenty times as many games.
"""

import os
import random
from collections import Counter
from itertools import combinations, product
from math import cos, dist, radians, sin

import pytest

import engine
from engine.record import final

EFFORT = int(os.environ.get("AZUL_EFFORT", "1"))
BIG, MINI = engine.load("summer-pavilion"), engine.load("summer-pavilion-mini")
FLOORS = {"summer-pavilion": 1, "summer-pavilion-mini": 0}

# ------------------------------------------------------------------------------------- what is printed, section 10

COLOURS = "PGOYBR"
STARS = "ORBYGPC"
# The numbers of each star at the bearings 0, 60, ... 300; those of the coloured side name the cells of both.
COLOURED = {"O": "612345", "R": "561234", "B": "456123", "Y": "345612", "G": "234561", "P": "123456", "C": "123456"}
BEIGE = {"O": "632145", "R": "563214", "B": "456321", "Y": "145632", "G": "214563", "P": "321456", "C": "333333"}
PRINTS = {
    side: {
        (star, int(slot)): int(number)
        for star in STARS
        for slot, number in zip(COLOURED[star], numbers[star], strict=True)
    }
    for side, numbers in (("coloured", COLOURED), ("beige", BEIGE))
}
PILLARS = ["O2 O3 C6 C1", "R2 R3 C1 C2", "B2 B3 C2 C3", "Y2 Y3 C3 C4", "G2 G3 C4 C5", "P2 P3 C5 C6"]
STATUES = ["O1 O2 R3 R4", "R1 R2 B3 B4", "B1 B2 Y3 Y4", "Y1 Y2 G3 G4", "G1 G2 P3 P4", "P1 P2 O3 O4"]
WINDOWS = ["O5 O6", "R5 R6", "B5 B6", "Y5 Y6", "G5 G6", "P5 P6"]
FEATURES = [
    (tiles, [(cell[0], int(cell[1])) for cell in cells.split()])
    for tiles, features in ((1, PILLARS), (2, STATUES), (3, WINDOWS))
    for cells in features
]
STAR_VALUES = {"C": 12, "R": 14, "B": 15, "Y": 16, "O": 17, "G": 18, "P": 20}
NUMBER_BONUSES = {1: 4, 2: 8, 3: 12, 4: 16}

# Where it is printed, in widths of the board: to be sure of the lists above.
EDGE = 0.1046
CENTRES = {
    "O": (0.343, 0.228),
    "R": (0.657, 0.228),
    "B": (0.814, 0.500),
    "Y": (0.657, 0.772),
    "G": (0.343, 0.772),
    "P": (0.186, 0.500),
    "C": (0.5, 0.5),
}
PILLARS_AT = [(0.422, 0.364), (0.578, 0.364), (0.657, 0.5), (0.578, 0.636), (0.422, 0.636), (0.343, 0.5)]
STATUES_AT = [(0.5, 0.228), (0.735, 0.364), (0.735, 0.636), (0.5, 0.772), (0.265, 0.636), (0.265, 0.364)]
WINDOWS_AT = [(0.272, 0.105), (0.728, 0.105), (0.956, 0.5), (0.728, 0.895), (0.272, 0.895), (0.044, 0.5)]


def test_the_typed_features_lie_between_their_cells():
    cells = {}
    for star, (x, y) in CENTRES.items():
        for turn, slot in enumerate(COLOURED[star]):
            bearing = radians(60 * turn)
            cells[star, int(slot)] = (x + 0.866 * EDGE * sin(bearing), y - 0.866 * EDGE * cos(bearing))
    places = [*PILLARS_AT, *STATUES_AT, *WINDOWS_AT]
    for (_, around), place in zip(FEATURES, places, strict=True):
        nearest = sorted(cells, key=lambda cell: dist(cells[cell], place))
        assert set(nearest[: len(around)]) == set(around)


# ------------------------------------------------------------------------------------------------------ the referee


class Player:
    def __init__(self, floor):
        self.cells: dict[tuple[str, int], str] = {}
        self.reserve: list[str] = []
        self.corners: list[str] = []
        self.score, self.floor = 5, floor

    def lose(self, points):
        for _ in range(points):
            if self.score > self.floor:
                self.score -= 1

    def run(self, star, slot):
        """How many tiles lie one after the other in the ring of a star, through this cell."""
        reached = {slot}
        for step in (1, -1):
            at = slot
            while True:
                at = {0: 6, 7: 1}.get(at + step, at + step)
                if (star, at) not in self.cells:
                    break
                reached.add(at)
                if at == slot:
                    break
        return len(reached)

    def takes_colour(self, star, colour, side):
        """Whether a colour may still go on a star."""
        lying = [tile for (other, _), tile in self.cells.items() if other == star]
        if side == "coloured":
            return colour not in lying if star == "C" else colour == star
        together = [*lying, colour]
        return len(set(together)) in (1, len(together))

    def bonus(self, side):
        points = 0
        for star in STARS:
            tiles = [self.cells[star, slot] for slot in range(1, 7) if (star, slot) in self.cells]
            if len(tiles) == 6:
                points += STAR_VALUES[tiles[0] if tiles == [tiles[0]] * 6 else "C"]
        for number, worth in NUMBER_BONUSES.items():
            if all(cell in self.cells for cell, printed in PRINTS[side].items() if printed == number):
                points += worth
        return points

    def total(self, side):
        before = self.score
        self.score += self.bonus(side)
        self.lose(len(self.corners))
        total, self.score = self.score, before
        return total


class Referee:
    def __init__(self, setup, jokers, tiles_of_each=22, generosity=1):
        self.generosity = generosity
        self.side, self.starter, self.jokers = setup.side, setup.first, jokers
        floor = FLOORS[setup.edition]
        self.players = {seat: Player(floor) for seat in range(1, setup.players + 1)}
        self.bag, self.tower = list(COLOURS * tiles_of_each), list[str]()
        self.sources: dict[int, list[str]] = {}
        self.supply: list[str | None] = [None] * 10
        self.token: int | None = None
        self.passed: set[int] = set()
        self.round, self.turn, self.owed = 0, 0, 0
        self.awaits = "fill"
        """What comes next: fill, take, place, bonus, supply or over."""

    @property
    def joker(self):
        return self.jokers[self.round - 1]

    def play(self, event):
        kind = "place" if event["event"] == "pass" else event["event"]
        assert kind == self.awaits, (event, self.awaits)
        if "seat" in event:
            assert event["seat"] == self.turn, event
        {
            "fill": self.fill,
            "take": self.take,
            "place": self.place,
            "bonus": self.take_bonus,
            "supply": self.refill,
            "pass": self.give_up,
        }[event["event"]](event)

    def draw(self, group):
        drawn = list(group)
        if len(drawn) > len(self.bag):
            # In whatever order they are written: all that was left of the bag is among them.
            for tile in self.bag:
                drawn.remove(tile)
            self.bag, self.tower = self.tower, []
        for tile in drawn:
            self.bag.remove(tile)

    def fill(self, event):
        self.round += 1
        for disc in event["factories"]:
            assert len(disc) == min(4, len(self.bag) + len(self.tower))
            self.draw(disc)
        self.sources = {0: [], **{i: list(disc) for i, disc in enumerate(event["factories"], 1)}}
        if self.round == 1:
            self.draw(event["supply"])
            self.supply = list(event["supply"])
        for player in self.players.values():
            player.reserve += player.corners
            player.corners = []
        self.token, self.turn, self.passed = None, self.starter, set()
        self.go_on()

    def take(self, event):
        player, source, colour = self.players[self.turn], event["from"], event["colour"]
        tiles = self.sources[source]
        if colour == self.joker:
            assert set(tiles) == {colour}
            taken = [colour]
        else:
            taken = [tile for tile in tiles if tile == colour]
            taken += [self.joker] if self.joker in tiles else []
        assert taken
        for tile in taken:
            tiles.remove(tile)
        if source == 0 and self.token is None:
            self.token = self.turn
            player.lose(len(taken))
        elif source:
            self.sources[0] += tiles
            self.sources[source] = []
        player.reserve += taken
        self.turn = self.after(self.turn)
        if not any(self.sources.values()):
            self.turn = self.token or self.starter
        self.go_on()

    def after(self, seat):
        return seat + 1 if seat + 1 in self.players else 1

    def place(self, event):
        player, colour, cell = self.players[self.turn], event["colour"], (event["star"], event["cell"])
        cost = PRINTS[self.side][cell]
        paid = [self.joker] * event["jokers"] + [colour] * (cost - event["jokers"])
        assert colour in paid
        assert cell not in player.cells
        assert player.takes_colour(event["star"], colour, self.side)
        for tile in paid:
            player.reserve.remove(tile)
        paid.remove(colour)
        self.tower += paid
        player.cells[cell] = colour
        player.score += player.run(*cell)
        owed = sum(tiles for tiles, around in FEATURES if cell in around and all(c in player.cells for c in around))
        self.owed = min(owed * self.generosity, sum(tile is not None for tile in self.supply))
        if self.owed:
            self.awaits = "bonus"
        else:
            self.end_turn()

    def take_bonus(self, event):
        assert len(event["tiles"]) == self.owed
        for tile in event["tiles"]:
            self.supply[self.supply.index(tile)] = None
            self.players[self.turn].reserve.append(tile)
        self.owed = 0
        self.end_turn()

    def give_up(self, event):
        player = self.players[self.turn]
        assert len(event["keep"]) <= 4
        for tile in event["keep"]:
            player.reserve.remove(tile)
        player.corners = list(event["keep"])
        player.lose(len(player.reserve))
        self.tower += player.reserve
        player.reserve = []
        self.passed.add(self.turn)
        self.end_turn()

    def end_turn(self):
        self.turn = self.after(self.turn)
        while self.turn in self.passed and len(self.passed) < len(self.players):
            self.turn = self.after(self.turn)
        self.go_on()

    def refill(self, event):
        gaps = [i for i, tile in enumerate(self.supply) if tile is None]
        assert len(event["tiles"]) == min(len(gaps), len(self.bag) + len(self.tower))
        self.draw(event["tiles"])
        for i, tile in zip(gaps, event["tiles"], strict=False):
            self.supply[i] = tile
        self.go_on()

    def go_on(self):
        """The supply is full before every turn, as far as there are tiles."""
        if len(self.passed) == len(self.players):
            self.starter = self.token or self.starter
            self.awaits = "over" if self.round == 6 else "fill"
        elif None in self.supply and (self.bag or self.tower):
            self.awaits = "supply"
        else:
            self.awaits = "take" if any(self.sources.values()) else "place"

    def legal(self):
        """What the player whose turn it is may do, as pieces of events."""
        player = self.players[self.turn]
        held = Counter(player.reserve)
        if self.awaits == "take":
            there = [(source, colour) for source, tiles in self.sources.items() for colour in set(tiles)]
            return {
                (source, colour)
                for source, colour in there
                if colour != self.joker or set(self.sources[source]) == {self.joker}
            }
        if self.awaits == "bonus":
            return parts([tile for tile in self.supply if tile], self.owed)
        places = set[tuple[object, ...]]()
        for cell, colour, jokers in product(PRINTS[self.side], COLOURS, range(6)):
            own = PRINTS[self.side][cell] - jokers
            paid = Counter({colour: own}) + Counter({self.joker: jokers})
            if own < 1 or cell in player.cells or (jokers and colour == self.joker) or paid - held:
                continue
            if player.takes_colour(cell[0], colour, self.side):
                places.add((*cell, colour, jokers))
        passes = set().union(*(parts(player.reserve, size) for size in range(5)))
        return places | {("pass", keep) for keep in passes}

    def totals(self):
        return [player.total(self.side) for player in self.players.values()]

    def winners(self):
        totals = dict(zip(self.players, self.totals(), strict=True))
        return tuple(seat for seat in totals if totals[seat] == max(totals.values()))

    def table(self):
        """All that there is, in the engine's spelling."""
        boards = [
            (
                tuple("".join(player.cells.get((star, k), ".") for k in range(1, 7)) for star in STARS),
                Counter(player.corners),
                Counter(player.reserve),
                player.score,
            )
            for player in self.players.values()
        ]
        supply = "".join(tile or "." for tile in self.supply)
        middle = [Counter(tiles) for tiles in self.sources.values() if tiles]
        return boards, middle, supply, Counter(self.bag), Counter(self.tower), self.starter, self.round


def parts(tiles, size):
    return {"".join(part) for part in combinations(sorted(tiles), size)}


def table_of(state):
    boards = [
        (board.stars, Counter(board.corners.replace(".", "")), Counter(board.reserve), board.score)
        for board in state.boards
    ]
    middle = [Counter(tiles) for tiles in (state.centre, *state.factories) if tiles]
    return boards, middle, state.supply, Counter(state.bag), Counter(state.tower), state.starter, state.round


def piece(move):
    """The part of a move that `Referee.legal` names."""
    event = BIG.format_event(move)
    match event["event"]:
        case "take":
            return event["from"], event["colour"]
        case "place":
            return event["star"], event["cell"], event["colour"], event["jokers"]
        case "pass":
            return "pass", event["keep"]
    return event["tiles"]


# ------------------------------------------------------------------------------------------------- games by chance


def any_move(edition, state, rng):
    """Any choice at all; of passes also those that give up more than they must."""
    moves = edition.legal_moves(state)
    passes = [move for move in moves if hasattr(move, "keep")]
    return rng.choice(passes if passes and rng.random() < 0.2 else moves)


def eager(edition, state, rng):
    """Any tile that can be laid; a pass only where none can."""
    moves = edition.choices(state)
    return rng.choice([move for move in moves if not hasattr(move, "keep")] or moves)


def single_minded(edition, state, rng):
    """As eager, but first where most tiles lie, and cheaply: such games have complete stars and numbers."""
    moves = [move for move in edition.choices(state) if hasattr(move, "star")]
    if not moves:
        return eager(edition, state, rng)
    stars = dict(zip(STARS, state.boards[state.seat - 1].stars, strict=True))
    most = max(6 - stars[move.star].count(".") for move in moves)
    return rng.choice([move for move in moves if 6 - stars[move.star].count(".") == most])


POLICIES = [eager, single_minded, eager, any_move]


def judged_game(edition, side, players, seed, tiles_of_each=22, generosity=1):
    """Play a game by chance and have the referee judge every event: how often what came."""
    rng = random.Random(f"{side} {players} {seed}")
    # Only the Mini has another order of jokers in its box.
    jokers = "".join(rng.sample(COLOURS, 6)) if edition is MINI and seed % 2 else COLOURS
    bonus_tiles = {"pillar": generosity, "statue": 2 * generosity, "window": 3 * generosity}
    options = {"jokerOrder": jokers, "bonusTiles": bonus_tiles}
    setup = edition.setup(side, players, first=seed % players + 1, options=options)
    referee, seen = Referee(setup, jokers, tiles_of_each, generosity), Counter[str]()
    state = edition.start(setup)._replace(bag="".join(sorted(referee.bag)))
    policy = POLICIES[seed % len(POLICIES)]
    while state.phase != engine.OVER:
        if edition.awaits_chance(state):
            move = edition.deal(state, rng.sample)
            seen["late refills"] += state.phase == "place"
            seen["poured"] += bool(state.tower) and len(state.bag) < 4 * len(state.factories)
        else:
            move = policy(edition, state, rng)
            seen["floor"] += state.boards[state.seat - 1].score == FLOORS[edition.slug]
        event = edition.format_event(move)
        referee.play(event)
        state = edition.apply(state, move)
        assert list(state.scores) == [player.score for player in referee.players.values()], event
        assert state.owed == referee.owed, event
        if referee.awaits in ("fill", "over"):
            assert table_of(state) == referee.table(), event
        else:
            assert state.seat == referee.turn or referee.awaits == "supply", event
        seen[event["event"]] += 1
        if event["event"] == "fill":
            seen["short discs"] += any(len(disc) < 4 for disc in event["factories"])
            seen["empty table"] += not any(event["factories"])
    assert referee.awaits == "over"
    totals = final(edition, state)
    assert totals is not None
    assert [points for points, _ in totals.values()] == referee.totals()
    assert edition.winners(state) == referee.winners()
    seen["bonuses"] += sum(player.bonus(side) > 0 for player in referee.players.values())
    seen["corners"] += sum(bool(player.corners) for player in referee.players.values())
    seen["shared"] += len(referee.winners()) > 1
    return seen


GAMES = [(BIG, "coloured", 500), (BIG, "beige", 300), (MINI, "coloured", 120), (MINI, "beige", 120)]


@pytest.mark.parametrize(
    ("edition", "side", "players", "games"),
    [
        pytest.param(edition, side, players, games * 2 // players, id=f"{edition.slug}-{side}-{players}")
        for edition, side, games in GAMES
        for players in (2, 3, 4)
    ],
)
def test_a_naive_referee_agrees_on_whole_games(edition, side, players, games):
    seen = sum((judged_game(edition, side, players, seed) for seed in range(games * EFFORT)), Counter[str]())
    # Games in which nothing happens would agree too.
    for what in ("bonus", "supply", "poured", "bonuses", "corners", "floor"):
        assert seen[what], what


@pytest.mark.parametrize("edition", [BIG, MINI], ids=lambda edition: edition.slug)
@pytest.mark.parametrize("side", BIG.sides)
def test_a_naive_referee_agrees_where_tiles_run_out(edition, side):
    """A box that has lost tiles, and rich bonuses: supply cells stay empty until the tower has something again."""
    games = [judged_game(edition, side, 4, seed, tiles_of_each=10, generosity=3) for seed in range(25 * EFFORT)]
    seen = sum(games, Counter[str]())
    for what in ("late refills", "short discs", "empty table"):
        assert seen[what], what


@pytest.mark.parametrize("edition", [BIG, MINI], ids=lambda edition: edition.slug)
@pytest.mark.parametrize("side", BIG.sides)
def test_a_naive_referee_agrees_on_what_is_allowed(edition, side):
    asked = Counter[str]()
    for seed in range(4 * EFFORT):
        rng, players = random.Random(seed), 2 + seed % 3
        setup = edition.setup(side, players)
        state, referee = edition.start(setup), Referee(setup, COLOURS)
        while state.phase != engine.OVER:
            if edition.awaits_chance(state):
                move = edition.deal(state, rng.sample)
            else:
                moves = edition.legal_moves(state)
                if asked.total() % 3 == 0 or state.phase == "bonus":
                    allowed = referee.legal()
                    assert {piece(move) for move in moves} == allowed
                    assert len(moves) == len(allowed)
                asked[state.phase] += 1
                move = eager(edition, state, rng)
            referee.play(edition.format_event(move))
            state = edition.apply(state, move)
    assert min(asked[phase] for phase in ("draft", "place", "bonus")) > 10


@pytest.mark.parametrize("edition", [BIG, MINI], ids=lambda edition: edition.slug)
@pytest.mark.parametrize("side", BIG.sides)
def test_a_naive_referee_agrees_on_the_end_of_any_board(edition, side, lay):
    """Boards that chance hardly ever reaches: almost full ones."""
    rng, worth = random.Random(side), set()
    for _ in range(300 * EFFORT):
        player = Player(FLOORS[edition.slug])
        gaps = rng.choice((0.0, 0.03, 0.1, 0.3))
        for star in rng.sample(STARS, 7):
            mono = rng.choice(COLOURS)
            many = rng.sample(COLOURS, 6)
            of_many = star == "C" if side == "coloured" else rng.random() < 0.4
            for slot in range(1, 7):
                if rng.random() >= gaps:
                    player.cells[star, slot] = many[slot - 1] if of_many else star if side == "coloured" else mono
        player.score, player.corners = rng.choice((player.floor, 3, 80)), rng.sample(COLOURS, rng.randrange(5))
        stars = {star: "".join(player.cells.get((star, k), ".") for k in range(1, 7)) for star in STARS}
        state = lay(
            edition,
            side=side,
            round=6,
            phase="over",
            bag="",
            stars=stars,
            score=player.score,
            corners="".join(player.corners),
        )
        totals = final(edition, state)
        assert totals is not None
        assert totals[1][0] == player.total(side), edition.format_state(state)
        worth.add(player.bonus(side))
    assert len(worth) > 30
    assert 0 in worth


@pytest.mark.parametrize("side", BIG.sides)
def test_a_naive_referee_agrees_on_every_ring_and_every_feature(side, lay):
    """A tile laid on any cell of any board: its points, and the bonus tiles that it brings."""
    rng, owed = random.Random(side), Counter[int]()
    for _ in range(1500 * EFFORT):
        player, filled = Player(1), rng.choice((0.3, 0.6, 0.9))
        (star, slot), cost = rng.choice(list(PRINTS[side].items()))
        many = rng.sample(COLOURS, 6)
        for other, k in PRINTS[side]:
            if rng.random() < filled and (other, k) != (star, slot):
                player.cells[other, k] = other if other != "C" else many[k - 1]
        colour = star if star != "C" else many[slot - 1]
        stars = {s: "".join(player.cells.get((s, k), ".") for k in range(1, 7)) for s in STARS}
        state = lay(BIG, side=side, stars=stars, reserve=colour * cost, bag="")
        after = BIG.apply(state, BIG.parse_move(f"1:{star}{slot}{colour}+0"))
        player.cells[star, slot] = colour
        due = sum(n for n, around in FEATURES if (star, slot) in around and all(c in player.cells for c in around))
        assert after.scores[0] - 5 == player.run(star, slot), BIG.format_state(state)
        assert after.owed == due, BIG.format_state(state)
        owed[due] += 1
    # A tile brings at most three: a window, or a statue with a pillar.
    assert set(owed) == {0, 1, 2, 3}
