"""The game log: what is logged is what comes back, and what it comes to is what the engine says."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

import companion.gamelog.game
from companion.gamelog import (
    Allow,
    Answer,
    Doubt,
    Entry,
    Findings,
    GameLog,
    GameLogError,
    Note,
    Photo,
    PhotoRead,
    Proposal,
    Record,
    Redo,
    Title,
    Undo,
    advance,
    data_dir,
    fold,
    schema,
)
from companion.gamelog.events import check_entry, format_entry, parse_entry
from companion.ledger import ledger
from companion.scores import Score
from engine import parse_start, replay
from engine.record import parse_lines

GAMES = sorted((Path(__file__).parents[2] / "fixtures" / "games").glob("*/*.jsonl"))
RECORDS = [path for path in GAMES if not path.name.endswith(".replay.jsonl")]
AT = "2026-11-03T20:15:00.000+00:00"
SHA = "0" * 64


def lines_of(name):
    path = next(path for path in RECORDS if f"{path.parent.name}/{path.stem}" == name)
    return parse_lines(path.read_bytes())


GOOD = lines_of("azul/coloured-2p-good")
BROKEN = lines_of("azul/coloured-2p-broken")


def entries_of(lines):
    return [Entry(n, Record(json.loads(line)), AT) for n, line in enumerate(lines[1:], 1)]


def folded_of(lines, *more):
    start, entries = parse_start(lines[0]), entries_of(lines)
    entries += [Entry(n, event, AT) for n, event in enumerate(more, len(entries) + 1)]
    return fold(start.edition, start.setup, entries)


@pytest.fixture
def log(tmp_path):
    with GameLog(tmp_path / "data") as log:
        yield log


@pytest.fixture
def game(log):
    return log.create(parse_start(GOOD[0]))


def play(game, lines, count):
    for line in lines[1 : count + 1]:
        game.append(Record(json.loads(line)), "camera")


# ------------------------------------------------------------------------------------------------ events

WORDS = st.text(min_size=1, max_size=80)
NUMBERS = st.integers(1, 999)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=4)
SIDES = st.floats(-1e4, 1e4)
EVENTS = st.one_of(
    st.builds(lambda name, rest: Record(rest | {"event": name}), WORDS.filter(lambda name: name != "start"), OBJECTS),
    st.builds(PhotoRead, st.none() | OBJECTS, st.text()),
    st.builds(
        Doubt,
        WORDS,
        st.dictionaries(st.text(), st.floats(0, 1), max_size=4),
        st.text(),
        st.integers(0, 4),
        st.none() | st.tuples(SIDES, SIDES, SIDES, SIDES),
    ),
    st.builds(Answer, WORDS, st.text()),
    st.builds(Allow, NUMBERS, WORDS),
    st.builds(Undo, NUMBERS),
    st.builds(Redo, NUMBERS),
    st.builds(Proposal, WORDS, NUMBERS, OBJECTS, st.text()),
    st.builds(Title, WORDS),
    st.builds(Note, st.text()),
)


@given(NUMBERS, EVENTS, st.text(max_size=80), st.none() | st.just(SHA))
def test_every_entry_comes_back_as_it_was_written(n, event, who, photo):
    entry = check_entry(Entry(n, event, AT, who, photo))
    assert entry == Entry(n, event, AT, who, photo)
    assert parse_entry(json.loads(json.dumps(format_entry(entry)))) == entry


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("move", {}),
        ("record", {"seat": 1}),
        ("record", {"event": "start"}),
        ("undo", {"n": 0}),
        ("undo", {"n": True}),
        ("undo", {"n": 1, "why": "x"}),
        ("doubt", {"id": "", "reads": {}}),
        ("doubt", {"id": "a", "reads": {"B": 2}}),
        ("doubt", {"id": "a", "reads": {}, "box": [1, 2, 3]}),
        ("proposal", {"id": "a", "n": 1, "reading": []}),
        ("note", {"text": None}),
    ],
)
def test_what_is_no_event_is_refused(kind, body):
    with pytest.raises(GameLogError):
        parse_entry({"n": 1, "kind": kind, "at": AT, "body": body})


@pytest.mark.parametrize(
    "event", [Note("\ud800"), Note("x" * 1_000_001), Record({"event": "take", "seat": float("nan")})]
)
def test_what_cannot_be_written_is_refused_before_anything_is(game, event):
    with pytest.raises(GameLogError, match="cannot be logged"):
        game.append(event)
    assert game.entries() == []


# -------------------------------------------------------------------------------------------------- fold


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_folded_game_is_what_a_replay_says(path):
    lines = parse_lines(path.read_bytes())
    folded = folded_of(lines)
    steps = [replace(step, n=step.n - 1) for step in replay(lines)][1:]
    assert list(folded.steps) == steps
    assert folded.state == steps[-1].state
    assert [breach.violation for breach in folded.breaches] == [v for step in steps for v in step.violations]
    scores = ledger(folded)
    assert [scores.at(step.n).track for step in steps] == [
        tuple(Score(score, score) for score in step.state.scores) for step in steps
    ]


def test_undoing_the_last_event_leads_back_and_redoing_it_forth():
    before, whole = folded_of(GOOD[:-1]), folded_of(GOOD)
    undone = folded_of(GOOD, Undo(len(GOOD) - 1))
    assert undone.state == before.state
    assert undone.undone == {len(GOOD) - 1}
    redone = folded_of(GOOD, Undo(len(GOOD) - 1), Redo(len(GOOD) - 1))
    assert (redone.state, redone.steps, redone.undone) == (whole.state, whole.steps, frozenset())


def test_what_cannot_follow_any_more_is_stranded_and_comes_back():
    second_fill = next(n for n, line in enumerate(GOOD[2:], 2) if '"fill"' in line)
    without_fill = folded_of(GOOD, Undo(1))
    assert [step.n for step in without_fill.stranded][: second_fill - 2] == list(range(2, second_fill))
    assert all(step.violations for step in without_fill.stranded)
    assert without_fill.live[0] == second_fill
    assert folded_of(GOOD, Undo(1), Redo(1)).steps == folded_of(GOOD).steps


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_undo_and_redo_drop_nothing_and_adding_is_folding(data):
    start, entries = parse_start(GOOD[0]), entries_of(GOOD[:20])
    folded = fold(start.edition, start.setup, entries)
    records = {entry.n for entry in entries}
    for _ in range(data.draw(st.integers(1, 8))):
        n = data.draw(st.sampled_from(sorted(records)))
        entry = Entry(folded.last + 1, Redo(n) if n in folded.undone else Undo(n), AT)
        entries.append(entry)
        folded = advance(folded, [entry])
        assert folded == fold(start.edition, start.setup, entries)
        parts = [set(folded.live), {step.n for step in folded.stranded}, set(folded.undone)]
        assert sum(map(len, parts)) == len(records)
        assert set().union(*parts) == records


def test_a_breach_stands_once_it_is_allowed_and_no_longer_when_that_is_undone():
    first = folded_of(BROKEN).breaches[0]
    allow = Allow(first.n, first.violation.rule)
    allowed = folded_of(BROKEN, allow).breaches
    assert all(breach.allowed == (breach.violation.rule == allow.rule) for breach in allowed if breach.n == first.n)
    assert not any(breach.allowed for breach in allowed if breach.n != first.n)
    assert not any(breach.allowed for breach in folded_of(BROKEN, allow, Undo(len(BROKEN))).breaches)


def test_a_doubt_is_open_until_it_is_answered():
    doubt = Doubt("d1", {"R": 0.7, ".": 0.3}, "wall.2.4", 1, (10, 20, 30, 40))
    n = len(GOOD)
    assert folded_of(GOOD, doubt).doubts == {n: doubt}
    assert folded_of(GOOD, doubt, Answer("d1", "R")).doubts == {}
    assert folded_of(GOOD, doubt, Answer("d1", "R"), Undo(n + 1)).doubts == {n: doubt}
    assert folded_of(GOOD, doubt, Undo(n)).doubts == {}


def test_a_proposal_changes_nothing_until_somebody_answers():
    n = len(GOOD)
    proposal = Proposal("p1", n, {"boards": []}, "newer")
    folded = folded_of(GOOD, PhotoRead({"boards": []}, "old"), proposal)
    assert folded.proposals == {n + 1: proposal}
    assert folded.steps == folded_of(GOOD).steps
    assert folded_of(GOOD, PhotoRead(), proposal, Answer("p1", "no")).proposals == {}


@pytest.mark.parametrize(
    "events",
    [
        [Undo(999)],
        [Undo(1), Undo(1)],
        [Redo(1)],
        [PhotoRead(), Undo(len(GOOD))],
        [Undo(1), Undo(len(GOOD))],
        [Answer("nobody asked", "R")],
        [Doubt("a", {}), Doubt("a", {})],
        [Allow(1, "AZ-PL-03")],
        [Proposal("a", 1, {})],
    ],
)
def test_what_refers_to_nothing_is_refused(events):
    with pytest.raises(GameLogError):
        folded_of(GOOD, *events)


# ------------------------------------------------------------------------------------------------- store


def test_a_game_is_there_again_after_reopening(tmp_path):
    with GameLog(tmp_path) as log:
        game = log.create(parse_start(GOOD[0]))
        play(game, GOOD, len(GOOD))
        kept, entries = game.folded, game.entries()
    with GameLog(tmp_path) as log:
        (again,) = log.games()
        assert again.id == game.id
        assert again.start == game.start
        assert again.refresh() == kept
        assert again.entries() == entries
        assert again.folded.state == folded_of(GOOD).state


def test_names_seats_and_options_are_kept(log):
    start = {"event": "start", "edition": "azul", "side": "grey", "players": ["Ольга", "Ann", "Їжак"], "first": 2}
    log.create(parse_start(json.dumps(start | {"options": {"scoreMin": -5}})))
    (game,) = log.games()
    assert game.start.names == ("Ольга", "Ann", "Їжак")
    assert (game.start.setup.first, game.start.setup.options.score_min) == (2, -5)


def test_a_person_corrects_and_the_correction_stays(game):
    play(game, GOOD, 4)
    game.append(Record({"event": "correct", "seat": 1, "cells": {"score": 25}, "why": "the cube had slipped"}), "Ann")
    assert game.folded.state.scores[0] == 25
    photo = game.append(PhotoRead({"boards": []}, "old"), photo=Photo(b"picture"))
    game.append(Proposal("p", photo.n, {"boards": [{"score": 0}]}, "new"), "reread", photo.photo)
    assert game.folded.state.scores[0] == 25
    game.undo(who="Ann")
    assert game.folded.state.scores[0] == 0


def test_undo_and_redo_go_by_themselves_to_the_last_event(game):
    play(game, GOOD, 6)
    game.append(Note("wait"))
    assert [game.undo().event, game.undo().event] == [Undo(6), Undo(5)]
    assert [game.redo().event, game.redo().event] == [Redo(5), Redo(6)]
    with pytest.raises(GameLogError, match="nothing to redo"):
        game.redo()
    game.undo()
    game.append(Record(json.loads(GOOD[6])))
    with pytest.raises(GameLogError, match="gone on"):
        game.redo()
    assert game.refresh() == fold(game.start.edition, game.start.setup, game.entries())


def test_nothing_to_undo(game):
    with pytest.raises(GameLogError, match="nothing to undo"):
        game.undo()


@pytest.mark.parametrize(
    "event", [{"event": "take", "seat": 1, "from": 1, "colour": "B", "line": 1}, {"event": "jump"}]
)
def test_what_cannot_have_happened_is_not_logged(game, event):
    with pytest.raises(GameLogError, match="cannot have happened"):
        game.append(Record(event), photo=Photo(b"evidence"))
    assert game.entries() == []
    assert game.log.check().orphans == ()


def test_two_that_hold_the_same_game_see_each_other(tmp_path):
    with GameLog(tmp_path) as one, GameLog(tmp_path) as other:
        here = one.create(parse_start(GOOD[0]))
        (there,) = other.games()
        play(here, GOOD, 3)
        assert there.append(Note("me too")).n == 4
        assert here.append(Note("and me")).n == 5
        assert there.refresh() == here.folded


def test_every_listener_hears_of_every_event_until_it_stops(log, game):
    first, second = [], []
    stop = log.listen(lambda *news: first.append(news))
    log.listen(lambda *news: second.append(news))
    play(game, GOOD, 1)
    stop()
    play(game, GOOD[1:], 1)
    assert first == [(game.id, 1)]
    assert second == [(game.id, 1), (game.id, 2)]


def test_many_at_once_leave_no_gap(game):
    with ThreadPoolExecutor(8) as pool:
        numbers = sorted(pool.map(lambda i: game.append(Note(str(i))).n, range(40)))
    assert numbers == list(range(1, 41))
    assert game.folded.last == 40


def test_photos_are_kept_by_what_is_in_them(game, tmp_path):
    first = game.append(PhotoRead(None, "m"), photo=Photo(b"picture", AT, "IMG_1.jpg"))
    again = game.append(PhotoRead(None, "m"), photo=Photo(b"picture", None, "copy.jpg"))
    game.append(Doubt("d", {"B": 0.6}), photo=first.photo)
    assert again.photo == first.photo
    assert game.log.read_photo(first.photo) == b"picture"
    assert [(row.bytes, row.taken_at, row.source) for row in game.photo_rows()] == [(7, AT, "IMG_1.jpg")]
    path = tmp_path / "data" / "photos" / first.photo[:2] / first.photo[2:4] / first.photo
    assert path.read_bytes() == b"picture"


def test_an_event_speaks_of_no_unknown_photo(game):
    with pytest.raises(GameLogError, match="no photo"):
        game.append(Note("look"), photo=SHA)


def test_photos_lost_damaged_and_left_over_are_told(game):
    lost, spoilt = (game.append(PhotoRead(), photo=Photo(data)).photo for data in (b"lost", b"spoilt"))
    orphan = game.log.photos.keep(b"orphan")
    game.log.photos.path(lost).unlink()
    game.log.photos.path(spoilt).write_bytes(b"SPOILT")
    found = game.log.check()
    assert (found.missing, found.damaged, found.orphans) == ((lost,), (spoilt,), (orphan,))
    assert found.lost
    with pytest.raises(GameLogError, match="damaged"):
        game.log.read_photo(spoilt)
    with pytest.raises(GameLogError, match="No such file"):
        game.log.read_photo(lost)


def test_half_written_photos_are_cleared_away_on_opening(tmp_path):
    GameLog(tmp_path).close()
    draft = tmp_path / "photos" / "incoming" / SHA
    draft.parent.mkdir(parents=True)
    draft.write_bytes(b"half")
    with GameLog(tmp_path) as log:
        assert not draft.exists()
        assert not log.check().lost


def test_a_photo_is_on_the_disk_before_its_row(game, monkeypatch):
    order = []

    def note(module, name, word):
        real = getattr(module, name)

        def noted(*args):
            order.append(word)
            return real(*args)

        monkeypatch.setattr(module, name, noted)

    note(os, "fsync", "sync")
    note(Path, "replace", "name")
    note(companion.gamelog.game, "insert_photo", "row")
    game.append(PhotoRead(), photo=Photo(b"picture"))
    assert order[: order.index("row") + 1][-7:] == ["sync", "name", "sync", "sync", "sync", "sync", "row"]


# ---------------------------------------------------------------------------------------------- database


def run_sql(log, sql):
    with log.writing("trying") as connection:
        return connection.execute(text(sql)).fetchall()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE events SET body = '{}'",
        "DELETE FROM events",
        "INSERT INTO events SELECT game, n + 2, kind, body, photo, at, who, link FROM events",
        "INSERT OR REPLACE INTO events SELECT game, n, kind, '{}', photo, at, who, link FROM events",
        "DELETE FROM games",
        "INSERT INTO events SELECT 'nobody', n, kind, body, photo, at, who, link FROM events",
    ],
)
def test_the_database_itself_refuses_to_change_what_is_logged(game, sql):
    game.append(Note("stays"))
    with pytest.raises(GameLogError) as refused:
        run_sql(game.log, sql)
    assert isinstance(refused.value.__cause__, IntegrityError)
    assert [entry.event for entry in game.entries()] == [Note("stays")]


def test_every_connection_writes_through(log):
    with log.reading("looking") as connection:
        asked = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in ("journal_mode", "synchronous")}
        assert asked == {"journal_mode": "wal", "synchronous": 2}
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1


def test_the_migrations_make_the_tables_that_are_used(log):
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS_DIR))
    assert ScriptDirectory.from_config(config).get_current_head() == schema.HEAD
    with log.reading("comparing") as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


def test_a_newer_database_is_left_alone(tmp_path):
    with GameLog(tmp_path) as log:
        run_sql(log, "UPDATE alembic_version SET version_num = '9999' RETURNING 1")
    with pytest.raises(GameLogError, match=r"newer .* update azul-companion"):
        GameLog(tmp_path)


@pytest.mark.parametrize("spoil", [b"this is no database, but a text" * 200, None])
def test_a_damaged_database_is_told_and_left_as_it_is(tmp_path, spoil):
    with GameLog(tmp_path) as log:
        play(log.create(parse_start(GOOD[0])), GOOD, 20)
    path = tmp_path / "games.sqlite3"
    whole = path.read_bytes()
    spoilt = spoil or whole[:4096] + b"\xa5" * (len(whole) - 4096)
    path.write_bytes(spoilt)
    with pytest.raises(GameLogError, match="damaged"), GameLog(tmp_path) as log:
        log.games()
    assert path.read_bytes() == spoilt


@pytest.mark.parametrize(
    ("pragma", "told"), [("max_page_count = 1", "disk is full"), ("query_only = ON", "can only be read")]
)
def test_full_and_read_only_are_told_and_nothing_is_lost(log, game, pragma, told):
    game.append(Note("before"))
    with log.reading("limiting") as connection:
        connection.exec_driver_sql(f"PRAGMA {pragma}")
    with pytest.raises(GameLogError, match=told):
        game.append(Note("x" * 100_000))
    log.close()
    game.append(Note("after"))
    assert [entry.event for entry in game.entries()] == [Note("before"), Note("after")]


def test_a_folder_that_is_none_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(GameLogError, match="opening the game log"):
        GameLog(tmp_path / "file" / "data")


def test_where_games_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("AZUL_DATA", raising=False)
    assert data_dir() == tmp_path / "azul-companion"
    monkeypatch.setenv("AZUL_DATA", str(tmp_path / "told"))
    assert data_dir() == tmp_path / "told"
    assert data_dir(tmp_path / "named") == tmp_path / "named"


def test_games_are_found_by_the_beginning_of_their_ids(log):
    ids = [log.create(parse_start(GOOD[0])).id for _ in range(2)]
    assert log.game(ids[0]).id == ids[0]
    for name in ("", "no such game"):
        with pytest.raises(GameLogError, match="no game"):
            log.game(name)


def test_the_last_events_are_told_at_a_glance(log):
    first, second = log.create(parse_start(GOOD[0])), log.create(parse_start(GOOD[0]))
    first.append(Note("one"))
    first.append(Note("two"))
    assert log.latest() == {first.id: 2, second.id: 0}
    assert [entry.event for entry in first.entries(after=1)] == [Note("two")]
    assert first.entry(1).event == Note("one")
    with pytest.raises(GameLogError, match="has no event 3"):
        first.entry(3)


def test_a_deleted_game_leaves_nothing_but_what_others_share(log):
    gone, stays = log.create(parse_start(GOOD[0])), log.create(parse_start(GOOD[0]))
    own = gone.append(PhotoRead(), photo=Photo(b"own")).photo
    shared = gone.append(PhotoRead(), photo=Photo(b"shared")).photo
    stays.append(PhotoRead(), photo=Photo(b"shared"))
    log.delete(gone)
    assert [game.id for game in log.games()] == [stays.id]
    assert not log.photos.path(own).exists()
    assert log.read_photo(shared) == b"shared"
    assert log.check() == Findings()
    with pytest.raises(GameLogError):
        gone.append(Note("too late"))
    with pytest.raises(GameLogError, match="never deleted"), log.writing("deleting") as connection:
        connection.execute(text("DELETE FROM events"))
