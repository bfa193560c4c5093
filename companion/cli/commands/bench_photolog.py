"""`azul bench photolog`: how well photos taken now and then tell the scores of games."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import cv2

from companion.gamelog.photos import digest
from companion.lab.confusions import Confusions, load_confusions
from companion.lab.photoexam import Shot, imagined_shots, judge, rendered_shots, summary
from companion.lab.photogames import MOMENTS, PhotoGame, photo_game
from companion.pipeline import load_networks, networks_name, refuse_unreadable
from engine import slugs

FIRST_SEED = 960_000
"""Seeds from here on are kept out of training and of other benchmarks."""
SEEDS_A_GAME = 100
PIXEL_GAMES = 15
FIXTURES = Path("fixtures/benchmarks")
ShotsOf = Callable[[PhotoGame], list[Shot]]
BROKEN = 1
"""The exit status where a true score lies outside of what was claimed."""


@click.command()
@click.option("--sightings", type=click.IntRange(1), metavar="N", help="N games by measured confusions, no pictures.")
@click.option("--games", type=click.IntRange(1), default=PIXEL_GAMES, show_default=True, help="Games by pixels.")
@click.option("--edition", type=click.Choice(slugs()), help="What is played.  [default: azul and azul-mini in turn]")
@click.option(
    "--options", default="{}", metavar="JSON", help="What is agreed on in these games, as a record's start has it."
)
@click.option("--moment", type=click.Choice(MOMENTS), help="When photos are taken.  [default: all in turn]")
@click.option("--single", is_flag=True, help="Photos of one board at a time.")
@click.option(
    "--often", is_flag=True, help="Several photos in some rounds, at any moment, some of one board at a time."
)
@click.option("--kept", type=click.Path(path_type=Path), help="Results to compare with.")
@click.option("--keep", is_flag=True, help="Keep these results in place of those.")
@click.option("--work", type=click.Path(path_type=Path), default=Path("build/bench"), show_default=True)
@click.option("--confusions", type=click.Path(path_type=Path), default=FIXTURES / "confusions.json", show_default=True)
def command(
    sightings: int | None,
    games: int,
    edition: str | None,
    options: str,
    moment: str | None,
    single: bool,
    often: bool,
    kept: Path | None,
    keep: bool,
    work: Path,
    confusions: Path,
) -> None:
    """Play games, photograph them once a round with a tenth of the photos missing, and judge every claimed score.

    A run that was interrupted goes on where it stopped. Exit status: 0 every true score is within what was claimed, 1
    not so.
    """
    cv2.setNumThreads(1)
    if edition and not sightings:
        refuse_unreadable(edition)
    agreed = _agreed(options)
    name = "-".join(["photolog", *(part for part in ("sightings" if sightings else None, edition, moment) if part)])
    name += f"-{digest(options.encode())[:8]}" if agreed else ""
    name += "-single" if single else "-often" if often else ""
    shots_of = _imagined(load_confusions(confusions)) if sightings else _rendered()
    seen_by = digest(confusions.read_bytes())[:8] if sightings else networks_name()
    path = work / f"{name}-{seen_by}.jsonl"
    numbers = range(sightings or games)
    photographed = [photo_game(n, FIRST_SEED, moment, single, often, edition, agreed) for n in numbers]
    done = list(_judged(photographed, shots_of, path))
    whole = summary(done)
    kept = kept or FIXTURES / f"{name}.json"
    click.echo("\n".join(_told(whole, _kept(kept))))
    for game in done:
        for wrong in game["wrong"]:
            click.echo(
                f"game {game['game']}, seat {wrong['seat']}: {wrong['truth']} is not within {wrong['low']} to "
                f"{wrong['high']}: {wrong['why']}"
            )
    if keep:
        kept.parent.mkdir(parents=True, exist_ok=True)
        games_text = ",\n  ".join(json.dumps(game) for game in done)
        kept.write_text(f'{{"summary": {json.dumps(whole)},\n "games": [\n  {games_text}]}}\n', encoding="utf-8")
    sys.exit(BROKEN if any(game["wrong"] for game in done) else 0)


def _agreed(options: str) -> dict[str, Any]:
    try:
        agreed = json.loads(options)
    except json.JSONDecodeError as error:
        raise click.BadParameter(f"{options!r} is not JSON: {error}", param_hint="--options") from error
    if not isinstance(agreed, dict):
        raise click.BadParameter(f"{options!r} is no object as in the start of a record", param_hint="--options")
    return agreed


def _imagined(confusions: Confusions) -> ShotsOf:
    return lambda game: imagined_shots(game, Random(f"confusions {game.number}"), confusions)


def _rendered() -> ShotsOf:
    networks = load_networks()
    return lambda game: rendered_shots(game, FIRST_SEED + SEEDS_A_GAME * game.number, networks)


def _judged(games: Sequence[PhotoGame], shots_of: ShotsOf, path: Path) -> Iterator[dict[str, Any]]:
    """Every game's result; what was read is kept as it comes, so that a run can be interrupted, and judged anew."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    known = {told["game"]: told["shots"] for told in map(json.loads, lines)}
    with click.progressbar(games, label="photographing", file=sys.stderr) as shown, path.open("a") as file:
        for game in shown:
            if game.number not in known:
                known[game.number] = [shot.to_json() for shot in shots_of(game)]
                file.write(json.dumps({"game": game.number, "shots": known[game.number]}) + "\n")
                file.flush()
            yield judge(game, [Shot.from_json(told) for told in known[game.number]])


def _kept(path: Path) -> Mapping[str, Any]:
    whole: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))["summary"] if path.exists() else {}
    return whole


def _told(whole: Mapping[str, Any], kept: Mapping[str, Any]) -> Iterator[str]:
    yield f"{whole['games']} games, {whole['photos']} photos{' (kept results in brackets)' if kept else ''}"
    for kind, label in (("rounds", "scores at photos"), ("final", "final scores")):
        now, before = whole[kind], kept.get(kind)
        for key, text in (("held", "exact or within what was claimed"), ("exact", "exact")):
            old = f"  [{before[key]} of {before['claims']}]" if before else ""
            share = f" ({now[key] / now['claims']:.1%})" if now["claims"] else ""
            yield f"  {label}: {now[key]} of {now['claims']}{share} {text}{old}"
        old = f"  [{before['mean_width']}]" if before else ""
        yield f"  {label}: intervals {now['mean_width']} wide on average, {now['widest']} at most{old}"
    old = f"  [{kept['clock']} of {kept['photos']}]" if "clock" in kept else ""
    yield f"  rounds scored: right at {whole['clock']} of {whole['photos']} photos{old}"
    yield f"  cubes called wrong {whole['miskept']}, cells in doubt {whole['doubts']}"
