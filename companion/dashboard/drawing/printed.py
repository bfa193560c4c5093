"""Boards and curves for paper: shapes of reportlab, made of the drawings that pages show."""

from __future__ import annotations

from reportlab.graphics.shapes import Drawing, Line, Polygon, PolyLine, Rect, String
from reportlab.lib import colors

from companion.dashboard.drawing.boards import BoardDrawing, Spot
from companion.dashboard.drawing.faces import face_of
from companion.dashboard.live.ending import HEIGHT, WIDTH, GameEnding
from engine.layout import SLOT

BOARD, EDGE, SOFT = colors.HexColor("#f6f1e6"), colors.HexColor("#c9c1af"), colors.HexColor("#55607a")
PAPER, INK = colors.HexColor("#fdfaf2"), colors.HexColor("#1c2636")
SEATS = tuple(colors.HexColor(colour) for colour in ("#1f57ad", "#a3480f", "#226842", "#7c3f99"))
DASHES = (None, (6, 3), (2, 2), (8, 2, 2, 2))
"""So that curves are told apart without colours."""
HUES = {
    "B": "#2460b4",
    "LB": "#7fc3e8",
    "Y": "#eab43c",
    "YE": "#eab43c",
    "O": "#e58a3a",
    "R": "#b93a30",
    "K": "#2b3440",
    "W": "#eef5f4",
    "P": "#8a4f9e",
    "LP": "#d3b1e6",
    "DP": "#5a2d6e",
    "G": "#33764a",
    "DG": "#33764a",
    "LG": "#a9cf7c",
    "J": "#f5f0e1",
    "marker": "#fdf8ea",
}
DARK_LETTERS = {"LB", "Y", "YE", "O", "W", "LP", "LG", "J", "marker"}
TINT = 0.22
"""How strongly an empty cell shows the colour that is printed there."""


def printed_board(board: BoardDrawing, width: float) -> Drawing:
    """A board, so many points wide."""
    left, top, across, down = board.view
    drawing = Drawing(width, width * down / across)
    drawing.add(Rect(0, 0, drawing.width, drawing.height, rx=4, ry=4, fillColor=BOARD, strokeColor=EDGE))
    for spot in board.spots:
        _draw(drawing, spot, left, top, width / across)
    return drawing


def _draw(drawing: Drawing, spot: Spot, left: float, top: float, scale: float) -> None:
    if spot.role == SLOT and spot.is_empty:
        return
    x, y = (spot.x - left) * scale, drawing.height - (spot.y - top) * scale
    pairs = [pair.split(",") for pair in spot.points.split()]
    points = [value for dx, dy in pairs for value in (x + float(dx) * scale, y - float(dy) * scale)]
    hue = spot.face.hue if not spot.is_empty else face_of(spot.printed.kind).hue if spot.printed else ""
    known = colors.HexColor(HUES[hue]) if hue in HUES else None
    fill = known if known and not spot.is_empty else _tinted(known)
    drawing.add(Polygon(points, fillColor=fill, strokeColor=EDGE, strokeWidth=0.5))
    label = spot.face.label if not spot.is_empty else spot.printed.label if spot.printed else ""
    if label:
        size = spot.size * scale * (0.5 if len(label) < 3 else 0.34)
        ink = (INK if hue in DARK_LETTERS else colors.white) if not spot.is_empty else SOFT
        font = "DejaVuSans" if spot.is_empty else "DejaVuSans-Bold"
        drawing.add(String(x, y - size * 0.36, label, fontName=font, fontSize=size, fillColor=ink, textAnchor="middle"))


def _tinted(colour: colors.Color | None) -> colors.Color:
    return PAPER if colour is None else colors.linearlyInterpolatedColor(PAPER, colour, 0, 1, TINT)


def printed_curves(ending: GameEnding, names: list[str], width: float) -> Drawing:
    """How the scores grew, round by round, so many points wide."""
    right = 70.0
    scale = (width - right) / WIDTH
    drawing = Drawing(width, HEIGHT * scale + 12)
    drawing.add(Line(0, 0, WIDTH * scale, 0, strokeColor=EDGE))
    drawing.add(Line(0, 0, 0, HEIGHT * scale, strokeColor=EDGE))
    drawing.add(String(3, HEIGHT * scale, str(ending.highest), fontName="DejaVuSans", fontSize=7, fillColor=SOFT))
    for curve, name in zip(ending.curves, names, strict=True):
        pairs = [pair.split(",") for pair in curve.line.split()]
        points = [value for x, y in pairs for value in (float(x) * scale, (HEIGHT - float(y)) * scale)]
        i = (curve.seat - 1) % len(SEATS)
        drawing.add(PolyLine(points, strokeColor=SEATS[i], strokeWidth=1.6, strokeDashArray=DASHES[i]))
        drawing.add(
            String(
                points[-2] + 4, points[-1] - 3, name[:12], fontName="DejaVuSans-Bold", fontSize=8, fillColor=SEATS[i]
            )
        )
    return drawing
