"""Games of every edition on every page, on a phone and on a large screen."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.dashboard.site import Site
from companion.gamelog import Game, Record
from companion.lab.play import play_game, play_greedily, play_randomly
from companion.ledger import standing
from engine import OVER, Start, load, slugs

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PATHS = ["", "/points/1", "/correct/1", "/correct/0", "/history", "/review", "/export", "/enter", "/enter?stay=1"]
EXPORTS = {"csv": b"\xef\xbb\xbf", "json": b"{", "pdf": b"%PDF", "zip": b"PK"}


def log_game(site: Site, slug: str, players: int = 2, moves: int | None = None) -> Game:
    edition = load(slug)
    setup = edition.setup(edition.sides[0], players)
    game = site.log.create(Start(edition, setup, ("Anna", "Борис", "Cem", "Dora")[:players]))
    policy = play_greedily if moves else play_randomly
    for number, move in enumerate(play_game(edition, setup, policy, Random(4), 12)):
        if number == moves:
            break
        game.append(Record(edition.format_event(move)), "Oma")
    site.watcher.poke()
    return game


def pages_of(game: Game) -> list[str]:
    """Every page of a game, with one cell, one heap and one number of each part to correct."""
    edition, state = game.start.edition, game.refresh().state
    found = [f"/game/{game.id}{path}" for path in PATHS]
    for part in edition.table(state).parts:
        names = [*list(part.cells)[:1], *list(part.cells)[-1:], *part.heaps, *part.tracks]
        names = [edition.corrected_as.get(name, name) for name in names if not name.startswith("slider")]
        found += [f"/game/{game.id}/correct/{part.seat}/{name}" for name in dict.fromkeys(names)]
    return found


@pytest.mark.parametrize("slug", slugs())
def test_every_page_shows_a_game_of_every_edition(visit: Any, table: Any, slug: str) -> None:
    game = log_game(table.site, slug, moves=33)
    over = log_game(table.site, slug)
    for width in (390, 1440):
        page: Page = visit("/games", width=width)
        for path in [*pages_of(game), *pages_of(over)[: len(PATHS)], f"/game/{game.id}/tv"]:
            answer = page.goto(table.address + path)
            assert answer is not None
            assert answer.status == 200, path
            if not path.endswith("/tv"):
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (path, width)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("slug", [slug for slug in slugs() if slug != "azul"])
def test_axe_finds_nothing_in_any_edition(visit: Any, table: Any, slug: str, scheme: str) -> None:
    game = log_game(table.site, slug, moves=33)
    page: Page = visit("/games", color_scheme=scheme)
    found = []
    for path in [*pages_of(game), f"/game/{game.id}/tv"]:
        page.goto(table.address + path)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        result = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
        found += [
            (path, each["id"], [node["html"][:120] for node in each["nodes"][:2]]) for each in result["violations"]
        ]
    assert found == []


@pytest.mark.parametrize("slug", slugs())
def test_everything_of_every_edition_can_be_tapped(visit: Any, table: Any, slug: str) -> None:
    game = log_game(table.site, slug, moves=33)
    page: Page = visit(f"/game/{game.id}", width=360)
    wanted = "button, .button, nav a, .mend, input, .heap, .chip-link, a.pick, .board[data-correct] .spot"
    for path in ("", "/enter?stay=1", "/enter?stay=1&move=1", "/correct/1", "/correct/0"):
        page.goto(f"{table.address}/game/{game.id}{path}")
        small = page.evaluate(
            """wanted => [...document.querySelectorAll(wanted)]
                .map(each => [each.outerHTML.slice(0, 120), each.getBoundingClientRect()])
                .filter(([, box]) => box.width && (box.width < 24 || box.height < 24)).map(([html]) => html)""",
            wanted,
        )
        assert small == [], path


@pytest.mark.parametrize("slug", slugs())
def test_tables_are_drawn_as_they_lie(visit: Any, table: Any, slug: str) -> None:
    game = log_game(table.site, slug, moves=33)
    edition, state = game.start.edition, game.refresh().state
    lying = edition.table(state)
    page: Page = visit(f"/game/{game.id}", width=1440)
    expect(page.locator(".place h2 .small")).to_have_text([str(score) for score in state.scores])
    for number, part in enumerate(lying.boards):
        place = page.locator(".place").nth(number)
        for name, kind in part.cells.items():
            if edition.layout.zone(edition.layout.cell(name).zone).role == "tiles" and kind != ".":
                expect(place.locator(f"[data-cell='{name}'] text").first).to_have_text(kind)
    for heap, kinds in lying.common.heaps.items():
        shown = page.locator(f".middle [data-heap='{heap}'] svg.chip")
        if shown.count() or kinds:
            expect(shown).to_have_count(len(kinds))
    tracks = [track for track in edition.layout.tracks if edition.layout.surface(track.surface).shared and track.each]
    for track in tracks:
        for part in lying.boards:
            mark = page.locator(f".middle [data-track='{track.name}'] .mark-of.seat-{part.seat}")
            expect(mark).to_have_attribute("data-number", str(part.tracks[track.tells]))


@pytest.mark.parametrize("slug", slugs())
def test_a_whole_game_is_exported(at_table: Any, site: Site, slug: str) -> None:
    game = log_game(site, slug)
    assert game.refresh().state.phase == OVER or game.folded.state.round == 12
    for ending, begins in EXPORTS.items():
        answer = at_table.get(f"/game/{game.id}/export.{ending}")
        assert answer.status_code == 200
        assert answer.data.startswith(begins)
    written = json.loads(at_table.get(f"/game/{game.id}/export.json").data)
    assert written["scores"][-1]["scores"] == [score.low for score in standing(game.folded).scores]
    rows = at_table.get(f"/game/{game.id}/export.csv").text.splitlines()
    assert len(rows) == len(game.folded.steps) + 1


@pytest.mark.parametrize("slug", slugs())
def test_a_heap_is_corrected_by_tapping_pieces(visit: Any, table: Any, slug: str) -> None:
    game = log_game(table.site, slug, moves=4)
    edition, state = game.start.edition, game.refresh().state
    common = edition.table(state).common
    heap = next(name for name, kinds in common.heaps.items() if len(kinds) > 1 and not any("card" in k for k in kinds))
    before = [kind for kind in common.heaps[heap] if kind != "1"]
    page: Page = visit(f"/game/{game.id}/correct/0")
    page.locator(f"a[href$='/correct/0/{heap}']").click()
    sheet = page.locator("#sheet")
    sheet.locator(".picked a").first.click()
    expect(sheet.locator(".picked a")).to_have_count(len(before) - 1)
    sheet.locator(".palette a").last.click()
    expect(sheet.locator(".picked a")).to_have_count(len(before))
    sheet.get_by_role("button", name="Confirm").click()
    expect(page.locator("#toast")).to_contain_text("Corrected")
    after = [kind for kind in edition.table(game.refresh().state).common.heaps[heap] if kind != "1"]
    added = edition.kinds(heap)[-1]
    assert sorted(after) == sorted([*before[1:], added])


def test_a_card_is_corrected_with_how_it_lies(visit: Any, table: Any) -> None:
    game = log_game(table.site, "queens-garden", moves=4)
    page: Page = visit(f"/game/{game.id}/correct/1")
    page.locator("a.button[href$='/correct/1/X2']").click()
    sheet = page.locator("#sheet")
    sheet.locator(".palette a[aria-label^='expansion yellow bellflower']").click()
    sheet.locator("input[value='card:YE6@4']").check(force=True)
    expect(sheet.locator("#preview")).to_contain_text("What changes")
    sheet.get_by_role("button", name="Confirm").click()
    expect(page.locator("#toast")).to_contain_text("Corrected")
    part = game.start.edition.table(game.refresh().state).part(1)
    assert part.cells["X2"] == "card:YE6@4"
