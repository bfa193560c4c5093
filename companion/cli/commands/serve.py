"""`azul serve`: dashboard and camera in one, as the service runs them."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path

import click
import cv2

from companion.capture.service import serve
from companion.cli.inputs import access_options, certificate_of, data_option
from companion.dashboard.wiring import ANYWHERE, PORT, Access
from companion.gamelog import data_dir


@click.command()
@click.option("--camera", "spec", default="auto", show_default=True, help="picamera, usb:0, stream:http://…, watch:DIR")
@click.option("--host", default=ANYWHERE, show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option("--panel/--no-panel", default=True, help="Button and lamp on the pins of a Pi.")
@data_option
@access_options
def command(
    spec: str,
    host: str,
    port: int,
    panel: bool,
    data: Path | None,
    certificate: Path | None,
    key: Path | None,
    proxy: str,
    backups: Path | None,
) -> None:
    """Show the dashboard, and follow with the camera whatever game was begun last; `azul setup` makes it a service.

    Press Enter to read the table now, as the button does.
    """
    cv2.setNumThreads(1)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    keyboard = sys.stdin if sys.stdin.isatty() else ()
    access = Access(certificate_of(certificate, key), proxy)
    serve(data_dir(data), spec, host, port, panel, stop, click.echo, keyboard, access, backups)
