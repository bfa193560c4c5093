"""Errors and reasons in the language of each device, also those that were logged long ago."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from flask.testing import FlaskClient
from flask_babel import force_locale
from PIL import Image

from companion.dashboard.site import Site
from companion.gamelog import Game, GameLogError, Note, Record, Undo, correction
from companion.pipeline import refuse_unreadable
from companion.reconcile.live.unknown import AS_IT_LIES, WAITING
from engine import load
from engine.text import SpokenError, say
from hardware.camera import CameraError
from hardware.cameras.opening import find_camera, open_camera
from hardware.cameras.upload import UploadCamera
from vision.photo import decode_photo
from vision.placed import told_stranger
from vision.sighting import Stranger

SQUARE = np.array([(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)])
ORIGIN = {"Origin": "http://localhost"}
CYRILLIC = re.compile("[а-яіїєґ]", re.IGNORECASE)
ENGLISH = re.compile(r"\b(the|is|are|was|no|not|of|and|send|there|this)\b", re.IGNORECASE)


def encoded(mode: str, size: tuple[int, int]) -> bytes:
    file = io.BytesIO()
    Image.new(mode, size).save(file, "PNG")
    return file.getvalue()


def raised(call: Callable[[], object]) -> SpokenError:
    with pytest.raises(SpokenError) as caught:
        call()
    return caught.value


ERRORS: dict[str, Callable[[], object]] = {
    "an empty file": lambda: decode_photo(b"", "a.jpg"),
    "no photo": lambda: decode_photo(b"words", "a.jpg"),
    "half a photo": lambda: decode_photo(encoded("RGB", (900, 900))[:200], ""),
    "a small photo": lambda: decode_photo(encoded("RGB", (20, 20)), "a.png"),
    "a grey photo": lambda: decode_photo(encoded("L", (900, 900)), "a.png"),
    "an edition that cannot be read": lambda: refuse_unreadable("tide-pool"),
    "no camera": lambda: find_camera(lambda: "-", list),
    "a folder that is not there": lambda: open_camera("folder:/nowhere"),
    "no photo of a phone": lambda: UploadCamera().preview(),
}


@pytest.fixture(params=["ru", "uk"])
def abroad(at_table: FlaskClient, request: pytest.FixtureRequest) -> FlaskClient:
    """A device at the table that reads another language."""
    at_table.post("/device", data={"language": request.param}, headers=ORIGIN)
    return at_table


def refusal(device: FlaskClient, error: SpokenError, language: str) -> str:
    """What a device is shown where a page fails with this error."""
    app = device.application
    with app.test_request_context(headers={"HX-Request": "true", **ORIGIN}), force_locale(language):
        return app.make_response(app.handle_user_exception(error)).get_data(as_text=True)


@pytest.mark.parametrize("language", ["ru", "uk"])
@pytest.mark.parametrize("failing", ERRORS.values(), ids=ERRORS.keys())
def test_an_error_is_told_in_the_language_of_the_device(
    client: FlaskClient, failing: Callable[[], object], language: str
) -> None:
    said = refusal(client, raised(failing), language)
    assert CYRILLIC.search(said)
    assert not ENGLISH.search(re.sub("`[^`]*`", "", said)), said
    assert said[0] == said[0].upper()
    assert said.endswith((".", "?"))


def test_editions_are_called_by_their_names_on_pages_and_by_their_slugs_in_a_terminal(client: FlaskClient) -> None:
    error = raised(lambda: refuse_unreadable("tide-pool"))
    assert f"Photos of {load('tide-pool').name} cannot be read yet" in refusal(client, error, "en")
    assert "photos of tide-pool cannot be read yet" in str(error)


def test_what_cannot_be_done_is_told_by_the_page(abroad: FlaskClient, game: Game) -> None:
    for _ in range(len(game.folded.steps)):
        game.append(Undo(game.folded.undoable()))
    answer = abroad.post(f"/game/{game.id}/undo", headers={"HX-Request": "true", **ORIGIN})
    assert answer.status_code == 409
    assert answer.text[0] in "ОС"
    assert not ENGLISH.search(answer.text)


def test_reasons_of_the_log_are_told_in_the_language_of_the_device(abroad: FlaskClient, game: Game) -> None:
    game.append(Note(WAITING), "azul")
    game.append(correction({"score": 3}, 1, AS_IT_LIES), "azul")
    page = abroad.get(f"/game/{game.id}/history").text
    assert str(WAITING) not in page
    assert str(AS_IT_LIES) not in page
    assert re.search("никто не знает|ніхто не знає", page)


def test_reasons_in_english_of_an_old_log_are_told_as_they_are(abroad: FlaskClient, game: Game) -> None:
    game.append(Note("an old note"), "azul")
    game.append(Record({"event": "correct", "seat": 1, "cells": {"score": 3}, "why": "an old reason"}), "azul")
    page = abroad.get(f"/game/{game.id}/history").text
    assert "an old note" in page
    assert "an old reason" in page


def test_a_log_keeps_sentences_with_their_values(site: Site, game: Game) -> None:
    note = Note(say("seen in {photo}", photo="a.jpg"), 1, 7)
    game.append(note)
    game.append(correction({"score": 3}, 1, AS_IT_LIES))
    kept = [entry.event for entry in site.log.game(game.id).entries()][-2:]
    assert kept == [note, correction({"score": 3}, 1, AS_IT_LIES)]
    assert "said" not in game.folded.record_events()[-1]
    assert game.folded.record_events()[-1]["why"] == str(AS_IT_LIES)


def test_a_sentence_of_a_log_that_asks_for_too_much_is_refused(game: Game) -> None:
    told = {"event": "correct", "seat": 1, "cells": {"score": 3}, "said": {"say": "{a:>99999999}", "values": {"a": 1}}}
    with pytest.raises(GameLogError, match="said cannot be read"):
        game.append(Record(told))


@pytest.mark.parametrize("stranger", [Stranger(SQUARE, ""), Stranger(SQUARE, "azul grey"), Stranger(SQUARE, "", 0.7)])
@pytest.mark.parametrize("language", ["ru", "uk"])
def test_what_is_no_board_is_told(client: FlaskClient, stranger: Stranger, language: str) -> None:
    said = refusal(client, CameraError(told_stranger(stranger, ["azul-mini"])), language)
    assert "Azul Mini" in said
    assert not ENGLISH.search(said)
