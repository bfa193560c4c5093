"""The command `azul`: one module of `companion.cli.commands` per subcommand, imported only when it is called."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from io import TextIOWrapper
from keyword import iskeyword
from typing import Any

import click
from click.shell_completion import CompletionItem

from companion.errors import CompanionError
from companion.telemetry import disable_telemetry
from engine.errors import EngineError
from hardware.errors import HardwareError
from vision.errors import VisionError

GROUPS = {
    "At the table": {
        "run": "Follow a game with a camera.",
        "dashboard": "Show the games of the log in a browser.",
        "serve": "Dashboard and camera in one, as the service runs them.",
    },
    "Photos": {
        "read": "Read photos of tables: what lies where, what is in doubt.",
        "score": "Score photos of tables, and name what is broken.",
        "log": "Make a game of photos taken now and then.",
        "reread": "Read the photos of a game again; propose what differs.",
    },
    "Games": {
        "games": "List the games in the log, the newest first.",
        "export": "Write a game into one zip.",
        "import": "Take an exported game into the log.",
        "show": "Show a record, a table or a position as text.",
        "verify": "Replay records and name every broken rule.",
        "check": "Judge positions: broken rules, and what boards would score.",
        "play": "Let the computer play games and explain every point.",
    },
    "Rules and boards": {
        "rules": "Say what a rule is and where it comes from.",
        "profile": "Keep what is printed on your boards but in no rulebook.",
    },
    "The machine": {
        "setup": "Install the companion as a service.",
        "doctor": "Check camera, disk, clock and service; say what to do.",
        "calibrate": "Measure a camera's lens and colours.",
        "print": "Make sheets to be printed.",
        "backup": "Write games, photos, settings and keys into one zip.",
        "restore": "Put a backup into an empty data folder.",
        "completion": "Complete commands in your shell with the Tab key.",
    },
    "For developers": {
        "render": "Photograph positions of simulated games.",
        "bench": "Measure the parts of the companion on this machine.",
    },
}
"""The commands by what they are for, each with its line in the list of commands."""

BROKEN_RULE = 1
"""The exit status where a rule of the game is broken."""
UNUSABLE = 2
"""The exit status where the input cannot be used at all."""


class LazyGroup(click.Group):
    """A group whose commands are imported by name, so that none pays for what only another one needs."""

    def __init__(self, *args: Any, groups: Mapping[str, Mapping[str, str]], modules: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._groups = groups
        self._lines = {name: line for group in groups.values() for name, line in group.items()}
        self._modules = modules
        """The names of the commands' modules, up to the name of the command."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands, in the order of the list."""
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of that name."""
        if cmd_name not in self._lines:
            return None
        ending = "_" if iskeyword(cmd_name) else ""
        command: click.Command = importlib.import_module(f"{self._modules}{cmd_name}{ending}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Write the list of commands without importing them."""
        longest = max(map(len, self._lines))
        for title, lines in self._groups.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(longest), line) for name, line in lines.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """What may be typed next, told without importing the commands."""
        names = [name for name in self._lines if name.startswith(incomplete)]
        if not names or incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(name, help=self._lines[name]) for name in names]

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; this is the door at which errors become one clear line."""
        try:
            return super().invoke(ctx)
        except (EngineError, CompanionError, HardwareError, VisionError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            click.echo(f"azul: {error}", err=True)
            sys.exit(UNUSABLE)


@click.group(
    cls=LazyGroup,
    groups=GROUPS,
    modules="companion.cli.commands.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="azul-companion", prog_name="azul")
def main() -> None:
    """A companion for Azul tables: plays, scores, explains and checks games."""
    disable_telemetry()
    # What a damaged file holds may be no text that a terminal can show.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
