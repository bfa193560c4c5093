"""Whether a camera watches a game now, and if not, why not: pages say "live" only where one does."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

from companion.capture.cameras import Window
from companion.dashboard.site import Site
from companion.pipeline import why_unreadable
from engine.text import Words, say

SILENT_S = 45.0
"""A camera that has given no picture for so long watches nothing; reading a photo takes seconds on a small machine."""


class Watch(StrEnum):
    """What a camera does with a game."""

    LIVE = "live"
    OVER = "over"
    NO_CAMERA = "no camera"
    OTHER_GAME = "other game"
    BLIND = "blind"
    """It follows the game and cannot see it."""
    BY_HAND = "by hand"
    """No camera is to follow it, since people enter its moves."""
    NO_PHOTO = "no photo"
    """Phones are to send photos, and none has come yet."""


@dataclass(frozen=True)
class Watched:
    """How a game is watched now."""

    watch: Watch
    trouble: Words = ""
    """Why it cannot be seen."""
    other: str = ""
    """The game that is followed instead."""
    is_simulated: bool = False
    """Whether the only camera is the one of a simulated table."""

    @property
    def is_live(self) -> bool:
        """Whether a camera watches the game and sees it."""
        return self.watch is Watch.LIVE


def watched(site: Site, game: str, is_over: bool) -> Watched:
    """How a game is watched now."""
    if is_over:
        return Watched(Watch.OVER)
    if site.phone.game == game:
        return _by_phone(site)
    if kept_by_hand(site, game):
        return Watched(Watch.BY_HAND)
    window = site.window
    if window is None or not window.game:
        return Watched(Watch.NO_CAMERA)
    if window.game != game:
        return Watched(Watch.OTHER_GAME, other=window.game, is_simulated=window.game == site.simulated)
    trouble = _trouble(window)
    return Watched(Watch.BLIND if trouble else Watch.LIVE, trouble)


def kept_by_hand(site: Site, game: str) -> bool:
    """Whether people enter the moves of a game: they chose so, or no camera can read its edition."""
    return game == site.settings.now.hand_game or bool(why_unreadable(site.book(game).game.start.setup.edition))


def _by_phone(site: Site) -> Watched:
    if site.phone.sent_at is None:
        return Watched(Watch.NO_PHOTO)
    trouble = site.phone.trouble
    return Watched(Watch.BLIND if trouble else Watch.LIVE, trouble)


def _trouble(window: Window) -> Words:
    if window.seen_at is None or time.monotonic() - window.seen_at > SILENT_S:
        return say("the camera gives no picture")
    return window.trouble()
