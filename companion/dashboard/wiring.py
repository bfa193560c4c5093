"""Putting the dashboard together and serving it."""

from __future__ import annotations

import ctypes
import io
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
import segno

from companion.backups import backing_up
from companion.capture.phone import Phone
from companion.certificate import tls_context
from companion.dashboard import LOCAL, create_app
from companion.dashboard.drawing.pictures import Pictures
from companion.dashboard.jobs.drafts import Drafts
from companion.dashboard.jobs.retention import sweep
from companion.dashboard.live.watch import Watcher
from companion.dashboard.recent_errors import remember
from companion.dashboard.security.audit import Audit
from companion.dashboard.security.doors import BoundedServer
from companion.dashboard.security.keys import KeyRing
from companion.dashboard.security.limits import MOST_FORM, most_body
from companion.dashboard.security.tries import Tries
from companion.dashboard.security.visits import Visits
from companion.dashboard.settings import SettingsFile
from companion.dashboard.site import Site
from companion.errors import CompanionError
from companion.files import alone
from companion.gamelog import GameLog
from companion.pipeline import load_live_networks

THREADS = 128
"""Every device that watches holds one, and pages need some too."""
M_ARENA_MAX, HEAPS = -8, 2
"""The first is what glibc calls it."""
SENT_AT_ONCE = 64 * 2**10
"""Bytes that wait for a device before more are made for it."""
HOUR_S, ENDING_S, WAKING_S = 3600.0, 10.0, 1.0
PORT = 8000
ANYWHERE = "0.0.0.0"  # noqa: S104 - phones at the table have to reach it
LOCK = "server.lock"
FOLDER = "dashboard"
"""Where keys, settings and drafts lie, beside the games."""


@contextmanager
def open_site(folder: Path) -> Iterator[Site]:
    """All that the dashboard works with, let go of at the end; only one program at a time may serve a folder."""
    with GameLog(folder) as log, alone(folder / FOLDER / LOCK) as is_alone:
        if not is_alone:
            raise CompanionError(
                f"another companion serves {folder} already: end that one, or name another folder with --data"
            )
        own = folder / FOLDER
        watcher, pictures, settings = Watcher(log), Pictures(log), SettingsFile(own)
        networks = cache(load_live_networks)
        phone = Phone(log, networks)
        watcher.start()
        if settings.now.phone_game in watcher.games:
            phone.follow(settings.now.phone_game)
        try:
            yield Site(
                log,
                KeyRing(own),
                Visits(own),
                Tries(own),
                Audit(own),
                settings,
                watcher,
                pictures,
                networks,
                "",
                Drafts(own / "drafts"),
                phone,
            )
        finally:
            phone.close()
            watcher.close()
            pictures.close()


@dataclass(frozen=True, slots=True)
class Access:
    """How browsers come to the server."""

    certificate: tuple[Path, Path] | None = None
    """The files of the certificate and its key; without, connections are not encrypted."""
    proxy: str = ""
    """The address of a proxy that is believed when it says who asks, and whether that was encrypted."""

    @property
    def scheme(self) -> str:
        """How addresses begin."""
        return "https" if self.certificate else "http"


class Server:
    """A web server in threads of its own."""

    def __init__(
        self, site: Site, host: str, port: int, names: tuple[str, ...] = (), access: Access | None = None
    ) -> None:
        access = access or Access()
        remember()
        _share_heaps()
        self._watcher = site.watcher
        app = create_app(site, (*LOCAL, *names))
        self._server: Any = BoundedServer(
            app,
            partial(most_body, app),
            access.proxy,
            tls_context(*access.certificate) if access.certificate else None,
            host=host,
            port=port,
            threads=THREADS,
            max_request_body_size=MOST_FORM,
            # Lets a stream see that its device is gone, so that it gives back its thread at once.
            channel_request_lookahead=1,
            # What was sent is forgotten only when a new buffer is begun: with waitress's own 16 MB, a stream would keep
            # all that it ever sent.
            outbuf_high_watermark=SENT_AT_ONCE,
            channel_timeout=60,
            ident=None,
        )
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="dashboard", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """Answer no more; what is being answered is finished first."""
        self._watcher.close()
        self._server.task_dispatcher.shutdown()
        self._ending.set()
        if self._thread.is_alive():
            # Wakes it at once; where that fails it wakes by itself within a second.
            with suppress(OSError):
                self._server.pull_trigger()
            self._thread.join(ENDING_S)
        else:
            self._let_go()

    def _run(self) -> None:
        """Wait on the sockets; the thread that does alone may close them."""
        while not self._ending.is_set():
            self._server.asyncore.loop(WAKING_S, use_poll=True, map=self._server._map, count=1)
        self._let_go()

    def _let_go(self) -> None:
        self._server.asyncore.close_all(self._server._map, ignore_all=True)


def _share_heaps() -> None:
    """Let threads share two heaps: glibc gives each its own, and what a hundred threads once held would stay held."""
    if sys.platform == "linux":
        libc = ctypes.CDLL(None)
        if hasattr(libc, "mallopt"):
            libc.mallopt(M_ARENA_MAX, HEAPS)


@contextmanager
def serving(
    folder: Path,
    host: str = ANYWHERE,
    port: int = PORT,
    names: tuple[str, ...] = (),
    access: Access | None = None,
    backups: Path | None = None,
) -> Iterator[Site]:
    """The dashboard of a folder, served while this lasts; the person who starts it is told how to get in."""
    access = access or Access()
    with open_site(folder) as site, backing_up(folder, backups):
        server = Server(site, host, port, (*own_names(), *names), access)
        site.address = f"{access.scheme}://{next(iter(own_addresses()), '127.0.0.1')}:{server.port}"
        site.own_browser = True
        server.start()
        for line in welcome(site, server.port, access.scheme):
            click.echo(line)
        ending = threading.Event()
        threading.Thread(target=_sweep, args=(site, ending), name="sweeper", daemon=True).start()
        try:
            yield site
        finally:
            ending.set()
            server.close()


def _sweep(site: Site, ending: threading.Event) -> None:
    """Delete what the host does not want to keep, now and every hour."""
    sweep(site)
    while not ending.wait(HOUR_S):
        sweep(site)


def welcome(site: Site, port: int, scheme: str = "http") -> list[str]:
    """How to stop the dashboard, and how to get in: from this machine, from a phone, as the host."""
    here, join = f"{scheme}://127.0.0.1:{port}", f"{site.address}/join/{site.keys.token}"
    code = io.StringIO()
    segno.make(join, error="l", micro=False).terminal(code, compact=True, border=2)
    return [
        f"The host's PIN is {site.keys.pin}. Ctrl-C stops the companion.",
        f"Open {here} on this machine, {site.address} on any other device to watch.",
        f"Phones at the table join with {join}",
        code.getvalue(),
    ]


def own_addresses() -> list[str]:
    """The addresses by which others in the network reach this machine."""
    found = {*_named_addresses(), *_interface_addresses()}
    return sorted(str(address) for address in found if not str(address).startswith("127."))


def own_names() -> tuple[str, ...]:
    """The names and addresses by which browsers may call this machine."""
    name = socket.gethostname().lower()
    return (name, f"{name}.local", *own_addresses())


def _named_addresses() -> Iterator[str]:
    """What the machine's own name stands for; one that was just renamed may not know itself."""
    try:
        known = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return
    yield from (str(info[4][0]) for info in known)


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
