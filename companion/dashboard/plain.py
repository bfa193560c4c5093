"""What programs say when something fails, in the words and the language of people."""

from __future__ import annotations

import re

from companion.dashboard.words import gettext as _


def plain(message: str) -> str:
    """A message as people read it; one that nobody has put into plain words stays as it is."""
    for pattern, sentence in _sentences():
        if re.search(pattern, message):
            return sentence
    return message


def _sentences() -> list[tuple[str, str]]:
    """Asked for each time, since each device has its language."""
    return [
        (r"no board.* was found", _("No board was found. Show whole boards, sharp and not too slanted.")),
        (r"no network knows its boards", _("Photos of this edition cannot be read yet.")),
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
        (r"^no camera was found", _("No camera was found. Plug one in.")),
    ]
