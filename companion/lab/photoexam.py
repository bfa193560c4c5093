"""Photo logs of games whose scores are known, made and judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import dist
from random import Random
from typing import Any

import numpy as np

from companion.lab.confusions import Confusions
from companion.lab.imagine import imagine
from companion.lab.photogames import PhotoGame, Taken
from companion.lab.staging import stage_table
from companion.pipeline import layout_of, read_photo
from companion.reconcile.photo import to_table
from companion.reconcile.photolog.claims import Claim
from companion.reconcile.photolog.gaps import Match
from companion.reconcile.photolog.looks import PhotoReading, snapshot, with_reads
from companion.reconcile.photolog.reconstruct import Account, reconstruct
from engine import load
from hardware.tabletop.art import load_art
from hardware.tabletop.photograph import photograph
from hardware.tabletop.tiers import TIERS
from vision.errors import VisionError
from vision.network import Families

Whose = Mapping[int, int]
"""For each board of a photo, by the number that the picture gives it, whose it truly is."""


@dataclass(frozen=True)
class Shot:
    """A photo as it was read, by its number in the game, and whose boards it truly shows."""

    number: int
    reading: dict[str, Any]
    whose: Whose

    def to_json(self) -> dict[str, Any]:
        """As a benchmark keeps it between two runs."""
        return {"number": self.number, "reading": self.reading, "whose": list(self.whose.items())}

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Shot:
        """What `to_json` wrote."""
        return cls(told["number"], told["reading"], dict(told["whose"]))


def imagined_shots(game: PhotoGame, rng: Random, confusions: Confusions) -> list[Shot]:
    """The game's photos as vision would read them, by its measured confusions."""
    edition, shots = load(game.edition), []
    for number, photo in enumerate(game.photos):
        sighting = imagine(photo.shown, rng, confusions)
        if not sighting.boards:
            continue
        table = with_reads(to_table(sighting, edition), sighting, layout_of(game.edition))
        shots.append(Shot(number, table, photo.whose))
    return shots


def rendered_shots(game: PhotoGame, seed: int, networks: Families) -> list[Shot]:
    """The game's photos made and read; one in which nothing is found is left out, as `azul log` does."""
    layout, shots = layout_of(game.edition), []
    art = load_art(layout)
    for number, photo in enumerate(game.photos):
        tier = TIERS["phone-board" if len(photo.seats) == 1 else "rig"]
        made = photograph(stage_table(photo.shown, layout), layout, art, tier, seed + number)
        try:
            read = read_photo(made.jpeg, _name(number), networks, game.edition)
        except VisionError:
            continue
        middles = {photo.whose[n]: corners.mean(axis=0) for n, corners in made.truth.corners_px.items()}
        table = with_reads(read.table, read.sighting, layout)
        shots.append(Shot(number, table, _whose(photo, table, middles)))
    return shots


def _whose(photo: Taken, table: Mapping[str, Any], middles: Mapping[int, Any]) -> Whose:
    if len(photo.seats) == 1:
        return dict.fromkeys((board["seat"] for board in table["boards"]), photo.seats[0])
    found = {board["seat"]: np.mean(board["corners_px"], axis=0) for board in table["boards"]}
    return {number: min(middles, key=lambda seat: dist(middles[seat], place)) for number, place in found.items()}


def _snapshot(shot: Shot, game: PhotoGame) -> PhotoReading:
    taken_at = f"2026-01-01T{shot.number // 60:02}:{shot.number % 60:02}:00"
    reading = {**shot.reading, "photo": _name(shot.number)}
    return snapshot(
        reading, game.setup.players, sha256=f"{shot.number:064x}", taken_at=taken_at, round_ends=game.single
    )


def _name(number: int) -> str:
    return f"photo{number + 1}.jpg"


def account_of(game: PhotoGame, shots: Sequence[Shot]) -> Account:
    """The game as its photos tell it."""
    match = Match(load(game.edition), layout_of(game.edition), game.setup)
    return reconstruct([_snapshot(shot, game) for shot in shots], match)


