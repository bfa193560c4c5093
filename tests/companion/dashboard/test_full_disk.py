"""What cannot be written is not believed, and leaves nothing behind: with a disk on which no file may grow."""

from __future__ import annotations

import io
import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.dashboard.security.keys import KeyRing
from companion.dashboard.settings import SettingsFile
from companion.dashboard.site import Site
from companion.gamelog import Game, GameLogError, Photo, PhotoRead

ORIGIN = {"Origin": "http://localhost"}
Full = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def full_disk() -> Full:
    @contextmanager
    def full() -> Iterator[None]:
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    return full


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def test_a_pin_that_cannot_be_kept_locks_nobody_out(host: FlaskClient, site: Site, full_disk: Full) -> None:
    own = site.log.folder / "dashboard"
    site.settings.change(language="")
    before, keys, settings = files(own), site.keys, site.settings.now
    with full_disk():
        codes = [
            host.post(path, data={"language": "ru", "keep_days": "30"}, headers=ORIGIN).status_code
            for path in ("/settings/pin", "/settings/token", "/settings")
        ]
    assert codes == [409] * 3
    assert (site.keys, site.settings.now, files(own)) == (keys, settings, before)
    assert (KeyRing(own).keys, SettingsFile(own).now) == (keys, settings)
    assert host.get("/setup/language").status_code == 200


def test_a_photo_that_cannot_be_kept_leaves_nothing(
    at_table: FlaskClient, site: Site, shot: object, full_disk: Full
) -> None:
    sent = {"photo": (io.BytesIO(getattr(shot, "jpeg")), "table.jpg"), "edition": "azul"}  # noqa: B009
    with full_disk():
        assert at_table.post("/photo", data=sent, headers=ORIGIN).status_code == 409
    assert files(site.log.folder / "dashboard" / "drafts") == set()


def test_a_photo_of_an_event_that_cannot_be_logged_leaves_nothing(
    site: Site, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(site.log.photos.root)

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.gamelog.game.event_row", refuse)
    with pytest.raises(GameLogError, match="full"):
        game.append(PhotoRead(None, "test"), photo=Photo(b"a photo"))
    assert files(site.log.photos.root) == before
    assert not site.log.check().orphans
    monkeypatch.undo()
    kept = game.append(PhotoRead(None, "test"), photo=Photo(b"a photo"))
    with pytest.raises(GameLogError):
        game.append(PhotoRead(None, "test"), "x" * 1000, photo=Photo(b"a photo"))
    assert site.log.read_photo(kept.photo or "") == b"a photo"
