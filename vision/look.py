"""The way of a picture through vision: locate, rectify, read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.layout import Layout
from engine.text import EditionName, Text, say
from vision.cards import with_cards
from vision.carried import read_carried
from vision.cells import UNSEEN, read_zones, tracks
from vision.classify import ReadSurface, classify, half_turned
from vision.errors import BoardNotFoundError, UnreadableEditionError
from vision.find import BoardMap, Disc, find
from vision.locate import Sought, believed, is_on, seated, turn_chances
from vision.loose import read_loose
from vision.markers import find_markers
from vision.network import Families, Models, editions_of, kind_of, unreadable
from vision.owners import marks_of_seats
from vision.placed import place_by, sought, told_stranger
from vision.pose import Array, Pose, estimate_focal, homography_of, join, pose_of
from vision.rectify import Picture, Pyramid
from vision.sighting import ALL, Located, Mark, Reads, SeenSurface, Sighting, Stranger
from vision.together import by_three_corners, together

CLEAR_OWNER, HIDDEN_OWNER = 0.996, 0.1
"""Where the print that tells whose a board is looks less clear than the first and less hidden than the second, it is
looked for on the other side."""
TURNED, HALF_TURNED = 10.0, 2.0
"""How many times less unclear it must look there for the board to lie the other way; from the second on nobody knows.
Of 474 boards on own tables five lay so, with 26 or more; of the others none has more than one."""
MAYBE_TURNED = 0.004
"""What the aligner must give a board's lying the other way for that to be thought of; two of 224 own boards lay so."""

PLAINLY_SEEN = 0.05
"""A cell is in view that is less likely hidden than this."""


def look(
    picture: Picture,
    networks: Families,
    layout_of: Callable[[str], Layout],
    edition: str | None = None,
    corners_px: Sequence[Array] = (),
    focal_px: float | None = None,
) -> Sighting:
    """What a picture shows; the edition may be told, and so may where boards are and the camera's focal length."""
    clock = _Clock()
    pyramid = Pyramid(picture)
    if edition is not None and (why := unreadable(edition, editions_of(networks.kinds))):
        raise UnreadableEditionError(why)
    found = [_found(pyramid, models, edition, corners_px, focal_px, layout_of) for models in networks.knowing(edition)]
    best = max(found, key=lambda each: (len(each.own), sum(board.sure for board in each.own)))
    if not best.own:
        raise _nothing_found(pyramid, networks, found, edition, layout_of)
    slug, side, _ = Counter(kind_of(board.kind) for board in best.own).most_common(1)[0][0]
    models, layout = best.models, layout_of(slug)
    taken = [board for each in found if each is not best for board in each.own if not is_on(board.corners_px, best.own)]
    strangers = [*best.strangers, *(Stranger(board.corners_px, board.kind) for board in taken)]
    strangers += [
        Stranger(board.corners_px, board.kind) for board in best.boards if kind_of(board.kind).edition != slug
    ]
    boards = [board for board in best.boards if kind_of(board.kind).edition == slug]
    first = seated([board for board in boards if not kind_of(board.kind).surface])
    surface = layout.surfaces[0]
    size = (surface.width_mm, surface.height_mm)
    homographies = [homography_of(board.corners_px, *size) for board in first]
    table = join(homographies, *size)
    focal = estimate_focal([table], pyramid.size_px, focal_px)
    poses = [pose_of(homography, focal, pyramid.size_px) for homography in homographies]
    clock.lap("locate")
    read, white = classify(pyramid, poses, layout, side, models)
    for i, own in enumerate(read):
        turned = _other_way_up(pyramid, first[i], poses[i], own, focal, layout, side, models)
        if turned is not None:
            first[i], poses[i], read[i] = turned
    owners = {seat: each.owner for seat, each in enumerate(read, 1) if each.owner is not None}
    others = tuple(_other_surfaces(pyramid, boards, first, focal, layout, models, owners))
    clock.lap("read")
    plane = pose_of(table, focal, pyramid.size_px)
    all_px, seats_px = ([board.corners_px for board in group] for group in (boards, first))
    if layout.disc and layout.disc.prints:
        loose = read_carried(pyramid, plane, all_px, others, best.discs, layout, white, models)
    else:
        loose = read_loose(pyramid, plane, all_px, seats_px, best.discs, layout, white, models)
    clock.lap("loose")
    seen = tuple(
        SeenSurface(seat, board, pose, with_cards(own.cells, layout), _own_tracks(seat, own), surface.name, own.owner)
        for seat, (board, pose, own) in enumerate(zip(first, poses, read, strict=True), 1)
    )
    return Sighting(
        pyramid.size_px,
        slug,
        side if side in layout.sides else "",
        seen,
        loose.discs,
        loose.centre,
        clock.spent_ms,
        tuple(strangers),
        others,
        loose.beside,
    )


@dataclass(frozen=True)
class _Found:
    """What a family of networks makes of a picture."""

    models: Models
    board_map: BoardMap
    discs: Sequence[Disc]
    boards: Sequence[Located]
    strangers: Sequence[Stranger]

    @property
    def own(self) -> list[Located]:
        """The first boards of seats."""
        return [board for board in self.boards if not kind_of(board.kind).surface]


def _found(
    pyramid: Pyramid,
    models: Models,
    edition: str | None,
    corners_px: Sequence[Array],
    focal_px: float | None,
    layout_of: Callable[[str], Layout],
) -> _Found:
    """The boards that a family knows, of one edition or of all of its own."""
    kinds = sought([kind for kind in models.kinds if edition in (None, kind_of(kind).edition)], layout_of)
    board_map, discs = find(pyramid, models)
    boards = [] if corners_px else _search(pyramid, board_map, models, kinds, focal_px)
    strangers: list[Stranger] = []
    if not boards:
        boards, strangers = _placed(pyramid, models, kinds, corners_px, layout_of)
    return _Found(models, board_map, discs, boards, strangers)


