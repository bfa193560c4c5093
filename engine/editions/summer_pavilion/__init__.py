"""Azul: Summer Pavilion, the big box.

Read in this order: `state` (what there is), `moves` (what hands do), `rulebook` (every rule by id), `rules` (how the
game goes on), `violations` (which rules a move breaks), `scoring`, then `position`, `hands` and `pseudo` (what a camera
needs), `table`, `notation` and `events` (how it is written down).
"""

from engine.edition import Edition
from engine.editions.drafting import DISCS, renumbered
from engine.editions.summer_pavilion import (
    chance,
    entry,
    events,
    moves,
    notation,
    pseudo,
    resume,
    rules,
    scoring,
    state,
    table,
    violations,
)
from engine.editions.summer_pavilion.moves import Move
from engine.editions.summer_pavilion.rulebook import RULEBOOK
from engine.editions.summer_pavilion.stretches import STRETCHES, most_score
from engine.text import say

SLUG = "summer-pavilion"


def _format_state(of: state.State) -> str:
    return notation.format_state(of, state.format_options(of.setup))


def _parse_state(text: str) -> state.State:
    return notation.parse_state(text, SLUG, state.parse_options)


EDITION: Edition[state.State, Move] = Edition(
    slug=SLUG,
    name="Azul: Summer Pavilion",
    sides=(state.COLOURED, state.BEIGE),
    players=tuple(DISCS),
    letters=state.LETTERS,
    tiles_of_each=state.TILES_OF_EACH,
    who_begins=say("The rulebook: the youngest player begins."),
    rulebook=RULEBOOK,
    parse_options=state.parse_options,
    format_options=state.format_options,
    start=state.start,
    heaps=state.heaps,
    legal_moves=rules.legal_moves,
    choices=rules.choices,
    pseudo_moves=pseudo.pseudo_moves,
    apply=rules.apply,
    enact=rules.enact,
    implied=rules.implied,
    settle=rules.settle,
    awaits_chance=rules.awaits_chance,
    deal=rules.deal,
    draws=chance.draws,
    seen_breaches=chance.seen_breaches,
    disc_order=chance.disc_order,
    renumbered=renumbered,
    otherwise=chance.otherwise,
    in_hand=moves.IN_HAND,
    is_pass=moves.is_pass,
    holder=lambda state: state.marker,
    violations=violations.violations,
    score=scoring.score,
    bonuses=scoring.bonuses,
    winners=scoring.winners,
    table=table.table_of,
    table_violations=table.violations_in,
    outlook=table.outlook_of,
    most_score=most_score,
    parse_table=table.parse_table,
    format_table=table.format_table,
    heap_fields={"factory": "factories"},
    show=table.show,
    parse_state=_parse_state,
    format_state=_format_state,
    parse_move=notation.parse_move,
    format_move=notation.format_move,
    parse_event=events.parse_event,
    format_event=events.format_event,
    describe=events.describe,
    acts=entry.acts,
    awaited=entry.awaited,
    drawn=entry.drawn,
    place_name=entry.place_name,
    kinds_at=entry.kinds_at,
    prints=entry.prints,
    correct=events.correct,
    resumes=resume.resumes,
    stretches=STRETCHES,
)
