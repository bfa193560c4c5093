"""Games from uploaded photos, old photos read anew, and answers that change what photos came to."""

from __future__ import annotations

import io
import time
from typing import Any

from flask.testing import FlaskClient

from companion.dashboard.site import Site
from companion.gamelog import Answer, Proposal
from companion.photolog.memory import SCRIBE

ORIGIN = {"Origin": "http://localhost"}
PATIENCE_S = 120.0


def uploaded(client: FlaskClient, photos: list[bytes], players: str = "") -> str:
    """Send photos and wait until they are read; the page that says what came of it."""
    form = {"photos": [(io.BytesIO(data), f"{i}.jpg") for i, data in enumerate(photos)], "players": players}
    page = client.post("/games/photos", data=form, headers=ORIGIN).headers["Location"]
    until = time.monotonic() + PATIENCE_S
    while "hx-trigger" in (html := client.get(page).text) and time.monotonic() < until:
        time.sleep(0.2)
    return html


def test_photos_become_a_game(at_table: FlaskClient, site: Site, shot: Any) -> None:
    html = uploaded(at_table, [shot.jpeg, b"no photo at all"], "Ann, Ben")
    (game,) = site.log.games()
    assert f"/game/{game.id}" in html
    assert "holds none of them: send the photo as JPEG" in html
    assert game.start.names == ("Ann", "Ben")
    boards = {board["seat"]: board for board in shot.reading["boards"]}
    walls = sorted(tuple(board["wall"]) for board in boards.values())
    assert sorted(board.wall for board in game.refresh().state.boards) == walls
    assert at_table.get(f"/game/{game.id}/review").status_code == 200


def test_no_game_comes_of_no_photos(at_table: FlaskClient, site: Site) -> None:
    assert "None of the photos can be read" in uploaded(at_table, [b"nothing"])
    assert at_table.post("/games/photos", data={}, headers=ORIGIN).status_code == 400
    assert site.log.games() == []


def test_a_proposal_is_accepted(at_table: FlaskClient, site: Site, shot: Any) -> None:
    uploaded(at_table, [shot.jpeg])
    (game,) = site.log.games()
    (photo,) = (entry for entry in game.entries() if entry.event.kind == "photo")
    first, *others = shot.reading["boards"]
    other = {**shot.reading, "boards": [{**first, "score": (first["score"] or 0) + 1}, *others]}
    game.append(Proposal("anew", photo.n, other), "azul reread", photo.photo)
    site.watcher.poke()
    page = at_table.get(f"/game/{game.id}/proposals").text
    assert "Accept" in page
    assert "score" in page
    form = {"id": "anew", "value": "yes", "change": f"{first['seat']}:score"}
    assert at_table.post(f"/game/{game.id}/proposals", data=form, headers=ORIGIN).status_code == 303
    assert at_table.post(f"/game/{game.id}/proposals", data=form, headers=ORIGIN).status_code == 409
    assert Answer("anew", "yes") in [entry.event for entry in game.entries() if entry.who != SCRIBE]
    assert "No proposal waits" in at_table.get(f"/game/{game.id}/proposals").text
