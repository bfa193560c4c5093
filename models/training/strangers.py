"""Boards of editions that are not learned: printed and full of tiles, and to be taken for none that is."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np

from engine.layout import TILES, Layout, layout_of
from hardware.tabletop.art import Art, load_art, pack_in
from hardware.tabletop.finish import develop, draw_film
from hardware.tabletop.scene import render
from hardware.tabletop.solids import lifted
from hardware.tabletop.stage import Stage
from hardware.tabletop.tiers import TIERS, Tier
from hardware.tabletop.world import set_table
from models.training.looks import TINTED, TINTS, Taught, seats_of
from models.training.shots import FIRST_SEED, SHOTS, Fields, Rng, edge_of, resized, save_shard
from models.training.stages import colours_of
from models.training.tints import Tinted
from vision.rectify import Pyramid

FIRST = 30_000
"""Shards of these have numbers from here on."""
SHARE = 0.12
"""How many of them there are for each shard of boards that are learned."""
NO_KIND = -1
"""What kind of board such a one is."""
TIER_SHARES = {"rig": 0.25, "phone-table": 0.25, "hard": 0.15, "phone-board": 0.2, "cells": 0.15}
FULL = (0.0, 0.7)
"""The share of the cells that hold tiles, drawn between these for each board."""


def write_strangers(number: int, learned: Taught, packs: Path | None, folder: Path) -> None:
    """Render and cut one shard, unless it is there."""
    if (folder / f"{number:05d}").exists():
        return
    rng = np.random.default_rng([8, number])
    fields: Fields = defaultdict(list)
    for shot in range(SHOTS):
        slug = learned.others[int(rng.integers(len(learned.others)))]
        tier = TIERS[str(rng.choice(list(TIER_SHARES), p=list(TIER_SHARES.values())))]
        layout, pack = layout_of(slug), pack_in(packs, slug) if rng.random() < 0.5 else None
        art = load_art(layout, pack)
        if rng.random() < TINTED:
            art = Tinted(art, np.random.default_rng([number, int(rng.integers(TINTS))]))
        _shoot(layout, art, resized(tier, rng), FIRST_SEED + number * SHOTS + shot, rng, fields)
    save_shard(number, fields, folder)


def _shoot(layout: Layout, art: Art, tier: Tier, seed: int, rng: Rng, fields: Fields) -> None:
    """Photograph a table of another game, and cut out every board, that of all players included."""
    world = set_table(_stage(layout, rng), layout, art, tier, seed)
    film = draw_film(tier, np.random.default_rng([seed, 1]))
    lens = world.scene.lens
    pyramid = Pyramid(develop(render(world.scene), lens, film, rng))
    for placed in (*world.boards, *world.shared):
        corners = lens.project(lifted(placed.corners_mm, layout.surface(placed.surface).thickness_mm))
        if pyramid.shows(corners.mean(axis=0)[None])[0]:
            fields["edges"].append(edge_of(pyramid, corners))
            fields["kinds"].append(np.array(NO_KIND, np.int8))


def _stage(layout: Layout, rng: Rng) -> Stage:
    """Tiles anyhow, for as many seats as there may be."""
    kinds = colours_of(layout)
    surface = layout.surfaces[0]
    boards = {}
    seats = seats_of(layout)
    for seat in range(1, seats[int(rng.integers(len(seats)))] + 1):
        full = rng.uniform(*FULL)
        boards[seat] = {
            cell.name: str(rng.choice(kinds))
            for zone in layout.zones
            if zone.role == TILES and zone.surface == surface.name
            for cell in zone.cells
            if rng.random() < full
        }
    return Stage(side=str(rng.choice(layout.sides)), boards=boards)
