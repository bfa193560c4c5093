"""Photographs of the simulated table, cut up into what the networks learn from.

Each shard is a folder of arrays from a few dozen photographs. It is a function of its number alone, so that a run that
was stopped goes on where it was, and any number of processes may work side by side.

  pictures  (n, 480, 640, 3) uint8   whole photographs made small, in the top left corner
  sizes     (n, 2)                   their width and height
  corners   (n, BOARDS, 4, 2)        corners of boards, NaN where there is none
  discs     (n, DISCS, 3)            x, y and radius of discs, NaN where there is none
  kinds     (b,)                     of every board that can be read: which of `kinds` it is, -1 for another game's
  edges     (b, 320, 320, 3) uint8   it and its surroundings, EDGE_SPAN_PX wide
  views     (b, 2, 336, 336, 3) uint8  it as the reader sees it
  read      (b,)                     of every board with cells or tracks which of `kinds` it is
  labels    (b, CELLS)               what lies in the cells for tiles, by `labels`; -1 where a board has fewer
  marks     (b, TRACKS, MARKS)       the cell of each track where each mark stands, -1 where none can be seen
  patches   (p, 352, 352, 3) uint8   pieces of the table as the reader of loose tiles sees them
  tiles     (p, 64, 4)               x, y, label and whether it is covered, NaN where there is none
  fields    (p, BOARDS, 4, 2)        boards in the patch, which are not to be read there
  whites    (p, 3)                   the colour of white in the photograph, as its boards tell it
  closeups  (c, 96, 96, 3) uint8     single pieces and prints with their surroundings, of editions that want them
  pieces    (c,)                     their labels
  closeup_whites  (c, 3)             the colour of white there
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import CARD, Cell, Layout, Surface, parts_of
from hardware.tabletop.art import Art
from hardware.tabletop.photograph import Photograph, Truth, photograph
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import TIERS, Tier
from models.training.looks import TileLook, seats_of, sides_of
from models.training.stages import draw_stage, shown_on_card
from models.training.varied import varied
from vision.cells import EMPTY, UNSEEN, read_cells, read_zones, tracks
from vision.closeup import CLOSEUP_PX, closeup
from vision.network import Kind
from vision.pose import homography_of, inverse, join, pose_of, rectangle, transform
from vision.rectify import (
    Pyramid,
    board_view,
    box_to_mm,
    heights_of,
    levels_of,
    loose_height,
    table_scale,
    table_view,
    white_of,
)

Array = NDArray[np.float64]
Rng = np.random.Generator
Fields = dict[str, list[NDArray[np.generic]]]
Shard = TypeVar("Shard")
"""A shard by its number or its folder."""

FIRST_SEED = 10_000_000
"""Photographs for tests and benchmarks have smaller seeds."""
FIRST_TRACED = 51_000
"""Shards of traced photographs have numbers from here on."""
SHOTS, TRACED_SHOTS = 24, 8
"""Photographs in a shard, and in one of traced photographs."""
PICTURE_PX = (640, 480)
EDGE_PX, EDGE_SPAN_PX = 320, 192
PATCH_PX, PATCHES = 352, 4
"""How large pieces of the table are, and how many are cut out of a photograph of one."""
MOST_TILES = 64
CLOSEUPS = 40
"""How many pieces of a photograph are shown from close by, at most."""
TIER_SHARES = {"rig": 0.2, "phone-table": 0.3, "hard": 0.25, "phone-board": 0.1, "cells": 0.15}
EXAM_SHARES = {"rig": 0.3, "phone-table": 0.35, "phone-board": 0.15, "cells": 0.2}
"""Of the photographs that networks are examined on: such as people take. Hard ones are taught more often than they
come, and what nobody can read in them would make all that is plain look unsure."""
HELD_OUT = 0.06
"""The share of the shards that networks are examined on."""
CORNER_JITTER_MM = (0.3, 2.0)
"""How far off a located corner is (one standard deviation), drawn between these for each board."""
FOCAL_JITTER = 0.15
OF_ALL = 0.3
"""How often the one board of a picture is one that all share, where there is such."""
RESERVES = 0.4
"""How often a piece of the table is about a loose tile, wherever it lies, and not about discs."""
BARE, BARE_MM = 0.15, 170.0
"""How often it is about some place beside a board, and how far from it: what lies there is mostly no tile."""
READABLE = 0.5
"""A board of which less than this share of the cells can be seen is not read."""


@dataclass(frozen=True)
class Mix:
    """What the photographs of a shard are: how many, and how often of each tier."""

    shots: int = SHOTS
    tiers: Mapping[str, float] = field(default_factory=lambda: TIER_SHARES)


EXAM = Mix(tiers=EXAM_SHARES)


def divided(shards: Sequence[Shard]) -> tuple[Sequence[Shard], Sequence[Shard]]:
    """Those that networks are examined on, and those that they learn from."""
    held = max(1, round(len(shards) * HELD_OUT)) if shards else 0
    return shards[:held], shards[held:]


Shoot = Callable[[Stage, TileLook, Art, Tier, int, Rng, Fields], None]
"""Photographs a stage and cuts up the picture."""


def write_shard(number: int, looks: list[TileLook], folder: Path, shoot: Shoot, mix: Mix | None = None) -> None:
    """Render and cut one shard, unless it is there."""
    if (folder / f"{number:05d}").exists():
        return
    mix = mix or Mix()
    rng = np.random.default_rng([7, number])
    fields: Fields = defaultdict(list)
    for shot in range(mix.shots):
        look = looks[int(rng.choice(len(looks), p=[look.share for look in looks]))]
        tier = TIERS[str(rng.choice(list(mix.tiers), p=list(mix.tiers.values())))]
        stage = draw_stage(look.layout, _seats(look.layout, rng), rng)
        art = look.inked(rng)
        tier = replace(tier, of_all=tier.one_board and bool(stage.shared) and rng.random() < OF_ALL)
        shoot(stage, look, art, resized(tier, rng), FIRST_SEED + number * SHOTS + shot, rng, fields)
    save_shard(number, fields, folder)


def _seats(layout: Layout, rng: Rng) -> int:
    known = seats_of(layout)
    return known[int(rng.integers(len(known)))]


def save_shard(number: int, fields: Fields, folder: Path) -> None:
    """Write what a shard holds, all of it or nothing."""
    draft = folder / f"{number:05d}.part"
    draft.mkdir(parents=True, exist_ok=True)
    for name, rows in fields.items():
        np.save(draft / f"{name}.npy", np.stack(rows))
    draft.rename(folder / f"{number:05d}")


def painted(stage: Stage, look: TileLook, art: Art, tier: Tier, seed: int, rng: Rng, fields: Fields) -> None:
    """A photograph of the simulated table: the whole picture, its boards, and pieces of the table."""
    photo = photograph(stage, varied(art.layout, rng), art, tier, seed)
    if tier.name != "cells":
        _whole(photo, look, Pyramid(photo.picture), fields)
    boards = readable(photo.truth)
    first = [seat for seat, name in boards if name == look.layout.surfaces[0].name]
    patches = PATCHES if first and (stage.discs or photo.truth.loose) and tier.name != "cells" else 0
    cut(photo, stage, look, boards, patches, rng, fields)


Board = tuple[int, str]
"""A surface of a seat, or with seat 0 of all, by its name."""


def readable(truth: Truth) -> list[Board]:
    """The surfaces that can be seen well enough."""
    seen = {board: 1 - len(surface.covered) / len(surface.cells_px) for board, surface in truth.surfaces.items()}
    return [board for board, share in seen.items() if share >= READABLE]


def cut(
    photo: Photograph, stage: Stage, look: TileLook, boards: Sequence[Board], patches: int, rng: Rng, fields: Fields
) -> None:
    """Boards of a photograph, and so many pieces of the table."""
    pyramid = Pyramid(photo.picture)
    whites = []
    for board in boards:
        _board(photo, stage, look, board, pyramid, rng, fields)
        if board[1] == look.layout.surfaces[0].name and board[0]:
            whites.append(white_of(np.asarray(fields["views"][-1][0], np.uint8)))
    for _ in range(patches):
        _patch(photo, look, pyramid, rng, fields)
        fields["whites"].append(np.mean(whites, axis=0))
    if whites and look.learned.parts is not None:
        for seen, label in _closeups(photo, stage, look, boards, pyramid):
            fields["closeups"].append(seen)
            fields["pieces"].append(np.array(label, np.int16))
            fields["closeup_whites"].append(np.mean(whites, axis=0))


def _closeups(
    photo: Photograph, stage: Stage, look: TileLook, boards: Sequence[Board], pyramid: Pyramid
) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Single pieces and prints that can be seen, in cells and loose, with their labels; not more than a few dozen."""
    labels, layout = look.learned.labels, look.layout
    several = {label for label in labels if len(parts_of(label)) > 1}
    found: list[tuple[Array, tuple[float, float], str]] = []
    plane: Array | None = None
    for seat, name in boards:
        if name != layout.surfaces[0].name or not seat:
            continue
        surface, seen = layout.surface(name), photo.truth.surfaces[seat, name]
        homography = homography_of(seen.corners_px, surface.width_mm, surface.height_mm)
        pose = pose_of(homography, photo.truth.lens.focal_px, pyramid.size_px)
        plane = pose.at(loose_height(layout)) if plane is None else plane
        for zone in read_zones(layout, surface):
            heights = heights_of(layout, zone)
            for cell in zone.cells:
                label = _label(cell, stage.boards[seat], {*seen.covered}, layout)
                if label in several:
                    height = heights.print_mm if label.startswith(CARD) else heights.top_mm
                    found.append((pose.at(height), (cell.x_mm, cell.y_mm), label))
    for loose in photo.truth.loose:
        if (
            plane is not None
            and loose.laid.kind in several
            and not loose.covered
            and pyramid.shows(np.array([loose.middle_px])).all()
        ):
            x, y = transform(inverse(plane), np.array([loose.middle_px]))[0].tolist()
            found.append((plane, (x, y), loose.laid.kind))
    for at, place, label in found[:: max(1, -(-len(found) // CLOSEUPS))]:
        yield closeup(pyramid, at, place, layout, CLOSEUP_PX * 3 // 2), labels.index(label)


def resized(tier: Tier, rng: Rng) -> Tier:
    """The tier with a camera of fewer pixels now and then: far boards, small pictures."""
    if tier.name == "cells" or rng.random() < 0.7:
        return tier
    shrink = float(rng.uniform(0.5, 0.95))
    return replace(tier, size_px=(round(tier.size_px[0] * shrink), round(tier.size_px[1] * shrink)))


def _whole(photo: Photograph, look: TileLook, pyramid: Pyramid, fields: Fields) -> None:
    width, height = pyramid.size_px
    shrink = min(PICTURE_PX[0] / width, PICTURE_PX[1] / height)
    size = (round(width * shrink), round(height * shrink))
    canvas = np.zeros((PICTURE_PX[1], PICTURE_PX[0], 3), np.uint8)
    canvas[: size[1], : size[0]] = cv2.resize(photo.picture, size, interpolation=cv2.INTER_AREA)
    corners = np.full((look.learned.most_surfaces, 4, 2), np.nan, np.float32)
    for i, quad in enumerate(surface.corners_px for surface in photo.truth.surfaces.values()):
        inside = (quad.mean(axis=0) > 0).all() and (quad.mean(axis=0) < (width, height)).all()
        corners[i] = quad * shrink if inside else np.nan
    discs = np.full((look.learned.most_discs, 3), np.nan, np.float32)
    disc = look.layout.disc
    radius_mm = disc.reach_mm if disc else 0.0
    for i, place in enumerate(np.array(photo.truth.discs_px).reshape(-1, 2)):
        if (place > 0).all() and (place < (width, height)).all():
            lens = photo.truth.lens
            discs[i] = (*place * shrink, radius_mm * lens.focal_px / np.linalg.norm(lens.eye_mm) * shrink)
    fields["pictures"].append(canvas)
    fields["sizes"].append(np.array(size, np.int16))
    fields["corners"].append(corners)
    fields["discs"].append(discs)


def _board(
    photo: Photograph, stage: Stage, look: TileLook, board: Board, pyramid: Pyramid, rng: Rng, fields: Fields
) -> None:
    (seat, name), layout = board, look.layout
    surface, seen = layout.surface(name), photo.truth.surfaces[board]
    corners, covered = seen.corners_px, {*seen.covered}
    laid = stage.boards[seat] if seat else dict(stage.shared)
    px_per_mm = float(np.linalg.norm(corners[0] - corners[2])) / np.hypot(surface.width_mm, surface.height_mm)
    off = rng.normal(0, rng.uniform(*CORNER_JITTER_MM) * px_per_mm * 0.7, (4, 2))
    focal = photo.truth.lens.focal_px * float(np.exp(rng.normal(0, FOCAL_JITTER)))
    pose = pose_of(homography_of(corners + off, surface.width_mm, surface.height_mm), focal, pyramid.size_px)
    if layout.owner and seat:
        laid = {**laid, **{cell.name: stage.marks[seat] for cell in layout.owner.cells}}
    cells = [look.learned.labels.index(_label(cell, laid, covered, layout)) for cell in read_cells(layout, surface)]
    known = sides_of(surface)
    kind = Kind(
        layout.edition, stage.side if stage.side in known else known[0], "" if surface is layout.surfaces[0] else name
    )
    number = np.array(look.learned.kinds.index(str(kind)), np.int8)
    fields["kinds"].append(number)
    fields["edges"].append(edge_of(pyramid, corners))
    if not cells and not tracks(layout, surface):
        return
    fields["read"].append(number)
    fields["views"].append(board_view(pyramid, pose, surface, next(iter(levels_of(layout, surface)))))
    fields["labels"].append(np.array([*cells, *[-1] * (look.learned.most_cells - len(cells))], np.int8))
    fields["marks"].append(_marks(stage, look, surface, seat, covered))


def _marks(stage: Stage, look: TileLook, surface: Surface, seat: int, covered: set[str]) -> NDArray[np.int8]:
    """The cell of each track where each mark stands; the only mark of a track is the first."""
    learned, layout = look.learned, look.layout
    found = np.full((learned.most_tracks, learned.most_marks), -1, np.int8)
    laid = stage.boards[seat].items() if seat else stage.shared
    for i, track in enumerate(tracks(layout, surface)):
        places = {cell.name: n for n, cell in enumerate(track.cells) if cell.name not in covered}
        kinds = layout.piece(track.piece).kinds
        for name, kind in laid:
            if name in places:
                found[i, kinds.index(kind) if kind in kinds else 0] = places[name]
    return found


def edge_of(pyramid: Pyramid, corners: Array) -> NDArray[np.uint8]:
    """A board and its surroundings, as the aligner and the fitter learn from."""
    margin = (EDGE_PX - EDGE_SPAN_PX) / 2 - 0.5
    square = (rectangle(EDGE_SPAN_PX, EDGE_SPAN_PX) + margin).astype(np.float32)
    to_picture = np.asarray(cv2.getPerspectiveTransform(square, corners.astype(np.float32)), np.float64)
    return pyramid.warp(to_picture, (EDGE_PX, EDGE_PX))


def _label(cell: Cell, laid: Mapping[str, str], covered: set[str], layout: Layout) -> str:
    """What is to be read in a cell: what lies there, else what a card shows there."""
    if cell.name in covered:
        return UNSEEN
    slot = layout.slot_under(cell)
    bare = EMPTY if slot is None else shown_on_card(cell, slot, laid.get(slot.name, ""))
    return layout.kind_of(laid.get(cell.name, bare))


def _patch(photo: Photograph, look: TileLook, pyramid: Pyramid, rng: Rng, fields: Fields) -> None:
    """A piece of the table around a disc or the middle, at any turn."""
    surface = look.layout.surfaces[0]
    size = (surface.width_mm, surface.height_mm)
    seats = [photo.truth.corners_px[seat] for seat, name in readable(photo.truth) if seat and name == surface.name]
    table = join([homography_of(corners + rng.normal(0, 1.0, (4, 2)), *size) for corners in seats], *size)
    focal = photo.truth.lens.focal_px * float(np.exp(rng.normal(0, FOCAL_JITTER / 2)))
    pose = pose_of(table @ _turned(float(rng.uniform(0, 2 * np.pi))), focal, pyramid.size_px)
    plane = pose.at(loose_height(look.layout) + float(rng.normal(0, 0.7)))
    to_mm = inverse(plane)
    discs = transform(to_mm, np.array(photo.truth.discs_px).reshape(-1, 2))
    anywhere = look.layout.seat_heap or any(zone.heap for zone in look.layout.zones)
    middle = np.zeros(2)
    if len(discs):
        middle = discs.mean(axis=0) if rng.random() < 0.5 else discs[int(rng.integers(len(discs)))]
    manner = rng.random() if anywhere else 1.0
    if manner < BARE:
        outline = transform(to_mm, seats[int(rng.integers(len(seats)))])
        middle = rng.uniform(outline.min(axis=0) - BARE_MM, outline.max(axis=0) + BARE_MM)
    elif photo.truth.loose and anywhere and (manner < BARE + RESERVES or not len(discs)):
        about = photo.truth.loose[int(rng.integers(len(photo.truth.loose)))]
        middle = transform(to_mm, np.array([about.middle_px]))[0]
    middle = middle + rng.normal(0, 25, 2)
    scale = table_scale(look.layout)
    half = PATCH_PX / scale / 2
    box = np.array([middle - half, middle + half])
    to_view = inverse(box_to_mm(box, scale)) @ to_mm
    tiles = np.full((MOST_TILES, 4), np.nan, np.float32)
    count = 0
    for loose in photo.truth.loose:
        x, y = transform(to_view, np.array([loose.middle_px]))[0]
        if -8 < x < PATCH_PX + 8 and -8 < y < PATCH_PX + 8 and count < MOST_TILES:
            kind = look.layout.kind_of(loose.laid.kind)
            if kind in look.learned.labels:
                tiles[count] = (x, y, look.learned.labels.index(kind), loose.covered)
                count += 1
    quads = np.full((look.learned.most_surfaces, 4, 2), np.nan, np.float32)
    for i, ((_, name), seen) in enumerate(photo.truth.surfaces.items()):
        if not any(zone.heap and zone.surface == name for zone in look.layout.zones):
            quads[i] = transform(to_view, seen.corners_px)
    fields["patches"].append(table_view(pyramid, plane, box, scale))
    fields["tiles"].append(tiles)
    fields["fields"].append(quads)


def _turned(radians: float) -> Array:
    cos, sin = np.cos(radians), np.sin(radians)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
