"""Scores as people see them: an open one as an interval, the final ones the same in every page, file and command."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from random import Random
from typing import Any

import pypdfium2
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.cli import main
from companion.dashboard.site import Site
from companion.gamelog import NOBODY_KNOWS, Doubt, Game, Record
from companion.lab.imagine import imagine_json
from companion.lab.photogames import photo_game
from companion.lab.play import play_greedily
from companion.ledger import standing
from companion.photolog.reading import Done, Work
from companion.photolog.scribe import log_photos
from companion.pipeline import layout_of
from companion.reconcile.photo import to_table
from companion.reconcile.photolog.looks import with_reads
from companion.scores import Standing
from engine import OVER, Start, load
from vision.cells import UNSEEN

ORIGIN = {"Origin": "http://localhost"}
NAMES = ("Ada", "Bo", "Cy")
SEED, GAME = 970_002, 4
"""A coloured board, three players."""


def seen(shown: dict[str, Any], hidden: int = 0, name: str = "") -> dict[str, Any]:
    """The reading of a table; the cube of one seat may be out of sight."""
    sighting = imagine_json(shown)
    unseen = {(hidden, "score"): {UNSEEN: 1.0}}
    boards = (replace(each, tracks=unseen) if each.seat == hidden else each for each in sighting.boards)
    sighting = replace(sighting, boards=tuple(boards))
    table = {"photo": name, **to_table(sighting, load("azul"))}
    return with_reads(table, sighting, layout_of("azul"))


def photo_log(site: Site, jpeg: bytes, when: str, hidden: int = 0, off: int = 0) -> Game:
    """A game made of photos: in all of them seat 1's cube is out of sight, or seat 2's stands too far, as told."""
    taken = photo_game(GAME, SEED, when).photos
    edition = load("azul")
    game = site.log.create(Start(edition, edition.setup("coloured", 3), NAMES))
    done = []
    for number, photo in enumerate(taken):
        shown = edition.format_table(photo.shown)
        if off and number >= 2:
            moved = [b | ({"score": b["score"] + off} if b["seat"] == 2 else {}) for b in shown["boards"]]
            shown = shown | {"boards": moved}
        work = Work(f"{number}.jpg", jpeg + b"%d" % number)
        done.append(Done(work, seen(shown, hidden, work.name), f"2026-11-03T20:{number:02}:00"))
    log_photos(game, done)
    game.refresh()
    return game


@pytest.fixture
def open_game(site: Site, shot: Any) -> Game:
    """A finished game whose first player's cube no photo shows."""
    return photo_log(site, shot.jpeg, "after", hidden=1)


def finish(game: Game) -> None:
    edition = game.start.edition
    while (state := game.refresh().state).phase != OVER:
        chance = edition.awaits_chance(state)
        move = edition.deal(state, Random(1).sample) if chance else play_greedily(edition, state, Random(1))
        game.append(Record(edition.format_event(move)), "camera")


def words(page: str) -> str:
    """A page's text as it is seen: without what is only there for screen readers."""
    page = re.sub(r'<span class="unseen">.*?</span>', "", page, flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def pdf_text(data: bytes) -> str:
    pages = pypdfium2.PdfDocument(data)
    return " ".join(" ".join(page.get_textpage().get_text_range() for page in pages).split())


def rows_of(client: FlaskClient, game: Game) -> list[list[str]]:
    data = client.get(f"/game/{game.id}/export.csv").data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(data)))


