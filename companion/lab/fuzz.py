"""Bad inputs through every entrance: files for the commands, files of the data folder, requests to the pages.

Whatever comes in, the answer is a reading or a refusal in words: no traceback, no status 500, no long wait.
"""

from __future__ import annotations

import io
import json
import logging
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from click.testing import CliRunner
from flask.testing import FlaskClient
from PIL import Image

from companion.backup import MANIFEST, back_up
from companion.cli import main
from companion.dashboard import create_app
from companion.dashboard.security.limits import limiter
from companion.dashboard.wiring import open_site
from companion.decoding import Decoder
from companion.errors import CompanionError
from companion.gamelog import GameLog, Note, Photo, Record, export_game
from companion.gamelog.bundle import format_record
from companion.lab.play import play_game, play_greedily
from engine import Start, load, slugs
from engine.errors import EngineError
from vision.errors import PhotoError

LONG_S = 30.0
MOVES = 30
"""Of the games to begin from."""
STATUSES = (0, 1, 2)
"""What commands end with."""
NASTY = (
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"[" * 20_000,
    b'{"a":' * 20_000,
    b"1e999",
    b"-1",
    b"9" * 5000,
    b"NaN",
    b"null",
    b"[]",
    b"{}",
    b'""',
    b"../../etc/passwd",
    b"\r\nSet-Cookie: a=b",
    "\u202e\u2028".encode(),
    b"'; DROP TABLE events; --",
    b"{{ 7 * 7 }}",
    b"%s%n",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**63,
    10**400,
    1e308,
    "",
    "\ud800",
    "\0",
    "x" * 10_000,
    [],
    {},
    [[]],
    {"": None},
    ["R"] * 50,
)
SEEDS = "seeds"
"""The folder of the good inputs."""
Try = Callable[[bytes], bool]
"""Gives an input to an entrance; whether it was taken. Anything that it raises is a failure."""


@dataclass
class Tally:
    """What became of the inputs of one entrance."""

    tried: int = 0
    taken: int = 0
    slowest_s: float = 0.0
    failures: list[tuple[str, bytes]] = field(default_factory=list)
    """What went wrong, and with which input."""


@dataclass(frozen=True)
class Entrance:
    """A way in, with good inputs to begin from."""

    name: str
    seeds: tuple[bytes, ...]
    give: Try


class UnkindError(Exception):
    """An entrance answered otherwise than with a result or a refusal."""


def fuzz(seconds: float, seed: int, most: int, names: tuple[str, ...] = ()) -> dict[str, Tally]:
    """Try bad inputs at every entrance in turn for so long, and at most so many at each."""
    rng, tallies = Random(seed), dict[str, Tally]()
    with tempfile.TemporaryDirectory() as folder, entrances(Path(folder)) as ways:
        chosen = [way for way in ways if not names or way.name in names]
        until = time.monotonic() + seconds
        for number in range(most):
            for way in chosen:
                if time.monotonic() > until:
                    return tallies
                seed_input = rng.choice(way.seeds)
                data = seed_input if number < 1 else mutate(seed_input, rng)
                attempt(way, data, tallies.setdefault(way.name, Tally()))
    return tallies


def attempt(way: Entrance, data: bytes, tally: Tally) -> None:
    """Give an input to an entrance, and note what came of it."""
    began = time.monotonic()
    try:
        tally.taken += way.give(data)
    except Exception as error:  # noqa: BLE001 - every kind is a finding
        tally.failures.append((f"{type(error).__name__}: {error}"[:300], data))
    took_s = time.monotonic() - began
    if took_s > LONG_S:
        tally.failures.append((f"took {took_s:.0f} s", data))
    tally.tried += 1
    tally.slowest_s = max(tally.slowest_s, took_s)


def mutate(data: bytes, rng: Random) -> bytes:
    """A bad input made of a good one."""
    if data[:2] == b"PK" and rng.random() < 0.6:
        return _mutated_zip(data, rng)
    for _ in range(rng.randint(1, 3)):
        change = rng.choice((_flip, _cut, _repeat, _insert, _replace, _shorten, _other_value))
        data = change(data, rng)
    return data


def _flip(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) or 1)
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :] if data else data


def _cut(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.randint(1, 40) :]


def _repeat(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at : at + 200] * rng.randint(2, 20) + data[at:]


