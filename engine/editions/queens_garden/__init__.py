"""Azul: Queen's Garden.

Read in this order: `hexes` and `garden` (what there is to place, and where), `wheel`, `options` and `own_prints` (what
players enter and agree on), `state`, `moves`, `rulebook`, `storage` (payments), `display`, `rules` (how the game goes
on), `violations` with `breaches`, `scoring`, then `position`, `sight`, `lying`, `hands`, `pseudo`, `chance` and
`passing` (what a camera needs), `table`, `notation`, `events` and `corrections` (how it is written down), `stretches`
and `resume` (what happened where nobody looked).
"""

from engine.edition import Edition
from engine.editions.queens_garden import (
    chance,
    corrections,
    entry,
    events,
    hexes,
    lying,
    moves,
    notation,
    options,
    own_prints,
    passing,
    pseudo,
    resume,
    rules,
    scoring,
    state,
    table,
    violations,
)
from engine.editions.queens_garden.moves import Move
from engine.editions.queens_garden.rulebook import RULEBOOK
from engine.editions.queens_garden.stretches import STRETCHES, most_score
from engine.state import in_fill
from engine.text import say

EDITION: Edition[state.State, Move] = Edition(
    slug="queens-garden",
    name="Azul: Queen's Garden",
    sides=(options.SIDE_A, options.SIDE_B),
    players=tuple(state.STACK_CARDS),
    letters=hexes.LETTERS,
    tiles_of_each=state.TILES_OF_EACH,
    who_begins=say("The rulebook: the youngest player begins."),
    rulebook=RULEBOOK,
    parse_options=options.parse_options,
    format_options=options.format_options,
    start=state.start,
    heaps=state.heaps,
    legal_moves=rules.legal_moves,
    likely_moves=passing.likely_moves,
    choices=rules.choices,
    pseudo_moves=pseudo.pseudo_moves,
    apply=rules.apply,
    enact=rules.enact,
    implied=rules.implied,
    settle=rules.settle,
    awaits_chance=in_fill,
    deal=rules.deal,
    draws=chance.draws,
    seen_breaches=chance.seen_breaches,
    cards=lying.CARDS,
    is_pass=moves.is_pass,
    holder=lambda state: state.marker,
    violations=violations.violations,
    advisories=violations.advisories,
    option_warnings=options.option_warnings,
    own_prints=own_prints.own_prints,
    score=scoring.score,
    bonuses=scoring.bonuses,
    winners=scoring.winners,
    table=lying.table_of,
    table_violations=lying.violations_in,
    outlook=lying.outlook_of,
    most_score=most_score,
    parse_table=table.parse_table,
    format_table=table.format_table,
    heap_fields={"display": "display"},
    show=table.show,
    parse_state=notation.parse_state,
    format_state=notation.format_state,
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
    kind_name=entry.kind_name,
    corrected_as={"stack": "left", "first_player": "marker"},
    correct=corrections.correct,
    stretches=STRETCHES,
    resumes=resume.resumes,
)
