"""`python -m models.training`: from nothing to the networks.

Renders photographs of the simulated table, cuts them up, teaches each network, examines it on shards it never saw, and
writes the ONNX files with their manifest. What is there already is kept, so a run that was stopped goes on.
"""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from pathlib import Path

import click
import torch

from models.training.card import write_card
from models.training.examine import Written, corners_off_mm, grade_loose, grade_reader
from models.training.export import export, write_manifest
from models.training.looks import USUAL, Taught, looks, taught_in
from models.training.quantise import lessons_for, quantise
from models.training.restore import blend
from models.training.shots import EXAM, SHOTS, TRACED_SHOTS, divided, painted, write_shard
from models.training.strangers import FIRST, SHARE, write_strangers
from models.training.teach import ReaderLoss, courses, teach

log = logging.getLogger("training")
TRACED_AGAIN = 3
"""How often traced photographs come for each time that painted ones do."""
MINUTES = {"finder": 0.2, "aligner": 0.13, "fitter": 0.11, "reader": 0.42, "loose": 0.14}
"""How the time for teaching is shared out among those that are taught."""


@click.command()
@click.option(
    "--work", type=click.Path(file_okay=False, path_type=Path), default=Path("build/training"), show_default=True
)
@click.option(
    "--packs",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of art packs, one folder per edition.",
)
@click.option(
    "--edition",
    "editions",
    multiple=True,
    default=USUAL,
    show_default=True,
    help="What is learned, again for each, with its share of the photographs; boards of all others are none of ours.",
)
@click.option("--photographs", default=9600, show_default=True)
@click.option("--minutes", default=90.0, show_default=True, help="For teaching, all networks together.")
@click.option("--only", type=click.Choice(list(MINUTES)), multiple=True, help="Teach these alone.")
@click.option("--onward", is_flag=True, help="Go on from what the files in --out know, and keep half of it.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), default=Path(__file__).parents[1], show_default=True
)
@click.option("--seed", default=1, show_default=True)
def main(
    work: Path,
    packs: Path | None,
    editions: tuple[str, ...],
    photographs: int,
    minutes: float,
    only: tuple[str, ...],
    onward: bool,
    out: Path,
    seed: int,
) -> None:
    """Train the networks of the companion."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(os.cpu_count() or 1)
    try:
        learned = taught_in(work, editions)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    shards = [work / "shards" / f"{number:05d}" for number in range(photographs // SHOTS)]
    others = round(SHARE * len(shards)) if learned.others else 0
    strange = [work / "strangers" / f"{FIRST + number}" for number in range(others)]
    unseen, shown = divided(shards)
    _render(unseen, learned, packs, _write_exam, "rendering what is examined on")
    _render(shown, learned, packs, _write, "rendering")
    _render(strange, learned, packs, _write_strangers, "rendering other games")
    traced = sorted(path for path in (work / "traced").glob("*") if not path.suffix)
    unseen_traced, shown_traced = divided(traced)
    lessons = [*shown, *list(shown_traced) * TRACED_AGAIN, *strange]
    wanted = [name for name in MINUTES if name in only or not (only or (work / f"{name}.onnx").exists())]
    minute = minutes / max(sum(MINUTES[name] for name in wanted), 1e-9)
    for name, course in courses(learned).items():
        plain, file = work / f"{name}.onnx", out / f"{name}.onnx"
        if name in wanted:
            net = teach(course, lessons, minute * MINUTES[name], seed, log.info, file if onward else None)
            export(name, net, learned, work)
            if onward:
                blend(plain, file)
        if name in wanted or not onward:
            quantise(plain, file, lessons_for(name, course, learned, lessons, seed))
    facts = {"photographs": len(shown) * SHOTS, "traced": len(shown_traced) * TRACED_SHOTS, "minutes": round(minutes)}
    before = _trained(out) if onward else {}
    total = {name: f"{count + before.get(name, 0):,}" for name, count in facts.items()}
    _examine([*unseen, *unseen_traced], learned, out, total)


def _trained(folder: Path) -> dict[str, int]:
    """With how much the networks of a folder were taught."""
    manifest = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))
    return {name: int(count.replace(",", "")) for name, count in manifest["trained"].items()}


def _examine(unseen: list[Path], learned: Taught, out: Path, facts: dict[str, str]) -> None:
    reader, loose, fitter = (Written(out / f"{name}.onnx") for name in ("reader", "loose", "fitter"))
    cells, tracks = grade_reader(reader, unseen, ReaderLoss(learned))
    middles, kinds = grade_loose(loose, unseen, learned.labels)
    asked = {"cells": cells, "tracks": tracks, "loose": middles, "kinds": kinds}
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


def _render(shards: Sequence[Path], learned: Taught, packs: Path | None, write: Write, label: str) -> None:
    missing = [shard for shard in shards if not shard.exists()]
    with ProcessPoolExecutor() as pool:
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
