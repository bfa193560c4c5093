"""How a game goes on where that is easily got wrong: turns, jokers, bonus tiles, a supply that runs dry, the end."""

import json
import random

import pytest

from engine import ImpossibleMoveError, replay

FILL = "fill:PGOY/BRPG/OYBR/PGOY/BRPG"
DRY = {"supply": "..OYBRPGOY", "bag": "", "tower": ""}
"""Two cells of the supply are empty, and nothing can be drawn."""


def play(edition, state, *moves):
    for move in moves:
        state = edition.apply(state, edition.parse_move(move))
    return state


def rules(edition, state, move):
    return [violation.rule for violation in edition.violations(state, edition.parse_move(move))]


def texts(edition, state):
    return {edition.format_move(move) for move in edition.legal_moves(state)}


# ------------------------------------------------------------------------------------------------------- drafting


def test_first_fill_brings_the_supply_and_later_ones_do_not(edition):
    state = edition.start(edition.setup("coloured", 2, first=2))
    first = play(edition, state, f"{FILL}+RRRRRRRRRR")
    assert (first.supply, first.round, first.phase, first.seat, first.marker) == ("R" * 10, 1, "draft", 2, 0)
    assert (len(first.bag), first.factories) == (132 - 30, ("GOPY", "BGPR", "BORY", "GOPY", "BGPR"))
    assert rules(edition, state, FILL) == ["SP-SU-03"]


def test_supply_with_a_later_fill_is_no_record(edition, lay):
    state = lay(edition, round=1, phase="fill", supply=".GOYBRPGOY")
    assert rules(edition, state, f"{FILL}+R") == ["RECORD"]
    assert play(edition, state, FILL).supply == ".GOYBRPGOY"


def test_only_jokers_at_a_source(edition, lay):
    state = lay(edition, factories="PPPP/PPPY", centre="PP")
    # One joker from where nothing else lies, the other colour where one does.
    assert texts(edition, state) == {"1:0P", "1:1P", "1:2Y"}
    taken = play(edition, state, "1:1P")
    assert (taken.boards[0].reserve, taken.factories[0], taken.centre) == ("P", "", "PPPPP")
    first = play(edition, state, "1:0P")
    assert (first.boards[0].reserve, first.centre, first.marker, first.scores[0]) == ("P", "P", 1, 4)
    # Next round they are tiles like others.
    assert play(edition, lay(edition, round=2, factories="PPPP"), "1:1P").boards[0].reserve == "PPPP"


def test_jokers_count_among_the_points_lost_but_the_token_does_not(edition, lay):
    state = play(edition, lay(edition, centre="PPPYR", score=20), "1:0Y")
    assert (state.boards[0].reserve, state.scores[0]) == ("PY", 18)
    later = play(edition, state, "2:0R")
    assert (later.boards[1].reserve, later.scores[1], later.marker) == ("PR", 5, 1)


def test_last_take_leads_to_the_token_owner(edition, lay):
    state = lay(edition, players=3, centre="R", phase="draft2", marker=3, starter=1)
    after = play(edition, state, "2:0R")
    assert (after.phase, after.seat, after.starter) == ("place", 3, 1)


def test_nobody_takes_from_the_centre(edition, lay):
    # All tiles of the only disc are of one colour; the token stays, and the old starter goes on.
    state = lay(edition, factories="RRRR", starter=2, round=3)
    state = play(edition, state, "1:1R")
    assert (state.phase, state.seat, state.marker) == ("place", 2, 0)
    state = play(edition, state, "2:pass=", "1:pass=RRRR", FILL)
    assert (state.phase, state.seat, state.starter, state.round, state.marker) == ("draft", 2, 2, 4, 0)
    assert state.scores == (5, 5)


def test_token_owner_starts_the_next_round(edition, lay):
    state = play(edition, lay(edition, marker=2, phase="place2"), "2:pass=", "1:pass=")
    assert (state.phase, state.starter) == ("fill", 2)
    assert play(edition, state, FILL).seat == 2


# -------------------------------------------------------------------------------------------------------- placing


def test_an_empty_reserve_leaves_only_the_pass(edition, lay):
    state = lay(edition, reserve="")
    assert texts(edition, state) == {"1:pass="}
    after = play(edition, state, "1:pass=")
    assert (after.passed, after.boards[0].corners, after.scores[0], after.seat) == ((1,), "....", 5, 2)


def test_tiles_that_fit_nowhere_leave_only_passes(edition, lay):
    state = lay(edition, reserve="OO", stars={"O": "12", "C": "OG...."})
    assert texts(edition, state) == {"1:pass=", "1:pass=O", "1:pass=OO"}


