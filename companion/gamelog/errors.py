"""What can go wrong with the game log: what was tried, what came, what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from companion.errors import CompanionError

FULL = "the disk is full, or files may not grow any more: make room and try again"
READ_ONLY = "the folder can only be read: give yourself the right to write there, or name another one with --data"
DAMAGED = "the database is damaged: keep its files as they are, put back a copy of the folder or import the exports"

ADVICE = {
    "SQLITE_FULL": FULL,
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_PERM": READ_ONLY,
    "SQLITE_CANTOPEN": "the database cannot be opened: see that the folder is there and that you may write to it",
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_BUSY": "another program holds the database: end it, or try again when it is done",
    "SQLITE_IOERR": "the disk refused to read or write: see that it has room and is sound, then try again",
}
FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
READ_ONLY_ERRORS = (errno.EROFS, errno.EACCES, errno.EPERM)


class GameLogError(CompanionError):
    """The game log cannot do what was asked; what it holds is as it was before."""


@contextmanager
def telling(doing: str) -> Iterator[None]:
    """Say of what database and disk refuse what was being done, and what to do about it."""
    try:
        yield
    except DBAPIError as error:
        raise GameLogError(f"{doing} failed: {error.orig}; {_advice(error.orig)}") from error
    except sqlite3.Error as error:
        raise GameLogError(f"{doing} failed: {error}; {_advice(error)}") from error
    except OSError as error:
        raise GameLogError(f"{doing} failed: {error.strerror or error}; {_disk_advice(error)}") from error


def _advice(error: BaseException | None) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    fits = (advice for code, advice in ADVICE.items() if name.startswith(code))
    return next(fits, "nothing was changed; look into the folder with `azul games --check`")


def _disk_advice(error: OSError) -> str:
    if error.errno in FULL_ERRORS:
        return FULL
    if error.errno in READ_ONLY_ERRORS:
        return READ_ONLY
    return ADVICE["SQLITE_IOERR"]
