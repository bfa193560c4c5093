"""The dashboard over encrypted connections, with a certificate that is made on this machine."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from companion.certificate import CertificateError, make_certificate, tls_context
from companion.dashboard.site import Site
from companion.dashboard.wiring import Access, Server
from companion.gamelog import Game

PATIENCE_S = 30.0


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    return make_certificate(tmp_path / "made", ("localhost", "127.0.0.1", "table.local"))


@pytest.fixture
def server(site: Site, certificate: tuple[Path, Path]) -> Iterator[Server]:
    served = Server(site, "127.0.0.1", 0, access=Access(certificate))
    served.start()
    yield served
    served.close()


def connected(server: Server, certificate: tuple[Path, Path]) -> HTTPSConnection:
    trusting = ssl.create_default_context(cafile=str(certificate[0]))
    return HTTPSConnection("127.0.0.1", server.port, timeout=PATIENCE_S, context=trusting)


def test_pages_forms_and_streams(server: Server, site: Site, game: Game, certificate: tuple[Path, Path]) -> None:
    line = connected(server, certificate)
    name = f"127.0.0.1:{server.port}"
    form = f"token={site.keys.token}&device={'x' * 60_000}"
    headers = {"Origin": f"https://{name}", "Content-Type": "application/x-www-form-urlencoded"}
    line.request("POST", "/join", form, headers)
    response = line.getresponse()
    response.read()
    cookie = response.getheader("Set-Cookie") or ""
    assert response.status == 303
    assert "; Secure" in cookie
    line.request("GET", f"/game/{game.id}", headers={"Cookie": cookie.split(";")[0]})
    page = line.getresponse()
    assert page.status == 200
    assert len(page.read()) > 20_000
    line.request("GET", f"/game/{game.id}/stream?after=0")
    assert line.getresponse().readline() == b"retry: 2000\n"
    line.close()


def test_who_does_not_encrypt_or_says_nothing_hinders_nobody(server: Server, certificate: tuple[Path, Path]) -> None:
    with socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) as plain:
        silent = [socket.create_connection(("127.0.0.1", server.port), PATIENCE_S) for _ in range(10)]
        plain.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
        line = connected(server, certificate)
        line.request("GET", "/games")
        assert line.getresponse().status == 200
        line.close()
        for each in silent:
            each.close()


def test_the_key_is_its_owners_and_stays(certificate: tuple[Path, Path]) -> None:
    path, key = certificate
    assert key.stat().st_mode & 0o077 == 0
    before = key.read_bytes()
    assert make_certificate(path.parent, ("other",)) == (path, key)
    assert key.read_bytes() == before
    key.write_bytes(b"no key")
    with pytest.raises(CertificateError, match="cannot be used"):
        tls_context(path, key)
