"""What one sender may send and hold: everybody else is answered meanwhile, by the real server."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse

import pytest

from companion.dashboard.security import doors
from companion.dashboard.security.limits import MANY_PHOTOS, MOST_FORM, ONE_PHOTO
from companion.dashboard.site import Site
from companion.dashboard.wiring import Access, Server
from companion.gamelog import Game

PATIENCE_S = 20.0
STRANGER, NEIGHBOUR = "127.0.0.2", "127.0.0.3"
GIB = 2**30


@pytest.fixture
def server(site: Site) -> Iterator[Server]:
    served = Server(site, "127.0.0.1", 0)
    served.start()
    yield served
    served.close()


@contextmanager
def connected(server: Server, address: str = STRANGER) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S, (address, 0)) as line:
        yield line


def head(server: Server, path: str, length: int, *more: str) -> bytes:
    name = f"127.0.0.1:{server.port}"
    lines = [f"POST {path} HTTP/1.1", f"Host: {name}", f"Origin: http://{name}", f"Content-Length: {length}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def answer(line: socket.socket) -> int:
    return int(line.recv(200).split()[1])


def asked(server: Server, path: str = "/games", address: str = NEIGHBOUR) -> tuple[int, float]:
    """The status of a page, and how long it took."""
    began = time.monotonic()
    line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S, source_address=(address, 0))
    try:
        line.request("GET", path)
        return line.getresponse().status, time.monotonic() - began
    finally:
        line.close()


def joined(server: Server, site: Site) -> str:
    """The cookie of a device at the table."""
    form = f"token={site.keys.token}&device=x"
    with connected(server) as line:
        kind = "Content-Type: application/x-www-form-urlencoded"
        line.sendall(head(server, "/join", len(form), kind) + form.encode())
        response = HTTPResponse(line)
        response.begin()
        return f"Cookie: {(response.getheader('Set-Cookie') or '').split(';')[0]}"


@pytest.mark.parametrize("path", ["/host", "/join", "/device", "/leave", "/games/photos", "/photo", "/nowhere"])
def test_a_form_of_millions_of_fields_is_refused_by_its_head(server: Server, path: str) -> None:
    with connected(server) as line:
        line.sendall(head(server, path, 6_000_000, "Content-Type: application/x-www-form-urlencoded"))
        # Answered without a byte of the body.
        assert answer(line) in ((303,) if path == "/leave" else (403, 404, 413))
    assert asked(server)[0] == 200


def test_a_body_without_a_length_is_small(server: Server) -> None:
    name = f"127.0.0.1:{server.port}"
    lines = ["POST /host HTTP/1.1", f"Host: {name}", f"Origin: http://{name}", "Transfer-Encoding: chunked", "", ""]
    piece = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
    with connected(server) as line:
        line.sendall("\r\n".join(lines).encode() + piece * (MOST_FORM // 0x10000))
        assert answer(line) == 413


def test_photos_are_taken_from_the_table_alone(server: Server, site: Site, game: Game) -> None:
    cookie = joined(server, site)
    for path, most in (("/photo", ONE_PHOTO), (f"/game/{game.id}/photo", ONE_PHOTO), ("/games/photos", MANY_PHOTOS)):
        for length, taken in ((most - 1, True), (most + 1, False), (GIB, False)):
            with connected(server) as line:
                line.sendall(head(server, path, length, cookie, "Expect: 100-continue"))
                assert answer(line) == (100 if taken else 413), (path, length)
    with connected(server) as line:
        line.sendall(head(server, "/games/photos", GIB, cookie.replace("azul=", "azul=x")))
        assert answer(line) == 403


def test_large_bodies_together_have_a_bound(server: Server, site: Site) -> None:
    cookie = joined(server, site)
    with ExitStack() as stack:
        said = []
        for _ in range(4):
            line = stack.enter_context(connected(server))
            line.sendall(head(server, "/games/photos", MANY_PHOTOS - 1, cookie, "Expect: 100-continue"))
            said.append(answer(line))
    assert said == [100, 100, 413, 413]
    assert doors.MOST_BODIES < 3 * MANY_PHOTOS


def test_slow_connections_of_one_address_silence_nobody(server: Server) -> None:
    with ExitStack() as stack:
        for _ in range(400):
            line = stack.enter_context(connected(server))
            line.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        for address in (NEIGHBOUR, STRANGER):
            status, took_s = asked(server, address=address)
            assert status == 200
            assert took_s < PATIENCE_S / 4


def test_slow_connections_of_many_addresses_silence_nobody(server: Server) -> None:
    with ExitStack() as stack:
        for number in range(450):
            line = stack.enter_context(connected(server, f"127.0.1.{number % 100 + 1}"))
            line.sendall(b"GET / HTTP/1.1\r\nHost: loc")
        assert asked(server)[0] == 200


def test_a_head_that_does_not_end_is_not_waited_for(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "HEAD_S", 0.1)
    ended = threading.Event()
    with connected(server) as line:
        line.sendall(b"GET / HTTP/1.1\r\n")

        def drip() -> None:
            while not ended.wait(0.3):
                try:
                    line.sendall(b"a")
                except OSError:
                    return

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            assert line.recv(10) == b""
        except ConnectionResetError:
            pass
        finally:
            ended.set()
            dripping.join()


def test_one_address_cannot_take_every_stream(server: Server, game: Game) -> None:
    path = f"/game/{game.id}/stream"
    with ExitStack() as stack:
        said = []
        for _ in range(30):
            line = stack.enter_context(connected(server))
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            said.append(answer(line))
        assert set(said) == {200, 503}
        assert said.count(200) < 20
        with connected(server, NEIGHBOUR) as line:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            assert answer(line) == 200


def test_who_comes_through_a_proxy_is_not_on_this_machine(site: Site) -> None:
    site.own_browser = True
    seen = []
    for proxy in ("", "127.0.0.1"):
        server = Server(site, "127.0.0.1", 0, access=Access(proxy=proxy))
        server.start()
        try:
            line = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
            line.request("GET", "/share/table", headers={"X-Forwarded-For": "192.0.2.1"})
            seen.append(line.getresponse().status)
            line.close()
        finally:
            server.close()
    assert seen == [403, 403]


def test_cookies_are_secure_where_the_way_is(site: Site) -> None:
    server = Server(site, "127.0.0.1", 0, access=Access(proxy="127.0.0.1"))
    server.start()
    try:
        for way in ("http", "https"):
            name, form = f"127.0.0.1:{server.port}", f"token={site.keys.token}&device=x"
            line = HTTPConnection(name, timeout=PATIENCE_S)
            said = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": way, "Origin": f"{way}://{name}"}
            line.request("POST", "/join", form, said | {"Content-Type": "application/x-www-form-urlencoded"})
            cookie = line.getresponse().getheader("Set-Cookie") or ""
            assert bool(re.search("; Secure", cookie)) == (way == "https")
            line.close()
    finally:
        server.close()
