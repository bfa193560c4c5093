"""What pages say and what they write into the log, asked without a browser."""

from __future__ import annotations

import csv
import io
import json
import threading
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from flask.testing import FlaskClient

from companion.capture.cameras import Window, newest
from companion.dashboard.drawing.boards import beside, own_drawings, shared_drawings
from companion.dashboard.drawing.faces import face_of
from companion.dashboard.jobs.retention import sweep
from companion.dashboard.site import Site
from companion.gamelog import Doubt, Game, Note, PhotoRead, Record
from companion.lab.play import play_game, play_greedily
from engine import Start, load, slugs
from hardware.camera import Frame

ORIGIN = {"Origin": "http://localhost"}


@pytest.mark.parametrize("slug", slugs())
def test_every_edition_has_its_table(at_table: FlaskClient, site: Site, slug: str) -> None:
    edition = load(slug)
    game = site.log.create(Start(edition, edition.setup(edition.sides[-1], edition.players[-1])))
    for path in ("", "/tv", "/points/1", "/correct/1", "/correct/0", "/history", "/review", "/export.pdf"):
        assert at_table.get(f"/game/{game.id}{path}").status_code == 200, path


@pytest.mark.parametrize("slug", slugs())
def test_everything_on_a_table_is_drawn(slug: str) -> None:
    """Every cell, mark and piece of a heap that a Table tells of is in a drawing, or is listed beside it."""
    edition = load(slug)
    setup = edition.setup(edition.sides[0], 2)
    state = edition.start(setup)
    moves = list(play_game(edition, setup, play_greedily, Random(2), 3))
    for move in moves[:-2]:
        state = edition.settle(edition.apply(state, move))
    table = edition.table(state)
    shared = shared_drawings(edition, setup, table)
    for part in table.boards:
        own = own_drawings(edition, setup, part, tracks=True)
        spots = {spot.name: spot for drawing in own for spot in drawing.spots}
        shown = [spot.kind for spot in spots.values() if spot.kind != "."]
        listed = [kind for _, kinds in beside(edition.layout, part) for kind in kinds]
        lying = [kind for kind in part.cells.values() if kind != "."] + [
            k for kinds in part.heaps.values() for k in kinds
        ]
        assert sorted(shown + listed) == sorted(lying)
        marks = [mark for drawing in (*own, *shared) for run in drawing.runs for mark in run.marks]
        assert {mark.number for mark in marks if mark.seat == part.seat} == {part.tracks["score"]}
        for drawing in own:
            left, top, width, height = drawing.view
            assert all(left < spot.x < left + width and top < spot.y < top + height for spot in drawing.spots)
    cells = {spot.name: spot.kind for drawing in shared for spot in drawing.spots}
    assert {name: cells.get(name) for name in table.common.cells} == dict(table.common.cells)


def test_kinds_are_told_by_colour_motif_and_letters() -> None:
    hues = [face_of(kind).hue for kind in ("B", "LB3", "1", ".", "?", "card", "card:LG1@4")]
    assert hues == ["B", "LB", "marker", "empty", "unseen", "card", "LG"]
    hexes = [face_of(kind) for kind in load("queens-garden").letters]
    assert len({(face.hue, face.motif) for face in hexes}) == len({face.label for face in hexes}) == 36
    assert face_of("card:LG1@4").is_card
    assert not face_of("LG1").is_card


def test_a_correction_is_previewed_before_it_is_made(at_table: FlaskClient, game: Game) -> None:
    before = game.refresh()
    page = at_table.get(f"/game/{game.id}/correct/1/score?value=99").text
    assert "→ <b>99</b>" in page
    assert game.refresh().last == before.last
    assert "This cannot be" in at_table.get(f"/game/{game.id}/correct/1/wall.1.1?value=Q").text
    assert at_table.get(f"/game/{game.id}/correct/1/score?value=many").status_code == 400
    assert at_table.get(f"/game/{game.id}/correct/9/score").status_code == 404


