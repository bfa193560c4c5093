"""Certificates for the dashboard, made on this machine by the program `openssl`."""

from __future__ import annotations

import ipaddress
import shutil
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path

from companion.errors import CompanionError
from companion.files import GROUP_AND_OTHERS, keep_private, make_folder

CERTIFICATE, KEY = "certificate.pem", "certificate-key.pem"
DAYS = 3650
MAKING_S = 60


class CertificateError(CompanionError):
    """A certificate that cannot be made or used."""


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """What encrypts connections with a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
        keep_private(key, GROUP_AND_OTHERS)
    except (OSError, ssl.SSLError) as error:
        raise CertificateError(f"{certificate} with {key} cannot be used: {error}") from error
    return context


def make_certificate(folder: Path, names: Sequence[str]) -> tuple[Path, Path]:
    """A certificate for these names and addresses, signed by itself, and its key; those that are there stay."""
    certificate, key = folder / CERTIFICATE, folder / KEY
    if certificate.exists() and key.exists():
        return certificate, key
    program = shutil.which("openssl")
    if program is None:
        raise CertificateError("a certificate is made by openssl, which is not installed: sudo apt install openssl")
    make_folder(folder)
    command = [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", str(DAYS), "-subj", "/CN=azul", "-addext", f"subjectAltName={','.join(map(_named, names))}"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    # Names of this machine, given as arguments; nothing is read by a shell.
    made = subprocess.run(command, capture_output=True, text=True, timeout=MAKING_S, check=False)  # noqa: S603
    if made.returncode:
        raise CertificateError(f"openssl could not make a certificate: {made.stderr.strip()[-200:]}")
    keep_private(key, GROUP_AND_OTHERS)
    return certificate, key


def _named(name: str) -> str:
    try:
        return f"IP:{ipaddress.ip_address(name.strip('[]'))}"
    except ValueError:
        return f"DNS:{name}"
