"""Photo files as phones, browsers and vandals send them."""

import struct
import time
import zlib
from contextlib import suppress
from datetime import datetime
from io import BytesIO

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import ExifTags, Image, ImageOps
from simplejpeg import decode_jpeg

from vision import photo as photo_module
from vision.errors import PhotoError
from vision.photo import LONGEST_SIDE_PX, MOST_BYTES, MOST_PIXELS, SHORTEST_SIDE_PX, DecodedPhoto, decode_photo
from vision.rectify import Picture

WIDTH, HEIGHT = 96, 72
LOSSLESS = {"PNG": {}, "WEBP": {"lossless": True}, "TIFF": {}, "BMP": {}}
LOSSY_LEVELS = 6


def colourful() -> Image.Image:
    """Smooth, so that a JPEG keeps it well, and alike in no two of its corners."""
    seeds = np.random.default_rng(1).integers(0, 256, (3, 4, 3), dtype=np.uint8)
    return Image.fromarray(np.asarray(cv2.resize(seeds, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR), np.uint8))


def blue_first(image: Image.Image) -> Picture:
    return np.asarray(image)[:, :, ::-1]


def saved(image: Image.Image, kind: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def jpeg(image: Image.Image, **options: object) -> bytes:
    return saved(image, "JPEG", quality=95, subsampling=0, **options)


def exif(orientation: object = 1, **noted: object) -> Image.Exif:
    """With what a camera notes: named tags go where cameras put them."""
    tags = Image.Exif()
    tags[ExifTags.Base.Make] = "Maker"
    tags[ExifTags.Base.Orientation] = orientation
    tags.get_ifd(ExifTags.IFD.Exif).update({ExifTags.Base[name]: value for name, value in noted.items()})
    return tags


def decode(data: bytes) -> DecodedPhoto:
    photo = decode_photo(data, "table.jpg")
    picture = photo.picture
    assert picture.dtype == np.uint8
    assert picture.shape[2:] == (3,)
    assert picture.flags.c_contiguous
    return photo


def refused(data: bytes, why: str) -> str:
    with pytest.raises(PhotoError, match=why) as caught:
        decode_photo(data, "table.jpg")
    message = str(caught.value)
    assert message.startswith("table.jpg ")
    assert message.isprintable()
    return message


def assert_close(picture: Picture, expected: Picture, levels: int = LOSSY_LEVELS) -> None:
    assert picture.shape == expected.shape
    assert np.abs(picture.astype(int) - expected).max() <= levels


# ------------------------------------------------------------------------------------------------ what is read


@pytest.mark.parametrize("kind", LOSSLESS)
def test_lossless_formats_give_every_pixel(kind: str) -> None:
    data = saved(colourful(), kind, **LOSSLESS[kind])
    assert np.array_equal(decode(data).picture, blue_first(colourful()))


@pytest.mark.parametrize("progressive", [False, True])
def test_jpeg(progressive: bool) -> None:
    assert_close(decode(jpeg(colourful(), progressive=progressive)).picture, blue_first(colourful()))


@pytest.mark.parametrize("subsampling", [0, 1, 2])
@pytest.mark.parametrize("progressive", [False, True])
def test_jpeg_has_the_very_pixels_that_pillow_gives(progressive: bool, subsampling: int) -> None:
    data = saved(colourful(), "JPEG", quality=80, progressive=progressive, subsampling=subsampling)
    assert np.array_equal(decode(data).picture, blue_first(Image.open(BytesIO(data))))


def test_jpeg_with_bytes_that_belong_to_nothing_is_read_all_the_same() -> None:
    data = jpeg(colourful())
    odd = data[:-2] + b"\0\0\0\0" + data[-2:]
    with pytest.raises(ValueError, match="extraneous bytes"):
        decode_jpeg(odd, "BGR")
    assert np.array_equal(decode(odd).picture, decode(data).picture)


def test_jpeg_is_decoded_only_at_the_size_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two readers of one header may take it for two sizes; only the one that was checked bounds what is decoded."""
    data, asked = jpeg(colourful()), []
    monkeypatch.setattr(photo_module, "decode_jpeg_header", lambda _data: (20_000, 20_000, "RGB", "444"))
    monkeypatch.setattr(photo_module, "decode_jpeg", lambda *_: asked.append("decoded"))
    assert np.array_equal(decode(data).picture, blue_first(Image.open(BytesIO(data))))
    assert not asked


def test_picture_higher_than_a_strip_and_not_a_multiple_of_it() -> None:
    tall = colourful().resize((67, 16 * photo_module.STRIP_PX + 5))
    assert np.array_equal(decode(saved(tall, "PNG")).picture, blue_first(tall))


def test_name_does_not_say_the_format() -> None:
    assert decode_photo(saved(colourful(), "PNG"), "table.txt").picture.shape == (HEIGHT, WIDTH, 3)


def test_phones_pair_of_pictures_gives_the_first() -> None:
    data = saved(colourful(), "MPO", quality=95, save_all=True, append_images=[ImageOps.invert(colourful())])
    assert Image.open(BytesIO(data)).format == "MPO"
    assert_close(decode(data).picture, blue_first(colourful()), 20)


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF", "GIF"])
def test_animation_gives_its_first_frame(kind: str) -> None:
    first = colourful().quantize(64) if kind == "GIF" else colourful()
    options = LOSSLESS.get(kind, {})
    data = saved(first, kind, save_all=True, append_images=[ImageOps.invert(colourful())], **options)
    assert np.array_equal(decode(data).picture, blue_first(first.convert("RGB")))


# ------------------------------------------------------------------------------------------------------- modes


def test_palette() -> None:
    palette = colourful().quantize(32)
    for kind in ("PNG", "GIF", "BMP", "TIFF"):
        assert np.array_equal(decode(saved(palette, kind)).picture, blue_first(palette.convert("RGB")))


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "TIFF"])
def test_what_is_seen_through_lies_on_white(kind: str) -> None:
    seen_through = colourful()
    seen_through.putalpha(Image.linear_gradient("L").resize(seen_through.size))
    data = saved(seen_through, kind, **LOSSLESS[kind] | ({"exact": True} if kind == "WEBP" else {}))
    alpha = np.asarray(seen_through.getchannel("A"), float)[:, :, None] / 255
    expected = np.round(blue_first(colourful()) * alpha + 255 * (1 - alpha)).astype(np.uint8)
    assert_close(decode(data).picture, expected, 1)


def test_transparent_colour_of_a_palette_is_white() -> None:
    palette = colourful().quantize(32)
    data = saved(palette, "PNG", transparency=palette.getpixel((0, 0)))
    assert decode(data).picture[0, 0].tolist() == [255, 255, 255]


def test_transparent_colour_without_palette_is_white() -> None:
    data = saved(colourful(), "PNG", transparency=colourful().getpixel((0, 0)))
    assert decode(data).picture[0, 0].tolist() == [255, 255, 255]


@pytest.mark.parametrize("kind", ["JPEG", "TIFF"])
def test_printers_colours(kind: str) -> None:
    """A JPEG of Adobe's holds them inverted; Pillow writes them so, too."""
    data = saved(colourful().convert("CMYK"), kind, **({"quality": 95} if kind == "JPEG" else {}))
    assert_close(decode(data).picture, blue_first(colourful()), 20)


def test_printers_colours_as_luma_and_chroma() -> None:
    """YCCK, which the last byte of Adobe's segment tells: luma and chroma of the inks, and black."""
    *inks, black = colourful().convert("CMYK").split()
    # Pillow inverts all that it writes in this mode.
    coded = [ImageOps.invert(channel) for channel in Image.merge("RGB", inks).convert("YCbCr").split()]
    data = bytearray(saved(Image.merge("CMYK", (*coded, black)), "JPEG", quality=95))
    last = data.index(b"Adobe") + 11
    assert data[last] == 0
    data[last] = 2
    assert_close(decode(bytes(data)).picture, blue_first(colourful()), 20)


@pytest.mark.parametrize("channels", [3, 4])
def test_sixteen_bits_a_channel(channels: int) -> None:
    deep = np.full((HEIGHT, WIDTH, channels), 65535, np.uint16)
    deep[:, :, :3] = np.asarray(colourful(), np.uint16) * 257
    expected = blue_first(colourful())
    for extension in (".png", ".tiff"):
        stored = cv2.imencode(extension, deep[:, :, [2, 1, 0, 3][:channels]])[1].tobytes()
        assert_close(decode(stored).picture, expected, 1)


# ------------------------------------------------------------------------------------------------------- greys


@pytest.mark.parametrize("mode", ["1", "L", "LA", "I;16"])
def test_grey_modes_are_refused(mode: str) -> None:
    refused(saved(colourful().convert("L").convert(mode), "PNG"), "colour")


@pytest.mark.parametrize("mode", ["I", "F", "I;16B"])
def test_grey_modes_of_tiff_are_refused(mode: str) -> None:
    grey = colourful().convert("L").convert("I")
    refused(saved(grey.convert("I;16").convert(mode) if ";" in mode else grey.convert(mode), "TIFF"), "colour")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF"])
def test_grey_in_colour_modes_is_refused(kind: str) -> None:
    refused(saved(colourful().convert("L").convert("RGB"), kind), "colour")


def test_one_tile_of_colour_is_enough() -> None:
    grey = colourful().resize((1200, 900)).convert("L").convert("RGB")
    grey.paste((0, 90, 180), (600, 450, 630, 480))
    decode(jpeg(grey))


# -------------------------------------------------------------------------------------------------------- EXIF


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_gives_the_same_picture(kind: str, orientation: int) -> None:
    stored = turned(orientation)
    data = saved(stored, kind, exif=exif(orientation), **LOSSLESS.get(kind, {"quality": 95, "subsampling": 0}))
    upright = decode(data).picture
    assert_close(upright, blue_first(colourful()))
    pillows = ImageOps.exif_transpose(Image.open(BytesIO(data)))
    assert np.array_equal(upright, blue_first(pillows))


def turned(orientation: int) -> Image.Image:
    """The picture as a camera held so would store it."""
    method = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    return colourful().transpose(method[orientation]) if orientation in method else colourful()


@pytest.mark.parametrize("orientation", [0, 9, 65535])
def test_orientation_that_is_none_changes_nothing(orientation: int) -> None:
    assert_close(decode(jpeg(colourful(), exif=exif(orientation))).picture, blue_first(colourful()))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_what_the_camera_noted(kind: str) -> None:
    tags = exif(FocalLengthIn35mmFilm=26, DateTimeOriginal="2026:03:01 19:05:59")
    photo = decode(saved(colourful(), kind, exif=tags))
    assert photo.focal_35mm == 26.0
    assert photo.taken_at == datetime(2026, 3, 1, 19, 5, 59)


def test_nothing_noted() -> None:
    photo = decode(jpeg(colourful()))
    assert (photo.focal_35mm, photo.taken_at) == (None, None)


@pytest.mark.parametrize("when", ["0000:00:00 00:00:00", "    :  :     :  :  ", "yesterday", "2026:02:30 10:00:00", ""])
def test_unknown_time_and_focal_length(when: str) -> None:
    photo = decode(jpeg(colourful(), exif=exif(FocalLengthIn35mmFilm=0, DateTimeOriginal=when)))
    assert (photo.focal_35mm, photo.taken_at) == (None, None)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_garbage_exif_never_fails_a_photo(kind: str, data: st.DataObject) -> None:
    tags = exif(6, FocalLengthIn35mmFilm=26, DateTimeOriginal="2026:03:01 19:05:59").tobytes()
    garbage = data.draw(damaged(tags.removeprefix(b"Exif\0\0")))
    decode(saved(colourful(), kind, exif=b"Exif\0\0" + garbage))


def test_exif_that_is_none() -> None:
    photo = decode(saved(colourful(), "WEBP", exif=b"Exif\0\0 no tags at all"))
    assert (photo.focal_35mm, photo.taken_at) == (None, None)


# ------------------------------------------------------------------------------------------------------ limits


def png(width: int, height: int, depth: int = 8, colour: int = 2, pixels: bytes = b"") -> bytes:
    """A PNG by hand, whose header may claim anything."""
    header = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b"")]
    parts = [
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(
    "bomb",
    [
        png(60_000, 60_000),
        png(20_000, 20_000, 1, 0, bytes(20_000 * 2_501)),
        png(20_000, 20_000, 1, 3, bytes(20_000 * 2_501)),
        png(MOST_PIXELS // 10_000 + 1, 10_000),
        png(LONGEST_SIDE_PX + 1, 100),
        png(2**31 - 1, 2**31 - 1),
    ],
    ids=["claim", "one bit", "palette", "just over", "long", "largest"],
)
def test_bombs_are_refused_by_their_header(bomb: bytes) -> None:
    began = time.perf_counter()
    refused(bomb, "send a smaller")
    assert time.perf_counter() - began < 1


@pytest.mark.parametrize("kind", ["JPEG", "GIF", "BMP"])
def test_huge_claims_of_other_formats(kind: str) -> None:
    data = bytearray(saved(colourful(), kind))
    if kind == "JPEG":
        start = data.index(b"\xff\xc0") + 5
        data[start : start + 4] = struct.pack(">HH", 65_000, 65_000)
    else:
        sizes = {"GIF": (6, struct.pack("<HH", 65_000, 65_000)), "BMP": (18, struct.pack("<ii", 65_000, 65_000))}
        start, size = sizes[kind]
        data[start : start + len(size)] = size
    refused(bytes(data), "send a smaller")


def test_most_pixels_between_pillows_limits_give_no_warning() -> None:
    """Pillow warns from 89 million pixels; here the file ends early, so nothing large is decoded."""
    refused(png(10_000, 10_000), "ends early")


def test_smallest() -> None:
    decode(saved(colourful().resize((SHORTEST_SIDE_PX, SHORTEST_SIDE_PX)), "PNG"))
    refused(saved(colourful().resize((WIDTH, SHORTEST_SIDE_PX - 1)), "PNG"), "larger")


def test_too_many_bytes() -> None:
    refused(saved(colourful(), "PNG").ljust(MOST_BYTES + 1, b"\0"), "64 MB")


def test_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_image: Image.Image) -> Picture:
        raise MemoryError

    monkeypatch.setattr(photo_module, "_blue_first", full)
    refused(saved(colourful(), "PNG"), "memory")


# ------------------------------------------------------------------------------------------------ what is none


def test_nothing() -> None:
    refused(b"", "empty")


@pytest.mark.parametrize(
    "data",
    [
        b"this is not a photo\n",
        b"<!doctype html><html><body>Not found</body></html>",
        b"%PDF-1.7\n",
        b"\0" * 5000,
        np.random.default_rng(3).bytes(5000),
        b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200),
        b"<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'/>",
        b"P6 100 100 255\n" + bytes(30_000),
        saved(colourful(), "ICO", sizes=[(64, 64)]),
    ],
    ids=["text", "html", "pdf", "zeros", "noise", "heic", "svg", "ppm", "ico"],
)
def test_what_is_no_photo(data: bytes) -> None:
    refused(data, "send the photo as JPEG")