def finals(client: FlaskClient, game: Game, site: Site) -> dict[str, list[str]]:
    """The final scores by every place that shows them."""
    base = f"/game/{game.id}"
    table = re.findall(r'<span class="number">(.*?)</span>\s*<span class="outlook">', client.get(base).text, re.S)
    tv = re.findall(r'<span class="number">(.*?)</span>\s*<span class="outlook">', client.get(f"{base}/tv").text, re.S)
    review = client.get(f"{base}/review").text
    plot = client.get(f"{base}/scores.json").json or {}
    exported = client.get(f"{base}/export.json").json or {}
    data = ["--data", str(site.log.folder)]
    listed = CliRunner().invoke(main, ["games", "--json", *data]).stdout.splitlines()
    told = next(each for each in map(json.loads, listed) if each["id"] == game.id)
    return {
        "table": [*map(words, table)],
        "tv": [*map(words, tv)],
        "review": [*map(words, re.findall(r"<figcaption>[^<]*<b>(.*?)</b>", review, re.S))],
        "total": [*map(words, re.findall(r'<td class="num"><b>(.*?)</b></td>', review, re.S))],
        "plot": [bounds(low[-1], high[-1]) for low, high in zip(plot["low"], plot["high"], strict=True)],
        "csv": rows_of(client, game)[-1][-len(table) :],
        "json": scored(exported["scores"][-1]["scores"], exported["scores"][-1].get("intervals", {})),
        "end": scored(exported["end"]["final"], exported["end"].get("intervals", {})),
        "terminal": scored(told["scores"], told["intervals"]),
        "pdf": re.findall(r"Total ((?:[\d–]+ ?)+)", pdf_text(client.get(f"{base}/export.pdf").data))[0].split(),
    }


