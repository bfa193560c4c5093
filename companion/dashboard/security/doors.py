"""The web server, with bounds on what anybody may send and hold: bodies, connections, time."""

from __future__ import annotations

import copy
import ssl
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

Environ = dict[str, Any]

MOST_BODIES = 640 * 2**20
"""Bytes of all large bodies together, by what their heads say."""
MOST_CONNECTIONS = 380
SPARE = 20
"""The server's own sockets."""
MOST_CONNECTIONS_OF_ONE = 40
"""A browser opens six."""
HEAD_S = 20.0
"""For the head of a request."""
BODY_S = 300.0
"""For all of it."""
SWEEP_S = 5
BELIEVED = {"x-forwarded-for", "x-forwarded-proto"}
"""What a trusted proxy says."""


class BoundedRequest(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """A request whose body is taken in only if its head says that it is small, or that its sender may send so much.

    Of any other body nothing is read: the app is told of a size that it refuses.
    """

    adj: Any
    content_length: int

    def __init__(self, adjustments: Any, channel: BoundedChannel) -> None:
        super().__init__(adjustments)
        self.began = time.monotonic()
        self.is_large = False
        self._channel = channel

    @property
    def is_late(self) -> bool:
        """Whether it took too long to come."""
        return time.monotonic() - self.began > (BODY_S if self.headers_finished else HEAD_S)

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head, and decide on the body."""
        super().parse_header(header_plus)
        if self.content_length < self.adj.max_request_body_size:
            return
        self.is_large = self._channel.lets_in(self)
        if self.is_large:
            self.adj = self._channel.server.generous
        else:
            self.body_rcv, self.content_length, self.connection_close = None, 0, True
            self.expect_continue = False
            self.headers["CONTENT_LENGTH"] = str(sys.maxsize)


class BoundedChannel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.parser_class = partial(BoundedRequest, channel=self)
        self.waiting_since = time.monotonic()

    def service(self) -> None:
        """Answer a request."""
        super().service()
        self.waiting_since = time.monotonic()

    @property
    def is_answering(self) -> bool:
        """Whether a whole request has come that is not answered yet."""
        return bool(self.requests)

    def lets_in(self, request: BoundedRequest) -> bool:
        """Whether a large body may come now."""
        environ = WSGITask(self, request).get_environment()
        return bool(
            request.content_length < self.server.most_body(environ)
            and request.content_length + self.server.large_bodies() <= MOST_BODIES
        )


class TlsChannel(BoundedChannel):
    """An encrypted connection; one thread at a time may use its socket."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        self._socket_turn = threading.Lock()
        super().__init__(*args, **settings)

    def handle_read(self) -> None:
        """Take in all that has been decrypted: the rest of it would wake nobody."""
        while self.connected:
            try:
                with self._socket_turn:
                    data = self.socket.recv(self.adj.recv_bytes)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                return
            except OSError:
                data = b""
            if not data:
                self.handle_close()
                return
            self.last_activity = time.time()
            self.received(data)

    def send(self, data: bytes, do_close: bool = True) -> int:  # noqa: ARG002 - waitress's signature
        """Send what the connection takes now."""
        try:
            with self._socket_turn:
                return int(self.socket.send(data))
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return 0


class BoundedServer(TcpWSGIServer):  # type: ignore[misc]
    """A web server that one address, or many slow ones, cannot keep from answering others."""

    channel_class: type[BoundedChannel] = BoundedChannel

    def __init__(
        self,
        app: Callable[..., Any],
        most_body: Callable[[Environ], int],
        proxy: str,
        tls: ssl.SSLContext | None,
        **adjustments: Any,
    ) -> None:
        """`most_body` says, by a request's head, how many bytes its sender may send.

        `proxy` is the address of the one proxy that is believed when it says who asks; empty where there is none.
        """
        self.most_body = most_body
        self._proxy, self._tls = proxy, tls
        if tls:
            self.channel_class = TlsChannel
            adjustments["url_scheme"] = "https"
        if proxy:
            adjustments |= {"trusted_proxy": proxy, "trusted_proxy_headers": BELIEVED}
        # What another proxy adds has to stay: who comes through one is not on this machine.
        adjustments |= {"clear_untrusted_proxy_headers": False, "connection_limit": MOST_CONNECTIONS + SPARE}
        super().__init__(app, map={}, cleanup_interval=SWEEP_S, **adjustments)
        self.generous = copy.copy(self.adj)
        self.generous.max_request_body_size = sys.maxsize

    def accept(self) -> Any:
        """Take a new connection; where there are too many, the one that has waited longest gives way."""
        accepted = super().accept()
        if accepted is None:
            return None
        address = accepted[1][0]
        open_now = list(self.active_channels.values())
        of_one = [channel for channel in open_now if channel.addr[0] == address]
        if address != self._proxy and len(of_one) >= MOST_CONNECTIONS_OF_ONE:
            room = _make_room(of_one)
        else:
            room = len(open_now) < MOST_CONNECTIONS or _make_room(open_now)
        if not room:
            accepted[0].close()
            return None
        if self._tls is None:
            return accepted
        try:
            # Hands are shaken with the first bytes that come, as other reading and writing.
            wrapped = self._tls.wrap_socket(accepted[0], server_side=True, do_handshake_on_connect=False)
        except OSError:
            accepted[0].close()
            return None
        return wrapped, accepted[1]

    def maintenance(self, now: float) -> None:
        """Close connections that are silent, or whose request is late."""
        super().maintenance(now)
        for channel in list(self.active_channels.values()):
            if channel.request is not None and channel.request.is_late and not channel.is_answering:
                channel.handle_close()

    def large_bodies(self) -> int:
        """Bytes of all large bodies that are coming in or being worked on, by what their heads say."""
        requests = [each for channel in self.active_channels.values() for each in (channel.request, *channel.requests)]
        return sum(each.content_length for each in requests if each is not None and each.is_large)


def _make_room(channels: list[BoundedChannel]) -> bool:
    """Close the connection that has waited longest for a request; whether there was one."""
    waiting = [channel for channel in channels if not channel.is_answering]
    if waiting:
        min(waiting, key=lambda channel: channel.waiting_since).handle_close()
    return bool(waiting)
