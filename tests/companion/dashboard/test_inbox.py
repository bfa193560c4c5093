"""Questions and findings below the scores: grouped, asked for what differs, answered one after the other."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.dashboard.live.alerts import broken_moves, question_groups
from companion.dashboard.snapshot import Book
from companion.dashboard.text.announcements import tidings
from companion.dashboard.text.asking import asked
from companion.gamelog import NOBODY_KNOWS, Answer, Doubt, Game, Photo, PhotoRead, Record, Undo
from companion.pipeline import networks_name
from engine.errors import EngineError

ORIGIN = {"Origin": "http://localhost"}


def break_many(game: Game) -> int:
    """Logs the move that breaks most rules at once; its number."""
    edition, state = game.start.edition, game.refresh().state

    def can_be(move: Any) -> bool:
        try:
            edition.enact(state, move)
        except EngineError:
            return False
        return True

    moves = [move for move in edition.pseudo_moves(state) if can_be(move)]
    worst = max(moves, key=lambda move: len(edition.violations(state, move)))
    return game.append(Record(edition.format_event(worst)), "camera").n


def ask_cells(game: Game, shot: Any) -> list[int]:
    """Logs a photo and three questions about its cells and two about its scores; their numbers."""
    photo = game.append(PhotoRead(shot.reading, networks_name()), "camera", Photo(shot.jpeg)).photo
    cells = [("wall.2.4", 1), ("wall.3.1", 1), ("wall.2.4", 2)]
    doubts = [Doubt(f"cell-{seat}-{cell}", {"R": 0.7, ".": 0.3}, cell, seat) for cell, seat in cells]
    doubts += [Doubt(f"score-{seat}", {str(n): 0.1 for n in range(3, 12)}, "score", seat) for seat in (1, 2)]
    return [game.append(doubt, "camera", photo).n for doubt in doubts]


def pair(game: Game, alike: tuple[str, ...], unlike: str) -> dict[str, float]:
    """Two legal moves that are alike in some respects and not in another, as a question's choices."""
    edition = game.start.edition
    for one, other in combinations(edition.legal_moves(game.refresh().state), 2):
        same = all(getattr(one, name) == getattr(other, name) for name in alike)
        if same and getattr(one, unlike) != getattr(other, unlike):
            return {edition.format_move(one): 0.5, edition.format_move(other): 0.3}
    raise AssertionError("there is no such pair")


@pytest.mark.parametrize("width", [390, 1440])
def test_a_move_that_breaks_several_rules_is_one_card_below_the_scores(visit: Any, table: Any, width: int) -> None:
    n = break_many(table.game)
    (move,) = broken_moves(Book(table.game).read())
    assert len(move.broken) > 1
    page: Page = visit(width=width)
    expect(page.locator(".alert.breach")).to_have_count(1)
    expect(page.locator(".alert.breach .rule .id")).to_have_count(len(move.broken))
    tops = [page.locator(place).bounding_box() for place in ("#scores", "#alerts")]
    assert tops[0]
    assert tops[1]
    assert tops[0]["y"] < tops[1]["y"]
    page.locator(f"#breach-{n}").click()
    expect(page.locator("#sheet h1")).to_contain_text(f"{len(move.broken)} rules are broken")
    page.locator(f"#sheet #allow-{n}").click()
    expect(page.locator(".alert.breach")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
def test_questions_about_cells_are_one_card_and_asked_one_after_the_other(
    visit: Any, table: Any, shot: Any, width: int
) -> None:
    ask_cells(table.game, shot)
    assert [len(group.questions) for group in question_groups(Book(table.game).read())] == [2, 3]
    page: Page = visit(width=width)
    expect(page.locator(".alert.doubt")).to_have_count(2)
    card = page.locator(".alert.doubt").nth(1)
    expect(card.locator("h2")).to_have_text("3 cells are unclear")
    card.get_by_role("link", name="Answer").click()
    for left in (2, 1, 0):
        shown = page.locator("#sheet h1 + p").inner_text()
        page.locator("#sheet button[value=R]").click()
        if left:
            expect(page.locator("#sheet h1 + p")).not_to_have_text(shown)
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(".alert.doubt")).to_have_count(1)


def test_many_possible_scores_are_a_field_for_a_number(visit: Any, table: Any, shot: Any) -> None:
    n = ask_cells(table.game, shot)[-1]
    page: Page = visit()
    page.locator(f"#question-{n}").click()
    expect(page.locator("#sheet h1")).to_have_text("What is the score of Борис?")
    expect(page.locator("#sheet button.answer b")).to_have_count(0)
    expect(page.locator("#sheet .number-answer")).to_contain_text("3 to 11")
    page.fill("#sheet #number", "7")
    page.locator("#sheet .number-answer button").click()
    expect(page.locator("#sheet h1")).to_have_text("What is the score of Anna?")
    assert table.game.refresh().state.scores[1] == 7


def test_a_question_asks_for_what_differs(site: Any, game: Game, client: FlaskClient) -> None:
    asking = {
        "Where did the ": pair(game, ("source", "colour"), "line"),
        "What did ": pair(game, ("source",), "colour"),
        "Was this played?": {next(iter(pair(game, ("source",), "colour"))): 0.9, "-": 0.1},
    }
    for words, reads in asking.items():
        n = game.append(Doubt(f"azul-{words}", reads), "azul").n
        with client.application.test_request_context(headers=ORIGIN):
            snapshot = site.book(game.id).read()
            (question,) = [each for group in question_groups(snapshot) for each in group.questions if each.n == n]
            assert asked(snapshot, question).startswith(words)


def test_a_game_starts_again_from_what_is_seen(visit: Any, table: Any, shot: Any) -> None:
    game = table.game
    right = game.refresh().state
    edition = game.start.edition
    game.append(Record(edition.format_event(edition.legal_moves(right)[0])), "camera")
    photo = game.append(PhotoRead(shot.reading, networks_name()), "camera", Photo(shot.jpeg)).photo
    n = game.append(Doubt("azul-9", pair(game, ("source",), "colour")), "camera", photo).n
    page: Page = visit()
    page.locator(f"#question-{n}").click()
    page.locator("#sheet #restart").click()
    expect(page.locator(".alert.doubt")).to_have_count(0)
    now = game.refresh().state
    assert (now.boards, now.scores, now.round, now.phase) == (right.boards, right.scores, right.round, right.phase)
    assert sorted(now.factories) == sorted(right.factories)
    assert sorted(now.centre) == sorted(right.centre)
    answers = [entry.event for entry in game.entries() if isinstance(entry.event, Answer)]
    assert answers == [Answer("azul-9", NOBODY_KNOWS)]


def test_the_announcer_does_not_repeat_what_was_put_right(at_table: FlaskClient, site: Any, game: Game) -> None:
    def said() -> str:
        with at_table.application.test_request_context():
            return tidings(site.book(game.id).read())

    before = said()
    game.append(Undo(game.folded.undoable()), "Oma")
    assert said() == "Taken back."
    n = game.append(Doubt("azul-7", {"-": 0.9}), "azul").n
    game.append(Answer("azul-7", "-"), "Oma")
    assert said() == "A question was answered."
    assert before not in said()
    page = at_table.get(f"/game/{game.id}").text
    assert f"question-{n}" not in page
    assert "A question: what was played?" not in page
