"""A game in one zip: its record, its whole log, its photos.

`record.jsonl` is what `azul verify` replays; `log.jsonl` has a line about the game, one for each photo, then one for
each entry. A zip comes from anywhere, so it is believed only as far as it can be checked, and never unpacked by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from sqlalchemy import Connection

from companion.files import DAMAGED_ZIP, sync
from companion.gamelog.errors import GameLogError, telling
from companion.gamelog.events import MAX_EVENTS, Entry, check_time, dump_json, format_entry, load_json, parse_entry
from companion.gamelog.fold import Folded, fold
from companion.gamelog.game import Game, PhotoRow, check_photo_row, insert_photo
from companion.gamelog.photos import digest
from companion.gamelog.store import GameLog
from engine import EngineError, RecordError, Start, parse_start
from engine.record import Fields, dump_event, format_start

FORMAT = 1
RECORD, LOG, PHOTOS = "record.jsonl", "log.jsonl", "photos/"
PHOTO = re.compile(r"photos/([0-9a-f]{64})\.(?:jpg|png|webp|bin)")
ENDINGS = {b"\xff\xd8\xff": "jpg", b"\x89PNG": "png", b"RIFF": "webp"}

MAX_TEXT = 100_000_000
"""Bytes of a log: a ten-hour game has some ten million."""
MAX_PHOTO = 100_000_000
MAX_FILES = 50_000
MAX_GROWTH = 2
"""Photos hardly shrink in a zip: ones that together grow more than this are a bomb."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a zip says, checked, without the photos themselves."""

    start: Start
    created_at: str
    photos: tuple[PhotoRow, ...]
    entries: tuple[Entry, ...]


def export_game(game: Game, path: Path) -> list[str]:
    """Write a game into a zip, whole or not at all; the photos that could not be found."""
    draft = path.with_name(path.name + ".new")
    with telling(f"exporting to {path}"):
        try:
            with ZipFile(draft, "w") as archive:
                missing = _write(game, archive)
            sync(draft)
            draft.replace(path)
            sync(path.parent)
        finally:
            draft.unlink(missing_ok=True)
    return missing


def import_game(log: GameLog, path: Path) -> tuple[Game, list[str]]:
    """Log the game of a zip as a new one; the photos that its log speaks of and that are not in the zip."""
    with telling(f"importing {path}"), _opened(path) as archive:
        names = _names(archive)
        bundle = _read(archive, names)
        _check_growth(archive, path)
        with log.writing(f"importing {path}") as connection:
            _refuse_known(log, bundle, path)
            missing = [row.sha256 for row in bundle.photos if not _take_photo(log, connection, archive, names, row)]
            game = log.take_in(connection, bundle.start, bundle.created_at, bundle.entries)
    game.refresh()
    return game, missing


def format_log(game: Game) -> str:
    """The text of `log.jsonl`."""
    header = {"log": FORMAT, "created_at": game.created_at, "start": format_start(game.start)}
    lines = [header, *map(asdict, game.photo_rows()), *map(format_entry, game.entries())]
    return "".join(f"{dump_json(line)}\n" for line in lines)


def format_record(start: Start, folded: Folded) -> str:
    """The text of `record.jsonl`: the game as it stands."""
    return "".join(f"{dump_event(event)}\n" for event in [format_start(start), *folded.record_events()])


def _write(game: Game, archive: ZipFile) -> list[str]:
    _add(archive, RECORD, format_record(game.start, game.refresh()).encode(), ZIP_DEFLATED)
    _add(archive, LOG, format_log(game).encode(), ZIP_DEFLATED)
    missing = []
    for row in game.photo_rows():
        try:
            data = game.log.read_photo(row.sha256)
        except GameLogError:
            missing.append(row.sha256)
        else:
            _add(archive, f"{PHOTOS}{row.sha256}.{_ending(data)}", data, ZIP_STORED)
    return missing


def _add(archive: ZipFile, name: str, data: bytes, compression: int) -> None:
    """Always with the same date, so that the same game makes the same zip."""
    info = ZipInfo(name)
    info.compress_type = compression
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)


def _ending(data: bytes) -> str:
    return next((ending for begins, ending in ENDINGS.items() if data.startswith(begins)), "bin")


@contextmanager
def _opened(path: Path) -> Iterator[ZipFile]:
    try:
        with ZipFile(path) as archive:
            yield archive
    # A zip that lies about itself fails in many ways while it is read.
    except DAMAGED_ZIP as error:
        raise GameLogError(f"{path} is no zip that can be read: {error}; export the game anew") from error


