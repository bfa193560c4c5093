"""Every rule of Queen's Garden in our own words, with the section of the rulebook it comes from."""

from __future__ import annotations

from engine.text import say
from engine.violations import Rule, rulebook

_COMPONENTS = "Azul: Queen's Garden rulebook, Components"
_SETUP = "Azul: Queen's Garden rulebook, Setup"
_SUPPLY = "Azul: Queen's Garden rulebook, Supply"
_ROUND = "Azul: Queen's Garden rulebook, Round"
_ACQUIRE = "Azul: Queen's Garden rulebook, Phase 1, acquire"
_PLACE = "Azul: Queen's Garden rulebook, Phase 1, place a tile"
_EXPAND = "Azul: Queen's Garden rulebook, Phase 1, place an expansion"
_PASSING = "Azul: Queen's Garden rulebook, Phase 1, pass"
_COUNT = "Azul: Queen's Garden rulebook, Phase 2, round scoring"
_SCORING = "Azul: Queen's Garden rulebook, Scoring"
_OPEN = "Azul: Queen's Garden rulebook, where printings differ"

SETUP = (
    Rule(
        "QG-SU-01",
        say("A round's stack has five expansions for two players, seven for three, eight for four."),
        _SETUP,
    ),
    Rule("QG-SU-02", say("Everybody begins with a score of 15 and three jokers in the storage."), _SETUP),
    Rule(
        "QG-SU-03",
        say("A new top card gets exactly four tiles, unless bag and tower together have fewer."),
        _SUPPLY,
    ),
)

ACQUIRING = (
    Rule("QG-DR-01", say("All hexes taken in a turn share one colour, or all share one pattern."), _ACQUIRE),
    Rule("QG-DR-02", say("Of the chosen colour or pattern one of every different hex is taken."), _ACQUIRE),
    Rule("QG-DR-03", say("Of identical hexes, tile or expansion, only one is taken."), _ACQUIRE),
    Rule(
        "QG-DR-04",
        say("A storage holds at most twelve tiles and jokers, and at most two expansions."),
        _ACQUIRE,
    ),
    Rule(
        "QG-DR-05",
        say("A top card from which a tile was taken moves into the display, and the next card gets new tiles."),
        _ACQUIRE,
    ),
    Rule(
        "QG-DR-06",
        say("An expansion in the display is turned face up when no tile lies on it any more, and not before."),
        _ACQUIRE,
    ),
    Rule("QG-DR-07", say("Only an expansion that lies face up can be acquired."), _ACQUIRE),
)

PLACING = (
    Rule(
        "QG-PL-01",
        say("A tile goes on a free cell of the fountain board or of an expansion, never on a decoration."),
        _PLACE,
    ),
    Rule("QG-PL-02", say("A new hex with neighbours shares colour or pattern with at least one of them."), _PLACE),
    Rule("QG-PL-03", say("Identical hexes may not lie side by side."), _PLACE),
    Rule("QG-PL-04", say("No group of a colour or a pattern may hold the same hex twice."), _PLACE),
    Rule("QG-PL-05", say("A joker pays, but is never placed in the garden."), _PLACE),
    Rule("QG-PL-06", say("Only what lies in one's own storage can be placed."), _PLACE),
    Rule("QG-PL-07", say("An expansion goes into a free one of the six slots around the fountain board."), _EXPAND),
    Rule("QG-PL-08", say("An expansion of the storage is placed face up, a bought one face down."), _EXPAND),
    Rule("QG-PL-09", say("What is placed in a garden stays as it lies to the end of the game."), _PLACE),
)

PAYING = (
    Rule(
        "QG-PAY-01",
        say("Placing a hex costs its value: the hex itself counts one, so one item less than its value is paid."),
        _PLACE,
    ),
    Rule(
        "QG-PAY-02",
        say("All hexes paid share the colour of the placed hex, or all share its pattern; jokers stand for any."),
        _PLACE,
    ),
    Rule("QG-PAY-03", say("A hex identical to the placed one cannot pay for it."), _PLACE),
    Rule("QG-PAY-04", say("Payment comes out of one's own storage."), _PLACE),
    Rule(
        "QG-PAY-05",
        say("Hexes that pay together must differ, where this is agreed; rulebooks contradict each other here."),
        _OPEN,
    ),
    Rule("QG-PAY-06", say("An expansion of the supply costs exactly six points, which one must have."), _EXPAND),
)

JOKERS = (
    Rule(
        "QG-JO-01",
        say("Surrounding the fountain brings 1 joker, a statue or a bench 2, a pavilion 3; nothing else brings any."),
        _SCORING,
    ),
    Rule("QG-JO-02", say("Jokers that find no free cell in the storage are lost."), _PLACE),
)

TURNS = (
    Rule(
        "QG-PA-01", say("The first to pass in a round takes the marker and loses a point, nobody else does."), _PASSING
    ),
    Rule("QG-PA-02", say("Who has passed does nothing more in this round."), _PASSING),
    Rule("QG-PA-03", say("Hexes are discarded only on passing, and each costs its value."), _PASSING),
    Rule("QG-TU-01", say("Turns go clockwise with exactly one action each."), _ROUND),
)

SCORES = (
    Rule("QG-SC-01", say("The score shown is the score earned."), _COUNT),
    Rule("QG-SC-02", say("No score falls below 0."), _SCORING),
    Rule("QG-EN-01", say("The final score counts jokers, what is left in the storage, and groups, as told."), _SCORING),
    Rule("QG-INV-01", say("There are three tiles and one expansion of each hex."), _COMPONENTS),
    Rule(
        "QG-PT-01",
        say(
            "A round counts three colours or patterns that the wheel shows: each hex of the garden brings that "
            "category's points, tiles and printed hexes alike. What the wheel shows is entered by the players."
        ),
        _COUNT,
    ),
    Rule("QG-PT-02", say("A round brings a point for every pavilion in the garden, surrounded or not."), _COUNT),
    Rule("QG-PT-03", say("Being the first to pass costs a point at once."), _PASSING),
    Rule("QG-PT-04", say("A hex discarded on passing costs its value."), _PASSING),
    Rule("QG-PT-05", say("An expansion of the supply costs six points."), _EXPAND),
    Rule("QG-PT-06", say("At the end every joker in the storage brings a point."), _SCORING),
    Rule("QG-PT-07", say("At the end every tile and expansion in the storage costs its value."), _SCORING),
    Rule(
        "QG-PT-08",
        say("At the end every group of three or more hexes of one colour or pattern brings the sum of its values."),
        _SCORING,
    ),
    Rule(
        "QG-PT-09",
        say("At the end a group of six brings six points more; side b of the scoring board prints other bonuses."),
        _SCORING,
    ),
)

RULES = (*SETUP, *ACQUIRING, *PLACING, *PAYING, *JOKERS, *TURNS, *SCORES)
RULEBOOK = rulebook(RULES)
