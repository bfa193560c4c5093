"""What a look that rests on the one before costs against reading the whole table, and whether both agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from time import process_time
from typing import Any

import cv2

from companion.lab.exam import UNSEEN_SEEDS
from companion.lab.pi_budget import FULL_PX
from companion.lab.simulate import simulate
from companion.pipeline import layout_of, see_picture
from engine import Edition, load
from engine.moves import Fill
from hardware.camera import Picture
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.stage import Stage, StageMoment
from hardware.tabletop.tiers import TIERS
from vision.network import Families
from vision.scene import KnownTable
from vision.sighting import Sighting

ROUNDS = 3
"""How often each picture is looked at in either way, in turn; the quickest counts, since other work only delays."""
SURE = 0.9
"""Readings of a cell differ where they name another kind and one of them is so sure."""


@dataclass(frozen=True, slots=True)
class LookCost:
    """Seconds of one core for one picture, and what was read of it in both ways."""

    whole_s: float
    carried_s: float
    boards: int
    kept: int
    """How many of them were carried on."""
    cells: int
    otherwise: int
    """How many of them were read otherwise than by the whole look."""


def looks_after_takes(slug: str, networks: Families, number: int, takes: int) -> Iterator[tuple[LookCost, LookCost]]:
    """A game with as many players as there can be: the look after each of its takes, and one more of the same table."""
    cv2.setNumThreads(1)
    known = None
    for frame, (stage, is_take) in enumerate(_tables(slug, number, takes)):
        pictures = (_photographed(slug, stage, number, 2 * frame + i) for i in range(2))
        after, again = next(pictures), next(pictures)
        if is_take:
            seen, cost = _measured(after, networks, slug, known)
            yield cost, _measured(again, networks, slug, seen.known)[1]
            known = seen.known
        else:
            known = see_picture(after, networks, slug).known


def _tables(slug: str, number: int, takes: int) -> Iterator[tuple[Stage, bool]]:
    """What lies there after each move until so many were takes, and whether it was one: pieces stay where they lie."""
    edition: Edition[Any, Any] = load(slug)
    setup = edition.setup(edition.sides[number % len(edition.sides)], max(edition.players), 1)
    lying: Stage | None = None
    for step in simulate(edition, setup, Random(f"looks {number}")):
        is_take = lying is not None and not isinstance(step.move, Fill)
        lying = step.stage if lying is None else step.stage.after(lying)
        yield lying, is_take
        takes -= is_take
        if not takes:
            return


def _photographed(slug: str, stage: Stage, number: int, frame: int) -> Picture:
    layout, tier = layout_of(slug), replace(TIERS["rig"], size_px=FULL_PX)
    seed = UNSEEN_SEEDS + number
    return photograph(stage, layout, load_art(layout), tier, seed, StageMoment(hand=0), frame).picture


def _measured(picture: Picture, networks: Families, slug: str, known: KnownTable | None) -> tuple[Sighting, LookCost]:
    """A picture looked at in both ways, with what that costs."""
    ways = (partial(see_picture, picture, networks, slug), partial(see_picture, picture, networks, slug, known=known))
    timed = [[_timed(way) for way in ways] for _ in range(ROUNDS)]
    whole_s, carried_s = (min(each[i][1] for each in timed) for i in range(2))
    (whole, _), (carried, _) = timed[0]
    theirs, ours = _best(whole), _best(carried)
    otherwise = [name for name in theirs if _is_other(theirs[name], ours.get(name, (1.0, "")))]
    kept = sum(bool(board.carried) for board in carried.boards)
    return carried, LookCost(whole_s, carried_s, len(carried.boards), kept, len(theirs), len(otherwise))


def _best(sighting: Sighting) -> dict[tuple[object, ...], tuple[float, str]]:
    """The likeliest reading of each cell and mark, with its chance."""
    return {
        (seen.seat, seen.surface, name): max((chance, kind) for kind, chance in reads.items())
        for seen in (*sighting.boards, *sighting.others)
        for name, reads in (*seen.cells.items(), *seen.tracks.items())
    }


def _is_other(one: tuple[float, str], other: tuple[float, str]) -> bool:
    return one[1] != other[1] and max(one, other)[0] > SURE


def _timed(look: Callable[[], Sighting]) -> tuple[Sighting, float]:
    started = process_time()
    seen = look()
    return seen, process_time() - started
