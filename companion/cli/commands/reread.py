"""`azul reread`: old photos read anew by the present networks."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import click

from companion.cli.inputs import data_option
from companion.gamelog import Game, GameLog, data_dir
from companion.photolog.reading import Done, Work, read_all, workers
from companion.photolog.reread import Reread, outdated, reread


@click.command()
@click.argument("game", required=False, metavar="[GAME]")
@click.option(
    "--jobs", type=click.IntRange(1), default=workers, help="How many photos at a time.  [default: one for each core]"
)
@click.option("--all", "every", is_flag=True, help="Also photos that the present networks have read already.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per photo that reads differently now.")
@data_option
def command(game: str | None, jobs: int, every: bool, as_json: bool, data: Path | None) -> None:
    """Read the photos of a GAME, or of all games, anew; what differs is proposed, and nothing is changed by it.

    A proposal is accepted by the answer `yes`; run `azul log` again after that. A photo that cannot be read any more is
    told, and what was read in it before still counts.
    """
    unread: list[Done] = []
    with GameLog(data_dir(data)) as log:
        games = [log.game(game)] if game else log.games()
        found = []
        photos = sum(len(outdated(each, every)) for each in games)
        with click.progressbar(length=photos, label="reading anew", file=sys.stderr) as bar:
            read = partial(_read, jobs, unread, bar.update)
            for each in games:
                found += [(each, told) for told in reread(each, read, every)]
    for done in unread:
        click.echo(f"azul: {done.work.name}: {done.error}", err=True)
    for each, told in found:
        click.echo(json.dumps(_json(each, told), ensure_ascii=False) if as_json else _told(each, told))
    if not found and not as_json:
        click.echo("nothing reads differently now")


def _read(jobs: int, unread: list[Done], progress: Callable[[int], None], works: Iterable[Work]) -> Iterator[Done]:
    """Each photo read; those that cannot be are noted."""
    for done in read_all(works, jobs):
        progress(1)
        if done.reading is None:
            unread.append(done)
        yield done


def _json(game: Game, told: Reread) -> dict[str, object]:
    return {"game": game.id, "photo": told.sha256, "proposal": told.id, "differences": list(told.differences)}


def _told(game: Game, told: Reread) -> str:
    return f"{game.id[:8]} {told.name}: {', '.join(told.differences)} (proposal {told.id})"
