"""A game followed with a camera, from the first preview to the log."""

from __future__ import annotations

import gc
import importlib.util
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from dataclasses import replace
from itertools import pairwise, takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.capture.session
import companion.reconcile.live.unknown
from companion.capture.session import Session
from companion.gamelog import NOBODY_KNOWS, Answer, Doubt, Entry, GameLog, Note, PhotoRead, Record, Undo
from companion.lab.simulate import simulate
from companion.narration import narrate_entry
from engine import OVER, parse_start
from engine.editions.azul.moves import Take
from engine.moves import Fill, Slip
from engine.text import Words
from vision.errors import BoardNotFoundError

RUNNER = Path(__file__).with_name("live_table.py")
spec = importlib.util.spec_from_file_location("live_table", RUNNER)
assert spec
assert spec.loader
table: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)
AZUL = table.AZUL
NO_NETWORKS: Any = None
PREVIEWS = int(os.environ.get("AZUL_PREVIEWS", "6000"))
"""In the game of ten hours; a camera that looks five times a second takes 180,000."""
ROUNDS = max(6, PREVIEWS // 3000)
"""It lasts so long as well: a round is played in ten minutes."""
LOG = logging.getLogger(__name__)
FILL = Fill(("BBKR", "KKWY", "RRRW", "BYYY", "KRWW"))


@pytest.fixture
def game(tmp_path):
    with GameLog(tmp_path) as log:
        yield log.create(table.START)


class Followed:
    """A game with its camera and its session."""

    def __init__(self, game, monkeypatch, state=None):
        self.game, self.told = game, list[Entry]()
        self.camera = table.BlankCamera(state or game.refresh().state)
        monkeypatch.setattr(companion.capture.session, "follow_picture", table.imagining(self.camera))
        self.session = Session(self.camera, game, NO_NETWORKS, self.told.append, 0.0)
        table.watch(self.session)

    def do(self, *moves):
        state = self.camera.state
        for move in moves:
            state = AZUL.settle(AZUL.enact(state, move))
        self.camera.show(state)
        table.watch(self.session)


@pytest.fixture
def followed(game, monkeypatch):
    return Followed(game, monkeypatch)


def kinds(game):
    return [type(entry.event) for entry in game.entries()]


def test_what_happens_is_logged_with_its_photo(followed, game):
    followed.do(FILL)
    followed.do(Take(1, 2, "K", 3))
    entries = game.entries()
    assert kinds(game) == [PhotoRead, Record, PhotoRead, Record]
    assert entries[3].event.event == {"event": "take", "seat": 1, "from": 2, "colour": "K", "line": 3}
    assert entries[2].photo == entries[3].photo
    assert game.log.read_photo(entries[3].photo)[:2] == b"\xff\xd8"
    assert [disc["number"] for disc in entries[2].event.reading["factories"]] == [1, 2, 3, 4, 5]
    assert [entry.n for entry in followed.told] == [1, 2, 3, 4]


def test_nothing_is_logged_while_nothing_happens(followed, game):
    for _ in range(50):
        followed.session.step()
    assert game.entries() == []


def test_a_breach_is_logged_with_its_crop(followed, game):
    followed.do(FILL)
    followed.do(Take(2, 2, "K", 3))
    (found,) = game.entries()[2].event.reading["violations"]
    assert found["rule"] == "AZ-DR-07"
    assert found["legal"]
    assert [breach.violation.rule for breach in game.folded.breaches] == ["AZ-DR-07"]


def test_a_person_answers_and_the_game_goes_on_from_there(followed, game):
    followed.do(FILL)
    moves = Take(1, 2, "K", 1, (Slip("hidden", "K"),)), Take(2, 3, "R", 4)
    followed.do(moves[0])
    followed.do(moves[1])
    (doubt,) = game.refresh().doubts.values()
    truth = " ".join(map(AZUL.format_move, moves))
    assert truth in doubt.reads
    assert doubt.box
    game.append(Answer(doubt.id, truth), "Ann")
    table.watch(followed.session)
    assert game.refresh().state == followed.camera.state
    followed.do(Take(1, 4, "Y", 4))
    assert game.folded.state == followed.camera.state


def test_an_answer_given_while_nobody_followed_is_heeded_at_the_start(followed, game, monkeypatch):
    followed.do(FILL)
    moves = Take(1, 2, "K", 1, (Slip("hidden", "K"),)), Take(2, 3, "R", 4)
    followed.do(moves[0])
    followed.do(moves[1])
    (doubt,) = game.refresh().doubts.values()
    game.append(Answer(doubt.id, " ".join(map(AZUL.format_move, moves))), "Ann")
    state = followed.camera.state
    Followed(game, monkeypatch, state)
    assert game.refresh().state == state


def test_who_says_that_nothing_happened_is_not_asked_again(followed, game):
    followed.do(FILL)
    followed.do(Take(1, 2, "K", 1, (Slip("hidden", "K"),)))
    followed.do(Take(2, 3, "R", 4))
    (doubt,) = game.refresh().doubts.values()
    game.append(Answer(doubt.id, "-"), "Ann")
    table.watch(followed.session)
    assert not game.refresh().doubts
    assert len(game.folded.live) == 1


def asked_about_a_breach(followed, game):
    """A game in which a rule was broken in one of several ways that look the same afterwards."""
    followed.do(FILL)
    followed.do(Take(1, 2, "K", 1, (Slip("hidden", "K"),)))
    followed.do(Take(2, 3, "R", 4))
    (doubt,) = game.refresh().doubts.values()
    return doubt


def test_the_terminal_tells_a_question_in_plain_words(followed, game):
    asked_about_a_breach(followed, game)
    start = replace(game.start, names=("Ann", "Ben"))
    told = [line for entry in followed.told for line in narrate_entry(start, game.folded, entry)]
    asked, choice = told[-2:]
    assert "What was played?" in asked
    assert choice.strip().startswith("100 %  Ann takes black from factory 2 to line 1 (1 tile")
    assert "or 1 tile stayed in the hand" in choice
    assert choice.endswith("; Ben takes red from factory 3 to line 4")


def test_where_nobody_knows_which_rule_was_broken_the_game_goes_on_as_the_table_lies(followed, game):
    doubt = asked_about_a_breach(followed, game)
    assert doubt.seat == 1, "the board in doubt is not the one of whoever moved last"
    game.append(Answer(doubt.id, NOBODY_KNOWS), "Ann")
    table.watch(followed.session)
    assert not game.refresh().doubts
    assert AZUL.table(game.folded.state) == AZUL.table(followed.camera.state)
    assert not game.folded.breaches, "nobody is accused"
    assert [event["event"] for event in game.folded.record_events()[1:]] == ["correct", "correct", "correct"]
    followed.do(Take(1, 4, "Y", 4))
    followed.do(Take(2, 5, "W", 2))
    assert game.folded.state.boards == followed.camera.state.boards
    assert not game.folded.doubts


def test_where_nobody_knows_the_likeliest_legal_explanation_is_taken_and_logged_as_such(followed, game):
    followed.do(FILL)
    game.append(Doubt("azul-1", {"2:2K>3": 0.5, "1:2K>3": 0.3, "1:2K>2": 0.2}))
    game.append(Answer("azul-1", NOBODY_KNOWS), "Ann")
    followed.session.step()
    assert game.refresh().record_events()[-1] == AZUL.format_event(Take(1, 2, "K", 3))
    assert not game.folded.breaches
    assert "nobody knows" in str(next(entry.event.text for entry in game.entries() if isinstance(entry.event, Note)))


def test_where_nobody_knows_and_nothing_is_likely_the_game_stays_where_it_was(followed, game):
    followed.do(FILL)
    before = game.refresh().state
    game.append(Doubt("azul-1", {"2:2K>3": 0.5, "2:2K>2": 0.49, "1:2K>3": 0.01}))
    game.append(Answer("azul-1", NOBODY_KNOWS), "Ann")
    table.watch(followed.session)
    assert game.refresh().state == before
    followed.do(Take(1, 2, "K", 3))
    assert game.folded.state == followed.camera.state


def test_what_nobody_knows_is_not_asked_again_of_the_same_moment(followed, game, monkeypatch):
    monkeypatch.setattr(companion.reconcile.live.unknown, "SURE", 2.0)
    doubt = asked_about_a_breach(followed, game)
    game.append(Answer(doubt.id, NOBODY_KNOWS), "Ann")
    for _ in range(3):
        table.watch(followed.session)
        followed.camera.show(followed.camera.state)
    assert not game.refresh().doubts
    assert not game.folded.breaches
    assert game.folded.bridges, "the game goes on from what lies on the table"
    assert [part.cells for part in AZUL.table(game.folded.state).parts] == [
        part.cells for part in AZUL.table(followed.camera.state).parts
    ]


def test_a_question_about_moves_is_withdrawn_when_people_correct_the_table(followed, game):
    asked_about_a_breach(followed, game)
    really = followed.camera.state
    game.append(Record({"event": "correct", "seat": 1, "cells": {"line.1": "K"}}), "Ann")
    game.append(Record({"event": "correct", "seat": 2, "cells": {"line.4": ".RRR"}}), "Ann")
    middle = {"factory.2": "", "factory.3": "", "centre": really.centre}
    game.append(Record({"event": "correct", "seat": 0, "cells": middle}), "Ann")
    table.watch(followed.session)
    assert not game.refresh().doubts
    assert AZUL.table(game.folded.state) == AZUL.table(really)


def test_a_cell_that_nobody_knows_is_not_asked_about_again(followed, game, monkeypatch):
    doubt = asked_about_a_cell(followed, game)
    game.append(Answer(doubt.id, NOBODY_KNOWS), "Ann")
    for each in (followed, Followed(game, monkeypatch, followed.camera.state)):
        for _ in range(4):
            each.camera.show(AZUL.correct(game.folded.state, {"floor.1": "R"}, 2))
            table.watch(each.session)
        assert not game.refresh().doubts
    assert len(game.folded.live) == 1


def asked_about_a_cell(followed, game):
    """A game in which a tile is seen on a floor line that is empty in the log."""
    followed.do(FILL)
    for _ in range(3):
        followed.camera.show(AZUL.correct(game.folded.state, {"floor.1": "R"}, 2))
        table.watch(followed.session)
    (doubt,) = game.refresh().doubts.values()
    assert (doubt.seat, doubt.cell) == (2, "floor.1")
    return doubt


def test_a_cell_is_asked_about_and_an_answer_corrects_it(followed, game):
    doubt = asked_about_a_cell(followed, game)
    told = [line for entry in followed.told for line in narrate_entry(game.start, game.folded, entry)]
    assert next(line.strip() for line in told[-3:]).endswith("? What lies in seat 2's floor 1?")
    assert {line.split("%")[1].strip() for line in told[-2:]} == {"nothing", "red"}
    game.append(Answer(doubt.id, "R"), "Ann")
    table.watch(followed.session)
    assert game.refresh().state == followed.camera.state
    assert game.folded.record_events()[-1]["cells"] == {"floor.1": "R"}
    followed.do(Take(1, 2, "K", 3))
    assert game.folded.state == followed.camera.state
    assert not game.folded.doubts


def test_a_cell_that_is_as_the_log_says_is_not_asked_about_again(followed, game, monkeypatch):
    doubt = asked_about_a_cell(followed, game)
    game.append(Answer(doubt.id, "."), "Ann")
    moves = [Take(1, 2, "K", 3), Take(2, 3, "R", 4), Take(1, 4, "Y", 4), Take(2, 5, "W", 2)]
    for move in moves[:2]:
        followed.do(move)
    anew = Followed(game, monkeypatch, followed.camera.state)
    for move in moves[2:]:
        anew.do(move)
    assert not game.refresh().doubts
    assert [event["event"] for event in game.folded.record_events()] == ["fill", *["take"] * 4]
    assert not game.folded.breaches


def test_a_cell_that_is_seen_as_it_should_be_is_no_longer_asked_about(followed, game):
    asked_about_a_cell(followed, game)
    followed.camera.show(game.folded.state)
    table.watch(followed.session)
    followed.do(Take(1, 2, "K", 3))
    assert not game.refresh().doubts


def test_what_a_person_corrected_is_never_undone_by_looking(followed, game):
    followed.do(FILL)
    followed.do(Take(1, 2, "K", 3))
    seen = followed.camera.state
    game.append(Record({"event": "correct", "seat": 1, "cells": {"floor": "W"}}), "Ann")
    for _ in range(5):
        followed.camera.show(seen)
        table.watch(followed.session)
    assert game.refresh().state == AZUL.correct(seen, {"floor.1": "W"}, 1)
    assert not game.folded.doubts
    assert not game.folded.undone


def test_an_answer_that_cannot_be_played_is_noted(followed, game):
    game.append(Doubt("azul-1", {"-": 1.0}))
    game.append(Answer("azul-1", "1:9B>2"), "Ann")
    table.watch(followed.session)
    assert "cannot be played" in str(game.entries()[-1].event.text)


def test_who_gives_an_answer_that_cannot_be_played_is_asked_again(followed, game):
    followed.do(FILL)
    followed.do(Take(1, 2, "K", 1, (Slip("hidden", "K"),)))
    followed.do(Take(2, 3, "R", 4))
    (doubt,) = game.refresh().doubts.values()
    game.append(Answer(doubt.id, "1:9B>2"), "Ann")
    table.watch(followed.session)
    (again,) = game.refresh().doubts.values()
    assert again.id != doubt.id
    assert "1:2K>1!hidden=K 2:3R>4" in again.reads


def test_a_move_taken_back_is_undone_in_the_log(followed, game):
    followed.do(FILL)
    before = followed.camera.state
    followed.do(Take(1, 2, "K", 3))
    followed.camera.show(before)
    table.watch(followed.session)
    assert kinds(game)[-1] is Undo
    assert game.folded.state == before


def test_a_person_who_undoes_is_followed(followed, game):
    followed.do(FILL)
    before = followed.camera.state
    followed.do(Take(1, 2, "K", 3))
    game.undo(who="Ann")
    followed.camera.show(before)
    table.watch(followed.session)
    assert game.folded.state == before
    followed.do(Take(1, 2, "W", 1))
    assert game.folded.state == followed.camera.state


def test_a_game_is_resumed_where_its_log_stands(followed, game, monkeypatch):
    followed.do(FILL)
    followed.do(Take(1, 2, "K", 3))
    state = followed.camera.state
    anew = Followed(game, monkeypatch, state)
    places = anew.session.follower.places
    assert places
    assert sorted(places.discs) == [1, 2, 3, 4, 5]
    anew.do(Take(2, 3, "R", 4))
    assert game.folded.state == anew.camera.state
    assert len(game.folded.live) == 3


def test_a_camera_that_fails_is_waited_for(followed, game, monkeypatch):
    monkeypatch.setattr(companion.capture.session, "PAUSE_S", 0.01)
    followed.camera.failures = 3
    stop = threading.Event()
    thread = threading.Thread(target=followed.session.run, args=(stop,))
    thread.start()
    followed.camera.show(AZUL.enact(followed.camera.state, FILL))
    deadline = time.monotonic() + 60
    while not game.folded.live and time.monotonic() < deadline:
        time.sleep(0.05)
    stop.set()
    thread.join(60)
    assert len(game.folded.live) == 1
    assert not followed.camera.failures


def held():
    """How much memory is in use, in bytes."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_boards_that_show_their_other_side_are_told_and_not_followed(tmp_path, monkeypatch):
    grey = parse_start('{"event":"start","edition":"azul","side":"grey","players":2,"first":1}')
    with GameLog(tmp_path) as log:
        game, worries = log.create(grey), list[Words]()
        camera = table.BlankCamera(AZUL.start(table.START.setup))
        monkeypatch.setattr(companion.capture.session, "follow_picture", table.imagining(camera))
        session = Session(camera, game, NO_NETWORKS, pace_s=0.0, worried=worries.append)
        for _ in range(30):
            session.step()
        assert [*map(str, worries)] == ["the boards show another side than the one that the game was begun on"]
        assert session.trouble == worries[0]
        assert not game.entries()


def test_ten_hours_leave_memory_flat_and_a_log_that_is_read_at_once(request):
    """In a process of its own: what other tests left running would count as memory of this one."""
    names = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    chosen = ["-o", "python_functions=ten_hours*", f"{__file__}::ten_hours_leave_memory_flat"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
    run = subprocess.run(command, env=names, cwd=request.config.rootpath, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout


def ten_hours_leave_memory_flat(followed, game):
    """Previews all the time, a move now and then, and a long wait at the end: hours compressed, nothing left out."""
    camera, session = followed.camera, followed.session
    steps = list(
        takewhile(lambda step: step.state.round <= ROUNDS, simulate(AZUL, table.START.setup, Random(5), policy=dawdle))
    )
    marks = [0, len(steps) // 2, len(steps) - 1]
    tracemalloc.start()
    sizes, events = [], []
    for number, step in enumerate(steps):
        camera.show(step.state)
        table.watch(session)
        wait(session, PREVIEWS // 2 // len(steps))
        if number in marks:
            sizes.append(held())
            events.append(game.folded.last)
    wait(session, PREVIEWS // 2)
    long_after = held()
    tracemalloc.stop()
    assert game.folded.state == steps[-1].state
    # What grows is the game itself: a few kilobytes for each event, no more in the evening than in the morning.
    grown = [(sizes[i + 1] - sizes[i]) / (events[i + 1] - events[i]) for i in range(2)]
    assert max(grown) < 12_000
    assert grown[1] < 1.3 * grown[0]
    assert long_after - sizes[-1] < 4_000, "nothing is kept while nothing happens"
    with GameLog(game.log.folder) as anew:
        started = time.process_time()
        replayed = anew.game(game.id).refresh()
        replay_s = time.process_time() - started
    assert replayed.state == game.folded.state
    assert replay_s < 1.0
    LOG.info("%d moves, %d events, %s bytes an event, replayed in %.2f s", len(steps), events[-1], grown, replay_s)


def dawdle(edition, state, rng):
    """A move that completes no row, so that the game goes on for hours."""

    def is_harmless(move):
        return not move.line or state.boards[move.seat - 1].wall[move.line - 1].count(".") > 1

    return rng.choice([move for move in edition.choices(state) if is_harmless(move)])


def wait(session, previews):
    for _ in range(previews):
        session.step()


def test_killed_at_any_moment_it_goes_on_where_it_stood(tmp_path):
    rng, said, over = Random(11), [], False
    for _ in range(40):
        with subprocess.Popen(
            [sys.executable, str(RUNNER), str(tmp_path), "8"], stdout=subprocess.PIPE, text=True
        ) as program:
            lines = []
            assert program.stdout
            for line in program.stdout:
                lines.append(line.split())
                if len(lines) > rng.randint(4, 40):
                    program.send_signal(signal.SIGKILL)
            over = ["over"] in lines
        said += [int(line[1]) for line in lines if line[0] == "n" and len(line) == 2]
        with GameLog(tmp_path) as log:
            (game,) = log.games()
            assert set(said) <= set(game.refresh().events)
            assert not log.check().lost
        if over:
            break
    assert over
    assert game.folded.state.phase == OVER
    assert not game.folded.breaches


class Paced(threading.Event):
    """Stops after so many pauses, and remembers them."""

    def __init__(self, most):
        super().__init__()
        self.most, self.pauses = most, []

    def is_set(self):
        return len(self.pauses) >= self.most

    def wait(self, timeout=None):
        self.pauses.append(timeout)
        return self.is_set()


def test_while_nothing_moves_previews_come_seldom(game, monkeypatch):
    camera = table.BlankCamera(game.refresh().state)
    monkeypatch.setattr(companion.capture.session, "follow_picture", table.imagining(camera))
    session, paced = Session(camera, game, NO_NETWORKS, pace_s=0.1), Paced(30)
    session.run(paced)
    assert paced.pauses[:4] == [0.1] * 4, "until the table is still"
    assert paced.pauses[-1] == pytest.approx(0.1 * companion.capture.session.CALM_PACES)
    camera.show(AZUL.enact(camera.state, FILL))
    again = Paced(3)
    session.run(again)
    assert again.pauses == [0.1] * 3


def test_an_empty_table_is_looked_at_ever_more_seldom(game, monkeypatch):
    looks = []

    def find_nothing(*_):
        looks.append(camera.number)
        raise BoardNotFoundError("no board was found")

    camera = table.BlankCamera(game.refresh().state)
    monkeypatch.setattr(companion.capture.session, "follow_picture", find_nothing)
    session = Session(camera, game, NO_NETWORKS, pace_s=0.0)
    for _ in range(4000):
        session.step()
    apart = [later - earlier for earlier, later in pairwise(looks)]
    assert apart[:3] == pytest.approx([15, 30, 60], abs=2)
    assert max(apart) == pytest.approx(companion.capture.session.MOST_PATIENCE, abs=2)
    camera.show(AZUL.enact(camera.state, FILL))
    before = len(looks)
    for _ in range(8):
        session.step()
    assert len(looks) == before + 1, "whatever moves is looked at, however long nothing did"