def _other_way_up(
    pyramid: Pyramid,
    board: Located,
    own: Pose,
    read: ReadSurface,
    focal_px: float,
    layout: Layout,
    side: str,
    models: Models,
) -> tuple[Located, Pose, ReadSurface] | None:
    """A board that is upside down, turned, with what is read of it then; None where it is not.

    Boards may look much the same so turned: the print that tells whose they are is only at one side. Where it is not
    clear at which, what is read is as likely the one as the other, so that every cell is in doubt that differs.
    """
    if read.owner is None or read.owner.get(UNSEEN, 0.0) >= HIDDEN_OWNER or _clearest(read.owner) >= CLEAR_OWNER:
        return None
    if turn_chances(pyramid, board.corners_px, models)[2] < MAYBE_TURNED:
        return None
    surface = layout.surfaces[0]
    corners = np.roll(board.corners_px, 2, axis=0)
    pose = pose_of(homography_of(corners, surface.width_mm, surface.height_mm), focal_px, pyramid.size_px)
    (turned,), _ = classify(pyramid, [pose], layout, side, models)
    clearer = (1 - _clearest(read.owner)) / max(1 - _clearest(turned.owner or {}), 1e-9)
    if clearer >= TURNED:
        return replace(board, corners_px=corners), pose, turned
    return (board, own, half_turned(read, turned)) if clearer >= HALF_TURNED else None


def _clearest(owner: Reads) -> float:
    """How clearly print tells whose a board is."""
    return max((chance for kind, chance in owner.items() if kind != UNSEEN), default=0.0)


def _own_tracks(seat: int, read: ReadSurface) -> dict[Mark, Reads]:
    """The marks on the tracks of a seat's own surface."""
    return {(seat, name): reads for (name, _), reads in read.tracks.items()}


def _other_surfaces(
    pyramid: Pyramid,
    boards: Sequence[Located],
    first: Sequence[Located],
    focal_px: float,
    layout: Layout,
    models: Models,
    owners: Mapping[int, Reads],
) -> Iterator[SeenSurface]:
    """The surfaces that are not the first of a seat: each belongs to the seat whose board is nearest, or to all."""
    places: dict[tuple[str, int], Located] = {}
    for board in sorted(boards, key=lambda board: board.sure):
        name = kind_of(board.kind).surface
        if name:
            seat = ALL if layout.surface(name).shared else _nearest(board, first)
            places[name, seat] = board
    for (name, seat), board in places.items():
        surface = layout.surface(name)
        pose = pose_of(homography_of(board.corners_px, surface.width_mm, surface.height_mm), focal_px, pyramid.size_px)
        if not (read_zones(layout, surface) or tracks(layout, surface)):
            yield SeenSurface(seat, board, pose, {}, {}, name)
            continue
        (read,), _ = classify(pyramid, [pose], layout, kind_of(board.kind).side, models, surface)
        marks = _own_tracks(seat, read) if seat else dict(_shared_tracks(read, owners, layout))
        yield SeenSurface(seat, board, pose, read.cells, marks, name, read.owner)


def _shared_tracks(read: ReadSurface, owners: Mapping[int, Reads], layout: Layout) -> Iterator[tuple[Mark, Reads]]:
    """The marks on tracks of all: a single one is all's, others are their seats', by what tells whose they are."""
    yield from ((mark, reads) for mark, reads in _own_tracks(ALL, read).items() if not layout.track(mark[1]).each)
    if owners:
        each = {mark: reads for mark, reads in read.tracks.items() if layout.track(mark[0]).each}
        in_view = bool(read.cells) and all(reads[UNSEEN] < PLAINLY_SEEN for reads in read.cells.values())
        yield from marks_of_seats(owners, each, in_view)


def _nearest(board: Located, first: Sequence[Located]) -> int:
    """The seat whose first board lies nearest."""
    away = [float(np.linalg.norm(board.corners_px.mean(axis=0) - each.corners_px.mean(axis=0))) for each in first]
    return 1 + int(np.argmin(away))


def _search(
    pyramid: Pyramid, board_map: BoardMap, models: Models, kinds: Sought, focal_px: float | None
) -> list[Located]:
    """Boards by their print alone."""
    guesses = board_map.guesses
    boards = believed(pyramid, guesses, models, kinds) or by_three_corners(pyramid, guesses, models, kinds, focal_px)
    return together(pyramid, boards, board_map, models, kinds)


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


def _nothing_found(
    pyramid: Pyramid,
    networks: Families,
    found: Sequence[_Found],
    edition: str | None,
    layout_of: Callable[[str], Layout],
) -> BoardNotFoundError:
    """Why nothing is read: perhaps these are boards of another edition than was told."""
    strangers = [stranger for each in found for stranger in each.strangers]
    if not strangers and edition is not None:
        for models in networks.knowing(None):
            board_map = next((each.board_map for each in found if each.models is models), None)
            kinds = sought([kind for kind in models.kinds if kind_of(kind).edition != edition], layout_of)
            board_map = board_map or find(pyramid, models)[0]
            boards = believed(pyramid, board_map.guesses, models, kinds) if kinds else []
            strangers += [Stranger(board.corners_px, board.kind) for board in boards]
    like = next((kind_of(stranger.kind).edition for stranger in strangers if stranger.kind), "")
    known = [edition] if edition else editions_of(networks.kinds)
    return BoardNotFoundError(_nothing(strangers, known, edition), like)


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
