"""What somebody on the same network might try."""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from PIL import Image

from companion.dashboard import create_app
from companion.dashboard.site import Site
from companion.gamelog import Game
from engine import Start, load

ORIGIN = {"Origin": "http://localhost"}
NASTY = '<script>alert(1)</script><img src=x onerror="alert(2)">'


def writes(game: Game) -> list[tuple[str, dict[str, Any]]]:
    """Every address that changes something, with what it wants."""
    return [
        (f"/game/{game.id}/undo", {}),
        (f"/game/{game.id}/redo", {}),
        (f"/game/{game.id}/allow", {"n": 1, "rule": "AZ-PL-01"}),
        (f"/game/{game.id}/enter", {"draw": "1"}),
        (f"/game/{game.id}/fill/1", {"m": "1"}),
        (f"/game/{game.id}/answer", {"id": "q", "value": "R"}),
        (f"/game/{game.id}/correct", {"seat": 1, "cell": "score", "value": "99"}),
        (f"/game/{game.id}/proposals", {"id": "q", "value": "yes"}),
        (f"/game/{game.id}/reread", {}),
        (f"/game/{game.id}/photo", {}),
        (f"/game/{game.id}/look", {}),
        (f"/game/{game.id}/end", {}),
        ("/setup/camera", {"camera": "phone"}),
        ("/setup/camera/test", {}),
        (f"/game/{game.id}/delete", {"sure": "yes"}),
        ("/deleted/x.zip/back", {}),
        ("/deleted/x.zip/purge", {}),
        ("/photo", {}),
        (f"/photo/{'0' * 32}/edition", {"edition": "azul"}),
        (f"/photo/{'0' * 32}/place/1/wall.1.1", {"value": "B"}),
        (f"/game/{game.id}/restart", {"n": 1}),
        (f"/game/{game.id}/title", {"name": "x"}),
        ("/games/photos", {}),
        ("/settings", {"language": "ru"}),
        ("/settings/token", {}),
        ("/settings/pin", {}),
        (f"/visits/{'0' * 32}/end", {}),
        ("/setup/language", {"language": "ru"}),
        ("/setup/edition", {"edition": "azul.grey"}),
        ("/setup/boards", {"profile": ""}),
        ("/setup/boards/enter", {"f": "x", "name": "ours"}),
        ("/setup/players", {"name": ["a", "b"]}),
        ("/setup/lens/picture", {}),
        ("/setup/lens/keep", {}),
        ("/setup/lens/anew", {}),
        ("/setup/ready", {}),
    ]


def png(width: int, height: int) -> bytes:
    """A picture that is small on the disk and huge in memory."""
    rows = zlib.compress(b"\0" * (width * 3 + 1) * min(height, 2000), 9)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")]
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + body


def test_spectators_change_nothing(client: FlaskClient, game: Game) -> None:
    before = game.refresh().last
    for path, form in writes(game):
        assert client.post(path, data=form, headers=ORIGIN).status_code == 403, path
    assert game.refresh().last == before


def test_a_table_device_is_no_host(at_table: FlaskClient, game: Game) -> None:
    for path, form in writes(game):
        if path.startswith(("/settings", "/setup", "/deleted", "/visits")) or path.endswith("/delete"):
            assert at_table.post(path, data=form, headers=ORIGIN).status_code == 403, path


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "http://localhost.evil.example",
        "http://localhost:81",
        "localhost",
        "http://[",
        "http://localhost/evil",
    ],
)
def test_other_sites_change_nothing(host: FlaskClient, game: Game, origin: str | None) -> None:
    before = game.refresh().last
    headers = {"Origin": origin} if origin else {}
    for path, form in [*writes(game), ("/leave", {}), ("/device", {"language": "ru"}), ("/join", {}), ("/host", {})]:
        assert host.post(path, data=form, headers=headers).status_code == 403, path
    assert game.refresh().last == before


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example"])
def test_other_names_are_not_answered(client: FlaskClient, name: str) -> None:
    response = client.get("/games", headers={"Host": name})
    assert response.status_code == 400
    assert name.encode() not in response.data


def test_nothing_is_changed_by_looking(host: FlaskClient, game: Game) -> None:
    for path, _ in writes(game):
        assert host.get(path).status_code in (200, 404, 405), path


def test_the_pin_cannot_be_guessed(client: FlaskClient, site: Site) -> None:
    codes = [client.post("/host", data={"pin": f"{guess:06}"}, headers=ORIGIN).status_code for guess in range(12)]
    assert codes[:5] == [403] * 5
    assert set(codes[5:]) == {429}
    # Also the right one has to wait now.
    assert client.post("/host", data={"pin": site.keys.pin}, headers=ORIGIN).status_code == 429


def test_many_addresses_guess_no_faster(client: FlaskClient) -> None:
    codes = []
    for guess in range(80):
        address = {"REMOTE_ADDR": f"192.168.7.{guess}"}
        codes.append(client.post("/host", data={"pin": "000000x"}, headers=ORIGIN, environ_base=address).status_code)
    assert codes.count(403) == 60


