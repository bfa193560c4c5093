"""Putting the dashboard together and serving it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import waitress

from companion.dashboard import LOCAL, create_app
from companion.dashboard.drafts import Drafts
from companion.dashboard.keys import KeyRing
from companion.dashboard.pictures import Pictures
from companion.dashboard.settings import SettingsFile
from companion.dashboard.site import Site
from companion.dashboard.troubles import remember
from companion.dashboard.watch import Watcher
from companion.gamelog import GameLog
from companion.pipeline import load_networks

THREADS = 128
"""Every device that watches holds one, and pages need some too."""
FOLDER = "dashboard"
"""Where keys, settings and drafts lie, beside the games."""


@contextmanager
def open_site(folder: Path, address: str = "") -> Iterator[Site]:
    """All that the dashboard works with, let go of at the end."""
    with GameLog(folder) as log:
        own = folder / FOLDER
        watcher, pictures = Watcher(log), Pictures(log)
        watcher.start()
        try:
            yield Site(
                log,
                KeyRing(own),
                SettingsFile(own),
                watcher,
                pictures,
                cache(load_networks),
                address,
                Drafts(own / "drafts"),
            )
        finally:
            watcher.close()
            pictures.close()


class Server:
    """A web server in threads of its own."""

    def __init__(self, site: Site, host: str, port: int, names: tuple[str, ...] = ()) -> None:
        remember()
        app = create_app(site, (*LOCAL, *names))
        self._server: Any = waitress.create_server(
            app,
            host=host,
            port=port,
            threads=THREADS,
            # Lets a stream see that its device is gone, so that it gives back its thread at once.
            channel_request_lookahead=1,
            connection_limit=400,
            channel_timeout=60,
            ident=None,
        )
        self._thread = threading.Thread(target=self._server.run, name="dashboard", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """Answer no more."""
        self._server.close()
        self._server.task_dispatcher.shutdown()


def own_addresses() -> list[str]:
    """The addresses by which others in the network reach this machine."""
    found = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    found |= set(_interface_addresses())
    return sorted(str(address) for address in found if not str(address).startswith("127."))


def own_names() -> tuple[str, ...]:
    """The names and addresses by which browsers may call this machine."""
    name = socket.gethostname().lower()
    return (name, f"{name}.local", *own_addresses())


def _interface_addresses() -> Iterator[str]:
    """What Linux says of its interfaces; other systems tell it by their host name."""
    try:
        import fcntl
    except ImportError:
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _index, name in socket.if_nameindex():
            try:
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, name.encode()[:15].ljust(256, b"\0"))
            except OSError:
                continue
            yield socket.inet_ntoa(answer[20:24])


SIOCGIFADDR = 0x8915
