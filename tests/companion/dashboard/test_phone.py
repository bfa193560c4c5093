"""A game followed by the photos that a phone sends: chosen in the dashboard, read like those of any camera."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.capture.cameras import newest
from companion.capture.phone import PhoneError
from companion.cli.commands.run import command
from companion.gamelog import Game, PhotoRead, Record
from companion.lab.simulate import Played, simulate
from engine import Start, load
from hardware.cameras.simulated import SimulatedCamera
from hardware.tabletop.art import load_art
from hardware.tabletop.tiers import TIERS

ORIGIN = {"Origin": "http://localhost"}


@pytest.fixture(scope="module")
def onward() -> list[Played]:
    """How a game begins: the factories are filled, then two moves."""
    edition = load("azul")
    moves = simulate(edition, edition.setup("coloured", 2), Random(3))
    return [move for move, _ in zip(moves, range(3), strict=False)]


@pytest.fixture(scope="module")
def photos(onward: list[Played]) -> list[bytes]:
    """One photo of each of these moments, each held a little otherwise."""
    layout = load("azul").layout
    camera = SimulatedCamera(onward[0].stage, layout, load_art(layout), TIERS["rig"], 2)
    taken = []
    for number, moment in enumerate(onward):
        camera.show(moment.stage, 0)
        camera.preview()
        taken.append(held(camera.capture().picture, number))
    return taken


def held(picture: Any, number: int) -> bytes:
    """The picture as it is when the phone was moved and turned for it."""
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shift = np.random.default_rng(number).normal(0, 0.02 * width, (4, 2)) + (0.03 * width * number, 0)
    view = cv2.getPerspectiveTransform(corners, (corners + shift).astype(np.float32))
    return cv2.imencode(".jpg", cv2.warpPerspective(picture, view, (width, height)))[1].tobytes()


def lies(state: Any) -> tuple[Any, ...]:
    """What a state has on the table; discs are numbered as they are first seen."""
    return state.boards, sorted(state.factories), state.centre, state.seat


def test_a_phone_is_the_camera_of_a_game(visit: Any, table: Any, onward: list[Played], photos: list[bytes]) -> None:
    edition = load("azul")
    game = table.site.log.create(Start(edition, edition.setup("coloured", 2), ("Ann", "Ben")))
    page: Page = visit("/settings", role="host")
    with page.expect_navigation():
        page.get_by_text("Photos from a phone").click()
    page.goto(f"{table.address}/game/{game.id}")
    expect(page.locator("#sent")).to_contain_text("always from the same side")
    for photo, moment in zip(photos, onward, strict=True):
        page.set_input_files("#shoot", {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photo})
        expect(page.locator("#toast")).to_contain_text("being read")
        lying = sum(map(len, moment.state.factories)) + len(moment.state.centre)
        expect(page.locator(".middle .chip:not(.t-marker)")).to_have_count(lying)
        expect(page.locator("#sent")).to_contain_text("The last photo was read")
        assert lies(game.refresh().state) == lies(moment.state)
    assert [entry.who for entry in game.entries() if isinstance(entry.event, PhotoRead)] == ["azul"] * 3
    assert newest(table.site.log, table.site.phone.game) is None, "the camera at the table leaves this game alone"


def test_a_photo_without_boards_is_told(host: FlaskClient, site: Any, game: Game) -> None:
    host.post("/setup/camera", data={"camera": "phone"}, headers=ORIGIN)
    assert site.settings.now.phone_game == game.id
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3), np.uint8)
    before = game.refresh().last
    form = {"photo": (held_file(noise), "table.jpg")}
    assert host.post(f"/game/{game.id}/photo", data=form, headers=ORIGIN).status_code == 303
    while "being read" in (told := host.get(f"/game/{game.id}/phone").text) or "was read" in told:
        pass
    assert "No board of Azul was found" in told
    assert game.refresh().last == before


def held_file(picture: Any) -> Any:
    return io.BytesIO(cv2.imencode(".jpg", picture)[1].tobytes())


def test_photos_of_phones_come_through_the_dashboard() -> None:
    told = CliRunner().invoke(command, ["--camera", "phone"])
    assert told.exit_code == 2
    assert "add --dashboard" in told.output


def test_only_the_chosen_game_takes_photos(at_table: FlaskClient, site: Any, game: Game) -> None:
    form = {"photo": (held_file(np.full((90, 160, 3), (10, 90, 200), np.uint8)), "table.jpg")}
    assert at_table.post(f"/game/{game.id}/photo", data=form, headers=ORIGIN).status_code == 409
    with pytest.raises(PhoneError):
        site.phone.put(game.id, np.zeros((9, 9, 3), np.uint8), None)
    site.follow_by_phone(game.id)
    site.forget(game.id)
    assert (site.phone.game, site.settings.now.phone_game) == ("", "")


def test_the_game_of_a_simulated_table_is_left_to_its_camera(host: FlaskClient, site: Any, game: Game) -> None:
    site.simulated = game.id
    host.post("/setup/camera", data={"camera": "phone"}, headers=ORIGIN)
    assert site.settings.now.by_phone
    assert site.phone.game == ""
    host.post("/setup/ready", data={"first": 1}, headers=ORIGIN)
    assert site.phone.game == site.log.games()[0].id != game.id
    assert not any(isinstance(entry.event, Record) for entry in site.log.games()[0].entries())
