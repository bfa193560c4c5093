"""Every rule of Summer Pavilion in our own words, with the section of the rulebook it comes from."""

from __future__ import annotations

from engine.text import say
from engine.violations import Rule, rulebook

_FILE = "Azul: Summer Pavilion rulebook, "
_SETUP, _SUPPLY, _DRAFT, _PLACE = _FILE + "Setup", _FILE + "Supply", _FILE + "Phase 1", _FILE + "Phase 2"
_NEXT, _SCORING, _BEIGE = _FILE + "Phase 3", _FILE + "Scoring", _FILE + "Beige side"

SETUP = (
    Rule("SP-SU-01", say("Two players use five factories, three use seven, four use nine."), _SETUP),
    Rule("SP-SU-02", say("Everybody begins with a score of 5."), _SETUP),
    Rule(
        "SP-SU-03",
        say("The ten supply cells are full before every turn, unless bag and tower have no more to give."),
        _SUPPLY,
    ),
    Rule(
        "SP-SU-04",
        say("A round begins with four tiles on every factory, unless bag and tower have no more to give."),
        _NEXT,
    ),
    Rule("SP-SU-05", say("The round counter stands on the round being played, whose colour is the joker."), _NEXT),
)

DRAFTING = (
    Rule("SP-DR-01", say("A turn takes tiles of one colour, and a joker with them, nothing else."), _DRAFT),
    Rule("SP-DR-02", say("A turn takes all tiles of the chosen colour that lie at the source."), _DRAFT),
    Rule("SP-DR-03", say("Where jokers lie at the source, one is taken with the chosen colour."), _DRAFT),
    Rule("SP-DR-04", say("No turn takes more than one joker."), _DRAFT),
    Rule(
        "SP-DR-05", say("The joker colour can be chosen only where nothing else lies, and then gives one tile."), _DRAFT
    ),
    Rule("SP-DR-06", say("What a take leaves on a factory is moved to the centre."), _DRAFT),
    Rule(
        "SP-DR-07",
        say("Whoever is first in a round to take from the centre takes the token and loses a point per tile taken."),
        _DRAFT,
    ),
    Rule("SP-DR-08", say("Later takes from the centre, and takes from factories, cost no points."), _DRAFT),
    Rule("SP-DR-09", say("Only a colour that lies at the source can be taken from it."), _DRAFT),
    Rule("SP-TU-01", say("Turns go clockwise, and nobody may skip one without passing."), _FILE + "Game play"),
)

PLACING = (
    Rule("SP-PL-01", say("Tiles are laid on the cells of stars, not on pillars, statues or windows."), _PLACE),
    Rule("SP-PL-02", say("A cell takes one tile, and a tile that lies stays where it is."), _PLACE),
    Rule("SP-PL-03", say("A star printed in a colour takes only tiles of that colour."), _PLACE),
    Rule("SP-PL-04", say("The middle star takes every colour once."), _PLACE),
    Rule("SP-PL-05", say("A turn lays one tile."), _PLACE),
    Rule("SP-PL-06", say("Who has passed lays no more tiles in this round."), _PLACE),
    Rule("SP-PL-07", say("A tile that is laid comes out of the player's own reserve."), _PLACE),
)

PAYING = (
    Rule("SP-PAY-01", say("A cell costs as many tiles as its number, the tile laid on it among them."), _PLACE),
    Rule("SP-PAY-02", say("Only tiles of the chosen colour and jokers pay for a cell."), _PLACE),
    Rule("SP-PAY-03", say("At least one of the tiles paid is of the chosen colour, and that one is laid."), _PLACE),
    Rule("SP-PAY-04", say("Only the colour of the round being played is a joker."), _PLACE),
    Rule("SP-PAY-05", say("All tiles paid but the one laid go into the tower."), _PLACE),
    Rule(
        "SP-BO-01",
        say("A surrounded pillar gives 1 tile of the supply, a statue 2, a window 3; they are taken."),
        _PLACE,
    ),
    Rule("SP-BO-02", say("Bonus tiles are given once, for the tile that completes the surrounding."), _PLACE),
)

PASSING = (
    Rule("SP-PA-01", say("Who passes keeps at most four tiles, one on each corner."), _PLACE),
    Rule("SP-PA-02", say("After passing, no tiles stay beside the board."), _PLACE),
    Rule("SP-PA-03", say("Every tile given up in passing costs a point."), _PLACE),
)

SCORES = (
    Rule("SP-SC-01", say("The score shown is the score earned."), _SCORING),
    Rule("SP-SC-02", say("No score falls below the floor: 1 in the big box, 0 in the Mini."), _SCORING),
    Rule("SP-EN-01", say("The end brings the values of complete stars and of covered numbers."), _SCORING),
    Rule("SP-EN-02", say("Tiles left on the corners after the last round cost a point each."), _SCORING),
    Rule("SP-INV-01", say("There are twenty-two tiles of each colour."), _FILE + "Components"),
    Rule("SP-PT-01", say("A new tile scores the unbroken run of tiles it lies in, around its star."), _SCORING),
    Rule("SP-PT-02", say("The first take from the centre costs a point for each tile taken."), _DRAFT),
    Rule("SP-PT-03", say("A tile given up in passing costs a point."), _PLACE),
    Rule(
        "SP-PT-04",
        say(
            "A complete star brings 14 points in red, 15 in blue, 16 in yellow, 17 in orange, 18 in green, "
            "20 in purple, 12 in many colours."
        ),
        _SCORING,
    ),
    Rule("SP-PT-05", say("Covering all cells of a number brings 4 points for the 1, 8, 12, 16 for 2, 3, 4."), _SCORING),
    Rule("SP-PT-06", say("A tile left on a corner at the end costs a point."), _SCORING),
)

BEIGE_SIDE = (
    Rule(
        "SP-VA-01", say("On the beige side the tiles of a star are all of one colour or all of different ones."), _BEIGE
    ),
)

RULES = (*SETUP, *DRAFTING, *PLACING, *PAYING, *PASSING, *SCORES, *BEIGE_SIDE)
RULEBOOK = rulebook(RULES)
