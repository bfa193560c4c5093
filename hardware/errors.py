"""What can go wrong with cameras and the simulated table."""

from __future__ import annotations

from engine.text import SpokenError


class HardwareError(SpokenError):
    """A camera, or something around it, does not do what it should."""
