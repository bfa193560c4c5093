"""A program that logs events on demand, for tests that kill it: it says a number only once that event is logged.

Every line of standard input is a task, done by a forked child: `run FOLDER`, `step FOLDER`, `full FOLDER KIND`,
`careless FOLDER`. It answers with `pid N`, then what the child says, then `done`.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from companion.gamelog import Event, Game, GameLog, GameLogError, Note, Photo, PhotoRead, Record, schema
from engine import parse_start
from engine.record import parse_lines

GOLDEN = Path(__file__).parents[2] / "fixtures" / "games" / "azul" / "grey-4p-good.jsonl"
LINES = parse_lines(GOLDEN.read_bytes())
ROOM = 300_000


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def game_of(log: GameLog) -> Game:
    games = log.games()
    game = games[0] if games else log.create(parse_start(LINES[0]))
    game.refresh()
    return game


def next_event(game: Game) -> Event:
    done = len(game.folded.live)
    return Record(json.loads(LINES[done + 1])) if done + 1 < len(LINES) else Note("the game is over")


def run(folder: Path) -> None:
    """Log events and photos until killed."""
    with GameLog(folder) as log:
        game = game_of(log)
        for i in count():
            if i % 3:
                say(f"n {game.append(next_event(game)).n}")
            else:
                photo = Photo(os.urandom(60_000), source="test")
                say(f"n {game.append(PhotoRead(None, 'test'), photo=photo).n}")


def step(folder: Path) -> None:
    """Log a note of so many letters whenever told."""
    with GameLog(folder) as log:
        game = game_of(log)
        say("ready")
        for line in sys.stdin:
            if line.strip() == "end":
                return
            say(f"n {game.append(Note('x' * int(line))).n}")


def full(folder: Path, kind: str) -> None:
    """Log until no file may grow any more, then go on with room again."""
    with GameLog(folder) as log:
        game = game_of(log)
        game.append(next_event(game))
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, hard))
        try:
            for size in count(50_000, 50_000):
                photo = Photo(os.urandom(size)) if kind == "photo" else None
                say(f"n {game.append(PhotoRead() if photo else Note('x' * size), photo=photo).n}")
        except GameLogError as error:
            say(f"error {error}")
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        say(f"n {game.append(next_event(game)).n}")


def careless(folder: Path) -> None:
    """Log like `run`, but leave it to the system when to write: what a test of power cuts must notice."""

    carefully = schema.open_database

    def sloppily(path: Path) -> Engine:
        engine = carefully(path)
        event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF").close())
        return engine

    schema.open_database = sloppily
    os.fsync = lambda fd: None  # noqa: ARG005 - the system's signature
    run(folder)


TASKS: dict[str, Any] = {"run": run, "step": step, "full": full, "careless": careless}


def main() -> None:
    for line in iter(sys.stdin.readline, ""):
        task, folder, *more = line.split()
        child = os.fork()
        if not child:
            TASKS[task](Path(folder), *more)
            os._exit(0)
        say(f"pid {child}")
        os.waitpid(child, 0)
        say("done")


if __name__ == "__main__":
    main()
