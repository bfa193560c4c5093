"""Telling systemd how the service is doing: its protocol is one datagram per message."""

from __future__ import annotations

import os
import socket
import time


def notify(*messages: str) -> bool:
    """Send messages such as READY=1 or STATUS=watching; whether there is a systemd that listens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return False
    # A leading @ stands for the zero byte of an abstract socket.
    path = f"\0{address[1:]}" if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sending:
        sending.sendto("\n".join(messages).encode(), path)
    return True


class Watchdog:
    """Tells systemd that all is well, as often as it wants to hear it; if it does not hear it, it starts us anew."""

    def __init__(self) -> None:
        meant = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        # Twice as often as needed, as systemd's manual asks.
        self._every_s = int(os.environ.get("WATCHDOG_USEC", "0")) / 2_000_000 if meant else 0.0
        self._last_s = -float("inf")

    def pat(self) -> None:
        """Call it from the loop that must not hang, after each turn."""
        now = time.monotonic()
        if self._every_s and now - self._last_s >= self._every_s:
            self._last_s = now
            notify("WATCHDOG=1")