def test_every_pass_that_keeps_up_to_four_is_legal(edition, lay):
    passes = {text for text in texts(edition, lay(edition, reserve="GGGGGR")) if "pass" in text}
    assert passes == {f"1:pass={'G' * g}{'R' * r}" for g in range(5) for r in range(2) if g + r <= 4}


def test_all_four_corners_come_back_to_the_reserve(edition, lay):
    state = lay(edition, reserve="BGRYYY", seats={2: {"reserve": "O"}}, score=9)
    state = play(edition, state, "1:pass=BGRY", "2:pass=O")
    assert [board.corners for board in state.boards] == ["BGRY", "O..."]
    assert ([board.reserve for board in state.boards], state.scores, state.tower) == (["", ""], (7, 5), "YY")
    state = play(edition, state, FILL)
    assert [board.corners for board in state.boards] == ["....", "...."]
    assert [board.reserve for board in state.boards] == ["BGRY", "O"]


def test_passed_players_are_left_out(edition, lay):
    reserves = {seat: {"reserve": "OO"} for seat in (2, 3, 4)}
    state = lay(edition, players=4, reserve="O", seats=reserves)
    state = play(edition, state, "1:pass=O", "2:O1O+0", "3:pass=OO", "4:O1O+0")
    assert (state.seat, state.passed) == (2, (1, 3))
    assert play(edition, state, "2:C1O+0").seat == 4


def test_the_last_player_goes_on_alone(edition, lay):
    state = lay(edition, reserve="OOR", passed="2")
    state = play(edition, state, "1:O1O+0")
    assert (state.phase, state.seat) == ("place", 1)
    state = play(edition, state, "1:C1O+0", "1:R1R+0")
    assert (state.seat, state.scores[0]) == (1, 8)
    assert play(edition, state, "1:pass=").phase == "fill"


def test_bonus_tiles_serve_on_the_next_turn(edition, lay):
    state = lay(edition, reserve="BBBBBB", stars={"B": "5"}, passed="2")
    state = play(edition, state, "1:B6B+0")
    assert (state.phase, state.seat, state.owed, state.supply) == ("bonus", 1, 3, "PGOYBRPGOY")
    assert rules(edition, state, "1:pass=") == ["SP-BO-01"]
    state = play(edition, state, "1:bonus=GGP")
    # A taken letter leaves the lowest-numbered cell that has it.
    assert (state.supply, state.boards[0].reserve, state.phase, state.seat) == ("..OYBRP.OY", "GGP", "fill", 1)
    state = play(edition, state, "supply:RYB")
    assert (state.supply, state.phase, state.seat) == ("RYOYBRPBOY", "place", 1)
    assert play(edition, state, "1:G3G+1").tower == "BBBBBGP"


def test_every_choice_of_bonus_tiles(edition, lay):
    state = lay(edition, phase="bonus1", owed=2, supply="GGPPP.....")
    assert texts(edition, state) == {"1:bonus=GG", "1:bonus=GP", "1:bonus=PP"}


@pytest.mark.parametrize("star", "ORBYGP")
def test_a_feature_is_paid_once(edition, lay, star):
    # The window is surrounded already: another tile of the same star brings no bonus.
    state = play(edition, lay(edition, reserve=star * 4, stars={star: "56"}), f"1:{star}4{star}+0")
    assert (state.phase, state.owed, state.scores[0]) == ("place", 0, 8)


# -------------------------------------------------------------------------------------------- a supply that runs dry


def test_fewer_tiles_in_the_supply_than_are_owed(edition, lay):
    state = lay(edition, reserve="BBBBBB", stars={"B": "5"}, supply="...G...P..", bag="", tower="")
    state = play(edition, state, "1:B6B+0")
    assert (state.owed, texts(edition, state)) == (2, {"1:bonus=GP"})
    # What was paid lies in the tower now, and goes back into the supply.
    state = play(edition, state, "1:bonus=GP")
    assert (state.phase, state.supply, state.tower) == ("fill", "..........", "BBBBB")
    state = play(edition, state, "supply:BBBBB")
    assert (state.phase, state.seat, state.supply, state.tower) == ("place", 2, "BBBBB.....", "")


def test_nothing_in_the_supply(edition, lay):
    state = lay(edition, reserve="BBBBBB", stars={"B": "5"}, supply="..........", bag="", tower="")
    state = play(edition, state, "1:B6B+0")
    assert (state.phase, state.owed, state.seat) == ("place", 0, 2)


