"""The game log: append-only events with photos beside them, flushed to disk before anything is shown.

Read `events` (what is logged), `fold` (what it comes to), `store` and `game` (how it is kept), `bundle` (how it
travels).
"""

from companion.files import data_dir
from companion.gamelog.bundle import export_game, import_game
from companion.gamelog.errors import GameLogError
from companion.gamelog.events import (
    NOBODY_KNOWS,
    Allow,
    Answer,
    BridgeEvent,
    Doubt,
    Entry,
    Event,
    Note,
    PhotoRead,
    Proposal,
    Record,
    Redo,
    Title,
    Undo,
    correction,
)
from companion.gamelog.fold import ACCEPTED, Breach, Bridged, Folded, advance, fold
from companion.gamelog.game import Game, Logged, PhotoRow
from companion.gamelog.photos import Photo
from companion.gamelog.store import Findings, GameLog

__all__ = [
    "ACCEPTED",
    "NOBODY_KNOWS",
    "Allow",
    "Answer",
    "Breach",
    "BridgeEvent",
    "Bridged",
    "Doubt",
    "Entry",
    "Event",
    "Findings",
    "Folded",
    "Game",
    "GameLog",
    "GameLogError",
    "Logged",
    "Note",
    "Photo",
    "PhotoRead",
    "PhotoRow",
    "Proposal",
    "Record",
    "Redo",
    "Title",
    "Undo",
    "advance",
    "correction",
    "data_dir",
    "export_game",
    "fold",
    "import_game",
]
