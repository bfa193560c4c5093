"""What a photo log has come to, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.gamelog import Note
from companion.reconcile.photolog.claims import Claim
from companion.reconcile.photolog.looks import kept_cells
from companion.reconcile.photolog.reconstruct import Account, PhotoAccount
from companion.scores import Score, Standing
from companion.terminal import named, player, told_winners
from engine import Start, Text
from engine.table import EMPTY
from engine.text import Seat, say


def told_miskept(told: PhotoAccount, account: Account) -> list[Text]:
    """Scores that the players keep wrongly since this photo: what the cube says, what it should be, and why."""
    return [
        _miskept(seat, claim)
        for seat, claim in told.claims.items()
        if claim.miskept and not _was_miskept(account, told, seat)
    ]


def wrong_markers(told: PhotoAccount, account: Account) -> list[Note]:
    """A note for every score marker that does not fit in a photo, whether it stood wrong before or not."""
    return [
        Note(
            _still_miskept(seat, claim) if _was_miskept(account, told, seat) else _miskept(seat, claim),
            seat,
            claim.shown,
        )
        for seat, claim in told.claims.items()
        if claim.miskept
    ]


def _miskept(seat: int, claim: Claim) -> Text:
    return say(
        "{player}: the cube says {shown}, it should be {score}, since round {round}: {why}",
        player=Seat(seat),
        shown=str(claim.shown),
        score=str(claimed(claim)),
        round=claim.rounds,
        why=claim.why,
    )


def _still_miskept(seat: int, claim: Claim) -> Text:
    return say(
        "{player}: the cube still says {shown}, it should be {score}",
        player=Seat(seat),
        shown=str(claim.shown),
        score=str(claimed(claim)),
    )


def _was_miskept(account: Account, told: PhotoAccount, seat: int) -> bool:
    """Whether the cube stood wrong already when the board was seen before."""
    before = [other.claims[seat] for other in account.photos[: account.photos.index(told)] if seat in other.claims]
    return bool(before) and before[-1].miskept


def told_account(start: Start, account: Account, standing: Standing) -> Iterator[str]:
    """A photo log in lines: what each photo brought, then where the game stands by its log."""
    if account.ordered_by == "walls":
        yield "The photos are ordered by what they show: not all have a time, or their clocks contradict the boards."
    for told in account.photos:
        yield from _told_photo(start, told, account)
    yield from (f"! {named(start, left_out.why)}" for left_out in account.left_out)
    yield "\nThe game is over." if account.over else "\nThe game is not over, as far as the photos go."
    for seat in start.setup.seats:
        claim = account.final.get(seat)
        yield f"  {player(start, seat)}: {claimed(claim) if claim else 'not seen at the end'}"
        if claim and not claim.exact:
            yield f"      {named(start, claim.why)}"
            yield f"      what would settle it: {named(start, claim.settle or '')}"
        if claim and claim.miskept:
            yield f"      the cube shows {claim.shown}, which does not fit"
    if standing.over:
        yield f"  {told_winners(start, standing)}"


def _told_photo(start: Start, told: PhotoAccount, account: Account) -> Iterator[str]:
    when = f"round {told.rounds + 1}, all tiles taken" if told.closed else f"{told.rounds} rounds scored"
    if told.same_as:
        yield f"{told.name}: {when}; shows the same position as {told.same_as}"
    else:
        yield f"{told.name}: {when}"
    for seat, claim in told.claims.items():
        yield f"  {player(start, seat)} {claimed(claim)}: {named(start, claim.why)}"
    yield from (f"  ! {named(start, text)}" for text in told_miskept(told, account))
    for doubt in told.doubts:
        reads = " or ".join(f"{value} {100 * chance:.0f} %" for value, chance in doubt.reads.items())
        yield f"  ? seat {doubt.seat} {doubt.cell}: {reads}"


def claimed(claim: Claim) -> Score:
    """What is claimed of a score, as every page and command shows scores."""
    return Score(claim.low, claim.high)


def account_json(game: str, account: Account) -> Iterator[dict[str, Any]]:
    """An object for each photo in order, then one for the game."""
    for told in account.photos:
        yield {
            "photo": told.name,
            "sha256": told.sha256,
            "round": told.rounds,
            "drafted": told.closed,
            "same_as": told.same_as,
            "boards": [
                {"seat": seat, "new_tiles": _new_tiles(account, told, seat)} | claim_json(claim)
                for seat, claim in told.claims.items()
            ],
            "findings": list(map(str, told_miskept(told, account))),
            "doubts": [{"seat": d.seat, "cell": d.cell, "reads": dict(d.reads)} for d in told.doubts],
        }
    final = [{"seat": seat} | claim_json(claim) for seat, claim in account.final.items()]
    told_out = {"left_out": [{"photo": each.snapshot.name, "why": str(each.why)} for each in account.left_out]}
    whole = {"game": game, "over": account.over, "ordered_by": account.ordered_by, "final": final}
    yield whole | (told_out if account.left_out else {})


def _new_tiles(account: Account, told: PhotoAccount, seat: int) -> list[str]:
    """The cells that this photo is the first to show filled, of those that keep what was laid there."""
    before = [other.boards[seat] for other in account.photos[: account.photos.index(told)] if seat in other.boards]
    old = before[-1].letters if before else {}
    kept, now = kept_cells(told.arranged.snapshot.edition), told.boards[seat].letters
    return [cell for cell, kind in now.items() if cell in kept and kind != EMPTY == old.get(cell, EMPTY)]


def claim_json(claim: Claim) -> dict[str, Any]:
    """A score as programs get it."""
    told: dict[str, Any] = {
        "score": claim.best if claim.exact else None,
        "low": claim.low,
        "high": claim.high,
        "reads": {str(score): round(chance, 4) for score, chance in claim.reads.items()},
        "basis": claim.basis,
        "why": str(claim.why),
        "cube": claim.shown,
    }
    return told | ({"settle": str(claim.settle)} if claim.settle else {})
