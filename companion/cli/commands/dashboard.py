"""`azul dashboard`: the games in a browser."""

from __future__ import annotations

import threading
from pathlib import Path

import click

from companion.cli.inputs import data_option
from companion.dashboard.wiring import ANYWHERE, PORT, serving
from companion.gamelog import data_dir


@click.command()
@data_option
@click.option("--host", default=ANYWHERE, show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option("--name", "names", multiple=True, help="Another name by which browsers may call this machine.")
def command(data: Path | None, host: str, port: int, names: tuple[str, ...]) -> None:
    """Show the games of the log in a browser, and let people correct them; `azul run --dashboard` adds a camera."""
    with serving(data_dir(data), host, port, names):
        threading.Event().wait()
