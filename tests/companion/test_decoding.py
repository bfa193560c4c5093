"""Photos that nobody vouches for are decoded apart, within bounds, for pages and commands alike."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from companion import decoding
from companion.decoding import Decoder
from vision.errors import PhotoError
from vision.photo import FULL_PIXELS, decode_photo

MOST_MB = 600
PHOTO = Path(__file__).parents[2] / "fixtures" / "photos" / "azul" / "azul_phone-table_104.jpg"


def webp(width: int, height: int) -> bytes:
    """38 bytes that claim to be a huge picture, all of one colour."""
    bits = (width - 1) | (height - 1) << 14 | 1 << 28
    body = b"\x2f" + struct.pack("<I", bits) + b"\x88\x88\x08" + bytes(10)
    chunk = b"VP8L" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def jpeg(width: int, height: int, focal_mm: int = 0) -> bytes:
    """A photo in colour with some noise, of that size."""
    tile = np.random.default_rng(1).integers(60, 200, (64, 64, 3), np.uint8)
    picture = Image.fromarray(np.tile(tile, (height // 64 + 1, width // 64 + 1, 1))[:height, :width])
    exif = Image.Exif()
    if focal_mm:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = focal_mm
    file = io.BytesIO()
    picture.save(file, "JPEG", exif=exif)
    return file.getvalue()


@pytest.fixture
def decoder() -> Iterator[Decoder]:
    opened = Decoder()
    yield opened
    opened.close()


def ran(*command: str) -> tuple[int, int, str]:
    """The exit status of a program, the most memory in MB that it or what it started took, and what it said."""
    watched = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True)\n"
        "most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024\n"
        "print(done.returncode, most, done.stdout, done.stderr)\n"
    )
    program = [sys.executable, "-c", watched, *command]
    status, most, *said = subprocess.run(program, capture_output=True, text=True, check=True).stdout.split(maxsplit=2)
    return int(status), int(most), "".join(said)


def test_a_few_bytes_are_no_huge_picture(tmp_path: Path) -> None:
    bad = tmp_path / "bad.webp"
    bad.write_bytes(webp(16_384, 7_000))
    status, most_mb, said = ran(str(Path(sys.executable).with_name("azul")), "read", str(bad))
    assert status == 1
    assert "Traceback" not in said
    assert most_mb < MOST_MB


@pytest.mark.parametrize("data", [jpeg(12_000, 9_000), webp(16_000, 7_000) + bytes(60_000)], ids=["jpeg", "padded"])
def test_the_program_stays_within_its_memory(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "large").write_bytes(data)
    asking = (
        "import sys; from pathlib import Path; from companion.decoding import Decoder\n"
        "d = Decoder()\n"
        "try: print(d.decode(Path(sys.argv[1]).read_bytes(), 'x').picture.shape)\n"
        "except Exception as error: print(error)\n"
        "d.close()\n"
    )
    status, most_mb, said = ran(sys.executable, "-c", asking, str(tmp_path / "large"))
    assert status == 0, said
    assert most_mb < MOST_MB, said


def test_a_photo_of_very_many_pixels_is_halved(decoder: Decoder) -> None:
    width, height = 8_000, FULL_PIXELS // 8_000 + 1_000
    assert decoder.decode(jpeg(width, height), "x").picture.shape == (height // 2, width // 2, 3)


def test_what_is_decoded_apart_is_the_same(decoder: Decoder) -> None:
    data = jpeg(640, 480, focal_mm=26)
    apart, here = decoder.decode(data, "x"), decode_photo(data, "x")
    assert (apart.picture == here.picture).all()
    assert here.focal_px is not None
    assert (apart.focal_px, apart.taken_at) == (here.focal_px, here.taken_at)


def test_the_program_is_there_for_the_next_one(decoder: Decoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "TIMEOUT_S", 0.0)
    with pytest.raises(PhotoError, match="within bounds"):
        decoder.decode(PHOTO.read_bytes(), "slow")
    monkeypatch.undo()
    assert decoder.decode(PHOTO.read_bytes(), "next").picture.size
