"""What can go wrong in the companion."""

from __future__ import annotations


class CompanionError(Exception):
    """Something the companion was asked cannot be done."""
