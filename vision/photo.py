"""From the bytes of a photo file, which nobody vouches for, to a picture and what its camera noted."""

from __future__ import annotations

import struct
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Final, Never

import cv2
import numpy as np
from PIL import ExifTags, Image, UnidentifiedImageError
from simplejpeg import decode_jpeg, decode_jpeg_header

from engine.text import Text, Words, either, say
from vision.errors import PhotoError
from vision.rectify import Picture

FORMATS: Final = ("JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF")
"""What is read, told by content; phones' MPO is opened as the JPEG that it begins with."""
SIGNATURES: Final = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF", b"II*\0", b"MM\0*", b"BM", b"GIF8")
"""How files of these formats begin, so that a damaged one is not called something else."""
MOST_BYTES: Final = 64 * 2**20
MOST_PIXELS: Final = 120_000_000
LONGEST_SIDE_PX: Final = 30_000
"""OpenCV warps no picture with a side of 32,767 or more."""
SHORTEST_SIDE_PX: Final = 64
MOST_PIXELS_OF_BYTE: Final = 2_000
"""A file of fewer bytes holds no photo: the plainest JPEG has some 250 pixels for each byte."""
FULL_PIXELS: Final = 50_000_000
"""A JPEG of more pixels is decoded at half its size, which saves three quarters of the memory."""
GREY_TOLERANCE: Final = 6
"""How far, of 255, the channels of a grey picture stray from each other when a JPEG rounds them."""
GREY_SAMPLES: Final = 256
"""Along each side of a picture."""
STRIP_PX: Final = 16
"""Rows copied at once: few enough to stay in the processor's cache, which halves the time of copying."""
NAME_LENGTH: Final = 60
FILM_MM: Final = 43.27
"""The diagonal of 35 mm film."""
FOCALS_35MM: Final = range(5, 2001)
"""What lenses have; cameras write 0 for unknown."""

DAMAGED: Final = (
    OSError,
    EOFError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    struct.error,
)
"""What Pillow raises from the middle of a damaged file or of damaged EXIF."""
NOTED: Final = (
    ExifTags.Base.Orientation,
    ExifTags.Base.FocalLengthIn35mmFilm,
    ExifTags.Base.DateTimeOriginal,
)

UPRIGHT: Final[dict[object, Callable[[Picture], object]]] = {
    2: lambda picture: cv2.flip(picture, 1),
    3: lambda picture: cv2.rotate(picture, cv2.ROTATE_180),
    4: lambda picture: cv2.flip(picture, 0),
    5: lambda picture: cv2.transpose(picture),
    6: lambda picture: cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE),
    7: lambda picture: cv2.flip(cv2.transpose(picture), -1),
    8: lambda picture: cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE),
}
"""What undoes each EXIF orientation; done here, as Pillow's own way rewrites the EXIF and fails if that is garbage."""

_TURN = threading.Lock()
"""One photo at a time: it bounds the memory that uploads take, and silencing warnings is not safe across threads."""


@dataclass(frozen=True, slots=True)
class DecodedPhoto:
    """A picture, upright, and what its camera noted of it."""

    picture: Picture
    """(height, width, 3) uint8, blue first, C-contiguous."""
    focal_35mm: float | None
    """The focal length that would show as much on 35 mm film."""
    taken_at: datetime | None
    """By the camera's clock, which names no time zone."""

    @property
    def focal_px(self) -> float | None:
        """The focal length in pixels; film is compared by its diagonal."""
        height, width = self.picture.shape[:2]
        return self.focal_35mm and self.focal_35mm * float(np.hypot(width, height)) / FILM_MM


def decode_photo(data: bytes, name: str) -> DecodedPhoto:
    """The photo in a file's bytes; its name is only for messages."""
    shown = shown_name(name)
    _check_bytes(data, shown)
    with _TURN, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        picture, noted = _decode(data, shown)
    if _is_grey(picture):
        _refuse_grey(shown)
    turn = UPRIGHT.get(noted.get(ExifTags.Base.Orientation))
    upright = picture if turn is None else np.ascontiguousarray(turn(picture), np.uint8)
    return DecodedPhoto(upright, _focal(noted), _taken_at(noted))


