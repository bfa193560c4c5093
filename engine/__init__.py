"""The rules of every edition, on the standard library alone."""

from engine.edition import Edition, load, slugs
from engine.errors import (
    EditionError,
    EngineError,
    IllegalMoveError,
    ImpossibleMoveError,
    NotationError,
    RecordError,
    TableError,
)
from engine.layout import Cell, Layout, Zone, search_also
from engine.moves import Correct, Fill, Slip
from engine.record import Start, Step, parse_start, replay
from engine.score import Gain, Outlook, ScoreLine
from engine.state import FILL, OVER, Setup
from engine.stretch import Ending, Stretch, Stretches, View
from engine.table import Part, Table, Way
from engine.text import Text
from engine.violations import Rule, Violation

__all__ = [
    "FILL",
    "OVER",
    "Cell",
    "Correct",
    "Edition",
    "EditionError",
    "Ending",
    "EngineError",
    "Fill",
    "Gain",
    "IllegalMoveError",
    "ImpossibleMoveError",
    "Layout",
    "NotationError",
    "Outlook",
    "Part",
    "RecordError",
    "Rule",
    "ScoreLine",
    "Setup",
    "Slip",
    "Start",
    "Step",
    "Stretch",
    "Stretches",
    "Table",
    "TableError",
    "Text",
    "View",
    "Violation",
    "Way",
    "Zone",
    "load",
    "parse_start",
    "replay",
    "search_also",
    "slugs",
]
