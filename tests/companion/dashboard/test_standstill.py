"""Advice at the table: a game in which no row can be completed any more is ended there; identical payers are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.dashboard.site import Site
from companion.gamelog import Game, Record
from engine import Start, load
from engine.record import parse_start

ORIGIN = {"Origin": "http://localhost"}
GAMES = Path(__file__).parents[3] / "fixtures" / "games"


def locked_game(site: Site, slug: str, short_of: int = 1) -> Game:
    """A golden game in which no row can be completed any more, without its last events."""
    lines = (GAMES / slug / "grey-2p-locked.jsonl").read_text("utf-8").splitlines()
    start = parse_start(lines[0])
    game = site.log.create(Start(start.edition, start.setup, ("Anna", "Борис")))
    for line in lines[1:-short_of]:
        game.append(Record(json.loads(line)), "camera")
    return game


@pytest.mark.parametrize("slug", ["azul", "azul-mini"])
def test_a_game_that_stands_still_is_ended_at_the_table(at_table: FlaskClient, site: Site, slug: str) -> None:
    game = locked_game(site, slug)
    for path in ("", "/enter", "/enter?stay=1"):
        page = at_table.get(f"/game/{game.id}{path}").text
        assert "No row can be completed any more" in page
        assert 'id="end-game"' in page
    assert 'id="end-game"' not in at_table.get(f"/game/{game.id}/tv").text
    spectator = at_table.application.test_client().get(f"/game/{game.id}").text
    assert "No row can be completed any more" in spectator
    assert 'id="end-game"' not in spectator
    assert at_table.post(f"/game/{game.id}/end", headers=ORIGIN).status_code == 303
    assert game.refresh().state.phase == "over"
    assert not game.folded.breaches
    assert "No row can be completed any more" not in at_table.get(f"/game/{game.id}").text
    assert at_table.post(f"/game/{game.id}/end", headers=ORIGIN).status_code == 409
    at_table.post(f"/game/{game.id}/undo", headers=ORIGIN)
    assert game.refresh().state.phase == "fill"


def test_a_game_is_not_ended_before_its_round_is_over_nor_while_a_row_is_open(
    at_table: FlaskClient, site: Site
) -> None:
    in_round = locked_game(site, "azul", short_of=2)
    page = at_table.get(f"/game/{in_round.id}").text
    assert "as soon as this round is over" in page
    assert 'id="end-game"' not in page
    edition = load("azul")
    fresh = site.log.create(Start(edition, edition.setup("grey", 2), ("Anna", "Борис")))
    assert "No row can be completed" not in at_table.get(f"/game/{fresh.id}").text
    for game in (in_round, fresh):
        assert at_table.post(f"/game/{game.id}/end", headers=ORIGIN).status_code == 409
        assert game.refresh().state.phase != "over"


def test_what_other_printings_forbid_is_a_word_and_no_breach(at_table: FlaskClient, site: Site) -> None:
    lines = (GAMES / "queens-garden" / "a-2p-keen.jsonl").read_text("utf-8").splitlines()
    replayed = (GAMES / "queens-garden" / "a-2p-keen.replay.jsonl").read_text("utf-8").splitlines()
    told = next(n for n, line in enumerate(replayed) if '"advisories"' in line)
    edition = load("queens-garden")
    start = parse_start(lines[0])
    game = site.log.create(Start(edition, start.setup, ("Anna", "Борис")))
    for line in lines[1 : told + 1]:
        game.append(Record(json.loads(line)), "camera")
    page = at_table.get(f"/game/{game.id}").text
    assert "QG-PAY-05" in page
    assert not game.folded.breaches
    game.append(Record(json.loads(lines[told + 1])), "camera")
    assert "QG-PAY-05" not in at_table.get(f"/game/{game.id}").text


@pytest.mark.parametrize("stays", [False, True])
def test_the_game_is_ended_with_one_tap(visit: Any, table: Any, stays: bool) -> None:
    game = locked_game(table.site, "azul")
    page: Page = visit(f"/game/{game.id}" + ("/enter?stay=1" if stays else ""))
    page.locator("#end-game").click()
    expect(page.locator("#ending")).to_contain_text("Anna")
    assert game.refresh().state.phase == "over"
