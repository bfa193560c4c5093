"""What lies where in a picture, and what one look knows of a table for the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vision.classify import Answers
from vision.find import Found
from vision.locate import seated
from vision.loose import KnownLoose
from vision.network import Models, kind_of
from vision.rectify import Picture
from vision.sighting import Located, Stranger


@dataclass(frozen=True)
class KnownSurface:
    """A surface as it was located and read."""

    located: Located
    stood: Picture
    """What it looked like when it was located."""
    view: Picture
    """What it looked like when it was read."""
    answers: Answers | None = None
    """None where some of it is in doubt, so that it is to be read again."""
    carried: int = 0
    """How many looks ago it was read."""


@dataclass(frozen=True)
class KnownTable:
    """What a look knew of a table, for the next look to rest on."""

    edition: str
    side: str
    size_px: tuple[int, int]
    found: Found
    surfaces: tuple[KnownSurface, ...]
    strangers: tuple[Stranger, ...]
    loose: KnownLoose
    looks: int
    """How many looks rest on the last one that searched the whole picture, this one included."""


@dataclass(frozen=True)
class TableScene:
    """The surfaces of an edition in a picture, and what the finder made of it."""

    models: Models
    edition: str
    side: str
    boards: Sequence[Located]
    strangers: Sequence[Stranger]
    found: Found
    held: Mapping[Located, KnownSurface] = field(default_factory=dict)
    """What is known of surfaces that look as they did before."""
    loose: KnownLoose = field(default_factory=KnownLoose)
    looks: int = 0
    """How many looks rest on the last one that searched the whole picture, this one included."""

    @property
    def firsts(self) -> list[Located]:
        """The first boards of seats, in the order of these."""
        return seated([board for board in self.boards if not kind_of(board.kind).surface])

    def answers(self, board: Located) -> Answers | None:
        """What the reader answered of a surface that looks as it did; None where it is to be asked."""
        known = self.held.get(board)
        return known.answers if known else None

    def carried(self, board: Located) -> int:
        """How many looks ago a surface was read; 0 where it is read now."""
        known = self.held.get(board)
        return known.carried if known and known.answers else 0
