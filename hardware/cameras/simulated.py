"""A camera over the simulated table: what lies there is handed to it, move by move.

Time goes on with every preview: after a change has been asked for, a hand comes, the tiles change under it, and it goes
away again. Now and then a board is pushed a little, and the light drifts.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np

from engine.layout import Layout
from hardware.camera import PREVIEW_WIDTH_PX, CameraError, Frame
from hardware.tabletop.art import Art
from hardware.tabletop.photograph import Photograph, Truth, photograph
from hardware.tabletop.stage import Stage, StageMoment
from hardware.tabletop.tiers import Tier

FRAMES_PER_SECOND = 5
HAND_FRAMES = 3
"""For how many previews a hand is over a board before the tiles change, and after."""
NUDGE_CHANCE = 0.04
DRIFT = 0.01


class SimulatedCamera:
    """Shows positions one after the other; the truth is told on request only."""

    def __init__(
        self,
        stage: Stage,
        layout: Layout,
        art: Art,
        tier: Tier,
        seed: int,
        preview_px: int = PREVIEW_WIDTH_PX,
        repeats: bool = False,
    ) -> None:
        """With `repeats` a preview is rendered only when something has moved: for long runs."""
        self._layout, self._art, self._tier, self._seed = layout, art, tier, seed
        self._rng = np.random.default_rng([seed, 3])
        self._now = self._lying = stage
        self._moment = StageMoment(hand=0)
        self._script: deque[tuple[Stage, int]] = deque()
        self._number = 0
        self._open = True
        self._preview_px, self._repeats = preview_px, repeats
        self._last: tuple[object, Frame] | None = None

    @property
    def is_still(self) -> bool:
        """Whether nothing more will change before another position is shown."""
        return not self._script

    def show(self, stage: Stage, seat: int) -> None:
        """Let the hand of a seat change the table into this; 0 changes it while nobody looks."""
        last = self._script[-1][0] if self._script else self._now
        if seat:
            self._script.extend([(last, seat)] * HAND_FRAMES)
            self._script.extend([(stage, seat)] * HAND_FRAMES)
        self._script.append((stage, 0))

    def preview(self) -> Frame:
        """A small picture; with each of them time goes on."""
        self._step()
        shown = self._lying, self._moment.hand, self._moment.nudges
        if not self._repeats or self._last is None or self._last[0] != shown:
            width, height = self._tier.size_px
            small = (self._preview_px, round(self._preview_px * height / width))
            self._last = shown, self._frame(replace(self._tier, size_px=small))
        return replace(self._last[1], number=self._number, taken_s=self._number / FRAMES_PER_SECOND)

    def capture(self) -> Frame:
        """A full picture of the same moment as the last preview."""
        return self._frame(self._tier)

    def truth(self) -> tuple[Stage, Truth]:
        """What really lies on the table now, and where."""
        return self._now, self._photograph(self._tier).truth

    def close(self) -> None:
        """Let the camera go; it gives no more pictures."""
        self._open = False

    def _step(self) -> None:
        self._number += 1
        hand = 0
        if self._script:
            self._now, hand = self._script.popleft()
            self._lying = self._now.after(self._lying)
        nudges = dict(self._moment.nudges)
        if hand and self._rng.random() < NUDGE_CHANCE:
            right, down, turn = nudges.get(hand, (0.0, 0.0, 0.0))
            push = self._rng.normal(0, (4.0, 4.0, 1.5))
            nudges[hand] = (right + float(push[0]), down + float(push[1]), turn + float(push[2]))
        brightness = float(np.clip(self._moment.brightness + self._rng.normal(0, DRIFT), 0.7, 1.3))
        self._moment = StageMoment(hand, nudges, brightness)

    def _frame(self, tier: Tier) -> Frame:
        if not self._open:
            raise CameraError("the simulated camera was closed; make a new one")
        return Frame(self._photograph(tier).picture, self._number, self._number / FRAMES_PER_SECOND)

    def _photograph(self, tier: Tier) -> Photograph:
        return photograph(self._lying, self._layout, self._art, tier, self._seed, self._moment, self._number)
