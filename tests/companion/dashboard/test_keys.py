"""Keys and data are their owner's alone, bad keys let nobody in, and one folder has one server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.dashboard import create_app
from companion.dashboard.security.keys import KeyRing
from companion.dashboard.wiring import open_site
from companion.gamelog import GameLog

ORIGIN = {"Origin": "http://localhost"}
PATIENCE_S = 60
GOOD = {"secret": "a" * 64, "token": "t" * 32, "pin": "123456"}


@pytest.mark.parametrize(
    "written",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 100_000,
        "\udc80",
        json.dumps({"pin": "123456"}),
        json.dumps(GOOD | {"pin": "", "token": ""}),
        json.dumps(GOOD | {"pin": ""}),
        json.dumps(GOOD | {"pin": 123456}),
        json.dumps(GOOD | {"token": ""}),
        json.dumps(GOOD | {"secret": ""}),
        json.dumps(GOOD | {"other": "x"}),
    ],
)
def test_bad_keys_are_made_anew_and_let_nobody_in(tmp_path: Path, written: str) -> None:
    path = tmp_path / "dashboard" / "keys.json"
    path.parent.mkdir(mode=0o700)
    path.write_bytes(written.encode("utf-8", "surrogateescape"))
    with open_site(tmp_path) as site:
        client = create_app(site).test_client()
        for page, form in (("/host", {"pin": ""}), ("/join", {"token": ""}), ("/host", {}), ("/join", {})):
            assert client.post(page, data=form, headers=ORIGIN).status_code == 403, page
        assert len(site.keys.pin) == 6
        assert KeyRing(path.parent).keys == site.keys


def test_good_keys_are_kept(tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text(json.dumps(GOOD))
    assert KeyRing(tmp_path).keys.pin == "123456"


def test_keys_that_others_can_read_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(GOOD))
    path.chmod(0o666)
    KeyRing(tmp_path)
    assert path.stat().st_mode & 0o077 == 0
    assert "could be read by others" in caplog.text


def test_data_are_their_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        (tmp_path / "there").mkdir(0o777)
        for folder in (tmp_path / "there", tmp_path / "new"):
            with open_site(folder):
                assert folder.stat().st_mode & 0o007 == 0
    finally:
        os.umask(before)


def test_a_folder_of_other_things_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    tmp_path.chmod(0o755)
    with GameLog(tmp_path):
        assert tmp_path.stat().st_mode & 0o777 == 0o755


def begun(folder: Path) -> subprocess.Popen[str]:
    command = [str(Path(sys.executable).with_name("azul")), "dashboard", "--host", "127.0.0.1", "--port", "0"]
    command += ["--data", str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_second_server_on_a_folder_says_so(tmp_path: Path) -> None:
    first = begun(tmp_path)
    try:
        assert first.stdout
        assert "PIN" in first.stdout.readline()
        second = begun(tmp_path)
        _, told = second.communicate(timeout=PATIENCE_S)
        assert second.returncode == 2
        assert told.startswith(f"azul: another companion serves {tmp_path} already")
        assert told.count("\n") == 1
    finally:
        first.kill()
        first.communicate()
    third = begun(tmp_path)
    try:
        assert third.stdout
        assert "PIN" in third.stdout.readline(), "one that was killed holds nothing"
    finally:
        third.kill()
        third.communicate()