def judge(game: PhotoGame, shots: Sequence[Shot]) -> dict[str, Any]:
    """What is claimed of a game and whether it is true, as the benchmark keeps it."""
    account = account_of(game, shots)
    rounds = list(_judged_photos(game, shots, account))
    ends = list(_judged_end(game, shots, account))
    return {
        "game": game.number,
        "edition": game.edition,
        "side": game.setup.side,
        "players": game.setup.players,
        "moment": game.moment,
        "single": game.single,
        "often": game.often,
        "photos": len(shots),
        "over": account.over,
        "rounds": _tally(rounds),
        "final": _tally(ends),
        "clock": _right_rounds(game, account),
        "miskept": sum(claim.miskept for claim, _ in rounds),
        "doubts": sum(len(told.doubts) for told in account.photos),
        "wrong": [_wrong(claim, truth) for claim, truth in (*rounds, *ends) if not holds(claim, truth)],
    }


def _judged_photos(game: PhotoGame, shots: Sequence[Shot], account: Account) -> Iterable[tuple[Claim, int]]:
    whose = {shot.number: shot.whose for shot in shots}
    for told in account.photos:
        number = int(told.arranged.snapshot.sha256, 16)
        truth = game.photos[number].scores
        for seat, look in told.arranged.looks().items():
            if seat in told.claims:
                yield told.claims[seat], truth[whose[number][look.seat]]


def _right_rounds(game: PhotoGame, account: Account) -> int:
    """At how many photos the number of rounds that were scored is right."""
    rounds = accumulate((game.photos[int(told.sha256, 16)].round for told in account.photos), max)
    return sum(told.rounds == truth for told, truth in zip(account.photos, rounds, strict=True))


def _judged_end(game: PhotoGame, shots: Sequence[Shot], account: Account) -> Iterable[tuple[Claim, int]]:
    """Final scores, of a game whose end was photographed."""
    if not account.over or not game.over:
        return
    whose = {shot.number: shot.whose for shot in shots}
    owners: dict[int, int] = {}
    for told in account.photos:
        for seat, look in told.arranged.looks().items():
            owners[seat] = whose[int(told.arranged.snapshot.sha256, 16)][look.seat]
    yield from ((claim, game.final[owners[seat]]) for seat, claim in account.final.items())


def holds(claim: Claim, truth: int) -> bool:
    """Whether the truth is what is claimed, or within it."""
    return claim.low <= truth <= claim.high


def _tally(judged: Sequence[tuple[Claim, int]]) -> dict[str, Any]:
    widths = Counter(claim.high - claim.low for claim, _ in judged)
    return {
        "claims": len(judged),
        "held": sum(holds(claim, truth) for claim, truth in judged),
        "exact": sum(claim.exact for claim, _ in judged),
        "widths": {str(width): count for width, count in sorted(widths.items())},
        "bases": dict(sorted(Counter(claim.basis for claim, _ in judged).items())),
    }


def _wrong(claim: Claim, truth: int) -> dict[str, Any]:
    return {"seat": claim.seat, "truth": truth, "low": claim.low, "high": claim.high, "why": str(claim.why)}


def summary(games: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Many games together."""
    whole: dict[str, Any] = {"games": len(games), "photos": sum(game["photos"] for game in games)}
    for kind in ("rounds", "final"):
        widths: Counter[int] = Counter()
        for game in games:
            widths.update({int(width): count for width, count in game[kind]["widths"].items()})
        claims = sum(widths.values())
        whole[kind] = {
            "claims": claims,
            "held": sum(game[kind]["held"] for game in games),
            "exact": widths[0],
            "mean_width": round(sum(width * count for width, count in widths.items()) / claims, 3) if claims else 0.0,
            "widest": max(widths, default=0),
        }
    whole["clock"] = sum(game["clock"] for game in games)
    whole["miskept"] = sum(game["miskept"] for game in games)
    whole["doubts"] = sum(game["doubts"] for game in games)
    return whole
