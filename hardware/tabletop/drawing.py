"""Drawing boards and faces in the manner of a style; what a style may say is told in `art`."""

from __future__ import annotations

import dataclasses
import itertools
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.layout import Cell, Layout, Surface
from hardware.tabletop.canvas import box_of
from hardware.tabletop.motifs import FINE, FULL, MOTIFS, Bytes, Ink, stamp

PX_PER_MM = 4.0
FACE_PX = 128

StyleLook = dict[str, Any]
Points = NDArray[np.float64]


def draw_face(look: StyleLook, faces: dict[str, StyleLook], shape: str = "square", px: int = FACE_PX) -> Bytes:
    """The top of a piece or the print of a cell: colour, rims, ornaments; `px` is the shorter side of its box."""
    outline = unit_outline(shape)
    reach = np.abs(outline).max(axis=0)
    scale = px / (2 * reach.min())
    width, height = np.round(2 * reach * scale).astype(int)
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = _ink(look, "colour")
    middle = np.array([width, height]) / 2
    for inset, thickness, ink in look.get("rims", ()):
        points = _fine(outline * scale * (1 - inset) + middle - 0.5)
        cv2.polylines(picture, [points], True, _ink(look, ink), max(1, round(thickness * px)), cv2.LINE_AA, FINE)
    for mark in look.get("motifs", ()):
        told = {"motif": mark[0], "ink": mark[1], "size": 1.0} if isinstance(mark, list) else mark
        _draw_mark(picture, told, look, faces, (width / 2, height / 2), px)
    if "text" in look:
        told = {"text": look["text"], "ink": look["ink"], "size": look.get("text_size", 0.5)}
        _draw_mark(picture, told, look, faces, (width / 2, height / 2), px)
    if "glow" in look:
        _glow(picture, look["glow"])
    if "mottle" in look:
        _mottle(picture, look["mottle"])
    return picture


def draw_board(layout: Layout, surface: Surface, side: str, style: dict[str, Any]) -> Bytes:
    """A board as its layout says: paper, border, and every cell in the manner of its zone on the bed of its zone."""
    boards = style["boards"]
    look: StyleLook = merged(boards[surface.name], boards.get(f"{surface.name}-{side}", {}))
    if "like" in look:
        look = merged(boards[look["like"]], look)
    size = round(surface.width_mm * PX_PER_MM), round(surface.height_mm * PX_PER_MM)
    picture = np.empty((size[1], size[0], 3), np.uint8)
    picture[:] = _bgr(look["paper"])
    for pattern in look.get("patterns", {}).values():
        _fill_pattern(picture, pattern)
    if "glow" in look:
        _glow(picture, look["glow"])
    _border(picture, look)
    faces: dict[str, StyleLook] = style["faces"]
    cells = [
        (cell, _manner(style, zone.name, cell.name, side))
        for zone in layout.zones
        if zone.surface == surface.name
        for cell in zone.cells
    ]
    marks: dict[str, list[StyleLook]] = {"first": [], "under": [], "over": []}
    for mark in look.get("marks", {}).values():
        marks[mark.get("when", "under")].append(mark)
    _draw_marks(picture, marks["first"], look, faces)
    drawn: dict[str, Bytes] = {}
    for i, layer in enumerate(sorted({float(manner.get("layer", 0)) for _, manner in cells})):
        members = [(cell, manner) for cell, manner in cells if manner.get("layer", 0) == layer]
        _draw_beds(picture, members)
        if i == 0:
            _draw_marks(picture, marks["under"], look, faces)
        for cell, manner in members:
            _draw_cell(picture, cell, manner, side, faces, drawn)
    _draw_marks(picture, marks["over"], look, faces)
    _mottle(picture, look.get("mottle", 6))
    if "veil" in look:
        colour, alpha = look["veil"]
        cv2.addWeighted(picture, 1 - alpha, np.full_like(picture, _bgr(colour)), alpha, 0, picture)
    for inset, width, colour, alpha in look.get("bands", ()):
        _band(picture, inset, width, colour, alpha)
    return picture


def _manner(style: dict[str, Any], zone: str, name: str, side: str) -> StyleLook:
    """How a cell is drawn: as its zone, as its zone on that side, then as what is said for cells named like it."""
    zones, cells = style["zones"], style.get("cells", {})
    manner: StyleLook = zones.get(zone, {}) | zones.get(f"{zone}-{side}", {})
    for pattern, more in cells.items():
        if fnmatchcase(name, pattern) or fnmatchcase(f"{name}-{side}", pattern):
            manner = manner | more
    return manner


