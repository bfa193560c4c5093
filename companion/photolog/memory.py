"""What a game's log knows of its photos: how each was read, and what people said of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.gamelog import NOBODY_KNOWS, Answer, Doubt, Entry, Game, PhotoRead, Proposal, Record, Redo, Undo
from companion.photolog.corrections import cells_in
from companion.photolog.differences import accepted
from companion.reconcile.photolog.looks import PhotoReading, snapshot
from companion.reconcile.photolog.reconstruct import Words
from engine import Edition

SCRIBE = "azul log"
"""Who logs what photos tell."""
YES, NO = "yes", "no"
"""The answers that take a proposal for true, or for nothing; one that names differences takes those alone."""


def snapshots(game: Game, entries: Sequence[Entry], round_ends: bool = False) -> list[PhotoReading]:
    """The photos of a game by their latest reading that counts."""
    taken_at = {row.sha256: row.taken_at for row in game.photo_rows()}
    return [
        snapshot(
            entry.event.reading,
            game.start.setup.players,
            sha256=entry.photo or "",
            taken_at=taken_at.get(entry.photo or ""),
            model=entry.event.model,
            round_ends=round_ends,
        )
        for entry in photo_entries(entries)
        if isinstance(entry.event, PhotoRead) and entry.event.reading is not None
    ]


def photo_entries(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of photos, each with what people took for true of proposals in place of its first reading."""
    undone = _undone(entries)
    answers = {e.event.id: e.event.value for e in entries if isinstance(e.event, Answer) and e.n not in undone}
    photos = {e.n: e for e in entries if isinstance(e.event, PhotoRead) and e.photo}
    for entry in entries:
        proposal = entry.event
        value = answers.get(proposal.id, NO) if isinstance(proposal, Proposal) else NO
        if not isinstance(proposal, Proposal) or proposal.n not in photos or value == NO:
            continue
        photo = photos[proposal.n]
        before = photo.event.reading if isinstance(photo.event, PhotoRead) else None
        whole = value == YES or before is None
        reading = proposal.reading if whole else accepted(before or {}, proposal.reading, value.split())
        photos[proposal.n] = replace(photo, event=PhotoRead(reading, proposal.model))
    return list(photos.values())


def words(entries: Sequence[Entry], edition: Edition[Any, Any]) -> Words:
    """What people answered to doubts, and what they corrected: of the photo they name, else of the one before."""
    undone = _undone(entries)
    said: defaultdict[tuple[str, int], dict[str, str]] = defaultdict(dict)
    asked: dict[str, tuple[Doubt, str]] = {}
    last = ""
    for entry in entries:
        if isinstance(entry.event, PhotoRead) and entry.photo:
            last = entry.photo
        elif isinstance(entry.event, Doubt) and entry.photo:
            asked[entry.event.id] = (entry.event, entry.photo)
        elif entry.who == SCRIBE or entry.n in undone:
            continue
        elif isinstance(entry.event, Answer) and entry.event.id in asked:
            doubt, photo = asked[entry.event.id]
            if entry.event.value != NOBODY_KNOWS:
                said[photo, doubt.seat] |= {doubt.cell: entry.event.value}
        elif isinstance(entry.event, Record) and entry.event.event["event"] == "correct" and (entry.photo or last):
            said[entry.photo or last, entry.event.event.get("seat", 0)] |= cells_in(entry.event.event["cells"], edition)
    return said


def _undone(entries: Sequence[Entry]) -> set[int]:
    undone: set[int] = set()
    for entry in entries:
        if isinstance(entry.event, Undo):
            undone.add(entry.event.n)
        elif isinstance(entry.event, Redo):
            undone.discard(entry.event.n)
    return undone
