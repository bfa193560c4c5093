"""What places are called that several games have; each edition names its own besides."""

from __future__ import annotations

from engine.text import Text, say


def place_name(name: str) -> Text:
    """A cell, a heap or a number in words; its own name where there are no better words."""
    match name.split("."):
        case ["factory", disc]:
            return say("factory {disc}", disc=disc)
        case [one] if one in _WORDS:
            return _WORDS[one]
    return say("{name}", name=name)


_WORDS = {
    "factory": say("factories"),
    "factories": say("factories"),
    "centre": say("the centre"),
    "bag": say("the bag"),
    "score": say("score"),
    "round": say("round"),
    "turn": say("whose turn it is"),
    "marker": say("who holds the first-player marker"),
    "phase": say("phase"),
}
