"""What on the table goes on to contradict the game: a cell or a disc that is read otherwise, a mark (`marks`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.reconcile.live.likelihood import Evidence
from companion.reconcile.live.marks import Marks
from companion.reconcile.live.outcome import SEEN_OTHERWISE, Question, box_of
from companion.reconcile.live.places import Seen
from companion.reconcile.live.story import Story, is_at_work
from engine import Edition, EngineError, Table
from engine.moves import Correct
from engine.table import EMPTY, Kinds
from vision.cells import UNSEEN

Place = tuple[int, str]
"""A seat and one of its cells."""

CONTRADICTS = -5.0
"""A cell or a disc that speaks against the game as plainly as this contradicts it."""
LASTING = 3
"""What contradicts the game in so many looks on end is lasting."""
LASTING_DISC = 2
"""The same for a disc that is seen to hold the same other tiles: it is told by many looks, and nobody is accused."""
WORTH_ASKING = 0.02
"""What a cell is read as with less than this is not offered as an answer."""


class Disputes:
    """Contradictions counted from look to look."""

    def __init__(self, edition: Edition[Any, Any]) -> None:
        self._edition = edition
        self._cells: dict[Place, tuple[str, int]] = {}
        """By cell what lies there in the game, and in how many looks on end it was read otherwise."""
        self._clearly: dict[Place, str] = {}
        """By such a cell what is clearly seen there instead."""
        self._unconfirmed: set[Place] = set()
        """Cells that a bridge set, or left against what it was shown, until a look confirms them."""
        self._asked: set[Place] = set()
        self._words: dict[Place, str] = {}
        self._discs: dict[int, tuple[Kinds, Kinds, int]] = {}
        """By disc what lies there in the game, what is seen instead, and in how many looks on end."""
        self.marks = Marks(edition)

    @property
    def muted(self) -> frozenset[Place]:
        """Cells that have contradicted the game, or what people say, for so long that they tell nothing about moves."""
        return frozenset(cell for cell, (_, looks) in self._cells.items() if looks >= LASTING)

    @property
    def noted(self) -> frozenset[Place]:
        """Cells that contradicted the game, or what people say, at the last look."""
        return frozenset(self._cells)

    @property
    def are_settled(self) -> bool:
        """Whether no further look is to tell what contradicts the game."""
        counted = any(looks < LASTING for _, looks in self._cells.values())
        return not (counted or self._unconfirmed or self._discs) and self.marks.are_settled

    @property
    def asked(self) -> frozenset[Place]:
        """Cells that people were asked about and that go on to contradict the game."""
        return frozenset(self._asked)

    def believe(self, words: Mapping[Place, str]) -> None:
        """Take what people say lies in cells for true, until the game lays something else there."""
        self._words = dict(words)
        self.marks.forget()
        self._cells |= {cell: (letter, LASTING) for cell, letter in words.items()}
        self._asked -= words.keys()

    def leave(self, cells: Iterable[Place]) -> None:
        """Ask nothing about these cells: people were asked before, and nobody knows."""
        self._asked |= set(cells)

    def bridged(self, before: Table, after: Table, evidence: Evidence) -> None:
        """A bridge set the boards to what one look showed, which waits for another that confirms it.

        What lay there before and still does was seen before. Where the look contradicts it and none did before, it may
        have been taken away meanwhile.
        """
        for old, now in zip(before.boards, after.boards, strict=True):
            for name, kind in now.cells.items():
                stayed = kind != EMPTY and kind == old.cells[name]
                is_new = evidence.cell(now.seat, name, kind) < CONTRADICTS and (now.seat, name) not in self._cells
                if not stayed or is_new:
                    self._unconfirmed.add((now.seat, name))

    def note(self, story: Story, seen: Seen, evidence: Evidence) -> Question | None:
        """Count the cells that contradict where the game stands; a question about one that has done so for long."""
        if story.unsettled is not None or is_at_work(story):
            return None
        for part in story.table.boards:
            for name, kind in part.cells.items() if part.seat in seen.boards else ():
                self._count(evidence, (part.seat, name), kind)
                self._confirm(evidence, (part.seat, name), kind)
        silent = self._asked | self._words.keys()
        lasting = [cell for cell, (_, looks) in self._cells.items() if looks >= LASTING and cell not in silent]
        return self._question(lasting[0], seen) if lasting else None

    def _count(self, evidence: Evidence, cell: Place, letter: str) -> None:
        known, looks = self._cells.get(cell, (letter, 0))
        if self._words.get(cell, letter) != letter:
            del self._words[cell]
        if evidence.cell(*cell, letter) >= CONTRADICTS:
            self._cells.pop(cell, None)
            self._asked.discard(cell)
        elif cell in self._words:
            self._cells[cell] = letter, LASTING
        else:
            self._cells[cell] = letter, looks + 1 if known == letter else 1

    def _confirm(self, evidence: Evidence, cell: Place, letter: str) -> None:
        """Whether a look confirms a cell that a bridge set, or clearly shows something else there."""
        if cell not in self._unconfirmed:
            return
        kind = evidence.clearly(*cell)
        if cell in self._words or kind == letter:
            self._unconfirmed.discard(cell)
        if cell in self._words or kind in (None, letter):
            self._clearly.pop(cell, None)
        else:
            self._clearly[cell] = kind

    def outvoted(self) -> dict[Place, str]:
        """The cells that a bridge set and the next look clearly shows otherwise, with what it shows.

        What was laid in moves that were seen is never outvoted, only asked about: one tile of a real print may look
        like bare print for a whole game.
        """
        return dict(self._clearly)

    def put_right(self, cells: Iterable[Place]) -> None:
        """These cells hold in the game now what is seen there."""
        for cell in cells:
            self._cells.pop(cell, None)
            self._clearly.pop(cell, None)
            self._asked.discard(cell)
            self._unconfirmed.discard(cell)

    def _question(self, cell: Place, seen: Seen) -> Question:
        self._asked.add(cell)
        seat, name = cell
        letter = self._cells[cell][0]
        reads = seen.boards[seat].cells[name]
        likely = {kind: chance for kind, chance in reads.items() if chance >= WORTH_ASKING and kind != UNSEEN}
        total = sum(likely.values()) + (0 if letter in likely else WORTH_ASKING)
        chances = {kind: round(chance / total, 4) for kind, chance in {letter: WORTH_ASKING, **likely}.items()}
        return Question(chances, seat, box_of(seen, self._edition.layout, seat, name), name)

    def discs(self, state: Any, evidence: Evidence) -> Iterator[Correct]:
        """Discs that were seen to hold the same other tiles in several looks on end, set right."""
        numbered = self._edition.layout.numbered_heap
        if numbered is None or not numbered.counts:
            # Cards that come and go are told by what lies on them, not by where they lie.
            return
        for number, kinds in evidence.discs_of(self._edition.table(state)).items():
            if not kinds or evidence.disc(number, kinds) >= CONTRADICTS:
                self._discs.pop(number, None)
                continue
            most = max(numbered.holds, default=len(kinds))
            other = evidence.reread(number, most, self._edition.letters)
            *before, looks = self._discs.get(number, ((), (), 0))
            looks = looks + 1 if before == [kinds, other] else 1
            self._discs[number] = kinds, other, looks
            right = Correct(0, ((f"{numbered.name}.{number}", self._edition.written(other)),), SEEN_OTHERWISE)
            if looks >= LASTING_DISC and len(other) == len(kinds) and self._is_possible(state, right):
                yield right

    def _is_possible(self, state: Any, right: Correct) -> bool:
        try:
            self._edition.correct(state, dict(right.cells), right.seat)
        except EngineError:
            # There are not so many tiles of that kind.
            return False
        return True
