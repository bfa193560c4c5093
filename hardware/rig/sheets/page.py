"""Drawing on paper in millimetres from its top-left corner, in any of our languages."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from hardware.rig import fonts

POINTS_PER_MM = 72 / 25.4
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN_MM = 12.0
RULER_MM = 100
LANGUAGES = ("en", "ru", "uk")
REGULAR, BOLD = "DejaVu", "DejaVu-Bold"

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


@cache
def words(language: str) -> dict[str, Any]:
    """All that sheets say in a language."""
    text = (Path(__file__).parent / "words.toml").read_text(encoding="utf-8")
    told: dict[str, Any] = tomllib.loads(text)[language]
    return told


class Sheets:
    """A PDF of one or several pages, with its scale to be checked on each."""

    def __init__(self, path: Path, title: str, paper: str, language: str) -> None:
        self.words = words(language)
        self.width_mm, self.height_mm = PAPERS[paper]
        for name, font in ((REGULAR, fonts.REGULAR), (BOLD, fonts.BOLD)):
            pdfmetrics.registerFont(TTFont(name, str(font)))
        size = (self.width_mm * POINTS_PER_MM, self.height_mm * POINTS_PER_MM)
        # Invariant: the same sheet has the same bytes, whenever it is made.
        self._canvas = Canvas(str(path), pagesize=size, invariant=1, lang=language)
        self._canvas.setTitle(title)
        self._canvas.setAuthor("Azul Companion")
        # A viewer then proposes to print at full size.
        self._canvas.setViewerPreference("PrintScaling", "None")

    def heading(self, text: str, below: str = "") -> None:
        """The page's title, and what to do with it."""
        self.text(text, (MARGIN_MM, MARGIN_MM + 5), 16, BOLD)
        for i, line in enumerate(self._wrapped(below, 9)):
            self.text(line, (MARGIN_MM, MARGIN_MM + 11 + 4.2 * i), 9)

    def ruler(self) -> None:
        """A line of known length at the bottom, to see whether the printer kept the scale."""
        y = self.height_mm - MARGIN_MM
        self.line((MARGIN_MM, y), (MARGIN_MM + RULER_MM, y))
        for i in range(0, RULER_MM + 1, 10):
            self.line((MARGIN_MM + i, y), (MARGIN_MM + i, y - (3 if i % 50 else 5)))
        self.text(self.words["ruler"], (MARGIN_MM + RULER_MM + 4, y), 7)

    def rectangles(self, boxes: Iterable[Box], grey: float = 0.0) -> None:
        """Filled boxes, as one shape: no seams between those that touch."""
        path = self._canvas.beginPath()
        for left, top, width, height in boxes:
            path.rect(*self._at(left, top + height), width * POINTS_PER_MM, height * POINTS_PER_MM)
        self._canvas.setFillGray(grey)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def frame(self, box: Box, dashed: bool = False) -> None:
        """A thin outline; dashed where it is to be cut."""
        left, top, width, height = box
        self._canvas.setLineWidth(0.4)
        self._canvas.setDash(*((3, 3) if dashed else ()))
        self._canvas.rect(*self._at(left, top + height), width * POINTS_PER_MM, height * POINTS_PER_MM, fill=0)
        self._canvas.setDash()

    def line(self, start: tuple[float, float], end: tuple[float, float], width_pt: float = 0.6) -> None:
        """A straight line."""
        self._canvas.setLineWidth(width_pt)
        self._canvas.line(*self._at(*start), *self._at(*end))

    def text(self, text: str, at: tuple[float, float], size: float, font: str = REGULAR, anchor: str = "start") -> None:
        """A line of text whose baseline begins, ends or is centred there."""
        self._canvas.setFillGray(0)
        self._canvas.setFont(font, size)
        draw = {"start": "drawString", "middle": "drawCentredString", "end": "drawRightString"}[anchor]
        getattr(self._canvas, draw)(*self._at(*at), text)

    def marker(self, family: int, number: int, left: float, top: float, size: float) -> None:
        """A square marker of one of OpenCV's families."""
        dictionary = cv2.aruco.getPredefinedDictionary(family)
        modules = dictionary.markerSize + 2
        bits = cv2.aruco.generateImageMarker(dictionary, number, modules)
        step = size / modules
        self.rectangles((left + x * step, top + y * step, step, step) for y, x in np.argwhere(bits == 0).tolist())

    def end_page(self) -> None:
        """Begin the next page, if anything more is drawn."""
        self._canvas.showPage()

    def save(self) -> None:
        """Write the file."""
        self._canvas.save()

    def _wrapped(self, text: str, size: float) -> list[str]:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if pdfmetrics.stringWidth(longer, REGULAR, size) > (self.width_mm - 2 * MARGIN_MM) * POINTS_PER_MM:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * POINTS_PER_MM, (self.height_mm - y) * POINTS_PER_MM
