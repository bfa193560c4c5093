"""Tables for the tests of both Azul editions, saying only what matters: the rest is empty, or in the bag."""

import json
from collections import Counter

import pytest

from engine import load

COLOURS = "BYRKW"
DISCS = {2: 5, 3: 7, 4: 9}


def board_text(lines=None, wall=None, floor="", score=0):
    """A board in the notation of a state; a line shorter than its row is filled up from the left."""
    lines, wall = lines or {}, wall or {}
    rows = range(1, 6)
    return "|".join(
        (
            "/".join(lines.get(row, "").rjust(row, ".") for row in rows),
            "/".join(wall.get(row, ".....") for row in rows),
            floor or "-",
            str(score),
        )
    )


def heap_text(tiles):
    return "".join(f"{colour}{count}" for colour, count in sorted(tiles.items()) if count) or "-"


def lay_table(
    edition,
    *,
    side="coloured",
    players=2,
    round=2,
    phase="draft1",
    marker=0,
    factories="",
    centre="",
    bag=None,
    lid="",
    unswept=None,
    options=None,
    seats=None,
    **first_board,
):
    """A state by its one-line notation: the board of seat 1 by keywords, those of other seats in `seats`."""
    others = seats or {}
    boards = [board_text(**first_board), *(board_text(**others.get(seat, {})) for seat in range(2, players + 1))]
    factories += "/" * (DISCS[players] - 1 - factories.count("/"))
    if bag is None:
        lying = Counter("".join((*boards, factories, centre, lid)))
        bag = "".join(colour * (20 - lying[colour]) for colour in COLOURS)
    if unswept is None and phase == "tile":
        unswept = "".join(map(str, range(1, players + 1)))
    words = [f"{edition.slug}:{side}:{players}:1", f"r{round}", phase, "s1", f"m{marker}", factories, centre or "-"]
    words += [heap_text(Counter(bag)), heap_text(Counter(lid)), *boards]
    words += [f"u{unswept}"] if unswept else []
    words += [json.dumps(options)] if options else []
    return edition.parse_state(" ".join(words))


@pytest.fixture
def lay():
    """Lays a table for an edition."""
    return lay_table


@pytest.fixture(params=["azul", "azul-mini"])
def edition(request):
    """Each of the two editions."""
    return load(request.param)


@pytest.fixture
def azul():
    """The base game alone."""
    return load("azul")


@pytest.fixture
def mini():
    """The mini alone."""
    return load("azul-mini")
