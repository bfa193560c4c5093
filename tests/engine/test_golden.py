"""Whole games with their known replays: fixtures/games/<slug>/NAME.jsonl and NAME.replay.jsonl beside it.

After a change that is meant to change replays, or for a new edition, write them anew and read the difference:

    python -c "import runpy; runpy.run_path('tests/engine/test_golden.py')['regenerate']('azul')"
"""

import json
import random
from collections import Counter
from itertools import count, pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.edition import Edition
from engine.editions.azul.board import legal_columns, with_wall_tile
from engine.record import Start, dump_event, final_json, format_start, parse_lines, parse_start, replay, step_json

GAMES = Path(__file__).parents[2] / "fixtures" / "games"
RECORDS = sorted(path for path in GAMES.glob("*/*.jsonl") if not path.name.endswith(".replay.jsonl"))
EDITIONS = [engine.load(slug) for slug in engine.slugs()]
TABLES = [
    (edition.slug, side, players) for edition in EDITIONS for side in edition.sides for players in edition.players
]


def replay_path(record: Path) -> Path:
    return record.with_name(record.stem + ".replay.jsonl")


def written_replay(lines: list[str]) -> list[str]:
    """The replay of a record as `azul verify --json` prints it."""
    edition, steps = parse_start(lines[0]).edition, list(replay(lines))
    result = final_json(edition, steps[-1].state)
    return [dump_event(step_json(step)) for step in steps] + ([dump_event(result)] if result else [])


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_game_replays_as_it_did(path):
    got = [json.loads(line) for line in written_replay(parse_lines(path.read_bytes()))]
    expected = [json.loads(line) for line in replay_path(path).read_text("utf-8").splitlines()]
    for step, known in zip(got, expected, strict=False):
        assert step == known
    assert len(got) == len(expected)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_game_is_written_as_the_engine_writes_it(path):
    lines = parse_lines(path.read_bytes())
    start = parse_start(lines[0])
    moves = [step.moves[0] for step in replay(lines) if step.n > 1]
    assert [dump_event(event) for event in [format_start(start), *map(start.edition.format_event, moves)]] == lines


@pytest.mark.parametrize(("slug", "side", "players"), TABLES)
def test_every_table_has_a_golden_game_that_is_legal_and_comes_to_its_end(slug, side, players):
    whole = []
    for path in GAMES.glob(f"{slug}/*.jsonl"):
        if path in RECORDS:
            setup = parse_start(parse_lines(path.read_bytes())[0]).setup
            steps = [json.loads(line) for line in replay_path(path).read_text("utf-8").splitlines()]
            if (setup.side, setup.players) == (side, players) and "final" in steps[-1]:
                whole.append(all(step["ok"] for step in steps[:-1]))
    assert any(whole), f"no golden game of {slug} on the side {side} for {players} players: see regenerate()"


