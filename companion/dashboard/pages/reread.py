"""Old photos read anew: the reading begun, what differs accepted one by one."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, abort, request, url_for

from companion.dashboard.drawing.crops import Sight, sights_of
from companion.dashboard.drawing.helpers import is_number
from companion.dashboard.jobs.album import bring_up_to_date, is_of_photos
from companion.dashboard.jobs.reread import Anew
from companion.dashboard.live.alerts import reading_of
from companion.dashboard.replies import go, page
from companion.dashboard.security.access import Role, device, needs
from companion.dashboard.security.limits import UPLOADS, limiter
from companion.dashboard.site import site
from companion.dashboard.snapshot import Snapshot
from companion.dashboard.text.words import gettext as _
from companion.gamelog import Answer, Game, PhotoRead, Proposal, correction
from companion.photolog.differences import Difference, differences
from companion.photolog.memory import NO, YES
from companion.pipeline import networks_name
from engine.errors import EngineError
from engine.text import say

blueprint = Blueprint("reread", __name__)

UNKNOWN = ("?", "None")
"""What a reading says of a cell or a score that cannot be seen."""


@dataclass(frozen=True)
class Proposed:
    """A photo that reads differently now, and how."""

    proposal: Proposal
    photo: str | None
    changes: tuple[tuple[Difference, Sight | None], ...]
    """Each with the part of the photo that shows it."""


@blueprint.get("/game/<game>/proposals")
def proposals(game: str) -> str:
    """What photos tell that were read anew, to be accepted one by one."""
    snapshot = site().book(game).read()
    found = [_proposed(snapshot, proposal) for proposal in snapshot.folded.proposals.values()]
    return page("proposals.html", snapshot=snapshot, proposals=found, of_photos=is_of_photos(snapshot))


@blueprint.post("/game/<game>/proposals")
@needs(Role.TABLE)
def decide(game: str) -> Response:
    """Accept what is ticked of a proposal, or refuse all of it."""
    book = site().book(game)
    snapshot, wanted = book.read(), request.form.get("id", "")
    proposal = next((each for each in snapshot.folded.proposals.values() if each.id == wanted), None)
    if proposal is None:
        abort(409, _("This has already been answered."))
    if request.form.get("value") not in (YES, NO):
        abort(400, _("A proposal can only be accepted or rejected."))
    changes = [change for change, _sight in _proposed(snapshot, proposal).changes]
    ticked = request.form.getlist("change") if request.form["value"] == YES else []
    taken = [change for change in changes if change.name in ticked]
    value = YES if len(taken) == len(changes) else " ".join(change.name for change in taken) or NO
    book.game.append(Answer(proposal.id, NO if request.form["value"] == NO else value), device())
    if is_of_photos(snapshot):
        bring_up_to_date(book.read())
    elif snapshot.shown is not None and proposal.n == snapshot.shown.n:
        _correct(book.game, taken, snapshot.entries[proposal.n].photo)
    return go(url_for("reread.proposals", game=game))


@blueprint.post("/game/<game>/reread")
@needs(Role.TABLE)
@limiter.limit(UPLOADS)
def begin(game: str) -> Response:
    """Begin to read a game's photos anew."""
    book, running = site().book(game), site().anew.get(game)
    if running is None or running.is_over:
        site().anew[game] = Anew(book.game)
        site().anew[game].start(site().pictures, site().networks())
    return go(url_for("reread.progress", game=game))


@blueprint.get("/game/<game>/reread")
def progress(game: str) -> str:
    """How far the reading is."""
    snapshot = site().book(game).read()
    return page("reread.html", snapshot=snapshot, anew=site().anew.get(game))


def unread(snapshot: Snapshot) -> tuple[int, int]:
    """How many photos other networks than the present ones read, and how many there are."""
    photos = [entry.event for entry in snapshot.entries.values() if isinstance(entry.event, PhotoRead) and entry.photo]
    return sum(photo.model != networks_name() for photo in photos), len(photos)


def _proposed(snapshot: Snapshot, proposal: Proposal) -> Proposed:
    photo, before = snapshot.entries[proposal.n].photo, reading_of(snapshot, proposal.n)
    found = differences(before or {"boards": []}, proposal.reading)
    changes = tuple(
        (each, next(iter(sights_of(photo, proposal.reading, [(each.seat, each.cell)])), None) if photo else None)
        for each in found
    )
    return Proposed(proposal, photo, changes)


def _correct(game: Game, taken: list[Difference], photo: str | None) -> None:
    """What people accept of the photo that shows the table as it is now corrects a game that a camera follows."""
    for each in taken:
        if not each.seat or each.after in UNKNOWN:
            continue
        cells = {each.cell: int(each.after) if is_number(game.start.edition, each.cell) else each.after}
        try:
            game.start.edition.correct(game.refresh().state, cells, each.seat)
        except EngineError:
            continue
        game.append(correction(cells, each.seat, say("as read again in the photo")), device(), photo)
