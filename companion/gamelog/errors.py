"""What can go wrong with the game log: what was tried, what came, what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from companion.errors import CompanionError
from engine.text import Text, Words, say

FULL = say("the disk is full, or files may not grow any more: make room and try again")
READ_ONLY = say("the folder can only be read: give yourself the right to write there, or name another one with --data")
DAMAGED = say(
    "the database is damaged: keep its files as they are, put back a copy of the folder or import the exports"
)

ADVICE = {
    "SQLITE_FULL": FULL,
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_PERM": READ_ONLY,
    "SQLITE_CANTOPEN": say("the database cannot be opened: see that the folder is there and that you may write to it"),
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_BUSY": say("another program holds the database: end it, or try again when it is done"),
    "SQLITE_IOERR": say("the disk refused to read or write: see that it has room and is sound, then try again"),
}
FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
READ_ONLY_ERRORS = (errno.EROFS, errno.EACCES, errno.EPERM)


class GameLogError(CompanionError):
    """The game log cannot do what was asked; what it holds is as it was before."""


@contextmanager
def telling(doing: Words) -> Iterator[None]:
    """Say of what database and disk refuse what was being done, and what to do about it."""
    try:
        yield
    except DBAPIError as error:
        raise _failed(doing, error.orig, _advice(error.orig)) from error
    except sqlite3.Error as error:
        raise _failed(doing, error, _advice(error)) from error
    except OSError as error:
        raise _failed(doing, error.strerror or error, _disk_advice(error)) from error


def _failed(doing: Words, error: object, advice: Text) -> GameLogError:
    return GameLogError(say("{doing} failed: {error}; {advice}", doing=doing, error=error, advice=advice))


def _advice(error: BaseException | None) -> Text:
    name = getattr(error, "sqlite_errorname", None) or ""
    fits = (advice for code, advice in ADVICE.items() if name.startswith(code))
    return next(fits, say("nothing was changed; look into the folder with `azul games --check`"))


def _disk_advice(error: OSError) -> Text:
    if error.errno in FULL_ERRORS:
        return FULL
    if error.errno in READ_ONLY_ERRORS:
        return READ_ONLY
    return ADVICE["SQLITE_IOERR"]