@pytest.mark.parametrize(("slug", "side"), list(dict.fromkeys((slug, side) for slug, side, _ in TABLES)))
def test_every_side_has_a_golden_game_in_which_rules_are_broken(slug, side):
    steps = [
        json.loads(line)
        for path in GAMES.glob(f"{slug}/{side}-*-broken.replay.jsonl")
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len({violation["rule"] for step in steps for violation in step.get("violations", ())}) >= 5


def test_no_replay_stands_alone():
    assert {path.name for path in GAMES.glob("*/*.replay.jsonl")} == {replay_path(path).name for path in RECORDS}
    assert {path.parent.name for path in RECORDS} <= set(engine.slugs())


@pytest.mark.parametrize("slug", ["azul", "azul-mini"])
def test_golden_games_of_azul_show_what_is_rare(slug):
    seen: Counter[str] = Counter()
    for path in RECORDS:
        if path.parent.name == slug:
            states = [step.state for step in replay(parse_lines(path.read_bytes()))]
            for before, after in pairwise(states):
                drafts = (before.phase, after.phase) == ("draft", "draft")
                seen["floor overflow"] += drafts and len(after.lid) > len(before.lid)
                seen["lid recycled"] += (before.phase, after.lid) == ("fill", "") and bool(before.lid)
            for line in replay_path(path).read_text("utf-8").splitlines():
                for seat in json.loads(line).get("breakdown", ()):
                    seen.update(part["rule"] for part in seat["lines"])
            seen["blocked line"] += path.read_text("utf-8").count('"column":0')
    for rare in ("floor overflow", "lid recycled", "blocked line"):
        assert seen[rare], rare
    assert all(seen[bonus] for bonus in ("AZ-PT-03", "AZ-PT-04", "AZ-PT-05")), seen


@pytest.mark.parametrize("slug", ["azul", "azul-mini"])
def test_a_game_that_stands_still_is_told_so_and_ended_by_people(slug):
    path = GAMES / slug / "grey-2p-locked.jsonl"
    *steps, last = replay(parse_lines(path.read_bytes()))
    told = [step.n for step in steps for advice in step.advisories if advice.rule == "AZ-EN-01"]
    assert len(told) == 1
    assert (last.moves[0], last.ok, last.state.phase) == (engine.load(slug).parse_move("end"), True, engine.OVER)
    assert '"final"' in replay_path(path).read_text("utf-8")


# --------------------------------------------------------------------------------------------------- how they were made

SEED = 5
MAX_ROUNDS = 12
NAMES = ("Олена", "J. “Bo” O'Neil", "Zoë", "四")
LOCKED = {("azul", "grey"), ("azul-mini", "grey")}
HOUSE_RULES = {"azul": {"floorPenalties": [1, 2, 3, 4, 5, 6, 7], "markerWhenFloorFull": "lastPenalty"}}
# Hands can go wrong at the wall only where a record says what they did there.
BROKEN_RULES = {"azul": {"explicitTiling": True}, "azul-mini": {"explicitTiling": True}}


def regenerate(*slugs: str) -> None:
    """Write the golden games of some editions anew: on each side good ones, clumsy ones and one with broken rules."""
    for slug in slugs:
        edition = engine.load(slug)
        (GAMES / slug).mkdir(parents=True, exist_ok=True)
        for side in edition.sides:
            for players in edition.players:
                _write(edition, side, players, "good", names=NAMES[:players] if players == 3 else ())
            _write(edition, side, edition.players[0], "clumsy")
            _write(edition, side, edition.players[-1], "clumsy")
            _write(edition, side, edition.players[0], "broken", options=BROKEN_RULES.get(slug))
            if slug in HOUSE_RULES:
                _write(edition, side, edition.players[0], "clumsy-house", options=HOUSE_RULES[slug])
            if (slug, side) in LOCKED:
                seeds = count(1)
                while not _write(edition, side, edition.players[0], "locked", seed=next(seeds)):
                    pass


def _write(
    edition: Edition[Any, Any],
    side: str,
    players: int,
    style: str,
    names: tuple[str, ...] = (),
    options: dict[str, Any] | None = None,
    seed: int = SEED,
) -> bool:
    """Write a game and its replay; whether it came to its end."""
    name = f"{side}-{players}p-{style}"
    rng = random.Random(f"{edition.slug} {name} {seed}")
    start = Start(edition, edition.setup(side, players, rng.randint(1, players), options), names)
    events = [format_start(start), *map(edition.format_event, _played(start, style, rng))]
    lines = [dump_event(event) for event in events]
    path = GAMES / edition.slug / f"{name}.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    told = written_replay(lines)
    replay_path(path).write_text("\n".join(told) + "\n", "utf-8")
    return "final" in json.loads(told[-1])


def _played(start: Start, style: str, rng: random.Random) -> list[Any]:
    """The moves of a game in which everybody looks one move ahead: the clumsy, all but the first, for the worst; where
    walls are to be locked, for rows that cannot be completed any more."""
    edition, moves = start.edition, list[Any]()
    state = edition.start(start.setup)
    while state.phase != engine.OVER and state.round <= MAX_ROUNDS:
        choices = list(edition.choices(state))
        if ending := edition.ending(state):
            move = ending
        elif edition.awaits_chance(state):
            move = edition.deal(state, rng.sample)
        elif style == "broken" and rng.random() < 0.2:
            legal = set(edition.legal_moves(state))
            kinds: dict[str, list[Any]] = {}
            for illegal in edition.pseudo_moves(state):
                if illegal not in legal:
                    kinds.setdefault(edition.violations(state, illegal)[0].rule, []).append(illegal)
            move = rng.choice(kinds[rng.choice(sorted(kinds))])
        else:
            rng.shuffle(choices)
            promise = _locking if style == "locked" else _promise
            best = min if style.startswith("clumsy") and choices[0].seat != start.setup.first else max
            move = best(choices, key=lambda choice: promise(edition, state, choice))
        if style == "broken" or edition.format_event(move)["event"] != "sweep":
            # A floor that is swept as it should be is implied by the last wall tile of the round.
            moves.append(move)
        state = edition.settle(edition.enact(state, move))
    return moves


def _locking(_edition: Edition[Any, Any], state: Any, move: Any) -> float:
    """How few rows of a player's wall can be completed after a move, and after the wall tile that it leads to."""
    board = state.boards[move.seat - 1]
    row, colours = (move.row, board.lines[move.row - 1][-1]) if hasattr(move, "row") else (move.line, move.colour)
    fits = legal_columns(board.wall, row, colours, None) if row else []
    chosen = [move.column] if hasattr(move, "row") and move.column else fits
    walls = [with_wall_tile(board.wall, row, column, colours) for column in chosen]
    return max((-_completable(wall) for wall in walls), default=-_completable(board.wall))


def _completable(wall: tuple[str, ...]) -> int:
    """How many rows of a grey wall can be completed; a complete one is the worst of all."""
    columns = ["".join(cells) for cells in zip(*wall, strict=True)]
    free = [[column for column in range(5) if cells[column] == "."] for cells in wall]
    ways = (
        any(
            not any(colour in columns[column] for column, colour in zip(cells, colours, strict=True))
            for colours in permutations(set("BYRKW") - set(row), len(cells))
        )
        for row, cells in zip(wall, free, strict=True)
    )
    return sum(ways) + 100 * (not all(free))


def _promise(edition: Edition[Any, Any], state: Any, move: Any) -> float:
    after = edition.apply(state, move)
    outlook = edition.outlook(edition.table(after))[move.seat - 1]
    return float(after.scores[move.seat - 1] + outlook.round_points + outlook.bonus_points)
