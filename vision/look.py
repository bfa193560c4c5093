"""The way of a picture through vision: locate, rectify, read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence

from engine.layout import Layout
from vision.classify import classify
from vision.errors import BoardNotFoundError, EditionError
from vision.find import Disc, find
from vision.locate import believed, place_by, seated
from vision.loose import read_loose
from vision.markers import find_markers
from vision.network import Models
from vision.pose import Array, estimate_focal, homography_of, join, pose_of
from vision.rectify import Picture, Pyramid
from vision.sighting import Located, SeenBoard, Sighting
from vision.together import by_three_corners, together


def look(
    picture: Picture,
    models: Models,
    layout_of: Callable[[str], Layout],
    edition: str | None = None,
    corners_px: Sequence[Array] = (),
    focal_px: float | None = None,
) -> Sighting:
    """What a picture shows; the edition may be told, and so may where boards are and the camera's focal length."""
    clock = _Clock()
    pyramid = Pyramid(picture)
    boards, discs = _locate(pyramid, models, _kinds(models, edition), corners_px, focal_px)
    if not boards:
        wanted = f" of {edition}" if edition else ""
        raise BoardNotFoundError(
            f"no board{wanted} was found in this picture of {pyramid.size_px[0]}x{pyramid.size_px[1]} pixels; "
            "show a whole board, sharp and not too slanted, or give its corners"
        )
    slug, side = Counter(board.kind for board in boards).most_common(1)[0][0].split()
    layout = layout_of(slug)
    boards = seated([board for board in boards if board.kind.split()[0] == slug])
    surface = layout.surfaces[0]
    size = (surface.width_mm, surface.height_mm)
    homographies = [homography_of(board.corners_px, *size) for board in boards]
    table = join(homographies, *size)
    focal = estimate_focal([table], pyramid.size_px, focal_px)
    poses = [pose_of(homography, focal, pyramid.size_px) for homography in homographies]
    clock.lap("locate")
    read, white = classify(pyramid, poses, layout, side, models)
    clock.lap("read")
    plane = pose_of(table, focal, pyramid.size_px)
    seen_discs, centre = read_loose(
        pyramid, plane, [board.corners_px for board in boards], discs, layout, white, models
    )
    clock.lap("loose")
    seen = tuple(
        SeenBoard(seat, board, pose, cells, tracks)
        for seat, (board, pose, (cells, tracks)) in enumerate(zip(boards, poses, read, strict=True), 1)
    )
    return Sighting(pyramid.size_px, slug, side, seen, seen_discs, centre, clock.spent_ms)


def _kinds(models: Models, edition: str | None) -> list[str]:
    """The boards that are sought: those of an edition, or all."""
    kinds = [kind for kind in models.kinds if edition in (None, kind.split()[0])]
    if not kinds:
        known = ", ".join(dict.fromkeys(kind.split()[0] for kind in models.kinds))
        raise EditionError(
            f"photos of {edition} cannot be read yet, as no network knows its boards; those of {known} can; "
            "for others write down what lies there: `azul check`, `azul show` and records of games know every edition"
        )
    return kinds


def _locate(
    pyramid: Pyramid, models: Models, kinds: Sequence[str], corners_px: Sequence[Array], focal_px: float | None
) -> tuple[list[Located], list[Disc]]:
    """Boards where a person says they are, else by their print, else by markers."""
    guesses, discs = find(pyramid, models)
    if corners_px:
        return [place_by(pyramid, corners, models, kinds, "by hand") for corners in corners_px], discs
    boards = believed(pyramid, guesses, models, kinds) or by_three_corners(pyramid, guesses, models, kinds, focal_px)
    boards = together(pyramid, boards, guesses, models, kinds)
    if not boards:
        boards = [place_by(pyramid, corners, models, kinds, "markers") for corners in find_markers(pyramid.picture)]
    return boards, discs


class _Clock:
    """Time spent, by stage."""

    def __init__(self) -> None:
        self.spent_ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.spent_ms[stage] = 1000 * (now - self._last)
        self._last = now
