"""The model card: what the networks were taught, and what they knew when examined."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.training.examine import Grade
from vision.network import CLOSEUP, NETWORKS

NAMES = {
    "cells": "cells of boards that can be seen (reader)",
    "tracks": "score tracks and sliders (reader)",
    "loose": "is a loose tile here (loose)",
    "kinds": "kind of a loose tile (loose)",
    "closeup": "kind of a piece or a print from close by (closeup)",
}


def write_card(
    folder: Path, editions: str, grades: Mapping[str, Grade], off_mm: NDArray[np.float64], facts: Mapping[str, str]
) -> None:
    """Write `card.md` beside the networks."""
    lines = [
        "# What the networks know",
        "",
        f"Taught on {facts['photographs']} painted and {facts['traced']} path-traced photographs of the simulated",
        f"table in {facts['steps']} batches; examined on others of the same kinds, but for hard ones, that they",
        "were never shown. Photographs of real tables were used for neither: `azul bench vision DIR` measures those.",
        "",
        "| what | right | 95 % interval | asked | temperature |",
        "|---|---|---|---|---|",
    ]
    for name, grade in grades.items():
        low, high = wilson(grade.right, grade.asked)
        share = f"{100 * grade.right / grade.asked:.3f} %"
        lines.append(
            f"| {NAMES[name]} | {share} | {100 * low:.3f}-{100 * high:.3f} | {grade.asked} | {grade.temperature:.2f} |"
        )
    files = [folder / f"{name}.onnx" for name in (*NETWORKS, CLOSEUP)]
    sizes = ", ".join(f"{file.stem} {file.stat().st_size / 1e6:.1f} MB" for file in files if file.exists())
    lines += [
        "",
        f"Sizes: {sizes}. Maps are worked out in eight bits; all figures are of the files as they are.",
        "",
        f"Corners of a board after one look of the fitter: median {np.median(off_mm):.2f} mm off, "
        f"95 % within {np.percentile(off_mm, 95):.2f} mm ({len(off_mm)} boards).",
        "",
        "## What a stated probability is worth",
        "",
        "Of the readings stated with about this probability, this share was right (after the temperature was set on",
        "the same readings).",
    ]
    lines += ["", "![Stated probability against the share right, both as chances of being wrong](calibration.svg)"]
    (folder / "calibration.svg").write_text(calibration_plot(grades), encoding="utf-8")
    for name, grade in grades.items():
        lines += ["", f"{NAMES[name]}:", "", "| stated | right | readings |", "|---|---|---|"]
        lines += [f"| {100 * stated:.2f} % | {100 * right:.2f} % | {count} |" for stated, right, count in grade.bins]
    (folder / "card.md").write_text("\n".join([*lines, "", LIMITS.format(editions=editions)]), encoding="utf-8")


PLOT_PX, EDGE_PX = 360, 50
LOWEST = 1e-5
"""The chance of being wrong at which the plot ends."""
INKS = ("#1f4e9c", "#c0392b", "#2c7a3f", "#8e6c00", "#6c3483")


def calibration_plot(grades: Mapping[str, Grade]) -> str:
    """How often readings are wrong against how often they say they might be, on logarithmic axes, as SVG."""
    size = PLOT_PX + 2 * EDGE_PX
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" font-family="sans-serif" font-size="11">'
    ]
    parts.append(f'<rect width="{size}" height="{size}" fill="#fff"/>')
    for power in range(round(math.log10(LOWEST)), 1):
        x, y = _place(10.0**power, 10.0**power)
        parts.append(f'<path d="M{x},{EDGE_PX}V{size - EDGE_PX}M{EDGE_PX},{y}H{size - EDGE_PX}" stroke="#ddd"/>')
        label = f"{10.0**power:g}"
        parts.append(f'<text x="{x}" y="{size - EDGE_PX + 15}" text-anchor="middle">{label}</text>')
        parts.append(f'<text x="{EDGE_PX - 5}" y="{y + 4}" text-anchor="end">{label}</text>')
    (left, low), (right, high) = _place(LOWEST, LOWEST), _place(1.0, 1.0)
    parts.append(f'<path d="M{left},{low}L{right},{high}" stroke="#888" stroke-dasharray="4 3"/>')
    for i, (name, grade) in enumerate(grades.items()):
        spots = [_place(1 - stated, 1 - right) for stated, right, _ in grade.bins]
        ink = INKS[i]
        parts.append(
            f'<path d="M{"L".join(f"{x},{y}" for x, y in spots)}" fill="none" stroke="{ink}" stroke-width="1.5"/>'
        )
        parts += [f'<circle cx="{x}" cy="{y}" r="3" fill="{ink}"/>' for x, y in spots]
        parts.append(f'<text x="{EDGE_PX + 10}" y="{EDGE_PX + 16 * (i + 1)}" fill="{ink}">{NAMES[name]}</text>')
    parts.append(f'<text x="{size / 2}" y="{size - 8}" text-anchor="middle">stated chance of being wrong</text>')
    parts.append(
        f'<text transform="translate(12 {size / 2}) rotate(-90)" text-anchor="middle">share wrong</text></svg>'
    )
    return "\n".join(parts)


def _place(stated: float, found: float) -> tuple[float, float]:
    across, up = (1 - math.log10(max(value, LOWEST)) / math.log10(LOWEST) for value in (stated, found))
    return round(EDGE_PX + across * PLOT_PX, 1), round(EDGE_PX + (1 - up) * PLOT_PX, 1)


LIMITS = """## Limits

- {editions} only. Of an edition of which no pictures of a real print were at hand, the numbers are those of our own
  drawings.
- Tiles piled on each other, boards seen from less than about 30 degrees above the table, and boards of which more than
  half is hidden were not taught.
- Painted, 3D-printed or otherwise strange tiles were not taught.
"""


def wilson(right: int, asked: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share."""
    share = right / asked
    middle = share + z * z / (2 * asked)
    half = z * math.sqrt(share * (1 - share) / asked + z * z / (4 * asked * asked))
    return (middle - half) / (1 + z * z / asked), (middle + half) / (1 + z * z / asked)
