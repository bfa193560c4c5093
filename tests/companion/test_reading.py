"""Photos read on several cores at once: in their order, the same as one by one, and few of them in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.dashboard.jobs.album import seconds_left
from companion.photolog import reading
from companion.photolog.reading import AHEAD, Done, Work, in_turn, read_all
from companion.pipeline import load_networks, read_photo

PHOTOS = sorted((Path(__file__).parents[2] / "fixtures" / "photos").glob("azul*/*phone-board_101.jpg"))
JOBS = 2


def test_photos_are_read_in_their_order_and_the_same_as_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "none.jpg").write_bytes(b"no photo")
    paths = [PHOTOS[0], tmp_path / "none.jpg", PHOTOS[1]]
    done = list(read_all([Work(path.name, path) for path in paths], JOBS))
    assert [each.work.name for each in done] == [path.name for path in paths]
    assert done[1].reading is None
    assert done[1].error
    networks = load_networks()
    for path, each in zip(paths, done, strict=True):
        if path in PHOTOS:
            alone = read_photo(path.read_bytes(), path.name, networks).table
            assert each.reading is not None
            assert [board["wall"] for board in each.reading["boards"]] == [board["wall"] for board in alone["boards"]]
            assert each.photo.data == path.read_bytes()


def test_few_photos_are_taken_up_before_they_are_wanted() -> None:
    taken: list[int] = []

    def works() -> Iterator[Work]:
        for number in range(100):
            taken.append(number)
            yield Work(f"{number}.jpg", b"")

    done = in_turn(lambda work: Done(work, {}), works(), JOBS)
    assert [next(done).work.name for _ in range(3)] == ["0.jpg", "1.jpg", "2.jpg"]
    assert len(taken) <= 3 + AHEAD * JOBS


def test_threads_share_the_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []
    monkeypatch.setattr("vision.network.load_models", lambda folder, _cores: loaded.append(folder))
    networks = load_networks()
    work = Work("any.jpg", b"")

    def read(work: Work) -> Done:
        networks.knowing("azul")
        return Done(work, {})

    assert len(list(reading.in_turn(read, [work] * 20, JOBS))) == 20
    assert len(loaded) == 1


def test_how_long_reading_will_go_on_is_known_after_the_first_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 130.0)
    assert seconds_left(100.0, 0, 12) is None
    assert seconds_left(100.0, 3, 12) == 90
