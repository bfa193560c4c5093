"""The service as systemd sees it: the unit, the watchdog's messages, the name in the network."""

import os
import shutil
import socket
import subprocess
import sys
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from companion.backup import back_up
from companion.cli import main
from companion.cli.commands import setup
from companion.cli.commands.setup import welcome
from companion.dashboard.security.keys import Keys
from companion.gamelog import GameLog
from hardware.rig.notify import Watchdog, notify
from hardware.rig.service import Service, known_groups, quoted, service_files

SERVICE = Service((sys.executable, "serve", "--camera", "auto"), 8080, ("video",))


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """A socket that listens as systemd does."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(path))
        listening.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        yield listening


def test_messages_reach_systemd_if_there_is_one(systemd, monkeypatch):
    assert notify("READY=1", "STATUS=watching")
    assert systemd.recv(200) == b"READY=1\nSTATUS=watching"
    monkeypatch.delenv("NOTIFY_SOCKET")
    assert not notify("READY=1")


def test_an_abstract_socket_is_reached_too(monkeypatch):
    name = f"azul-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0{name}")
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        notify("READY=1")
        assert listening.recv(200) == b"READY=1"


def test_the_watchdog_is_patted_no_more_often_than_needed(systemd, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "60000000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    now = [100.0]
    monkeypatch.setattr("hardware.rig.notify.time.monotonic", lambda: now[0])
    watchdog = Watchdog()
    heard = []
    for now[0] in (100.0, 110.0, 129.9, 130.0, 140.0):
        watchdog.pat()
        try:
            heard.append((now[0], systemd.recv(100)))
        except BlockingIOError:
            continue
    assert heard == [(100.0, b"WATCHDOG=1"), (130.0, b"WATCHDOG=1")]


def test_a_watchdog_meant_for_another_process_is_left_alone(systemd, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "60000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    Watchdog().pat()
    with pytest.raises(BlockingIOError):
        systemd.recv(100)


def test_nothing_is_left_to_fill_in():
    files = service_files(SERVICE)
    assert sorted(files) == [
        "etc/avahi/services/azul.service",
        "etc/systemd/journald@azul.conf",
        "etc/systemd/system/azul.service",
    ]
    for name, text in files.items():
        assert "{" not in text, name
    unit = files["etc/systemd/system/azul.service"]
    for line in ("Type=notify", "WatchdogSec=60", "User=azul", "ProtectSystem=strict", "NoNewPrivileges=yes"):
        assert line in unit.splitlines()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path):
    unit = tmp_path / "azul.service"
    unit.write_text(service_files(SERVICE)["etc/systemd/system/azul.service"])
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stderr
    assert "azul.service" not in verified.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed here")
def test_systemd_calls_the_sandbox_tight(tmp_path):
    unit = tmp_path / "azul.service"
    unit.write_text(service_files(SERVICE)["etc/systemd/system/azul.service"])
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=35", "--no-pager", str(unit)]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout + judged.stderr


def test_the_network_is_told_where_the_dashboard_is():
    group = ET.fromstring(service_files(SERVICE)["etc/avahi/services/azul.service"])  # noqa: S314 - our own file
    assert group.findtext("service/type") == "_http._tcp"
    assert group.findtext("service/port") == "8080"


def test_only_groups_that_exist_are_named(tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("root:x:0:\nvideo:x:44:pi\ngpio:x:986:\n")
    assert known_groups(tmp_path) == ("video", "gpio")
    assert known_groups(tmp_path / "nowhere") == ()


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("usb:/dev/v4l/by-id/usb-A_B-video-index0", "usb:/dev/v4l/by-id/usb-A_B-video-index0"),
        ("watch:/home/ann/My Photos", '"watch:/home/ann/My Photos"'),
        ("stream:http://cam/a%20b?x=$1&y=2", '"stream:http://cam/a%%20b?x=$$1&y=2"'),
        ('a"b\\c', '"a\\"b\\\\c"'),
    ],
)
def test_words_are_written_as_systemd_reads_them(word, written):
    assert quoted(word) == written


def test_a_word_that_would_become_a_line_of_the_unit_is_refused():
    with pytest.raises(ValueError, match="cannot be written"):
        quoted("auto\nUser=root")


@pytest.mark.parametrize(
    ("camera", "told"),
    [("webcam", "no camera is called 'webcam'"), ("watch:photos", "whole path"), ("usb:0\nUser=root", "no camera is")],
)
def test_setup_refuses_cameras_that_a_service_cannot_open(tmp_path, camera, told):
    done = CliRunner().invoke(main, ["setup", "--root", str(tmp_path), "--camera", camera])
    assert done.exit_code == 2
    assert told in done.output
    assert list(tmp_path.iterdir()) == []


def test_setup_puts_a_backup_back_first(tmp_path):
    with GameLog(tmp_path / "old"):
        back_up(tmp_path / "old", tmp_path / "b.zip")
    done = CliRunner().invoke(main, ["setup", "--root", str(tmp_path / "card"), "--restore", str(tmp_path / "b.zip")])
    assert done.exit_code == 0, done.output
    assert "1 files put back" in done.output
    assert (tmp_path / "card/var/lib/azul/games.sqlite3").exists()


def test_setup_makes_a_running_service_go_on_as_it_is_set_up_now(monkeypatch):
    """Without root: what it would run is written down instead."""
    ran = []

    def run(*command, **_):
        ran.append(" ".join(command))
        return 0

    monkeypatch.setattr(setup, "_check", lambda: None)
    monkeypatch.setattr(setup, "_run", run)
    monkeypatch.setattr(setup, "service_files", lambda _: {})
    monkeypatch.setattr(setup, "KeyRing", lambda _: SimpleNamespace(keys=Keys("secret", "token", "123456")))
    done = CliRunner().invoke(main, ["setup"])
    assert done.exit_code == 0, done.output
    assert ran[-2:] == ["systemctl enable azul.service", "systemctl restart azul.service"]
    assert "123456" in done.output
    CliRunner().invoke(main, ["setup", "--no-start"])
    assert ran[-1] == "systemctl enable azul.service"


def test_setup_writes_into_another_root(tmp_path):
    done = CliRunner().invoke(main, ["setup", "--root", str(tmp_path), "--camera", "usb:0", "--port", "8123"])
    assert done.exit_code == 0, done.output
    unit = (tmp_path / "etc/systemd/system/azul.service").read_text()
    assert "serve --camera usb:0 --port 8123\n" in unit


def test_the_console_shows_the_way_in():
    told = "\n".join(welcome("http://azul.local:8000", Keys("secret", "token", "123456")))
    assert "http://azul.local:8000\n" in told
    assert "PIN is 123456\n" in told
    assert "▀" in told
    assert "secret" not in told


def test_setup_without_root_says_so(monkeypatch):
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    done = CliRunner().invoke(main, ["setup"])
    assert done.exit_code == 2
    assert "sudo azul setup" in done.output
