"""`azul setup`: the companion as a service that starts with the machine."""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import click
import segno

from companion.backup import restore
from companion.certificate import make_certificate
from companion.cli.inputs import progress
from companion.dashboard.security.keys import KeyRing, Keys
from companion.dashboard.wiring import FOLDER, PORT, own_names
from companion.errors import CompanionError
from hardware.cameras.opening import KINDS
from hardware.rig.service import DATA, GROUPS, USER, Service, known_groups, service_files


class SetupError(CompanionError):
    """Something that keeps the service from being installed."""


@click.command()
@click.option("--camera", "spec", default="auto", show_default=True, help="Which camera the service watches.")
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Where the dashboard is.")
@click.option(
    "--root",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("/"),
    help="Only write the files, below this folder, to look at them: no user is made, and nothing is started.",
)
@click.option("--tls", is_flag=True, help="Encrypt connections with a certificate that is made here.")
@click.option("--start/--no-start", default=True, help="Start the service at once.")
@click.option(
    "--restore",
    "backup",
    metavar="FILE.zip",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Put a backup back first, such as that of another SD card.",
)
def command(spec: str, port: int, root: Path, tls: bool, start: bool, backup: Path | None) -> None:
    """Install the companion as a service: systemd unit, its own user, its name in the network; run it with sudo.

    Running it again updates what is there; games are never touched.
    """
    _check_camera(spec)
    here = root == Path("/")
    if here:
        _check()
        _make_user()
    if backup is not None:
        click.echo(f"{restore(backup, root / DATA, progress('restoring')).files} files put back into {root / DATA}")
    command: tuple[str, ...] = (_own_command(), "serve", "--camera", spec, "--port", str(port))
    if tls:
        certificate, key = make_certificate(root / DATA / FOLDER, ("localhost", "127.0.0.1", *own_names()))
        command += ("--certificate", _from(root, certificate), "--key", _from(root, key))
    for name, text in service_files(Service(command, port, known_groups(root))).items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        click.echo(f"written to {path}")
    if here:
        # The keys are made here, to be shown; they must be the service's own.
        ring = KeyRing(root / DATA / FOLDER)
        _run("chown", "--recursive", f"{USER}:", f"/{DATA}")
        _run("systemctl", "daemon-reload")
        _run("systemctl", "enable", "azul.service")
        if start:
            # Not only started: one that runs already goes on as it was installed.
            _run("systemctl", "restart", "azul.service")
        click.echo("\n".join(welcome(f"{'https' if tls else 'http'}://{socket.gethostname()}.local:{port}", ring.keys)))


def _from(root: Path, path: Path) -> str:
    """The path as the service will see it."""
    return f"/{path.relative_to(root).as_posix()}"


def _check_camera(spec: str) -> None:
    """It need not be there yet, but a service cannot ask what was meant."""
    kind, _, rest = spec.partition(":")
    if kind not in KINDS or not spec.isprintable():
        raise SetupError(f"no camera is called {spec!r}; there are {', '.join(KINDS)}")
    if kind in ("folder", "watch") and not Path(rest).is_absolute():
        raise SetupError(f"the service does not run here: name the folder by its whole path, {kind}:/…")


def _check() -> None:
    if os.geteuid() != 0:
        raise SetupError("installing a service needs root; run it as `sudo azul setup`")
    if not Path("/run/systemd/system").is_dir():
        raise SetupError("this machine does not run systemd; start `azul run` by your own means, or use --root")


def _make_user() -> None:
    """A user of its own, who owns nothing but the games and may use camera and pins."""
    known = known_groups(Path("/"))
    if _run("id", USER, check=False):
        _run("useradd", "--system", "--home-dir", f"/{DATA}", "--shell", "/usr/sbin/nologin", USER)
    for group in GROUPS:
        if group in known:
            _run("usermod", "--append", "--groups", group, USER)


def _own_command() -> str:
    """The very command that runs now, so that the service runs in the same environment."""
    beside = Path(sys.executable).with_name("azul")
    found = str(beside) if beside.exists() else shutil.which("azul")
    if found is None:
        raise SetupError(f"the command azul is not beside {sys.executable}; install the companion, then set it up")
    return found


def _run(*command: str, check: bool = True) -> int:
    # The words are ours; only names of groups that this system knows are put in.
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if check and done.returncode:
        raise SetupError(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
    return done.returncode


def welcome(address: str, keys: Keys) -> list[str]:
    """What the person at the console has to know: where to look, with which PIN, and a code to scan."""
    code = io.StringIO()
    segno.make_qr(f"{address}/join/{keys.token}").terminal(code, compact=True)
    return [
        f"The dashboard is at {address}",
        f"The host's PIN is {keys.pin}",
        f"Devices that scan this may correct games:\n\n{code.getvalue()}",
    ]
