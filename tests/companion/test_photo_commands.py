"""`azul read`, `azul score` and `azul bench vision` as people and programs call them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from companion.cli import main
from companion.lab.exam import ExamAnswer, ExamQuestion, ask, questions_in, rendered_questions
from companion.lab.measure import tally
from companion.pipeline import Reading, read_photo, readable_editions
from engine import slugs
from vision.errors import BoardNotFoundError
from vision.network import Families

BOARD = {
    "lines": ["W", "..", "RRR", "...Y", "...KK"],
    "wall": ["B....", ".....", "K....", "..WB.", "...W."],
    "floor": "KY",
    "score": 6,
}
UNSURE = {"wall.1.1": ("?", 0.9), "line.5.4": ("B", 0.4)}
PHOTOS = Path(__file__).parents[2] / "fixtures" / "photos"
UNREADABLE = [slug for slug in slugs() if slug not in readable_editions()]


def azul(*args: object, stdin: bytes | None = None) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def size_of(data: bytes) -> tuple[int, int]:
    return Image.open(BytesIO(data)).size


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, read: Callable[..., Reading]) -> list[tuple[Any, ...]]:
    """Photos are read as by hand, and one that holds nothing but `none` shows no board; what was asked is noted."""
    calls: list[tuple[Any, ...]] = []

    def pretend(
        data: bytes,
        name: str,
        networks: object,
        edition: str | None = None,
        corners: Sequence[Any] = (),
        _decode: object = None,
    ) -> Reading:
        calls.append((data, name, networks, edition, [points.tolist() for points in corners]))
        if data == b"none":
            raise BoardNotFoundError("no board was found")
        return read(BOARD, UNSURE, photo=name)

    monkeypatch.setattr("companion.cli.photos.read_photo", pretend)
    monkeypatch.setattr("companion.lab.exam.read_photo", pretend)
    for command in ("read", "score", "bench_vision"):
        monkeypatch.setattr(f"companion.cli.commands.{command}.load_networks", lambda: "networks")
    return calls


@pytest.fixture
def photos(tmp_path: Path) -> list[Path]:
    """A photo, one without a board, one that is not there, and another photo."""
    paths = [tmp_path / name for name in ("one.jpg", "none.jpg", "gone.jpg", "two.jpg")]
    for path, data in zip(paths, (b"1", b"none", None, b"2"), strict=True):
        if data:
            path.write_bytes(data)
    return paths


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(("command", "status"), [("read", 1), ("score", 2)])
def test_a_photo_that_cannot_be_read_does_not_stop_the_others(command: str, status: int, photos: list[Path]) -> None:
    result = azul(command, "--json", *photos)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == status
    assert [line["photo"] for line in lines] == ["one.jpg", "none.jpg", "gone.jpg", "two.jpg"]
    assert ["error" in line for line in lines] == [False, True, True, False]
    assert len(result.stderr.splitlines()) == 2
    assert f"azul: {photos[1]}: no board was found" in result.stderr


@pytest.mark.usefixtures("asked")
def test_a_reading_is_a_table_with_doubts_times_and_violations(photos: list[Path]) -> None:
    result = azul("read", "--json", photos[0])
    table = json.loads(result.stdout)
    assert result.exit_code == 0
    assert table["boards"][0]["wall"][0] == "?...."
    assert [doubt["cell"] for doubt in table["boards"][0]["doubts"]] == ["wall.1.1", "line.5.4"]
    assert {"violations", "doubts", "timing_ms"} <= table.keys()
    assert azul("check", "-", stdin=result.stdout_bytes).exit_code in (0, 1)


@pytest.mark.usefixtures("asked")
def test_a_reading_in_words(photos: list[Path]) -> None:
    told = azul("read", photos[0]).stdout
    assert "Azul, coloured side" in told
    assert "? seat 1 wall.1.1: cannot be seen 90 % or B 10 %" in told
    assert "? centre: K, not sure of K 70 %" in told
    assert "read in 10 ms: decode 2, locate 5, read 3" in told


def test_standard_input_edition_and_corners_are_handed_on(asked: list[tuple[Any, ...]]) -> None:
    corners = "1,2 3,4.5 5,6 7,8"
    result = azul(
        "read", "-", "--edition", "azul", "--corners", corners, "--corners", corners, "--json", stdin=b"photo"
    )
    assert json.loads(result.stdout)["photo"] == "-"
    places = [[1, 2], [3, 4.5], [5, 6], [7, 8]]
    assert asked == [(b"photo", "-", "networks", "azul", [places, places])]


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("corners", ["", "1,2", "1,2 3,4 5,6 x,8", "1,2 3,4 5,6 7", "1,2 3,4 5,6 7,nan"])
def test_corners_that_are_none_are_refused(corners: str) -> None:
    result = azul("read", "-", "--corners", corners, stdin=b"photo")
    assert result.exit_code == 2
    assert "four corners look like" in result.stderr


@pytest.mark.usefixtures("asked")
def test_corners_belong_to_one_photo(photos: list[Path]) -> None:
    assert "read it alone" in azul("read", *photos, "--corners", "1,2 3,4 5,6 7,8").stderr


@pytest.mark.usefixtures("asked")
def test_overlays_are_written_to_a_file_or_a_folder(photos: list[Path], tmp_path: Path) -> None:
    azul("read", photos[0], "--overlay", tmp_path / "deep" / "over.png")
    azul("read", *photos, "--overlay", tmp_path / "folder")
    assert size_of((tmp_path / "deep" / "over.png").read_bytes()) == (900, 600)
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["one.png", "two.png"]
    assert "must end with" in azul("read", photos[0], "--overlay", tmp_path / "over.txt").stderr


@pytest.mark.usefixtures("asked")
def test_a_score_is_explained_as_check_does(photos: list[Path], tmp_path: Path) -> None:
    table = tmp_path / "table.json"
    table.write_text(azul("read", "--json", photos[0]).stdout, encoding="utf-8")
    scored, checked = (json.loads(azul(*args, "--json").stdout) for args in (("score", photos[0]), ("check", table)))
    assert {key: scored[key] for key in ("boards", "violations")} == {
        key: checked[key] for key in ("boards", "violations")
    }
    assert scored["reading"]["boards"][0]["score"] == BOARD["score"]
    told = azul("score", photos[0]).stdout
    assert told.index("? seat 1") < told.index("seat 1: score 6; if the round ended now")


@pytest.mark.usefixtures("asked")
def test_bench_vision_counts_and_keeps_what_failed(tmp_path: Path, read: Callable[..., Reading]) -> None:
    truth = {**read(BOARD).table, "tier": "rig"}
    (tmp_path / "a.json").write_text(json.dumps(truth), encoding="utf-8")
    (tmp_path / "a.jpg").write_bytes(b"1")
    (tmp_path / "alone.json").write_text("{}", encoding="utf-8")
    failures, save = tmp_path / "failures", tmp_path / "readings.jsonl"
    result = azul("bench", "vision", tmp_path, "--failures", failures, "--save", save)
    assert result.exit_code == 0, result.output
    assert "rig, 1 tables" in result.stdout
    assert "46 of 47" in result.stdout
    assert "expected calibration error" in result.stdout
    assert json.loads(save.read_text())["photo"] == "a.jpg"
    kept = sorted(path.name for path in failures.iterdir())
    assert kept == ["a.jpg", "a_1_line.5.4_doubt_K.png", "a_1_wall.1.1_doubt_B_read_unseen.png"]


def test_bench_vision_wants_a_folder_or_a_number(tmp_path: Path) -> None:
    assert azul("bench", "vision").exit_code == 2
    assert "no photo with its truth" in azul("bench", "vision", tmp_path).stderr


def test_claims_are_the_stated_probabilities(read: Callable[..., Reading]) -> None:
    truth = read(BOARD).table
    reading = read(BOARD, {"wall.1.1": ("R", 0.4)})
    claims = sorted(ExamAnswer(ExamQuestion("a.jpg", b"", truth), reading, reading.table, 1.0).claims())
    # The print speaks for blue, so it is surer than it was seen.
    assert [stated for stated, _ in claims] == pytest.approx([0.6 * 30 / (0.6 * 30 + 0.4), *[1.0] * 46])
    assert all(right for _, right in claims)


def test_what_looks_like_a_marker_on_a_wall_or_line_is_unseen(read: Callable[..., Reading]) -> None:
    board = read(BOARD, {"wall.2.2": ("1", 0.999), "line.2.1": ("1", 0.999), "floor.3": ("1", 0.999)}).table["boards"][
        0
    ]
    assert (board["wall"][1], board["lines"][1], board["floor"]) == (".?...", "?.", "KY1")
    assert {"wall.2.2", "line.2.1"} <= {doubt["cell"] for doubt in board["doubts"]}


def test_a_cell_that_is_perhaps_hidden_is_told_as_it_looks_and_asked_about(read: Callable[..., Reading]) -> None:
    board = read(BOARD, {"wall.1.1": ("?", 0.7), "line.5.5": ("?", 0.9)}).table["boards"][0]
    assert (board["wall"][0][0], board["lines"][4][4]) == ("B", "?")
    assert {"wall.1.1", "line.5.5"} <= {doubt["cell"] for doubt in board["doubts"]}


def test_all_tiers_but_the_hardest_are_rendered_in_turn() -> None:
    question = rendered_questions(4)[3]()
    assert (question.name, question.group) == ("azul_cells_900003.jpg", "cells")
    assert size_of(question.data) == (560, 560)


def test_fixture_photos_are_read(networks: Families) -> None:
    counts = [tally(ask(question(), networks).judged) for question in questions_in(PHOTOS, "azul")]
    assert len(counts) >= 5
    cells, right, silent = (sum(count[key] for count in counts) for key in ("cells", "cells_right", "cells_silent"))
    assert right / cells > 0.97
    assert silent / cells < 0.005


@pytest.mark.parametrize("slug", UNREADABLE)
def test_boards_of_games_that_cannot_be_read_yet_are_taken_for_none_of_ours(slug: str, networks: Families) -> None:
    photos = sorted((PHOTOS / slug).glob("*.jpg"))
    assert photos
    for photo in photos:
        with pytest.raises(BoardNotFoundError):
            read_photo(photo.read_bytes(), photo.name, networks)


def test_other_seeds_render_other_tables() -> None:
    question = rendered_questions(1, first_seed=905_000)[0]()
    assert question.name == "azul_rig_905000.jpg"


def test_the_command_reads_a_fixture_photo(networks: Families, tmp_path: Path) -> None:
    photo = PHOTOS / "azul" / "azul_phone-board_101.jpg"
    result = azul("read", "--json", photo, "--overlay", tmp_path / "over.png")
    assert json.loads(result.stdout)["boards"] == read_photo(photo.read_bytes(), photo.name, networks).table["boards"]
    assert (tmp_path / "over.png").exists()


def test_an_edition_that_cannot_be_read_is_an_error_for_each_photo() -> None:
    photo = PHOTOS / "tide-pool" / "tide-pool_phone-board_101.jpg"
    result = azul("read", "--json", "--edition", "tide-pool", photo, photo)
    assert result.exit_code == 1
    for line in result.stdout.splitlines():
        told = json.loads(line)
        assert told["photo"] == photo.name
        assert told["error"].startswith("photos of tide-pool cannot be read yet")
    assert len(result.stdout.splitlines()) == len(result.stderr.splitlines()) == 2
