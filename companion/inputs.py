"""Files that a command judges one after the other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from companion.cli import UNUSABLE
from engine import EngineError


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
