"""A photo as people use it: what was read is the page, wrong cells are put right, a game starts from it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Page, expect

from companion.dashboard.put_right import put_right, shown_by, value_of
from companion.dashboard.site import Site
from companion.gamelog import PhotoRead
from engine import load

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ORIGIN = {"Origin": "http://localhost"}
LANGUAGES = {"en": "What was read", "ru": "Что прочитано", "uk": "Що прочитано"}


def sent(page: Page, jpeg: bytes, name: str = "../../etc/table.jpg") -> None:
    page.set_input_files("#take", {"name": name, "mimeType": "image/jpeg", "buffer": jpeg})
    page.locator("main form button.primary").click()
    page.wait_for_url("**/photo/*")
    page.wait_for_load_state("load")


def drafted(site: Site, shot: Any) -> str:
    height, width = shot.reading["size_px"][::-1]
    return site.drafts.save(shot.jpeg, {"edition": "azul", "width": width, "height": height, "reading": shot.reading})


@pytest.mark.parametrize("width", [390, 1440])
def test_a_photo_is_read_put_right_and_begins_a_game(
    visit: Any, table: Any, played: Any, shot: Any, width: int
) -> None:
    page: Page = visit("/photo", width=width)
    sent(page, shot.jpeg)
    expect(page.locator(".hero .overlay .frame:not(.quad)")).to_have_count(2)
    expect(page.locator(".place")).to_have_count(2)
    seat, place = 1, "floor.2"
    page.locator(f"#board-{seat} a[href$='/place/{seat}/{place}']").click()
    sheet = page.locator("#sheet")
    expect(sheet.locator("img.evidence")).to_be_visible()
    sheet.locator("button[value=K]").click()
    expect(page.locator(f"#board-{seat} [data-cell='{place}'] text")).to_have_text("K")
    page.fill("#name-1", "Anna")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/game/*")
    newest = table.site.log.games()[0]
    true, now = played[-1].state, newest.refresh().state
    assert newest.start.names == ("Anna", "Seat 2")
    assert [board.wall for board in now.boards] == [board.wall for board in true.boards]
    assert (now.scores, now.round, now.phase) == (true.scores, true.round, true.phase)
    assert sorted(now.factories) == sorted(true.factories)
    assert sorted(now.centre) == sorted(true.centre)
    assert "K" in now.boards[0].floor
    assert isinstance(newest.entries()[0].event, PhotoRead)
    assert page.evaluate("document.documentElement.scrollHeight") < 7000
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_corners_are_moved_by_pointer_and_by_keyboard(visit: Any, shot: Any) -> None:
    page: Page = visit("/photo")
    sent(page, shot.jpeg)
    expect(page.locator(".handle").first).to_be_hidden()
    page.get_by_role("button", name="Move corners").click()
    handles = page.locator(".handle")
    expect(handles).to_have_count(8)

    def place(handle: Any) -> Any:
        return np.array([float(handle.get_attribute(name)) for name in ("cx", "cy")])

    first = handles.first
    assert np.abs(place(first) - shot.reading["boards"][0]["corners_px"][0]).max() < 0.1
    before = place(first)
    first.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowDown")
    moved = place(first) - before
    assert moved[0] > moved[1] > 0
    box = first.bounding_box()
    assert box is not None
    before = place(first)
    first.hover()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 12, box["y"] + box["height"] / 2)
    page.mouse.up()
    assert place(first)[0] < before[0] - 5
    page.get_by_role("button", name="Remove the last board").click()
    expect(handles).to_have_count(4)
    for _ in range(2):
        page.get_by_role("button", name="Add a board").click()
    expect(handles).to_have_count(12)


@pytest.mark.parametrize("width", [390, 1440])
def test_the_photo_is_zoomed(visit: Any, shot: Any, width: int) -> None:
    page: Page = visit("/photo", width=width)
    sent(page, shot.jpeg)
    wide = "() => document.querySelector('.shot').offsetWidth / document.querySelector('.zoom').clientWidth"
    before = page.evaluate(wide)
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(wide) > before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_nothing_in_any_language(visit: Any, table: Any, shot: Any, language: str, width: int) -> None:
    draft = drafted(table.site, shot)
    page: Page = visit("/settings", width=width)
    page.select_option("#language", language)
    page.locator("form button.primary").first.click()
    found = []
    for path in ("", "/place/1/wall.1.1", "/place/0/factory.1", "/place/1/score"):
        page.goto(f"{table.address}/photo/{draft}{path}")
        if not path:
            expect(page.locator("h1")).to_have_text(LANGUAGES[language])
            page.locator("[data-move]").click()
        page.evaluate(AXE.read_text(encoding="utf-8"))
        result = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
        found += [(path, each["id"], each["nodes"][0]["html"][:120]) for each in result["violations"]]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert found == []


def test_what_is_put_right_is_in_doubt_no_more(shot: Any) -> None:
    first, *others = shot.reading["boards"]
    doubted = {**first, "doubts": [{"cell": "wall.1.1", "reads": {"B": 0.6, ".": 0.4}}]}
    reading = {**shot.reading, "boards": [doubted, *others]}
    (doubt,) = shown_by(reading).doubts
    assert (doubt.seat, doubt.place, doubt.reads) == (first["seat"], "wall.1.1", ("B", "."))
    right = put_right(reading, first["seat"], "wall.1.1", ["B"])
    assert value_of(right, first["seat"], "wall.1.1") == ("B",)
    assert not shown_by(right).doubts
    assert right["boards"][0]["corners_px"] == first["corners_px"]
    heap = put_right(right, 0, "factory.1", ["B", "B", "K", "W"])
    assert value_of(heap, 0, "factory.1") == ("B", "B", "K", "W")
    assert heap["factories"][0]["centre_px"] == shot.reading["factories"][0]["centre_px"]
    assert value_of(put_right(heap, 2, "score", ["31"]), 2, "score") == ("31",)


def test_what_cannot_be_there_is_refused(at_table: FlaskClient, site: Site, shot: Any) -> None:
    draft = drafted(site, shot)
    for place, values, code in [
        ("wall.1.1", ["Q"], 400),
        ("wall.1.1", ["B", "B"], 400),
        ("score", ["many"], 400),
        ("nowhere", ["B"], 404),
        ("factory.1", ["B"] * 99, 400),
    ]:
        answer = at_table.post(f"/photo/{draft}/place/1/{place}", data={"value": values}, headers=ORIGIN)
        assert answer.status_code in (code, 404), place
    stored = site.drafts.load(draft)
    assert stored is not None
    assert stored.told["reading"] == shot.reading


def test_a_card_to_share_is_a_picture_of_photo_and_scores(at_table: FlaskClient, site: Site, shot: Any) -> None:
    answer = at_table.get(f"/photo/{drafted(site, shot)}/card.jpg")
    card = Image.open(io.BytesIO(answer.data))
    assert card.width == 1080
    assert card.height > 500
    assert np.asarray(card)[-20, 20].min() > 200, "plaster below the photo"


def test_drawings_of_every_edition_are_shown() -> None:
    for slug in ("azul", "azul-mini", "summer-pavilion", "summer-pavilion-mini", "queens-garden"):
        edition = load(slug)
        table = edition.table(edition.start(edition.setup(edition.sides[0], 2, 1)))
        told = edition.format_table(table) | {"doubts": []}
        told["boards"] = [board | {"doubts": []} for board in told["boards"]]
        shown = shown_by(told)
        assert [each.seat for each in shown.seats] == [1, 2]
        assert all(each.drawings for each in shown.seats)
