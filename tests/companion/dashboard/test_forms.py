"""Forms that cannot be taken, the set-up, times and files as people get them."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.dashboard.site import Site
from companion.gamelog import Game

ORIGIN = {"Origin": "http://localhost"}


@pytest.mark.parametrize("width", [390, 1440])
def test_what_was_typed_stays_with_the_reason_beside_it(visit: Any, width: int) -> None:
    page: Page = visit("/setup/players", role="host", width=width)
    page.fill("#name-1", "Anna")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("alert")).to_contain_text("Name 2 to 4 players")
    assert page.input_value("#name-1") == "Anna"
    page.fill("#name-2", "Boris")
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**/setup/camera")


def test_a_photo_that_cannot_be_read_leaves_the_form(visit: Any) -> None:
    page: Page = visit("/photo")
    page.set_input_files("#take", {"name": "p.jpg", "mimeType": "image/jpeg", "buffer": b"no photo"})
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    expect(page.get_by_role("button", name="Read it")).to_be_enabled()


@pytest.mark.usefixtures("game")
def test_the_set_up_leaves_other_devices_their_language(host: FlaskClient, site: Site) -> None:
    host.post("/setup/language", data={"language": "uk"}, headers=ORIGIN)
    assert site.settings.now.language == ""
    assert "Триває гра: Anna, Борис" in host.get("/setup/players").text


@pytest.mark.parametrize(("edition", "said"), [("azul", "Portugal"), ("queens-garden", "youngest")])
def test_the_set_up_says_who_begins(host: FlaskClient, site: Site, edition: str, said: str) -> None:
    site.settings.change(edition=edition, side="coloured" if edition == "azul" else "a")
    assert said in host.get("/setup/ready").text


def test_times_are_written_as_in_the_region_of_the_browser(client: FlaskClient, game: Game) -> None:
    pages = {
        language: client.get(f"/game/{game.id}/history", headers={"Accept-Language": language}).text
        for language in ("en-US", "en-GB", "uk-UA")
    }
    assert "AM<" in pages["en-US"].replace(" · camera", "<") or "PM<" in pages["en-US"].replace(" · camera", "<")
    assert " AM " not in pages["en-GB"]
    assert " PM " not in pages["en-GB"]
    assert 'lang="uk"' in pages["uk-UA"]


def test_the_table_for_spreadsheets_names_the_photo_of_each_event(at_table: FlaskClient, game: Game, ask: Any) -> None:
    n = ask(game)
    entry = next(entry for entry in game.entries() if entry.n == n)
    rows = list(csv.reader(io.StringIO(at_table.get(f"/game/{game.id}/export.csv").data.decode("utf-8-sig"))))
    column = rows[0].index("photo")
    assert entry.photo in {row[column] for row in rows[1:]}


@pytest.mark.parametrize("width", [390, 1440])
def test_the_page_for_a_tv_fits_every_screen(visit: Any, table: Any, ask: Any, width: int) -> None:
    ask(table.game)
    page: Page = visit(f"/game/{table.game.id}/tv", role="spectator", width=width)
    expect(page.locator(".scores .who")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if width > 1000:
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
