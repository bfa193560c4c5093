"""Files that a command judges one after the other."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from zipfile import ZipFile

import click

from companion.cli import UNUSABLE
from companion.files import DAMAGED_ZIP
from engine import EngineError, RecordError


@dataclass(frozen=True, slots=True)
class Players:
    """Who plays: how many, and their names where they were told."""

    count: int
    names: tuple[str, ...] = ()


class PlayersType(click.ParamType[Players]):
    """`2`, or names with commas between them: the same for every command."""

    name = "N|NAME,NAME…"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Players:
        """The players that an option names."""
        if isinstance(value, Players):
            return value
        if value.strip().isdecimal() and int(value) > 0:
            return Players(int(value))
        names = tuple(" ".join(name.split()) for name in value.split(","))
        if not all(names) or len(names) < 2:
            self.fail(f"{value!r} is neither a number nor names with commas between them, such as Ann,Ben", param, ctx)
        return Players(len(names), names)


PLAYERS = PlayersType()

T = TypeVar("T")
RECORD = "record.jsonl"
"""The record in the zip of an exported game."""
MAX_RECORD = 10_000_000
"""Bytes of a record in a zip: a long game has some ten thousand."""

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
P = ParamSpec("P")
R = TypeVar("R")

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder of the game log.  [default: $AZUL_DATA, or the user's data folder]",
)


def access_options(command: Callable[P, R]) -> Callable[P, R]:
    """Options of commands that serve the dashboard: encryption, a proxy, backups."""
    options = (
        click.option("--certificate", type=FILE, help="Encrypt connections with this certificate (PEM)."),
        click.option("--key", type=FILE, help="The certificate's key (PEM)."),
        click.option("--proxy", metavar="ADDRESS", default="", help="Believe this proxy when it says who asks."),
        click.option(
            "--backups",
            type=click.Path(file_okay=False, path_type=Path),
            metavar="DIR",
            help="Write a backup into this folder every day; each is restored once as a test.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def certificate_of(certificate: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """The files of a certificate, if they were named."""
    if (certificate is None) != (key is None):
        raise click.UsageError("--certificate and --key go together")
    return (certificate, key) if certificate and key else None


def progress(label: str) -> Callable[[Sequence[T]], Iterable[T]]:
    """Shows on a terminal how far the work on a list is, beside what the command prints."""

    def shown(items: Sequence[T]) -> Iterator[T]:
        with click.progressbar(items, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
            yield from bar

    return shown


def judge_files(paths: Iterable[Path], kind: str, judge: Callable[[Path, bytes], int]) -> int:
    """The worst exit status of all files; one that cannot be used gets a line, and the others are still judged."""
    status = 0
    for path in paths:
        try:
            data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
            status = max(status, judge(path, data))
        except EngineError as error:
            click.echo(f"azul: {path} is not a {kind}: {error}", err=True)
            status = UNUSABLE
        except OSError as error:
            click.echo(f"azul: {path} cannot be read: {error.strerror or error}", err=True)
            status = UNUSABLE
    return status


def record_of(data: bytes) -> bytes:
    """The record in the zip of an exported game; what is no zip is a record itself."""
    if not data.startswith(b"PK\x03\x04"):
        return data
    try:
        with ZipFile(io.BytesIO(data)) as archive, archive.open(RECORD) as file:
            record = file.read(MAX_RECORD + 1)
    except KeyError:
        raise RecordError(f"a zip holds a record only as {RECORD}, as `azul export` writes it") from None
    except DAMAGED_ZIP as error:
        raise RecordError(f"the zip cannot be read: {error}") from None
    if len(record) > MAX_RECORD:
        raise RecordError(f"{RECORD} in the zip has more than {MAX_RECORD} bytes")
    return record
