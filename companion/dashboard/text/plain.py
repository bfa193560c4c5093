"""What programs say when something fails, in the words and the language of people."""

from __future__ import annotations

import re

from companion.dashboard.text.words import gettext as _
from engine import load, slugs


def plain(message: str) -> str:
    """A message as people read it; one that nobody has put into plain words stays as it is."""
    for pattern, sentence in _sentences():
        if found := re.search(pattern, message):
            named = {name: _name(value) for name, value in found.groupdict().items()}
            return sentence % named if named else sentence
    return message


def _name(value: str) -> str:
    """What a message names, as people call it: editions by their names."""
    return load(value).name if value in slugs() else value


def _sentences() -> list[tuple[str, str]]:
    """Asked for each time, since each device has its language."""
    return [
        (r"no board.* was found", _("No board was found. Show whole boards, sharp and not too slanted.")),
        (
            r"photos of (?P<edition>\S+) cannot be read yet",
            _(
                "Photos and cameras cannot be used with %(edition)s yet. Its games can be kept as written records and "
                "checked with the command azul verify."
            ),
        ),
        (
            r"looks like (?P<edition>\S+) \(\w+ side\), not like",
            _("This looks like a board of %(edition)s. Choose that edition, or take another photo."),
        ),
        (
            r"hardly a board of .*, as (?P<share>\d+)% of its cells",
            _(
                "This is hardly a board that can be read: %(share)s %% of its cells are in doubt. "
                "Tap its corners exactly, or take a sharper photo in better light."
            ),
        ),
        (
            r"looks like no board of",
            _(
                "This looks like no board of an edition that can be read. "
                "Tap the corners of such a board, or take another photo."
            ),
        ),
        (r"^not every player's board is in view", _("Not every player's board is in view yet.")),
        (r"^there is nothing to undo", _("There is nothing to undo.")),
        (r"^there is nothing to redo", _("There is nothing to redo.")),
        (
            r"^the game has gone on since event",
            _("The game has gone on since. What was undone can be redone in the history."),
        ),
        (r"^event \d+ is undone already", _("This is undone already.")),
        (r"^event \d+ is not undone", _("This is not undone.")),
        (r"^there is no question with the id", _("This question has been answered.")),
        (r"does not break the rule", _("There is nothing to allow any more.")),
        (r"^this event cannot have happened", _("This cannot have happened in the game as it stands now.")),
        (r"shows only greys", _("The photo shows only greys. Tiles are told apart by colour: send a colour photo.")),
        (r"holds none of them|is empty, so there is no photo", _("This is no photo that can be read. Send a JPEG.")),
        (r"is damaged|is cut off|could not be decoded", _("The photo is damaged or cut short. Send it again.")),
        (r"a side are needed", _("The photo is too small. Send a larger one.")),
        (r"MB where photos|has more than \d+ MB|too many pixels|needs more memory", _("The photo is too large.")),
        (r"^none of the photos can be read", _("None of the photos can be read, so there is no game to make.")),
        (r"^no photo was uploaded yet", _("No photo has been sent yet.")),
        (r"photos are waiting to be read", _("Other photos are still being read. Try again in a moment.")),
        (r"^this game is not followed by photos", _("This game is not followed by photos of phones.")),
        (
            r"^nobody knows what happened; the likeliest",
            _("Nobody knows what happened. The likeliest that breaks no rule is taken for true."),
        ),
        (r"^as it lies on the table; nobody knows", _("As it lies on the table. Nobody knows how that came about.")),
        (r"^nobody knows what happened; the next", _("Nobody knows what happened. The next looks may tell.")),
        (r"^the camera gives no picture", _("The camera gives no picture.")),
        (r"^the boards show their", _("The boards show their other side than the game was begun on.")),
        (r"^no camera was found", _("No camera was found. Plug one in.")),
    ]