def test_bag_then_tower_fill_the_supply(edition, lay):
    table = {"phase": "fill1", "supply": "...YBRPGOY", "bag": "G", "tower": "RR"}
    state = play(edition, lay(edition, **table), "supply:GRR")
    assert (state.supply, state.bag, state.tower) == ("GRRYBRPGOY", "", "")
    # The tower is poured out only when the bag is empty.
    assert rules(edition, lay(edition, **table | {"tower": "RRR"}), "supply:RRR") == ["RECORD"]
    left = play(edition, lay(edition, **table | {"tower": "RRR"}), "supply:RRG")
    assert (left.bag, left.tower) == ("R", "")


def test_partial_refill(edition, lay):
    table = {"phase": "fill1", "supply": "...YBRPGOY", "bag": "G", "tower": "R"}
    state = play(edition, lay(edition, **table), "supply:RG")
    assert (state.supply, state.bag, state.tower, state.phase) == ("RG.YBRPGOY", "", "", "place")
    assert not edition.awaits_chance(state)
    assert rules(edition, lay(edition, **table), "supply:G") == ["SP-SU-03"]


def test_no_refill_while_there_is_nothing_to_draw(edition, lay):
    state = lay(edition, phase="bonus1", owed=1, **DRY)
    state = play(edition, state, "1:bonus=R")
    assert (state.phase, state.seat, state.supply) == ("place", 2, "..OYB.PGOY")
    assert not edition.awaits_chance(state)
    assert rules(edition, state, "supply:R") == ["RECORD"]


def test_refill_when_the_tower_has_tiles_again(edition, lay):
    state = play(edition, lay(edition, reserve="RRR", seats={2: {"reserve": "O"}}, **DRY), "1:R3R+0")
    assert (state.tower, state.supply, state.seat) == ("RR", "..OYBRPGOY", 2)
    assert edition.awaits_chance(state)
    # Players refill before the next turn, but a record may do without: the formats name `supply` after a bonus only.
    assert rules(edition, state, "2:O1O+0") == []
    assert play(edition, state, "2:O1O+0").supply == "..OYBRPGOY"
    refill = edition.deal(state, random.Random(1).sample)
    assert edition.format_move(refill) == "supply:RR"
    state = play(edition, edition.apply(state, refill), "2:O1O+0")
    assert (state.supply, state.tower, state.seat) == ("RROYBRPGOY", "", 1)


def test_refill_when_a_pass_gave_tiles_up(edition, lay):
    state = play(edition, lay(edition, reserve="R", **DRY), "1:pass=")
    assert (edition.awaits_chance(state), state.phase, state.seat) == (True, "place", 2)
    assert play(edition, state, "supply:R").supply == "R.OYBRPGOY"


def test_discs_that_cannot_be_filled(edition, lay):
    table = {"round": 2, "phase": "fill", "supply": "RRRRRRRRRR"}
    state = play(edition, lay(edition, bag="PG", tower="OYB", **table), "fill:PGOY/B///")
    assert (state.factories, state.phase, state.bag, state.tower) == (("GOPY", "B", "", "", ""), "draft", "", "")
    # With nothing to draw at all players lay what they kept.
    empty = lay(edition, bag="", tower="", corners="GG", **table)
    state = play(edition, empty, "fill:////")
    assert (state.phase, state.seat, state.round, state.boards[0].reserve) == ("place", 1, 3, "GG")


# ------------------------------------------------------------------------------------------------- scores and the end


def test_the_score_goes_on_beyond_the_track(edition, lay):
    state = play(edition, lay(edition, score=79, stars={"O": "23"}, reserve="O"), "1:O1O+0")
    assert state.scores[0] == 82
    assert edition.format_table(edition.table(state))["boards"][0]["score"] == 82
    assert edition.parse_state(edition.format_state(state)) == state
    state = play(edition, lay(edition, score=159, stars={"O": "23"}, reserve="O"), "1:O1O+0")
    assert state.scores[0] == 162


def test_corners_are_charged_after_the_bonuses(big, mini, lay):
    # A star brings the marker off the floor before the corners cost anything.
    over = {"round": 6, "phase": "over", "corners": "GGGG"}
    for edition, floor in ((big, 1), (mini, 0)):
        rich = lay(edition, score=floor, stars={"R": "123456"}, **over)
        assert [line.points for line in edition.bonuses(rich)] == [14, -4]
        poor = lay(edition, score=floor + 2, **over)
        assert sum(line.points for line in edition.bonuses(poor)) == -2


def test_game_ends_when_all_have_passed_in_the_sixth_round(edition, lay):
    fifth = play(edition, lay(edition, round=5, reserve="G"), "1:pass=G", "2:pass=")
    assert fifth.phase == "fill"
    sixth = play(edition, lay(edition, round=6, reserve="G"), "1:pass=G", "2:pass=")
    assert (sixth.phase, sixth.boards[0].corners) == ("over", "G...")
    assert edition.legal_moves(sixth) == []
    assert not edition.awaits_chance(sixth)


