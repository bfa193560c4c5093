"""Writes into a game's log what photos tell: readings, corrections of the state, doubts, and what was found out.

Whatever was interrupted is made good by the next run: a photo is logged once, and in the end the state is brought to
what the last photo shows.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.gamelog import Answer, Doubt, Game, Note, PhotoRead, Record, correction
from companion.ledger import standing
from companion.photolog.corrections import differing
from companion.photolog.memory import SCRIBE, snapshots, words
from companion.photolog.reading import Done
from companion.photolog.report import claimed, wrong_markers
from companion.pipeline import layout_of, networks_name
from companion.reconcile.photolog.claims import Claim
from companion.reconcile.photolog.gaps import Match, stretches_of
from companion.reconcile.photolog.looks import kept_cells
from companion.reconcile.photolog.reconstruct import Account, PhotoAccount, reconstruct
from companion.scores import SCORE, Score
from engine import FILL, Edition, EngineError, Part
from engine.table import ALL, EMPTY, Frozen, Kinds
from engine.text import say

ANSWERED = 0.985
"""A doubt is answered by later photos where one reading has become so likely."""


def account_of(game: Game, round_ends: bool = False, hints: Mapping[str, int] | None = None) -> Account:
    """The game as its logged photos tell it."""
    entries, start = game.entries(), game.start
    match = Match(start.edition, layout_of(start.setup.edition), start.setup)
    return reconstruct(snapshots(game, entries, round_ends), match, hints, words(entries, start.edition))


def log_photos(
    game: Game, done: Sequence[Done], round_ends: bool = False, hints: Mapping[str, int] | None = None
) -> Account:
    """Log photos that were read, and what all photos of the game tell together."""
    known = {row.sha256 for row in game.photo_rows()}
    for photo in {each.work.sha256: each for each in done if each.reading is not None}.values():
        if photo.work.sha256 not in known:
            game.append(PhotoRead(photo.reading, networks_name()), SCRIBE, photo.photo)
    account = account_of(game, round_ends, hints)
    new = [told for told in account.photos if told.sha256 not in known]
    first = next((i for i, told in enumerate(account.photos) if told.sha256 not in known), len(account.photos))
    in_order = len(account.photos) - first == len(new)
    for told in new if in_order else account.photos[-1:]:
        _write_state(game, told)
        _write_findings(game, told, account)
    for left_out in account.left_out:
        _write_notes(game, [Note(left_out.why)], left_out.snapshot.sha256)
    _bring_up_to_date(game, account)
    return account


def _write_state(game: Game, told: PhotoAccount) -> None:
    """Corrections after which the state is what a photo shows; a note where what it shows cannot be."""
    events = _corrections(game, told)
    if events is None:
        note = Note(
            say("{photo} shows more pieces of a kind than there are, so its position is not logged", photo=told.name)
        )
        _write_notes(game, [note], told.sha256)
    for event in events or ():
        game.append(event, SCRIBE, told.sha256)


@dataclass(frozen=True)
class _Step:
    """What the table becomes before it is what a photo shows, or in the end."""

    common: Part
    boards: Mapping[int, Part]


def _corrections(game: Game, told: PhotoAccount) -> list[Record] | None:
    """What belongs to all and then boards, one after the other; None where they cannot lie there together.

    Where that would need more pieces than there are for a while, what does not stay goes first; boards that are not in
    view may long have lost it, and walls may have been misread before.
    """
    edition, state = game.start.edition, game.refresh().state
    shown = _Step(_common(told, edition), {seat: candidate.board.part for seat, candidate in told.boards.items()})
    bare = Part(ALL, heaps=_bare_heaps(told, edition))
    lying = {part.seat: part for part in edition.table(state).boards}
    kept = {seat: _cleared(part, kept_cells(edition.slug)) for seat, part in lying.items()}
    seen = {seat: part for seat, part in kept.items() if seat in told.boards}
    none = {seat: _cleared(part, ()) for seat, part in lying.items() if seat in told.boards}
    for steps in ([shown], [_Step(bare, seen), shown], [_Step(bare, kept), shown], [_Step(bare, kept | none), shown]):
        try:
            return list(_events(game, told, steps))
        except EngineError:
            continue
    return None


def _cleared(part: Part, kept: Container[str]) -> Part:
    """A part without anything but what lies in some cells."""
    cells = Frozen((name, EMPTY) for name in part.cells if name not in kept)
    return replace(part, cells=cells, heaps=Frozen((name, ()) for name in part.heaps))


def _events(game: Game, told: PhotoAccount, steps: Sequence[_Step]) -> Iterator[Record]:
    edition, folded = game.start.edition, game.refresh()
    state, known = folded.state, standing(folded).track
    for step in steps:
        far = _how_far(told, state) if step is steps[-1] else {}
        if changed := differing(edition.table(state).common, step.common, edition) | far:
            state = edition.correct(state, changed, 0)
            yield _correct(0, changed, told)
        for seat, part in step.boards.items():
            cells = differing(edition.table(state).part(seat), part, edition)
            if step is steps[-1]:
                score = told.claims[seat].best
                if score != state.scores[seat - 1] or _settles(told.claims[seat], known[seat - 1]):
                    cells[SCORE] = score
            if cells:
                state = edition.correct(state, cells, seat)
                yield _correct(seat, cells, told)


def _common(told: PhotoAccount, edition: Edition[Any, Any]) -> Part:
    """What belongs to all as a photo surely shows it, else bare."""
    shot = told.arranged.snapshot
    seen = next((look.common for look in shot.boards), Part(0))
    if shot.left is not None and seen.heaps:
        return seen
    return replace(seen, heaps=_bare_heaps(told, edition))


def _bare_heaps(told: PhotoAccount, edition: Edition[Any, Any]) -> Frozen[Kinds]:
    """What belongs to all where nothing is laid out."""
    setup = edition.setup(told.arranged.snapshot.side, len(edition.players) + 1)
    return edition.table(edition.start(setup)).common.heaps


def _how_far(told: PhotoAccount, state: Any) -> dict[str, Any]:
    now = {"round": told.rounds + (told.closed or bool(told.arranged.snapshot.left)), "phase": FILL}
    return {name: value for name, value in now.items() if getattr(state, name) != value}


def _settles(claim: Claim, known: Score) -> bool:
    """Whether a photo tells what the log holds open: then its score is logged even if it is the one believed."""
    return (claim.exact and not known.exact) or (known.marker is not None and not claim.miskept)


def _correct(seat: int, cells: Mapping[str, Any], told: PhotoAccount) -> Record:
    why = say("seen in {photo}", photo=told.name)
    if SCORE in cells and not told.claims[seat].exact:
        # A record has no doubts, so whoever replays it is told here.
        why = say("{why}; the score is open: {score}", why=why, score=str(claimed(told.claims[seat])))
    return correction(cells, seat, why)


def _write_findings(game: Game, told: PhotoAccount, account: Account) -> None:
    """Doubts that stay, and scores that were kept wrongly on the table."""
    folded = game.folded
    asked = {event.id for event in folded.events.values() if isinstance(event, Doubt)}
    for doubt in _doubts(told):
        if doubt.id not in asked:
            game.append(doubt, SCRIBE, told.sha256)
    _write_notes(game, wrong_markers(told, account), told.sha256)


def _write_notes(game: Game, notes: Sequence[Note], photo: str) -> None:
    """Notes on a photo, each once."""
    folded = game.refresh()
    noted = {(event, folded.photos.get(n)) for n, event in folded.events.items() if isinstance(event, Note)}
    for note in notes:
        if (note, photo) not in noted:
            game.append(note, SCRIBE, photo)


def _doubts(told: PhotoAccount) -> Iterator[Doubt]:
    for doubted in told.doubts:
        yield Doubt(_id(told, doubted.seat, doubted.cell), _rounded(doubted.reads), doubted.cell, doubted.seat)
    for seat, claim in told.claims.items():
        if not claim.exact:
            reads = {str(score): chance for score, chance in claim.reads.items()}
            yield Doubt(_id(told, seat, SCORE), _rounded(reads), SCORE, seat)


def _id(told: PhotoAccount, seat: int, cell: str) -> str:
    return f"{told.sha256[:12]}-{seat}-{cell}"


def _rounded(reads: Mapping[str, float]) -> dict[str, float]:
    return {value: round(min(chance, 1.0), 4) for value, chance in reads.items()}


def _bring_up_to_date(game: Game, account: Account) -> None:
    """What later photos say about open doubts, and about the state that the last photo shows."""
    photos = {told.sha256[:12]: told for told in account.photos}
    for doubt in game.refresh().doubts.values():
        told = photos.get(doubt.id.split("-")[0])
        if told is not None and (value := _settled(told, doubt)) is not None:
            game.append(Answer(doubt.id, value), SCRIBE, told.sha256)
    if not account.photos:
        return
    last = account.photos[-1]
    if game.refresh().state.phase != FILL:
        return
    _write_state(game, last)
    if account.over and (phase := _closing(game, last)) is not None:
        game.append(_correct(0, {"phase": phase}, last), SCRIBE, last.sha256)


def _closing(game: Game, last: PhotoAccount) -> str | None:
    """The phase of a game that the last photo shows to be over; None where people still have a choice."""
    views = [candidate.board for candidate in last.boards.values()]
    return stretches_of(game.start.edition).closing(views, game.start.setup)


def _settled(told: PhotoAccount, doubt: Doubt) -> str | None:
    """What a doubt has come to, None while it is open."""
    if doubt.cell == SCORE:
        claim: Claim | None = told.claims.get(doubt.seat)
        return str(claim.best) if claim and claim.exact else None
    if any(other.seat == doubt.seat and other.cell == doubt.cell for other in told.doubts):
        return None
    board = told.boards.get(doubt.seat)
    return board.letters.get(doubt.cell) if board else None
