"""A game followed with a camera, from the first preview to the log."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.live
from companion.gamelog import Answer, Doubt, Entry, GameLog, PhotoRead, Record, Undo
from companion.live import Session
from companion.simulate import simulate
from engine import OVER
from engine.editions.azul.moves import Take
from engine.moves import Fill, Slip
from vision.errors import BoardNotFoundError

RUNNER = Path(__file__).with_name("live_table.py")
spec = importlib.util.spec_from_file_location("live_table", RUNNER)
assert spec
assert spec.loader
table: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)
AZUL = table.AZUL
NO_NETWORKS: Any = None
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
        monkeypatch.setattr(companion.live, "follow_picture", table.imagining(self.camera))
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


def test_an_answer_that_cannot_be_played_is_noted(followed, game):
    game.append(Doubt("azul-1", {"-": 1.0}))
    game.append(Answer("azul-1", "1:9B>2"), "Ann")
    table.watch(followed.session)
    assert "cannot be played" in game.entries()[-1].event.text


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
    monkeypatch.setattr(companion.live, "PAUSE_S", 0.01)
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


def test_ten_hours_leave_memory_flat_and_a_log_that_is_read_at_once(followed, game):
    """A move every few minutes and five previews a second: hours of nothing, compressed."""
    rng, camera, session = Random(5), followed.camera, followed.session
    sizes = []
    tracemalloc.start()
    for step in simulate(AZUL, table.START.setup, rng):
        camera.show(step.state)
        table.watch(session)
        for _ in range(60):
            session.step()
        if game.folded.last % 20 == 0 or step.state.phase == OVER:
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert game.folded.state.phase == OVER
    # What grows is the game itself: a few kilobytes for each event.
    assert sizes[-1] - sizes[0] < 12_000 * game.folded.last
    started = time.process_time()
    assert game.log.game(game.id).refresh().state == game.folded.state
    assert time.process_time() - started < 1.0


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
    monkeypatch.setattr(companion.live, "follow_picture", table.imagining(camera))
    session, paced = Session(camera, game, NO_NETWORKS, pace_s=0.1), Paced(30)
    session.run(paced)
    assert paced.pauses[:4] == [0.1] * 4, "until the table is still"
    assert paced.pauses[-1] == pytest.approx(0.1 * companion.live.CALM_PACES)
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
    monkeypatch.setattr(companion.live, "follow_picture", find_nothing)
    session = Session(camera, game, NO_NETWORKS, pace_s=0.0)
    for _ in range(4000):
        session.step()
    apart = [later - earlier for earlier, later in pairwise(looks)]
    assert apart[:3] == pytest.approx([15, 30, 60], abs=2)
    assert max(apart) == pytest.approx(companion.live.MOST_PATIENCE, abs=2)
    camera.show(AZUL.enact(camera.state, FILL))
    before = len(looks)
    for _ in range(8):
        session.step()
    assert len(looks) == before + 1, "whatever moves is looked at, however long nothing did"
