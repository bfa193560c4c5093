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
    table=rules.table_of,
    table_violations=rules.violations_in,
)
