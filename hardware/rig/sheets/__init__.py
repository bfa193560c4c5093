"""Sheets to print, to exact scale: markers, the Charuco sheet, the neutral card and score sheets."""
