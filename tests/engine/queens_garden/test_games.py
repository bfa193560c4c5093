"""Whole games of Queen's Garden by chance: they end, nothing is lost, and a naive scorer agrees on every point."""

import os
import random
from collections import Counter

import pytest

import engine
from engine.editions.queens_garden.state import cards_out, faces_seen
from engine.record import Start, final

EFFORT = int(os.environ.get("AZUL_EFFORT", "1"))
GAMES = 20 * EFFORT


# --------------------------------------------------------------------------------------- the naive scorer
# Written from the rules file alone: cells are coordinates, and groups are found by trying whether hexes touch.

STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def spot(cell):
    """Where a cell is."""
    if cell[0] == "F":
        return STEPS[int(cell[1])]
    q, r = STEPS[int(cell[1])]
    dq, dr = (0, 0) if cell[3] == "c" else STEPS[int(cell[3])]
    return 3 * q + dq, 3 * r + dr


def naive_hexes(table_garden):
    """The hexes of a garden by their coordinates, out of its Table."""
    hexes = {}
    for cell, content in table_garden.items():
        if isinstance(content, str):
            hexes[spot(cell)] = content
        elif content["face"] == "up":
            hexes[spot(f"{cell}.{content['at']}")] = content["hex"]
    return hexes


def naive_groups(hexes, same):
    groups: list[set[tuple[int, int]]] = []
    for place, hex_ in hexes.items():
        touching = [
            group
            for group in groups
            if any(same(hexes[other], hex_) and (other[0] - place[0], other[1] - place[1]) in STEPS for other in group)
        ]
        groups = [group for group in groups if group not in touching]
        groups.append({place}.union(*touching))
    return groups


def naive_round(board, wheel, round_):
    points = sum(1 for content in board["garden"].values() if isinstance(content, dict) and content["face"] == "up")
    for category in wheel["rounds"][round_ - 1] if wheel else []:
        for hex_ in naive_hexes(board["garden"]).values():
            if category["id"] in (hex_[:2], hex_[2]):
                points += int(hex_[2]) if category["points"] == "value" else category["points"]
    return points


def naive_final(board):
    items = board["storage"]["tiles"] + board["storage"]["expansions"]
    score = board["score"] + items.count("J")
    score = max(0, score - sum(int(item[2]) for item in items if item != "J"))
    hexes = naive_hexes(board["garden"])
    for same in (lambda a, b: a[:2] == b[:2], lambda a, b: a[2] == b[2]):
        for group in naive_groups(hexes, same):
            if len(group) >= 3:
                score += sum(int(hexes[place][2]) for place in group) + (6 if len(group) == 6 else 0)
    return score


# ------------------------------------------------------------------------------------------------- games


def played(edition, start, rng, choose):
    state = edition.start(start.setup)
    while state.phase != engine.OVER:
        move = edition.deal(state, rng.sample) if edition.awaits_chance(state) else choose(edition, state, rng)
        after = edition.apply(state, move)
        settled = edition.settle(after)
        yield state, move, after, settled
        state = settled


def by_chance(edition, state, rng):
    return rng.choice(edition.choices(state))


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", ["by chance", "keen"])
def test_games_end_score_as_the_naive_scorer_says_and_lose_nothing(garden, wheel, keen, side, players, style):
    choose = keen if style == "keen" else by_chance
    for seed in range(GAMES):
        # A bonus table on side b like that of side a, so that one naive scorer serves both.
        options = {"groupBonus": {"6": 6}} | ({"wheel": wheel} if seed % 2 else {})
        start = Start(garden, garden.setup(side, players, seed % players + 1, options))
        rng, rounds = random.Random(seed), 0
        for turn, (before, _, after, settled) in enumerate(played(garden, start, rng, choose)):
            assert turn < 2000, "the game does not come to an end"
            conserved(settled)
            if after.phase == "count":
                rounds += 1
                table = garden.format_table(garden.table(after))
                for board in table["boards"]:
                    gained = naive_round(board, wheel if seed % 2 else None, before.round)
                    assert settled.scores[board["seat"] - 1] == after.scores[board["seat"] - 1] + gained
        assert rounds == 4
        totals = [points for points, _ in (final(garden, settled) or {}).values()]
        boards = garden.format_table(garden.table(settled))["boards"]
        assert totals == [naive_final(board) for board in boards]
        assert garden.winners(settled) == tuple(s for s, t in enumerate(totals, 1) if t == max(totals))


def conserved(state):
    """All 36 expansions are somewhere, each hex once, and what was never seen is hidden."""
    assert sum(cards_out(state).values()) == 36
    assert all(count >= 0 for count in cards_out(state).values())
    seen = faces_seen(state)
    assert len(seen) == len(set(seen))
    assert not set(seen) & set(state.unseen)
    hidden = sum(cards_out(state).values()) - len(seen)
    assert len(state.unseen) <= hidden


def test_the_bag_is_emptied_before_the_tower_is_poured_in(garden, thrifty):
    short = 0
    for seed in (13, 15, 30):
        start = Start(garden, garden.setup("a", 4))
        for before, move, after, _ in played(garden, start, random.Random(seed), thrifty):
            if type(move).__name__ != "Stack" or len(before.bag) >= len(move.tiles):
                continue
            drawn = Counter(move.tiles)
            drawn.subtract(before.bag)
            assert min(drawn.values(), default=0) >= 0
            assert Counter(after.bag) == Counter(before.tower) - drawn
            assert after.tower == ()
            short += bool(before.bag)
    assert short


