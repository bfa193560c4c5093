"""`azul bench live`: how well games are followed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import click
import cv2

from companion.lab.confusions import load_confusions, measure_confusions, save_confusions
from companion.lab.looking import ImaginedTable, photographed
from companion.lab.measure import wilson
from companion.lab.missing import MissingVerdict, rehearse_missing
from companion.lab.rehearsal import plan_of, rehearse_pixels, rehearse_sightings
from companion.lab.trial import TrialVerdict
from companion.pipeline import load_networks, refuse_unreadable
from engine import slugs

BENCHMARKS = Path(__file__).parents[3] / "fixtures" / "benchmarks"
CONFUSIONS = BENCHMARKS / "confusions.json"
KEPT = BENCHMARKS / "live.json"
KEPT_WHOLE = BENCHMARKS / "live-whole.json"
KEPT_SIGHTED = BENCHMARKS / "live-sightings.json"
GAMES = 25
DEFAULT = "azul"

Play = Callable[[int], TrialVerdict]
PlayGaps = Callable[[int], MissingVerdict]
GapPlayer = Callable[[str, float], PlayGaps]

SHARES = {
    "moves right": ("right", "moves"),
    "breaches named": ("named", "breaches"),
    "answers that led back": ("returned", "doubts"),
}


@click.command()
@click.option("--games", type=click.IntRange(1), default=GAMES, show_default=True, help="How many, through pixels.")
@click.option("--sightings", type=click.IntRange(1), metavar="N", help="N games through disturbed sightings instead.")
@click.option("--edition", "slug", type=click.Choice(slugs()), default="azul", show_default=True)
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="The number of the first game.")
@click.option(
    "--kept",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where results are kept: games that are there already are not played again.  [default: with the fixtures]",
)
@click.option("--anew", is_flag=True, help="Play all games again, and compare with what was kept.")
@click.option(
    "--measure", type=click.IntRange(1), metavar="N", help="First measure how vision errs, on N rendered tables."
)
@click.option(
    "--missing",
    type=click.FloatRange(0, 0.9),
    metavar="SHARE",
    help="Leave out this share of the looks, in every other game in runs of up to a round.",
)
@click.option("--whole", is_flag=True, help="Read the whole table at every look, through pixels.")
@click.option("--notes", is_flag=True, help="Tell what went wrong or was asked.")
def command(
    games: int,
    sightings: int | None,
    slug: str,
    first: int,
    kept: Path | None,
    anew: bool,
    measure: int | None,
    missing: float | None,
    whole: bool,
    notes: bool,
) -> None:
    """Follow games that are played at the simulated table, and compare them with the truth.

    Two to four players on either side, every third game with mischief. Through pixels a game takes minutes. The run can
    be stopped at any moment and goes on where it was.
    """
    cv2.setNumThreads(1)
    if measure:
        _measure(measure)
    numbers = range(first, first + (sightings or games))
    if missing is not None:
        _tell_missing(numbers, slug, missing, _sighted_gaps if sightings else _photographed_gaps, notes)
        return
    kept = kept or _kept(KEPT_SIGHTED if sightings else KEPT_WHOLE if whole else KEPT, slug)
    if not sightings:
        refuse_unreadable(slug)
    before = _load(kept)
    player = _sighted if sightings else partial(_photographed, carries=not whole)
    verdicts = list(_followed(numbers, {} if anew else before, kept, player, slug))
    for line in (*_compared(before, dict(zip(numbers, verdicts, strict=True))), *_told(verdicts)):
        click.echo(line)
    if notes:
        for number, verdict in zip(numbers, verdicts, strict=True):
            for note in verdict.notes:
                click.echo(f"  game {number}: {note}")


def _tell_missing(numbers: Sequence[int], slug: str, share: float, player: GapPlayer, notes: bool) -> None:
    """Follow games with gaps and print how soon the game was right again, and what was said of it."""
    play = player(slug, share)
    with click.progressbar(numbers, label="following", file=sys.stderr) as games:
        verdicts = [play(number) for number in games]

    def total(name: str) -> int:
        return int(sum(getattr(verdict, name) for verdict in verdicts))

    looks, missed = total("looks"), total("missed")
    click.echo(f"{len(verdicts)} games, {looks} looks, {missed} left out ({share:.0%} asked for)")
    for label, count, whole in (
        ("boards right at once", total("at_once"), looks),
        ("right within two looks", looks - total("late"), looks),
        ("games to the end", total("to_the_end"), len(verdicts)),
        ("final scores exact", total("exact"), total("finals")),
        ("exact or inside", total("inside"), total("finals")),
    ):
        click.echo(f"  {label:<26}{_share(count, whole)}")
    click.echo(f"  {'false violations':<26}{total('false') / len(verdicts):8.3f} a game")
    click.echo(f"  {'bridges':<26}{total('bridges') / len(verdicts):8.2f} a game")
    click.echo(
        f"  {'questions':<26}{total('questions') / max(missed, 1):8.3f} a missed look, {total('questions')} in all"
    )
    slowest = max(verdict.slowest for verdict in verdicts)
    spent = sum(verdict.seconds for verdict in verdicts)
    click.echo(f"  {'time':<26}{spent / max(looks, 1):8.3f} s a look of one core, {slowest:.1f} s the slowest")
    for number, verdict in zip(numbers, verdicts, strict=True):
        for note in verdict.notes if notes else ():
            click.echo(f"  game {number}: {note}")


def _measure(count: int) -> None:
    networks = load_networks()
    with click.progressbar(measure_confusions(count, networks), count, "measuring", file=sys.stderr) as measured:
        for last in measured:
            save_confusions(last.confusions(), CONFUSIONS)


def _kept(path: Path, slug: str) -> Path:
    """Where the results of an edition are kept."""
    return path if slug == DEFAULT else path.with_stem(f"{path.stem}-{slug}")


def _sighted(slug: str) -> Play:
    confusions = load_confusions(CONFUSIONS)
    return lambda number: rehearse_sightings(plan_of(number, slug), confusions)


def _photographed(slug: str, carries: bool = True) -> Play:
    networks = load_networks()
    return lambda number: rehearse_pixels(plan_of(number, slug), networks, carries=carries)


def _sighted_gaps(slug: str, share: float) -> PlayGaps:
    confusions = load_confusions(CONFUSIONS)

    def play(number: int) -> MissingVerdict:
        plan = plan_of(number, slug)
        return rehearse_missing(plan, ImaginedTable(plan, confusions), share)

    return play


def _photographed_gaps(slug: str, share: float) -> PlayGaps:
    refuse_unreadable(slug)
    networks = load_networks()

    def play(number: int) -> MissingVerdict:
        plan = plan_of(number, slug)
        with photographed(plan, networks) as table:
            return rehearse_missing(plan, table, share)

    return play


def _followed(
    numbers: Sequence[int], known: dict[int, TrialVerdict], kept: Path, player: Callable[[str], Play], slug: str
) -> Iterator[TrialVerdict]:
    """Verdicts as they come, each kept on the disk before the next game begins."""
    everything = _load(kept)
    play = player(slug) if set(numbers) - known.keys() else None
    with click.progressbar(numbers, label="following", file=sys.stderr) as games:
        for number in games:
            if number not in known and play is not None:
                everything[number] = known[number] = play(number)
                _save(everything, kept)
            yield known[number]


def _load(path: Path) -> dict[int, TrialVerdict]:
    told = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {int(number): TrialVerdict(**verdict) for number, verdict in told.items()}


def _save(verdicts: dict[int, TrialVerdict], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [f'"{number}": {json.dumps(asdict(verdict))}' for number, verdict in sorted(verdicts.items())]
    draft = path.with_suffix(".draft")
    draft.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")
    draft.replace(path)


def _compared(before: dict[int, TrialVerdict], now: dict[int, TrialVerdict]) -> Iterator[str]:
    for number, verdict in now.items():
        old = before.get(number)
        if old is not None and (old.right, old.false, old.doubts) != (verdict.right, verdict.false, verdict.doubts):
            yield (
                f"game {number}: {verdict.right} of {verdict.moves} moves right, {verdict.false} false violations, "
                f"{verdict.doubts} doubts; it was {old.right} of {old.moves}, {old.false}, {old.doubts}"
            )


def _told(verdicts: Sequence[TrialVerdict]) -> Iterator[str]:
    games = len(verdicts)
    yield f"{games} games, {sum(v.moves for v in verdicts)} moves, {sum(v.looks for v in verdicts)} looks"
    for label, (part, whole) in SHARES.items():
        count, total = (sum(getattr(verdict, name) for verdict in verdicts) for name in (part, whole))
        yield f"  {label:<26}{_share(count, total)}"
    yield f"  {'final scores right':<26}{_share(sum(v.final_right for v in verdicts), games)}"
    yield f"  {'told otherwise, same end':<26}{sum(v.alike for v in verdicts):6} moves: looking cannot tell them apart"
    yield f"  {'set right by hand':<26}{sum(v.mended for v in verdicts):6} moves that had gone wrong unnoticed"
    yield f"  {'false violations':<26}{sum(v.false for v in verdicts) / games:8.3f} a game"
    yield f"  {'false scores':<26}{sum(v.false_scores for v in verdicts) / games:8.3f} a game"
    yield f"  {'doubts':<26}{sum(v.doubts for v in verdicts) / games:8.2f} a game"
    seconds = sum(v.seconds for v in verdicts)
    yield f"  {'speed':<26}{sum(v.moves for v in verdicts) / max(seconds, 1e-9):8.1f} moves per second of one core"


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total)
    return f"{count / total:8.2%}  [{low:.2%}, {high:.2%}]  {count} of {total}" if total else "       -"
