"""Reviewing games: by keys, by play, by the list of moves, by a link; games found again; players over all games."""

from __future__ import annotations

from random import Random
from typing import Any

import pypdfium2
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.dashboard.site import Site
from companion.dashboard.snapshot import Book
from companion.dashboard.statistics import statistics
from companion.gamelog import Game, Record, Title
from companion.lab.play import POLICIES, play_game
from engine import Start, load

ORIGIN = {"Origin": "http://localhost"}


def finished(site: Site, slug: str, names: tuple[str, ...], seed: int) -> Game:
    """A whole game that the computer played."""
    edition = load(slug)
    game = site.log.create(Start(edition, edition.setup(edition.sides[0], len(names)), names))
    for move in play_game(edition, game.start.setup, POLICIES["greedy"], Random(seed)):
        game.append(Record(edition.format_event(move)), "camera")
    site.watcher.poke()
    return game


@pytest.mark.parametrize("width", [390, 1440])
def test_arrow_keys_go_from_move_to_move_wherever_the_focus_is(visit: Any, table: Any, width: int) -> None:
    page: Page = visit(f"/game/{table.game.id}/review", role="spectator", width=width)
    frames = len(table.game.refresh().steps)
    expect(page.locator(".plot canvas")).to_be_visible()
    page.locator("body").press("ArrowLeft")
    page.locator("body").press("ArrowLeft")
    expect(page.locator("#frame")).to_contain_text(f"{frames - 2} / {frames}")
    page.locator("body").press("ArrowRight")
    expect(page.locator("#frame")).to_contain_text(f"{frames - 1} / {frames}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_list_of_moves_leads_to_each_and_the_address_is_a_link_to_it(visit: Any, table: Any) -> None:
    page: Page = visit(f"/game/{table.game.id}/review", role="spectator")
    frames = len(table.game.refresh().steps)
    moves = page.locator(".moves [data-at]")
    expect(moves).to_have_count(frames)
    moves.nth(4).click()
    expect(page.locator("#frame")).to_contain_text(f"5 / {frames}")
    expect(moves.nth(4)).to_have_attribute("aria-current", "true")
    page.wait_for_url("**/review?event=*")
    other: Page = visit(page.url, role="spectator")
    expect(other.locator("#frame")).to_contain_text(f"5 / {frames}")
    expect(other.locator("#frame")).to_contain_text(moves.nth(4).inner_text())


def test_play_goes_on_to_the_end(visit: Any, table: Any) -> None:
    page: Page = visit(f"/game/{table.game.id}/review", role="spectator")
    frames = len(table.game.refresh().steps)
    page.locator(".moves [data-at]").nth(frames - 3).click()
    expect(page.locator("#frame")).to_contain_text(f"{frames - 2} / {frames}")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#frame")).to_contain_text(f"{frames} / {frames}")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_a_game_has_a_name_and_is_found_by_it(visit: Any, table: Any) -> None:
    finished(table.site, "summer-pavilion", ("Zoë", "Max"), 3)
    page: Page = visit(f"/game/{table.game.id}/review")
    page.fill("#title", "  Grandma's  birthday ")
    page.locator("form:has(#title) button").click()
    expect(page.locator("h1")).to_have_text("Grandma's birthday")
    assert table.game.refresh().title == "Grandma's birthday"
    page.goto(f"{table.address}/games")
    expect(page.locator(".game-card")).to_have_count(2)
    expect(page.locator(".game-card .thumb")).to_have_count(2)
    for words, found in [("birthday grand", 1), ("zoë", 1), ("pavilion", 1), ("Борис", 1), ("nobody", 0), ("a", 2)]:
        page.fill("#q", words)
        page.keyboard.press("Enter")
        page.wait_for_url("**q=*")
        expect(page.locator(".game-card")).to_have_count(found)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_empty_name_is_refused_and_another_takes_its_place(at_table: FlaskClient, game: Game) -> None:
    assert at_table.post(f"/game/{game.id}/title", data={"name": "  "}, headers=ORIGIN).status_code == 400
    for name in ("First", "Second"):
        at_table.post(f"/game/{game.id}/title", data={"name": name}, headers=ORIGIN)
    assert game.refresh().title == "Second"
    n = max(entry.n for entry in game.entries() if isinstance(entry.event, Title))
    at_table.post(f"/game/{game.id}/undo", data={"n": n}, headers=ORIGIN)
    assert game.refresh().title == "First"


def test_statistics_count_what_games_say(site: Site, client: FlaskClient) -> None:
    games = [finished(site, "azul", ("Anna", "Boris"), 3), finished(site, "azul", ("boris", "Anna"), 4)]
    snapshots = [Book(game).read() for game in games]
    totals = statistics(snapshots)
    assert [each.games for each in totals.players] == [2, 2]
    assert sum(each.wins for each in totals.players) == sum(len(each.ledger.last.winners) for each in snapshots)
    for player in totals.players:
        seats = [each.start.names.index(name) for each in snapshots for name in each.start.names]
        assert len(seats) == 4
        total = sum(score for _, score in player.scores)
        assert sum(player.kinds.values()) == total, "every point has its kind"
        assert player.average == total / 2
    page = client.get("/statistics").text
    assert "Anna" in page
    assert "Points of Anna" in page
    assert "polyline" in page


def test_the_sheet_for_the_printer_has_winner_boards_and_broken_rules(
    site: Site, client: FlaskClient, break_a_rule: Any, game: Game
) -> None:
    n = break_a_rule(game)
    rules = {breach.violation.rule for breach in game.refresh().breaches if breach.n == n}
    data = client.get(f"/game/{game.id}/export.pdf").data
    text = pdf_text(data)
    assert "Broken rules" in text
    assert all(rule in text for rule in rules)
    over = finished(site, "queens-garden", ("Zoë", "Max"), 3)
    now = Book(over).read().ledger.last
    text = pdf_text(client.get(f"/game/{over.id}/export.pdf").data)
    assert f"{over.start.names[now.winners[0] - 1]} wins." in text
    assert "How the scores grew" in text
    assert f"Zoë: {now.scores[0]}" in text


def pdf_text(data: bytes) -> str:
    pages = pypdfium2.PdfDocument(data)
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in pages).split())
