"""From shards to what each network is shown: pictures varied anew each time, with what it should answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import Dataset

from models.training.augment import overlaid, recolour, roughen, shade
from models.training.guesses import guessed, in_part, missed
from models.training.looks import NO_PIECES, Taught
from models.training.shots import EDGE_PX, EDGE_SPAN_PX, PATCH_PX
from vision.cells import EMPTY, points, read_cells
from vision.closeup import CLOSEUP_PX
from vision.find import DISC_UNIT_PX, INNER, PLAIN_WHITE
from vision.locate import ALIGN_UNIT_PX, FIT_STRIDE, FIT_UNIT_PX, fit_grid
from vision.network import kind_of
from vision.pose import rectangle, transform
from vision.rectify import ALIGN, FIT, VIEW_PX, balanced, white_of

Array = NDArray[np.float64]
Rng = np.random.Generator
Lesson = tuple[torch.Tensor, ...]
Row = list[NDArray[Any]]
FINDER_PX = 448
"""The side of the square that the finder learns from; at run time pictures have any shape."""
FINDER_STRIDE, LOOSE_STRIDE = 8, 4
ARMS = 0.2
"""How often the finder is shown a board with something more over it."""
FARTHEST = 4.0
"""How far off corners can be told to be, in the aligner's units."""
TURNED = (0.2, 0.2, 0.4, 0.2)
"""How often the aligner is shown each quarter turn of boards that are turned at all: half turns are hardest to tell."""
STEPS = 200
"""How many steps of a picture's light a network counts as one."""


class Shards:
    """One field of many shards as if it were one array."""

    def __init__(self, folders: Sequence[Path], field: str) -> None:
        self._parts = [np.load(folder / f"{field}.npy", mmap_mode="r") for folder in folders]
        self._ends = np.cumsum([len(part) for part in self._parts])

    def __len__(self) -> int:
        return int(self._ends[-1])

    def __getitem__(self, index: int) -> NDArray[Any]:
        shard = int(np.searchsorted(self._ends, index, side="right"))
        before = int(self._ends[shard - 1]) if shard else 0
        return np.array(self._parts[shard][index - before])


class Lessons(Dataset[Lesson]):
    """What one network is shown; `vary` is off when it is examined."""

    fields: tuple[str, ...]

    def __init__(self, folders: Sequence[Path], vary: bool) -> None:
        # Not every shard has something for every network.
        mine = [folder for folder in folders if all((folder / f"{name}.npy").exists() for name in self.fields)]
        self._fields = {name: Shards(mine, name) for name in self.fields}
        self._vary = vary

    def __len__(self) -> int:
        return len(self._fields[self.fields[0]])

    def __getitem__(self, index: int) -> Lesson:
        seed = [torch.initial_seed() % 2**32, index] if self._vary else [index]
        rng = np.random.default_rng([*seed, int(torch.randint(2**31, (1,)))] if self._vary else seed)
        return self._lesson([np.asarray(self._fields[name][index]) for name in self.fields], rng)

    def _lesson(self, row: Row, rng: Rng) -> Lesson:
        raise NotImplementedError


