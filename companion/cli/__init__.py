"""The command `azul`: one module of `companion.cli.commands` per subcommand, imported only when it is called."""

from __future__ import annotations

import importlib
import sys
from keyword import iskeyword
from typing import Any

import click

from companion.errors import CompanionError
from companion.telemetry import disable_telemetry
from engine.errors import EngineError
from hardware.errors import HardwareError
from vision.errors import VisionError

COMMANDS = (
    "play",
    "show",
    "verify",
    "check",
    "dashboard",
    "read",
    "score",
    "run",
    "log",
    "reread",
    "games",
    "export",
    "import",
    "rules",
    "profile",
    "render",
    "print",
    "calibrate",
    "serve",
    "setup",
    "doctor",
    "backup",
    "restore",
    "bench",
)

BROKEN_RULE = 1
"""The exit status where a rule of the game is broken."""
UNUSABLE = 2
"""The exit status where the input cannot be used at all."""


class LazyGroup(click.Group):
    """A group whose commands are imported by name, so that none pays for what only another one needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The commands in the order a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command: click.Command = importlib.import_module(f"companion.cli.commands.{module}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; this is the door at which errors become one clear line."""
        try:
            return super().invoke(ctx)
        except (EngineError, CompanionError, HardwareError, VisionError, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            click.echo(f"azul: {error}", err=True)
            sys.exit(UNUSABLE)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="azul-companion", prog_name="azul")
def main() -> None:
    """A companion for Azul tables: plays, scores, explains and checks games."""
    disable_telemetry()
