"""Tables for the tests of Queen's Garden, saying only what matters: the rest is in the bag and in the supply."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from engine import load

COLOURS = ("LB", "YE", "LG", "DG", "LP", "DP")
HEXES = [colour + pattern for colour in COLOURS for pattern in "123456"]
STACK = {2: 5, 3: 7, 4: 8}
HEX = re.compile(r"(?:LB|YE|LG|DG|LP|DP)[1-6]")


def digits(hexes):
    counts = Counter(hexes)
    return "".join(str(counts[hex_]) for hex_ in HEXES) if hexes else "-"


def board_text(garden="-", tiles="J.J.J", cards="-", score=15):
    return f"{garden}|{tiles}|{cards}|{score}"


def lay_table(
    edition,
    *,
    side="a",
    players=2,
    round=2,
    phase="act1",
    marker=0,
    passed="-",
    top="DG4.DP4.LG5.LP5",
    left=3,
    display="-",
    bag=None,
    tower="",
    supply=None,
    options=None,
    seats=None,
    **first_board,
):
    """A state by its one-line notation: the board of seat 1 by keywords, those of other seats in `seats`."""
    others = seats or {}
    boards = [board_text(**first_board), *(board_text(**others.get(seat, {})) for seat in range(2, players + 1))]
    fields = [board.split("|") for board in boards]
    printed = [
        hex_ for garden, _, cards, _ in fields for hex_ in re.findall(r"X\d=(\w+)@", garden) + HEX.findall(cards)
    ]
    printed += re.findall(r"\+(\w+)", display)
    tiles = [hex_ for garden, held, _, _ in fields for hex_ in HEX.findall(garden) + HEX.findall(held)]
    tiles += HEX.findall(top) + HEX.findall(display) + HEX.findall(tower)
    lying = Counter(tiles)
    lying.subtract([hex_ for garden, _, _, _ in fields for hex_ in re.findall(r"X\d=(\w+)@", garden) if hex_ != "down"])
    lying.subtract(re.findall(r"\+(\w+)", display))
    if bag is None:
        bag = ".".join(hex_ for hex_ in HEXES for _ in range(3 - lying[hex_]))
    if supply is None:
        out = (4 - round) * STACK[players] + left + (display.count("/") + 1 if display != "-" else 0)
        out += sum(len(HEX.findall(cards)) + len(re.findall(r"X\d=", garden)) for garden, _, cards, _ in fields)
        supply = 36 - out
    words = [f"{edition.slug}:{side}:{players}:1", f"r{round}", phase, "s1", f"m{marker}", f"p{passed}"]
    words += [f"{top or '-'}@{left}", display, digits(HEX.findall(bag)), digits(HEX.findall(tower))]
    words += [digits([hex_ for hex_ in HEXES if hex_ not in printed]), str(supply), *boards]
    words += [json.dumps(options)] if options else []
    return edition.parse_state(" ".join(words))


WHEEL = {
    "name": "synthetic",
    "rounds": [
        [
            {"kind": "colour", "id": "LB", "points": 2},
            {"kind": "pattern", "id": "1", "points": 3},
            {"kind": "colour", "id": "YE", "points": 1},
        ],
        [
            {"kind": "colour", "id": "LG", "points": 2},
            {"kind": "pattern", "id": "2", "points": "value"},
            {"kind": "pattern", "id": "3", "points": 1},
        ],
        [
            {"kind": "colour", "id": "DG", "points": 3},
            {"kind": "colour", "id": "LP", "points": "value"},
            {"kind": "pattern", "id": "4", "points": 2},
        ],
        [
            {"kind": "colour", "id": "DP", "points": 4},
            {"kind": "pattern", "id": "5", "points": 3},
            {"kind": "pattern", "id": "6", "points": 3},
        ],
    ],
}
"""Made up for tests: nobody has told us what the real one shows."""


@pytest.fixture
def lay():
    """Lays a table."""
    return lay_table


@pytest.fixture(scope="session")
def wheel():
    """A wheel made up for tests."""
    return json.loads(json.dumps(WHEEL))


@pytest.fixture(scope="session")
def garden():
    """The edition."""
    return load("queens-garden")


def play_keenly(edition, state, rng):
    """A move by chance that rather places than passes, so that gardens grow large."""
    kinds: dict[str, list[Any]] = {}
    choices = edition.choices(state)
    for move in choices:
        kinds.setdefault(type(move).__name__, []).append(move)
    for kind, odds in (("Plant", 0.75), ("Expand", 0.8), ("Acquire", 0.9), ("Buy", 0.3), ("Plant", 1), ("Expand", 1)):
        if kind in kinds and rng.random() < odds:
            return rng.choice(kinds[kind])
    return rng.choice(choices)


def play_thriftily(edition, state, rng):
    """A move by chance that brings as few tiles as possible into the tower, so that the bag runs short."""
    kinds: dict[str, list[Any]] = {}
    for move in edition.choices(state):
        kinds.setdefault(type(move).__name__, []).append(move)
    takes = kinds.get("Acquire", [])
    most = max(map(tiles_taken, takes), default=0)
    if most and rng.random() < 0.6:
        return rng.choice([take for take in takes if tiles_taken(take) == most])
    plants = sorted(kinds.get("Plant", []), key=lambda plant: (tiles_paid(plant), len(plant.pay)))
    free = [plant for plant in plants if not tiles_paid(plant) and len(plant.pay) == len(plants[0].pay)]
    cards = kinds.get("Buy") or [card for card in kinds.get("Expand", []) if not tiles_paid(card)]
    cheap = [plant for plant in plants[:1] if tiles_paid(plant) <= 2]
    # Of passes the first discards nothing.
    return rng.choice(free or takes or cards or cheap or kinds["Pass"][:1])


def tiles_taken(acquire):
    """How many tiles go into the storage."""
    return sum(not pick.item.startswith("x") for pick in acquire.picks)


def tiles_paid(move):
    """How many tiles go into the tower."""
    return sum(bool(HEX.fullmatch(item)) for item in move.pay)


@pytest.fixture(scope="session")
def thrifty():
    """Chooses moves that leave the tower nearly empty."""
    return play_thriftily


@pytest.fixture(scope="session")
def keen():
    """Chooses moves that make gardens grow."""
    return play_keenly
