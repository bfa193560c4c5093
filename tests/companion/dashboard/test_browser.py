"""The dashboard as people use it: a real browser against the real app behind the real server."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.capture.cameras import Window
from companion.gamelog import Allow, Answer, Doubt, Photo, PhotoRead
from companion.ledger import standing
from companion.photolog.memory import photo_entries
from hardware.calibration import Calibration, CorrectedCamera, charuco_board
from hardware.camera import Frame

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
LANGUAGES = {"en": "Scores", "ru": "Счёт", "uk": "Рахунок"}


def test_a_game_is_watched_live(visit: Any, table: Any, go_on: Any) -> None:
    pages = [visit(role="spectator"), visit(f"/game/{table.game.id}/tv", role="spectator", width=1440)]
    expect(pages[0].locator(".scores .who")).to_contain_text(["Anna", "Борис"])
    for _ in range(40):
        if table.game.folded.state.phase == "over":
            break
        go_on(table.game)
    state = table.game.refresh().state
    for page in pages:
        expect(page.locator(".place h2 .small")).to_have_text(
            [str(score) for score in standing(table.game.folded).scores]
        )
        drawn = page.locator(".board").first.locator(".z-wall.spot:has(.face)")
        expect(drawn).to_have_count(sum(cell != "." for row in state.boards[0].wall for cell in row))
    expect(pages[0].locator("#said")).not_to_be_empty()


def test_a_violation_is_allowed_in_one_tap(visit: Any, table: Any, break_a_rule: Any) -> None:
    page: Page = visit()
    n = break_a_rule(table.game)
    breach = page.locator(".alert.breach").first
    expect(breach).to_be_visible()
    expect(breach.locator(".rule .id").first).to_have_text(re.compile("AZ-"))
    page.locator(f"#breach-{n}").click()
    expect(page.locator("#sheet")).to_contain_text("What would have been legal")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="We allow this").click()
    expect(page.locator(".alert.breach")).to_have_count(0)
    allowed = [entry for entry in table.game.entries() if isinstance(entry.event, Allow)]
    assert len(allowed) == len(table.game.refresh().breaches)
    assert {entry.who for entry in allowed} == {"Oma's phone"}


def test_a_doubt_is_settled_in_two_taps(visit: Any, table: Any, ask: Any) -> None:
    page: Page = visit()
    n = ask(table.game)
    page.locator(f"#question-{n}").click()
    expect(page.locator("#sheet img.evidence")).to_be_visible()
    # It has its place before it has come.
    shown = "image => image.decode().then(() => image.complete && image.naturalWidth > 0)"
    assert page.locator("#sheet img.evidence").evaluate(shown)
    page.locator("#sheet button[value=R]").click()
    expect(page.locator(".alert.doubt")).to_have_count(0)
    answers = [entry.event for entry in table.game.entries() if isinstance(entry.event, Answer)]
    assert answers == [Answer("question", "R")]


def test_the_last_photo_is_shown_with_what_was_read(visit: Any, table: Any, ask: Any) -> None:
    page: Page = visit(role="spectator")
    ask(table.game)
    photo = page.locator(".photo .shot img")
    expect(photo).to_be_visible()
    expect(page.locator(".overlay .frame")).to_have_count(2)
    page.get_by_label("Show what was read").uncheck()
    expect(page.locator(".overlay")).to_be_hidden()


def test_a_cell_is_corrected_and_the_correction_undone(visit: Any, table: Any) -> None:
    page: Page = visit()
    before = table.game.refresh().state
    page.locator(".board").first.locator("[data-cell='floor.1']").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("floor line, cell 1")
    kind = "K" if before.boards[0].floor[:1] != "K" else "B"
    sheet.locator(f"input[value={kind}]").check(force=True)
    expect(sheet.locator("#preview")).to_contain_text("What changes")
    sheet.get_by_role("button", name="Confirm").click()
    expect(page.locator("#toast")).to_contain_text("Corrected")
    expect(page.locator(".board").first.locator("[data-cell='floor.1'] text")).to_have_text(kind)
    page.locator("#undo").click()
    expect(page.locator("#toast")).to_contain_text("Undone")
    assert table.game.refresh().state == before
    page.locator("#redo").click()
    expect(page.locator("#toast")).to_contain_text("Redone")
    assert table.game.refresh().state != before
    page.goto(f"{table.url}/history")
    expect(page.locator(".log li").first).to_contain_text("Oma's phone")


def test_a_board_is_corrected_by_keyboard(visit: Any, table: Any) -> None:
    page: Page = visit(f"/game/{table.game.id}/correct/1")
    page.locator("a.pick").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#sheet")).to_be_visible()
    expect(page.locator("#sheet h1")).to_contain_text("Anna")
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()


def test_every_point_opens_its_explanation(visit: Any) -> None:
    page: Page = visit(role="spectator")
    page.locator("#score-1").click()
    lines = page.locator("#sheet .point summary")
    expect(lines.first).to_be_visible()
    lines.first.click()
    expect(page.locator("#sheet .rule").first).to_be_visible()
    # The board lights up on an event of its own, after the line has opened.
    expect(page.locator("#sheet .spot.lit").first).to_be_visible()


def test_a_game_is_reviewed_by_keyboard(visit: Any, table: Any) -> None:
    page: Page = visit(f"/game/{table.game.id}/review", role="spectator")
    frames = len(table.game.refresh().steps)
    expect(page.locator("#frame")).to_contain_text(f"{frames} / {frames}")
    page.locator("#slider").focus()
    page.keyboard.press("Home")
    expect(page.locator("#frame")).to_contain_text(f"1 / {frames}")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#frame")).to_contain_text(f"2 / {frames}")
    expect(page.locator("#frame .spot.changed").first).to_be_visible()
    expect(page.locator(".plot canvas")).to_be_visible()


def test_photos_are_read_anew_and_differences_accepted_one_by_one(visit: Any, table: Any, shot: Any) -> None:
    first, *others = shot.reading["boards"]
    seat = first["seat"]
    wall = ["." * 5, *first["wall"][1:]]
    misread = {**shot.reading, "boards": [{**first, "wall": wall, "score": 77}, *others]}
    n = table.game.append(PhotoRead(misread, "earlier"), "azul", Photo(shot.jpeg)).n
    page: Page = visit(f"/game/{table.game.id}/review")
    page.get_by_role("button", name="Read them again").click()
    page.get_by_role("link", name="Look at the differences").click()
    changes = page.locator(".changes-anew li")
    tiles = len(first["wall"][0].replace(".", ""))
    expect(changes).to_have_count(tiles + 1)
    expect(changes.locator("img")).to_have_count(tiles + 1)
    for cell in range(1, 6):
        box = page.locator(f"input[value='{seat}:wall.1.{cell}']")
        if box.count():
            box.uncheck()
    page.get_by_role("button", name="Accept what is ticked").click()
    expect(page.locator("main")).to_contain_text("No proposal waits for an answer.")
    (answer,) = (entry.event for entry in table.game.entries() if isinstance(entry.event, Answer))
    assert answer.value == f"{seat}:score"
    read = next(entry.event for entry in photo_entries(table.game.entries()) if entry.n == n)
    assert isinstance(read, PhotoRead)
    assert read.reading is not None
    board = next(board for board in read.reading["boards"] if board["seat"] == seat)
    assert (board["score"], board["wall"]) == (first["score"], wall)
    assert table.game.refresh().state.scores[seat - 1] == first["score"]
    page.goto(f"{table.url}/history")
    expect(page.locator(".log")).to_contain_text("An answer: accepted: Anna, score")


def test_the_wizard_begins_a_game(visit: Any, table: Any) -> None:
    page: Page = visit("/setup", role="host")
    page.get_by_role("button", name="English").click()
    page.locator("input[value='azul.grey']").check(force=True)
    page.get_by_role("button", name="Go on").click()
    for seat, name in enumerate(("Оля", "<b>Max</b>", "Zoë"), 1):
        page.fill(f"#name-{seat}", name)
    page.get_by_role("button", name="Go on").click()
    page.goto(f"{table.address}/setup")
    expect(page.locator("h1")).to_contain_text("camera")
    page.get_by_role("link", name="Go on").click()
    expect(page.locator("h1")).to_contain_text("lens")
    page.get_by_role("link", name="Skip this step").click()
    page.select_option("#first", "2")
    page.get_by_role("button", name="Begin the game").click()
    expect(page.locator(".scores .who")).to_contain_text(["Оля", "<b>Max</b>", "Zoë"])
    start = table.site.log.games()[0].start
    assert (start.setup.side, start.setup.players, start.setup.first) == ("grey", 3, 2)


def test_the_lens_is_measured_in_the_wizard(visit: Any, table: Any) -> None:
    class Sheets:
        """A camera before which somebody holds the printed sheet, after a first picture without it."""

        def __init__(self) -> None:
            sheet = cv2.cvtColor(charuco_board().generateImage((600, 900)), cv2.COLOR_GRAY2BGR)
            self.sheet = cv2.copyMakeBorder(sheet, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(255, 255, 255))
            self.taken = 0

        def preview(self) -> Frame:
            return Frame(np.full((90, 160, 3), 120, np.uint8), 1, 0.0)

        def capture(self) -> Frame:
            self.taken += 1
            picture = np.full((960, 1280, 3), 140, np.uint8)
            if self.taken > 1:
                height, width = self.sheet.shape[:2]
                turned, _ = cv2.Rodrigues(np.array([0.5 * np.cos(self.taken), 0.5 * np.sin(self.taken), 0.1]))
                pose = np.column_stack([turned[:, 0], turned[:, 1], [0, 0, 1300] - turned @ [width / 2, height / 2, 0]])
                view = np.array([[1000, 0, 640], [0, 1000, 480], [0, 0, 1]]) @ pose
                cv2.warpPerspective(self.sheet, view, (1280, 960), picture, borderMode=cv2.BORDER_TRANSPARENT)
            return Frame(picture, self.taken, 0.0)

        def close(self) -> None:
            pass

    kept: list[Calibration] = []
    camera = CorrectedCamera(Sheets(), Calibration(), kept.append)
    table.site.window = Window(camera, camera)
    ending = threading.Event()

    def look() -> None:
        while not ending.wait(0.05):
            table.site.window.preview()

    looking = threading.Thread(target=look)
    looking.start()
    try:
        page: Page = visit("/setup/lens", role="host")
        page.get_by_role("button", name="Take a picture").click()
        expect(page.locator("main")).to_contain_text("The sheet was not found")
        for count in range(1, 6):
            page.get_by_role("button", name="Take a picture").click()
            expect(page.locator("main")).to_contain_text(f"{count} of 5")
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("h1")).to_have_text("Ready")
        page.goto(f"{table.address}/setup/lens")
        expect(page.locator("main")).to_contain_text("This camera has been measured")
        assert page.request.get(f"{table.address}/setup/sheet.pdf").body().startswith(b"%PDF")
    finally:
        ending.set()
        looking.join()
    assert kept[-1].lens is not None
    assert camera.capture().focal_px == pytest.approx(kept[-1].lens.focal_px)


def test_a_spectator_cannot_correct(visit: Any, table: Any, ask: Any) -> None:
    n = ask(table.game)
    page: Page = visit(role="spectator")
    expect(page.locator("#undo")).to_have_count(0)
    page.locator(f"#question-{n}").click()
    expect(page.locator("#sheet button.answer").first).to_be_disabled()
    page.goto(f"{table.url}/correct/1")
    expect(page.locator("main")).to_contain_text("Only a device at the table may do this")


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_speak_the_language_of_the_device(visit: Any, language: str) -> None:
    page: Page = visit("/settings", role="spectator")
    page.select_option("#language", language)
    page.locator("form button.primary").first.click()
    page.wait_for_load_state()
    page.goto(page.url.rsplit("/", 1)[0])
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("#scores")).to_have_attribute("aria-label", LANGUAGES[language])


PAGES = [
    "",
    "/tv",
    "/points/1",
    "/correct/1",
    "/correct/0",
    "/correct/1/wall.1.1?value=.",
    "/enter",
    "/enter?stay=1&move=1&against=1",
    "/history",
    "/review",
    "/export",
    "/proposals",
    "/reread",
]
OTHERS = [
    "/games",
    "/games?q=x",
    "/statistics",
    "/photo",
    "/share",
    "/share/table",
    "/settings",
    "/host",
    "/health",
    "/nowhere",
]
STEPS = ["language", "edition", "players", "camera", "lens", "ready"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Any, table: Any, ask: Any, break_a_rule: Any, scheme: str) -> None:
    n = ask(table.game)
    breach = break_a_rule(table.game)
    asked = table.game.append(Doubt("moves", {"-": 0.9}), "azul").n
    score = table.game.append(Doubt("points", {"12": 0.6, "13": 0.4}, "score", 2), "azul").n
    page: Page = visit(role="host", color_scheme=scheme)
    questions = [f"/question/{n}", f"/question/{n}/else", f"/question/{score}", f"/enter?question={asked}"]
    questions += [f"/question/{asked}", f"/breach/{breach}"]
    paths = [f"/game/{table.game.id}{path}" for path in [*PAGES, *questions]]
    paths += [*OTHERS, *(f"/setup/{step}" for step in STEPS)]
    found = []
    for path in paths:
        page.goto(table.address + path)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
        result = page.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
        found += [
            (path, each["id"], [node["html"][:120] for node in each["nodes"][:2]]) for each in result["violations"]
        ]
    assert found == []


def test_nothing_is_wider_than_a_phone(visit: Any, table: Any, ask: Any, break_a_rule: Any) -> None:
    ask(table.game)
    break_a_rule(table.game)
    page: Page = visit(role="host", width=360)
    paths = [f"/game/{table.game.id}{path}" for path in PAGES if path != "/tv"] + OTHERS
    wide = []
    for path in paths:
        page.goto(table.address + path)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(path)
    assert wide == []


def test_everything_can_be_tapped(visit: Any, table: Any, ask: Any, break_a_rule: Any) -> None:
    ask(table.game)
    break_a_rule(table.game)
    page: Page = visit(width=360)
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, .button, nav a, .mend, input, .board[data-correct] .spot")]
            .map(each => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([html]) => html)"""
    )
    assert small == []