class FinderLessons(Lessons):
    """Whole pictures turned and scaled at will, with maps of boards and discs."""

    fields = ("pictures", "sizes", "corners", "discs")

    def _lesson(self, row: Row, rng: Rng) -> Lesson:
        picture, size, corners, discs = row
        picture = picture[: int(size[1]), : int(size[0])].astype(np.uint8)
        move = _look_at(size.astype(float), corners.astype(float), rng) if self._vary else _fit(size.astype(float))
        fill = tuple(float(value) for value in rng.integers(0, 256, 3))
        shape = (FINDER_PX, FINDER_PX)
        if self._vary and rng.random() < ARMS:
            picture = _with_arm(picture, corners.astype(float), rng)
        seen = cv2.warpAffine(picture, move[:2], shape, borderValue=fill)
        if self._vary:
            seen = roughen(shade(recolour(np.asarray(seen, np.uint8), rng, 1.3), rng), rng)
        scale = float(np.sqrt(abs(np.linalg.det(move[:2, :2]))))
        quads = [transform(move, quad.astype(float)) for quad in corners if not np.isnan(quad).any()]
        rings = [
            (*transform(move, disc[None, :2].astype(float))[0], float(disc[2]) * scale)
            for disc in discs
            if not np.isnan(disc).any()
        ]
        target = finder_target(quads, rings, FINDER_PX // FINDER_STRIDE)
        return shown(balanced(np.asarray(seen, np.uint8), PLAIN_WHITE)), _tensor(target)


def _with_arm(picture: NDArray[np.uint8], corners: Array, rng: Rng) -> NDArray[np.uint8]:
    """The picture with something over one of its boards, besides what it shows."""
    quads = corners[~np.isnan(corners).any(axis=(1, 2))]
    if not len(quads):
        return picture
    quad = quads[int(rng.integers(len(quads)))]
    return overlaid(picture, quad.mean(axis=0), float(np.linalg.norm(quad[0] - quad[2])) / np.sqrt(2), rng)


def _fit(size: Array) -> Array:
    scale = FINDER_PX / max(size)
    return np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1]])


def _look_at(size: Array, corners: Array, rng: Rng) -> Array:
    """Any turn; as large as a whole table or a single board; around any place."""
    quads = corners[~np.isnan(corners).any(axis=(1, 2))]
    turn = float(rng.uniform(0, 2 * np.pi)) if rng.random() < 0.6 else float(rng.normal(0, 0.1))
    if len(quads) and rng.random() < 0.5:
        quad = quads[int(rng.integers(len(quads)))]
        span = float(np.linalg.norm(quad[0] - quad[2])) / np.sqrt(2)
        scale = float(np.exp(rng.uniform(np.log(70), np.log(330)))) / max(span, 10.0)
        aim = quad.mean(axis=0) + rng.normal(0, 0.5, 2) * span
        scale = min(scale, 2.2)
    else:
        scale = FINDER_PX / max(size) * float(np.exp(rng.uniform(-0.1, 0.8)))
        aim = size / 2 + rng.normal(0, 0.1, 2) * size
    stretch = np.diag(np.exp(rng.normal(0, 0.06, 2)))
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ stretch
    move = np.eye(3)
    move[:2, :2] = linear
    move[:2, 2] = FINDER_PX / 2 - linear @ aim
    return move


def finder_target(quads: list[Array], rings: list[tuple[float, float, float]], cells: int) -> NDArray[np.float32]:
    """The channels of the finder; where a disc is -1 it does not matter."""
    target = np.zeros((5, cells, cells), np.float32)
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32) * FINDER_STRIDE
    for quad in quads:
        middle = quad.mean(axis=0)
        target[0][_filled(middle + (quad - middle) * INNER, cells)] = 1
    for px, py, radius in rings:
        away = np.hypot(x - px, y - py) / max(radius, 1.0)
        target[1][(away < 1.0) & (target[1] == 0)] = -1
        inner = (away < 0.6) | (np.hypot(x - px, y - py) < 0.75 * FINDER_STRIDE)
        target[1][inner] = 1
        target[2][inner], target[3][inner] = ((px - x) / DISC_UNIT_PX)[inner], ((py - y) / DISC_UNIT_PX)[inner]
        target[4][inner] = np.log(max(radius, 1.0) / FINDER_STRIDE)
    return target


def _filled(quad: Array, cells: int) -> NDArray[np.bool_]:
    mask = np.zeros((cells, cells), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad / FINDER_STRIDE * 16).astype(np.int32), 1, shift=4)
    return mask.astype(bool)