def test_what_cannot_be_is_told_and_not_logged(at_table: FlaskClient, game: Game) -> None:
    before = game.refresh().last
    form = {"seat": 1, "cell": "wall.1.1", "value": "Q"}
    assert at_table.post(f"/game/{game.id}/correct", data=form, headers=ORIGIN).status_code == 409
    assert at_table.post(f"/game/{game.id}/redo", headers=ORIGIN).status_code == 409
    assert (
        at_table.post(f"/game/{game.id}/answer", data={"id": "nobody", "value": "R"}, headers=ORIGIN).status_code == 409
    )
    assert game.refresh().last == before


def test_a_question_about_moves_is_put_in_words(at_table: FlaskClient, game: Game) -> None:
    edition = game.start.edition
    move = edition.format_move(edition.legal_moves(game.refresh().state)[0])
    n = game.append(Doubt("azul-1", {move: 0.6, "-": 0.3, "factory.1=BBKW": 0.1}), "azul").n
    page = at_table.get(f"/game/{game.id}/question/{n}").text
    assert " takes " in page
    assert "nothing happened" in page
    assert "other tiles lie there" in page


def test_guesses_that_differ_only_in_what_is_wrong_are_told_apart(at_table: FlaskClient, game: Game) -> None:
    edition, state = game.start.edition, game.refresh().state
    slipped = [
        move for move in edition.pseudo_moves(state) if getattr(move, "slips", ()) and edition.violations(state, move)
    ]
    texts = {str(edition.describe(move)): edition.format_move(move) for move in slipped}
    alike = [edition.format_move(move) for move in slipped if str(edition.describe(move)) == next(iter(texts))][:2]
    n = game.append(Doubt("azul-1", dict.fromkeys(alike, 0.5)), "azul").n
    page = at_table.get(f"/game/{game.id}/question/{n}").text
    shown = [" ".join(answer.split("</button>")[0].split()) for answer in page.split('class="answer wide"')[1:]]
    assert len(alike) == len({*shown}) == 2
    at_table.post(f"/game/{game.id}/undo", headers=ORIGIN)
    assert at_table.get(f"/game/{game.id}/question/{n}").status_code == 200


def test_a_wrong_score_on_the_table_is_shown(client: FlaskClient, game: Game, shot: Any) -> None:
    found = {"rule": "AZ-SC-01", "seat": 1, "cell": "score", "text": "…"}
    first, *others = shot.reading["boards"]
    wrong = {**shot.reading, "boards": [{**first, "score": 77}, *others], "violations": [found]}
    game.append(PhotoRead(wrong), "azul")
    page = client.get(f"/game/{game.id}").text
    assert f"the score shows 77, it should be {game.refresh().state.scores[0]}" in page


def test_history_tells_every_kind_of_event(at_table: FlaskClient, game: Game, ask: Callable[[Game], int]) -> None:
    ask(game)
    game.append(Note("a word"), "somebody")
    at_table.post(f"/game/{game.id}/answer", data={"id": "question", "value": "R"}, headers=ORIGIN)
    at_table.post(f"/game/{game.id}/undo", headers=ORIGIN)
    page = at_table.get(f"/game/{game.id}/history").text
    for words in ("A photo was read", "A question", "An answer: red", "A note: a word", "was undone", "Anna takes"):
        assert words in page


def test_exports_can_be_used_elsewhere(at_table: FlaskClient, game: Game, ask: Callable[[Game], int]) -> None:
    ask(game)
    record = at_table.get(f"/game/{game.id}/export.json").json
    assert record is not None
    assert record["record"][0]["players"] == ["Anna", "Борис"]
    rows = list(csv.reader(io.StringIO(at_table.get(f"/game/{game.id}/export.csv").data.decode("utf-8-sig"))))
    assert rows[0][-2:] == ["Anna", "Борис"]
    assert [int(score) for score in rows[-1][-2:]] == list(game.refresh().state.scores)
    assert at_table.get(f"/game/{game.id}/export.pdf").data.startswith(b"%PDF")
    archive = zipfile.ZipFile(io.BytesIO(at_table.get(f"/game/{game.id}/export.zip").data))
    assert {"record.jsonl", "log.jsonl"} <= set(archive.namelist())


