"""`azul dashboard`: the games in a browser."""

from __future__ import annotations

import threading
from pathlib import Path

import click

from companion.cli.inputs import access_options, certificate_of, data_option
from companion.dashboard.wiring import ANYWHERE, PORT, Access, serving
from companion.gamelog import data_dir


@click.command()
@data_option
@click.option("--host", default=ANYWHERE, show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option("--name", "names", multiple=True, help="Another name by which browsers may call this machine.")
@access_options
def command(
    data: Path | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    certificate: Path | None,
    key: Path | None,
    proxy: str,
    backups: Path | None,
) -> None:
    """Show the games of the log in a browser, and let people correct them; `azul run --dashboard` adds a camera."""
    access = Access(certificate_of(certificate, key), proxy)
    with serving(data_dir(data), host, port, names, access, backups):
        threading.Event().wait()