def _draw_beds(picture: Bytes, cells: list[tuple[Cell, StyleLook]]) -> None:
    """The ground around cells, the outermost first; neighbouring cells share it."""
    beds: dict[tuple[int, float, str], list[Cell]] = {}
    for cell, manner in cells:
        for depth, (reach_mm, colour) in enumerate(manner.get("beds", ())):
            beds.setdefault((depth, reach_mm, colour), []).append(cell)
    kernel = np.ones((13, 13), np.uint8)
    for (_, reach_mm, colour), members in sorted(beds.items(), key=lambda entry: entry[0][0]):
        outlines = [np.array(cell.outline_mm()) * PX_PER_MM - 0.5 for cell in members]
        width = max(1, round(2 * reach_mm * PX_PER_MM))
        box = box_of(np.vstack(outlines), picture.shape, margin=width + len(kernel))
        if box is None:
            continue
        mask = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
        for outline in outlines:
            points = _fine(outline - (box[0], box[1]))
            cv2.fillPoly(mask, [points], FULL, cv2.LINE_AA, FINE)
            cv2.polylines(mask, [points], True, FULL, width, cv2.LINE_AA, FINE)
        closed = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
        stamp(picture, closed, ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), _bgr(colour))


def _draw_cell(
    picture: Bytes, cell: Cell, manner: StyleLook, side: str, faces: dict[str, StyleLook], drawn: dict[str, Bytes]
) -> None:
    if "box_mm" in manner:
        _draw_box(picture, cell, manner)
        return
    grown = 1.0 + manner.get("grow", 0.0)
    middle = np.array([cell.x_mm, cell.y_mm])
    outline = ((np.array(cell.outline_mm()) - middle) * grown + middle) * PX_PER_MM - 0.5
    printed = faces.get(manner.get("face", cell.printed(side) or ""))
    number, fifth = _number_of(cell, manner)
    if printed is not None or "fill" in manner:
        px = round(cell.size_mm * grown * PX_PER_MM * 1.25)
        if printed is not None:
            look = {**printed, "motifs": [*printed.get("motifs", ()), *manner.get("motifs", ())]}
            look |= {key: manner[key] for key in ("rims", "glow", "mottle") if key in manner}
        else:
            look = {**manner, "colour": manner["fifth"] if fifth else manner["fill"]}
            look.pop("text", None)
        key = repr((look, cell.shape, px, manner.get("fade"), manner.get("faded")))
        if key not in drawn:
            face = draw_face(look, faces, cell.shape, px)
            drawn[key] = _fade(face, manner) if printed is not None else face
        face = drawn[key]
        if _is_numbered(manner, fifth=fifth):
            face = face.copy()
            x, y = np.array(manner.get("number_at", (0.0, 0.0))) * px + (face.shape[1] / 2, face.shape[0] / 2)
            text, height = str(manner.get("text", number)), manner.get("number_size", 0.45) * px
            _text(face, text, (float(x), float(y)), height, _ink(manner, "number"))
        upright = dataclasses.replace(cell, turn_deg=0.0) if manner.get("upright") else cell
        _lay(picture, face, upright, outline, grown)
    if "recess" in manner:
        _recess(picture, outline, manner["recess"])
    if "edge" in manner:
        width = max(1, round(manner.get("edge_mm", 0.6) * PX_PER_MM))
        cv2.polylines(picture, [_fine(outline)], True, _bgr(manner["edge"]), width, cv2.LINE_AA, FINE)


def _number_of(cell: Cell, manner: StyleLook) -> tuple[str, bool]:
    """The number at the end of a cell's name, and whether it is a fifth one that is printed otherwise."""
    number = cell.name.rpartition(".")[2]
    return number, "fifth" in manner and number.isdecimal() and int(number) % 5 == 0


def _is_numbered(manner: StyleLook, *, fifth: bool) -> bool:
    return "number" in manner and (fifth or "fifth" not in manner or manner.get("each", False))


