"""`azul run --camera simulated --dashboard`, which `make run` starts: watched in a browser from a game to the next."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.dashboard.security.access import PROXIED
from companion.dashboard.security.keys import KeyRing
from companion.dashboard.wiring import FOLDER

PATIENCE_MS = 180_000
SPEED = 20
"""So much faster than usual the simulated players are here."""
NEWS_S = 30.0
"""Something new is to be seen at least this often; the players are faster here, but the machine may be busy."""


@dataclass
class Running:
    """A running companion: where it is, and what its terminal says."""

    folder: Path
    address: str
    lines: list[str] = field(default_factory=list)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    azul = [sys.executable, "-c", "from companion.cli import main; main()"]
    command = [*azul, "run", "--camera", "simulated", "--dashboard", "--port", "0", "--speed", str(SPEED)]
    started = [*command, "--data", str(tmp_path), "--seed", "7", "--players", "Anna,Boris"]
    with subprocess.Popen(started, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            greeting: list[str] = []
            while not (told := re.search(r"http://127\.0\.0\.1:\d+", greeting[-1] if greeting else "")):
                greeting.append(program.stdout.readline())
                assert greeting[-1], "it ended without telling where it is"
            found = Running(tmp_path, told[0], greeting)
            reader = threading.Thread(target=lambda: found.lines.extend(program.stdout or ()), daemon=True)
            reader.start()
            yield found
        finally:
            program.send_signal(signal.SIGTERM)


def opened(browser: Browser, address: str, width: int = 390) -> Page:
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address)
    while "/game/" not in page.url:
        page.goto(address)
    return page


def test_the_demonstration_is_watched_to_its_end_and_the_next_game_begins(browser: Browser, running: Running) -> None:
    page = opened(browser, running.address)
    expect(page.locator(".scores .who")).to_have_text([re.compile("Anna"), re.compile("Boris")])
    seen = watch(page)
    assert seen.questions == 1, "one staged question"
    assert seen.breaches == 1, "one staged breach"
    assert seen.longest_s < NEWS_S
    # The browser on the same machine may settle what is asked.
    assert seen.may_answer
    expect(page.locator(".score.winner")).to_have_count(1)
    expect(page.locator("#ending table")).to_be_visible()
    expect(page.locator("#ending svg.curves polyline")).to_have_count(2)
    first = page.url
    page.locator("#newer a").click()
    expect(page.locator(".photo .shot img")).to_be_visible(timeout=PATIENCE_MS)
    assert page.url != first
    page.close()
    told = "".join(running.lines)
    assert "Anna takes" in told
    assert "Boris takes" in told
    assert "seat 1" not in told
    assert re.search(r"(Anna|Boris) (wins|and)", told)
    assert told.count("is taken back") == 1, "the players take the staged breach back"
    assert " answers: " in told


@dataclass
class Seen:
    """What a spectator saw of a game."""

    questions: int = 0
    breaches: int = 0
    may_answer: bool = False
    longest_s: float = 0.0
    """The longest time without anything new."""


def watch(page: Page) -> Seen:
    """Look at a page until its game is over."""
    seen, last, since = Seen(), "", time.monotonic()
    asked, broken = set(), set()
    while not page.locator(".score.winner").count():
        now = page.locator("main").inner_text()
        if now != last:
            seen.longest_s, last, since = max(seen.longest_s, time.monotonic() - since), now, time.monotonic()
        asked |= set(page.locator(".alert.doubt a[id^=question]").evaluate_all("all => all.map(each => each.id)"))
        broken |= set(page.locator(".alert.breach a[id^=breach]").evaluate_all("all => all.map(each => each.id)"))
        seen.may_answer |= page.locator("a[id^=mend]").count() > 0
        assert time.monotonic() - since < PATIENCE_MS / 1000, f"nothing new for long: {last}"
        page.wait_for_timeout(50)
    seen.questions, seen.breaches = len(asked), len(broken)
    return seen


def test_the_greeting_ends_with_the_address_the_join_link_and_its_code(browser: Browser, running: Running) -> None:
    page = opened(browser, running.address)
    while not any("takes" in line for line in running.lines):
        page.wait_for_timeout(50)
    page.close()
    greeting = "".join(running.lines).split("takes")[0]
    token = KeyRing(running.folder / FOLDER).keys.token
    at = [greeting.index(part) for part in ("PIN", running.address, f"/join/{token}", "█▀")]
    assert at == sorted(at)


def test_a_game_begun_in_the_wizard_is_played_next(browser: Browser, running: Running) -> None:
    page = opened(browser, running.address, width=1440)
    page.goto(f"{running.address}/host")
    page.fill("#pin", KeyRing(running.folder / FOLDER).keys.pin)
    with page.expect_navigation():
        page.click("main button.primary")
    page.goto(f"{running.address}/setup/players")
    for name, field_ in zip(("Vera", "Gleb"), page.locator("input[name=name]").all(), strict=False):
        field_.fill(name)
    with page.expect_navigation():
        page.click("main button.primary")
    page.goto(f"{running.address}/setup/ready")
    page.click("main button.primary")
    expect(page.locator(".scores .who")).to_have_text([re.compile("Vera"), re.compile("Gleb")])
    expect(page.locator(".photo .shot img")).to_be_visible(timeout=PATIENCE_MS)
    page.close()


@pytest.mark.parametrize("header", PROXIED)
def test_who_comes_through_a_proxy_is_a_spectator(client, site, game, header) -> None:
    site.own_browser = True
    page = f"/game/{game.id}"
    assert b'id="undo"' in client.get(page).data
    assert b'id="undo"' not in client.get(page, headers={header: "192.0.2.7"}).data
    assert b'id="undo"' not in client.get(page, environ_base={"REMOTE_ADDR": "192.0.2.7"}).data


def test_a_browser_of_this_machine_may_leave_the_table(client, site, game) -> None:
    site.own_browser = True
    client.post("/leave", headers={"Origin": "http://localhost"})
    assert b'id="undo"' not in client.get(f"/game/{game.id}").data


def test_elsewhere_a_browser_of_the_machine_is_a_spectator(client, game) -> None:
    """The service on a Pi lets nobody in without the table's code."""
    assert b'id="undo"' not in client.get(f"/game/{game.id}").data
