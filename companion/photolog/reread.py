"""Old photos read anew: what differs is proposed, and waits for a person's word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.gamelog import Entry, Game, PhotoRead, Proposal
from companion.photolog.differences import differences, reseated
from companion.photolog.memory import photo_entries
from companion.photolog.reading import Done, Work
from companion.pipeline import networks_name

READER = "azul reread"


@dataclass(frozen=True)
class Reread:
    """A photo that reads differently now."""

    id: str
    sha256: str
    name: str
    differences: tuple[str, ...]


def reread(game: Game, read: Callable[[Iterable[Work]], Iterable[Done]], every: bool = False) -> list[Reread]:
    """Have a game's photos read, and propose what differs from the reading that counts."""
    return list(_propose(game, outdated(game, every), read))


def outdated(game: Game, every: bool = False) -> list[Entry]:
    """The photos that other networks read, or all, of which nothing is proposed yet."""
    entries, proposed = game.entries(), _proposed(game)
    return [
        entry
        for entry in photo_entries(entries)
        if isinstance(entry.event, PhotoRead)
        and entry.event.reading is not None
        and (every or entry.event.model != networks_name())
        and _id(entry) not in proposed
    ]


def _propose(game: Game, old: list[Entry], read: Callable[[Iterable[Work]], Iterable[Done]]) -> Iterator[Reread]:
    sources = {row.sha256: row.source for row in game.photo_rows()}
    edition = game.start.setup.edition
    works = (Work(sources[e.photo or ""], game.log.read_photo(e.photo or ""), edition) for e in old)
    for entry, done in zip(old, read(works), strict=True):
        before = entry.event.reading if isinstance(entry.event, PhotoRead) else None
        if before is None or done.reading is None:
            continue
        now = reseated(before, done.reading)
        if differ := tuple(differing(before, now)):
            game.append(Proposal(_id(entry), entry.n, now, networks_name()), READER, entry.photo)
            yield Reread(_id(entry), entry.photo or "", done.work.name, differ)


def _id(entry: Entry) -> str:
    return f"reread-{entry.n}-{networks_name()}"


def _proposed(game: Game) -> set[str]:
    events = game.refresh().events.values()
    return {event.id for event in events if isinstance(event, Proposal)}


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What two readings of a photo say differently, as `seat 1 wall.2.3: . is R`."""
    for each in differences(before, after):
        if each.cell == "boards":
            yield f"{each.before} boards are {each.after}"
        else:
            where = f"seat {each.seat} {each.cell}" if each.seat else each.cell
            yield f"{where}: {each.before} is {each.after}"
