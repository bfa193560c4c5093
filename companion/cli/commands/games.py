"""`azul games`: what was logged."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from companion.cli import UNUSABLE
from companion.cli.inputs import data_option, progress
from companion.gamelog import Findings, Game, GameLog, data_dir
from companion.ledger import standing
from companion.scores import Score
from companion.terminal import columns, player

SHORT = 8
"""Letters of an id that tell games apart."""
HEAD = ("game", "begun", "edition", "round", "doubts", "players and scores")


@click.command()
@data_option
@click.option("--check", is_flag=True, help="Look for lost or damaged events and photos.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per game.")
def command(data: Path | None, check: bool, as_json: bool) -> None:
    """List the games in the log, the newest first.

    Exit status: 0 all is well, 2 something that was logged is lost (with --check) or the log cannot be used.
    """
    with GameLog(data_dir(data)) as log:
        if check:
            sys.exit(_check(log, as_json))
        games = [_summary(game) for game in log.games()]
        folder = log.folder
    if as_json:
        for game in games:
            click.echo(json.dumps(game, ensure_ascii=False))
    elif games:
        click.echo("\n".join(columns([HEAD, *map(_row, games)])))
    else:
        click.echo(f"no games yet in {folder}")


def _summary(game: Game) -> dict[str, Any]:
    folded = game.refresh()
    now = standing(folded)
    return {
        "id": game.id,
        "created_at": game.created_at,
        "edition": folded.setup.edition,
        "side": folded.setup.side,
        "players": [player(game.start, seat) for seat in folded.setup.seats],
        "events": folded.last,
        "round": folded.state.round,
        "over": now.over,
        "intervals": {str(seat): list(bounds) for seat, bounds in now.intervals.items()},
        "scores": now.values,
        "winners": list(now.winners),
        "breaches": sum(not breach.allowed for breach in folded.breaches),
        "doubts": len(folded.doubts),
        "proposals": len(folded.proposals),
        "stranded": [step.n for step in folded.stranded],
    }


def _row(game: dict[str, Any]) -> tuple[str, ...]:
    begun = datetime.fromisoformat(game["created_at"]).astimezone().strftime("%Y-%m-%d %H:%M")
    scores = ", ".join(
        f"{name} {Score(*game['intervals'].get(str(seat), (score, score)))}{' (won)' * (seat in game['winners'])}"
        for seat, (name, score) in enumerate(zip(game["players"], game["scores"], strict=True), 1)
    )
    where = "over" if game["over"] else str(game["round"])
    return game["id"][:SHORT], begun, f"{game['edition']} {game['side']}", where, str(game["doubts"]), scores


def _check(log: GameLog, as_json: bool) -> int:
    found = log.check(watch=progress("checking photos"))
    click.echo(json.dumps(_findings_json(found)) if as_json else "\n".join(_told(found)))
    return UNUSABLE if found.lost else 0


def _findings_json(found: Findings) -> dict[str, list[str]]:
    return {name: list(getattr(found, name)) for name in ("database", "events", "missing", "damaged", "orphans")}


def _told(found: Findings) -> list[str]:
    told = [f"the database: {said}" for said in found.database]
    told += found.events
    told += [f"photo {name}: logged, but its file is missing" for name in found.missing]
    told += [f"photo {name}: its file is damaged" for name in found.damaged]
    told += [f"photo {name}: no event speaks of it; kept" for name in found.orphans]
    return told or ["nothing is lost and nothing is left over"]
