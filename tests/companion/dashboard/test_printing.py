"""What only the players' own boards print: entered in the set-up by tapping a drawing, kept, chosen, played by."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.dashboard.site import Site
from companion.profiles import Profile, load_profile, save_profile
from engine import load

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
ORIGIN = {"Origin": "http://localhost"}
KINDS = ["LB", "YE", "LG", "DG", "LP", "DP", "1", "2", "3", "4", "5", "6"]
WHEEL = [f"wheel.{at // 3 + 1}.{at % 3 + 1}:{kind}:{at % 4 + 1}" for at, kind in enumerate(KINDS)]
GROUPS = [f"groupBonus.{size}::{size}" for size in range(3, 7)]
JOKERS = [f"jokerOrder.{at}:{kind}:" for at, kind in enumerate("ORBYGP", 1)]


def choose(host: FlaskClient, edition: str, side: str) -> str:
    """Choose what is played; the address of the next step."""
    return host.post("/setup/edition", data={"edition": f"{edition}.{side}"}, headers=ORIGIN).location


def entries(fields: list[str]) -> list[dict[str, object]]:
    return [
        {"kind": "pattern" if kind.isdigit() else "colour", "id": kind, "points": int(points)}
        for _, kind, points in (field.split(":") for field in fields)
    ]


def test_only_boards_that_print_more_than_is_known_are_asked_about(host: FlaskClient) -> None:
    assert choose(host, "azul", "grey") == "/setup/players"
    assert host.get("/setup/boards").status_code == 404
    assert host.get("/setup/boards/enter").status_code == 404
    assert "Boards" not in host.get("/setup/players").text
    for edition, side in (("queens-garden", "a"), ("queens-garden", "b"), ("summer-pavilion-mini", "beige")):
        assert choose(host, edition, side) == "/setup/boards"
        assert host.get("/setup/boards").status_code == 200


def test_a_wheel_is_entered_kept_and_played_by(host: FlaskClient, site: Site) -> None:
    choose(host, "queens-garden", "a")
    page = host.get("/setup/boards").text
    assert "checked" not in page
    told: list[str] = []
    for field in WHEEL:
        name, kind, points = field.split(":")
        page = host.get("/setup/boards/enter", query_string={"f": told}).text
        assert f'name="at" value="{name}"' in page
        host.get("/setup/boards/enter", query_string={"f": told, "at": name, "kind": kind, "points": points})
        told.append(field)
    page = host.get("/setup/boards/enter", query_string={"f": told}).text
    assert "alert doubt" not in page
    kept = host.post("/setup/boards/enter", data={"f": told, "name": "ours"}, headers=ORIGIN)
    assert kept.location == "/setup/players"
    wheel = {"name": "ours", "rounds": [entries(WHEEL[at : at + 3]) for at in range(0, 12, 3)]}
    assert load_profile("ours", site.log.folder).options == {"wheel": wheel}
    host.post("/setup/players", data={"name": ["Anna", "Boris"]}, headers=ORIGIN)
    assert "ours" in host.get("/setup/ready").text
    host.post("/setup/ready", data={"first": "1"}, headers=ORIGIN)
    start = site.log.games()[0].start
    assert start.edition.format_options(start.setup) == {"wheel": wheel}


def test_side_b_asks_for_its_bonuses_too(host: FlaskClient, site: Site) -> None:
    choose(host, "queens-garden", "b")
    page = host.get("/setup/boards/enter", query_string={"f": WHEEL}).text
    assert 'name="at" value="groupBonus.3"' in page
    refused = host.post("/setup/boards/enter", data={"f": WHEEL, "name": "ours-b"}, headers=ORIGIN)
    assert refused.status_code == 400
    host.post("/setup/boards/enter", data={"f": WHEEL + GROUPS, "name": "ours-b"}, headers=ORIGIN)
    options = load_profile("ours-b", site.log.folder).options
    assert options["groupBonus"] == {"3": 3, "4": 4, "5": 5, "6": 6}


def test_a_row_of_jokers_has_each_colour_once(host: FlaskClient, site: Site) -> None:
    choose(host, "summer-pavilion-mini", "coloured")
    page = host.get("/setup/boards/enter", query_string={"f": JOKERS[:2]}).text
    assert len(re.findall(r'name="kind" value="[OR]" disabled', page)) == 2
    assert 'id="points"' not in page
    twice = [*JOKERS[:5], "jokerOrder.6:O:"]
    assert "cannot be" in host.get("/setup/boards/enter", query_string={"f": twice}).text
    assert host.post("/setup/boards/enter", data={"f": twice, "name": "row"}, headers=ORIGIN).status_code == 409
    host.post("/setup/boards/enter", data={"f": JOKERS, "name": "row"}, headers=ORIGIN)
    assert load_profile("row", site.log.folder).options == {"jokerOrder": list("ORBYGP")}


def test_a_category_that_comes_twice_is_warned_of(host: FlaskClient) -> None:
    choose(host, "queens-garden", "a")
    page = host.get("/setup/boards/enter", query_string={"f": [*WHEEL[:11], "wheel.4.3:LB:2"]}).text
    assert "light blue comes 2 times" in page
    assert "not on the wheel: bellflower" in page
    assert 'id="keep-prints"' in page


@pytest.mark.parametrize(
    "field",
    ["wheel.1.1:LB:0", "wheel.1.1:LB:61", "wheel.1.1:LB:", "wheel.1.1::2", "wheel.9.1:LB:2", "wheel.1.1", "x", ":::"],
)
def test_what_cannot_be_printed_is_asked_for_again(host: FlaskClient, field: str) -> None:
    choose(host, "queens-garden", "a")
    page = host.get("/setup/boards/enter", query_string={"f": [field]})
    assert page.status_code == 200
    assert 'name="at" value="wheel.1.1"' in page.text
    assert host.post("/setup/boards/enter", data={"f": [field], "name": "ours"}, headers=ORIGIN).status_code == 400


def test_points_are_never_guessed(host: FlaskClient) -> None:
    choose(host, "queens-garden", "a")
    query = {"f": WHEEL[:1], "at": "wheel.1.2", "kind": "YE", "points": ""}
    page = host.get("/setup/boards/enter", query_string=query).text
    assert "Choose the points first" in page
    assert 'name="at" value="wheel.1.2"' in page
    assert "selected" not in page


def test_a_profile_is_chosen_for_its_own_boards_alone(host: FlaskClient, site: Site) -> None:
    save_profile(Profile("row", "summer-pavilion-mini", "beige", {"jokerOrder": list("ORBYGP")}), site.log.folder)
    choose(host, "queens-garden", "a")
    assert 'value="row"' not in host.get("/setup/boards").text
    assert host.post("/setup/boards", data={"profile": "row"}, headers=ORIGIN).status_code == 400
    assert host.post("/setup/boards", data={"profile": "gone"}, headers=ORIGIN).status_code == 422
    assert host.post("/setup/boards", data={}, headers=ORIGIN).status_code == 400
    taken = host.post("/setup/boards/enter", data={"f": WHEEL, "name": "row"}, headers=ORIGIN)
    assert taken.status_code == 400
    for name in ("", "../row", "a b", "x" * 41):
        assert host.post("/setup/boards/enter", data={"f": WHEEL, "name": name}, headers=ORIGIN).status_code == 400
    choose(host, "summer-pavilion-mini", "beige")
    assert host.post("/setup/boards", data={"profile": "row"}, headers=ORIGIN).location == "/setup/players"
    assert 'value="row" checked' in host.get("/setup/boards").text
    # Other boards are not played by it.
    choose(host, "summer-pavilion-mini", "coloured")
    assert site.settings.now.profile == ""


def test_who_plays_without_is_told_what_is_missing(host: FlaskClient, site: Site) -> None:
    choose(host, "queens-garden", "b")
    host.post("/setup/boards", data={"profile": ""}, headers=ORIGIN)
    page = host.get("/setup/ready").text
    assert "What your boards print is not entered" in page
    assert "Groups bring their values without a bonus" in page
    host.post("/setup/ready", data={"first": "1"}, headers=ORIGIN)
    start = site.log.games()[0].start
    assert start.edition.format_options(start.setup) == {}
    choose(host, "summer-pavilion-mini", "beige")
    page = host.get("/setup/ready").text
    assert "What your boards print is not entered" not in page
    assert "The storage card lies as usual" in page


def test_every_field_of_every_edition_lies_in_its_drawing() -> None:
    for edition in map(load, ("queens-garden", "summer-pavilion-mini")):
        for side in edition.sides:
            for sheet in edition.own_prints(side):
                assert len({field.name for field in sheet.fields}) == len(sheet.fields)
                for field in sheet.fields:
                    assert all(0 <= x <= 100 and 0 <= y <= sheet.height for x, y in field.outline)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_wheel_is_tapped_on_a_phone(visit: Any, table: Any, scripts: bool) -> None:
    page: Page = visit("/setup/edition", role="host", java_script_enabled=scripts)
    page.locator("input[value='queens-garden.a']").check(force=True)
    page.get_by_role("button", name="Next").click()
    page.locator("#enter-prints").click()
    for at, kind in enumerate(KINDS):
        page.select_option("#points", str(at % 4 + 1))
        page.locator(f"button[name=kind][value='{kind}']").click()
        expect(page.locator(".print-field.entered")).to_have_count(at + 1)
    # A field is changed by a tap on it.
    page.locator(".print-field").nth(4).click()
    expect(page.locator("#points")).to_have_value("1")
    page.select_option("#points", "value")
    page.locator("button[name=kind][value='LP']").click()
    page.fill("#name", "ours")
    page.locator("#keep-prints").click()
    expect(page.locator("h1")).to_have_text("Who plays?")
    options = load_profile("ours", table.site.log.folder).options
    assert json.dumps(options).count('"points": "value"') == 1
    assert options["wheel"]["rounds"][1][1] == {"kind": "colour", "id": "LP", "points": "value"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_is_wider_than_a_phone(visit: Any, table: Any, scheme: str) -> None:
    page: Page = visit("/setup/edition", role="host", width=360, color_scheme=scheme)
    found = []
    table.site.settings.change(edition="queens-garden", side="b")
    fields = "&".join(f"f={field}" for field in WHEEL[:7])
    whole = "&".join(f"f={field}" for field in [*WHEEL[:11], "wheel.4.3:LB:2", *GROUPS])
    groups = "&".join(f"f={field}" for field in [*WHEEL, GROUPS[0]])
    entered = (fields, f"{fields}&at=wheel.1.1", groups, whole)
    for path in ("", "/enter", *(f"/enter?{query}" for query in entered)):
        page.goto(f"{table.address}/setup/boards{path}")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
        result = page.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
        found += [(path, each["id"], [node["html"] for node in each["nodes"][:2]]) for each in result["violations"]]
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), path
    assert found == []
