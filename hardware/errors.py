"""What can go wrong with cameras and the simulated table."""

from __future__ import annotations


class HardwareError(Exception):
    """A camera, or something around it, does not do what it should."""