def shown_name(name: str) -> Words:
    """A file's name as a message can carry it: one short line, no folders; a photo may have none."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "".join(sign for sign in last if sign.isprintable())[:NAME_LENGTH].strip() or say("the photo")


def _check_bytes(data: bytes, name: Words) -> None:
    if not data:
        raise PhotoError(say("{name} is empty, so there is no photo to read: send it again", name=name))
    if len(data) > MOST_BYTES:
        size, most = round(len(data) / 2**20), MOST_BYTES // 2**20
        raise PhotoError(
            say(
                "{name} has {size} MB where photos up to {most} MB are read: send a smaller one",
                name=name,
                size=size,
                most=most,
            )
        )


def _decode(data: bytes, name: Words) -> tuple[Picture, dict[int, object]]:
    """The picture as it is stored, and what its camera noted."""
    try:
        with Image.open(BytesIO(data), formats=FORMATS) as image:
            _check_header(image, len(data), name)
            return _pixels(image, data), {tag: _noted(image, tag) for tag in NOTED}
    except Image.DecompressionBombError as error:
        raise PhotoError(_too_large(say("too many"), name)) from error
    except MemoryError as error:
        raise PhotoError(
            say("{name} needs more memory to read than is free: send a smaller photo", name=name)
        ) from error
    except UnidentifiedImageError as error:
        if data.startswith(SIGNATURES):
            raise PhotoError(_damaged(len(data), name)) from error
        told = say(
            "{name} was read as {kinds} but holds none of them: send the photo as JPEG",
            name=name,
            kinds=either(FORMATS),
        )
        raise PhotoError(told) from error
    except DAMAGED as error:
        raise PhotoError(_damaged(len(data), name)) from error


def _pixels(image: Image.Image, data: bytes) -> Picture:
    """The pixels of an image, blue first; `data` is its file."""
    if image.format == "JPEG" and image.mode == "RGB":
        # The same pixels in half of Pillow's time. A file that is odd in any way is refused, and so left to Pillow.
        with suppress(ValueError):
            height, width, *_ = decode_jpeg_header(data)
            if (width, height) == image.size:
                least = (height // 2, width // 2) if width * height > FULL_PIXELS else (0, 0)
                return np.asarray(decode_jpeg(data, "BGR", min_height=least[0], min_width=least[1]), np.uint8)
    image.load()
    return _blue_first(_opaque(image))


def _damaged(size: int, name: Words) -> Text:
    return say(
        "{name} ends early or is damaged: its {bytes} bytes hold no whole picture. Send it again or take another",
        name=name,
        bytes=size,
    )


def _too_large(pixels: Words, name: Words) -> Text:
    return say(
        "{name} has {pixels} pixels where up to {most} million and {longest} a side are read: send a smaller photo",
        name=name,
        pixels=pixels,
        most=MOST_PIXELS // 10**6,
        longest=LONGEST_SIDE_PX,
    )


def _check_header(image: Image.Image, size: int, name: Words) -> None:
    """Refuse what the file's header alone rules out, before anything is decoded."""
    width, height = image.size
    if width * height > MOST_PIXELS or max(image.size) > LONGEST_SIDE_PX:
        raise PhotoError(_too_large(f"{width} x {height}", name))
    if width * height > MOST_PIXELS_OF_BYTE * size:
        raise PhotoError(_damaged(size, name))
    if min(image.size) < SHORTEST_SIDE_PX:
        raise PhotoError(
            say(
                "{name} has {pixels} pixels where at least {least} a side are needed: send a larger photo",
                name=name,
                pixels=f"{width} x {height}",
                least=SHORTEST_SIDE_PX,
            )
        )
    if Image.getmodebase(image.mode) == "L":
        _refuse_grey(name)


def _refuse_grey(name: Words) -> Never:
    raise PhotoError(say("{name} shows only greys, but tiles are told apart by colour: send a colour photo", name=name))


def _opaque(image: Image.Image) -> Image.Image:
    """The image in RGB; what is seen through lies on white."""
    if not image.has_transparency_data:
        return image if image.mode == "RGB" else image.convert("RGB")
    white = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")


def _blue_first(image: Image.Image) -> Picture:
    """The pixels of an RGB image; Pillow keeps each in four bytes, and OpenCV is the faster to drop one."""
    width, height = image.size
    picture = np.empty((height, width, 3), np.uint8)
    for top in range(0, height, STRIP_PX):
        rows = picture[top : top + STRIP_PX]
        strip = image.crop((0, top, width, top + len(rows))).tobytes("raw", "RGBX")
        cv2.cvtColor(np.frombuffer(strip, np.uint8).reshape(-1, width, 4), cv2.COLOR_RGBA2BGR, dst=rows)
    return picture


def _is_grey(picture: Picture) -> bool:
    height, width = picture.shape[:2]
    samples = picture[:: max(1, height // GREY_SAMPLES), :: max(1, width // GREY_SAMPLES)]
    return bool(np.abs(np.diff(samples.astype(np.int16), axis=2)).max() <= GREY_TOLERANCE)


def _noted(image: Image.Image, tag: int) -> object:
    """An EXIF tag, each read on its own, as a photo never fails by what its camera noted and others may be garbage."""
    try:
        exif = image.getexif()
        return exif[tag] if tag in exif else exif.get_ifd(ExifTags.IFD.Exif).get(tag)
    except DAMAGED:
        return None


def _focal(noted: dict[int, object]) -> float | None:
    focal = noted.get(ExifTags.Base.FocalLengthIn35mmFilm)
    return float(focal) if isinstance(focal, int) and focal in FOCALS_35MM else None


def _taken_at(noted: dict[int, object]) -> datetime | None:
    try:
        return datetime.strptime(str(noted.get(ExifTags.Base.DateTimeOriginal)).strip("\0 "), "%Y:%m:%d %H:%M:%S")
    except ValueError:
        return None
