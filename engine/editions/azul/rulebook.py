"""Every rule of Azul in our own words, with the section of the rulebook it comes from."""

from __future__ import annotations

from engine.text import say
from engine.violations import Rule, rulebook

_SETUP = "Azul rulebook, Setup"
_SUPPLY = "Azul rulebook, C. Preparing the next round"
_DRAFT = "Azul rulebook, A. Factory offer"
_TILING = "Azul rulebook, B. Wall-tiling"
_NEXT = "Azul rulebook, C. Preparing the next round"
_SCORING = "Azul rulebook, Scoring and end of the game"
_GREY = "Azul rulebook, Variant play (grey side)"

SETUP = (
    Rule("AZ-SU-01", say("Two players use five factories, three use seven, four use nine."), _SETUP),
    Rule(
        "AZ-SU-02",
        say("A round begins with four tiles on every factory, unless bag and lid have no more to give."),
        _SUPPLY,
    ),
    Rule("AZ-SU-03", say("All players use the same side of their boards."), _SETUP),
    Rule("AZ-SU-04", say("Everybody begins with a score of 0."), _SETUP),
)

DRAFTING = (
    Rule("AZ-DR-01", say("A turn takes tiles of one colour only."), _DRAFT),
    Rule("AZ-DR-02", say("A turn takes all tiles of the chosen colour that lie at the source."), _DRAFT),
    Rule("AZ-DR-03", say("A turn takes tiles from one factory, or from the centre."), _DRAFT),
    Rule("AZ-DR-04", say("What a take leaves on a factory is moved to the centre."), _DRAFT),
    Rule(
        "AZ-DR-05",
        say("Whoever is first in a round to take from the centre takes the first-player marker, nobody else does."),
        _DRAFT,
    ),
    Rule("AZ-DR-06", say("The marker goes on the leftmost free cell of its owner's floor line."), _DRAFT),
    Rule("AZ-DR-07", say("Turns go clockwise, and nobody may skip one while tiles are left to take."), _DRAFT),
    Rule("AZ-DR-08", say("Only a colour that lies at the source can be taken from it."), _DRAFT),
)

PLACING = (
    Rule("AZ-PL-01", say("All tiles of a turn go to one and the same line."), _DRAFT),
    Rule(
        "AZ-PL-02",
        say("A line holds as many tiles as it has cells; what is too much goes to the floor."),
        _DRAFT,
    ),
    Rule("AZ-PL-03", say("A line holds tiles of one colour only."), _DRAFT),
    Rule("AZ-PL-04", say("A colour that its wall row already has may not be laid on that line."), _DRAFT),
    Rule("AZ-PL-05", say("A line is filled from right to left without gaps."), _DRAFT),
    Rule("AZ-PL-06", say("Every tile taken is laid on a line or on the floor at once."), _DRAFT),
    Rule("AZ-PL-07", say("The floor line is filled from left to right without gaps."), _DRAFT),
    Rule("AZ-PL-08", say("Surplus tiles go into the lid only when the floor line is full."), _DRAFT),
    Rule("AZ-PL-09", say("Tiles that lie on a line stay there until the round ends."), _DRAFT),
)

TILING = (
    Rule("AZ-WT-01", say("Only a complete line sends a tile to the wall."), _TILING),
    Rule("AZ-WT-02", say("Every complete line sends its tile to the wall when the round ends."), _TILING),
    Rule(
        "AZ-WT-03",
        say("A tile goes on the wall cell printed in its colour, in the row of its line."),
        _TILING,
    ),
    Rule("AZ-WT-04", say("One tile of a complete line goes to the wall, all others into the lid."), _TILING),
    Rule("AZ-WT-05", say("An incomplete line keeps its tiles for the next round."), _TILING),
    Rule(
        "AZ-WT-06",
        say("The floor line is cleared after it is counted; the marker stays with its owner, out of the lid."),
        _TILING,
    ),
    Rule("AZ-WT-07", say("A tile on the wall stays there, unchanged, to the end of the game."), _TILING),
    Rule(
        "AZ-WT-08",
        say("Lines are moved to the wall from top to bottom wherever the order changes points or places."),
        _TILING,
    ),
)

SCORES = (
    Rule("AZ-SC-01", say("The score shown is the score earned."), _SCORING),
    Rule("AZ-SC-02", say("No score falls below 0."), _SCORING),
    Rule(
        "AZ-EN-01",
        say("The game ends after the round in which somebody completes a row of the wall: not earlier, not later."),
        _NEXT,
    ),
    Rule("AZ-INV-01", say("There are twenty tiles of each colour."), "Azul rulebook, Components"),
    Rule(
        "AZ-PT-01",
        say(
            "A new wall tile scores the length of the row of tiles it lies in plus the length of the column, counting "
            "only those longer than one; a tile without neighbours scores one point."
        ),
        _SCORING,
    ),
    Rule(
        "AZ-PT-02",
        say("Tiles on the floor line cost 1, 1, 2, 2, 2, 3 and 3 points from left to right."),
        _SCORING,
    ),
    Rule("AZ-PT-03", say("At the end every complete row of the wall brings 2 points."), _SCORING),
    Rule("AZ-PT-04", say("At the end every complete column of the wall brings 7 points."), _SCORING),
    Rule("AZ-PT-05", say("At the end every colour with all five tiles on the wall brings 10 points."), _SCORING),
)

GREY_SIDE = (
    Rule("AZ-VA-01", say("On the grey side no colour may stand twice in a row of the wall."), _GREY),
    Rule("AZ-VA-02", say("On the grey side no colour may stand twice in a column of the wall."), _GREY),
    Rule(
        "AZ-VA-03",
        say("On the grey side a complete line whose tile fits in no column drops to the floor, and only such a line."),
        _GREY,
    ),
)

RULES = (*SETUP, *DRAFTING, *PLACING, *TILING, *SCORES, *GREY_SIDE)
RULEBOOK = rulebook(RULES)