class AlignerLessons(Lessons):
    """Boards cut out by corners that are off, with where the right ones are."""

    fields = ("edges", "kinds")

    def _lesson(self, row: Row, rng: Rng) -> Lesson:
        edge, kind = row[0].astype(np.uint8), int(row[1])
        true = rectangle(EDGE_SPAN_PX, EDGE_SPAN_PX) + (EDGE_PX - EDGE_SPAN_PX) / 2 - 0.5
        # A board of another game is cut out as well as one of ours, and is nothing.
        beside = kind >= 0 and rng.random() < 0.12
        nothing = beside or kind < 0
        quarters = int(rng.choice(4, p=TURNED)) if rng.random() < 0.3 else 0
        taken = true
        if self._vary:
            edge, taken = in_part(edge, true, rng)
        guess = missed(true, rng) if beside else guessed(true, rng) + taken - true
        guess = np.roll(guess, -quarters, axis=0)
        to_view = _between(guess, ALIGN.corners())
        fill = tuple(float(value) for value in rng.integers(0, 256, 3))
        size = (ALIGN.size_px, ALIGN.size_px)
        seen = np.asarray(cv2.warpPerspective(edge, to_view, size, borderValue=fill), np.uint8)
        if self._vary:
            seen = roughen(shade(recolour(seen, rng, 1.2), rng), rng)
        off = (transform(to_view, np.roll(true, -quarters, axis=0)) - ALIGN.corners()) / ALIGN_UNIT_PX
        # What four corners are left of a board may be seen so slanted that its true ones lie at the horizon.
        off = np.clip(off, -FARTHEST, FARTHEST)
        return (
            shown(balanced(seen, white_of(seen))),
            _tensor(np.zeros(8) if nothing else off.ravel()),
            torch.tensor(quarters),
            torch.tensor(0 if nothing else 1 + kind),
        )


class FitterLessons(Lessons):
    """Boards cut out by corners that are a little off, with how far off the print is everywhere.

    On a board of another game no print of ours is anywhere: what is asked is anything, so that being unsure is learned.
    """

    fields = ("edges", "kinds")

    def _lesson(self, row: Row, rng: Rng) -> Lesson:
        true = rectangle(EDGE_SPAN_PX, EDGE_SPAN_PX) + (EDGE_PX - EDGE_SPAN_PX) / 2 - 0.5
        guess = guessed(true, rng, smallest=0.002, largest=0.03)
        square = FIT.corners()
        to_view = _between(guess, square)
        edge = row[0].astype(np.uint8)
        if self._vary:
            edge, _ = in_part(edge, true, rng)
        seen = np.asarray(cv2.warpPerspective(edge, to_view, (FIT.size_px, FIT.size_px)), np.uint8)
        if self._vary:
            seen = roughen(shade(recolour(seen, rng, 1.2), rng), rng)
        places = fit_grid()
        if int(row[1]) < 0:
            to_view = _between(guessed(true, rng, smallest=0.002, largest=0.03), square)
        # What the guess cuts out at a place belongs where the true corners would have it.
        off = (transform(to_view @ _between(square, true), places) - places) / FIT_UNIT_PX
        cells = FIT.size_px // FIT_STRIDE
        return shown(balanced(seen, white_of(seen))), _tensor(off.T.reshape(2, cells, cells))


def _between(source: Array, goal: Array) -> Array:
    return np.asarray(cv2.getPerspectiveTransform(source.astype(np.float32), goal.astype(np.float32)), np.float64)


class ReaderLessons(Lessons):
    """Boards as they are read, with what lies in each cell."""

    fields = ("views", "read", "labels", "marks")

    def __init__(self, folders: Sequence[Path], vary: bool, learned: Taught) -> None:
        super().__init__(folders, vary)
        self._learned = learned

    def _lesson(self, row: Row, rng: Rng) -> Lesson:
        view, kind, lying, marks = row
        seen = view.astype(np.uint8)
        if self._vary:
            # One above the other, both cuts get the same light.
            tall = reink(_shifted(seen, rng), printed(int(kind), self._learned), lying, rng).reshape(
                2 * VIEW_PX, VIEW_PX, 3
            )
            seen = roughen(shade(recolour(tall, rng), rng), rng).reshape(seen.shape)
        white = white_of(seen[0])
        if self._vary:
            white = (white * np.exp(rng.normal(0, 0.05, 3))).astype(np.float32)
        return (
            shown(np.dstack([balanced(cut, white) for cut in seen])),
            torch.tensor(int(kind)),
            torch.tensor(lying.astype(np.int64)),
            torch.tensor(marks.astype(np.int64)),
        )


