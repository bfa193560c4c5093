"""A game followed with a camera: preview, gate, look, reconcile, log. Made to be run in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from companion.capture.scribe import Heed, Scribe, Told
from companion.errors import CompanionError
from companion.gamelog import Game, GameLogError, Photo, PhotoRead
from companion.gamelog.events import now
from companion.pipeline import follow_picture, networks_name
from companion.reconcile.live.follow import Follower, Known
from companion.reconcile.live.outcome import Outcome
from companion.reconcile.live.places import Places, Point, Seen
from companion.reconcile.photo import to_table
from engine.text import Words, say
from hardware.camera import Camera, CameraError, CameraLostError, Frame, NoMorePhotosError
from vision.errors import VisionError
from vision.gate import CHANGED, MOVING, STILL, Gate
from vision.network import Families
from vision.pose import Array
from vision.scene import KnownTable
from vision.sighting import Sighting

PACE_S = 0.2
"""From one preview to the next."""
CALM_PACES = 3
"""So much more seldom they come while nothing moves: a hand stays longer than that."""
PAUSE_S = 2.0
"""How long a camera that failed is left alone."""
PATIENCE = 15
"""After so many previews a table in which no board was found is looked at again."""
MOST_PATIENCE = 20 * PATIENCE
"""It is looked at ever more seldom, down to this: an empty table is not worth a warm processor all night."""
JPEG_QUALITY = 92


class Session:
    """One game at one table; where it stands is always the log's word."""

    _patience = PATIENCE

    def __init__(
        self,
        camera: Camera,
        game: Game,
        networks: Families,
        told: Told = lambda _: None,
        pace_s: float = PACE_S,
        worried: Callable[[Words], None] = lambda _: None,
        handheld: bool = False,
        carries: bool = True,
    ) -> None:
        """`told` is called with each entry that is logged, `worried` with whatever begins to be wrong.

        With `carries` each look rests on what the one before knew, as far as that still holds.
        """
        self._camera, self._networks, self._pace_s, self._worried = camera, networks, pace_s, worried
        self._scribe = Scribe(game, told, networks_name())
        self._carries = carries and not handheld
        self._gate = Gate()
        folded = self._scribe.folded
        self._follower = Follower(folded.edition, folded.state, self._known(), self._scribe.unknown())
        self._follower.places, self._follower.handheld = logged_places(game), handheld
        self._again, self._blind = False, 0
        self._table: KnownTable | None = None
        """What the last look knew of the table."""
        self.looks = 0
        """How many pictures were read."""
        self.trouble: Words = ""
        """What is wrong just now with the camera or the picture, for people to read."""

    @property
    def follower(self) -> Follower:
        """What follows the game."""
        return self._follower

    @property
    def is_waiting(self) -> bool:
        """Whether nothing is left to be looked at until something happens."""
        return not (self._again or self._blind)

    def stir(self) -> None:
        """Have the table looked at as soon as it is still, whatever it shows: somebody says that it changed."""
        self._gate.stir()

    def run(self, stop: threading.Event) -> None:
        """Follow the game until told to stop, or until there is nothing more to see."""
        while not stop.is_set():
            try:
                is_calm = self.step() == STILL and self.is_waiting
                pause = self._pace_s * (CALM_PACES if is_calm else 1)
            except (NoMorePhotosError, CameraLostError):
                raise
            except (CameraError, GameLogError) as error:
                pause = PAUSE_S
                self._worry(error.words)
                self._agree()
            stop.wait(pause)

    def step(self) -> str:
        """Take one preview and do what it calls for; what the gate said of it."""
        heeded = self._scribe.heed(self._follower.playable)
        if heeded is Heed.LOOK:
            self._agree()
        elif heeded is Heed.GIVE_UP:
            self._follower.give_up(self._scribe.folded.state, self._known())
            self._again = False
        view = self._gate.watch(self._camera.preview().picture)
        if view == MOVING:
            self._again = False
        elif view == CHANGED:
            self._patience = PATIENCE
            self._look(again=False)
        elif view == STILL and self._again:
            self._look(again=True)
        elif view == STILL and self._blind:
            self._blind -= 1
            if not self._blind:
                self._try_again()
        return view

    def _try_again(self) -> None:
        """Look for boards once more; in vain, it takes twice as long until the next time."""
        self._look(again=False)
        if self._blind:
            self._blind = self._patience = min(2 * self._patience, MOST_PATIENCE)

    def _agree(self) -> None:
        """Go on from where the log stands, and look at the table anew."""
        self._follower.agree(self._scribe.folded.state, self._known())
        self._gate.stir()

    def _known(self) -> Known:
        """What the log tells beside where it stands."""
        return Known(self._scribe.past(), self._scribe.words(), self._scribe.open_scores())

    def _look(self, again: bool) -> None:
        """A full picture, read and reconciled; one that a hand got into is not looked at."""
        frame = self._camera.capture()
        if self._gate.watch(self._camera.preview().picture) == MOVING:
            return
        self._again, self._blind = False, 0
        self.looks += 1
        try:
            sighting, outcome = follow_picture(
                frame.picture, self._networks, self._follower, again, frame.focal_px, self._table
            )
        except VisionError as error:
            self._table = None
            self._worry(error.words)
            self._blind = PATIENCE
            return
        self._table = sighting.known if self._carries else None
        self._worry(self._wrong_with(sighting))
        self._again = outcome.look_again
        self._blind = 0 if self._follower.places else PATIENCE
        self._write(outcome, sighting, frame)

    def _wrong_with(self, sighting: Sighting) -> Words:
        """Why a picture tells nothing of the game, for people to read; nothing where it does."""
        if sighting.side not in ("", self._follower.state.setup.side):
            return say("the boards show another side than the one that the game was begun on")
        return "" if self._follower.places else say("not every player's board is in view yet")

    def _worry(self, trouble: Words) -> None:
        before, self.trouble = self.trouble, trouble
        if trouble and trouble != before:
            self._worried(trouble)

    def _write(self, outcome: Outcome, sighting: Sighting, frame: Frame) -> None:
        seen = self._follower.seen
        if seen is None or not (outcome.is_news or outcome.question or outcome.scores):
            return
        done, data = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        if not done:
            raise CompanionError(say("the camera's picture could not be written as a JPEG"))
        reading = seated_table(sighting, seen, self._scribe.folded.edition)
        self._scribe.write(outcome, reading, Photo(data.tobytes(), now(), "camera"))


def seated_table(sighting: Sighting, seen: Seen, edition: Any) -> dict[str, Any]:
    """The Table of a sighting with the seats of the game, and its discs with their numbers."""
    table = to_table(seen.of(sighting), edition)
    for number, disc in zip(seen.discs, table.get("factories", ()), strict=False):
        disc["number"] = number
    return table


def logged_places(game: Game) -> Places | None:
    """Where everything lay in the last photo of a game that is resumed."""
    boards: dict[int, Point] = {}
    discs: dict[int, Point] = {}
    outlines: dict[int, Array] = {}
    for entry in game.entries():
        if isinstance(entry.event, PhotoRead) and entry.event.reading:
            for board in entry.event.reading.get("boards", ()):
                corners = board["corners_px"]
                boards[board["seat"]] = (sum(x for x, _ in corners) / 4, sum(y for _, y in corners) / 4)
                outlines[board["seat"]] = np.array(corners, float)
            for disc in entry.event.reading.get("factories", ()):
                if "number" in disc:
                    discs[disc["number"]] = (disc["centre_px"][0], disc["centre_px"][1])
    return Places(boards, discs, outlines) if len(boards) == game.start.setup.players else None