def _insert(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(NASTY) + data[at:]


def _replace(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(NASTY) + data[at + rng.randint(1, 30) :]


def _shorten(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _other_value(data: bytes, rng: Random) -> bytes:
    """Another value somewhere in a line of JSON; the data themselves where there is none."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    try:
        document = json.loads(lines[at])
    except (ValueError, RecursionError):
        return data
    lines[at] = json.dumps(_with_other(document, rng)).encode()
    return b"\n".join(lines)


def _with_other(value: Any, rng: Random) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(sorted(value))
        return value | {key: _with_other(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], _with_other(value[at], rng), *value[at + 1 :]]
    return rng.choice(VALUES)


def _mutated_zip(data: bytes, rng: Random) -> bytes:
    """The zip with one of its files changed; what sums up the others is put right, so that the change is reached."""
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
    except BadZipFile:
        return data
    name = rng.choice(sorted(members))
    members[name] = mutate(members[name], rng)
    if MANIFEST in members and name != MANIFEST:
        manifest = json.loads(members[MANIFEST])
        manifest["sha256"][name] = sha256(members[name]).hexdigest()
        members[MANIFEST] = json.dumps(manifest).encode()
    file = io.BytesIO()
    with warnings.catch_warnings(), ZipFile(file, "w", ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore")
        for each, content in members.items():
            archive.writestr(rng.choice(("../x", "a\0b", each * 99)) if rng.random() < 0.02 else each, content)
    return file.getvalue()


@contextmanager
def entrances(folder: Path) -> Iterator[list[Entrance]]:
    """Every way in, with its own files in a folder."""
    # Warnings are what should come of bad files.
    logging.disable(logging.WARNING)
    seeds, decoder = _seeds(folder / SEEDS), Decoder()
    served = folder / "served"
    try:
        with open_site(served) as site:
            site.log.create(_start("azul"))
            pages = _Pages(create_app(site).test_client(), served)
            yield [
                Entrance("photo", seeds["photo"], lambda data: _decodes(decoder, data)),
                Entrance("record", seeds["record"], _Commands(folder, "bad.jsonl", (("verify",), ("show",)))),
                Entrance("table", seeds["table"], _Commands(folder, "bad.json", (("check",), ("show",)))),
                Entrance("bundle", seeds["bundle"], _Commands(folder, "bad.zip", (("import",), ("verify",)))),
                Entrance("backup", seeds["backup"], _Commands(folder, "backup.zip", (("restore",),))),
                Entrance("settings", seeds["settings"], _Opened(folder, "dashboard/dashboard.toml")),
                Entrance("keys", seeds["keys"], _Opened(folder, "dashboard/keys.json")),
                Entrance("database", seeds["database"], _Opened(folder, "games.sqlite3")),
                Entrance("pages", seeds["pages"], pages),
            ]
    finally:
        limiter.enabled = True
        logging.disable(logging.NOTSET)
        decoder.close()


def _start(slug: str) -> Start:
    edition = load(slug)
    return Start(edition, edition.setup(edition.sides[0], 2), ("Ann", "Борис"))


def _seeds(folder: Path) -> dict[str, tuple[bytes, ...]]:
    """Good inputs for each entrance."""
    with GameLog(folder / "data") as log:
        records, tables = [], []
        for slug in slugs():
            start = _start(slug)
            game, state = log.create(start), start.edition.start(start.setup)
            moves = play_game(start.edition, start.setup, play_greedily, Random(3))
            for move, _ in zip(moves, range(MOVES), strict=False):
                state = start.edition.settle(start.edition.apply(state, move))
                game.append(Record(start.edition.format_event(move)), "Ann")
            game.append(Note("a photo"), "Ann", Photo(_photo("JPEG")))
            records.append(format_record(start, game.refresh()).encode())
            tables.append(json.dumps(start.edition.format_table(start.edition.table(state))).encode())
        export_game(log.games()[-1], folder / "game.zip")
    (folder / "data" / "dashboard").mkdir()
    (folder / "data" / "dashboard" / "keys.json").write_bytes(KEYS)
    back_up(folder / "data", folder / "backup.zip")
    return {
        "photo": tuple(map(_photo, ("JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF"))),
        "record": tuple(records),
        "table": tuple(tables),
        "bundle": ((folder / "game.zip").read_bytes(),),
        "backup": ((folder / "backup.zip").read_bytes(),),
        "settings": (SETTINGS,),
        "keys": (KEYS,),
        "database": ((folder / "data" / "games.sqlite3").read_bytes(),),
        "pages": REQUESTS,
    }


SETTINGS = b'language = "ru"\nkeep_days = 30\nwizard_done = true\nedition = "azul"\nside = "grey"\nplayers = ["Ann"]\n'
KEYS = json.dumps({"secret": "a" * 64, "token": "t" * 32, "pin": "123456"}).encode()
REQUESTS = tuple(
    json.dumps(request).encode()
    for request in (
        {
            "path": "/game/GAME",
            "query": {"after": "1", "wide": "1"},
            "headers": {"HX-Request": "true"},
        },
        {"path": "/picture/" + "0" * 64, "query": {"width": "100", "box": "1,2,3,4", "turn": "9"}},
        {"path": "/game/GAME/review", "query": {"at": "1"}, "headers": {"Accept-Language": "uk"}},
        {"path": "/game/GAME/correct/1", "query": {"cell": "wall.1.1"}, "headers": {}},
        {"path": "/host", "query": {"then": "/settings"}, "headers": {"Cookie": "azul=x"}},
        {
            "method": "POST",
            "path": "/game/GAME/correct",
            "form": {"seat": "1", "cell": "score", "value": "7"},
        },
        {"method": "POST", "path": "/game/GAME/enter", "form": {"move": "1:1#1", "after": "0"}},
        {"method": "POST", "path": "/game/GAME/enter", "form": {"kind": "R", "draw": "1"}},
        {"method": "POST", "path": "/game/GAME/fill/1", "form": {"m": "1:1#1"}},
        {"method": "POST", "path": "/game/GAME/answer", "form": {"id": "q", "value": "R"}},
        {"method": "POST", "path": "/game/GAME/allow", "form": {"n": "1", "rule": "AZ-PL-01"}},
        {"method": "POST", "path": "/game/GAME/undo", "form": {"n": "1", "then": "/games"}},
        {"method": "POST", "path": "/settings", "form": {"language": "ru", "keep_days": "30"}},
        {"method": "POST", "path": "/setup/players", "form": {"name": "Ann"}},
        {"method": "POST", "path": "/setup/edition", "form": {"edition": "azul.grey"}},
        {"method": "POST", "path": "/setup/boards/enter", "form": {"f": "1", "name": "ours"}},
        {"method": "POST", "path": "/setup/ready", "form": {"first": "1"}},
        {"method": "POST", "path": "/photo/" + "0" * 32 + "/corners", "form": {"corners": "1,1 2,1 2,2 1,2"}},
        {
            "method": "POST",
            "path": "/host",
            "form": {"pin": "123456", "then": "/"},
            "headers": {"Origin": "http://["},
        },
    )
)


def _photo(format_: str) -> bytes:
    """A small photo in colour."""
    file, grey = io.BytesIO(), Image.radial_gradient("L").resize((96, 80))
    Image.merge("RGB", (grey, grey.rotate(90, expand=False), grey.point(lambda value: 255 - value))).save(file, format_)
    return file.getvalue()


def _decodes(decoder: Decoder, data: bytes) -> bool:
    try:
        decoder.decode(data, "bad.jpg")
    except PhotoError:
        return False
    return True


class _Commands:
    """Commands that are given a file."""

    def __init__(self, folder: Path, name: str, commands: tuple[tuple[str, ...], ...]) -> None:
        self._folder, self._path, self._commands = folder, folder / name, commands

    def __call__(self, data: bytes) -> bool:
        self._path.write_bytes(data)
        taken = False
        for command in self._commands:
            with tempfile.TemporaryDirectory(dir=self._folder) as fresh:
                options = ("--data", fresh) if command[0] in ("import", "restore") else ()
                taken |= _run(*command, str(self._path), *options)
        return taken


class _Opened:
    """A file of a data folder that is then listed, checked and served."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name

    def __call__(self, data: bytes) -> bool:
        with tempfile.TemporaryDirectory(dir=self._folder) as fresh:
            shutil.copytree(self._folder / SEEDS / "data", fresh, dirs_exist_ok=True)
            (Path(fresh) / self._name).write_bytes(data)
            listed = _run("games", "--data", fresh)
            _run("games", "--check", "--data", fresh)
            return _opens(Path(fresh)) and listed


def _opens(folder: Path) -> bool:
    """Whether a dashboard starts on a folder; where it does, it answers."""
    try:
        with open_site(folder) as site:
            client = create_app(site).test_client()
            for path in ("/", "/games", "/health"):
                if client.get(path).status_code >= 500:
                    raise UnkindError(f"{path} failed")
    except (CompanionError, EngineError):
        return False
    return True


def _run(*command: str) -> bool:
    result = CliRunner().invoke(main, command)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in STATUSES:
        raise UnkindError(f"azul {command[0]} ended with {result.exit_code}")
    return result.exit_code != 2


class _Pages:
    """Requests to the dashboard, as the host's device sends them."""

    def __init__(self, client: FlaskClient, folder: Path) -> None:
        limiter.enabled = False
        self._client, site = client, client.application.extensions["site"]
        self._game, own = site.log.games()[0].id, {"Origin": "http://localhost"}
        client.post("/join", data={"token": site.keys.token, "device": "x"}, headers=own)
        client.post("/host", data={"pin": site.keys.pin}, headers=own)
        self._folder = folder

    def __call__(self, data: bytes) -> bool:
        try:
            request = json.loads(data)
        except (ValueError, RecursionError):
            request = {"method": "POST", "path": "/settings", "raw": data}
        if not isinstance(request, dict):
            return False
        path = "/" + str(request.get("path", "")).replace("GAME", self._game).lstrip("/")
        method = "POST" if request.get("method") == "POST" else "GET"
        headers = {"Origin": "http://localhost"} | _texts(request.get("headers"))
        try:
            response = self._client.open(
                path,
                method=method,
                query_string=_texts(request.get("query")),
                data=request.get("raw") or (_texts(request.get("form")) if method == "POST" else None),
                headers={name: value.replace("\r", "").replace("\n", "") for name, value in headers.items() if name},
            )
        except UnicodeError:
            # No client can write half a surrogate pair.
            return False
        if response.status_code >= 500 and response.status_code != 503:
            raise UnkindError(f"{method} {path} was answered with {response.status_code}")
        return response.status_code < 400


def _texts(value: object) -> dict[str, str]:
    return {str(name): str(each) for name, each in value.items()} if isinstance(value, dict) else {}
