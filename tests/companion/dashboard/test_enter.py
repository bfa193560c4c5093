"""Games kept by hand: every edition entered by tapping at a phone's width, and the one move that a camera missed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.dashboard.entering import ChanceEntry, breaches, enter, written
from companion.dashboard.site import Site
from companion.gamelog import Game, Record
from companion.lab.play import play_game, play_randomly
from engine import OVER, Edition, Start, load, slugs
from engine.record import play_event

ORIGIN = {"Origin": "http://localhost"}
Tap = Callable[[Page, Callable[[], bool]], int]


def new_game(site: Site, slug: str, players: int = 2) -> Game:
    edition = load(slug)
    game = site.log.create(
        Start(edition, edition.setup(edition.sides[0], players), ("Anna", "Борис", "Cem", "Dora")[:players])
    )
    site.watcher.poke()
    return game


def states(edition: Edition[Any, Any]) -> Iterator[Any]:
    setup = edition.setup(edition.sides[0], 3)
    state = edition.start(setup)
    for move in play_game(edition, setup, play_randomly, Random(8), 3):
        yield state
        state = edition.settle(edition.apply(state, move))


@pytest.mark.parametrize("slug", slugs())
def test_every_legal_move_can_be_tapped(slug: str) -> None:
    edition, rng = load(slug), Random(2)
    for state in list(states(edition))[::7]:
        legal = list(edition.legal_moves(state))
        for move in rng.sample(legal, min(4, len(legal))):
            path: list[str] = []
            for act in edition.acts(state, move):
                for touch in rng.sample(act.touches, len(act.touches)):
                    now = enter(edition, state, legal, path)
                    if any(verb == act.does for verb in now.verbs):
                        path.append(f"a:{act.does.template}")
                        now = enter(edition, state, legal, path)
                    if touch in now.touches and now.does == act.does:
                        path.append(written(touch))
                now = enter(edition, state, legal, path)
                if any(verb == act.does for verb in now.verbs):
                    path.append(f"a:{act.does.template}")
                    now = enter(edition, state, legal, path)
                if now.does == act.does and now.may_end and not now.is_told:
                    path.append("d")
            now = enter(edition, state, legal, path)
            assert now.is_told
            assert [left for left, _ in now.moves] == [move]


@pytest.mark.parametrize("slug", slugs())
def test_what_breaks_a_rule_is_offered_apart(slug: str) -> None:
    edition = load(slug)
    state = next(state for state in states(edition) if edition.legal_moves(state) and not edition.awaits_chance(state))
    found = breaches(edition, state)
    assert found
    assert all(edition.violations(state, move) for move in found[:50])


def test_what_can_be_drawn_gets_less_with_every_tile() -> None:
    edition = load("azul")
    drawing = ChanceEntry(edition.awaited(edition.start(edition.setup("coloured", 2))), ("B", "B", "B", "B", "K"))
    assert drawing.at == 1
    assert drawing.heaps[:2] == [("B", "B", "B", "B"), ("K",)]
    assert (drawing.left["B"], drawing.left["K"], drawing.left["R"]) == (16, 19, 20)


def test_a_disc_that_got_too_few_tiles_is_told_with_the_rule_that_it_breaks(at_table: FlaskClient, site: Site) -> None:
    game = new_game(site, "azul")
    kinds = ["B", "B", "B", "-", *"KKKKRRRRYYYYWWWW"]
    page = at_table.get(f"/game/{game.id}/enter", query_string={"k": kinds}).text
    assert "factory 1 gets 4 tiles, not 3" in page
    at_table.post(f"/game/{game.id}/enter", data={"drawn": "1", "kind": kinds}, headers=ORIGIN)
    state = game.refresh().state
    assert state.factories == ("BBB", "KKKK", "RRRR", "YYYY", "WWWW")
    assert game.folded.breaches


@pytest.mark.parametrize("slug", slugs())
def test_a_whole_round_is_entered_by_tapping(visit: Any, table: Any, tap_until: Tap, slug: str) -> None:
    game = new_game(table.site, slug)
    edition = game.start.edition
    page: Page = visit(f"/game/{game.id}")
    page.locator("#enter").click()
    expect(page.locator("#entry h1")).to_have_text("What was drawn?")
    tap_until(page, lambda: game.refresh().state.phase == OVER or game.folded.state.round > 1)
    state = edition.start(game.start.setup)
    entries = [entry for entry in game.entries() if isinstance(entry.event, Record)]
    assert {entry.who for entry in entries} == {"Oma's phone"}
    for entry in entries:
        assert isinstance(entry.event, Record)
        step = play_event(edition, state, entry.n, entry.event.event)
        assert step.ok
        state = step.state
    assert state == game.refresh().state
    page.goto(f"{table.address}/game/{game.id}")
    expect(page.locator(".place h2 .small")).to_have_text([str(score) for score in state.scores])


@pytest.mark.parametrize("slug", slugs())
def test_tiles_are_drawn_for_those_who_ask(visit: Any, table: Any, slug: str) -> None:
    game = new_game(table.site, slug)
    page: Page = visit(f"/game/{game.id}/enter?stay=1")
    page.locator("#draw-for-us").click()
    expect(page.locator("#entry h1")).to_have_text("Enter a move")
    assert game.refresh().state.round == 1
    assert not game.folded.breaches
    page.locator("#undo").click()
    expect(page.locator("#entry h1")).to_have_text("What was drawn?")
    assert game.refresh().state.round == 0


def test_a_move_that_breaks_a_rule_is_entered_and_shown(visit: Any, table: Any) -> None:
    game = new_game(table.site, "azul")
    game.append(Record({"event": "fill", "factories": ["BBYR"] * 5}), "Oma")
    game.append(Record({"event": "take", "seat": 1, "from": 1, "colour": "B", "line": 3}), "Oma")
    page: Page = visit(f"/game/{game.id}/enter?stay=1")
    page.locator("details.else summary").click()
    page.locator("#against").click()
    page.locator("#entry .verbs a").filter(has_text="Take").click()
    page.locator("[data-place='factory.2'] a").first.click()
    page.locator("#entry a.pick.may[aria-label^='line 1, cell 1']").first.click()
    choice = page.locator("#entry .told button").first
    expect(choice.locator(".loss").first).to_be_visible()
    choice.click()
    page.goto(f"{table.address}/game/{game.id}")
    expect(page.locator(".alert.breach").first).to_be_visible()
    assert game.refresh().breaches


def test_a_move_of_a_game_that_went_on_is_refused(at_table: FlaskClient, site: Site) -> None:
    game = new_game(site, "azul")
    before = game.refresh().last
    at_table.post(f"/game/{game.id}/enter", data={"draw": "1", "after": before}, headers=ORIGIN)
    late = at_table.post(f"/game/{game.id}/enter", data={"draw": "1", "after": before}, headers=ORIGIN)
    assert late.status_code == 409
    assert "The game has changed since you opened this page" in late.text
    assert len(game.entries()) == 1


def test_what_cannot_be_is_refused(at_table: FlaskClient, site: Site) -> None:
    game = new_game(site, "azul")
    url = f"/game/{game.id}/enter"
    for wrong in (
        {"move": "nonsense"},
        {"drawn": "1", "kind": ["B"] * 19 + ["Q"]},
        {"drawn": "1", "kind": ["Q"] * 20},
        {},
    ):
        assert at_table.post(url, data=wrong, headers=ORIGIN).status_code in (400, 409), wrong
    assert at_table.get(f"{url}?k=Q&k=%3Cb%3E").status_code == 200
    assert at_table.get(f"{url}?move=1&p=t:9:wall:x").status_code in (200, 409)
    assert game.entries() == []


def test_spectators_enter_nothing(client: FlaskClient, site: Site) -> None:
    game = new_game(site, "azul")
    assert client.get(f"/game/{game.id}/enter").status_code == 403
    assert client.post(f"/game/{game.id}/enter", data={"draw": "1"}, headers=ORIGIN).status_code == 403
    assert "Enter a move" not in client.get(f"/game/{game.id}").text


def test_the_one_move_that_a_camera_missed_is_entered_in_a_sheet(visit: Any, table: Any, tap_until: Tap) -> None:
    page: Page = visit()
    before = table.game.refresh()
    url = f"{table.url}/enter"
    link = "url => document.body.insertAdjacentHTML('beforeend', `<a id=missed data-sheet href=${url}>missed</a>`)"
    page.evaluate(link, url)
    page.locator("#missed").evaluate("link => link.click()")
    sheet = page.locator("#sheet")
    expect(sheet.locator("h1")).to_have_text(re.compile("Enter a move|What was drawn"))
    tap_until(page, lambda: table.game.refresh().last > before.last)
    expect(page.locator("#toast")).to_contain_text("Entered")
    expect(sheet).to_be_hidden()
    page.locator("#undo").click()
    expect(page.locator("#toast")).to_contain_text("Undone")
    assert table.game.refresh().state == before.state
