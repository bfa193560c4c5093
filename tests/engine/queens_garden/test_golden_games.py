"""Golden games of Queen's Garden show what is rare; whether they replay as they did is asked of all editions elsewhere.

After a change that is meant to change replays, write them anew and read the difference:

    python -c "import runpy; runpy.run_path('tests/engine/queens_garden/test_golden_games.py')['regenerate']()"
"""

import json
import random
import runpy
from collections import Counter
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import engine
from engine.record import Start, dump_event, final_json, format_start, replay, step_json

GAMES = Path(__file__).parents[3] / "fixtures" / "games" / "queens-garden"
NAMES = ("Олена", "J. “Bo” O'Neil", "Zoë", "四")
ODDS = 0.15
"""Of a broken rule, where rules are broken."""


def test_golden_games_show_what_is_rare():
    seen: Counter[str] = Counter()
    for path in GAMES.glob("*-thrifty.jsonl"):
        seen["bag runs short"] += is_short(path.read_text("utf-8").splitlines())
    for path in GAMES.glob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            event = json.loads(line)
            seen[event.get("event", "")] += 1
            seen["turned"] += bool(event.get("turned"))
            seen["expansion pays"] += any(item[0] == "x" for item in event.get("pay", ()))
            seen.update(part["rule"] for part in event.get("lines", ()))
            seen.update(part["rule"] for seat in event.get("breakdown", ()) for part in seat["lines"])
            seen.update(broken["rule"] for broken in event.get("violations", ()))
            seen["advised"] += bool(event.get("advisories"))
    for name in ("stack", "acquire", "plant", "expand", "buy", "pass", "turned", "expansion pays"):
        assert seen[name], name
    assert seen["bag runs short"]
    assert seen["advised"]
    assert all(seen[f"QG-PT-{n:02}"] for n in range(1, 9)), seen
    assert len([name for name in seen if name.startswith("QG-") and "PT" not in name]) >= 12, seen


def is_short(lines):
    """Whether the bag of a game had once too few tiles left, so that some were drawn first and others after pouring."""
    states = [step.state for step in replay(lines)]
    return any(0 < len(before.bag) < len(after.top) and before.due for before, after in pairwise(states))


# ------------------------------------------------------------------------------------------------ how they were made


def regenerate():
    """Write the golden games anew: for every table a keen one, on each side one with broken rules, one with a wheel,
    and one in which the bag runs short."""
    tools = runpy.run_path(str(Path(__file__).parent / "conftest.py"))
    edition = engine.load("queens-garden")
    GAMES.mkdir(parents=True, exist_ok=True)
    for side in edition.sides:
        for players in edition.players:
            names = NAMES[:players] if players == 3 else ()
            _write(edition, tools["play_keenly"], side, players, "keen", names, {})
        _write(edition, tools["play_keenly"], side, 2, "broken", (), {})
        options = {"wheel": tools["WHEEL"], "duplicatePayers": "forbid", "groupBonus": {"4": 1, "5": 3, "6": 8}}
        _write(edition, tools["play_keenly"], side, 4, "wheel", (), options)
        seeds = count(1)
        while not is_short(_write(edition, tools["play_thriftily"], side, 4, "thrifty", (), {}, next(seeds))):
            pass


def _write(edition, choose, side, players, style, names, options, seed=""):
    name = f"{side}-{players}p-{style}"
    rng = random.Random(f"{edition.slug} {name}{seed}")
    start = Start(edition, edition.setup(side, players, rng.randint(1, players), options), names)
    lines = [dump_event(format_start(start))]
    state = edition.start(start.setup)
    while state.phase != engine.OVER:
        if edition.awaits_chance(state):
            move = edition.deal(state, rng.sample)
        elif style == "broken" and rng.random() < ODDS:
            move = _illegal(edition, state, rng)
        else:
            move = choose(edition, state, rng)
        lines.append(dump_event(edition.format_event(move)))
        state = edition.settle(edition.enact(state, move))
    steps = list(replay(lines))
    told = [dump_event(step_json(step)) for step in steps]
    told.append(dump_event(final_json(edition, steps[-1].state) or {}))
    (GAMES / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (GAMES / f"{name}.replay.jsonl").write_text("\n".join(told) + "\n", "utf-8")
    return lines


def _illegal(edition, state, rng):
    kinds: dict[str, list[Any]] = {}
    legal = set(edition.legal_moves(state))
    for move in edition.pseudo_moves(state):
        if move not in legal:
            kinds.setdefault(edition.violations(state, move)[0].rule, []).append(move)
    return rng.choice(kinds[rng.choice(sorted(kinds))])
