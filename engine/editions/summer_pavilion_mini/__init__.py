"""Summer Pavilion Mini: the big game on small trays with sliders; only what differs stands here."""

from dataclasses import replace

from engine.editions.summer_pavilion import EDITION as SUMMER_PAVILION
from engine.editions.summer_pavilion_mini import own_prints, rules
from engine.editions.summer_pavilion_mini.rulebook import RULEBOOK

EDITION = replace(
    SUMMER_PAVILION,
    slug=rules.SLUG,
    name="Azul: Summer Pavilion Mini",
    rulebook=RULEBOOK,
    parse_options=rules.parse_options,
    format_options=rules.format_options,
    own_prints=own_prints.own_prints,
    parse_state=rules.parse_state,
    format_state=rules.format_state,
    apply=rules.apply,
    violations=rules.violations,
    table=rules.table_of,
    table_violations=rules.violations_in,
    outlook=rules.outlook_of,
)
