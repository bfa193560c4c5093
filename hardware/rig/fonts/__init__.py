"""DejaVu Sans, which has Latin, Greek and Cyrillic letters; its licence lies beside it."""

from __future__ import annotations

from pathlib import Path

REGULAR = Path(__file__).parent / "DejaVuSans.ttf"
BOLD = Path(__file__).parent / "DejaVuSans-Bold.ttf"
