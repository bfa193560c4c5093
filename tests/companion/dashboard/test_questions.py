"""Questions as people see them: the board in doubt, upright and marked; what may be chosen; not knowing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.dashboard.drawing.crops import sights_of
from companion.dashboard.live.alerts import broken, questions
from companion.dashboard.site import Site
from companion.dashboard.snapshot import Book
from companion.gamelog import NOBODY_KNOWS, Answer, Doubt, Game, Photo, PhotoRead, Record
from companion.lab.demonstration import simple_breaches
from companion.pipeline import networks_name
from engine import Start, load, slugs

ORIGIN = {"Origin": "http://localhost"}
Tap = Callable[[Page, Callable[[], bool]], int]
MOST_BUTTONS = 25
"""No more are offered at once, however many moves are possible."""
Logged = Callable[[Game, dict[str, float]], int]


@pytest.fixture
def ask_moves(shot: Any) -> Logged:
    """Logs a photo and a question about moves; the question's number."""

    def logged(game: Game, reads: dict[str, float]) -> int:
        photo = game.append(PhotoRead(shot.reading, networks_name()), "azul", Photo(shot.jpeg)).photo
        return game.append(Doubt(f"azul-{game.folded.last}", reads), "azul", photo).n

    return logged


def new_game(site: Site, slug: str) -> Game:
    """A game for two that has not begun."""
    edition = load(slug)
    game = site.log.create(Start(edition, edition.setup(edition.sides[0], 2), ("Anna", "Борис")))
    site.watcher.poke()
    return game


def something_else(page: Page, n: int) -> Page:
    """The page with the sheet in which a question is answered otherwise."""
    page.locator(f"#question-{n}").click()
    page.locator("#sheet #else").click()
    return page


def two_lines(game: Game) -> tuple[Any, Any]:
    """Two legal moves that differ in the line alone."""
    pairs = combinations(game.start.edition.legal_moves(game.refresh().state), 2)
    return next((a, b) for a, b in pairs if (a.source, a.colour) == (b.source, b.colour))


def centre_of(points: str) -> Any:
    return np.mean([[float(value) for value in point.split(",")] for point in points.split()], axis=0)


@pytest.mark.parametrize("seat", [1, 2])
def test_every_board_is_shown_upright_as_its_owner_sees_it(shot: Any, seat: int) -> None:
    spots = [(seat, "wall.1.1"), (seat, "wall.1.5"), (seat, "wall.5.1"), (seat, "line.1.1"), (seat, "floor.1")]
    (sight,) = sights_of("photo", shot.reading, spots)
    corner, right, below, line, floor = map(centre_of, sight.outlines)
    assert abs(right[1] - corner[1]) < 0.2 * (right[0] - corner[0]), "a row is level, and goes from left to right"
    assert below[1] > corner[1], "the last row is below the first"
    assert line[0] < corner[0], "lines are left of the wall"
    assert floor[1] > below[1]
    assert sight.box is not None
    left, top, width, height = sight.box
    for x, y in (corner, right, below, line, floor):
        assert left < x < left + width
        assert top < y < top + height


def test_one_cell_is_shown_with_some_of_its_board(shot: Any) -> None:
    (cell,), (board,) = (sights_of("photo", shot.reading, [(2, name)]) for name in ("line.3.1", ""))
    assert len(cell.outlines) == 1
    assert not board.outlines
    assert cell.box is not None
    assert board.box is not None
    assert 0.35 < cell.box[2] / board.box[2] < 0.6


def test_discs_and_the_middle_are_shown_as_they_lie_in_the_photo(shot: Any) -> None:
    (disc,) = sights_of("photo", shot.reading, [(0, "factory.2")])
    (middle,) = sights_of("photo", shot.reading, [(0, "centre")])
    assert (disc.turn, middle.turn, len(disc.outlines), len(middle.outlines)) == (0, 0, 1, 0)
    assert disc.box is not None
    assert middle.box is not None
    assert disc.box[2] < middle.box[2]


def test_a_part_of_a_photo_is_turned_about_its_middle(at_table: FlaskClient, game: Game, shot: Any) -> None:
    sha256 = game.append(PhotoRead(shot.reading), "azul", Photo(shot.jpeg)).photo

    def part(turn: int) -> Any:
        data = at_table.get(f"/picture/{sha256}?width=200&box=300,300,200,200&turn={turn}").data
        return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), float)

    assert np.abs(part(180) - part(0)[::-1, ::-1]).mean() < 4
    assert np.abs(part(90) - np.rot90(part(0))).mean() < 4
    assert at_table.get(f"/picture/{sha256}?width=200&box=300,300,200,200&turn=400").status_code == 404


