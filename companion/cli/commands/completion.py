"""`azul completion`: what the shell needs to complete commands."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from companion.errors import CompanionError

VARIABLE = "_AZUL_COMPLETE"
"""By which the shell asks the command what can be typed."""
PLACES = {
    "bash": Path(".local/share/bash-completion/completions/azul"),
    "zsh": Path(".zsh/completions/_azul"),
    "fish": Path(".config/fish/completions/azul.fish"),
}
"""Where each shell looks for such scripts, below the home folder."""
NEXT = {
    "bash": "Open a new terminal: `azul ` and Tab completes.",
    "zsh": "Put `fpath=(~/.zsh/completions $fpath)` before `compinit` in ~/.zshrc, then open a new terminal.",
    "fish": "Open a new terminal: `azul ` and Tab completes.",
}


@click.command()
@click.argument("shell", required=False, type=click.Choice(list(PLACES)))
@click.option("--install", is_flag=True, help="Put the script where the shell finds it, instead of printing it.")
def command(shell: str | None, install: bool) -> None:
    """Print the script with which bash, zsh or fish completes `azul` by the Tab key, or install it.

    Without SHELL, the shell is told by $SHELL.
    """
    shell = shell or Path(os.environ.get("SHELL", "")).name
    found = get_completion_class(shell)
    if found is None or shell not in PLACES:
        raise CompanionError(f"the shell is not told by $SHELL; name one of {', '.join(PLACES)}")
    script = found(click.Command("azul"), {}, "azul", VARIABLE).source()
    if not install:
        click.echo(script)
        return
    path = Path.home() / PLACES[shell]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script + "\n", encoding="utf-8")
    click.echo(f"written to {path}\n{NEXT[shell]}")
