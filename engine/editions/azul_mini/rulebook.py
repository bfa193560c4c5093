"""The rules that Azul Mini adds, in our own words."""

from __future__ import annotations

from engine.editions.azul.rulebook import RULES
from engine.text import say
from engine.violations import Rule, rulebook

_BOARDS, _GREY = "Azul Mini rulebook, Setup", "Azul Mini rulebook, Variant (grey side)"

MINI = (
    Rule("AZM-SC-01", say("The two sliders show the score earned, its tens and its units."), _BOARDS),
    Rule("AZM-SU-01", say("The cards in all trays lie with the same side up."), _BOARDS),
    Rule("AZM-PL-01", say("Every tile sits in its recess, not across two."), _BOARDS),
    Rule(
        "AZM-VA-01",
        say("On the grey side a complete line that fits nowhere drops to the floor; it does not stay on the tray."),
        _GREY,
    ),
)

RULEBOOK = rulebook(RULES, MINI)