@pytest.mark.parametrize("width", [390, 1440])
def test_a_question_about_moves_shows_the_board_in_doubt_with_its_cells(
    visit: Any, table: Any, ask_moves: Logged, width: int
) -> None:
    edition = table.game.start.edition
    one, other = map(edition.format_move, two_lines(table.game))
    n = ask_moves(table.game, {one: 0.5, other: 0.3})
    seat = two_lines(table.game)[0].seat
    page: Page = visit(width=width)
    expect(page.locator(".alert.doubt .thumb .asked").first).to_be_attached()
    page.locator(f"#question-{n}").click()
    sight = page.locator("#sheet .sight").first
    expect(sight.locator("figcaption")).to_have_text(f"Board of {table.game.start.names[seat - 1]}")
    image = sight.locator("img.evidence")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    expect(sight.locator(".asked").first).to_be_visible()
    choices = page.locator("#sheet button.answer")
    expect(choices).to_have_count(4)
    expect(choices.nth(0)).to_contain_text("50 %")
    expect(choices.nth(1)).to_contain_text("30 %")
    expect(choices.nth(1)).to_be_in_viewport()
    expect(page.locator("#sheet #else")).to_be_visible()
    expect(page.locator("#sheet #unknown")).to_have_text("I don't know")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_at_most_four_choices_are_offered_at_once_and_the_others_as_something_else(
    at_table: FlaskClient, game: Game
) -> None:
    edition = game.start.edition
    moves = [edition.format_move(move) for move in edition.legal_moves(game.refresh().state)][:6]
    assert len(moves) == 6
    n = game.append(Doubt("azul-1", {move: 0.3 - i / 50 for i, move in enumerate(moves)}), "azul").n
    page = at_table.get(f"/game/{game.id}/question/{n}").text
    assert [f'value="{move.replace(">", "&gt;")}"' in page for move in moves] == [True] * 4 + [False] * 2
    others = at_table.get(f"/game/{game.id}/enter?question={n}").text
    assert all(f'value="{move.replace(">", "&gt;")}"' in others for move in moves[4:])


@pytest.mark.parametrize("slug", slugs())
def test_something_else_is_entered_by_tapping(visit: Any, table: Any, tap_until: Tap, slug: str) -> None:
    game = new_game(table.site, slug)
    edition = game.start.edition
    drawn = edition.deal(game.refresh().state, Random(3).sample)
    game.append(Record(edition.format_event(drawn)), "azul")
    state = game.refresh().state
    n = game.append(Doubt("azul-1", {"-": 0.9}), "azul").n
    page = something_else(visit(f"/game/{game.id}"), n)
    expect(page.locator("#sheet h1")).to_have_text("What really happened?")
    assert page.locator("#sheet button").count() < MOST_BUTTONS
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tap_until(page, lambda: not game.refresh().doubts)
    expect(page.locator(".alert.doubt")).to_have_count(0)
    (answer,) = [entry.event for entry in game.entries() if isinstance(entry.event, Answer)]
    assert answer.id == "azul-1"
    assert edition.parse_move(answer.value) in edition.legal_moves(state)
    assert game.refresh().state == state, "whoever follows the game plays the answer"


def test_a_filling_may_be_the_answer(visit: Any, table: Any, tap_until: Tap) -> None:
    game = new_game(table.site, "azul")
    n = game.append(Doubt("azul-1", {"-": 0.9}), "azul").n
    page = something_else(visit(f"/game/{game.id}"), n)
    expect(page.locator("#sheet h1")).to_have_text("What was drawn?")
    expect(page.locator("#draw-for-us")).to_have_count(0)
    tap_until(page, lambda: not game.refresh().doubts)
    (answer,) = [entry.event for entry in game.entries() if isinstance(entry.event, Answer)]
    edition = game.start.edition
    assert not edition.violations(game.folded.state, edition.parse_move(answer.value))


def test_that_nothing_was_played_may_be_the_answer(visit: Any, table: Any) -> None:
    game = table.game
    move = game.start.edition.format_move(game.start.edition.legal_moves(game.refresh().state)[0])
    n = game.append(Doubt("azul-1", {move: 0.9}), "azul").n
    page = something_else(visit(), n)
    page.get_by_role("button", name="Nothing was played").click()
    expect(page.locator(".alert.doubt")).to_have_count(0)
    assert [entry.event.value for entry in game.entries() if isinstance(entry.event, Answer)] == ["-"]


