"""The way of a picture through vision: locate, rectify, read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from engine.layout import Layout
from engine.text import EditionName, Text, say
from vision.classify import classify
from vision.errors import BoardNotFoundError, UnreadableEditionError
from vision.find import find
from vision.locate import Sought, believed, seated
from vision.loose import read_loose
from vision.markers import find_markers
from vision.network import Models, editions_of, kind_of, unreadable
from vision.placed import place_by, sought, told_stranger
from vision.pose import Array, estimate_focal, homography_of, join, pose_of
from vision.rectify import Picture, Pyramid
from vision.sighting import ALL, Located, SeenSurface, Sighting, Stranger
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
    kinds = sought(_kinds(models, edition), layout_of)
    guesses, discs = find(pyramid, models)
    boards = [] if corners_px else _search(pyramid, guesses, models, kinds, focal_px)
    strangers: list[Stranger] = []
    if not boards:
        boards, strangers = _placed(pyramid, models, kinds, corners_px, layout_of)
    own = [board for board in boards if not kind_of(board.kind).surface]
    if not own:
        strangers = strangers or _others(pyramid, guesses, models, kinds, layout_of)
        like = next((kind_of(stranger.kind).edition for stranger in strangers if stranger.kind), "")
        raise BoardNotFoundError(_nothing(strangers, editions_of(kinds), edition), like)
    slug, side, _ = Counter(kind_of(board.kind) for board in own).most_common(1)[0][0]
    layout = layout_of(slug)
    strangers += [Stranger(board.corners_px, board.kind) for board in boards if kind_of(board.kind).edition != slug]
    boards = [board for board in boards if kind_of(board.kind).edition == slug]
    first = seated([board for board in own if kind_of(board.kind).edition == slug])
    surface = layout.surfaces[0]
    size = (surface.width_mm, surface.height_mm)
    homographies = [homography_of(board.corners_px, *size) for board in first]
    table = join(homographies, *size)
    focal = estimate_focal([table], pyramid.size_px, focal_px)
    poses = [pose_of(homography, focal, pyramid.size_px) for homography in homographies]
    clock.lap("locate")
    read, white = classify(pyramid, poses, layout, side, models)
    others = tuple(_other_surfaces(pyramid, boards, first, focal, layout, models))
    clock.lap("read")
    plane = pose_of(table, focal, pyramid.size_px)
    seen_discs, centre = read_loose(
        pyramid, plane, [board.corners_px for board in boards], discs, layout, white, models
    )
    clock.lap("loose")
    seen = tuple(
        SeenSurface(seat, board, pose, cells, {(seat, name): reads for name, reads in tracks.items()}, surface.name)
        for seat, (board, pose, (cells, tracks)) in enumerate(zip(first, poses, read, strict=True), 1)
    )
    return Sighting(pyramid.size_px, slug, side, seen, seen_discs, centre, clock.spent_ms, tuple(strangers), others)


def _other_surfaces(
    pyramid: Pyramid,
    boards: Sequence[Located],
    first: Sequence[Located],
    focal_px: float,
    layout: Layout,
    models: Models,
) -> Iterator[SeenSurface]:
    """The surfaces that are not the first of a seat: each belongs to the seat whose board is nearest, or to all."""
    owners: dict[tuple[str, int], Located] = {}
    for board in sorted(boards, key=lambda board: board.sure):
        name = kind_of(board.kind).surface
        if name:
            seat = ALL if layout.surface(name).shared else _nearest(board, first)
            owners[name, seat] = board
    for (name, seat), board in owners.items():
        surface = layout.surface(name)
        pose = pose_of(homography_of(board.corners_px, surface.width_mm, surface.height_mm), focal_px, pyramid.size_px)
        ((cells, tracks),), _ = classify(pyramid, [pose], layout, kind_of(board.kind).side, models, surface)
        # Whose mark it is on a track that all share cannot be told.
        told = {(seat, each): reads for each, reads in tracks.items() if seat or not layout.track(each).each}
        yield SeenSurface(seat, board, pose, cells, told, name)


def _nearest(board: Located, first: Sequence[Located]) -> int:
    """The seat whose first board lies nearest."""
    away = [float(np.linalg.norm(board.corners_px.mean(axis=0) - each.corners_px.mean(axis=0))) for each in first]
    return 1 + int(np.argmin(away))


def _kinds(models: Models, edition: str | None) -> list[str]:
    """The boards that are sought: those of an edition, or all."""
    if edition is not None and (why := unreadable(edition, editions_of(models.kinds))):
        raise UnreadableEditionError(why)
    return [kind for kind in models.kinds if edition in (None, kind_of(kind).edition)]


def _search(
    pyramid: Pyramid, guesses: Sequence[Array], models: Models, kinds: Sought, focal_px: float | None
) -> list[Located]:
    """Boards by their print alone."""
    boards = believed(pyramid, guesses, models, kinds) or by_three_corners(pyramid, guesses, models, kinds, focal_px)
    return together(pyramid, boards, guesses, models, kinds)


def _placed(
    pyramid: Pyramid,
    models: Models,
    kinds: Sought,
    corners_px: Sequence[Array],
    layout_of: Callable[[str], Layout],
) -> tuple[list[Located], list[Stranger]]:
    """Boards where a person says they are, else where markers do, and what is none of these kinds there."""
    how = "by hand" if corners_px else "markers"
    places = corners_px or find_markers(pyramid.picture)
    found = [place_by(pyramid, corners, models, kinds, how, layout_of) for corners in places]
    boards = [each for each in found if isinstance(each, Located)]
    return boards, [each for each in found if isinstance(each, Stranger)]


def _others(
    pyramid: Pyramid, guesses: Sequence[Array], models: Models, kinds: Sought, layout_of: Callable[[str], Layout]
) -> list[Stranger]:
    """Boards that the networks know and that were not sought."""
    others = sought([kind for kind in models.kinds if kind not in kinds], layout_of)
    found = believed(pyramid, guesses, models, others) if others else []
    return [Stranger(board.corners_px, board.kind) for board in found]


def _nothing(strangers: Sequence[Stranger], sought: Sequence[str], edition: str | None) -> Text:
    """Why there is no board to read, and what to do."""
    if strangers:
        return told_stranger(strangers[0], sought)
    if edition:
        return say(
            "no board of {edition} was found; show a whole board, sharp and not too slanted, or give its corners",
            edition=EditionName(edition),
        )
    return say("no board was found; show a whole board, sharp and not too slanted, or give its corners")


class _Clock:
    """Time spent, by stage."""

    def __init__(self) -> None:
        self.spent_ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.spent_ms[stage] = 1000 * (now - self._last)
        self._last = now
