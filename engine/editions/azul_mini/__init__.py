"""Azul Mini: the base game on small trays with sliders; only what the trays add stands here."""

from dataclasses import replace

from engine.editions.azul import EDITION as AZUL
from engine.editions.azul_mini import rules
from engine.editions.azul_mini.rulebook import RULEBOOK

EDITION = replace(
    AZUL,
    slug="azul-mini",
    name="Azul Mini",
    rulebook=RULEBOOK,
    violations=rules.violations,
    position=rules.position,
    position_violations=rules.position_violations,
)
