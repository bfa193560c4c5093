"""What boards, tiles and discs look like: our own drawings, or the pictures of an art pack.

A style (styles/<edition>.toml) says which colours and motifs the drawings have; an art pack (a folder with pictures
and a pack.toml) replaces drawings by pictures. Nothing here knows an edition: boards are drawn from their layout, and
an edition without a style of its own is drawn plainly (`plain`).

Tables of a style:
  like      another style that this one changes
  faces     by kind or name of piece: colour, motifs, rims, glow, text; a motif is [name, ink] or a mark
            and looks: other faces that a whole set of such pieces may have instead, by their names
  families  faces of every colour with every pattern, and cards that show one each
  boards    by surface, or surface-side: paper, patterns, border, bands (clear frames), veil (a matt cover: its colour
            and how much of it is seen), marks (a count of 0 leaves one out), within_mm (the square that marks are
            laid in, where that is not the board: left, top, width)
  zones     by zone, or zone-side: fill, edge, fade, number, beds (ground around cells), recess, layer, motifs,
            upright (motifs stand as the board does, in cells that look the same so turned),
            fifth (the fill of every fifth cell of a track; only these are numbered, unless `each`),
            box_mm (printed as a rectangle of this width and height, whatever the shape of the piece)
  cells     the same for cells, or cell-sides, whose names match: "star.?.1-beige"
  heavier, wider  of a motif: by what share of its size its lines are heavier, and how much wider it is, for training
  any_grey  of a face: nobody knows which grey it is, for training
  alternatives  motifs that may stand for another in prints that nobody has seen, for training
An ink is "#rrggbb", or the name of a colour in the same table.

Entries of a pack, in its tables `boards` and `faces` by the same names, shares of the picture going from 0 to 1:
  picture   the file
  crop      which part of it to use: left, top, right, bottom
  box       which part of the board it shows; the rest is our drawing
  gain      what red, green and blue are multiplied by
  bluer     how far greenish blues are turned to plain blue
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import Layout
from hardware.errors import HardwareError
from hardware.tabletop.canvas import Texture, linear, linear_colour
from hardware.tabletop.drawing import draw_board, draw_face, merged, rgb, unit_outline
from hardware.tabletop.motifs import Bytes
from hardware.tabletop.plain import plain_style

PACKS_DIR = Path(__file__).parent / "packs"
STYLES_DIR = Path(__file__).parent / "styles"
FACE_PX_PER_MM = 6.0
OWN_LOOK = 0.4
"""How often pieces have their own face where there are other looks of them."""


class ArtError(HardwareError):
    """A style or an art pack that cannot be used."""


@dataclass(frozen=True)
class Face:
    """The top of a piece, and the colour of its sides."""

    texture: Texture
    side: NDArray[np.float32]


class Art:
    """The looks of one edition; what is drawn once is kept."""

    def __init__(self, layout: Layout, style: dict[str, Any], pack: dict[str, Any], pictures: Path) -> None:
        self.layout = layout
        self._style = style
        self._pack = pack
        self._pictures = pictures
        self._boards: dict[tuple[str, str], Texture] = {}
        self._faces: dict[tuple[str, str], Face] = {}

    @property
    def is_guessed(self) -> bool:
        """Whether nobody could show us the real print, so that ours may look otherwise."""
        return "alternatives" in self._style and not self._pack.get("boards")

    def changed(self, layout: Layout, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Art:
        """The same art in another style and on boards with other measures."""
        return Art(layout, change(self._style), self._pack, self._pictures)

    def board(self, surface: str, side: str) -> Texture:
        """The print of a surface."""
        key = (surface, side)
        if key not in self._boards:
            self._boards[key] = Texture(linear(self._print(surface, side)))
        return self._boards[key]

    def look(self, piece: str, rng: np.random.Generator) -> str:
        """Which face the pieces of one set have, where the style knows several: its own, or one of its `looks`."""
        looks = self._looks(piece)
        return piece if not looks or rng.random() < OWN_LOOK else looks[int(rng.integers(len(looks)))]

    def _looks(self, piece: str) -> list[str]:
        return list(self._style["faces"].get(piece, {}).get("looks", ()))

    def face(self, piece: str, kind: str) -> Face:
        """The top of a kind of piece, such as the tile `B`."""
        key = (piece, kind)
        if key not in self._faces:
            faces = self._style["faces"]
            look = faces.get(kind) or faces[piece]
            told = self.layout.piece(piece)
            entry = self._entry("faces", kind, *(() if kind in self._looks(piece) else (piece,)))
            if entry is not None:
                drawn = _fitted(self._picture(entry), told.shape)
            else:
                reach_mm = float(np.abs(unit_outline(told.shape)).max(axis=0).min()) * told.size_mm
                px = round(np.clip(2 * reach_mm * FACE_PX_PER_MM, 64, 384))
                drawn = draw_face(look, faces, told.shape, px)
            side = linear_colour(*rgb(look.get("side", look["colour"])))
            self._faces[key] = Face(Texture(linear(drawn)), side)
        return self._faces[key]

    def _print(self, surface: str, side: str) -> Bytes:
        """A board's picture; where the pack has only a part of it, our drawing around that part."""
        entry = self._entry("boards", f"{surface}-{side}", surface)
        if entry is not None and "box" not in entry:
            return self._picture(entry)
        drawn = draw_board(self.layout, self.layout.surface(surface), side, self._style)
        if entry is not None:
            height, width = drawn.shape[:2]
            left, top, right, bottom = np.round(np.array(entry["box"]) * (width, height, width, height)).astype(int)
            size = (int(right - left), int(bottom - top))
            drawn[top:bottom, left:right] = cv2.resize(self._picture(entry), size, interpolation=cv2.INTER_AREA)
        return drawn

    def _entry(self, group: str, *names: str) -> dict[str, Any] | None:
        """What the pack says under the first of these names that it has."""
        entries = self._pack.get(group, {})
        return next((entries[name] for name in names if name in entries), None)

    def _picture(self, entry: dict[str, Any]) -> Bytes:
        path = self._pictures / entry["picture"]
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            raise ArtError(f"the art pack names {path}, which is no picture; correct its pack.toml")
        if "crop" in entry:
            left, top, right, bottom = entry["crop"]
            height, width = picture.shape[:2]
            picture = picture[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]
        if "gain" in entry:
            picture = np.clip(picture * np.array(entry["gain"][::-1]), 0, 255).astype(np.uint8)
        if "bluer" in entry:
            picture = _bluer(np.asarray(picture, np.uint8), entry["bluer"])
        return np.asarray(picture, np.uint8)