def test_health_holds_no_secret(host: FlaskClient, site: Site) -> None:
    report = host.get("/health/report.json").text
    assert json.loads(report)["games"] == 0
    assert not any(secret in report for secret in (site.keys.pin, site.keys.token, site.keys.secret))


class Still:
    """A camera before which nothing happens."""

    def preview(self) -> Frame:
        return Frame(np.full((90, 160, 3), 120, np.uint8), 1, 0.0)

    def capture(self) -> Frame:
        return self.preview()

    def close(self) -> None:
        pass


def test_the_camera_can_be_looked_through(host: FlaskClient, client: FlaskClient, site: Site) -> None:
    assert host.get("/camera.jpg").status_code == 404

    site.window = Window(Still())
    site.window.preview()
    assert host.get("/camera.jpg").data.startswith(b"\xff\xd8\xff")
    assert "What the camera sees now" in host.get("/setup/camera").text
    assert client.application.test_client().get("/camera.jpg").status_code == 403


def test_a_button_on_the_screen_has_the_table_looked_at(at_table: FlaskClient, site: Site, game: Game) -> None:
    table, look = f"/game/{game.id}", f"/game/{game.id}/look"
    assert "Read now" not in at_table.get(table).text
    assert at_table.post(look, headers=ORIGIN).status_code == 409
    pressed: list[str] = []
    site.window = Window(Still())
    site.window.stir = lambda: pressed.append("look")
    assert at_table.post(look, headers=ORIGIN).status_code == 409, "it follows no game"
    site.window.game = game.id
    assert "Read now" in at_table.get(table).text
    assert at_table.post(look, headers=ORIGIN).status_code == 303
    assert pressed == ["look"]


def test_a_test_shot_tells_what_to_move(host: FlaskClient, site: Site, shot: Any) -> None:
    whole = site.pictures.decode(shot.jpeg, "the table").picture
    rows = [y for board in shot.reading["boards"] for _x, y in board["corners_px"]]

    class Cut:
        """A camera that sees all of the table, or only its lower half."""

        picture = whole

        def preview(self) -> Frame:
            return Frame(self.picture[::8, ::8], 1, 0.0)

        def capture(self) -> Frame:
            return Frame(self.picture, 1, 0.0)

        def close(self) -> None:
            pass

    camera = Cut()
    site.settings.change(players=["Ann", "Ben"])
    site.window = Window(camera)
    ending = threading.Event()

    def look() -> None:
        while not ending.wait(0.05) and site.window:
            site.window.preview()

    looking = threading.Thread(target=look)
    looking.start()
    try:
        host.post("/setup/camera/test", data={}, headers=ORIGIN)
        page = host.get("/setup/camera").text
        assert page.count('<polygon class="frame"') == 2
        assert "boards are found" not in page
        assert host.get("/setup/test.jpg").data.startswith(b"\xff\xd8\xff")
        camera.picture = np.ascontiguousarray(whole[round((min(rows) + max(rows)) / 2) :])
        host.post("/setup/camera/test", data={}, headers=ORIGIN)
        assert "1 of 2 boards are found" in host.get("/setup/camera").text
        camera.picture = np.full_like(whole, 90)
        host.post("/setup/camera/test", data={}, headers=ORIGIN)
        assert "No board of Azul was found" in host.get("/setup/camera").text
    finally:
        ending.set()
        looking.join()


def test_old_games_are_swept_away(site: Site, game: Game) -> None:
    sweep(site)
    assert newest(site.log) is not None
    site.settings.change(keep_days=1)
    sweep(site)
    assert [found.id for found in site.log.games()] == [game.id]


def test_a_game_that_is_over_is_not_followed(site: Site, game: Game) -> None:
    found = newest(site.log)
    assert found is not None
    assert found.id == game.id
    game.append(Record({"event": "correct", "cells": {"phase": "over"}}), "somebody")
    assert newest(site.log) is None