def test_a_revoked_token_is_worthless(at_table: FlaskClient, site: Site, game: Game) -> None:
    old = site.keys.token
    assert at_table.post(f"/game/{game.id}/undo", headers=ORIGIN).status_code == 303
    site.ring.new_token()
    assert at_table.post(f"/game/{game.id}/undo", headers=ORIGIN).status_code == 403
    assert at_table.get(f"/join/{old}").status_code == 403
    assert at_table.post("/join", data={"token": old, "device": "x"}, headers=ORIGIN).status_code == 403


def test_a_new_pin_sends_hosts_away(host: FlaskClient, site: Site) -> None:
    assert host.get("/setup/language").status_code == 200
    site.ring.new_pin()
    assert host.get("/setup/language").status_code == 403


def test_a_forged_session_is_no_session(client: FlaskClient, site: Site, game: Game) -> None:
    other = create_app(site)
    other.secret_key = "guessed"  # noqa: S105 - it is the wrong one
    forged = other.test_client()
    with forged.session_transaction() as session:
        session["visit"] = site.visits.let_in(None, "table", site.keys.mark("table"), "x", "").id
    cookie = forged.get_cookie("azul")
    assert cookie is not None
    client.set_cookie("azul", cookie.value)
    assert client.post(f"/game/{game.id}/undo", headers=ORIGIN).status_code == 403


def test_keys_are_generated_and_private(site: Site, tmp_path: Any) -> None:
    path = tmp_path / "dashboard" / "keys.json"
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(site.keys.secret) == 64
    assert re.fullmatch(r"\d{6}", site.keys.pin)
    assert len(site.keys.token) >= 32


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty", b""),
        ("text", b"<html><script>alert(1)</script></html>"),
        ("svg", b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
        ("zip", b"PK\x03\x04" + b"\0" * 200),
        ("cut short", b"\xff\xd8\xff\xe0" + b"\0" * 500),
        ("bomb", png(20_000, 20_000)),
        ("wide bomb", png(29_000, 4_000)),
        ("polyglot", b"GIF89a/*" + b"\0" * 64 + b"*/=1;alert(1)//"),
    ],
)
def test_what_is_no_photo_is_refused(at_table: FlaskClient, site: Site, name: str, data: bytes) -> None:
    form = {"photo": (io.BytesIO(data), f"{name}.jpg")}
    response = at_table.post("/photo", data=form, headers=ORIGIN)
    assert response.status_code in (400, 422), response.data
    assert list((site.log.folder / "dashboard" / "drafts").glob("*")) == []
    # The decoder is there for the next one.
    assert site.pictures.decode(colourful(), "next").picture.shape == (80, 90, 3)


