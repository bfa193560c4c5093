"""`azul log`, `azul reread` and what they write into the game log, with photos read as by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.gamelog import Answer, Doubt, Game, GameLog, Note, Photo, PhotoRead, Proposal, Record
from companion.lab.imagine import imagine_json
from companion.lab.photogames import PhotoGame, Taken, photo_game
from companion.ledger import standing
from companion.photolog.memory import SCRIBE, YES, words
from companion.photolog.reading import Work, read_all
from companion.photolog.reread import differing, reread
from companion.pipeline import Reading
from companion.reconcile.photo import to_table
from companion.scores import Marker
from engine import Start, load
from vision.cells import UNSEEN
from vision.errors import BoardNotFoundError

SEED = 970_002
GAME = 4
"""A coloured board, three players, photographed after the walls are tiled."""


def shown(taken: Taken) -> dict[str, Any]:
    return load(taken.table.edition).format_table(taken.shown)


def azul(*args: object) -> Result:
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@dataclass
class Pretended:
    """What the pretended networks see in a photo, by its bytes."""

    tables: dict[bytes, dict[str, Any]] = field(default_factory=dict)
    times: dict[bytes, datetime | None] = field(default_factory=dict)
    asked: list[bytes] = field(default_factory=list)

    def read(
        self, data: bytes, name: str, _networks: object, _edition: str | None = None, decode: object = None
    ) -> Reading:
        assert decode is not None
        self.asked.append(data)
        if data not in self.tables:
            raise BoardNotFoundError("no board was found")
        shown = self.tables[data]
        sighting = imagine_json(
            shown | {"boards": [board | {"score": board["score"] or 0} for board in shown["boards"]]}
        )
        hidden = {board["seat"] for board in shown["boards"] if board["score"] is None}
        boards = (
            replace(b, tracks={(b.seat, "score"): {UNSEEN: 1.0}}) if b.seat in hidden else b for b in sighting.boards
        )
        sighting = replace(sighting, boards=tuple(boards))
        table = {"photo": name, **to_table(sighting, load(sighting.edition))}
        return Reading(None, sighting, table, self.times.get(data))  # type: ignore[arg-type]


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Pretended:
    pretended = Pretended()
    monkeypatch.setattr("companion.photolog.reading.read_photo", pretended.read)
    monkeypatch.setattr("companion.photolog.reading._networks", lambda: None)
    return pretended


@pytest.fixture
def played() -> PhotoGame:
    return photo_game(GAME, SEED, "after")


@pytest.fixture
def folder(tmp_path: Path, networks: Pretended, played: PhotoGame) -> Path:
    """A folder with the photos of a game, whose names say nothing of their order."""
    photos = tmp_path / "photos"
    photos.mkdir()
    for number, taken in enumerate(played.photos):
        data = b"photo %d" % number
        (photos / f"{(number * 7 + 3) % 10}.jpg").write_bytes(data)
        networks.tables[data] = shown(taken)
        networks.times[data] = datetime(2026, 11, 3, 20, number)
    return photos


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AZUL_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def only_game(data: Path) -> Game:
    (game,) = GameLog(data).games()
    game.refresh()
    return game


def told(result: Result) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    *photos, game = [json.loads(line) for line in result.stdout.splitlines()]
    return photos, game


def test_a_folder_becomes_a_game_that_verifies(folder: Path, data: Path, played: PhotoGame, tmp_path: Path) -> None:
    result = azul("log", folder, "--players", "Ada,Bo,Cy", "--json")
    assert result.exit_code == 0, result.output
    photos, game = told(result)
    assert [[board["score"] for board in photo["boards"]] for photo in photos] == [
        [*photo.scores.values()] for photo in played.photos
    ]
    assert [claim["score"] for claim in game["final"]] == [*played.final.values()]
    logged = only_game(data)
    assert logged.start.names == ("Ada", "Bo", "Cy")
    assert logged.folded.state.phase == "over"
    assert azul("export", logged.id, "--out", tmp_path / "game.zip").exit_code == 0
    verified = azul("verify", tmp_path / "game.zip", "--json")
    assert verified.exit_code == 0
    assert json.loads(verified.stdout.splitlines()[-1])["final"] == [*played.final.values()]


def test_the_state_is_what_each_photo_shows(folder: Path, data: Path, played: PhotoGame) -> None:
    azul("log", folder)
    game = only_game(data)
    edition, by_photo = game.start.edition, {}
    photos = {entry.n: entry.photo for entry in game.entries()}
    for step in game.folded.steps:
        by_photo[photos[step.n]] = step.state
    lying = [edition.table(state).boards for state in by_photo.values()]
    assert lying == [photo.table.boards for photo in played.photos]
    assert [state.round for state in by_photo.values()] == [photo.round for photo in played.photos]


def test_a_second_run_adds_nothing(folder: Path, data: Path, networks: Pretended) -> None:
    first = azul("log", folder, "--json")
    events, reads = only_game(data).folded.last, len(networks.asked)
    assert azul("log", folder, "--json").stdout == first.stdout
    assert only_game(data).folded.last == events
    assert len(networks.asked) == reads


def test_photos_that_come_later_go_on_with_the_game(folder: Path, data: Path, played: PhotoGame) -> None:
    late = {path: path.read_bytes() for path in sorted(folder.iterdir(), key=lambda p: p.read_bytes())[2:]}
    for path in late:
        path.unlink()
    azul("log", folder)
    for path, content in late.items():
        path.write_bytes(content)
    _, game = told(azul("log", folder, "--json"))
    assert [claim["score"] for claim in game["final"]] == [*played.final.values()]
    assert only_game(data).folded.state.phase == "over"


def test_an_early_photo_that_comes_late_leaves_the_end_as_it_is(folder: Path, data: Path, played: PhotoGame) -> None:
    path = next(path for path in folder.iterdir() if path.read_bytes() == b"photo 1")
    content = path.read_bytes()
    path.unlink()
    azul("log", folder)
    path.write_bytes(content)
    photos, game = told(azul("log", folder, "--json"))
    assert len(photos) == len(played.photos)
    assert [claim["score"] for claim in game["final"]] == [*played.final.values()]
    assert list(only_game(data).folded.state.scores) == [*played.photos[-1].scores.values()]


def test_a_run_that_was_interrupted_is_made_good(
    folder: Path, data: Path, played: PhotoGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    append, left = Game.append, [9]

    def fail(game: Game, *args: Any, **named: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return append(game, *args, **named)

    monkeypatch.setattr(Game, "append", fail)
    assert azul("log", folder).exit_code != 0
    monkeypatch.setattr(Game, "append", append)
    _, game = told(azul("log", folder, "--json"))
    assert [claim["score"] for claim in game["final"]] == [*played.final.values()]
    logged = only_game(data)
    assert list(logged.folded.state.scores) == [*played.photos[-1].scores.values()]
    assert len(logged.photo_rows()) == len(played.photos)


def test_a_bad_photo_is_one_line_and_the_others_are_used(folder: Path, played: PhotoGame) -> None:
    (folder / "cat.jpg").write_bytes(b"a cat")
    result = azul("log", folder, "--json")
    assert result.exit_code == 1
    assert "azul: cat.jpg: no board was found" in result.stderr
    assert len([line for line in result.stdout.splitlines() if '"sha256"' in line]) == len(played.photos)


def test_photos_of_another_game_are_told_and_left_out(folder: Path, networks: Pretended, played: PhotoGame) -> None:
    azul("log", folder)
    other = shown(photo_game(7, SEED, "after").photos[0])
    (folder / "grey.jpg").write_bytes(b"grey")
    networks.tables[b"grey"] = other
    four = shown(played.photos[0])
    (folder / "four.jpg").write_bytes(b"four")
    networks.tables[b"four"] = four | {"boards": [*four["boards"], four["boards"][0] | {"seat": 4}]}
    result = azul("log", folder, "--json")
    assert result.exit_code == 1
    assert "azul: grey.jpg: the boards show another side than the one that the game was begun on" in result.stderr
    assert "azul: four.jpg: the photo shows 4 boards, but the game has 3 players" in result.stderr
    assert len([line for line in result.stdout.splitlines() if '"sha256"' in line]) == len(played.photos)


@pytest.mark.usefixtures("networks")
def test_nothing_to_log_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "no photos lie in" in azul("log", tmp_path / "empty").stderr
    (tmp_path / "empty" / "cat.jpg").write_bytes(b"a cat")
    assert "none of the photos can be read" in azul("log", tmp_path / "empty").stderr


def test_without_times_the_walls_tell_the_order(folder: Path, networks: Pretended, played: PhotoGame) -> None:
    networks.times.clear()
    photos, game = told(azul("log", folder, "--json"))
    assert game["ordered_by"] == "walls"
    assert [[board["score"] for board in photo["boards"]] for photo in photos] == [
        [*photo.scores.values()] for photo in played.photos
    ]


def test_the_same_photo_twice_counts_once(folder: Path, data: Path, played: PhotoGame) -> None:
    (folder / "copy.jpg").write_bytes(b"photo 0")
    azul("log", folder)
    assert len(only_game(data).photo_rows()) == len(played.photos)


def test_the_same_position_twice_is_told(folder: Path, networks: Pretended, played: PhotoGame) -> None:
    (folder / "again.jpg").write_bytes(b"again")
    networks.tables[b"again"] = shown(played.photos[0])
    networks.times[b"again"] = datetime(2026, 11, 3, 20, 0, 30)
    photos, _ = told(azul("log", folder, "--json"))
    assert [photo["photo"] for photo in photos if photo["same_as"]] == ["again.jpg"]
    assert "shows the same position as" in azul("log", folder).stdout


def hide_score(networks: Pretended, number: int, seat: int) -> None:
    """Let the cube of a seat stand out of sight in one photo."""
    data = b"photo %d" % number
    table = networks.tables[data]
    hidden = [board | ({"score": None} if board["seat"] == seat else {}) for board in table["boards"]]
    networks.tables[data] = table | {"boards": hidden}


def test_what_cannot_be_known_is_an_interval_with_its_reason(
    folder: Path, data: Path, networks: Pretended, played: PhotoGame
) -> None:
    last = len(played.photos) - 1
    hide_score(networks, last, 1)
    photos, ended = told(azul("log", folder, "--json"))
    claim = photos[last]["boards"][0]
    truth = played.photos[last].scores[1]
    assert claim["score"] is None
    assert claim["low"] <= truth <= claim["high"]
    assert claim["low"] < claim["high"]
    assert "what the floor line cost was not seen" in claim["why"]
    assert "the score cannot be read" in claim["why"]
    assert "when all tiles were taken" in claim["settle"]
    (doubt,) = [event for event in only_game(data).folded.doubts.values() if event.cell == "score"]
    assert str(truth) in doubt.reads
    corrected = [event for event in only_game(data).folded.record_events() if "score" in event["cells"]]
    assert f"the score is open: {claim['low']}–{claim['high']}" in [e for e in corrected if e["seat"] == 1][-1]["why"]
    final = ended["final"][0]
    assert final["low"] < played.final[1] <= final["high"]
    assert f"seat 1 {final['low']}–{final['high']}" in azul("games").stdout
    assert f"seat 1: {final['low']}–{final['high']}" in azul("log", folder).stdout
    (listed,) = map(json.loads, azul("games", "--json").stdout.splitlines())
    assert listed["scores"][0] is None
    assert listed["intervals"] == {"1": [final["low"], final["high"]]}
    assert listed["scores"][1:] == [claim["score"] for claim in ended["final"][1:]]


def test_a_persons_word_settles_it_for_good(folder: Path, data: Path, networks: Pretended, played: PhotoGame) -> None:
    last = len(played.photos) - 1
    hide_score(networks, last, 1)
    azul("log", folder)
    game, truth = only_game(data), played.photos[last].scores[1]
    (doubt,) = game.folded.doubts.values()
    game.append(Answer(doubt.id, str(truth)), "Ada")
    photos, _ = told(azul("log", folder, "--json"))
    assert photos[last]["boards"][0]["score"] == truth
    assert words(game.entries(), game.start.edition) == {(photos[last]["sha256"], 1): {"score": str(truth)}}


def test_a_later_photo_answers_an_open_doubt(folder: Path, data: Path, networks: Pretended, played: PhotoGame) -> None:
    hide_score(networks, 1, 1)
    late = [path for path in folder.iterdir() if path.read_bytes() > b"photo 1"]
    kept = {path: path.read_bytes() for path in late}
    for path in late:
        path.unlink()
    azul("log", folder)
    assert any(doubt.cell == "score" for doubt in only_game(data).folded.doubts.values())
    for path, content in kept.items():
        path.write_bytes(content)
    photos, _ = told(azul("log", folder, "--json"))
    claim = photos[1]["boards"][0]
    assert claim["low"] <= played.photos[1].scores[1] <= claim["high"]
    answered = [e for e in only_game(data).entries() if isinstance(e.event, Answer) and e.who == SCRIBE]
    assert bool(answered) == (claim["score"] is not None)


def test_a_cube_that_stands_wrong_is_said_with_the_right_score(tmp_path: Path, data: Path, networks: Pretended) -> None:
    game = photo_game(GAME, SEED, "before")
    photos = tmp_path / "photos"
    photos.mkdir()
    for number, taken in enumerate(game.photos):
        table = shown(taken)
        if number >= 2:
            table = table | {
                "boards": [b | ({"score": b["score"] + 3} if b["seat"] == 2 else {}) for b in table["boards"]]
            }
        (photos / f"{number}.jpg").write_bytes(b"photo %d" % number)
        networks.tables[b"photo %d" % number] = table
        networks.times[b"photo %d" % number] = datetime(2026, 11, 3, 20, number)
    read, _ = told(azul("log", photos, "--json"))
    found = [(number, text) for number, photo in enumerate(read) for text in photo["findings"]]
    right = game.photos[2].scores[2]
    assert [(number, text.split(", since")[0]) for number, text in found] == [
        (2, f"seat 2: the cube says {right + 3}, it should be {right}")
    ]
    assert [photo["boards"][1]["score"] for photo in read] == [photo.scores[2] for photo in game.photos]
    logged = only_game(data)
    notes = [entry.event for entry in logged.entries() if isinstance(entry.event, Note)]
    assert [(note.seat, note.shown) for note in notes] == [(2, photo.scores[2] + 3) for photo in game.photos[2:]]
    track = standing(logged.folded).track
    last = game.photos[-1].scores[2]
    assert track[1].marker == Marker(last + 3, last, last)
    assert track[0].marker is None


def test_boards_one_at_a_time_in_folders_of_their_players(tmp_path: Path, data: Path, networks: Pretended) -> None:
    game = photo_game(GAME, SEED, "after", single=True)
    names = ["Ada", "Bo", "Cy"]
    for number, taken in enumerate(game.photos):
        place = tmp_path / "photos" / names[taken.seats[0] - 1]
        place.mkdir(parents=True, exist_ok=True)
        content = b"photo %d" % number
        (place / f"{number}.jpg").write_bytes(content)
        networks.tables[content] = shown(taken)
        networks.times[content] = datetime(2026, 11, 3, 20, number)
    read, _ = told(azul("log", tmp_path / "photos", "--players", ",".join(names), "--round-ends", "--json"))
    assert [[board["seat"] for board in photo["boards"]] for photo in read] == [[*taken.seats] for taken in game.photos]
    for photo, taken in zip(read, game.photos, strict=True):
        (claim,), (truth,) = photo["boards"], taken.scores.values()
        assert claim["low"] <= truth <= claim["high"]
    assert only_game(data).start.names == tuple(names)


def test_rereading_proposes_and_changes_nothing(
    folder: Path, data: Path, networks: Pretended, monkeypatch: pytest.MonkeyPatch
) -> None:
    azul("log", folder)
    game = only_game(data)
    scores = game.folded.state.scores
    assert reread(game, read_all) == []
    monkeypatch.setattr("companion.photolog.reread.networks_name", lambda: "better")
    changed = networks.tables[b"photo 1"]
    first = changed["boards"][0]
    networks.tables[b"photo 1"] = changed | {"boards": [first | {"score": first["score"] + 1}, *changed["boards"][1:]]}
    (proposed,) = reread(game, read_all)
    assert proposed.differences == (f"seat 1 score: {first['score']} is {first['score'] + 1}",)
    assert game.refresh().state.scores == scores
    (proposal,) = game.folded.proposals.values()
    assert isinstance(proposal, Proposal)
    assert reread(game, read_all) == []
    game.append(Answer(proposal.id, YES), "Ada")
    photos, _ = told(azul("log", folder, "--json"))
    assert photos[1]["boards"][0]["cube"] == first["score"] + 1


def test_readings_are_compared_cell_by_cell(networks: Pretended, played: PhotoGame) -> None:
    networks.tables[b"a"] = shown(played.photos[0])
    (done,) = read_all([Work("a.jpg", b"a")])
    reading = done.reading
    assert reading is not None
    assert list(differing(reading, reading)) == []
    fewer = reading | {"boards": reading["boards"][1:], "centre": {"tiles": "B", "first_player": False}}
    assert list(differing(reading, fewer)) == ["3 boards are 2", "centre:  is B"]


def test_what_people_said_is_found_in_the_log(data: Path) -> None:
    edition = load("azul")
    with GameLog(data) as log:
        game = log.create(Start(edition, edition.setup("coloured", 2)))
        entry = game.append(PhotoRead(None), SCRIBE, Photo(b"x"))
        doubt = Doubt("d", {"R": 0.6, ".": 0.4}, "wall.1.3", 2)
        game.append(doubt, SCRIBE, entry.photo)
        game.append(Answer("d", "R"), "Ada")
        game.append(Record({"event": "correct", "seat": 1, "cells": {"line.2": ".B", "floor": "1"}}), "Bo")
        game.append(Record({"event": "correct", "seat": 1, "cells": {"score": 3}}), SCRIBE, entry.photo)
        said = words(game.entries(), edition)
    assert said[str(entry.photo), 2] == {"wall.1.3": "R"}
    assert said[str(entry.photo), 1] == {"line.2.1": ".", "line.2.2": "B", "floor.1": "1"} | {
        f"floor.{i}": "." for i in range(2, 8)
    }


def test_other_players_than_the_game_has_are_refused_before_anything_is_written(
    folder: Path, data: Path, networks: Pretended
) -> None:
    assert azul("log", folder, "--players", "Ada,Bo,Cy").exit_code == 0
    with GameLog(data) as log:
        (game,) = log.games()
        before = len(game.entries())
    asked = len(networks.asked)
    for players in ("Ada,Bo", "2", "Ada,Bo,Zoe"):
        refused = azul("log", folder, "--players", players)
        assert refused.exit_code == 2
        assert "has other players (Ada, Bo, Cy)" in refused.stderr
    assert len(networks.asked) == asked, "no photo was read"
    with GameLog(data) as log:
        (game,) = log.games()
        assert len(game.entries()) == before
    for players in ("3", "Ada,Bo,Cy"):
        assert azul("log", folder, "--players", players).exit_code == 0


@pytest.mark.parametrize("command", ["log", "run", "play"])
def test_players_are_told_in_the_same_way_to_every_command(command: str, tmp_path: Path) -> None:
    refused = azul(command, *([tmp_path] if command == "log" else []), "--players", "Ann,,Ben")
    assert refused.exit_code == 2
    assert "neither a number nor names" in refused.stderr


def test_the_computer_plays_for_people() -> None:
    told = azul("play", "--players", "Ann,Ben", "--json").output
    assert json.loads(told.splitlines()[0])["players"] == ["Ann", "Ben"]
    assert json.loads(azul("play", "--players", "2", "--json").output.splitlines()[0])["players"] == 2
