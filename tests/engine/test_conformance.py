"""What must hold in every edition, on each side, for every number of players: a new folder is picked up by itself."""

import json
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest

import engine
from engine.edition import Edition
from engine.record import Start, final, replay
from engine.score import total

GAMES = 3
SAMPLED_STATES = 3
"""Of each phase, for what is tried with all that hands can do: that is a thousand moves and more in one state."""

EDITIONS = [engine.load(slug) for slug in engine.slugs()]
TABLES = [(edition, side, players) for edition in EDITIONS for side in edition.sides for players in edition.players]


@dataclass
class Walk:
    """Some games by chance at one table, with every state on the way."""

    edition: Edition[Any, Any]
    games: list[tuple[Start, list[Any]]]

    @cached_property
    def turns(self):
        return [turn for _, turns in self.games for turn in turns]

    @cached_property
    def states(self):
        states = [state for turn in self.turns for state in (turn.before, turn.after, turn.settled)]
        return list(dict.fromkeys(states))

    @cached_property
    def sample(self):
        """A few states of each phase, also of those that no record stops at."""
        by_phase = defaultdict(list)
        for state in self.states:
            by_phase[state.phase].append(state)
        rng = random.Random(7)
        picks = [rng.sample(states, min(SAMPLED_STATES, len(states))) for states in by_phase.values()]
        return [state for states in picks for state in states]

    @cached_property
    def tried(self):
        """The sampled states, each with its legal moves and all that hands can do in it."""
        edition = self.edition
        return [(state, set(edition.legal_moves(state)), list(edition.pseudo_moves(state))) for state in self.sample]


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0].slug}-{table[1]}-{table[2]}")
def walk(request, game):
    edition, side, players = request.param
    games = []
    for seed in range(GAMES):
        start = Start(edition, edition.setup(side, players, first=seed % players + 1))
        games.append((start, list(game(start, random.Random(seed)))))
    return Walk(edition, games)


@pytest.fixture(params=EDITIONS, ids=lambda edition: edition.slug)
def edition(request):
    return request.param


def lying(edition, state):
    return Counter(tile for tiles in edition.heaps(state).values() for tile in tiles)


def is_accepted(edition, state, move):
    try:
        edition.apply(state, move)
    except engine.IllegalMoveError as error:
        return not error.violations  # a refusal says why
    return True


def by_seat(lines, seats):
    return [total(line for line in lines if line.seat == seat) for seat in seats]


# --------------------------------------------------------------------------------------------------- the edition itself


def test_there_are_editions():
    assert {"azul", "azul-mini"} <= set(engine.slugs())


def test_an_edition_is_found_by_its_own_name(edition):
    assert engine.load(edition.slug) is edition


def test_layout_is_of_this_edition_and_knows_its_sides(edition):
    layout = edition.layout
    printed = {side for surface in layout.surfaces for side in surface.sides}
    assert layout.edition == edition.slug
    assert printed == set(edition.sides)


def test_every_rule_stands_under_its_id_in_words_with_a_source(edition):
    for rule_id, rule in edition.rulebook.items():
        assert rule.id == rule_id
        assert str(rule.text)
        assert rule.source


def test_only_what_the_box_holds_can_be_set_up(edition):
    side, players = edition.sides[0], edition.players[0]
    for wrong in [
        ("no such side", players),
        (side, edition.players[-1] + 1),
        (side, edition.players[0] - 1),
        (side, players, players + 1),
        (side, players, 0),
        (side, players, 1, {"no such option": 1}),
    ]:
        with pytest.raises(engine.EditionError):
            edition.setup(*wrong)


# ------------------------------------------------------------------------------------------------------ how a game goes


def test_games_come_to_an_end(walk):
    assert any(turns[-1].settled.phase == engine.OVER for _, turns in walk.games)


def test_the_chosen_player_begins(walk):
    for start, turns in walk.games:
        assert turns[0].settled.seat == start.setup.first


def test_there_is_always_a_choice_until_chance_or_the_end(walk):
    for state in walk.states:
        choices, legal = walk.edition.choices(state), walk.edition.legal_moves(state)
        assert set(choices) <= set(legal)
        assert bool(choices) is bool(legal)
        # Where chance is awaited a turn may be open all the same: what could not be drawn in time may be drawn later.
        assert legal or state.phase == engine.OVER or walk.edition.awaits_chance(state)
        assert not legal or state.phase not in (engine.OVER, engine.FILL)


def test_the_same_chance_gives_the_same_tiles(walk):
    edition, varied = walk.edition, 0
    for state in filter(edition.awaits_chance, walk.states):
        deals = [edition.deal(state, random.Random(seed).sample) for seed in (1, 1, 2, 3)]
        assert deals[0] == deals[1]
        assert all(is_accepted(edition, state, deal) for deal in deals)
        varied += len(set(deals)) > 1
    assert varied


def test_all_tiles_are_somewhere(walk):
    everything = dict.fromkeys(walk.edition.letters, walk.edition.tiles_of_each)
    for state in walk.states:
        assert lying(walk.edition, state) == everything


def test_settling_makes_the_implied_moves_one_by_one(walk):
    for turn in walk.turns:
        state = turn.after
        while (implied := walk.edition.implied(state)) is not None:
            state = walk.edition.apply(state, implied)
        assert walk.edition.settle(turn.after) == state
        assert walk.edition.settle(state) == state


