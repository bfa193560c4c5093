"""What can go wrong when a picture is read."""

from __future__ import annotations

from engine.text import SpokenError, Words


class VisionError(SpokenError):
    """Something in a picture, or in what reads it, is not as it must be."""


class PhotoError(VisionError):
    """A file that is no picture, or none that can be used."""


class BoardNotFoundError(VisionError):
    """A picture in which no board was found; `like` is the edition that what is there looks like, if that is known."""

    def __init__(self, words: Words, like: str = "") -> None:
        super().__init__(words)
        self.like = like


class UnreadableEditionError(VisionError):
    """An edition whose boards no network knows."""


class ModelError(VisionError):
    """A network's file that is missing or is not the one that belongs here."""