AFTER_THE_END = ["1:1R", "1:O1O+0", "1:bonus=R", "1:pass=", "supply:R", FILL]


@pytest.mark.parametrize("move", AFTER_THE_END)
def test_nothing_comes_after_the_end(edition, lay, move):
    state = lay(edition, round=6, phase="over", supply=".GOYBRPGOY")
    assert rules(edition, state, move)
    try:
        after = edition.enact(state, edition.parse_move(move))
    except ImpossibleMoveError:
        return
    assert (after.phase, after.seat) == ("over", 0)


@pytest.mark.parametrize(
    ("move", "table"),
    [
        ("1:pass=", {"factories": "RRRR", "supply": ".GOYBRPGOY"}),
        ("1:bonus=R", {"factories": "RRRR"}),
        ("1:O1O+0", {"factories": "RRRR", "reserve": "O"}),
    ],
)
def test_what_belongs_to_placing_does_not_end_the_drafting(edition, lay, move, table):
    state = lay(edition, **table)
    assert rules(edition, state, move)
    try:
        after = edition.enact(state, edition.parse_move(move))
    except ImpossibleMoveError:
        return
    # Supply cells may have to be filled, but then it is again time to take the red tiles.
    if after.phase == "fill":
        after = edition.enact(after, edition.parse_move("supply:R"))
    assert after.phase == "draft"
    assert edition.violations(after, edition.parse_move("1:1R")) == []


def test_bonus_tiles_taken_for_nothing_do_not_cost_the_turn(edition, lay):
    state = lay(edition, reserve="O")
    after = edition.enact(state, edition.parse_move("1:bonus=R"))
    after = edition.enact(after, edition.parse_move("supply:R"))
    assert (after.phase, after.seat) == ("place", 1)


def test_bonus_tiles_taken_by_another_player_are_taken(edition, lay):
    state = lay(edition, phase="bonus1", owed=1)
    after = edition.enact(state, edition.parse_move("2:bonus=R"))
    after = edition.enact(after, edition.parse_move("supply:R"))
    assert (after.phase, after.seat, after.boards[1].reserve) == ("place", 2, "R")


def test_who_passes_twice_has_passed_once(edition, lay):
    state = lay(edition, phase="place2", passed="1", corners="G..Y", reserve="RRR")
    assert rules(edition, state, "1:pass=RR") == ["SP-PL-06"]
    after = edition.enact(state, edition.parse_move("1:pass=RR"))
    assert (after.passed, after.boards[0].corners, after.tower, after.seat) == ((1,), "GRRY", "R", 2)
    with pytest.raises(ImpossibleMoveError):
        edition.enact(state, edition.parse_move("1:pass=RRR"))


def test_corners_that_are_taken_leave_less_to_keep(edition, lay):
    # A person said so, since play does not lead there.
    state = lay(edition, corners="GGG", reserve="OR")
    assert {text for text in texts(edition, state) if "pass" in text} == {"1:pass=", "1:pass=O", "1:pass=R"}
    assert rules(edition, state, "1:pass=OR") == ["SP-PA-01"]
    assert edition.choices(state)[-1] in edition.legal_moves(state)


def test_after_a_fill_of_too_few_factories_comes_a_proper_one(edition, lay):
    state = edition.enact(lay(edition, round=1, phase="fill"), edition.parse_move("fill:RRRR/YYYY"))
    state = play(edition, state, "1:1R", "2:2Y", "1:pass=RRRR", "2:pass=YYYY")
    assert len(edition.deal(state, random.Random(1).sample).factories) == 5


def test_no_supply_before_the_first_fill(edition):
    state = edition.start(edition.setup("coloured", 2))
    assert rules(edition, state, "supply:RRRRRRRRRR") == ["RECORD"]
    with pytest.raises(ImpossibleMoveError):
        edition.enact(state, edition.parse_move("supply:RRRRRRRRRR"))


def test_a_record_goes_on_after_a_broken_rule(edition):
    events = [
        {"event": "start", "edition": edition.slug, "side": "coloured", "players": 2, "first": 1},
        {"event": "fill", "factories": ["RRRR", "YYYY", "GGGG", "BBBB", "OOOO"], "supply": "PPPPPPPPPP"},
        {"event": "take", "seat": 2, "from": 1, "colour": "R"},
        {"event": "take", "seat": 1, "from": 2, "colour": "Y"},
    ]
    steps = list(replay([json.dumps(event) for event in events]))
    assert [[violation.rule for violation in step.violations] for step in steps] == [[], [], ["SP-TU-01"], []]
    assert [board.reserve for board in steps[-1].state.boards] == ["YYYY", "RRRR"]
