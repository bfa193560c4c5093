"""`azul bench vision`: how well and how fast photos are read."""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median

import click
import cv2

from companion.lab.exam import UNSEEN_SEEDS, ExamAnswer, ask, keep_failure, questions_in, rendered_questions
from companion.lab.measure import calibration, calibration_error, swapped, tally, wilson
from companion.lab.yardstick import peak_mb
from companion.pipeline import load_networks
from engine import slugs

SHARES = {
    "cells right": ("cells_right", "cells"),
    "cells silently wrong": ("cells_silent", "cells"),
    "cells in doubt": ("cells_doubted", "cells"),
    "boards all right": ("boards_right", "boards"),
    "tables all right": ("tables_right", "tables"),
    "scores right": ("scores_right", "scores"),
    "discs right": ("discs_right", "discs"),
    "middles right": ("middles_right", "middles"),
    "shared cells right": ("shared_right", "shared"),
    "heaps of seats right": ("own_heaps_right", "own_heaps"),
}
COUNTS = {
    "boards missed": "boards_missed",
    "boards invented": "boards_invented",
    "scores silently wrong": "scores_silent",
    "heaps silently wrong": "heaps_silent",
    "shared cells silently wrong": "shared_silent",
}


Kind = tuple[str, str]
"""A colour and a pattern."""
MOST_SWAPPED = 12


class Results:
    """What many answers add up to."""

    def __init__(self) -> None:
        self.groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.claims: list[tuple[float, bool]] = []
        self.stages_ms: defaultdict[str, list[float]] = defaultdict(list)
        self.decodings: list[float] = []
        """How many times over OpenCV could have decoded a photo while the rest of its reading was done."""
        self.unread = 0
        self.swapped: Counter[tuple[Kind, Kind]] = Counter()

    def add(self, answer: ExamAnswer) -> None:
        """Count an answer."""
        self.groups[answer.question.group].update(tally(answer.judged))
        self.claims += answer.claims()
        self.swapped.update(swapped([answer.judged]))
        if answer.reading is None:
            self.unread += 1
            return
        spent = answer.table["timing_ms"]
        for stage, value in spent.items():
            self.stages_ms[stage].append(value)
        self.decodings.append((spent["total"] - spent["decode"]) / answer.decoding_ms)


@click.command()
@click.argument(
    "folder", required=False, metavar="[DIR]", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option(
    "--rendered", "count", type=click.IntRange(1), metavar="N", help="N tables of our own art in place of DIR."
)
@click.option(
    "--seed",
    type=click.IntRange(UNSEEN_SEEDS),
    default=UNSEEN_SEEDS,
    show_default=True,
    help="The first of their seeds: others give other tables, none of which was learnt from.",
)
@click.option("--edition", type=click.Choice(slugs()), help="Only this edition, and tell the reader so.")
@click.option("--save", type=click.Path(dir_okay=False, path_type=Path), help="Write the readings here, one a line.")
@click.option(
    "--failures", type=click.Path(file_okay=False, path_type=Path), help="A folder for what went wrong or was doubted."
)
@click.option("--singly", is_flag=True, help="Do not compare pieces with the others of their board.")
def command(
    folder: Path | None,
    count: int | None,
    seed: int,
    edition: str | None,
    save: Path | None,
    failures: Path | None,
    singly: bool,
) -> None:
    """Read photos that have their truth beside them (X.json beside X.jpg), and say how right and how sure it was."""
    if (folder is None) == (count is None):
        raise click.UsageError("name a folder of photos, or how many to render")
    cv2.setNumThreads(1)
    if failures:
        failures.mkdir(parents=True, exist_ok=True)
    questions = questions_in(folder, edition) if folder else rendered_questions(count or 0, edition, seed)
    if not questions:
        raise click.BadParameter(f"{folder} has no photo with its truth beside it", param_hint="DIR")
    results, lines, networks = Results(), [], load_networks()
    networks = networks.changed(partial(replace, compares=False)) if singly else networks
    with click.progressbar(questions, label="reading", file=sys.stderr) as asked:
        for question in asked:
            answer = ask(question(), networks, edition)
            results.add(answer)
            lines.append(json.dumps(answer.table, ensure_ascii=False) + "\n")
            if failures:
                keep_failure(answer, failures)
    if save:
        save.write_text("".join(lines), encoding="utf-8")
    told = (_told_groups(results.groups), _told_swapped(results.swapped), _told_claims(results.claims))
    click.echo("\n".join(chain(*told, _told_cost(results))))
    if count:
        click.echo("(of which much is for rendering)")


def _told_groups(groups: Mapping[str, Counter[str]]) -> Iterator[str]:
    whole = {"all": sum(groups.values(), Counter())} if len(groups) > 1 else {}
    for name, counts in (*sorted(groups.items()), *whole.items()):
        yield f"{name}, {counts['tables']} tables"
        for label, (part, total) in SHARES.items():
            if counts[total]:
                yield f"  {label:<22}{_told_share(counts[part], counts[total])}"
        yield f"  {', '.join(f'{label} {counts[key]}' for label, key in COUNTS.items())}\n"


def _told_share(count: int, total: int) -> str:
    low, high = wilson(count, total)
    return f"{count / total:8.2%}  [{low:.2%}, {high:.2%}]  {count} of {total}"


def _told_swapped(pairs: Mapping[tuple[Kind, Kind], int]) -> Iterator[str]:
    """How colours and patterns are confused, where kinds have both."""
    asked = sum(pairs.values())
    for part, name in enumerate(("colour", "pattern") if asked else ()):
        wrong: Counter[tuple[str, str]] = Counter()
        for (true, read), count in pairs.items():
            if true[part] != read[part]:
                wrong[true[part], read[part]] += count
        yield f"{name} of pieces and prints right  {_told_share(asked - wrong.total(), asked)}"
        yield from (f"  {one} read as {other}: {count}" for (one, other), count in wrong.most_common(MOST_SWAPPED))


def _told_claims(claims: Sequence[tuple[float, bool]]) -> Iterator[str]:
    if not claims:
        return
    bins = calibration(claims)
    yield "calibration of cells: what was stated, and how often it was right"
    for found in bins:
        span = f"{found.low:.1%} to {found.high:.1%}"
        yield f"  {span:<18}stated {found.stated:8.2%}  right {_told_share(found.right, found.count)}"
    yield f"  expected calibration error {calibration_error(bins):.2%}\n"


def _told_cost(results: Results) -> Iterator[str]:
    if results.unread:
        yield f"photos that could not be read: {results.unread}"
    if results.decodings:
        stages = ", ".join(f"{stage} {median(spent):.0f}" for stage, spent in results.stages_ms.items())
        yield f"median milliseconds on one core: {stages}"
        yield f"what comes after decoding takes as long as decoding {median(results.decodings):.1f} times with OpenCV"
    yield f"peak memory {peak_mb():.0f} MB"
