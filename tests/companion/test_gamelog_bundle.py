"""Games on their way: exported, verified, imported; and zips that nobody should trust."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.gamelog import (
    Answer,
    Doubt,
    GameLog,
    GameLogError,
    Note,
    Photo,
    PhotoRead,
    Proposal,
    Record,
    Undo,
    export_game,
    import_game,
)
from engine import load, parse_start, replay, slugs
from engine.record import parse_lines

FIXTURES = Path(__file__).parents[2] / "fixtures" / "games"
JPEG = b"\xff\xd8\xff and so on" * 200
LINES = parse_lines((FIXTURES / "azul" / "coloured-2p-good.jsonl").read_bytes())


def azul(*args, stdin=None):
    result = CliRunner().invoke(main, list(map(str, args)), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def log(tmp_path):
    with GameLog(tmp_path / "data") as log:
        yield log


@pytest.fixture
def other(tmp_path):
    with GameLog(tmp_path / "other") as log:
        yield log


def fill(log, lines):
    """A game with something of everything in its log."""
    game = log.create(parse_start(lines[0]))
    for line in lines[1:]:
        game.append(Record(json.loads(line)), "camera")
    photo = game.append(PhotoRead({"boards": []}, "m1"), "camera", Photo(JPEG, "2026-11-03T20:15:00", "IMG_1.jpg"))
    game.append(Doubt("d", {"R": 0.6, "B": 0.4}, "wall.1.1", 1, (1, 2, 3, 4)), "camera", photo.photo)
    game.append(Answer("d", "R"), "Їжак")
    game.append(Proposal("p", photo.n, {"boards": []}, "m2"))
    game.append(Note("two\u2028lines\nof it"), "Ann")
    game.undo(who="Ann")
    game.redo(who="Ann")
    return game


@pytest.fixture
def game(log):
    return fill(log, LINES)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packed")
    with GameLog(folder) as log:
        assert export_game(fill(log, LINES), folder / "game.zip") == []
    return (folder / "game.zip").read_bytes()


@pytest.fixture
def zipped(packed, tmp_path):
    path = tmp_path / "game.zip"
    path.write_bytes(packed)
    return path


@pytest.mark.parametrize("slug", slugs())
def test_export_verify_import_export_is_a_circle(slug, log, other, tmp_path):
    most = f"{load(slug).players[-1]}p"
    path = sorted(
        path for path in (FIXTURES / slug).glob("*.jsonl") if most in path.name and "replay" not in path.name
    )[0]
    game = fill(log, parse_lines(path.read_bytes()))
    first, second = tmp_path / "1.zip", tmp_path / "2.zip"
    export_game(game, first)
    with ZipFile(first) as archive:
        steps = list(replay(parse_lines(archive.read("record.jsonl"))))
    assert [step.state for step in steps[1:]] == [step.state for step in game.folded.steps]
    verified = azul("verify", "--json", first)
    assert verified.exit_code in (0, 1)
    assert len(verified.stdout.splitlines()) >= len(game.folded.live)
    came, missing = import_game(other, first)
    assert missing == []
    assert came.id != game.id
    assert came.folded.steps == game.folded.steps
    assert came.entries() == game.entries()
    assert export_game(came, second) == []
    assert second.read_bytes() == first.read_bytes()
    assert not other.check().lost


def test_the_same_game_is_not_taken_twice(other, zipped):
    came, _ = import_game(other, zipped)
    with pytest.raises(GameLogError, match=came.id):
        import_game(other, zipped)
    assert len(other.games()) == 1
    came.append(Note("goes on here"))
    import_game(other, zipped)
    assert len(other.games()) == 2


def test_a_game_is_exported_without_the_photo_that_is_lost(game, other, tmp_path):
    (row,) = game.photo_rows()
    game.log.photos.path(row.sha256).unlink()
    path = tmp_path / "game.zip"
    assert export_game(game, path) == [row.sha256]
    came, missing = import_game(other, path)
    assert missing == [row.sha256]
    assert came.entries() == game.entries()
    assert other.check().missing == (row.sha256,)


def test_an_export_that_fails_leaves_no_half_a_zip(game, tmp_path):
    with pytest.raises(GameLogError, match=r"exporting to .* failed"):
        export_game(game, tmp_path / "no such folder" / "game.zip")
    assert not (tmp_path / "no such folder").exists()


# ------------------------------------------------------------------------------------------- hostile zips


def members(path):
    with ZipFile(path) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def rezip(path, files, compression=ZIP_DEFLATED):
    with warnings.catch_warnings(), ZipFile(path, "w", compression) as archive:
        warnings.simplefilter("ignore")
        for name, data in files:
            archive.writestr(name, data)


def of_log(change):
    """The zip with the lines of its log changed, as JSON."""

    def make(files):
        lines = [json.loads(line) for line in files["log.jsonl"].decode().rstrip("\n").split("\n")]
        lines = change(lines) or lines
        return [*(files | {"log.jsonl": "\n".join(json.dumps(line) for line in lines).encode()}).items()]

    return make


def photo_name(files):
    return next(name for name in files if name.startswith("photos/"))


HOSTILE = {
    "a way out": lambda files: [*files.items(), ("../../evil", b"x")],
    "an absolute path": lambda files: [*files.items(), ("/etc/evil", b"x")],
    "a way out of photos": lambda files: [*files.items(), ("photos/../evil.jpg", b"x")],
    "a program": lambda files: [*files.items(), ("run.sh", b"x")],
    "a name twice": lambda files: [*files.items(), ("log.jsonl", files["log.jsonl"])],
    "a photo twice": lambda files: [*files.items(), (photo_name(files).replace(".jpg", ".png"), JPEG)],
    "no log": lambda files: [(name, data) for name, data in files.items() if name != "log.jsonl"],
    "no record": lambda files: [(name, data) for name, data in files.items() if name != "record.jsonl"],
    "another record": lambda files: [
        *(files | {"record.jsonl": b"\n".join(files["record.jsonl"].split(b"\n")[:9])}).items()
    ],
    "another photo": lambda files: [*(files | {photo_name(files): JPEG[:-1] + b"X"}).items()],
    "a longer photo": lambda files: [*(files | {photo_name(files): JPEG + b"X"}).items()],
    "a photo nobody speaks of": lambda files: [*files.items(), (f"photos/{'0' * 64}.jpg", b"x")],
    "a bomb": lambda files: [*(files | {photo_name(files): bytes(50_000_000)}).items()],
    "a log of nothing": lambda files: [*(files | {"log.jsonl": b""}).items()],
    "a log of noise": lambda files: [*(files | {"log.jsonl": b"\xff\xfe" * 99}).items()],
    "a deep log": lambda files: [*(files | {"log.jsonl": b"[" * 100_000}).items()],
    "a gap": of_log(lambda lines: lines.pop(5) and None),
    "an event before the first": of_log(lambda lines: lines[3].update(n=0)),
    "an unknown kind": of_log(lambda lines: lines[-3].update(kind="delete")),
    "an unknown field": of_log(lambda lines: lines[-3].update(extra=1)),
    "no time": of_log(lambda lines: lines[4].update(at="yesterday")),
    "no date": of_log(lambda lines: lines[0].update(created_at="x" * 200)),
    "another format": of_log(lambda lines: lines[0].update(log=2)),
    "another edition": of_log(lambda lines: lines[0]["start"].update(edition="go")),
    "no start": of_log(lambda lines: lines[0].pop("start") and None),
    "half a letter in a word": of_log(lambda lines: lines[-3].update(who="\udfff")),
    "half a letter in a name": of_log(lambda lines: lines[0]["start"].update(players=["Ann", "\ud800"])),
    "half a letter in a key": of_log(lambda lines: lines[-3]["body"].update({"\ud800": 1})),
    "half a letter": of_log(lambda lines: lines[-3]["body"].update(text="\ud800")),
    "a long name": of_log(lambda lines: lines[4].update(who="x" * 1000)),
    "an undo of nothing": of_log(lambda lines: lines[-1]["body"].update(n=999)),
    "a photo of another size": of_log(lambda lines: lines[1].update(bytes=10)),
    "a photo of no size": of_log(lambda lines: lines[1].update(bytes=-1)),
    "a photo with a path for a name": of_log(lambda lines: lines[1].update(sha256="../" * 20)),
    "a photo taken never": of_log(lambda lines: lines[1].update(taken_at=5)),
    "a photo listed twice": of_log(lambda lines: [lines[0], lines[1], *lines[1:]]),
    "a photo not listed": of_log(lambda lines: lines.pop(1) and None),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_zip_is_refused_and_leaves_nothing(make, zipped, other, tmp_path):
    path = tmp_path / "hostile.zip"
    rezip(path, make(members(zipped)))
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(GameLogError) as refused:
        import_game(other, path)
    assert "\n" not in str(refused.value)
    assert other.games() == []
    assert other.check(thorough=False).missing == ()
    left = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert not any("photos" in path.parts for path in left)


@pytest.mark.parametrize("cut", [0, 10, 400, -30, -1])
def test_half_a_zip_is_refused(zipped, other, tmp_path, cut):
    path = tmp_path / "half.zip"
    path.write_bytes(zipped.read_bytes()[:cut])
    with pytest.raises(GameLogError, match="no zip that can be read"):
        import_game(other, path)


def test_unusual_packing_is_refused(zipped, other, tmp_path):
    path = tmp_path / "odd.zip"
    rezip(path, members(zipped).items(), ZIP_LZMA)
    with pytest.raises(GameLogError, match="unusual"):
        import_game(other, path)


def test_any_single_spoilt_byte_is_refused_or_harmless(zipped, other, tmp_path):
    whole, path = zipped.read_bytes(), tmp_path / "spoilt.zip"
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
        try:
            came, _ = import_game(other, path)
        except GameLogError:
            continue
        (row,) = came.photo_rows()
        assert other.read_photo(row.sha256) == JPEG
        came.append(Note("so that the next one is another game"))


def test_a_zip_packed_by_other_tools_is_taken(zipped, other, tmp_path):
    path = tmp_path / "again.zip"
    rezip(path, [("photos/", b""), *reversed(members(zipped).items())])
    came, missing = import_game(other, path)
    assert missing == []
    assert came.folded.last == len(LINES) + 6


# ----------------------------------------------------------------------------------------------- commands


def test_games_are_listed(game, tmp_path):
    told = azul("games", "--data", tmp_path / "data").stdout.splitlines()
    assert told[0].split() == ["game", "begun", "edition", "round", "doubts", "players", "and", "scores"]
    assert told[1].startswith(game.id[:8])
    assert " over " in told[1]
    written = json.loads(azul("games", "--data", tmp_path / "data", "--json").stdout)
    assert (written["id"], written["events"], written["over"]) == (game.id, game.folded.last, True)
    assert (written["doubts"], written["proposals"], written["stranded"]) == (0, 1, [])


def test_no_games_yet(tmp_path):
    told = azul("games", "--data", tmp_path)
    assert (told.exit_code, told.stdout) == (0, f"no games yet in {tmp_path}\n")


def test_the_log_is_checked(game, tmp_path):
    whole = azul("games", "--check", "--data", tmp_path / "data")
    assert (whole.exit_code, whole.stdout) == (0, "nothing is lost and nothing is left over\n")
    (row,) = game.photo_rows()
    game.log.photos.path(row.sha256).unlink()
    lost = azul("games", "--check", "--json", "--data", tmp_path / "data")
    assert lost.exit_code == 2
    assert json.loads(lost.stdout)["missing"] == [row.sha256]


def test_a_game_travels_by_commands(game, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exported = azul("export", game.id[:6], "--data", tmp_path / "data")
    assert exported.exit_code == 0
    path = exported.stdout.removeprefix("written to ").strip()
    assert path == f"azul-{game.created_at[:10]}-{game.id[:8]}.zip"
    assert azul("verify", path).exit_code == 0
    assert azul("verify", "-", stdin=Path(path).read_bytes()).exit_code == 0
    monkeypatch.setenv("AZUL_DATA", str(tmp_path / "third"))
    assert azul("import", path).stdout.startswith("imported as ")
    again = azul("import", path)
    assert again.exit_code == 2
    assert "here already" in again.stderr
    assert azul("export", "nothing").exit_code == 2
    assert (
        json.loads(azul("games", "--json").stdout)["scores"]
        == json.loads(azul("games", "--json", "--data", tmp_path / "data").stdout)["scores"]
    )


@pytest.mark.parametrize("cut", [30, -1])
def test_verify_names_what_is_wrong_with_a_zip(zipped, cut):
    zipped.write_bytes(zipped.read_bytes()[:cut])
    refused = azul("verify", zipped)
    assert refused.exit_code == 2
    assert "is not a record" in refused.stderr


def test_verify_refuses_a_zip_of_something_else(tmp_path):
    rezip(tmp_path / "other.zip", [("holiday.jpg", JPEG)])
    refused = azul("verify", tmp_path / "other.zip")
    assert refused.exit_code == 2
    assert "record.jsonl" in refused.stderr


def test_undone_events_are_in_the_log_and_not_in_the_record(log, tmp_path):
    game = log.create(parse_start(LINES[0]))
    for line in LINES[1:4]:
        game.append(Record(json.loads(line)))
    game.undo()
    export_game(game, tmp_path / "game.zip")
    files = members(tmp_path / "game.zip")
    assert files["record.jsonl"].decode().splitlines() == LINES[:3]
    assert json.loads(files["log.jsonl"].splitlines()[-1])["body"] == {"n": 3}
    assert game.entries()[-1].event == Undo(3)
