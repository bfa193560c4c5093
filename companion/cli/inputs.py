"""Files that a command judges one after the other."""

from __future__ import annotations

import io
import struct
import sys
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import click

from companion.cli import UNUSABLE
from engine import EngineError, RecordError

RECORD = "record.jsonl"
"""The record in the zip of an exported game."""
MAX_RECORD = 10_000_000
"""Bytes of a record in a zip: a long game has some ten thousand."""

data_option = click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="The folder of the game log.  [default: $AZUL_DATA, or the user's data folder]",
)


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
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error) as error:
        raise RecordError(f"the zip cannot be read: {error}") from None
    if len(record) > MAX_RECORD:
        raise RecordError(f"{RECORD} in the zip has more than {MAX_RECORD} bytes")
    return record
