"""Pages say "live" only where a camera watches this very game and sees it; else they say what is so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.capture.cameras import Window
from companion.dashboard.live import watched as watching
from companion.dashboard.live.watched import Watch, watched
from companion.dashboard.site import Site
from companion.gamelog import Game
from hardware.camera import Frame


class Still:
    """A camera that shows an empty table."""

    def preview(self) -> Frame:
        return Frame(np.zeros((48, 64, 3), np.uint8), 0, 0.0)

    def capture(self) -> Frame:
        return self.preview()

    def close(self) -> None:
        pass


@pytest.fixture
def look(site: Site) -> Callable[[str], Window]:
    """Has a camera at the table follow a game."""

    def following(game: str) -> Window:
        window = site.window = Window(Still())
        window.preview()
        window.game = game
        return window

    return following


@pytest.fixture
def other(site: Site, game: Game) -> Game:
    """Another game, newer than the one under way."""
    begun = site.log.create(replace(game.start, names=("Vera", "Gleb")))
    site.watcher.poke()
    return begun


@pytest.mark.parametrize(("path", "width"), [("", 390), ("", 1440), ("/tv", 1440)])
def test_a_dashboard_alone_is_not_live(visit: Any, table: Any, path: str, width: int) -> None:
    page: Page = visit(f"/game/{table.game.id}{path}", role="spectator", width=width)
    expect(page.locator("#pulse")).to_contain_text("no camera watches this game")
    expect(page.locator("#pulse .pulse")).to_have_attribute("data-watch", "no camera")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_it_is_told_at_once_when_a_camera_begins_to_watch_and_when_it_sees_nothing(
    visit: Any, table: Any, look: Callable[[str], Window]
) -> None:
    page: Page = visit()
    window = look(table.game.id)
    expect(page.locator("#pulse")).to_have_text("live")
    window.trouble = lambda: "not every player's board is in view yet"
    expect(page.locator("#pulse")).to_contain_text("the camera cannot see the boards: not every player's board")
    window.trouble = lambda: ""
    expect(page.locator("#pulse")).to_have_text("live")
    table.site.window = None
    expect(page.locator("#pulse")).to_contain_text("no camera watches this game")


def test_a_camera_that_follows_another_game_is_named(visit: Any, look: Callable[[str], Window], other: Game) -> None:
    look(other.id)
    page: Page = visit()
    expect(page.locator("#pulse")).to_contain_text("the camera is following another game")
    page.locator("#pulse a", has_text="Vera, Gleb").click()
    expect(page.locator("#pulse")).to_have_text("live")


def test_a_game_begun_beside_a_simulated_table_says_why_it_is_not_followed(
    visit: Any, table: Any, look: Callable[[str], Window], other: Game
) -> None:
    look(table.game.id)
    table.site.simulated = table.game.id
    page: Page = visit(f"/game/{other.id}")
    expect(page.locator("#pulse")).to_contain_text("the simulated table is playing another game")
    expect(page.locator("#pulse")).to_contain_text("choose photos from a phone")


def test_a_page_that_lost_its_server_is_not_live(visit: Any, table: Any, look: Callable[[str], Window]) -> None:
    look(table.game.id)
    page: Page = visit()
    expect(page.locator("#pulse .pulse")).to_be_visible()
    table.site.watcher.close()
    expect(page.locator("#pulse")).to_have_class("lost")
    expect(page.locator("#pulse .pulse")).to_be_hidden()


def test_phones_watch_once_they_have_sent_a_photo(site: Site, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.phone, "game", game.id)
    assert watched(site, game.id, is_over=False).watch is Watch.NO_PHOTO
    monkeypatch.setattr(site.phone, "sent_at", 1.0)
    assert watched(site, game.id, is_over=False).is_live


def test_a_camera_that_has_given_no_picture_for_long_watches_nothing(
    site: Site, game: Game, look: Callable[[str], Window]
) -> None:
    window = look(game.id)
    assert watched(site, game.id, is_over=False).is_live
    assert window.seen_at is not None
    window.seen_at -= watching.SILENT_S + 1
    assert watched(site, game.id, is_over=False).watch is Watch.BLIND


def test_a_game_that_is_over_is_not_live(site: Site, game: Game, look: Callable[[str], Window]) -> None:
    look(game.id)
    assert watched(site, game.id, is_over=True).watch is Watch.OVER