def _draw_box(picture: Bytes, cell: Cell, manner: StyleLook) -> None:
    """A cell printed as an upright rectangle of `box_mm`, whatever the shape of its piece."""
    number, fifth = _number_of(cell, manner)
    middle, half = np.array([cell.x_mm, cell.y_mm]), np.array(manner["box_mm"]) / 2
    corners = (middle + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half) * PX_PER_MM - 0.5
    cv2.fillPoly(picture, [_fine(corners)], _ink(manner, "fifth" if fifth else "fill"), cv2.LINE_AA, FINE)
    for inset_mm, width_mm, ink in manner.get("rims", ()):
        inner = middle * PX_PER_MM - 0.5 + (corners - middle * PX_PER_MM + 0.5) * (1 - inset_mm / half.min())
        width = max(1, round(width_mm * PX_PER_MM))
        cv2.polylines(picture, [_fine(inner)], True, _ink(manner, ink), width, cv2.LINE_AA, FINE)
    if _is_numbered(manner, fifth=fifth):
        height = manner.get("number_size", 0.45) * 2 * half.min() * PX_PER_MM
        x, y = middle * PX_PER_MM
        _text(picture, str(manner.get("text", number)), (float(x), float(y)), height, _ink(manner, "number"))
    if "edge" in manner:
        width = max(1, round(manner.get("edge_mm", 0.6) * PX_PER_MM))
        cv2.polylines(picture, [_fine(corners)], True, _bgr(manner["edge"]), width, cv2.LINE_AA, FINE)


def _fade(face: Bytes, manner: StyleLook) -> Bytes:
    """Print is paler than the piece it shows."""
    faded = manner.get("fade", 0.12)
    pale = face * (1 - faded) + np.array(_bgr(manner.get("faded", "#d8cdb8")), np.float32) * faded
    return np.asarray(pale, np.uint8)