WHOLE = {
    "JPEG": jpeg(colourful(), exif=exif(6, FocalLengthIn35mmFilm=26)),
    "progressive JPEG": jpeg(colourful(), progressive=True),
    "CMYK JPEG": saved(colourful().convert("CMYK"), "JPEG"),
    "PNG": saved(colourful(), "PNG", exif=exif(3)),
    "palette PNG": saved(colourful().quantize(32), "PNG", transparency=3),
    "WEBP": saved(colourful(), "WEBP", exif=exif(8)),
    "lossless WEBP": saved(colourful(), "WEBP", lossless=True),
    "animated WEBP": saved(colourful(), "WEBP", save_all=True, append_images=[ImageOps.invert(colourful())]),
    "GIF": saved(colourful(), "GIF"),
    "TIFF": saved(colourful(), "TIFF", exif=exif(5)),
    "LZW TIFF": saved(colourful(), "TIFF", compression="tiff_lzw"),
    "JPEG TIFF": saved(colourful(), "TIFF", compression="jpeg"),
    "BMP": saved(colourful(), "BMP"),
}


@pytest.mark.parametrize("kind", WHOLE)
def test_cut_files_end_early(kind: str) -> None:
    whole = WHOLE[kind]
    decode(whole)
    for tenth in range(1, 10):
        refused(whole[: len(whole) * tenth // 10], "ends early")


@pytest.mark.parametrize("kind", ["JPEG", "progressive JPEG"])
def test_jpeg_cut_anywhere_ends_early(kind: str) -> None:
    whole = WHOLE[kind]
    for length in (*range(3, len(whole), 41), len(whole) - 3, len(whole) - 2, len(whole) - 1):
        refused(whole[:length], "ends early")


def test_end_filled_with_zeros() -> None:
    """So a copy that was interrupted may look."""
    whole = WHOLE["JPEG"]
    refused(whole[: len(whole) * 2 // 3].ljust(len(whole), b"\0"), "ends early")


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Bytes flipped, put in, and cut out, more often near the start, where the headers are."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, min(len(data), 200)) | st.integers(0, len(data)))
        edit = draw(st.sampled_from(["flip", "insert", "cut", "end"]))
        if edit == "flip":
            data[start : start + 1] = draw(st.binary(min_size=1, max_size=1))
        elif edit == "insert":
            data[start:start] = draw(st.binary(min_size=1, max_size=8))
        elif edit == "cut":
            del data[start : start + draw(st.integers(1, 8))]
        else:
            del data[max(start, 1) :]
    return bytes(data)


@pytest.mark.parametrize("kind", WHOLE)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_damaged_files_decode_or_are_refused(kind: str, data: st.DataObject) -> None:
    """Nothing else is raised and, as warnings are errors here, nothing warned of."""
    with suppress(PhotoError):
        decode(data.draw(damaged(WHOLE[kind])))


@given(st.text())
@example("../../etc/passwd")
@example("C:\\photos\\table.jpg")
@example("\n\r\x1b[31m")
def test_messages_are_one_line_without_folders(name: str) -> None:
    with pytest.raises(PhotoError) as caught:
        decode_photo(b"", name)
    message = str(caught.value)
    assert message.isprintable()
    assert "/" not in message
    assert "\\" not in message