@lru_cache
def printed(kind: int, learned: Taught) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Where the cells of a kind of board are in a view, and the label that is printed in each, or -1."""
    side, labels = kind_of(learned.kinds[kind]).side, learned.labels
    layout, surface = learned.surface_of(learned.kinds[kind])
    cells = read_cells(layout, surface)
    inks = [labels.index(letter) if (letter := cell.printed(side)) in labels else -1 for cell in cells]
    return points(cells, surface), np.array(inks)


def reink(
    view: NDArray[np.uint8],
    cells: tuple[NDArray[np.float32], NDArray[np.int64]],
    lying: NDArray[Any],
    rng: Rng,
) -> NDArray[np.uint8]:
    """The view with the colours of print and tiles moved, often towards each other, each by itself.

    No two prints are alike, and some are nearly as their tiles: what is a tile must be told by its shape, too.
    """
    places, inks = cells
    lying = lying[: len(inks)]
    if rng.random() > REINKED or (inks < 0).all():
        return view
    grid = np.stack(np.meshgrid(*[INK_LEVELS] * 3, indexing="ij"), axis=3)
    shift = np.zeros_like(grid)
    for ink in np.unique(inks[inks >= 0]):
        bare = _colour(view[0], places[(inks == ink) & (lying == NO_PIECES.index(EMPTY))])
        tile = _colour(view[1], places[lying == ink])
        ends = [colour for colour in (bare, tile) if colour is not None]
        if not ends:
            continue
        here, there = ends[int(rng.integers(len(ends)))], ends[int(rng.integers(len(ends)))]
        way = (there - here) * rng.uniform(0, MEETING) + rng.normal(0, INK_SPREAD, 3)
        away2 = ((grid - here) ** 2).sum(axis=3, keepdims=True)
        shift += np.exp(-away2 / (2 * INK_REACH**2)) * way
    # Colours between two levels go with either, so that no edge shows where the level changes.
    step = 256 // len(INK_LEVELS)
    near = np.minimum(view.astype(np.uint16) + rng.integers(0, step, view.shape, np.uint8), 255) // step
    blue, green, red = near[..., 0], near[..., 1], near[..., 2]
    return np.clip(view + shift[blue, green, red], 0, 255).astype(np.uint8)


def _colour(cut: NDArray[np.uint8], places: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """The usual colour in the middle of some cells."""
    if not len(places):
        return None
    spots = [cut[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5].reshape(-1, 3) for x, y in places]
    return np.asarray(np.median(np.concatenate(spots), axis=0), np.float32)


INK_LEVELS = np.arange(32, dtype=np.float32) * 8 + 4
REINKED = 0.1
"""How often colours of print and tiles are moved."""
MEETING = 0.75
"""How far the inks of print and tile are moved onto each other, at most: the stronger of the two stays the tile's."""
INK_SPREAD, INK_REACH = 12.0, 36.0
"""How far they are moved besides, and how near a colour must be to move with them."""


def _shifted(view: NDArray[np.uint8], rng: Rng) -> NDArray[np.uint8]:
    """The view as if the board had been located a little differently."""
    corners = np.array([[0, 0], [VIEW_PX, 0], [VIEW_PX, VIEW_PX], [0, VIEW_PX]], np.float32)
    off = rng.normal(0, float(rng.uniform(0, 1.2)), (4, 2)) + rng.normal(0, 1.0, 2)
    move = cv2.getPerspectiveTransform(corners, (corners + off).astype(np.float32))
    size = (VIEW_PX, VIEW_PX)
    return np.stack([cv2.warpPerspective(cut, move, size, borderMode=cv2.BORDER_REPLICATE) for cut in view])