def test_a_question_about_a_cell_is_not_answered_with_a_move(at_table: FlaskClient, game: Game, ask: Any) -> None:
    n = ask(game)
    assert at_table.get(f"/game/{game.id}/enter?question={n}").status_code == 400
    assert at_table.post(f"/game/{game.id}/enter", data={"question": n, "move": "x"}, headers=ORIGIN).status_code == 400
    assert n in game.refresh().doubts


def test_something_else_leads_to_the_correction_of_a_board(visit: Any, table: Any, ask_moves: Logged) -> None:
    n = ask_moves(table.game, {"-": 0.9})
    page: Page = visit(f"/game/{table.game.id}/enter?question={n}")
    page.locator("details.else summary").click()
    page.get_by_role("link", name="Board of Anna").click()
    expect(page.locator("h1")).to_contain_text("Correct the board of Anna")


def test_who_does_not_know_says_so_in_one_tap(visit: Any, table: Any, ask: Any) -> None:
    page: Page = visit()
    n = ask(table.game)
    page.locator(f"#question-{n}").click()
    page.locator("#sheet #unknown").click()
    expect(page.locator(".alert.doubt")).to_have_count(0)
    answers = [entry.event for entry in table.game.entries() if isinstance(entry.event, Answer)]
    assert answers == [Answer("question", NOBODY_KNOWS)]
    page.goto(f"{table.url}/history")
    expect(page.locator(".log li").first).to_contain_text("nobody knows")


def test_for_a_cell_something_else_is_any_tile_that_may_lie_there(visit: Any, table: Any, ask: Any) -> None:
    n = ask(table.game)
    page: Page = visit()
    page.locator(f"#question-{n}").click()
    page.locator("#sheet #else").click()
    expect(page.locator("#sheet h1")).to_have_text("What is really there?")
    kinds = page.locator("#sheet button.answer").evaluate_all("all => all.map(each => each.value)")
    assert {"R", "."} <= {*kinds}
    page.locator("#sheet button[value='.']").click()
    expect(page.locator(".alert.doubt")).to_have_count(0)
    assert [entry.event.value for entry in table.game.entries() if isinstance(entry.event, Answer)] == ["."]


def test_a_score_is_answered_with_a_number(at_table: FlaskClient, game: Game, shot: Any) -> None:
    photo = game.append(PhotoRead(shot.reading), "azul", Photo(shot.jpeg)).photo
    n = game.append(Doubt("score-1", {"12": 0.6, "13": 0.4}, "score", 2), "azul", photo).n
    (question,) = questions(Book(game).read())
    assert [(sight.seat, len(sight.outlines)) for sight in question.sights] == [(2, 2)], "the two cells of the track"
    text = at_table.get(f"/game/{game.id}/question/{n}").text
    assert "I don't know" in text
    assert 'inputmode="numeric"' in text
    assert at_table.get(f"/game/{game.id}/question/{n}/else").status_code == 404


def test_a_spectator_sees_the_question_and_how_to_be_allowed_to_answer(visit: Any, table: Any, ask: Any) -> None:
    n = ask(table.game)
    page: Page = visit(role="spectator")
    expect(page.locator(".alert.doubt")).to_contain_text("Devices at the table can answer this")
    page.locator(f"#question-{n}").click()
    expect(page.locator("#sheet button.answer").first).to_be_disabled()
    expect(page.locator("#sheet #unknown")).to_have_count(0)
    expect(page.locator("#sheet")).to_contain_text("scan the table's code")
    response = page.goto(f"{table.url}/question/{n}/else")
    assert response
    assert response.status == 403


def test_a_breach_shows_the_board_of_whoever_broke_the_rule(at_table: FlaskClient, game: Game, shot: Any) -> None:
    edition = game.start.edition
    move = next(move for move in simple_breaches(edition, game.refresh().state) if move.line)
    game.append(PhotoRead(shot.reading), "azul", Photo(shot.jpeg))
    n = game.append(Record(edition.format_event(move)), "azul").n
    (found,) = broken(Book(game).read())
    assert found.sight is not None
    assert (found.sight.seat, bool(found.sight.outlines)) == (move.seat, True)
    page = at_table.get(f"/game/{game.id}/breach/{n}").text
    assert 'polygon class="asked"' in page