def colourful() -> bytes:
    """A small photo in colour."""
    file = io.BytesIO()
    Image.radial_gradient("L").resize((90, 80)).convert("RGB").point(lambda v: v // 2).save(file, "PNG")
    image = Image.open(file)
    red = Image.new("RGB", image.size, (200, 30, 90))
    out = io.BytesIO()
    Image.blend(image, red, 0.5).save(out, "JPEG")
    return out.getvalue()


def test_too_much_at_once_is_refused(at_table: FlaskClient) -> None:
    form = {"photo": (io.BytesIO(b"x" * 200_000), "large.jpg")}
    assert at_table.post("/join", data=form, headers=ORIGIN).status_code == 413


def test_a_decoder_that_hangs_is_ended(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.decoding.TIMEOUT_S", 0.0)
    with pytest.raises(Exception, match="within bounds"):
        site.pictures.decode(colourful(), "slow")
    monkeypatch.undo()
    assert site.pictures.decode(colourful(), "next").picture.shape == (80, 90, 3)


@pytest.mark.parametrize(
    "path",
    [
        "/picture/../../keys.json",
        "/picture/..%2f..%2fdashboard%2fkeys.json",
        "/picture/" + "a" * 64,
        "/picture/" + "A" * 64,
        "/photo/../keys",
        "/photo/..%2f..%2fkeys",
        "/photo/" + "0" * 32,
        "/static/../../../pyproject.toml",
        "/static/..%2f..%2f..%2fpyproject.toml",
        "/game/../../etc/passwd",
        "/game/%00",
        "/game/nothing/stream",
        "/game/nothing/export.zip",
    ],
)
def test_no_path_leads_out(host: FlaskClient, path: str) -> None:
    assert host.get(path).status_code == 404


def test_drafts_are_found_by_their_numbers_alone(at_table: FlaskClient) -> None:
    for path in ("/photo/..%2fkeys/discard", "/photo/*/discard"):
        at_table.post(path, headers=ORIGIN)
    assert (at_table.application.extensions["site"].log.folder / "dashboard" / "keys.json").exists()


def test_html_in_names_stays_text(host: FlaskClient, site: Site) -> None:
    edition = load("azul")
    game = site.log.create(Start(edition, edition.setup("coloured", 2), (NASTY, "=HYPERLINK(1)")))
    host.post("/join", data={"token": site.keys.token, "device": NASTY}, headers=ORIGIN)
    form = {"seat": 1, "cell": "score", "value": "7", "why": NASTY}
    assert host.post(f"/game/{game.id}/correct", data=form, headers=ORIGIN).status_code == 303
    for path in ("", "/tv", "/points/1", "/history", "/review", "/correct/1", "/export"):
        html = host.get(f"/game/{game.id}{path}").text
        assert "<script>alert" not in html
        assert "<img src=x" not in html
    assert "\r\n\t=" not in host.get(f"/game/{game.id}/export.csv").text
    assert "'=HYPERLINK(1)" in host.get(f"/game/{game.id}/export.csv").text
    assert host.get(f"/game/{game.id}/export.pdf").data.startswith(b"%PDF")


def test_pages_tell_browsers_to_be_strict(client: FlaskClient, game: Game) -> None:
    for path in ("/games", f"/game/{game.id}", "/nowhere", "/static/app.js"):
        with client.get(path) as response:
            headers = response.headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_no_page_has_scripts_or_styles_within(host: FlaskClient, game: Game, ask: Callable[[Game], int]) -> None:
    ask(game)
    for path in ("", "/review", "/correct/1", "/history", "/points/1"):
        html = host.get(f"/game/{game.id}{path}").text
        assert not re.search(r"<script(?![^>]* src=)|<style| style=| on\w+=\"", html), path


@pytest.mark.parametrize(
    "then",
    [
        "http://evil.example",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n/evil.example",
        "/ok\r\nSet-Cookie: a=b",
        "/\x00",
        " //evil.example",
        "\\\\evil.example",
        "/\u2028",
    ],
)
def test_nobody_is_led_elsewhere(host: FlaskClient, site: Site, game: Game, then: str) -> None:
    assert f'value="{escape(then)}"' not in host.get("/host", query_string={"then": then}).text
    forms = {
        "/device": ({"language": "en"}, "/"),
        "/host": ({"pin": site.keys.pin}, "/settings"),
        "/setup/camera": ({"camera": "table"}, "/setup/camera"),
        f"/game/{game.id}/undo": ({}, f"/game/{game.id}"),
    }
    for path, (form, home) in forms.items():
        response = host.post(path, data=form | {"then": then}, headers=ORIGIN)
        assert (response.status_code, response.headers["Location"]) == (303, home), path


@pytest.mark.parametrize("then", ["/", "/games", "/game/1/review?n=3&wide=1#photo"])
def test_everybody_is_led_on(client: FlaskClient, then: str) -> None:
    response = client.post("/device", data={"language": "en", "then": then}, headers=ORIGIN)
    assert response.headers["Location"] == then


def test_a_game_in_which_nothing_happened_can_be_deleted(host: FlaskClient, site: Site) -> None:
    edition = load("azul")
    game = site.log.create(Start(edition, edition.setup("coloured", 2)))
    assert f"/game/{game.id}/delete" in host.get(f"/game/{game.id}/review").text


def test_a_deleted_game_is_gone(host: FlaskClient, site: Site, game: Game, ask: Callable[[Game], int]) -> None:
    ask(game)
    (photo,) = game.photo_rows()
    assert host.post(f"/game/{game.id}/delete", data={}, headers=ORIGIN).status_code == 400
    form = {"sure": "yes", "at_once": "yes"}
    assert host.post(f"/game/{game.id}/delete", data=form, headers=ORIGIN).status_code == 303
    assert not list((site.log.folder / "deleted").glob("*"))
    assert host.get(f"/game/{game.id}").status_code == 404
    assert not site.log.photos.path(photo.sha256).exists()
    found = site.log.check()
    assert not found.lost
    assert not found.orphans
    files = [path.read_bytes() for path in site.log.folder.glob("games.sqlite3*")]
    assert all(game.id.encode() not in data for data in files)


@pytest.mark.parametrize(
    "corners",
    [
        "9,9 9,9 9,9 9,9",
        "10,10 500,500 500,10 10,500",
        "-91.6,-17 2543.5,7.4 2469.2,1341.8 27.5,1442.1",
        "-1e308,-1e308 1e308,-1e308 1e308,1e308 -1e308,1e308",
        "nan,1 2,3 4,5 6,7",
        "1,2,3 4,5 6,7 8,9",
        "1e999,1 2,3 4,5 6,7",
    ],
)
def test_corners_that_are_no_board_are_told(at_table: FlaskClient, shot: Any, corners: str) -> None:
    sent = at_table.post("/photo", data={"photo": (io.BytesIO(shot.jpeg), "table.jpg")}, headers=ORIGIN)
    draft = sent.headers["Location"]
    answer = at_table.post(f"{draft}/corners", data={"corners": corners}, headers=ORIGIN)
    assert answer.status_code in (303, 400)
    assert at_table.get(draft).status_code == 200
