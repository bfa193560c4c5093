"""A game played, photographed and read for real, served by the real app to a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect, sync_playwright

from companion.dashboard import create_app
from companion.dashboard.site import Site
from companion.dashboard.wiring import Server, open_site
from companion.gamelog import Doubt, Game, GameLog, Photo, PhotoRead, Record
from companion.lab.play import play_greedily
from companion.lab.simulate import Played, mischievous, simulate
from companion.pipeline import load_networks, networks_name, read_photo
from engine import Start, load
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS

NAMES = ("Anna", "Борис")
ORIGIN = {"Origin": "http://localhost"}
MOST_TAPS = 1500
TAPPED = "#confirm, .palette a, .verbs a, .pile a, a.pick.may, a.ends, .told button"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE_MS = int(os.environ.get("PATIENCE_MS", "60000"))
"""A machine that does other things as well takes its time."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class Shot:
    """A photograph of a simulated table and what was read in it."""

    jpeg: bytes
    reading: dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A served dashboard, and the game that it shows."""

    site: Site
    game: Game
    address: str

    @property
    def url(self) -> str:
        """Where the game is shown."""
        return f"{self.address}/game/{self.game.id}"


@pytest.fixture(scope="session")
def played() -> list[Played]:
    """The first moves of a game, without mischief."""
    edition = load("azul")
    moves = simulate(edition, edition.setup("coloured", 2), Random(3))
    return [move for move, _ in zip(moves, range(30), strict=False)]


@pytest.fixture(scope="session")
def shot(played: list[Played]) -> Shot:
    """The table after those moves, photographed and read as any other photo."""
    edition = load("azul")
    jpeg = photograph(played[-1].stage, edition.layout, load_art(edition.layout), TIERS["rig"], 7).jpeg
    return Shot(jpeg, read_photo(jpeg, "table.jpg", load_networks(), "azul").table)


def play(game: Game, moves: list[Played]) -> None:
    """Log moves as the camera would."""
    for move in moves:
        game.append(Record(game.start.edition.format_event(move.move)), "camera")


@pytest.fixture
def break_a_rule() -> Callable[[Game], int]:
    """Logs a move against the rules; its number."""

    def logged(game: Game) -> int:
        edition, state = game.start.edition, game.refresh().state
        return game.append(Record(edition.format_event(mischievous(edition, state, Random(1)))), "camera").n

    return logged


@pytest.fixture
def go_on() -> Callable[[Game], None]:
    """Logs one more move, or what is drawn."""

    def logged(game: Game) -> None:
        edition, state = game.start.edition, game.refresh().state
        chance = edition.awaits_chance(state)
        move = edition.deal(state, Random(1).sample) if chance else play_greedily(edition, state, Random(1))
        game.append(Record(edition.format_event(move)), "camera")

    return logged


@pytest.fixture
def ask(shot: Shot) -> Callable[[Game], int]:
    """Logs a photo and a doubt about it; the doubt's number."""

    def logged(game: Game) -> int:
        photo = game.append(PhotoRead(shot.reading, networks_name()), "camera", Photo(shot.jpeg)).photo
        return game.append(Doubt("question", {"R": 0.7, ".": 0.3}, "wall.2.4", 1), "camera", photo).n

    return logged


def new_game(log: GameLog, names: tuple[str, ...] = NAMES) -> Game:
    edition = load("azul")
    return log.create(Start(edition, edition.setup("coloured", len(names)), names))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A dashboard's things, in a folder of their own."""
    with open_site(tmp_path) as opened:
        yield opened


@pytest.fixture
def game(site: Site, played: list[Played]) -> Game:
    """A game that is under way."""
    game = new_game(site.log)
    play(game, played)
    site.watcher.poke()
    return game


@pytest.fixture
def client(site: Site) -> FlaskClient:
    """A device that has shown nothing yet."""
    return create_app(site).test_client()


@pytest.fixture
def at_table(client: FlaskClient, site: Site) -> FlaskClient:
    """A device that has scanned the table's code."""
    client.post("/join", data={"token": site.keys.token, "device": "Oma"}, headers=ORIGIN)
    return client


@pytest.fixture
def host(at_table: FlaskClient, site: Site) -> FlaskClient:
    """A device that has entered the PIN."""
    at_table.post("/host", data={"pin": site.keys.pin}, headers=ORIGIN)
    return at_table


@contextmanager
def served(site: Site) -> Iterator[str]:
    """The app behind the real server; its address."""
    server = Server(site, "127.0.0.1", 0)
    server.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.close()


@pytest.fixture
def table(site: Site, game: Game) -> Iterator[Table]:
    """The game under way, served."""
    with served(site) as address:
        yield Table(site, game, address)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's chromium."""
    if not CHROMIUM:
        pytest.fail("no chromium was found: install it (apt install chromium), or name it in CHROMIUM")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, table: Table) -> Iterator[Visit]:
    """Opens a page on a device of its own: a spectator's, or one that has joined the table or is the host's."""
    contexts = []
    problems: list[str] = []

    def opened(path: str = "", role: str = "table", width: int = 390, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 844}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if "Content Security Policy" in said.text else None)
        page.set_default_timeout(PATIENCE_MS)
        if role in ("table", "host"):
            page.goto(f"{table.address}/join/{table.site.keys.token}")
            page.fill("#device", "Oma's phone")
            page.click("main button.primary")
        if role == "host":
            page.goto(f"{table.address}/host")
            page.fill("#pin", table.site.keys.pin)
            page.click("main button.primary")
            page.wait_for_url("**/settings")
        page.goto(path if path.startswith("http") else table.address + path if path else table.url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def tap_until() -> Callable[[Page, Callable[[], bool]], int]:
    """Taps what is offered first where a move is entered, again and again; how often."""

    def tap(page: Page, is_done: Callable[[], bool]) -> int:
        for taps in range(MOST_TAPS):
            if is_done():
                return taps
            page.locator("#entry").locator(TAPPED).first.evaluate("each => each.dataset.seen = 'yes'")
            first = (
                page.locator("#confirm")
                if page.locator("#confirm").count()
                else page.locator(f"#entry :is({TAPPED})").first
            )
            first.click()
            expect(page.locator("#entry [data-seen]:visible")).to_have_count(0)
        raise AssertionError(f"{MOST_TAPS} taps did not come to an end")

    return tap
