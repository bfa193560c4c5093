"""The way of a picture through vision: locate, rectify, read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.layout import Layout
from vision.cards import with_cards
from vision.carried import read_carried
from vision.cells import UNSEEN, read_zones, tracks
from vision.classify import Answers, ReadSurface, classify, half_turned
from vision.errors import BoardNotFoundError, UnreadableEditionError
from vision.locate import turn_chances
from vision.loose import read_loose
from vision.network import Families, Models, editions_of, kind_of, unreadable
from vision.owners import marks_of_seats
from vision.pose import Array, Pose, estimate_focal, homography_of, join, pose_of
from vision.recognise import recognise, seen_of
from vision.rectify import Picture, Pyramid
from vision.scene import KnownSurface, KnownTable, TableScene
from vision.search import nothing, search
from vision.sighting import ALL, Located, Mark, Reads, SeenSurface, Sighting

CLEAR_OWNER, HIDDEN_OWNER = 0.996, 0.1
"""Where the print that tells whose a board is looks less clear than the first and less hidden than the second, it is
looked for on the other side."""
TURNED, HALF_TURNED = 10.0, 2.0
"""How many times less unclear it must look there for the board to lie the other way; from the second on nobody knows.
Of 474 boards on own tables five lay so, with 26 or more; of the others none has more than one."""
MAYBE_TURNED = 0.004
"""What the aligner must give a board's lying the other way for that to be thought of; two of 224 own boards lay so."""

LEAST_CLEAR = 0.7
"""Boards of which so little is told on average are another game's, where nobody said which lie there. Of 23 own tables
of Queen's Garden, in inks that nothing was learned from, the least clear has 0.74."""
SURE = 0.95
"""What is read less surely is read again by the next look."""
PLAINLY_SEEN = 0.05
"""A cell is in view that is less likely hidden than this."""


def look(
    picture: Picture,
    networks: Families,
    layout_of: Callable[[str], Layout],
    edition: str | None = None,
    corners_px: Sequence[Array] = (),
    focal_px: float | None = None,
    known: KnownTable | None = None,
) -> Sighting:
    """What a picture shows; the edition may be told, and so may where boards are and the camera's focal length.

    Where a look before this one knew the table, what looks as it did then is not searched for and read again.
    """
    clock = _Clock()
    pyramid = Pyramid(picture)
    if edition is not None and (why := unreadable(edition, editions_of(networks.kinds))):
        raise UnreadableEditionError(why)
    scene = recognise(pyramid, known, networks, layout_of) if known and known.edition == edition else None
    scene = scene or search(pyramid, networks, layout_of, edition, corners_px, focal_px)
    layout, models, side = layout_of(scene.edition), scene.models, scene.side
    first = scene.firsts
    surface = layout.surfaces[0]
    size = (surface.width_mm, surface.height_mm)
    homographies = [homography_of(board.corners_px, *size) for board in first]
    table = join(homographies, *size)
    focal = estimate_focal([table], pyramid.size_px, focal_px)
    poses = [pose_of(homography, focal, pyramid.size_px) for homography in homographies]
    clock.lap("locate")
    told = classify(pyramid, poses, layout, side, models, known=[scene.answers(board) for board in first])
    read, answers = told.surfaces, dict(zip(first, told.answers, strict=True))
    for i, own in enumerate(read):
        if scene.answers(first[i]) is None:
            turned = _other_way_up(pyramid, first[i], poses[i], own, focal, layout, side, models)
            if turned is not None:
                del answers[first[i]]
                first[i], poses[i], read[i] = turned
    if edition is None and not len(corners_px) and _clarity(read) < LEAST_CLEAR:
        raise BoardNotFoundError(nothing(scene.strangers, editions_of(networks.kinds), None))
    owners = {seat: each.owner for seat, each in enumerate(read, 1) if each.owner is not None}
    others = tuple(_other_surfaces(pyramid, scene, first, focal, layout, owners, answers))
    clock.lap("read")
    plane = pose_of(table, focal, pyramid.size_px)
    all_px, seats_px = ([board.corners_px for board in group] for group in (scene.boards, first))
    if layout.disc and layout.disc.prints:
        loose = read_carried(pyramid, plane, all_px, others, scene.found.discs, layout, told.white, models, scene.loose)
    else:
        loose = read_loose(pyramid, plane, all_px, seats_px, scene.found.discs, layout, told.white, models, scene.loose)
    clock.lap("loose")
    seen = tuple(
        SeenSurface(
            seat,
            board,
            pose,
            with_cards(own.cells, layout),
            _own_tracks(seat, own),
            surface.name,
            own.owner,
            scene.carried(board),
        )
        for seat, (board, pose, own) in enumerate(zip(first, poses, read, strict=True), 1)
    )
    knows = KnownTable(
        scene.edition,
        side,
        pyramid.size_px,
        scene.found,
        tuple(_known_surfaces(pyramid, scene, (*seen, *others), answers, layout)),
        tuple(scene.strangers),
        loose.known,
        scene.looks,
    )
    clock.lap("know")
    return Sighting(
        pyramid.size_px,
        scene.edition,
        side if side in layout.sides else "",
        seen,
        loose.discs,
        loose.centre,
        clock.spent_ms,
        tuple(scene.strangers),
        others,
        loose.beside,
        knows,
    )


def _known_surfaces(
    pyramid: Pyramid,
    scene: TableScene,
    seen: Sequence[SeenSurface],
    answers: Mapping[Located, Answers],
    layout: Layout,
) -> Iterator[KnownSurface]:
    """The surfaces that were read, as the next look may know them again."""
    for each in seen:
        board, before = each.located, scene.held.get(each.located)
        view = before.view if before else seen_of(pyramid, board, layout)
        stood = before.stood if before else view
        yield KnownSurface(board, stood, view, answers.get(board) if _is_sure(each) else None, each.carried)


def _clarity(read: Sequence[ReadSurface]) -> float:
    """How surely cells are read on average."""
    return float(np.mean([max(reads.values()) for own in read for reads in own.cells.values()] or [1.0]))


def _is_sure(seen: SeenSurface) -> bool:
    """Whether nothing that was read of a surface is in doubt."""
    return all(max(reads.values()) >= SURE for reads in (*seen.cells.values(), *seen.tracks.values()))


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
    (turned,) = classify(pyramid, [pose], layout, side, models).surfaces
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
    scene: TableScene,
    first: Sequence[Located],
    focal_px: float,
    layout: Layout,
    owners: Mapping[int, Reads],
    answers: dict[Located, Answers],
) -> Iterator[SeenSurface]:
    """The surfaces that are not the first of a seat: each belongs to the seat whose board is nearest, or to all.

    What the reader answers of them is added to `answers`.
    """
    places: dict[tuple[str, int], Located] = {}
    for board in sorted(scene.boards, key=lambda board: board.sure):
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
        side = kind_of(board.kind).side
        told = classify(pyramid, [pose], layout, side, scene.models, surface, [scene.answers(board)])
        (read,), (answers[board],) = told.surfaces, told.answers
        marks = _own_tracks(seat, read) if seat else dict(_shared_tracks(read, owners, layout))
        yield SeenSurface(seat, board, pose, read.cells, marks, name, read.owner, scene.carried(board))


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


class _Clock:
    """Time spent, by stage."""

    def __init__(self) -> None:
        self.spent_ms: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.spent_ms[stage] = 1000 * (now - self._last)
        self._last = now
