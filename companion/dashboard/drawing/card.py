"""A photo with what was read and the scores as one picture, to send to friends."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from companion.dashboard.drawing.evidence import Outline, outlines, part_of
from companion.dashboard.drawing.helpers import signed
from companion.dashboard.put_right import shown_by
from companion.dashboard.text.words import gettext as _
from companion.scores import seen_score
from engine.table import EMPTY
from hardware.rig import fonts

WIDTH, MARGIN, LINE = 1080, 36, 58
PLASTER, INK, COBALT, GREEN, ORANGE = "#f7f4ed", "#1c2636", "#1d4e9e", "#6dff9c", "#ff9a1f"
QUALITY = 88


def photo_card(reading: Mapping[str, Any], jpeg: bytes, width: int) -> bytes:
    """The card of a photo as JPEG; `width` is that of the picture that was read."""
    photo = _cut(reading, Image.open(io.BytesIO(jpeg)).convert("RGB"), width)
    shown = shown_by(reading)
    scores = {board["seat"]: seen_score(board) for board in reading["boards"]}
    card = Image.new("RGB", (WIDTH, photo.height + 2 * MARGIN + LINE * (1 + len(shown.seats))), PLASTER)
    card.paste(photo, (0, 0))
    draw, y = ImageDraw.Draw(card), photo.height + MARGIN
    draw.text((MARGIN, y), f"Azul Companion · {shown.edition.name}", INK, ImageFont.truetype(fonts.BOLD, 34))
    font = ImageFont.truetype(fonts.REGULAR, 32)
    for each in shown.seats:
        y += LINE
        points = each.outlook
        said = [f"{signed(points.round_points)} {_('this round')}"]
        said += [f"{signed(points.bonus_points)} {_('at the end')}"] if points.bonus_points else []
        draw.text((MARGIN, y), _("Board %(number)s", number=each.seat), INK, font)
        draw.text((MARGIN + 230, y), str(scores[each.seat] or "?"), COBALT, ImageFont.truetype(fonts.BOLD, 36))
        draw.text((MARGIN + 400, y), " · ".join(said), INK, font)
    return _saved(card)


def _cut(reading: Mapping[str, Any], photo: Image.Image, width: int) -> Image.Image:
    """The part of the photo in which the game lies, as wide as the card, with what was read drawn over it."""
    scale = photo.width / width
    left, top, across, down = part_of(reading, width, round(photo.height / scale))
    box = [round(value * scale) for value in (left, top, left + across, top + down)]
    zoom = WIDTH / across
    part = photo.crop((box[0], box[1], box[2], box[3])).resize((WIDTH, round(down * zoom)))
    draw = ImageDraw.Draw(part)
    for outline in outlines(reading):
        _draw(draw, outline, (left, top), zoom)
    return part


def _draw(draw: ImageDraw.ImageDraw, outline: Outline, origin: tuple[float, float], zoom: float) -> None:
    def at(points: str) -> list[tuple[float, float]]:
        pairs = (point.split(",") for point in points.split())
        return [((float(x) - origin[0]) * zoom, (float(y) - origin[1]) * zoom) for x, y in pairs]

    draw.polygon(at(outline.points), outline=GREEN, width=4)
    for mark in outline.marks:
        corners = at(mark.points)
        draw.polygon(corners, outline=ORANGE if mark.doubtful else "white", width=2)
        if mark.kind != EMPTY:
            x, y = (sum(values) / len(corners) for values in zip(*corners, strict=True))
            size = max(mark.size * zoom * 0.5, 9)
            font = ImageFont.truetype(fonts.BOLD, size)
            draw.text((x, y), mark.kind, "white", font, anchor="mm", stroke_width=2, stroke_fill=INK)


def _saved(card: Image.Image) -> bytes:
    file = io.BytesIO()
    card.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()
