"""A backup every day, each restored once to see that it can be, older ones thinned out."""

from __future__ import annotations

import logging
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.backup import BackupError, back_up, restore
from companion.errors import CompanionError
from companion.files import make_folder
from companion.gamelog import GameLog
from companion.gamelog.errors import telling
from engine.errors import EngineError

DAYS, WEEKS = 7, 4
"""The newest so many are kept, and the newest of each of so many weeks."""
EVERY = timedelta(days=1)
LOOK_S = 3600.0
STAMP = "%Y%m%dT%H%M%SZ"
NAME = re.compile(r"azul-(\d{8}T\d{6}Z)\.zip")

logger = logging.getLogger(__name__)


def back_up_into(folder: Path, backups: Path, now: datetime) -> Path:
    """Write a backup of a data folder, see that it can be restored, and delete what is not needed any more."""
    with telling(f"making the folder {backups}"):
        make_folder(backups)
    path = backups / f"azul-{now.astimezone(UTC).strftime(STAMP)}.zip"
    back_up(folder, path)
    try:
        rehearse(path)
    except (CompanionError, EngineError):
        path.unlink()
        raise
    for old in _spare(made_by(backups, now)):
        old.unlink()
    return path


def rehearse(path: Path) -> None:
    """Restore a backup beside itself, read every photo and every event, and throw that away."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".rehearsal-") as scratch:
        kept = restore(path, Path(scratch) / "data")
        with GameLog(Path(scratch) / "data") as log:
            found = log.check()
            for game in log.games():
                game.refresh()
        if found.database or found.events or found.damaged or len(found.missing) > kept.lost:
            raise BackupError(
                f"{path} could not be restored whole: look into the data folder with `azul games --check`"
            )


def made_by(backups: Path, now: datetime) -> list[tuple[datetime, Path]]:
    """The backups in a folder with their times, the newest first; what claims to come from the future is left alone."""
    found = ((NAME.fullmatch(path.name), path) for path in backups.glob("azul-*.zip"))
    made = [(datetime.strptime(name[1], STAMP).replace(tzinfo=UTC), path) for name, path in found if name]
    return sorted((each for each in made if each[0] <= now), reverse=True)


@contextmanager
def backing_up(folder: Path, backups: Path | None) -> Iterator[None]:
    """Make a backup every day while this lasts, where a folder for them is named."""
    if backups is None:
        yield
        return
    ending = threading.Event()
    working = threading.Thread(target=_work, args=(folder, backups, ending), name="backups", daemon=True)
    working.start()
    try:
        yield
    finally:
        ending.set()
        working.join()


def _work(folder: Path, backups: Path, ending: threading.Event) -> None:
    while not ending.is_set():
        now = datetime.now(UTC)
        try:
            made = made_by(backups, now)
            if not made or now - made[0][0] >= EVERY:
                back_up_into(folder, backups, now)
        except (CompanionError, EngineError, OSError) as error:
            logger.warning("no backup was made: %s", error)
        ending.wait(LOOK_S)


def _spare(made: list[tuple[datetime, Path]]) -> list[Path]:
    """Backups that are not needed any more; they are counted, not dated, so that no clock empties the folder."""
    weeks: dict[tuple[int, int], Path] = {}
    for at, path in made:
        weeks.setdefault(at.isocalendar()[:2], path)
    wanted = {path for _, path in made[:DAYS]} | set(list(weeks.values())[:WEEKS])
    return [path for _, path in made if path not in wanted]
