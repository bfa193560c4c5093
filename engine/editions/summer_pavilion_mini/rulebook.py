"""The rules that Summer Pavilion Mini adds, in our own words."""

from __future__ import annotations

from engine.editions.summer_pavilion.rulebook import RULES
from engine.text import say
from engine.violations import Rule, rulebook

_SOURCE = "Azul: Summer Pavilion Mini rulebook, Setup"

MINI = (
    Rule("SPM-SC-01", say("The sliders of a board show the score earned."), _SOURCE),
    Rule("SPM-SU-01", say("Every slider begins on 5."), _SOURCE),
    Rule(
        "SPM-SU-02", say("The counter begins on the leftmost cell and moves one cell to the right each round."), _SOURCE
    ),
    Rule("SPM-SU-03", say("The cards in all trays lie with the same side up."), _SOURCE),
    Rule("SPM-VA-01", say("The storage card stays on the side with which the game began."), _SOURCE),
    Rule(
        "SPM-VA-02", say("The joker is the colour under the counter, on the side of the storage card in play."), _SOURCE
    ),
)

RULEBOOK = rulebook(RULES, MINI)