def test_points_of_a_move_are_the_change_of_the_scores(walk):
    moves = [(turn.before, turn.move, turn.after) for turn in walk.turns]
    for state, legal, _ in walk.tried:
        moves += [(state, move, walk.edition.apply(state, move)) for move in legal]
    for before, move, after in moves:
        lines = walk.edition.score(before, move)
        change = [now - then for now, then in zip(after.scores, before.scores, strict=True)]
        assert by_seat(lines, before.setup.seats) == change, move


def test_outlook_foretells_what_settling_brings(walk):
    for turn in walk.turns:
        if turn.settled == turn.after:
            continue
        outlooks = walk.edition.outlook(walk.edition.table(turn.after))
        change = [now - then for now, then in zip(turn.settled.scores, turn.after.scores, strict=True)]
        assert [outlook.seat for outlook in outlooks] == list(turn.after.setup.seats)
        assert [outlook.round_points for outlook in outlooks] == change
        assert [outlook.round_low for outlook in outlooks] == change


def test_winners_have_the_most_points(walk):
    for state in walk.states:
        if state.phase == engine.OVER:
            totals = {seat: points for seat, (points, _) in (final(walk.edition, state) or {}).items()}
            winners = walk.edition.winners(state)
            assert list(totals) == list(state.setup.seats)
            assert winners
            assert {totals[seat] for seat in winners} == {max(totals.values())}


def test_a_game_replays_from_its_record(walk, written):
    for start, turns in walk.games:
        steps = list(replay(written(start, [turn.move for turn in turns])))
        assert [step.state for step in steps] == [turns[0].before, *(turn.settled for turn in turns)]
        assert all(step.ok for step in steps)
        for step, turn in zip(steps[1:], turns, strict=True):
            change = [now - then for now, then in zip(turn.settled.scores, turn.before.scores, strict=True)]
            assert by_seat(step.lines, start.setup.seats) == change


# ---------------------------------------------------------------------------------------------------- what hands can do


def test_apply_accepts_exactly_the_legal_moves(walk):
    for state, legal, moves in walk.tried:
        for move in moves:
            assert is_accepted(walk.edition, state, move) is (move in legal), move


def test_violations_are_those_of_exactly_the_illegal_moves(walk):
    for state, legal, moves in walk.tried:
        for move in moves:
            violations = walk.edition.violations(state, move)
            assert bool(violations) is (move not in legal), move
            assert {violation.rule for violation in violations} <= set(walk.edition.rulebook), move


def test_hands_can_do_every_legal_move_and_none_twice(walk):
    for _, legal, moves in walk.tried:
        assert len(moves) == len(set(moves))
        assert legal <= set(moves)


def test_hands_lose_no_tile(walk):
    for state, _, moves in walk.tried:
        before = lying(walk.edition, state)
        for move in moves:
            assert lying(walk.edition, walk.edition.enact(state, move)) == before, move


def test_a_legal_move_is_enacted_as_it_is_applied(walk):
    for state, legal, _ in walk.tried:
        for move in legal:
            assert walk.edition.enact(state, move) == walk.edition.apply(state, move)


# ----------------------------------------------------------------------------------------------- how it is written down


def test_states_are_read_as_they_were_written(walk):
    for state in walk.states:
        line = walk.edition.format_state(state)
        assert "\n" not in line
        assert walk.edition.parse_state(line) == state


def test_moves_are_read_as_they_were_written(walk):
    edition = walk.edition
    moves = [(turn.before, turn.move) for turn in walk.turns]
    moves += [(state, move) for state, _, pseudo in walk.tried for move in pseudo]
    for state, move in moves:
        assert edition.parse_move(edition.format_move(move)) == move
        event = json.loads(json.dumps(edition.format_event(move)))
        assert edition.parse_event(state, event) == move
    assert len({edition.format_move(move) for _, move in moves}) == len({move for _, move in moves})


def test_every_move_and_position_can_be_told(walk):
    for turn in walk.turns:
        told = str(walk.edition.describe(turn.move))
        assert told
        assert "{" not in told
        assert walk.edition.show(walk.edition.table(turn.before))


def test_points_name_a_rule_of_the_rulebook(walk):
    lines = [line for turn in walk.turns for line in walk.edition.score(turn.before, turn.move)]
    lines += [line for turn in walk.turns for line in walk.edition.bonuses(turn.settled)]
    assert lines
    for line in lines:
        assert line.rule in walk.edition.rulebook
        assert "{" not in str(line.text)


# ----------------------------------------------------------------------------------------------- what lies on the table


def test_legal_play_leaves_no_violation_on_the_table(walk):
    for state in walk.states:
        position = walk.edition.table(state)
        line = walk.edition.format_state(state)
        assert walk.edition.table_violations(position, None) == [], line
        assert walk.edition.table_violations(position, state) == [], line


def test_tables_are_read_as_they_were_written(walk):
    for state in walk.states:
        position = walk.edition.table(state)
        table = json.loads(json.dumps(walk.edition.format_table(position)))
        assert (table["edition"], table["side"]) == (state.setup.edition, state.setup.side)
        assert walk.edition.parse_table(table) == position