def bounds(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def scored(scores: list[int | None], intervals: dict[str, list[int]]) -> list[str]:
    return [bounds(*intervals.get(str(seat), [score, score])) for seat, score in enumerate(scores, 1)]


def told(now: Standing) -> list[str]:
    return [str(score) for score in now.scores]


def test_final_scores_are_the_same_everywhere(client: FlaskClient, game: Game, site: Site) -> None:
    finish(game)
    now = standing(game.refresh())
    assert now.scores != now.track
    site.watcher.poke()
    found = finals(client, game, site)
    assert found == dict.fromkeys(found, told(now))
    (winner,) = now.winners
    said = f"{game.start.names[winner - 1]} wins."
    for path in ("", "/tv", "/review"):
        assert said in words(client.get(f"/game/{game.id}{path}").text)
    assert said in rows_of(client, game)[-1][4]
    assert said in pdf_text(client.get(f"/game/{game.id}/export.pdf").data)


def test_an_open_score_is_an_interval_everywhere(client: FlaskClient, open_game: Game, site: Site) -> None:
    now = standing(open_game.folded)
    assert now.over
    assert not now.scores[0].exact
    assert now.scores[1].exact
    found = finals(client, open_game, site)
    assert found == dict.fromkeys(found, told(now))
    for path in ("", "/tv", "/review", "/points/1", "/history"):
        page = client.get(f"/game/{open_game.id}{path}").text
        assert str(now.track[0]) in words(page) or str(now.scores[0]) in words(page), path
    assert "between" in client.get(f"/game/{open_game.id}/review").text


def test_no_moment_tells_one_end_of_an_open_score(client: FlaskClient, open_game: Game) -> None:
    plot = client.get(f"/game/{open_game.id}/scores.json").json or {}
    rows = zip(plot["scores"], plot["low"], plot["high"], strict=True)
    for scores, low, high in rows:
        assert scores == [a if a == b else None for a, b in zip(low, high, strict=True)]
    assert None in plot["scores"][0]
    assert None not in plot["scores"][1]
    for row in rows_of(client, open_game)[1:]:
        corrected = re.search(r"Ada: .*score: ([\d–]+)", row[4])
        assert corrected is None or corrected[1] == row[-3] or "–" in row[-3]


def test_a_cube_that_does_not_fit_is_said_where_the_score_stands(client: FlaskClient, site: Site, shot: Any) -> None:
    game = photo_log(site, shot.jpeg, "before", off=3)
    right = photo_game(GAME, SEED, "before").photos[-1].scores[2]
    # The round of the last photo was scored since.
    said = f"In the last photo the cube shows {right + 3}, where the tiles give {right}."
    for path in ("", "/tv", "/review", "/points/2"):
        assert said in words(client.get(f"/game/{game.id}{path}").text), path
    rows = rows_of(client, game)
    assert f"Bo: {said}" in rows[-1][4]
    assert f"Bo: The cube shows {right + 3}; the tiles make {right}." in rows[-2][4]
    assert said in pdf_text(client.get(f"/game/{game.id}/export.pdf").data)
    assert (client.get(f"/game/{game.id}/export.json").json or {})["scores"][-1]["markers"] == {"2": right + 3}


def test_a_score_of_one_is_no_marker(at_table: FlaskClient, game: Game) -> None:
    n = game.append(Doubt("score-1", {"4": 0.6, "1": 0.4}, "score", 1), "azul log").n
    for path in ("", "/tv", f"/question/{n}", "/history"):
        assert "first-player marker" not in words(at_table.get(f"/game/{game.id}{path}").text), path
    choices = at_table.get(f"/game/{game.id}/question/{n}").text.split('name="value" value="')[1:]
    assert [choice.split('"')[0] for choice in choices] == ["4", "1", NOBODY_KNOWS]
    assert "t-marker" not in at_table.get(f"/game/{game.id}/question/{n}").text.split("answers")[1]
    at_table.post(f"/game/{game.id}/answer", data={"id": "score-1", "value": "1"}, headers=ORIGIN)
    game.append(Record({"event": "correct", "seat": 2, "cells": {"score": 1}}), "Oma")
    game.append(Record({"event": "correct", "cells": {"round": 1}}), "Oma")
    page = words(at_table.get(f"/game/{game.id}/history").text)
    assert "first-player marker" not in page
    assert "An answer: 1" in page
    assert "Борис: score: 1" in page
    assert standing(game.refresh()).track[0].value == game.folded.state.scores[0] == 1


def test_a_photo_that_hides_a_score_leaves_it_open(at_table: FlaskClient, site: Site, shot: Any) -> None:
    edition = load("azul")
    boards = [
        {**board, "score": None, "doubts": [{"cell": "score", "reads": {"?": 1.0}}]} for board in shot.reading["boards"]
    ]
    draft = site.drafts.save(
        shot.jpeg, {"edition": "azul", "width": 100, "height": 100, "reading": {**shot.reading, "boards": boards}}
    )
    kept = at_table.post(f"/photo/{draft}/keep", data={"game": "new", "stand": "yes"}, headers=ORIGIN)
    game = site.log.games()[0]
    now = standing(game.refresh())
    assert kept.status_code in (200, 302, 303)
    assert all(score.low == 0 < score.high for score in now.scores)
    assert str(now.scores[0]) in words(at_table.get(f"/game/{game.id}").text)
    assert edition.slug == game.start.setup.edition


@pytest.mark.parametrize("width", [390, 1440])
def test_an_open_game_is_reviewed(visit: Any, open_game: Game, width: int) -> None:
    page: Page = visit(f"/game/{open_game.id}/review", role="spectator", width=width)
    now = standing(open_game.folded)
    expect(page.locator("#frame figcaption b .open-score").first).to_have_text(str(now.scores[0]))
    expect(page.locator(".plot canvas")).to_be_visible()
    expect(page.locator(".u-legend .u-series:visible")).to_have_count(len(NAMES))
    expect(page.locator("tfoot .open-score")).to_have_text(str(now.scores[0]))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [390, 1440])
def test_a_finished_game_shows_the_same_finals(visit: Any, table: Any, width: int) -> None:
    finish(table.game)
    finals_ = told(standing(table.game.refresh()))
    page: Page = visit(role="spectator", width=width)
    expect(page.locator(".scores .number")).to_have_text(finals_)
    expect(page.locator(".stand")).to_contain_text("wins.")
    page.goto(f"{table.url}/review")
    expect(page.locator("#frame figcaption b")).to_have_text(finals_)
    expect(page.locator("tfoot td")).to_have_text(finals_)
    expect(page.locator(".plot canvas")).to_be_visible()
    page.goto(f"{table.url}/tv")
    expect(page.locator(".scores .number")).to_have_text(finals_)
