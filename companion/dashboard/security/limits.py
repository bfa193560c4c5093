"""How often one device may try what should not be tried often."""

from __future__ import annotations

from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

limiter = Limiter(get_remote_address, headers_enabled=True)

PIN_TRIES = "5 per minute; 20 per hour"
PIN_TRIES_OF_ALL = "60 per hour"
"""By everybody together: many devices, or one that claims many addresses, must not guess faster."""
JOINS = "20 per minute"
UPLOADS = "30 per minute"


def everybody() -> str:
    """The key of a limit that all devices share."""
    return "everybody"
