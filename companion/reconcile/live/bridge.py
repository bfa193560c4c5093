"""A bridge: the game goes on from what lies on the table, where nobody saw the moves that led there.

Boards and heaps are set to what is seen. What each score can have become is told by the same stretches as between two
photos of a photo log, and by the score tracks; how far the game is, by the edition. Nobody is accused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from types import MappingProxyType
from typing import Any

from companion.reconcile.doubtful import violations_beyond
from companion.reconcile.live.corrections import corrections_to
from companion.reconcile.live.outcome import LOOKS_AGREE, Bridge
from companion.reconcile.live.story import enact
from companion.reconcile.photolog.chain import Chain, Link, begin, run_chain
from companion.reconcile.photolog.gaps import Match, Moment, stretches_of, weighed_stretches
from companion.reconcile.photolog.looks import Candidate, kept_cells
from companion.reconcile.photolog.passage import earned
from companion.reconcile.photolog.scale import scale_of
from companion.reconcile.reading import TableReading
from companion.reconcile.tracks import SCORE
from engine import Edition, Part, Table, View, Violation
from engine.moves import Correct
from engine.resume import Resumption
from engine.stretch import pieces_left
from engine.table import ALL, EMPTY, UNSEEN, Frozen
from engine.text import Text, say_n

STAYS = 0.1
"""A cell in doubt is taken for what the game has there, if it is at least so likely."""
HOPELESS = -1e9
CONTRADICTED = -9.0
"""A track that fits what was earned no better than this contradicts it."""
FALLS = 0.25
"""By no more than this share of a lap a score falls while nobody looks."""
LIKELY = 0.1
NEGLIGIBLE = 1e-4
"""How the game may stand with less weight than this is not reckoned with."""

NONE_OFF: Mapping[int, int] = MappingProxyType({})
"""No mark is known to be wrong."""

Scores = Mapping[int, float]
"""How likely each score is."""


def bridge(
    edition: Edition[Any, Any],
    state: Any,
    reading: TableReading,
    others: Sequence[tuple[Any, float]] = (),
    off: Mapping[int, int] = NONE_OFF,
) -> Bridge | None:
    """The bridge from a state to what lies there; None where that cannot lie there, or nothing tells how it stands.

    `others` are states in which the game may stand instead, each with how likely it is; `off` tells by seat by how much
    a mark was wrong before, and so still is.
    """
    match = Match(edition, edition.layout, state.setup)
    table = _lying(edition.table(state), reading)
    before = moment_of(edition.table(state), match, stretches_of(edition).scored_in(state))
    after = moment_of(table, match)
    shown = {part.seat: _meant(_shown(part, reading), off.get(part.seat, 0), edition) for part in table.boards}
    rounds, chains = _scored(state, table, before, after, shown, match)
    claims = {seat: _claimed(chain, shown[seat]) for seat, chain in chains.items()}
    scores = {seat: max(told, key=told.__getitem__) for seat, told in claims.items()}
    ways = _ways(edition, [(state, max(0.0, 1.0 - sum(share for _, share in others))), *others], table, rounds)
    for way in ways:
        moves = corrections_to(edition, state, table, scores, way.numbers, told_missed(way.missed))
        if moves is not None:
            return _bridge(edition, state, moves, claims, ways, way)
    return None


def put_right(
    edition: Edition[Any, Any],
    state: Any,
    reading: TableReading,
    off: Mapping[int, int],
    seat: int,
    cells: Mapping[str, str],
) -> tuple[Correct, Scores]:
    """The correction of some cells of a seat, and the scores that are possible with them; `off` as for a bridge."""
    match, now = Match(edition, edition.layout, state.setup), edition.table(state)
    part = now.part(seat)
    right = replace(part, cells=Frozen({**part.cells, **cells}))
    table = replace(now, parts=tuple(right if each.seat == seat else each for each in now.parts))
    shown = {each.seat: _meant(_shown(each, reading), off.get(each.seat, 0), edition) for each in now.boards}
    before = moment_of(now, match, stretches_of(edition).scored_in(state))
    _, chains = _scored(state, table, before, moment_of(table, match), shown, match)
    scores = _claimed(chains[seat], shown[seat])
    score = max(scores, key=scores.__getitem__)
    told: dict[str, str | int] = {**cells, **({SCORE: score} if score != state.scores[seat - 1] else {})}
    return Correct(seat, tuple(told.items()), LOOKS_AGREE), scores


def _ways(
    edition: Edition[Any, Any], states: Sequence[tuple[Any, float]], table: Table, rounds: int
) -> list[Resumption]:
    """How the game may stand, whichever of these states it came from, the likeliest first."""
    found: dict[tuple[tuple[str, str | int], ...], Resumption] = {}
    for state, share in states:
        ways = list(edition.resumes(state, table, rounds))
        total = sum(way.weight for way in ways)
        for way in ways:
            key = tuple(way.numbers.items())
            known = found.get(key, replace(way, weight=0.0))
            found[key] = replace(known, weight=known.weight + share * way.weight / total)
    return sorted(found.values(), key=lambda way: -way.weight)


def told_missed(count: int) -> Text:
    """Why a bridge corrects a game."""
    return say_n("about {count} move was missed", "about {count} moves were missed", max(count, 1))


def visibly_wrong(edition: Edition[Any, Any], state: Any, reading: TableReading) -> tuple[Violation, ...]:
    """The rules that boards surely break as they lie there now, and did not break in the state before."""
    doubted = [(doubt.seat, doubt.cell) for doubt in reading.doubts]
    before = {_what(each) for each in edition.table_violations(edition.table(state), None)}
    found = violations_beyond(edition, reading.table, doubted, pictured=True)
    return tuple(each for each in found if each.seat and each.cell != SCORE and _what(each) not in before)


def _what(violation: Violation) -> tuple[str, int, str]:
    return violation.rule, violation.seat, violation.cell


def _bridge(
    edition: Edition[Any, Any],
    state: Any,
    moves: tuple[Correct, ...],
    claims: Mapping[int, Scores],
    ways: Sequence[Resumption],
    best: Resumption,
) -> Bridge:
    for move in moves:
        state = edition.settle(enact(edition, state, move))
    total = sum(way.weight for way in ways)
    others = tuple(
        (Correct(0, tuple(changed.items()), told_missed(best.missed)), log(way.weight / total))
        for way in ways
        if way.weight > NEGLIGIBLE * total
        and (changed := {name: value for name, value in way.numbers.items() if best.numbers.get(name) != value})
    )
    open_ = {seat: scores for seat, scores in claims.items() if len(scores) > 1}
    return Bridge(moves, state, best.missed, open_, others)


def _lying(known: Table, reading: TableReading) -> Table:
    """The table that was read; what is hidden, what is kept, or what is in doubt and possible lies as in the game."""
    doubts = {(doubt.seat, doubt.cell): doubt.reads for doubt in reading.doubts}
    return replace(known, parts=tuple(_part(part, reading, doubts) for part in known.parts))


def _part(known: Part, reading: TableReading, doubts: Mapping[tuple[int, str], Mapping[str, float]]) -> Part:
    seen, kept = reading.table.part(known.seat), kept_cells(reading.table.edition)
    cells = {}
    for name, kind in known.cells.items():
        read = seen.cells.get(name, UNSEEN)
        stays = doubts.get((known.seat, name), {}).get(kind, 0.0) >= STAYS or (read == EMPTY and name in kept)
        cells[name] = kind if read == UNSEEN or stays else read
    heaps = {**known.heaps, **seen.heaps} if known.seat else {**seen.heaps}
    # Numbers of the table that no look shows may have changed meanwhile.
    unseen = {} if known.seat == ALL else known.tracks
    tracks = {**unseen, **{name: number for name, number in seen.tracks.items() if number is not None}}
    return replace(known, cells=Frozen(cells), heaps=Frozen(heaps), tracks=Frozen(tracks))


def moment_of(table: Table, match: Match, scored: int | None = None) -> Moment:
    """What a table tells of rounds and pieces; `scored` is how many rounds were scored on its boards, if known."""
    left = pieces_left(table.common, match.layout, match.setup.players)
    return Moment({part.seat: View(_pieces(part), table.common, left, scored) for part in table.boards}, left)


def _pieces(part: Part) -> Part:
    """A part without its numbers, which a stretch is to tell."""
    return replace(part, tracks=Frozen())


def _shown(part: Part, reading: TableReading) -> dict[int, float]:
    """What the score tracks of a seat show."""
    doubt = next((each for each in reading.doubts if (each.seat, each.cell) == (part.seat, SCORE)), None)
    if doubt is not None:
        return {int(read): chance for read, chance in doubt.reads.items() if read.lstrip("-").isdecimal()}
    score = reading.table.part(part.seat).tracks.get(SCORE)
    return {} if score is None else {score: 1.0}


def _meant(shown: Scores, off: int, edition: Edition[Any, Any]) -> dict[int, float]:
    """The scores that are meant by a mark that is off by so much; it may have begun its track anew."""
    period = scale_of(edition.slug).period
    told = ((score - off, chance) for score, chance in shown.items())
    return {score if score >= 0 else score % period: chance for score, chance in told}


def _scored(
    state: Any, table: Table, before: Moment, after: Moment, shown: Mapping[int, Mapping[int, float]], match: Match
) -> tuple[int, dict[int, Chain]]:
    """How many rounds were scored on every board since, as all boards together tell, and how each score went on."""
    found = {seat: _chains(seat, state, before, after, shown[seat], match) for seat in after.boards}
    rules = stretches_of(match.edition)
    uneven = not after.left and any(map(rules.is_due, after.boards.values()))

    def best(seat: int, rounds: int) -> tuple[float, Chain | None]:
        ways = [found[seat].get(count, (HOPELESS, None)) for count in ((rounds, rounds + 1) if uneven else (rounds,))]
        return max(ways, key=lambda way: way[0])

    counts = sorted({count for ways in found.values() for count in ways}) or [0]
    told = {count: log(rules.told_by_all(state, table, count)) for count in counts}
    rounds = max(counts, key=lambda count: told[count] + sum(best(seat, count)[0] for seat in found))
    chains = {seat: best(seat, rounds)[1] for seat in found}
    return rounds, {seat: chain or _by_track(seat, after, shown[seat], state, match) for seat, chain in chains.items()}


def _chains(
    seat: int, state: Any, before: Moment, after: Moment, shown: Mapping[int, float], match: Match
) -> dict[int, tuple[float, Chain]]:
    """By how many rounds were scored since, how well that explains what is seen of a seat, and its score."""
    rules, score = stretches_of(match.edition), state.scores[seat - 1]
    then = before.boards[seat]
    olds = [(then, 1.0)] if then.scored is not None else list(rules.views(then, match.setup))
    first = {(i, score, score): weight for i, (_, weight) in enumerate(olds)}
    candidates = _candidates(after.boards[seat], match)
    found: dict[int, tuple[float, Chain]] = {}
    for stretch, weight in weighed_stretches(before, after, seat, match.edition, match.setup):
        link = Link(candidates, shown, [(stretch, 1.0)])
        chain = run_chain(first, [view for view, _ in olds], [link], match)
        if chain.broken is None:
            worth = chain.evidence + log(weight)
            if stretch.rounds not in found or worth > found[stretch.rounds][0]:
                found[stretch.rounds] = worth, chain
    return found


def _claimed(chain: Chain, shown: Mapping[int, float]) -> Scores:
    """The scores that are possible; also those that the track shows, where these contradict what was earned."""
    told = earned(chain.nodes[-1] if chain.nodes else chain.first)
    if chain.evidence > CONTRADICTED:
        return told
    likely = {score: chance for score, chance in shown.items() if chance >= LIKELY}
    return {**{score: chance / 2 for score, chance in told.items()}, **likely}


def _candidates(view: View, match: Match) -> list[Candidate]:
    views = stretches_of(match.edition).views(view, match.setup)
    return [Candidate(each, each.part.cells, weight) for each, weight in views]


def _by_track(seat: int, after: Moment, shown: Mapping[int, float], state: Any, match: Match) -> Chain:
    """A score of which only the track tells, since the board cannot have come from how it was last seen.

    Of the laps that it may be in, that is told which is nearest to the score before; scores rise more than they fall.
    """
    before, period = state.scores[seat - 1], scale_of(match.edition.slug).period
    link = Link(_candidates(after.boards[seat], match), shown or {before: 1.0}, ())
    told = begin(link, match)
    near = {node: chance for node, chance in told.items() if -FALLS <= (node[1] - before) / period < 1 - FALLS}
    total = sum(near.values())
    return Chain({node: chance / total for node, chance in near.items()} if near else told, (), 0.0)
