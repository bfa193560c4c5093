"""What the service runs: the dashboard and the camera in one process, watched over by systemd."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.backups import backing_up
from companion.capture.cameras import open_corrected
from companion.capture.startup import RunStart, starting, went_well
from companion.capture.watching import Watching
from companion.dashboard.jobs.retention import sweep
from companion.dashboard.wiring import Access, Server, open_site, own_addresses, own_names
from companion.gamelog import GameLogError
from engine.text import Words
from hardware.camera import CameraLostError
from hardware.rig.notify import Watchdog, notify
from hardware.rig.panel import GpioButton, GpioLamp, Mood, PanelError, Presses, press_by_lines

TURN_S = 0.5
"""How often it is looked after everything."""
SILENT_S = 45.0
"""A camera that gives no sign of life for so long hangs; then systemd is told nothing more, and starts us anew."""
WELL_S = 600.0
"""After so long, earlier crashes are forgotten."""
MOOD_S, HOUR_S = 2.0, 3600.0
"""How often the lamp is set, and old photos are swept away."""

Say = Callable[[str], None]
journal = logging.getLogger("azul")
"""What is logged here is in the service's journal and on the dashboard's page about the machine."""


def serve(
    folder: Path,
    spec: str,
    host: str,
    port: int,
    panel: bool,
    stop: threading.Event,
    say: Say,
    keyboard: Iterable[str] = (),
    access: Access | None = None,
    backups: Path | None = None,
) -> None:
    """Run until told to stop; raises where only a new process can help. A line of the keyboard is a press too."""
    access = access or Access()
    with starting(folder) as start, open_site(folder) as site, backing_up(folder, backups):
        server = Server(site, host, port, own_names(), access)
        site.address = f"{access.scheme}://{next(iter(own_addresses()), '127.0.0.1')}:{server.port}"
        server.start()
        watching = Watching(site, lambda: open_corrected(spec, folder))
        try:
            say(f"the dashboard listens on port {server.port}")
            _begin(start, watching, say)
            with _panel(panel, say) as (presses, lamp):
                press_by_lines(keyboard, presses.press)
                _look_after(watching, presses, lamp, folder, stop, lambda: sweep(site))
        finally:
            notify("STOPPING=1")
            watching.close()
            server.close()


def _begin(start: RunStart, watching: Watching, say: Say) -> None:
    if start.crashes:
        say(f"the last run did not end well ({start.crashes} in a row); what was logged is there")
    if start.is_safe:
        watching.rest("started without the camera, since it failed over and over; see to it, then start anew")
    else:
        watching.start()
    notify("READY=1", f"STATUS={watching.trouble or 'watching'}")


def _look_after(
    watching: Watching,
    presses: Presses,
    lamp: Callable[[Mood], None],
    folder: Path,
    stop: threading.Event,
    sweep: Callable[[], None],
) -> None:
    watchdog, began_s = Watchdog(), time.monotonic()
    told: Words = ""
    well, shown_s, swept_s = False, -MOOD_S, -HOUR_S
    while not stop.wait(TURN_S):
        if watching.is_lost:
            raise CameraLostError(f"{watching.trouble}; ending, to be started anew")
        if presses.take():
            watching.look()
        if watching.silent_s < SILENT_S:
            watchdog.pat()
        if watching.trouble != told:
            told = watching.trouble
            notify(f"STATUS={told or 'watching'}")
            if told:
                journal.warning("%s", told)
        ran_s = time.monotonic() - began_s
        if ran_s - shown_s >= MOOD_S:
            shown_s = ran_s
            lamp(watching.mood())
        if not well and ran_s > WELL_S:
            well = True
            _tidy(lambda: went_well(folder))
        if ran_s - swept_s >= HOUR_S:
            swept_s = ran_s
            _tidy(sweep)


def _tidy(act: Callable[[], None]) -> None:
    """A full or worn disk must not end what can still be shown from it."""
    try:
        act()
    except (GameLogError, OSError) as error:
        journal.warning("%s", error)


@contextmanager
def _panel(wanted: bool, say: Say) -> Iterator[tuple[Presses, Callable[[Mood], None]]]:
    """Button and lamp, where there are pins for them; without, presses come from elsewhere."""
    presses = Presses()
    if not wanted:
        yield presses, lambda _: None
        return
    try:
        with ExitStack() as held:
            lamp = GpioLamp()
            held.callback(lamp.close)
            button = GpioButton(presses.press)
            held.pop_all()
    except PanelError as error:
        say(str(error))
        yield presses, lambda _: None
        return
    shown = [Mood.OFF]

    def show(mood: Mood) -> None:
        # Shown anew, a blinking lamp would begin its blinking anew.
        if mood is not shown[0]:
            shown[0] = mood
            lamp.show(mood)

    try:
        yield presses, show
    finally:
        lamp.close()
        button.close()
