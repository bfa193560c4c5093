"""An edition of the game: the functions that every edition has, found by name.

This is the whole protocol between a game's rules and everything else. A folder below `engine/editions`, or below
another folder that is searched too, exports one `EDITION`; editions share functions, never a base class.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from engine.entry import Act, Draw
from engine.errors import EditionError
from engine.glimpse import Drawn, Glimpse
from engine.layout import EDITIONS, Layout, edition_folders, layout_of
from engine.moves import Correct
from engine.own_prints import Sheet
from engine.resume import Resumption
from engine.score import Outlook, ScoreLine
from engine.state import Setup
from engine.stretch import Stretches
from engine.table import MARKER, Kinds, Part, Print, Table, Ways
from engine.text import Text, say
from engine.tiles import Sample
from engine.violations import Rule, Violation

S = TypeVar("S")
M = TypeVar("M")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition(Generic[S, M]):
    """One edition: its data, and its functions over states S and moves M."""

    slug: str
    name: str
    sides: tuple[str, ...]
    players: tuple[int, ...]
    letters: Mapping[str, Text]
    """The kinds of tile by their letters, and what they are called."""
    tiles_of_each: int
    who_begins: Text
    """Who begins the first round, as the rulebook says."""
    rulebook: Mapping[str, Rule]
    cards: tuple[str, ...] = ()
    """Other kinds of pieces that lie in cells and heaps: cards, face down or by what they print, and jokers."""

    parse_options: Callable[[Mapping[str, object], str], Any]
    """The options of a record's `start`, for a side of the board."""
    format_options: Callable[[Setup[Any]], dict[str, object]]
    """The options that differ from the usual ones."""
    start: Callable[[Setup[Any]], S]

    legal_moves: Callable[[S], Sequence[M]]
    """Every move that the rules allow now; chance is not among them."""
    likely_moves: Callable[[S, Glimpse], Sequence[M]] | None = None
    """The legal moves that what is seen does not rule out; None where there are never too many to weigh them all."""
    choices: Callable[[S], Sequence[M]]
    """The legal moves to choose between: where several may work at once only those of whoever comes first, and where
    moves differ in trifles only one of them. A game played by these alone is legal."""
    pseudo_moves: Callable[[S], Iterator[M]]
    """What hands can do now, legal or not: every legal move, and each with one thing done wrong."""
    apply: Callable[[S, M], S]
    """The state after a legal move; anything else raises."""
    enact: Callable[[S, M], S]
    """The state after a move as hands made it, legal or not; only the impossible raises."""
    correct: Callable[[S, Mapping[str, str | int], int], S]
    """The state with some cells, heaps and numbers of a seat (0: of the table) as a person says they are. Besides what
    lies there, each seat's `score` is known, and of the table its `round`, its `phase`, and whose `turn` it is."""
    implied: Callable[[S], M | None]
    """The move that a record leaves unsaid here, because nobody has a choice."""
    settle: Callable[[S], S]
    """The state after all implied moves."""
    awaits_chance: Callable[[S], bool]
    """Whether tiles are to be drawn before anybody goes on."""
    deal: Callable[[S, Sample], M]
    """Chance, by a sampler that the caller brings."""
    draws: Callable[[S, Glimpse], Iterator[Drawn]] = lambda _state, _glimpse: iter(())
    """What chance may have done, given what is seen."""
    seen_breaches: Callable[[S, Glimpse], Iterator[M]] = lambda _state, _glimpse: iter(())
    """What hands may have done against a rule and only a look can name: wrong fillings, turns before a filling, play
    after the end, cards that nobody had seen before."""
    disc_order: Callable[[S, Glimpse], tuple[int, ...] | None] = lambda _state, _glimpse: None
    """The indexes of heaps that have no numbers of their own, in the order in which chance can have filled them; None
    where they need not be numbered anew."""
    renumbered: Callable[[M, Mapping[int, int]], M] = lambda move, _numbers: move
    """A move with those heaps by other numbers, told for the old ones."""
    otherwise: Callable[[S, M | Correct], Iterator[Correct]] = lambda _state, _move: iter(())
    """What of a state may have been otherwise all the time, if a move happened that it holds impossible."""
    in_hand: frozenset[str] = frozenset()
    """The slips that look like a move which hands have begun and not ended."""
    is_pass: Callable[[M], bool]
    """Whether a move only gives up a turn or the rest of a round."""
    is_clearing: Callable[[M], bool] = lambda _move: False
    """Whether a move only clears away what was charged, which a record tells and nobody chooses."""
    holder: Callable[[S], int] = lambda _state: 0
    """The seat that holds the first player's marker; 0 for nobody."""
    out_of_turn: str = ""
    """The rule that seems broken where somebody gave up a turn without a mark."""
    violations: Callable[[S, M], list[Violation]]
    advisories: Callable[[S, M], list[Violation]] = lambda _state, _move: []
    """What is legal as agreed but forbidden by other printings of the rules: worth a word, no breach."""
    standstill: Callable[[S], Violation | None] = lambda _state: None
    """Why play can never bring the game to its end any more, as advice; None where it still can, and after the end."""
    ending: Callable[[S], M | None] = lambda _state: None
    """The move by which people end such a game, once they may. It is nobody's turn and not among the legal moves."""
    option_warnings: Callable[[Mapping[str, object]], list[Text]] = lambda _options: []
    """What is odd about options that can be used all the same."""
    own_prints: Callable[[str], tuple[Sheet, ...]] = lambda _side: ()
    """What only the players' own boards print, for a side: they enter it once."""

    score: Callable[[S, M], list[ScoreLine]]
    """The points that a move brings, with their reasons."""
    bonuses: Callable[[S], list[ScoreLine]]
    """The points of the end of the game."""
    winners: Callable[[S], tuple[int, ...]]

    table: Callable[[S], Table]
    """What of a state lies on the table for everybody to see."""
    at_work: Callable[[S, S | None], Mapping[int, Ways]] = lambda _state, _unsettled: {}
    """What may lie there meanwhile where several people act at once, by seat; the state before all implied moves is
    told where there were any."""
    table_violations: Callable[[Table, S | None], list[Violation]]
    """The rules visibly broken by what lies there; more of them where the state it should show is known."""
    outlook: Callable[[Table], list[Outlook]]
    """What each board would score if the round ended now, and what the end of the game would bring."""
    most_score: Callable[[Table, int], int | None] = lambda _table, _seat: None
    """The most that a seat can have come to by what lies there, the end included; cells that are unseen may hold
    anything. None where only `table_violations` bound it."""
    parse_table: Callable[[Mapping[str, Any]], Table]
    """The Table that JSON describes."""
    format_table: Callable[[Table], dict[str, Any]]
    """A Table as JSON."""
    heap_fields: Mapping[str, str] = field(default_factory=dict)
    """The field of that JSON which lists the heaps of a name, of which there are several."""
    show: Callable[[Table], str]
    """A Table as readable text."""

    parse_state: Callable[[str], S]
    format_state: Callable[[S], str]
    parse_move: Callable[[str], M]
    format_move: Callable[[M], str]
    describe: Callable[[M], Text]
    """A move as a sentence."""
    parse_event: Callable[[S, Mapping[str, Any]], M]
    """The move of a record's event."""
    format_event: Callable[[M], dict[str, Any]]
    heaps: Callable[[S], Mapping[str, Sequence[str]]]
    """Where every tile of the game is, by its kind: together they are always all tiles."""

    acts: Callable[[S, M], tuple[Act, ...]]
    """What people touch in a move, act by act: what is taken, where it goes, what is paid. Slips are not told."""
    awaited: Callable[[S], tuple[Draw, ...]]
    """What chance is to bring, heap by heap."""
    drawn: Callable[[S, Sequence[Kinds]], M]
    """The move of chance that brings these pieces, heap by heap as `awaited` lists them."""
    place_name: Callable[[str], Text] = lambda name: say("{name}", name=name)
    """What a cell, a row of cells, a heap or a number is called."""
    kind_name: Callable[[str], Text] | None = None
    """What a kind of piece is called that has no letters of its own."""
    kinds_at: Callable[[str], Sequence[str]] | None = None
    """The kinds of pieces that may come to lie in a cell or a heap; where nothing is said, tiles and the marker."""
    prints: Callable[[Setup[Any], Part], Mapping[str, Print | None]] | None = None
    """What is printed in cells of a board as it lies there; None for a cell that is not there now. Where nothing is
    said, what the layout prints."""
    corrected_as: Mapping[str, str] = field(default_factory=dict)
    """The names by which corrections know numbers of a Table, where they differ."""

    resumes: Callable[[S, Table, int], Iterator[Resumption]] = lambda _state, _table, _rounds: iter(())
    """How the game may stand where the table is seen again after a while and so many rounds were scored since."""
    stretches: Stretches | None = None
    """What the score of a board can have gained between two looks; None where photo logs are not understood yet."""

    @property
    def layout(self) -> Layout:
        """Where everything is on the boards, in millimetres."""
        return layout_of(self.slug)

    def moves_seen(self, state: S, glimpse: Glimpse) -> Sequence[M]:
        """The legal moves to be weighed by what is seen."""
        return self.likely_moves(state, glimpse) if self.likely_moves else self.legal_moves(state)

    def name_of(self, kind: str) -> Text:
        """What a kind of piece is called."""
        if kind in self.letters:
            return self.letters[kind]
        return self.kind_name(kind) if self.kind_name else say("{name}", name=kind)

    def kinds(self, place: str) -> tuple[str, ...]:
        """The kinds of pieces that may come to lie in a cell or a heap."""
        return tuple(self.kinds_at(place)) if self.kinds_at else (*self.letters, MARKER)

    def printed(self, setup: Setup[Any], part: Part) -> Mapping[str, Print | None]:
        """What is printed in cells of a board as it lies there; None for a cell that is not there now."""
        if self.prints:
            return self.prints(setup, part)
        letters = ((cell.name, cell.printed(part.side)) for cell in self.layout)
        return {name: Print(letter, letter) for name, letter in letters if letter}

    def written(self, kinds: Iterable[str]) -> str:
        """The pieces of a heap as a correction writes them."""
        return ("" if all(len(letter) == 1 for letter in self.letters) else " ").join(kinds)

    def setup(self, side: str, players: int, first: int = 1, options: Mapping[str, object] | None = None) -> Setup[Any]:
        """What is agreed before a game, checked."""
        if side not in self.sides:
            raise EditionError(f"{self.slug} is played on the side {' or '.join(self.sides)}, not {side!r}")
        if players not in self.players:
            raise EditionError(f"{self.slug} is for {self.players[0]} to {self.players[-1]} players, not {players!r}")
        if first not in range(1, players + 1):
            raise EditionError(f"the first player is a seat from 1 to {players}, not {first!r}")
        return Setup(self.slug, side, players, first, self.parse_options(options or {}, side))


def slugs() -> list[str]:
    """The editions that there are, one folder each."""
    return sorted(edition_folders())


def load(slug: str) -> Edition[Any, Any]:
    """The edition of that name."""
    known = edition_folders()
    if slug not in known:
        raise EditionError(f"no edition is called {slug!r}; there are {', '.join(sorted(known))}")
    edition: Edition[Any, Any] = importlib.import_module(f"{EDITIONS}.{known[slug].name}").EDITION
    return edition
