"""Searching the whole picture for the boards of a table, and what is said where there are none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.layout import Layout
from engine.text import EditionName, Text, say
from vision.errors import BoardNotFoundError
from vision.find import BoardMap, Found, find
from vision.locate import Sought, believed, is_on
from vision.markers import find_markers
from vision.network import Families, Models, editions_of, kind_of
from vision.placed import place_by, sought, told_stranger
from vision.pose import Array
from vision.rectify import Pyramid
from vision.scene import TableScene
from vision.sighting import Located, Stranger
from vision.together import by_three_corners, together


def search(
    pyramid: Pyramid,
    networks: Families,
    layout_of: Callable[[str], Layout],
    edition: str | None,
    corners_px: Sequence[Array],
    focal_px: float | None,
) -> TableScene:
    """The boards of one edition in a picture; the edition may be told, and so may where boards are."""
    found = [
        _searched(pyramid, models, edition, corners_px, focal_px, layout_of) for models in networks.knowing(edition)
    ]
    best = max(found, key=lambda each: (len(each.own), sum(board.sure for board in each.own)))
    if not best.own:
        raise _nothing_found(pyramid, networks, found, edition, layout_of)
    slug, side, _ = Counter(kind_of(board.kind) for board in best.own).most_common(1)[0][0]
    taken = [board for each in found if each is not best for board in each.own if not is_on(board.corners_px, best.own)]
    strangers = [*best.strangers, *(Stranger(board.corners_px, board.kind) for board in taken)]
    strangers += [
        Stranger(board.corners_px, board.kind) for board in best.boards if kind_of(board.kind).edition != slug
    ]
    boards = [board for board in best.boards if kind_of(board.kind).edition == slug]
    return TableScene(best.models, slug, side, boards, strangers, best.found)


@dataclass(frozen=True)
class _FoundBoards:
    """What a family of networks makes of a picture."""

    models: Models
    found: Found
    boards: Sequence[Located]
    strangers: Sequence[Stranger]

    @property
    def own(self) -> list[Located]:
        """The first boards of seats."""
        return [board for board in self.boards if not kind_of(board.kind).surface]


def _searched(
    pyramid: Pyramid,
    models: Models,
    edition: str | None,
    corners_px: Sequence[Array],
    focal_px: float | None,
    layout_of: Callable[[str], Layout],
) -> _FoundBoards:
    """The boards that a family knows, of one edition or of all of its own."""
    kinds = sought([kind for kind in models.kinds if edition in (None, kind_of(kind).edition)], layout_of)
    found = find(pyramid, models)
    boards = [] if corners_px else _by_print(pyramid, found.board_map, models, kinds, focal_px)
    strangers: list[Stranger] = []
    if not boards:
        boards, strangers = _placed(pyramid, models, kinds, corners_px, layout_of)
    return _FoundBoards(models, found, boards, strangers)


def _by_print(
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
    found: Sequence[_FoundBoards],
    edition: str | None,
    layout_of: Callable[[str], Layout],
) -> BoardNotFoundError:
    """Why nothing is read: perhaps these are boards of another edition than was told."""
    strangers = [stranger for each in found for stranger in each.strangers]
    if not strangers and edition is not None:
        for models in networks.knowing(None):
            board_map = next((each.found.board_map for each in found if each.models is models), None)
            kinds = sought([kind for kind in models.kinds if kind_of(kind).edition != edition], layout_of)
            board_map = board_map or find(pyramid, models).board_map
            boards = believed(pyramid, board_map.guesses, models, kinds) if kinds else []
            strangers += [Stranger(board.corners_px, board.kind) for board in boards]
    like = next((kind_of(stranger.kind).edition for stranger in strangers if stranger.kind), "")
    known = [edition] if edition else editions_of(networks.kinds)
    return BoardNotFoundError(nothing(strangers, known, edition), like)


def nothing(strangers: Sequence[Stranger], sought: Sequence[str], edition: str | None) -> Text:
    """Why there is no board to read, and what to do."""
    if strangers:
        return told_stranger(strangers[0], sought)
    if edition:
        return say(
            "no board of {edition} was found; show a whole board, sharp and not too slanted, or give its corners",
            edition=EditionName(edition),
        )
    return say("no board was found; show a whole board, sharp and not too slanted, or give its corners")
