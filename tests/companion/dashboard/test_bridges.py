"""Missed moves on the pages: one card with two photos, accepted in one tap, filled in by tapping, undone as a whole."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.capture.scribe import Heed, Scribe
from companion.dashboard.filling import filling_of
from companion.dashboard.live.gaps import points_gaps
from companion.dashboard.site import Site
from companion.dashboard.text.scoring import gained
from companion.gamelog import (
    ACCEPTED,
    Allow,
    BridgeEvent,
    Doubt,
    Game,
    GameLog,
    Photo,
    PhotoRead,
    Record,
    correction,
    export_game,
    import_game,
)
from companion.lab.imagine import imagine
from companion.lab.play import play_randomly
from companion.lab.simulate import Played, simulate
from companion.ledger import standing
from companion.narration import narrate_entry
from companion.pipeline import load_networks, read_photo
from companion.reconcile.live.bridge import bridge, told_missed
from companion.reconcile.live.outcome import Finding, Outcome
from companion.reconcile.photo import read_table
from engine import Edition, Fill, Start, Violation, load, slugs
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS

ORIGIN = {"Origin": "http://localhost"}
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FEW = 12
"""So few legal moves are listed as sentences."""
MISSED = 3
LATER = 4
PIXEL = b"\xff\xd8\xff"
Tap = Callable[[Page, Callable[[], bool]], int]


@dataclass(frozen=True)
class Gap:
    """A game in which moves were missed: what was played before, what nobody saw, and what came after."""

    before: list[Played]
    unseen: list[Played]
    after: list[Played]


def gap_of(slug: str, at: int, missed: int, seed: int = 3) -> Gap:
    edition = load(slug)
    setup = edition.setup(edition.sides[0], 2)
    moves = list(islice(simulate(edition, setup, Random(seed), policy=play_randomly), at + missed + LATER))
    return Gap(moves[:at], moves[at : at + missed], moves[at + missed :])


def play(game: Game, moves: list[Played], who: str = "azul") -> None:
    for move in moves:
        game.append(Record(game.start.edition.format_event(move.move)), who)


def new_game(log: GameLog, slug: str) -> Game:
    edition = load(slug)
    return log.create(Start(edition, edition.setup(edition.sides[0], 2), ("Anna", "Борис")))


def miss(game: Game, wanted: Any, photo: bytes, reading: Any = None, findings: tuple[Finding, ...] = ()) -> int | None:
    """Let the camera bridge to a state; the number of the bridge, None where the edition cannot tell how it stands."""
    edition = game.start.edition
    found = bridge(edition, game.refresh().state, read_table(imagine(edition.table(wanted)), edition))
    if found is None:
        return None
    outcome = Outcome(moves=found.moves, bridge=found, findings=findings)
    read = reading or edition.format_table(edition.table(wanted))
    Scribe(game).write(outcome, read, Photo(photo))
    return next(n for n, event in reversed([*game.folded.events.items()]) if isinstance(event, BridgeEvent))


def set_by_hand(game: Game) -> int:
    """A bridge that a test writes itself, for editions that cannot tell yet how a game stands."""
    part = game.start.edition.table(game.refresh().state).part(1)
    photo = game.append(PhotoRead(), "azul", Photo(PIXEL)).photo
    n = game.append(BridgeEvent(MISSED), "azul", photo).n
    game.append(correction({"score": (part.tracks.get("score") or 0) + 5}, 1, told_missed(MISSED)), "azul", photo)
    return n


def fill(client: FlaskClient, game: Game, n: int, moves: list[Played]) -> Any:
    written = [game.start.edition.format_move(move.move) for move in moves]
    return client.post(f"/game/{game.id}/fill/{n}", data={"m": written}, headers=ORIGIN)


UNTOLD = next(field.default for field in fields(Edition) if field.name == "resumes")
BRIDGED = [slug for slug in slugs() if load(slug).resumes is not UNTOLD]
"""The editions that tell how far a game may be after a gap."""


@pytest.mark.parametrize("slug", BRIDGED)
@pytest.mark.parametrize(("at", "missed"), [(4, 3), (9, 6), (12, 14)])
def test_a_bridge_that_is_filled_in_is_gone(at_table: FlaskClient, site: Site, slug: str, at: int, missed: int) -> None:
    gap, game = gap_of(slug, at, missed), new_game(site.log, slug)
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    play(game, gap.after)
    assert len(game.refresh().bridges) == 1
    assert fill(at_table, game, n, gap.unseen).status_code == 303
    folded = game.refresh()
    assert folded.bridges == ()
    assert folded.state == gap.after[-1].state
    assert [score.value for score in standing(folded).track] == list(gap.after[-1].state.scores)
    assert not folded.stranded
    assert not folded.doubts


@pytest.mark.parametrize("slug", BRIDGED)
def test_what_nobody_remembers_stays_a_smaller_bridge(at_table: FlaskClient, site: Site, slug: str) -> None:
    gap, game = gap_of(slug, 9, 6), new_game(site.log, slug)
    edition = game.start.edition
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    wanted, first = game.refresh().state, game.folded.bridges[0]
    game.append(Allow(n, ACCEPTED), "Oma")
    play(game, gap.after)
    assert fill(at_table, game, n, gap.unseen[:2]).status_code == 303
    (rest,) = game.refresh().bridges
    assert rest.missed < first.missed
    assert not rest.accepted
    assert (rest.before, rest.after) == (first.before, first.after)
    assert edition.table(game.folded.state) == edition.table(gap.after[-1].state)
    told = next(step.state for step in game.folded.steps if step.n == rest.records[-1])
    assert edition.table(told) == edition.table(wanted)
    low, high = ([getattr(score, end) for score in standing(game.folded).track] for end in ("low", "high"))
    scores = gap.after[-1].state.scores
    assert all(a <= score <= b for a, score, b in zip(low, scores, high, strict=True))
    # The rest can be filled in too.
    assert fill(at_table, game, rest.n, gap.unseen[2:]).status_code == 303
    assert game.refresh().bridges == ()
    assert game.folded.state == gap.after[-1].state


@pytest.mark.parametrize("slug", BRIDGED)
@pytest.mark.parametrize(("seed", "at", "missed", "known"), [(11, 29, 12, 5), (13, 17, 7, 6), (16, 23, 10, 2)])
def test_any_part_of_a_bridge_is_filled_in(
    at_table: FlaskClient, site: Site, slug: str, seed: int, at: int, missed: int, known: int
) -> None:
    gap, game = gap_of(slug, at, missed, seed), new_game(site.log, slug)
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    play(game, gap.after)
    ended = game.start.edition.table(game.refresh().state)
    assert fill(at_table, game, n, gap.unseen[:known]).status_code == 303
    assert len(game.refresh().bridges) == 1
    assert game.start.edition.table(game.folded.state) == ended
    assert not game.folded.stranded


def test_people_who_remember_all_moves_know_better_whose_turn_it_is(at_table: FlaskClient, site: Site) -> None:
    gap, game = gap_of("azul", 4, 3), new_game(site.log, "azul")
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    other = 3 - gap.unseen[-1].state.seat
    game.append(correction({"turn": other}, 0, told_missed(2)), "azul", game.folded.bridges[0].after)
    assert game.refresh().state.seat == other
    fill(at_table, game, n, gap.unseen)
    assert game.refresh().state == gap.unseen[-1].state


def test_nothing_is_written_where_a_move_cannot_have_been_played(at_table: FlaskClient, site: Site) -> None:
    gap, game = gap_of("azul", 4, 3), new_game(site.log, "azul")
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    last = game.refresh().last
    answer = fill(at_table, game, n, [gap.unseen[0], gap.unseen[0]])
    assert answer.status_code == 409
    assert fill(at_table, game, n, []).status_code == 400
    assert fill(at_table, game, n + 1, gap.unseen).status_code == 409
    assert game.refresh().last == last


def test_a_bridge_is_undone_and_redone_as_a_whole(at_table: FlaskClient, site: Site) -> None:
    gap, game = gap_of("azul", 4, 9), new_game(site.log, "azul")
    play(game, gap.before)
    before = game.refresh().state
    n = miss(game, gap.unseen[-1].state, PIXEL)
    after = game.refresh().state
    assert len(game.folded.bridges[0].records) > 1
    for form in ({"n": n}, {}):
        at_table.post(f"/game/{game.id}/undo", data=form, headers=ORIGIN)
        assert game.refresh().state == before
        assert not game.folded.bridges
        assert not game.folded.doubts
        at_table.post(f"/game/{game.id}/redo", data=form, headers=ORIGIN)
        assert game.refresh().state == after
        assert len(game.folded.bridges) == 1


def test_a_bridge_is_one_line_everywhere_and_survives_a_journey(
    at_table: FlaskClient, site: Site, tmp_path: Path
) -> None:
    gap, game = gap_of("azul", 4, 9), new_game(site.log, "azul")
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    said = told_missed(game.refresh().bridges[0].missed)
    for page in ("history", "review", ""):
        text = at_table.get(f"/game/{game.id}/{page}".rstrip("/")).text
        assert "oves were missed" in text, page
        assert "Corrected." not in text, page
    rows = list(csv.reader(io.StringIO(at_table.get(f"/game/{game.id}/export.csv").data.decode("utf-8-sig"))))
    assert sum("moves were missed" in row[4] for row in rows) == 1
    assert len(rows) == 1 + len(gap.before) + 1
    record = json.loads(at_table.get(f"/game/{game.id}/export.json").data)["record"]
    assert {event["why"] for event in record if event["event"] == "correct"} == {str(said)}
    assert at_table.get(f"/game/{game.id}/export.pdf").data.startswith(b"%PDF")
    told = [line for entry in game.entries() for line in narrate_entry(game.start, game.folded, entry)]
    assert sum(str(said) in line for line in told) == 1
    assert not any("corrected" in line for line in told)
    plot = json.loads(at_table.get(f"/game/{game.id}/scores.json").data)
    assert plot["bridges"] == [len(gap.before) + 1]
    export_game(game, tmp_path / "game.zip")
    with GameLog(tmp_path / "other") as other:
        copy, _ = import_game(other, tmp_path / "game.zip")
        assert copy.refresh().bridges == game.folded.bridges


@pytest.mark.parametrize("slug", slugs())
def test_the_card_and_the_sheet_open_for_every_edition(visit: Any, table: Any, slug: str) -> None:
    gap, game = gap_of(slug, 6, MISSED), new_game(table.site.log, slug)
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL) or set_by_hand(game)
    table.site.watcher.poke()
    for width in (390, 1440):
        page: Page = visit(f"/game/{game.id}", width=width)
        expect(page.locator(f"#bridge-{n} h2")).to_contain_text("missed")
        page.locator(f"#fill-{n}").click()
        expect(page.locator("#sheet #entry h1")).to_have_text("Fill in the moves")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert_no_barriers(page)


def assert_no_barriers(page: Page) -> None:
    page.evaluate(AXE.read_text(encoding="utf-8"))
    result = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
    assert [(each["id"], [node["html"][:200] for node in each["nodes"][:2]]) for each in result["violations"]] == []


@pytest.fixture(scope="session")
def photographed() -> tuple[Gap, list[tuple[bytes, dict[str, Any]]]]:
    """A game of which the last moves of a round were missed, with the photos before and after."""
    edition = load("azul")
    rounds = (gap_of("azul", at, MISSED) for at in range(8, 60))
    gap = next(gap for gap in rounds if _is_few(gap))
    art, photos = load_art(edition.layout), []
    for moves in (gap.before, gap.unseen):
        jpeg = photograph(moves[-1].stage, edition.layout, art, TIERS["rig"], 7).jpeg
        photos.append((jpeg, read_photo(jpeg, "table.jpg", load_networks(), "azul").table))
    return gap, photos


def _is_few(gap: Gap) -> bool:
    states = [gap.before[-1].state, *(move.state for move in gap.unseen)]
    drafted = all(state.phase == "draft" for state in states)
    return drafted and all(len(load("azul").legal_moves(state)) <= FEW for state in states[:-1])


Photographed = tuple[Gap, list[tuple[bytes, dict[str, Any]]]]


def sentence(game: Game) -> str:
    """What the pages say of the only bridge of a game."""
    (bridged,) = game.refresh().bridges
    said = str(told_missed(bridged.missed))
    return said[:1].upper() + said[1:]


def missed_in(table: Any, photographed: Photographed, findings: tuple[Finding, ...] = ()) -> tuple[Game, int, Gap]:
    """A game on the served dashboard in which moves were missed."""
    gap, ((jpeg, reading), (later, read_later)) = photographed
    game = new_game(table.site.log, "azul")
    play(game, gap.before)
    game.append(PhotoRead(reading), "azul", Photo(jpeg))
    n = miss(game, gap.unseen[-1].state, later, read_later, findings)
    assert n is not None
    table.site.watcher.poke()
    return game, n, gap


@pytest.mark.parametrize("width", [390, 1440])
def test_a_bridge_is_seen_and_accepted_in_one_tap(
    visit: Any, table: Any, photographed: Photographed, width: int
) -> None:
    game, n, _ = missed_in(table, photographed)
    spectator: Page = visit(f"/game/{game.id}", role="spectator", width=width)
    page: Page = visit(f"/game/{game.id}", width=width)
    for each in (spectator, page):
        card = each.locator(f"#bridge-{n}")
        expect(card.locator("h2")).to_have_text(f"{sentence(game)}.")
        expect(card).to_contain_text("The game goes on from what lies on the table.")
        # Both boards changed: each is shown upright before and after, with what changed outlined.
        expect(card.locator("figcaption")).to_contain_text(
            ["before · Anna", "after · Anna", "before · Борис", "after · Борис"]
        )
        expect(card.locator(".outlined")).to_have_count(4)
        for image in card.locator("img.evidence").all():
            assert image.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
        expect(each.locator(".alert.bridge")).to_have_count(1)
        expect(each.locator("#feed")).not_to_contain_text("Corrected")
        assert each.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert_no_barriers(each)
    expect(spectator.locator(f"#bridge-{n} button")).to_have_count(0)
    expect(spectator.locator(f"#bridge-{n} a")).to_have_count(0)
    page.locator(f"#accept-{n}").click()
    for each in (spectator, page):
        expect(each.locator(".alert.bridge")).to_have_count(0)
        expect(each.locator("#feed")).to_contain_text(sentence(game))
    assert [entry.event for entry in game.entries()][-1] == Allow(n, ACCEPTED)


@pytest.mark.parametrize("width", [390, 1440])
def test_missed_moves_are_filled_in_by_tapping_while_the_camera_goes_on(
    visit: Any, table: Any, photographed: Photographed, width: int
) -> None:
    game, n, gap = missed_in(table, photographed)
    edition = game.start.edition
    page: Page = visit(f"/game/{game.id}", width=width)
    page.locator(f"#fill-{n}").click()
    expect(page.locator("#sheet .pair img").first).to_be_visible()
    expect(page.locator("#save")).to_have_count(0)
    last = game.refresh().last
    for count, move in enumerate(gap.unseen, 1):
        expect(page.locator("#entry .still")).to_contain_text("still differ")
        wanted = f"m={edition.format_move(move.move)}"
        links = page.locator("#entry .told a")
        addresses = links.evaluate_all("links => links.map(each => decodeURIComponent(each.href))")
        links.nth(next(i for i, address in enumerate(addresses) if address.endswith(wanted))).click()
        expect(page.locator("#entry .entered li")).to_have_count(count)
    expect(page.locator("#entry .still")).to_contain_text("These moves explain everything that changed.")
    assert_no_barriers(page)
    page.locator("#take-back").click()
    expect(page.locator("#entry .entered li")).to_have_count(len(gap.unseen) - 1)
    page.locator("#entry .told a").first.wait_for()
    assert game.refresh().last == last, "nothing is written before it is saved"
    play(game, gap.after[:1])
    page.locator("#save").click()
    expect(page.locator("#toast")).to_contain_text("The moves are filled in.")
    (rest,) = game.refresh().bridges
    assert rest.missed == 1
    assert edition.table(game.folded.state) == edition.table(gap.after[0].state)
    who = [entry.who for entry in game.entries() if isinstance(entry.event, Record) and entry.n in game.folded.live]
    assert who.count("Oma's phone") == len(gap.unseen) - 1


def test_a_bridge_is_undone_in_the_history_and_seen_in_the_review(
    visit: Any, table: Any, photographed: Photographed
) -> None:
    game, _, gap = missed_in(table, photographed)
    play(game, gap.after[:1])
    page: Page = visit(f"/game/{game.id}/review?at={len(gap.before) + 2}", role="table", width=1440)
    frame = page.locator("#frame")
    expect(frame).to_contain_text(sentence(game))
    expect(frame.locator("img.frame-photo")).to_have_count(2)
    expect(frame.locator(".spot.changed").first).to_be_visible()
    expect(page.locator(".plot canvas")).to_be_visible()
    expect(page.locator(".review")).to_contain_text("grey with dashed edges")
    assert_no_barriers(page)
    page.goto(f"{table.address}/game/{game.id}/history")
    said = sentence(game)
    row = page.locator(".log li", has_text=said)
    expect(row).to_have_count(1)
    row.get_by_role("button", name="Undo").click()
    assert not game.refresh().bridges
    page.goto(f"{table.address}/game/{game.id}/history")
    row.get_by_role("button", name="Redo").click()
    assert len(game.refresh().bridges) == 1


def test_a_rule_that_is_visibly_broken_after_a_bridge_is_told_and_allowed(visit: Any, table: Any) -> None:
    gap, game = gap_of("azul", 4, MISSED), new_game(table.site.log, "azul")
    play(game, gap.before)
    edition = game.start.edition
    wrong = edition.correct(gap.unseen[-1].state, {"line.2.1": "B", "line.2.2": "K"}, 1)
    (violation,) = [each for each in edition.table_violations(edition.table(wrong), None) if each.cell][:1]
    finding = Finding(Violation(violation.rule, violation.text, violation.seat, violation.cell))
    n = miss(game, wrong, PIXEL, findings=(finding,))
    table.site.watcher.poke()
    page: Page = visit(f"/game/{game.id}")
    expect(page.locator(".alert.breach .rule .id")).to_have_text(violation.rule)
    page.locator(f"#allow-{n}").click()
    expect(page.locator(".alert.breach")).to_have_count(0)
    expect(page.locator(".alert.bridge")).to_have_count(1)


def test_what_still_differs_is_told_after_each_move(site: Site) -> None:
    gap, game = gap_of("azul", 4, MISSED), new_game(site.log, "azul")
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    written = [game.start.edition.format_move(move.move) for move in gap.unseen]
    left = [len(filling_of(game.refresh(), n, written[:count]).differs) for count in range(MISSED + 1)]
    assert left == sorted(left, reverse=True)
    assert left[0] > 0
    assert left[-1] == 0


def test_what_is_bridged_again_is_no_word_of_people_for_the_camera(at_table: FlaskClient, site: Site) -> None:
    gap, game = gap_of("azul", 9, 6), new_game(site.log, "azul")
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    scribe = Scribe(game)
    fill(at_table, game, n, gap.unseen[:2])
    (rest,) = game.refresh().bridges
    assert rest.records
    assert scribe.heed(lambda _, moves: moves) is Heed.LOOK
    assert scribe.words() == {}
    assert Scribe(game).words() == {}


def test_a_filling_of_the_discs_is_filled_in_too(at_table: FlaskClient, site: Site) -> None:
    gap, game = gap_of("azul", 12, 14), new_game(site.log, "azul")
    edition = game.start.edition
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    at = next(i for i, move in enumerate(gap.unseen) if isinstance(move.move, Fill))
    told = [edition.format_move(move.move) for move in gap.unseen[: at + 1]]
    kinds = [tile for disc in gap.unseen[at].move.factories for tile in disc]
    page = at_table.get(f"/game/{game.id}/fill/{n}", query_string={"m": told[:at], "k": kinds}).text
    assert "draw-for-us" not in page
    (link,) = re.findall(r'href="([^"]*)"[^>]*id="confirm"', page)
    assert parse_qs(urlsplit(html.unescape(link)).query)["m"] == told
    assert f"<li>{edition.describe(gap.unseen[at].move)}" in at_table.get(html.unescape(link)).text


def play_with_gaps(game: Game, gaps: list[range], photos: Callable[[Played], tuple[bytes, Any]]) -> list[Played]:
    """A whole game in which the camera missed some moves; all its moves."""
    edition = game.start.edition
    moves = list(simulate(edition, game.start.setup, Random(3)))
    at = 0
    for gap in gaps:
        play(game, moves[at : gap.start])
        jpeg, reading = photos(moves[gap.start - 1])
        game.append(PhotoRead(reading), "azul", Photo(jpeg))
        assert miss(game, moves[gap.stop - 1].state, *photos(moves[gap.stop - 1])) is not None
        at = gap.stop
    play(game, moves[at:])
    return moves


def blank(_: Played) -> tuple[bytes, None]:
    return PIXEL, None


@pytest.mark.parametrize("slug", BRIDGED)
def test_points_of_missed_moves_are_explained_as_far_as_they_are_known(
    at_table: FlaskClient, site: Site, slug: str
) -> None:
    gap, game = gap_of(slug, 9, 14), new_game(site.log, slug)
    play(game, gap.before)
    assert miss(game, gap.unseen[-1].state, PIXEL) is not None
    before, after = gap.before[-1].state, gap.unseen[-1].state
    snapshot = site.book(game.id).read()
    changed = [seat for seat in (1, 2) if before.scores[seat - 1] != after.scores[seat - 1]]
    for seat in changed:
        (points,) = points_gaps(snapshot, seat)
        gain = after.scores[seat - 1] - before.scores[seat - 1]
        assert points.gain.low <= gain <= points.gain.high
        assert points.reasons is not None
        text = html.unescape(at_table.get(f"/game/{game.id}/points/{seat}").text)
        assert "Between these two photos: " in text
        assert str(points.reasons.came) in text
    assert changed or not points_gaps(snapshot, 1)


def test_points_that_stay_open_are_told_as_an_interval(at_table: FlaskClient, site: Site) -> None:
    gap, game = gap_of("azul", 9, 14), new_game(site.log, "azul")
    play(game, gap.before)
    n = miss(game, gap.unseen[-1].state, PIXEL)
    assert n is not None
    photo = game.refresh().bridges[0].after
    score = game.folded.state.scores[0]
    game.append(Doubt("azul-1-1", {str(score): 0.6, str(score + 3): 0.4}, "score", 1), "azul", photo)
    (points,) = points_gaps(site.book(game.id).read(), 1)
    assert points.gain.high - points.gain.low == 3
    assert f"Between these two photos: {gained(points.gain)}, from " in at_table.get(f"/game/{game.id}/points/1").text


@pytest.mark.parametrize("width", [390, 1280])
def test_bridges_are_marked_in_the_curves_of_the_end_and_explained_with_the_points(
    visit: Any, table: Any, width: int
) -> None:
    game = new_game(table.site.log, "azul")
    gaps = [range(8, 20), range(34, 40)]
    moves = play_with_gaps(game, gaps, blank)
    table.site.watcher.poke()
    page: Page = visit(f"/game/{game.id}", width=width)
    expect(page.locator(".curves rect.gap")).to_have_count(2)
    expect(page.locator(".ending")).to_contain_text("grey with dashed edges")
    assert_no_barriers(page)
    seat = next(seat for seat in (1, 2) if moves[7].state.scores[seat - 1] != moves[19].state.scores[seat - 1])
    page.goto(f"{table.address}/game/{game.id}/points/{seat}")
    expect(page.locator("details.gap summary").first).to_contain_text("Between these two photos: ")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert_no_barriers(page)
