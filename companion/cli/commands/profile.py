"""`azul profile`: what players read off their own boards, kept by name."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.errors import CompanionError
from companion.profiles import Profile, all_profiles, check_profile, load_profile, remove_profile, save_profile
from engine import load, slugs


@click.group()
def command() -> None:
    """Keep what is printed on your boards but in no rulebook: a wheel, a joker order."""


@command.command()
@click.argument("name")
@click.argument("file", type=click.Path(allow_dash=True, path_type=Path))
@click.option("--edition", "slug", type=click.Choice(slugs()), required=True)
@click.option("--side", help="The side of the boards.  [default: the edition's first]")
def add(name: str, file: Path, slug: str, side: str | None) -> None:
    """Check the options in FILE (a JSON object, - for standard input) and keep them as NAME."""
    text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    try:
        options = json.loads(text)
    except ValueError as error:
        raise CompanionError(f"{file} holds no JSON object: {error}") from None
    if not isinstance(options, dict):
        raise CompanionError(f"{file} must hold a JSON object of options, as docs/formats.md lists them")
    profile = Profile(name, slug, side or load(slug).sides[0], options)
    for warning in check_profile(profile):
        click.echo(f"odd, but kept: {warning}", err=True)
    click.echo(f"kept as {save_profile(profile)}")


@command.command(name="list")
def list_() -> None:
    """List the profiles."""
    for profile in all_profiles():
        click.echo(f"{profile.name}  {profile.edition}, {profile.side}: {', '.join(profile.options)}")


@command.command()
@click.argument("name")
def show(name: str) -> None:
    """Print the options of a profile."""
    click.echo(json.dumps(load_profile(name).options, indent=1, ensure_ascii=False))


@command.command()
@click.argument("name")
def remove(name: str) -> None:
    """Forget a profile."""
    remove_profile(name)
