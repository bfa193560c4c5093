"""`azul run --dashboard`: a game at the simulated table, read by its camera, seen in a browser."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

PATIENCE_MS = 180_000


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where the dashboard of a running game is."""
    azul = [sys.executable, "-c", "from companion.cli import main; main()"]
    command = [*azul, "run", "--camera", "simulated", "--dashboard", "--port", "0"]
    started = [*command, "--data", str(tmp_path), "--seed", "7", "--players", "Anna,Boris"]
    with subprocess.Popen(started, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            told = re.search(r"http://127\.0\.0\.1:\d+", running.stdout.readline())
            assert told
            yield told[0]
        finally:
            running.send_signal(signal.SIGTERM)


def test_what_the_camera_sees_is_shown(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(address)
    while "/game/" not in page.url:
        page.goto(address)
    expect(page.locator(".scores .who")).to_have_text([re.compile("Anna"), re.compile("Boris")])
    # A photo is shown as soon as the camera has one that tells something, without the page being loaded anew.
    expect(page.locator(".photo .shot img")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".overlay .frame")).to_have_count(2)
    page.close()