def _names(archive: ZipFile) -> dict[str, ZipInfo]:
    """The files of a zip by what they are: record, log, and photos by their sha256."""
    files = [info for info in archive.infolist() if info.filename != PHOTOS]
    if len(files) > MAX_FILES:
        raise GameLogError(f"the zip holds {len(files)} files, and {MAX_FILES} are the most")
    names: dict[str, ZipInfo] = {}
    for info in files:
        photo = PHOTO.fullmatch(info.filename)
        name = photo[1] if photo else info.filename
        if not photo and name not in (RECORD, LOG):
            raise GameLogError(f"the zip holds {info.filename[:100]!r}, which is no part of an exported game")
        if name in names:
            raise GameLogError(f"the zip holds {info.filename} twice")
        if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or info.flag_bits & 1:
            raise GameLogError(f"{info.filename} in the zip is encrypted or packed in an unusual way")
        names[name] = info
    if missing := [name for name in (RECORD, LOG) if name not in names]:
        raise GameLogError(f"the zip is no exported game: {' and '.join(missing)} missing")
    return names


def _check_growth(archive: ZipFile, path: Path) -> None:
    grown = sum(info.file_size for info in archive.infolist() if PHOTO.fullmatch(info.filename))
    if grown > MAX_GROWTH * path.stat().st_size:
        raise GameLogError(f"the photos in {path} would take {grown} bytes, far more than the zip: it is not unpacked")


def _read(archive: ZipFile, names: dict[str, ZipInfo]) -> Bundle:
    bundle = _parse(_text(archive, names[LOG]).rstrip("\n").split("\n"))
    folded = fold(bundle.start.edition, bundle.start.setup, bundle.entries)
    if format_record(bundle.start, folded) != _text(archive, names[RECORD]):
        raise GameLogError(f"{RECORD} and {LOG} in the zip tell different games")
    known = {row.sha256 for row in bundle.photos}
    spoken = {entry.photo for entry in bundle.entries if entry.photo is not None}
    there = names.keys() - {RECORD, LOG}
    if spoken != known or not there <= known or len(known) != len(bundle.photos):
        raise GameLogError(f"{LOG} in the zip speaks of other photos than it lists, or than there are")
    return bundle


def _parse(lines: list[str]) -> Bundle:
    if len(lines) > MAX_EVENTS:
        raise GameLogError(f"{LOG} in the zip has {len(lines)} lines, and {MAX_EVENTS} are the most")
    header, *rest = map(load_json, lines)
    try:
        start, created_at = _parse_header(Fields(header))
        photos = tuple(_photo_row(Fields(line)) for line in rest if "sha256" in line)
    except EngineError as error:
        raise GameLogError(f"{LOG} in the zip cannot be read: {error}") from error
    return Bundle(start, created_at, photos, tuple(parse_entry(line) for line in rest if "sha256" not in line))


def _parse_header(fields: Fields) -> tuple[Start, str]:
    fields.number("log", range(FORMAT, FORMAT + 1))
    start, created_at = parse_start(dump_json(fields.left.pop("start", None))), fields.text("created_at")
    fields.done()
    check_time(created_at)
    return start, created_at


def _photo_row(fields: Fields) -> PhotoRow:
    sha256, size = fields.text("sha256", "0123456789abcdef"), fields.number("bytes", range(MAX_PHOTO + 1))
    taken_at, source = fields.left.pop("taken_at", None), fields.text("source")
    fields.done()
    if len(sha256) != len(digest(b"")) or not isinstance(taken_at, str | None):
        raise RecordError("a photo has a sha256 of 64 hexadecimal digits, and a time or null in taken_at")
    return check_photo_row(PhotoRow(sha256, size, taken_at, source))


def _text(archive: ZipFile, info: ZipInfo) -> str:
    with archive.open(info) as file:
        return _limited(file, MAX_TEXT, info.filename).decode("utf-8")


def _limited(file: IO[bytes], most: int, name: str) -> bytes:
    """All of a file, whatever size the zip claims for it, or an error if that is too much."""
    data = file.read(most + 1)
    if len(data) > most:
        raise GameLogError(f"{name} in the zip has more than {most} bytes")
    return data


def _refuse_known(log: GameLog, bundle: Bundle, path: Path) -> None:
    for game in log.games():
        same = (game.start, game.created_at) == (bundle.start, bundle.created_at)
        if same and tuple(game.entries()) == bundle.entries:
            raise GameLogError(f"the game of {path} is here already, as {game.id}; nothing was imported")


def _take_photo(
    log: GameLog, connection: Connection, archive: ZipFile, names: dict[str, ZipInfo], row: PhotoRow
) -> bool:
    """Keep a photo of the zip and its row; whether it was there."""
    if info := names.get(row.sha256):
        with archive.open(info) as file:
            data = _limited(file, row.bytes, info.filename)
        if digest(data) != row.sha256 or len(data) != row.bytes:
            raise GameLogError(f"{info.filename} in the zip is not the photo that its name says")
        log.photos.keep(data)
    insert_photo(connection, row)
    return info is not None
