"""What can go wrong in the companion."""

from __future__ import annotations

from engine.text import SpokenError


class CompanionError(SpokenError):
    """Something the companion was asked cannot be done."""