def _lay(picture: Bytes, face: Bytes, cell: Cell, outline: Points, grown: float) -> None:
    """Print a face into the outline of a cell, turned as the cell is; outline in pixels."""
    box = box_of(outline, picture.shape)
    if box is None:
        return
    height, width = face.shape[:2]
    turn = np.radians(cell.turn_deg)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    reach = np.abs(unit_outline(cell.shape)).max(axis=0) * cell.size_mm * grown * PX_PER_MM
    middle = np.array([cell.x_mm, cell.y_mm]) * PX_PER_MM - 0.5 - (box[0], box[1])
    target = np.array([[-1, -1], [1, -1], [-1, 1]]) * reach @ axes + middle
    source = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [-0.5, height - 0.5]])
    transform = cv2.getAffineTransform(source.astype(np.float32), target.astype(np.float32))
    size = (box[2] - box[0], box[3] - box[1])
    warped = cv2.warpAffine(face, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(mask, [_fine(outline - (box[0], box[1]))], 255, cv2.LINE_AA, FINE)
    region = picture[box[1] : box[3], box[0] : box[2]]
    region[:] = (region + mask[:, :, None] * np.float32(1 / 255) * (warped.astype(np.float32) - region)).astype(
        np.uint8
    )


def _recess(picture: Bytes, outline: Points, strength: float) -> None:
    """The walls of a hollow: dark below its upper edges, light above its lower ones."""
    box = box_of(outline, picture.shape, margin=4)
    if box is None:
        return
    region = picture[box[1] : box[3], box[0] : box[2]]
    shade = np.zeros(region.shape[:2], np.float32)
    middle = outline.mean(axis=0)
    width = max(2, round(1.0 * PX_PER_MM))
    outline = outline + (middle - outline) * (width / 2 / float(np.linalg.norm(outline - middle, axis=1).min()))
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        outwards = (start + end) / 2 - middle
        lit = float(outwards @ (0.6, 0.8)) / float(np.linalg.norm(outwards))
        points = _fine(np.array([start, end]) - (box[0], box[1]))
        cv2.polylines(shade, [points], False, (lit * strength * 80 - strength * 25,), width, cv2.LINE_AA, FINE)
    soft = np.asarray(cv2.GaussianBlur(shade, (0, 0), 1.2), np.float32)
    region[:] = np.clip(region + soft[:, :, None], 0, 255).astype(np.uint8)


def _draw_marks(picture: Bytes, marks: list[StyleLook], look: StyleLook, faces: dict[str, StyleLook]) -> None:
    left, top, unit = 0.0, 0.0, float(picture.shape[1])
    if "within_mm" in look:
        left, top, unit = (length * PX_PER_MM for length in look["within_mm"])
    for mark in marks:
        _draw_mark(picture, mark, look, faces, (left, top), unit)


def _draw_mark(
    picture: Bytes,
    mark: StyleLook,
    look: StyleLook,
    faces: dict[str, StyleLook],
    origin: tuple[float, float],
    unit: float,
) -> None:
    """An ornament, a text, a shape or a small face, once or several times: in a ring, or in steps.

    Lengths are in units: a board's width (or that of `within_mm`), or a face's shorter side. What is a list goes
    round: `ink`, `text`, `face`.
    """
    count, radius = mark.get("count", 1), mark.get("radius", 0.0)
    along = np.array(mark.get("step", (0.0, 0.0)))
    for i in range(count):
        bearing = mark.get("first", 0.0) + (360.0 * i / count if "radius" in mark else 0.0)
        away = np.array([np.sin(np.radians(bearing)), -np.cos(np.radians(bearing))]) * radius
        x, y = (np.array(mark.get("at", (0.0, 0.0))) + away + along * i) * unit + origin
        turn = mark.get("turn", 0.0) + (bearing if mark.get("facing", True) and "radius" in mark else 0.0)
        ink = _ink(look, _nth(mark.get("ink", "#000000"), i))
        _draw_once(picture, mark, i, faces, (float(x), float(y)), turn, ink, unit)


def _draw_once(
    picture: Bytes,
    mark: StyleLook,
    index: int,
    faces: dict[str, StyleLook],
    place: tuple[float, float],
    turn: float,
    ink: Ink,
    unit: float,
) -> None:
    size, alpha = mark.get("size", 0.0) * unit, mark.get("alpha", 1.0)
    if "motif" in mark:
        mask = np.zeros((max(3, round(size)),) * 2, np.uint8)
        MOTIFS[_nth(mark["motif"], index)](mask, FULL)
        stamp(picture, _drawn_otherwise(mask, mark), place, ink, turn, alpha)
    elif "text" in mark:
        _text(picture, _nth(mark["text"], index), place, size, ink, turn)
    elif "face" in mark:
        shape = mark.get("shape", "square")
        cell = Cell("", "", "", place[0] / PX_PER_MM, place[1] / PX_PER_MM, turn, shape, size / PX_PER_MM, 0.0)
        face = draw_face(faces[_nth(mark["face"], index)], faces, shape, max(8, round(size * 1.25)))
        face = _fade(face, mark) if "fade" in mark else face
        _lay(picture, face, cell, np.array(cell.outline_mm()) * PX_PER_MM - 0.5, 1.0)
    else:
        points = np.array(mark["points"]) * unit if "points" in mark else unit_outline(mark["shape"]) * size
        angle = np.radians(turn)
        points = points @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + place - 0.5
        layer = picture if alpha == 1.0 else picture.copy()
        if "line" in mark:
            cv2.polylines(layer, [_fine(points)], True, ink, max(1, round(mark["line"] * unit)), cv2.LINE_AA, FINE)
        else:
            cv2.fillPoly(layer, [_fine(points)], ink, cv2.LINE_AA, FINE)
        if layer is not picture:
            cv2.addWeighted(layer, alpha, picture, 1 - alpha, 0, picture)


def _drawn_otherwise(mask: Bytes, mark: StyleLook) -> Bytes:
    """A motif wider or narrower, in lines that are heavier or finer by a share of its size, as its mark says."""
    height, width = mask.shape
    if (grown := round(mark.get("heavier", 0.0) * height)) != 0:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(grown) + 1,) * 2)
        mask = np.asarray((cv2.dilate if grown > 0 else cv2.erode)(mask, kernel), np.uint8)
    size = (max(3, round(width * mark.get("wider", 1.0))), height)
    return mask if size[0] == width else np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def _fill_pattern(picture: Bytes, pattern: StyleLook) -> None:
    """A motif all over the paper, every other row shifted."""
    step = max(8, round(pattern["step_mm"] * PX_PER_MM))
    small = np.zeros((step, step), np.uint8)
    MOTIFS[pattern["motif"]](small, FULL)
    pair = np.vstack([small, np.roll(small, step // 2, axis=1)])
    height, width = picture.shape[:2]
    mask = np.tile(pair, (height // (2 * step) + 1, width // step + 1))[:height, :width]
    stamp(picture, mask, (width / 2, height / 2), _bgr(pattern["ink"]), 0.0, pattern.get("alpha", 0.3))


def _border(picture: Bytes, look: StyleLook) -> None:
    """A frame of small fields around the board, an ornament in each."""
    width = round(look.get("border_mm", 6.0) * PX_PER_MM)
    if not width or "border" not in look:
        return
    height, breadth = picture.shape[:2]
    shades = [_bgr(colour) for colour in look["border"]]
    for length, upright in ((breadth, False), (height, True)):
        count = max(1, round((length - 2 * width) / (look.get("field_mm", 18.0) * PX_PER_MM)))
        edges = np.round(np.linspace(width, length - width, count + 1)).astype(int)
        for i, (start, end) in enumerate(itertools.pairwise(edges)):
            for at in (0, (breadth if upright else height) - width):
                ink = shades[(i + upright + (at > 0)) % len(shades)]
                rows, columns = slice(at, at + width), slice(start, end - 2)
                field = picture[columns, rows] if upright else picture[rows, columns]
                field[:] = ink
                if "border_motif" in look:
                    mask = np.zeros((max(3, round(width * 0.8)),) * 2, np.uint8)
                    MOTIFS[look["border_motif"]](mask, FULL)
                    middle = field.shape[1] / 2, field.shape[0] / 2
                    stamp(field, mask, middle, _bgr(look.get("border_ink", "#ffffff")), 0.0, 0.45)
    for top in (0, height - width):
        for left in (0, breadth - width):
            corner = picture[top : top + width, left : left + width]
            corner[:] = _bgr(look["ink"])
            mask = np.zeros((width, width), np.uint8)
            MOTIFS["bloom"](mask, FULL)
            stamp(corner, mask, (width / 2, width / 2), shades[1 % len(shades)])
    cv2.rectangle(picture, (width, width), (breadth - width, height - width), _bgr(look["ink"]), 3)


def _band(picture: Bytes, inset_mm: float, width_mm: float, colour: str, alpha: float) -> None:
    """A frame along the rim, clear as plastic is."""
    height, width = picture.shape[:2]
    outer, inner = round(inset_mm * PX_PER_MM), round((inset_mm + width_mm) * PX_PER_MM)
    ink = np.array(_bgr(colour), np.float32)
    for rows, columns in (
        (slice(outer, inner), slice(outer, width - outer)),
        (slice(height - inner, height - outer), slice(outer, width - outer)),
        (slice(inner, height - inner), slice(outer, inner)),
        (slice(inner, height - inner), slice(width - inner, width - outer)),
    ):
        picture[rows, columns] = (picture[rows, columns] * (1 - alpha) + ink * alpha).astype(np.uint8)


def _glow(picture: Bytes, strength: float) -> None:
    """Lighter in the middle, darker to the rim."""
    y, x = np.ogrid[: picture.shape[0], : picture.shape[1]]
    away = ((y / picture.shape[0] - 0.5) ** 2 + (x / picture.shape[1] - 0.5) ** 2).astype(np.float32)
    factor = 1 + strength * (0.5 - 4 * away)
    cv2.multiply(picture, cv2.merge([factor, factor, factor]), picture, dtype=cv2.CV_8U)


def _mottle(picture: Bytes, strength: float) -> None:
    """Cloudy paper; the same clouds every time."""
    clouds = _clouds(*picture.shape[:2]) * np.float32(strength / 2)
    cv2.add(picture, cv2.merge([clouds, clouds, clouds]), picture, dtype=cv2.CV_8U)


@lru_cache(maxsize=16)
def _clouds(height: int, width: int) -> NDArray[np.float32]:
    rng = np.random.default_rng(7)
    clouds = np.zeros((height, width), np.float32)
    for scale in (8, 24, 64):
        coarse = rng.standard_normal((height // scale + 2, width // scale + 2)).astype(np.float32)
        clouds += cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return clouds


def _text(
    picture: Bytes, text: str, middle: tuple[float, float], height_px: float, ink: Ink, turn: float = 0.0
) -> None:
    font = cv2.FONT_HERSHEY_COMPLEX
    scale = height_px / 22
    thickness = max(1, round(height_px / 12))
    (width, height), below = cv2.getTextSize(text, font, scale, thickness)
    mask = np.zeros((height + 2 * below + 2, width + 4), np.uint8)
    cv2.putText(mask, text, (2, height + below + 1), font, scale, FULL, thickness, cv2.LINE_AA)
    stamp(picture, mask, middle, ink, turn)


@lru_cache
def unit_outline(shape: str) -> Points:
    """A shape of size 1 around the origin, as layouts have it."""
    return np.array(Cell("", "", "", 0.0, 0.0, 0.0, shape, 1.0, 0.0).outline_mm())


def _fine(points: Points) -> NDArray[np.int32]:
    return np.asarray(np.round(points * (1 << FINE)), np.int32)


def _nth(value: Any, index: int) -> str:
    """The value, or of a list the one whose turn it is."""
    return str(value[index % len(value)] if isinstance(value, list) else value)


def _ink(look: StyleLook, name: str) -> Ink:
    """A colour, or the colour that a look calls so."""
    return _bgr(name if name.startswith("#") else look[name])


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour like #rrggbb."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _bgr(colour: str) -> Ink:
    red, green, blue = rgb(colour)
    return blue, green, red


def merged(under: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """One table laid over another, table by table."""
    both = {**under, **over}
    for key in under.keys() & over.keys():
        if isinstance(under[key], dict) and isinstance(over[key], dict):
            both[key] = merged(under[key], over[key])
    return both