def test_keen_games_show_what_is_rare(garden, keen):
    seen: Counter[str] = Counter()
    for players in (2, 4):
        for seed in range(4):
            start = Start(garden, garden.setup("a", players))
            turns = list(played(garden, start, random.Random(seed), keen))
            for before, move, after, _ in turns:
                seen[type(move).__name__] += 1
                boards = zip(before.boards, after.boards, strict=True)
                seen["jokers"] += any(now.jokers > then.jokers for then, now in boards)
                seen["tower poured"] += bool(before.tower) and not after.tower and type(move).__name__ == "Stack"
                seen["turned"] += bool(getattr(move, "turned", ()))
                seen["expansion pays"] += any(item[0] == "x" for item in getattr(move, "pay", ()))
            seen.update(line.rule for line in garden.bonuses(turns[-1][-1]))
    assert all(seen[name] for name in ("Plant", "Expand", "Buy", "Acquire", "Pass", "Stack")), seen
    assert all(seen[name] for name in ("jokers", "turned", "tower poured", "QG-PT-07", "QG-PT-08")), seen


def test_stack_without_tiles_is_laid_out_face_up(garden, lay):
    state = lay(garden, top="LB1", left=3, bag="")
    state = garden.apply(state, garden.parse_move("1:LB1@0"))
    assert garden.awaits_chance(state)
    deal = garden.deal(state, random.Random(1).sample)
    assert (deal.tiles, len(deal.turned)) == ((), 3)
    after = garden.apply(state, deal)
    assert (after.stack, after.top) == (0, ())
    assert [card.tiles for card in after.display] == [()] * 3
    assert all(card.hex for card in after.display)


def test_fewer_tiles_where_bag_and_tower_have_fewer(garden, lay):
    state = garden.apply(lay(garden, top="LB1.DP4", left=3, bag="DP1", tower="DP2"), garden.parse_move("1:LB1@0"))
    deal = garden.deal(state, random.Random(1).sample)
    after = garden.apply(state, deal)
    assert (after.top, after.bag, after.tower) == (("DP1", "DP2"), (), ())


def test_the_tower_is_poured_when_the_bag_has_too_few(garden, lay):
    state = garden.apply(
        lay(garden, top="LB1.DP4", left=3, bag="DP1.DP3", tower="DP2.DG1.DG2"), garden.parse_move("1:LB1@0")
    )
    after = garden.apply(state, garden.deal(state, random.Random(1).sample))
    assert (len(after.top), len(after.bag), after.tower) == (4, 1, ())
    assert {"DP1", "DP3"} < set(after.top)


def test_what_is_left_in_the_bag_is_drawn_before_the_tower_is_poured_in(garden, lay):
    table = {"phase": "fill2+", "top": "", "left": 3, "bag": "DP1.DP3", "tower": "DG1.DG2.DP1.DP2"}
    state = lay(garden, **table)
    after = garden.apply(state, garden.parse_move("stack:DG1.DP1.DP2.DP3"))
    assert (after.top, after.bag, after.tower) == (("DG1", "DP1", "DP2", "DP3"), ("DG2", "DP1"), ())


def test_a_tower_poured_in_too_early_is_flagged_and_played_on_with(garden, lay):
    lying = {"phase": "fill2+", "top": "", "left": 3, "tower": "DG1.DG2.DP1.DP2"}
    for bag, left in (("DP1.DP3", ("DP1", "DP3")), ("DP1.DP3.LB1.LB2.LB3", ("DP1", "DP3", "LB1", "LB2", "LB3"))):
        state, move = lay(garden, bag=bag, **lying), garden.parse_move("stack:DG1.DG2.DP1.DP2")
        (skipped,) = garden.violations(state, move)
        assert skipped.rule == "RECORD"
        assert "still in the bag" in str(skipped.text)
        with pytest.raises(engine.IllegalMoveError):
            garden.apply(state, move)
        after = garden.enact(state, move)
        assert (after.bag, after.tower, after.phase) == (left, (), "act")


@pytest.mark.parametrize("bonus", [None, {"3": 1, "6": 9}])
def test_side_b_says_what_is_not_known(garden, lay, bonus):
    options = {"groupBonus": bonus} if bonus else {}
    cells = "F0=LB1,F1=LB2,F2=LB3,X4=DP1@0,X4.1=DP2,X4.2=DP3,X4.3=DP4,X4.4=DP5,X4.5=DP6"
    state = lay(garden, side="b", phase="over", round=4, tiles="-", garden=cells, options=options)
    lines = [line for line in garden.bonuses(state) if line.seat == 1 and line.rule == "QG-PT-09"]
    assert [line.points for line in lines] == ([1, 9] if bonus else [0])
    assert ("not entered" in str(lines[-1].text)) is (bonus is None)


def test_without_a_wheel_the_score_says_so(garden, lay):
    state = lay(garden, phase="count", garden="F0=LB1,X0=LG1@0")
    lines = [line for line in garden.score(state, garden.implied(state)) if line.seat == 1]
    assert [line.points for line in lines] == [0, 1]
    assert "wheel is not entered" in str(lines[0].text)


def test_scores_do_not_fall_below_nothing(garden, lay):
    state = lay(garden, score=2, tiles="LB6")
    assert garden.apply(state, garden.parse_move("1:pass=LB6")).boards[0].score == 0
    assert sum(line.points for line in garden.score(state, garden.parse_move("1:pass=LB6"))) == -2
    below = lay(garden, score=0, options={"scoreMin": -100})
    assert garden.apply(below, garden.parse_move("1:pass")).boards[0].score == -1
    over = lay(garden, phase="over", round=4, score=2, tiles="LB6")
    assert sum(line.points for line in garden.bonuses(over) if line.seat == 1) == -2
