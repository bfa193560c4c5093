"""Tables for the tests of both Summer Pavilions, saying only what matters: the rest is empty, or in the bag."""

import json
from collections import Counter

import pytest

from engine import load

COLOURS = "PGOYBR"
STARS = "ORBYGPC"
DISCS = {2: 5, 3: 7, 4: 9}


def star_text(star, cells):
    """A star's six cells: as they are, or by their numbers (`45`), then filled with the star's colour.

    The middle star has no colour of its own, so its cell k gets the k-th colour.
    """
    if len(cells) == 6 and not cells.isdecimal():
        return cells
    return "".join((star if star != "C" else COLOURS[k - 1]) if str(k) in cells else "." for k in range(1, 7))


def board_text(stars=None, corners="", reserve="", score=5):
    """A board in the notation of a state."""
    stars = "/".join(star_text(star, (stars or {}).get(star, "")) for star in STARS)
    return "|".join((stars, corners.ljust(4, "."), reserve or "-", str(score)))


def heap_text(tiles):
    return "".join(f"{colour}{count}" for colour, count in sorted(Counter(tiles).items())) or "-"


def state_text(
    edition,
    *,
    side="coloured",
    players=2,
    round=1,
    phase="",
    starter=1,
    marker=None,
    factories="",
    centre="",
    supply="PGOYBRPGOY",
    bag=None,
    tower="",
    passed="",
    owed=0,
    options=None,
    seats=None,
    **first_board,
):
    """A state in one line: the board of seat 1 by keywords, those of other seats in `seats`.

    With tiles in the middle, seat 1 is to take and the token is there; without any, it is to lay a tile and has it.
    """
    others = seats or {}
    boards = [board_text(**first_board), *(board_text(**others.get(seat, {})) for seat in range(2, players + 1))]
    phase = phase or ("draft1" if factories or centre else "place1")
    marker = (0 if phase.startswith("draft") else 1) if marker is None else marker
    factories += "/" * (DISCS[players] - 1 - factories.count("/"))
    if bag is None:
        lying = Counter("".join((*boards, factories, centre, supply, tower)))
        bag = "".join(colour * (22 - lying[colour]) for colour in COLOURS)
    words = [f"{edition.slug}:{side}:{players}:1", f"r{round}", phase, f"s{starter}", f"m{marker}", factories]
    words += [centre or "-", supply, heap_text(bag), heap_text(tower), *boards]
    words += [f"p{passed}"] if passed else []
    words += [f"o{owed}"] if owed else []
    words += [json.dumps(options)] if options else []
    return " ".join(words)


def lay_table(edition, **table):
    return edition.parse_state(state_text(edition, **table))


@pytest.fixture(scope="session")
def lay():
    """Lays a table for an edition."""
    return lay_table


@pytest.fixture(params=["summer-pavilion", "summer-pavilion-mini"])
def edition(request):
    """Each of the two editions."""
    return load(request.param)


@pytest.fixture
def big():
    """The big box alone."""
    return load("summer-pavilion")


@pytest.fixture
def mini():
    """The Mini alone."""
    return load("summer-pavilion-mini")
