"""Devices are listed and sent away one by one; strangers' guesses shut nobody out, and are not forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.dashboard import create_app
from companion.dashboard.security.audit import EARLIER, FILE, MOST_BYTES, Audit, Audited
from companion.dashboard.security.tries import MOST_AN_HOUR, Tries
from companion.dashboard.security.visits import MOST, Visits
from companion.dashboard.site import Site
from companion.dashboard.wiring import open_site
from companion.gamelog import Game

ORIGIN = {"Origin": "http://localhost"}


def device(site: Site, name: str) -> FlaskClient:
    client = create_app(site).test_client()
    assert client.post("/join", data={"token": site.keys.token, "device": name}, headers=ORIGIN).status_code == 303
    return client


def guess(client: FlaskClient, number: int) -> int:
    address = {"REMOTE_ADDR": f"192.168.7.{number}"}
    return client.post("/host", data={"pin": "x"}, headers=ORIGIN, environ_base=address).status_code


def test_who_leaves_takes_the_cookie_along(site: Site, game: Game) -> None:
    client = device(site, "Oma")
    cookie = client.get_cookie("azul")
    assert cookie
    client.post("/leave", headers=ORIGIN)
    client.set_cookie("azul", cookie.value)
    assert client.post(f"/game/{game.id}/undo", headers=ORIGIN).status_code == 403


def test_one_device_is_sent_away_and_the_others_stay(host: FlaskClient, site: Site, game: Game) -> None:
    oma, opa = device(site, "Oma's phone"), device(site, "Opa's phone")
    page = host.get("/settings").text
    assert "Oma&#39;s phone" in page
    (visit,) = [each for each in site.visits.all() if each.device == "Oma's phone"]
    assert host.post(f"/visits/{visit.id}/end", headers=ORIGIN).status_code == 303
    assert oma.post(f"/game/{game.id}/undo", headers=ORIGIN).status_code == 403
    assert opa.post(f"/game/{game.id}/undo", headers=ORIGIN).status_code == 303
    assert host.post(f"/visits/{visit.id}/end", headers=ORIGIN).status_code == 404


def test_an_id_that_was_known_before_is_worthless_after_the_pin(site: Site) -> None:
    client = device(site, "x")
    before = site.visits.all()[0].id
    client.post("/host", data={"pin": site.keys.pin}, headers=ORIGIN)
    (visit,) = site.visits.all()
    assert visit.id != before


def test_strangers_shut_out_only_strangers(client: FlaskClient, site: Site) -> None:
    old_host, at_table = device(site, "host"), device(site, "table")
    assert old_host.post("/host", data={"pin": site.keys.pin}, headers=ORIGIN).status_code == 303
    site.ring.new_pin()
    codes = [guess(client, number) for number in range(70)]
    assert codes.count(403) == MOST_AN_HOUR
    assert codes[-1] == 429
    for known in (old_host, at_table):
        assert known.post("/host", data={"pin": site.keys.pin}, headers=ORIGIN).status_code == 303


def test_a_restart_remembers_guesses_and_devices(tmp_path: Path) -> None:
    with open_site(tmp_path) as site:
        stranger = create_app(site).test_client()
        for number in range(70):
            guess(stranger, number)
        known = device(site, "Oma").get_cookie("azul")
        assert known
    with open_site(tmp_path) as site:
        assert guess(create_app(site).test_client(), 99) == 429
        again = create_app(site).test_client()
        again.set_cookie("azul", known.value)
        assert again.get("/share/table").status_code == 200


def test_guesses_are_forgotten_after_an_hour_whatever_the_clock_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1e9]
    monkeypatch.setattr("companion.dashboard.security.tries.time.time", lambda: clock[0])
    tries = Tries(tmp_path)
    for _ in range(MOST_AN_HOUR):
        tries.note("stranger")
    clock[0] = 0.0
    assert tries.are_too_many("stranger")
    tries.note("stranger")
    clock[0] = 3700.0
    assert not Tries(tmp_path).are_too_many("stranger")


@pytest.mark.parametrize("written", [b"", b"{", b"[1]", b'[{"id": 1}]', b"[" * 99_999, b'{"stranger": 5}'])
def test_damaged_files_let_nobody_in(tmp_path: Path, written: bytes) -> None:
    for name in ("visits.json", "wrong-pins.json", FILE):
        (tmp_path / name).write_bytes(written)
    assert Visits(tmp_path).all() == []
    assert not Tries(tmp_path).are_too_many("stranger")
    assert Audit(tmp_path).last(9) == []


def test_only_so_many_devices_are_kept(tmp_path: Path) -> None:
    (tmp_path / "visits.json").write_text(
        json.dumps([{"id": str(n), "device": "", "address": "", "since": "", "marks": {}} for n in range(MOST)])
    )
    visits = Visits(tmp_path)
    visits.let_in(None, "table", "mark", "x", "")
    assert len(visits.all()) == MOST
    assert visits.get("0") is None


def test_what_matters_is_written_down(host: FlaskClient, client: FlaskClient, site: Site, game: Game) -> None:
    guess(create_app(site).test_client(), 8)
    host.post("/settings/token", headers=ORIGIN)
    host.post("/settings/pin", headers=ORIGIN)
    host.post(f"/game/{game.id}/delete", data={"sure": "yes"}, headers=ORIGIN)
    name = next((site.log.folder / "deleted").glob("*.zip")).name
    host.post(f"/deleted/{name}/purge", headers=ORIGIN)
    done = [each.what for each in reversed(site.audit.last(99))]
    assert done == ["joined", "pin_right", "pin_wrong", "new_token", "new_pin", "deleted", "purged"]
    assert "192.168.7.8" in host.get("/settings").text
    client.post("/leave", headers=ORIGIN)
    assert site.audit.last(1)[0].what == "left"
    assert site.keys.pin not in (site.log.folder / "dashboard" / FILE).read_text()


def test_the_audit_does_not_grow_for_ever(tmp_path: Path) -> None:
    audit = Audit(tmp_path)
    (tmp_path / FILE).write_bytes(b"x" * MOST_BYTES + b"\n")
    audit.note(Audited("left"))
    assert (tmp_path / EARLIER).exists()
    audit.note(Audited("joined"))
    assert [each.what for each in audit.last(9)] == ["joined", "left"]
