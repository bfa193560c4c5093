"""Photos as cameras: folders, uploads, and what holds for both."""

import cv2
import numpy as np
import pytest

from hardware.camera import Camera, CameraError, NoMorePhotosError
from hardware.cameras.folder import FolderCamera
from hardware.cameras.reel import PREVIEWS
from hardware.cameras.upload import WAITING, UploadCamera


def picture(shade, size=(1200, 900)):
    return np.full((size[1], size[0], 3), shade, np.uint8)


def save(path, shade):
    cv2.imwrite(str(path), picture(shade))


def shade(frame):
    return round(float(frame.picture.mean()))


def test_photos_of_a_folder_are_shown_by_name_each_for_some_previews(tmp_path):
    for name, value in (("b.jpg", 90), ("a.PNG", 10), ("c.webp", 200)):
        save(tmp_path / name, value)
    (tmp_path / "notes.txt").write_text("no photo")
    camera: Camera = FolderCamera(tmp_path)
    shown = [shade(camera.preview()) for _ in range(3 * PREVIEWS)]
    assert shown == [10] * PREVIEWS + [90] * PREVIEWS + [200] * PREVIEWS
    assert shade(camera.capture()) == 200
    with pytest.raises(NoMorePhotosError, match="all 3 photos"):
        camera.preview()


def test_previews_are_small_and_captures_are_not(tmp_path):
    save(tmp_path / "a.jpg", 10)
    camera = FolderCamera(tmp_path)
    assert camera.preview().picture.shape == (480, 640, 3)
    frame = camera.capture()
    assert frame.picture.shape == (900, 1200, 3)
    assert (frame.number, frame.taken_s) == (1, 0.2)


def test_a_photo_is_turned_as_its_camera_was_held(tmp_path):
    from PIL import Image

    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(picture(10)).save(tmp_path / "held.jpg", exif=exif)
    assert FolderCamera(tmp_path).capture().picture.shape == (1200, 900, 3)


def test_a_watched_folder_waits_for_photos_and_for_their_ends(tmp_path):
    camera = FolderCamera(tmp_path, watch=True)
    with pytest.raises(CameraError, match="no photo is in"):
        camera.preview()
    save(tmp_path / "a.jpg", 10)
    whole = (tmp_path / "a.jpg").read_bytes()
    (tmp_path / "b.jpg").write_bytes(whole[: len(whole) // 2])
    assert [shade(camera.preview()) for _ in range(3 * PREVIEWS)] == [10] * 3 * PREVIEWS
    save(tmp_path / "b.jpg", 77)
    assert shade(camera.preview()) == 77


def test_a_broken_photo_is_told_and_left_out(tmp_path):
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    save(tmp_path / "b.jpg", 50)
    camera = FolderCamera(tmp_path)
    with pytest.raises(CameraError, match=r"a\.jpg is not a whole picture"):
        camera.preview()
    assert shade(camera.preview()) == 50


def test_a_folder_that_is_not_there_or_goes_away_is_told(tmp_path):
    with pytest.raises(CameraError, match="there is no folder"):
        FolderCamera(tmp_path / "nowhere")
    folder = tmp_path / "stick"
    folder.mkdir()
    camera = FolderCamera(folder, watch=True)
    folder.rmdir()
    with pytest.raises(CameraError, match="disk"):
        camera.preview()


def test_a_photo_that_is_taken_away_meanwhile_is_passed_over(tmp_path, monkeypatch):
    save(tmp_path / "a.jpg", 10)
    listed = [tmp_path / "a.jpg", tmp_path / "gone.jpg"]
    monkeypatch.setattr(type(tmp_path), "iterdir", lambda _: iter(listed))
    camera = FolderCamera(tmp_path, watch=True)
    assert [shade(camera.preview()) for _ in range(3 * PREVIEWS)] == [10] * 3 * PREVIEWS


def test_uploads_are_shown_in_order_and_the_last_one_stays():
    camera = UploadCamera()
    with pytest.raises(CameraError, match="no photo was uploaded"):
        camera.capture()
    camera.put(picture(10))
    camera.put(picture(20))
    assert [shade(camera.preview()) for _ in range(3 * PREVIEWS)] == [10] * PREVIEWS + [20] * 2 * PREVIEWS
    camera.put(picture(30))
    assert shade(camera.preview()) == shade(camera.capture()) == 30


def test_not_too_many_uploads_wait():
    camera = UploadCamera()
    for _ in range(WAITING):
        camera.put(picture(1, (8, 8)))
    with pytest.raises(CameraError, match="try again"):
        camera.put(picture(1, (8, 8)))
