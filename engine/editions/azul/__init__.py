"""Azul, the base game.

Read in this order: `state` (what there is), `moves` (what hands do), `rulebook` (every rule by id), `board` (one
board), `rules` (how the game goes on), `violations` (which rules a move breaks), `standstill` (whether a row can still
be completed), `scoring`, then `position`, `at_work`, `hands` and `pseudo` (what a camera needs), `stretches` (what a
photo now and then needs), `table`, `notation` and `events` (how it is written down).
"""

from engine.edition import Edition
from engine.editions.azul import (
    at_work,
    chance,
    entry,
    events,
    moves,
    notation,
    pseudo,
    resume,
    rules,
    scoring,
    standstill,
    state,
    table,
    violations,
)
from engine.editions.azul.moves import Move
from engine.editions.azul.rulebook import RULEBOOK
from engine.editions.azul.stretches import STRETCHES
from engine.editions.drafting import DISCS, renumbered
from engine.state import in_fill
from engine.text import say

EDITION: Edition[state.State, Move] = Edition(
    slug="azul",
    name="Azul",
    sides=(state.COLOURED, state.GREY),
    players=tuple(DISCS),
    letters=state.LETTERS,
    tiles_of_each=state.TILES_OF_EACH,
    who_begins=say("The rulebook: whoever was last in Portugal begins."),
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
    awaits_chance=in_fill,
    deal=rules.deal,
    draws=chance.draws,
    seen_breaches=chance.seen_breaches,
    disc_order=chance.disc_order,
    renumbered=renumbered,
    otherwise=chance.otherwise,
    in_hand=moves.IN_HAND,
    is_pass=moves.is_pass,
    holder=lambda state: state.marker,
    is_clearing=moves.is_clearing,
    out_of_turn="AZ-DR-07",
    violations=violations.violations,
    standstill=standstill.standstill,
    ending=standstill.ending,
    score=scoring.score,
    bonuses=scoring.bonuses,
    winners=scoring.winners,
    table=table.table_of,
    at_work=at_work.at_work,
    table_violations=table.violations_in,
    outlook=table.outlook_of,
    parse_table=table.parse_table,
    format_table=table.format_table,
    heap_fields={"factory": "factories"},
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
    correct=events.correct,
    resumes=resume.resumes,
    stretches=STRETCHES,
)
