"""Games are deleted when the host wants it, never because a file or a clock says nonsense, and can be brought back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient

from companion.dashboard.jobs import retention
from companion.dashboard.settings import FILE, SettingsError, SettingsFile
from companion.dashboard.site import Site
from companion.gamelog import Game
from companion.gamelog.trash import KEPT, deleted_games
from engine import Start, load

ORIGIN = {"Origin": "http://localhost"}
SetClock = Callable[[timedelta], None]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Sets the clock of the sweeper so far ahead."""

    def set_ahead(ahead: timedelta) -> None:
        class Clock(datetime):
            @classmethod
            def now(cls, tz: object = None) -> datetime:  # type: ignore[override] # noqa: ARG003
                return datetime.now(UTC) + ahead

        monkeypatch.setattr(retention, "datetime", Clock)

    return set_ahead


def days(count: int) -> timedelta:
    return timedelta(days=count)


@pytest.mark.parametrize(
    "line",
    [
        "keep_days = -5",
        "keep_days = 4000",
        "keep_days = true",
        "keep_days = 1.5",
        'keep_days = "30"',
        "language = 3",
        'players = "Ann"',
        "players = [1, 2]",
        'edition = "chess"',
        'side = "../.."',
        "wizard_done = 1",
        "unknown = 1",
        "a = " + "[" * 5000,
    ],
)
def test_settings_that_are_nonsense_are_refused(site: Site, game: Game, line: str) -> None:
    own = site.log.folder / "dashboard"
    (own / FILE).write_text(line + "\n")
    with pytest.raises(SettingsError, match=r"dashboard\.toml cannot be used"):
        SettingsFile(own)
    assert site.log.game(game.id).id == game.id


@pytest.mark.parametrize("ahead", [days(365), days(61), days(-2), days(-20_000)])
def test_a_clock_that_is_far_off_deletes_nothing(site: Site, game: Game, set_clock: SetClock, ahead: timedelta) -> None:
    site.settings.change(keep_days=1)
    for _ in range(3):
        set_clock(ahead)
        retention.sweep(site)
    assert [each.id for each in site.log.games()] == [game.id]
    assert not deleted_games(site.log)


def test_games_older_than_wanted_are_deleted_and_kept_for_a_while(site: Site, game: Game, set_clock: SetClock) -> None:
    site.settings.change(keep_days=30)
    for ahead in (0, 29):
        set_clock(days(ahead))
        retention.sweep(site)
    assert site.log.games()
    set_clock(days(31))
    retention.sweep(site)
    assert not site.log.games()
    (kept,) = deleted_games(site.log)
    assert (kept.edition, kept.begun) == ("azul", game.created_at[:10])
    set_clock(days(30) + KEPT)
    retention.sweep(site)
    assert deleted_games(site.log)
    set_clock(days(33) + KEPT)
    retention.sweep(site)
    assert not deleted_games(site.log)


def test_a_machine_that_was_off_for_long_deletes_again_once_somebody_plays(site: Site, set_clock: SetClock) -> None:
    edition = load("azul")
    old = site.log.create(Start(edition, edition.setup("coloured", 2)))
    with site.log.writing("ageing") as connection:
        connection.exec_driver_sql("UPDATE games SET created_at = '2020-01-01T00:00:00+00:00'")
    site.settings.change(keep_days=30)
    retention.sweep(site)
    assert [game.id for game in site.log.games()] == [old.id]
    new = site.log.create(Start(edition, edition.setup("coloured", 2)))
    retention.sweep(site)
    assert [game.id for game in site.log.games()] == [new.id]
    set_clock(days(0))


def test_a_deleted_game_can_be_brought_back(
    host: FlaskClient, site: Site, game: Game, ask: Callable[[Game], int]
) -> None:
    ask(game)
    before = game.refresh().last
    assert host.post(f"/game/{game.id}/delete", data={"sure": "yes"}, headers=ORIGIN).status_code == 303
    assert not site.log.games()
    (kept,) = deleted_games(site.log)
    assert kept.name in host.get("/settings").text
    assert host.post(f"/deleted/{kept.name}/back", headers=ORIGIN).status_code == 303
    (back,) = site.log.games()
    assert back.refresh().last == before
    assert not site.log.check().lost
    assert not deleted_games(site.log)


def test_a_deleted_game_can_be_deleted_for_good(host: FlaskClient, site: Site, game: Game) -> None:
    host.post(f"/game/{game.id}/delete", data={"sure": "yes"}, headers=ORIGIN)
    (kept,) = deleted_games(site.log)
    for name in ("nothing.zip", "..%2fgames.sqlite3"):
        assert host.post(f"/deleted/{name}/purge", headers=ORIGIN).status_code in (404, 409)
    assert host.post(f"/deleted/{kept.name}/purge", headers=ORIGIN).status_code == 303
    assert not deleted_games(site.log)
