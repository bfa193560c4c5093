"""A table without pictures: what lies there goes straight to who follows the game, so that hours pass in seconds.

As a program (`python live_table.py FOLDER SEED`) it follows a game until it is over or killed, and says the number of
each event once that is logged.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import companion.capture.session
from companion.capture.session import Session
from companion.gamelog import Game, GameLog
from companion.lab.imagine import imagine_json
from companion.lab.play import play_greedily
from companion.lab.simulate import simulate
from companion.reconcile.live.follow import Follower
from companion.reconcile.live.outcome import Outcome
from engine import parse_start
from hardware.camera import CameraError, Frame
from vision.gate import STILL
from vision.sighting import Sighting

START = parse_start('{"event":"start","edition":"azul","side":"coloured","players":2,"first":1}')
AZUL = START.edition


class BlankCamera:
    """Pictures of one grey each, another one whenever the table changes; `state` is what really lies there."""

    def __init__(self, state: Any) -> None:
        self.state, self.number, self.failures = state, 0, 0
        self._shade = 60

    def show(self, state: Any) -> None:
        self.state = state
        self._shade = 120 if self._shade == 60 else 60

    def preview(self) -> Frame:
        if self.failures:
            self.failures -= 1
            raise CameraError("the cable is out")
        self.number += 1
        picture = np.full((36, 64, 3), 100, np.uint8)
        picture[:12] = self._shade + 80
        return Frame(picture, self.number, self.number / 5)

    def capture(self) -> Frame:
        return Frame(np.full((36, 64, 3), self._shade, np.uint8), self.number, self.number / 5)

    def close(self) -> None:
        pass


def imagining(camera: BlankCamera) -> Any:
    """What stands for looking at the camera's picture."""

    def follow(
        _picture: object,
        _networks: object,
        follower: Follower,
        again: bool = False,
        _focal: object = None,
        _known: object = None,
    ) -> tuple[Sighting, Outcome]:
        sighting = imagine_json(AZUL.format_table(AZUL.table(camera.state)))
        return sighting, follower.see(sighting, again)

    return follow


def watch(session: Session) -> None:
    """Let the camera look until nothing more happens."""
    session.step()
    while session.step() != STILL or not session.is_waiting:
        pass


def play(camera: BlankCamera, session: Session, game: Game, rng: Random, moves: int | None = None) -> None:
    """Play on from where the table stands."""
    watch(session)
    for done, step in enumerate(simulate(AZUL, START.setup, rng, policy=play_greedily, state=camera.state)):
        if done == moves:
            return
        camera.show(step.state)
        watch(session)
        assert game.folded.state == step.state


def main(folder: Path, seed: int) -> None:
    with GameLog(folder) as log:
        games = log.games()
        game = games[0] if games else log.create(START)
        camera = BlankCamera(game.refresh().state)
        vars(companion.capture.session)["follow_picture"] = imagining(camera)
        networks: Any = None
        session = Session(camera, game, networks, lambda entry: say(f"n {entry.n}"), 0.0)
        play(camera, session, game, Random(seed))
        say("over")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
