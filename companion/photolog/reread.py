"""Old photos read anew: what differs is proposed, and waits for a person's word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from companion.gamelog import Entry, Game, PhotoRead, Proposal
from companion.photolog.memory import photo_entries
from companion.photolog.reading import Work, read_all
from companion.pipeline import networks_name
from vision.table import letters

READER = "azul reread"


@dataclass(frozen=True)
class Reread:
    """A photo that reads differently now."""

    id: str
    sha256: str
    name: str
    differences: tuple[str, ...]


def reread(game: Game, executor: Executor, every: bool = False) -> list[Reread]:
    """Read a game's photos by the executor's workers, and propose what differs from the reading that counts."""
    entries, proposed = game.entries(), _proposed(game)
    old = [
        entry
        for entry in photo_entries(entries)
        if isinstance(entry.event, PhotoRead)
        and entry.event.reading is not None
        and (every or entry.event.model != networks_name())
        and _id(entry) not in proposed
    ]
    return list(_propose(game, old, executor))


def _propose(game: Game, old: list[Entry], executor: Executor) -> Iterator[Reread]:
    sources = {row.sha256: row.source for row in game.photo_rows()}
    edition = game.start.setup.edition
    works = [Work(sources[e.photo or ""], game.log.read_photo(e.photo or ""), edition) for e in old]
    for entry, done in zip(old, read_all(works, executor), strict=True):
        before = entry.event.reading if isinstance(entry.event, PhotoRead) else None
        if before is None or done.reading is None:
            continue
        if differences := tuple(differing(before, done.reading)):
            game.append(Proposal(_id(entry), entry.n, done.reading, networks_name()), READER, entry.photo)
            yield Reread(_id(entry), entry.photo or "", done.work.name, differences)


def _id(entry: Entry) -> str:
    return f"reread-{entry.n}-{networks_name()}"


def _proposed(game: Game) -> set[str]:
    events = game.refresh().events.values()
    return {event.id for event in events if isinstance(event, Proposal)}


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What two readings of a photo say differently, as `seat 1 wall.2.3: . is R`."""
    boards = {board["seat"]: board for board in after["boards"]}
    if boards.keys() != {board["seat"] for board in before["boards"]}:
        yield f"{len(before['boards'])} boards are {len(boards)}"
    for board in before["boards"]:
        if (now := boards.get(board["seat"])) is None:
            continue
        old, new = (letters(each) | {"score": each.get("score")} for each in (board, now))
        yield from (
            f"seat {board['seat']} {cell}: {old.get(cell)} is {value}"
            for cell, value in new.items()
            if old.get(cell) != value
        )
    for name in ("factories", "centre"):
        old_tiles, new_tiles = (_tiles(reading.get(name)) for reading in (before, after))
        if old_tiles != new_tiles:
            yield f"{name}: {old_tiles} is {new_tiles}"


def _tiles(heaps: Any) -> str:
    if isinstance(heaps, list):
        return " ".join(sorted(heap["tiles"] for heap in heaps))
    return str(heaps["tiles"]) if heaps else ""
