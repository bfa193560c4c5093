"""`azul run`: follow a game with a camera."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from random import Random

import click
import cv2

from companion.capture.cameras import Window, follow_newest, open_corrected
from companion.capture.scribe import Told
from companion.capture.session import PACE_S, Session
from companion.cli.inputs import PLAYERS, Players, data_option
from companion.dashboard.site import Site
from companion.dashboard.wiring import PORT, serving
from companion.gamelog import Entry, Game, GameLog, data_dir
from companion.lab.demonstration import Demonstration, Pace, SimulatedTable
from companion.lab.simulate import simulate
from companion.ledger import standing
from companion.narration import narrate_entry, narrate_scores
from companion.pipeline import load_live_networks, refuse_unreadable
from companion.terminal import told_final
from engine import OVER, Start, load, slugs
from engine.text import Words
from hardware.camera import Camera, NoMorePhotosError
from vision.network import Families

SIMULATED, PHONE = "simulated", "phone"
FOLDER = "folder:"
"""Photos that lie there already are shown as fast as they can be read."""


@click.command()
@click.option(
    "--camera", "spec", default="auto", show_default=True, help="simulated, phone, folder:DIR, usb:0, picamera, …"
)
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--side", help="The side of the boards.  [default: the edition's first]")
@click.option("--players", type=PLAYERS, default="2", show_default=True, help="How many, or their names: Ann,Ben.")
@click.option("--first", type=int, default=1, show_default=True, help="The seat that begins.")
@click.option("--game", "name", metavar="ID", help="Go on with a game of the log.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which game is played at the simulated table.")
@click.option(
    "--mischief",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="How often somebody breaks a rule there.",
    metavar="SHARE",
)
@click.option(
    "--speed",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="How fast the simulated players are when the dashboard shows them.",
)
@click.option("--dashboard", is_flag=True, help="Show it in a browser too; without --game, follow the newest game.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="Of the dashboard.")
@data_option
def command(
    spec: str,
    slug: str,
    side: str | None,
    players: Players,
    first: int,
    name: str | None,
    seed: int,
    mischief: float,
    speed: float,
    dashboard: bool,
    port: int,
    data: Path | None,
) -> None:
    """Follow a game with a camera, and tell it as it unfolds; everything is in the log before it is told.

    Stopped at any moment, it goes on where it stood with --game ID.
    """
    cv2.setNumThreads(1)
    if spec == PHONE and not dashboard:
        raise click.UsageError("photos of phones come through the dashboard: add --dashboard")
    start = _start(slug, side, players, first)
    if dashboard:
        with serving(data_dir(data), port=port) as site:
            _run_shown(site, spec, name, start, seed, mischief, speed)
        return
    networks = load_live_networks()
    # A game is begun only if there is a camera to follow it with.
    camera = None if spec == SIMULATED else open_corrected(spec, data_dir(data))
    with GameLog(data_dir(data)) as log:
        game = _game(log, name, start)
        click.echo(f"game {game.id}")
        if camera is None:
            table = SimulatedTable(game, seed)
            _play(table, Session(table.camera, game, networks, _teller(game), 0.0), game, seed, mischief)
        else:
            _watch(camera, game, networks, 0.0 if spec.startswith(FOLDER) else PACE_S)
        for line in told_final(game.start, game.refresh().state, standing(game.folded)):
            click.echo(line)


def _run_shown(site: Site, spec: str, name: str | None, start: Start, seed: int, mischief: float, speed: float) -> None:
    """Follow games with the dashboard beside the camera, until somebody ends it."""
    if spec == PHONE:
        game = _game(site.log, name, start)
        site.settings.change(by_phone=True)
        site.follow_by_phone(game.id)
        threading.Event().wait()
        return
    if spec != SIMULATED:
        camera = open_corrected(spec, site.log.folder)
        site.window = Window(camera, camera)
        try:
            follow_newest(
                site.log,
                site.window,
                load_live_networks(),
                _teller,
                threading.Event(),
                elsewhere=lambda: site.phone.game,
            )
        finally:
            site.window.close()
        return
    # First of all, since somebody may look already.
    game = _game(site.log, name, start)
    site.simulated = game.id
    demonstration = Demonstration(site, load_live_networks(), Pace().faster(speed), mischief, _teller, click.echo)
    demonstration.run(game, seed, threading.Event())


def _game(log: GameLog, name: str | None, start: Start) -> Game:
    """The game that was named, or a new one; refused where no camera can follow it."""
    if not name:
        return log.create(start)
    game = log.game(name)
    refuse_unreadable(game.start.setup.edition)
    game.refresh()
    return game


def _start(slug: str, side: str | None, players: Players, first: int) -> Start:
    refuse_unreadable(slug)
    edition = load(slug)
    return Start(edition, edition.setup(side or edition.sides[0], players.count, first), players.names)


def _teller(game: Game) -> Told:
    """Tells a game in the terminal as it unfolds; a score that stays wrong is told once."""
    told: set[str] = set()

    def tell(entry: Entry) -> None:
        wrong = narrate_scores(game.start, entry, told)
        told.update(wrong)
        _echo((*narrate_entry(game.start, game.folded, entry), *(f"{entry.n:4}  {line}" for line in wrong)))

    return tell


def _worry(trouble: Words) -> None:
    click.echo(f"azul: {trouble}", err=True)


def _echo(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _watch(camera: Camera, game: Game, networks: Families, pace_s: float) -> None:
    try:
        Session(camera, game, networks, _teller(game), pace_s, _worry).run(threading.Event())
    except NoMorePhotosError as error:
        click.echo(str(error))
    finally:
        camera.close()


def _play(table: SimulatedTable, session: Session, game: Game, seed: int, mischief: float) -> None:
    """Play on from where the game stands, each move before the camera's eyes, until it is over."""
    edition, setup, state = game.start.edition, game.start.setup, game.folded.state
    table.settle(session)
    for played in simulate(edition, setup, Random(f"{seed} {game.folded.last}"), mischief, state=state):
        table.show(played.state, played.move.seat)
        table.settle(session)
        if played.state.phase == OVER:
            return
