"""`azul dashboard`: the games in a browser."""

from __future__ import annotations

from pathlib import Path
from time import sleep

import click

from companion.dashboard.wiring import Server, open_site, own_addresses, own_names
from companion.gamelog import data_dir
from companion.inputs import data_option

PORT = 8000
HOUR_S = 3600


@click.command()
@data_option
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen on.")  # noqa: S104
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option("--name", "names", multiple=True, help="Another name by which browsers may call this machine.")
def command(data: Path | None, host: str, port: int, names: tuple[str, ...]) -> None:
    """Show the games of the log in a browser, and let people correct them."""
    with open_site(data_dir(data), f"http://{(own_addresses() or ['127.0.0.1'])[0]}:{port}") as site:
        server = Server(site, host, port, (*own_names(), *names))
        server.start()
        try:
            for line in welcome(f"http://127.0.0.1:{server.port}", site.keys.token, site.keys.pin):
                click.echo(line)
            while True:
                site.sweep()
                sleep(HOUR_S)
        except KeyboardInterrupt:
            click.echo()
        finally:
            server.close()


def welcome(address: str, token: str, pin: str) -> list[str]:
    """What the person who starts it has to know."""
    return [
        f"The dashboard is at {address}",
        f"To correct from a device, open {address}/join/{token}",
        f"The host's PIN is {pin}",
        "Ctrl-C ends it.",
    ]
