"""`python -m models.training`: from nothing, or from another family's files, to the networks of a family.

A family is a folder of `models` with a recipe of how its networks are made. Photographs of the simulated table are
rendered and cut up, each network is taught and examined on shards it never saw, and the ONNX files are written with
their manifest. What is there already is kept, so a run that was stopped goes on. Nothing depends on the clock.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import click
import torch

from models.training.card import write_card
from models.training.examine import Written, corners_off_mm, grade_closeup, grade_loose, grade_reader
from models.training.export import export, write_manifest
from models.training.looks import Taught, looks, taught_in
from models.training.quantise import lessons_for, quantise
from models.training.recipe import MODELS, Recipe, families, read_recipe
from models.training.restore import blend
from models.training.shots import EXAM, FIRST_TRACED, SHOTS, TRACED_SHOTS, divided, painted, write_shard
from models.training.strangers import FIRST, SHARE, write_strangers
from models.training.teach import ReaderLoss, courses, teach
from vision.network import CLOSEUP, NETWORKS

log = logging.getLogger("training")
TRACED_AGAIN = 3
"""How often traced photographs come for each time that painted ones do."""


@click.command()
@click.argument("family", type=click.Choice(families()))
@click.option("--work", type=click.Path(file_okay=False, path_type=Path), help="[default: build/training/FAMILY]")
@click.option(
    "--packs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of art packs, one folder per edition.",
)
@click.option("--only", type=click.Choice([*NETWORKS, CLOSEUP]), multiple=True, help="Teach these alone.")
@click.option("--cores", default=os.cpu_count, show_default="all", type=click.IntRange(1), help="For rendering.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="[default: the family's own folder]")
def main(
    family: str, work: Path | None, packs: Path | None, only: tuple[str, ...], cores: int, out: Path | None
) -> None:
    """Train the networks of a family by its recipe."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    recipe = read_recipe(family)
    torch.set_num_threads(recipe.threads)
    work, out = work or Path("build/training") / family, out or MODELS / family
    out.mkdir(parents=True, exist_ok=True)
    try:
        learned = taught_in(work, recipe.editions)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    unseen, lessons, shown = _lessons(recipe, learned, packs, work, cores)
    taught = courses(learned)
    wanted = [name for name in taught if name in only or not (only or (work / f"{name}.onnx").exists())]
    for name, course in taught.items():
        plain, known = work / f"{name}.onnx", recipe.begun_from(name)
        if name in wanted:
            net = teach(course, lessons, recipe.steps[name], recipe.seed, log.info, known)
            export(name, net, learned, work)
            if recipe.kept and known:
                blend(plain, known, recipe.kept)
            quantise(plain, out / f"{name}.onnx", lessons_for(name, course, learned, lessons, recipe.seed))
    facts = {"photographs": shown[0], "traced": shown[1], "steps": sum(recipe.steps.values())}
    _examine(unseen, learned, out, {name: f"{count:,}" for name, count in facts.items()})


def _lessons(
    recipe: Recipe, learned: Taught, packs: Path | None, work: Path, cores: int
) -> tuple[list[Path], list[Path], tuple[int, int]]:
    """The shards that are examined on, those that are taught with, and how many photographs these are."""
    numbers = range(recipe.first, recipe.first + recipe.photographs // SHOTS)
    shards = [work / "shards" / f"{number:05d}" for number in numbers]
    others = round(SHARE * len(shards)) if learned.others else 0
    strange = [work / "strangers" / f"{FIRST + number}" for number in numbers[:others]]
    unseen, shown = divided(shards)
    _render(unseen, learned, packs, _write_exam, "rendering what is examined on", cores)
    _render(shown, learned, packs, _write, "rendering", cores)
    _render(strange, learned, packs, _write_strangers, "rendering other games", cores)
    traced = sorted(path for path in (work / "traced").glob("?????") if int(path.name) >= FIRST_TRACED + recipe.first)
    unseen_traced, shown_traced = divided(traced)
    lessons = [*shown, *list(shown_traced) * TRACED_AGAIN, *strange]
    counts = len(shown) * SHOTS, len(shown_traced) * TRACED_SHOTS
    return [*unseen, *unseen_traced], lessons, counts


def _examine(unseen: list[Path], learned: Taught, out: Path, facts: dict[str, str]) -> None:
    reader, loose, fitter = (Written(out / f"{name}.onnx") for name in ("reader", "loose", "fitter"))
    cells, tracks = grade_reader(reader, unseen, ReaderLoss(learned))
    middles, kinds = grade_loose(loose, unseen, learned.labels)
    asked = {"cells": cells, "tracks": tracks, "loose": middles, "kinds": kinds}
    if learned.parts is not None:
        asked[CLOSEUP] = grade_closeup(Written(out / f"{CLOSEUP}.onnx"), unseen)
    grades = {name: grade for name, grade in asked.items() if grade}
    off_mm = corners_off_mm(fitter, unseen, next(iter(learned.layouts.values())).surfaces[0].width_mm)
    # Never surer than the network itself: what looks easy here may not be so on a real table.
    temperatures = {name: max(1.0, grade.temperature) if grade else 1.0 for name, grade in asked.items()}
    write_manifest(out, learned, temperatures, facts)
    write_card(out, ", ".join(learned.layouts), grades, off_mm, facts)
    for name, grade in grades.items():
        log.info("%s: %d of %d right, temperature %.2f", name, grade.right, grade.asked, grade.temperature)


Write = Callable[[Path, Taught, Path | None], None]
"""Renders a shard, of these editions and with these art packs."""


def _render(shards: Sequence[Path], learned: Taught, packs: Path | None, write: Write, label: str, cores: int) -> None:
    missing = [shard for shard in shards if not shard.exists()]
    with ProcessPoolExecutor(cores) as pool:
        work = pool.map(write, missing, repeat(learned), repeat(packs))
        with click.progressbar(work, length=len(missing), label=label) as done:
            for _ in done:
                pass


def _write(shard: Path, learned: Taught, packs: Path | None) -> None:
    write_shard(int(shard.name), looks(learned, packs), shard.parent, painted)


def _write_exam(shard: Path, learned: Taught, packs: Path | None) -> None:
    write_shard(int(shard.name), looks(learned, packs), shard.parent, painted, EXAM)


def _write_strangers(shard: Path, learned: Taught, packs: Path | None) -> None:
    write_strangers(int(shard.name), learned, packs, shard.parent)


if __name__ == "__main__":
    main()
