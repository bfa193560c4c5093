"""Photos of other games, and editions that no network knows, on the dashboard."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.capture.cameras import newest
from companion.dashboard.wiring import open_site
from companion.gamelog import Game
from companion.pipeline import readable_editions
from engine import Start, load, slugs

ORIGIN = {"Origin": "http://localhost"}
PHOTOS = Path(__file__).parents[3] / "fixtures" / "photos"
STRANGER = PHOTOS / "tide-pool" / "tide-pool_phone-board_101.jpg"
MINI = PHOTOS / "azul-mini" / "azul-mini_phone-board_101.jpg"
UNREADABLE = [slug for slug in slugs() if slug not in readable_editions()]


def corners_of(path: Path) -> list[list[float]]:
    (board,) = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["boards"]
    corners: list[list[float]] = board["corners_px"]
    return corners


def sent(path: Path, **fields: str) -> dict[str, Any]:
    return {"photo": (io.BytesIO(path.read_bytes()), "table.jpg"), **fields}


def unreadable_game(site: Any) -> Game:
    edition = load("tide-pool")
    game: Game = site.log.create(Start(edition, edition.setup(edition.sides[0], 2)))
    site.watcher.poke()
    return game


def test_another_game_is_refused_though_its_corners_are_tapped(at_table: FlaskClient) -> None:
    draft = at_table.post("/photo", data=sent(STRANGER), headers=ORIGIN).headers["Location"]
    tapped = {"corners": " ".join(f"{x},{y}" for x, y in corners_of(STRANGER))}
    again = at_table.post(f"{draft}/corners", data=tapped, headers=ORIGIN).headers["Location"]
    page = at_table.get(again).text
    assert "Azul: Summer Pavilion Mini; give the four corners" in page
    assert "/keep" not in page
    assert "Scores" not in page
    assert at_table.post(f"{draft}/keep", data={"game": "new"}, headers=ORIGIN).status_code == 409


def test_a_photo_of_another_edition_says_which_and_is_read_when_that_is_chosen(at_table: FlaskClient) -> None:
    draft = at_table.post("/photo", data=sent(MINI, edition="azul"), headers=ORIGIN).headers["Location"]
    page = at_table.get(draft).text
    assert f"This looks like {load('azul-mini').name}, not like Azul; choose that edition" in page
    assert "/keep" not in page
    assert '<option value="azul-mini" selected>' in page
    at_table.post(f"{draft}/edition", data={"edition": "azul-mini"}, headers=ORIGIN)
    assert "/keep" in at_table.get(draft).text


def test_a_place_that_is_no_board_is_left_out_and_said(at_table: FlaskClient) -> None:
    draft = at_table.post("/photo", data=sent(MINI), headers=ORIGIN).headers["Location"]
    tapped = {"corners": " ".join(f"{x},{y}" for x, y in [*corners_of(MINI), (5, 5), (60, 5), (60, 60), (5, 60)])}
    at_table.post(f"{draft}/corners", data=tapped, headers=ORIGIN)
    page = at_table.get(draft).text
    assert "What the dashed line encloses is left out." in page
    assert "/keep" in page


@pytest.mark.parametrize("slug", UNREADABLE)
def test_games_of_an_edition_that_cannot_be_read_are_kept_by_hand(host: FlaskClient, site: Any, slug: str) -> None:
    edition = load(slug)
    photo = host.post("/photo", data=sent(STRANGER, edition=slug), headers=ORIGIN)
    assert photo.status_code == 422
    told = f"Photos of {edition.name} cannot be read yet"
    assert told.replace("'", "&#39;") in photo.text
    chosen = host.post("/setup/edition", data={"edition": f"{slug}.{edition.sides[0]}"}, headers=ORIGIN)
    assert chosen.headers["Location"] == "/setup/players"
    step = host.get("/setup/camera").text
    assert re.search('value="hand"[^>]* checked', step)
    assert step.count("disabled") == 2
    started = host.post("/setup/ready", data={"first": "1"}, headers=ORIGIN)
    (game,) = site.log.games()
    assert started.headers["Location"] == f"/game/{game.id}"
    assert game.start.edition.slug == slug
    assert site.phone.game == ""
    assert newest(site.log, site.elsewhere) is None


def test_editions_that_cannot_be_read_are_marked(host: FlaskClient) -> None:
    page, photo = host.get("/setup/edition").text, host.get("/photo").text
    assert page.count("by hand only") == sum(len(load(slug).sides) for slug in UNREADABLE)
    assert photo.count("not by camera yet") == len(UNREADABLE)


def test_a_game_is_kept_by_hand_where_people_choose_so(host: FlaskClient, site: Any) -> None:
    host.post("/setup/camera", data={"camera": "hand"}, headers=ORIGIN)
    host.post("/setup/ready", data={"first": "1"}, headers=ORIGIN)
    (game,) = site.log.games()
    assert newest(site.log, site.elsewhere) is None
    assert "kept by hand" in host.get(f"/game/{game.id}").text
    host.post("/setup/camera", data={"camera": "table"}, headers=ORIGIN)
    found = newest(site.log, site.elsewhere)
    assert found is not None
    assert found.id == game.id


def test_a_game_that_cannot_be_read_is_not_called_live(at_table: FlaskClient, site: Any) -> None:
    game = unreadable_game(site)
    page = at_table.get(f"/game/{game.id}").text
    assert "kept by hand" in page
    assert "Enter a move" in page
    assert 'class="pulse"' not in page
    assert "The first tiles are to be drawn" in page


def test_phones_do_not_follow_a_game_that_cannot_be_read(host: FlaskClient, site: Any) -> None:
    game = unreadable_game(site)
    host.post("/setup/camera", data={"camera": "phone"}, headers=ORIGIN)
    assert site.phone.game == ""
    answer = host.post(f"/game/{game.id}/photo", data=sent(STRANGER), headers=ORIGIN)
    assert answer.status_code == 422
    assert "Photos of Tide Pool cannot be read yet" in answer.text


def test_a_start_with_such_a_game_chosen_for_phones_does_not_fail(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        site.settings.change(phone_game=unreadable_game(site).id)
    with open_site(tmp_path) as site:
        assert site.phone.game == ""


@pytest.mark.parametrize("width", [390, 1440])
def test_a_refused_photo_shows_the_picture_the_reason_and_what_to_do(visit: Any, width: int) -> None:
    page: Page = visit("/photo", width=width)
    page.set_input_files("#take", {"name": "p.jpg", "mimeType": "image/jpeg", "buffer": STRANGER.read_bytes()})
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("h1")).to_have_text("Nothing was read")
    expect(page.locator(".handle")).to_have_count(4)
    scale = page.locator(".overlay").evaluate("each => each.getBoundingClientRect().width / each.viewBox.baseVal.width")
    for handle, (x, y) in zip(page.locator(".handle").all(), corners_of(STRANGER), strict=True):
        page.locator(".zoom img").scroll_into_view_if_needed()
        box = page.locator(".overlay").bounding_box()
        assert box is not None
        handle.hover()
        page.mouse.down()
        page.mouse.move(box["x"] + x * scale, box["y"] + y * scale)
        page.mouse.up()
    page.locator("[data-corners]").get_by_role("button", name="Read again").click()
    expect(page.get_by_role("alert")).to_contain_text("looks like no board of Azul, Azul Mini,")
    expect(page.locator(".overlay .refused")).to_have_count(1)
    expect(page.get_by_role("button", name="Start")).to_have_count(0)
    expect(page.get_by_label("Edition")).to_be_visible()
    expect(page.get_by_role("link", name="Another photo")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