def load_art(layout: Layout, pictures: Path | None = None) -> Art:
    """Our own art for a layout, or with an art pack's pictures in its place.

    A pack is a folder of pictures with a pack.toml; where it has none, the edition's own in packs/ describes it.
    """
    style = _read_style(layout.edition) if _style_file(layout.edition).exists() else plain_style(layout)
    if pictures is None:
        return Art(layout, style, {}, STYLES_DIR)
    pack = pictures / "pack.toml"
    return Art(layout, style, _read_toml(pack if pack.exists() else PACKS_DIR / f"{layout.edition}.toml"), pictures)


def pack_in(folder: Path | None, edition: str) -> Path | None:
    """The art pack of an edition in a folder of packs, if there is one that can be used."""
    pictures = folder / edition if folder else None
    described = pictures and ((pictures / "pack.toml").exists() or (PACKS_DIR / f"{edition}.toml").exists())
    return pictures if pictures and pictures.exists() and described else None


def _style_file(edition: str) -> Path:
    return STYLES_DIR / f"{edition}.toml"


def _read_style(edition: str) -> dict[str, Any]:
    """A style, with what it takes from another, and the faces of its families."""
    style = _read_toml(_style_file(edition))
    if "like" in style:
        style = merged(_read_style(style["like"]), style)
    faces = dict(style["faces"])
    for family in style.get("families", {}).values():
        for (colour, inks), (pattern, look) in itertools.product(family["colours"].items(), family["patterns"].items()):
            faces[colour + pattern] = {**family.get("look", {}), **inks, **look}
        if "card" in family:
            for kind in [c + p for c, p in itertools.product(family["colours"], family["patterns"])]:
                faces[family["card"]["prefix"] + kind] = _filled(family["card"]["look"], kind)
    return {**style, "faces": faces}


def _filled(value: Any, kind: str) -> Any:
    """A look with the kind in place of every `{}`."""
    if isinstance(value, dict):
        return {key: _filled(part, kind) for key, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, kind) for part in value]
    return value.replace("{}", kind) if isinstance(value, str) else value


@lru_cache
def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ArtError(f"cannot read {path}: {error}") from error


def _bluer(picture: Bytes, strength: float) -> Bytes:
    """A picture whose greenish blues are plainer blue; all else stays."""
    blue, green, red = cv2.split(picture.astype(np.float32))
    cold = np.maximum(blue - red, 0) * strength
    return np.clip(cv2.merge([blue, green - cold, red + 0.8 * cold]), 0, 255).astype(np.uint8)


def _fitted(picture: Bytes, shape: str) -> Bytes:
    """The middle of a picture, as wide for its height as the box around a shape."""
    across, along = np.abs(unit_outline(shape)).max(axis=0)
    height, width = picture.shape[:2]
    wide, high = min(width, round(height * across / along)), min(height, round(width * along / across))
    left, top = (width - wide) // 2, (height - high) // 2
    return picture[top : top + high, left : left + wide]