class LooseLessons(Lessons):
    """Pieces of the table, with a map of the tiles that lie there."""

    fields = ("patches", "tiles", "fields", "whites")

    def _lesson(self, row: Row, rng: Rng) -> Lesson:
        patch, tiles, quads, white = row
        seen = patch.astype(np.uint8)
        white = white.astype(np.float32)
        if self._vary:
            whitened = np.clip(seen * (200 / white), 0, 255).astype(np.uint8)
            seen = roughen(shade(recolour(whitened, rng, 0.9), rng), rng)
            white = np.full(3, 200, np.float32)
        heat, kinds = loose_target(tiles.astype(float), quads.astype(float), PATCH_PX // LOOSE_STRIDE)
        return shown(balanced(seen, white)), _tensor(heat), torch.tensor(kinds)


def loose_target(tiles: Array, quads: Array, cells: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The map of tile middles (-1 where it does not matter) and the label of the tile at each place, or -1."""
    heat = np.zeros((cells, cells), np.float32)
    kinds = np.full((cells, cells), -1, np.int64)
    y, x = np.mgrid[0:cells, 0:cells].astype(np.float32) * LOOSE_STRIDE
    known = tiles[~np.isnan(tiles).any(axis=1)]
    for px, py, _, covered in known:
        if covered:
            heat[(x - px) ** 2 + (y - py) ** 2 < 15**2] = -1
    for px, py, label, covered in known:
        if covered:
            continue
        away2 = (x - px) ** 2 + (y - py) ** 2
        # A tile whose middle is between places of the map has its hilltop at the nearest of them.
        inside = 0 <= px < cells * LOOSE_STRIDE and 0 <= py < cells * LOOSE_STRIDE
        spot = np.exp(-(away2 - (away2.min() if inside else 0)) / (2 * 3.0**2))
        # What lies on a tile is asked, though of the tile below nothing is.
        ours = away2 < ON_TILE_PX**2
        heat = np.where((heat < 0) & ~ours, heat, np.maximum(heat, spot)).astype(np.float32)
        kinds[away2 < 6.5**2] = int(label)
    for quad in quads[~np.isnan(quads).any(axis=(1, 2))]:
        mask = np.zeros((cells, cells), np.uint8)
        cv2.fillConvexPoly(mask, np.round(np.clip(quad, -3e3, 3e3) / LOOSE_STRIDE).astype(np.int32), 1)
        heat[mask > 0], kinds[mask > 0] = -1, -1
    return heat, kinds


ON_TILE_PX = 7.0
"""How far about its middle a tile that lies on another is asked for."""


class CloseUpLessons(Lessons):
    """Single pieces and prints from close by, turned at will."""

    fields = ("closeups", "pieces", "closeup_whites")

    def _lesson(self, row: Row, rng: Rng) -> Lesson:
        seen, label, white = row[0].astype(np.uint8), int(row[1]), row[2].astype(np.float32)
        middle, goal = (seen.shape[0] - 1) / 2, (CLOSEUP_PX - 1) / 2
        turn, scale, off = 0.0, 1.0, np.zeros(2)
        if self._vary:
            turn, scale = float(rng.uniform(0, 360)), float(np.exp(rng.normal(0, 0.06)))
            off = rng.normal(0, ASTRAY_PX, 2)
        move = cv2.getRotationMatrix2D((middle, middle), turn, scale)
        move[:, 2] += goal - middle + off
        seen = np.asarray(cv2.warpAffine(seen, move, (CLOSEUP_PX, CLOSEUP_PX)), np.uint8)
        if self._vary:
            whitened = np.clip(seen * (200 / white), 0, 255).astype(np.uint8)
            seen = roughen(shade(recolour(whitened, rng, 0.8), rng), rng)
            white = (np.full(3, 200) * np.exp(rng.normal(0, 0.05, 3))).astype(np.float32)
        return shown(balanced(seen, white)), torch.tensor(label)


ASTRAY_PX = 2.5
"""How far off the middle of a close-up a piece is (one standard deviation)."""


def shown(picture: NDArray[np.uint8]) -> torch.Tensor:
    """A picture, (height, width, channels), as a network is taught with it: channels first, in floats."""
    return _tensor(picture.transpose(2, 0, 1) / STEPS)


def bytes_of(pictures: torch.Tensor) -> NDArray[np.uint8]:
    """The pictures that were made into this: as a network's file asks for them."""
    return (pictures * STEPS).round().byte().permute(0, 2, 3, 1).contiguous().numpy()


def _tensor(array: NDArray[Any]) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array, np.float32))
