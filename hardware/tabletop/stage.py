"""What is to lie on the simulated table, in names of cells and kinds of pieces; who plays it there knows the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Stage:
    """A position as things to put down."""

    side: str
    boards: Mapping[int, Mapping[str, str]]
    """For each seat, the kind of piece in each occupied cell: a tile's letter, or a piece's own name; `kind@60` lies
    turned by so many degrees."""
    discs: tuple[tuple[str, ...], ...] = ()
    """The kinds of tiles on each factory disc; in this and every heap, "" is a place that was left.
    A heap that lies on a card holds the card, too: `card` face down, `card:B3` with its print."""
    centre: tuple[str, ...] = ()
    """The kinds lying free in the middle."""
    beside: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The kinds lying free beside each seat's board."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """The kind of the marks that each seat has on tracks of all, where print on its board tells it."""
    tokens: Mapping[int, int] = field(default_factory=dict)
    """How many tokens each seat has for laps gone on a track, which lie beside boards."""
    shared: tuple[tuple[str, str], ...] = ()
    """Cells of boards that belong to all, and the kind there; several pieces in one cell stand side by side."""
    piles: tuple[int, ...] = ()
    """How many more cards lie under the card of each heap; none where nothing is said."""

    def after(self, before: Stage) -> Stage:
        """The same, with every loose piece that was there before in its old place."""
        earlier = before.discs if len(before.discs) == len(self.discs) else ((),) * len(self.discs)
        return replace(
            self,
            discs=tuple(_kept(kinds, old) for kinds, old in zip(self.discs, earlier, strict=True)),
            centre=_kept(self.centre, before.centre),
            beside={seat: _kept(kinds, before.beside.get(seat, ())) for seat, kinds in self.beside.items()},
        )


def _kept(kinds: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds in the order of places: what remains keeps its own, what is new takes the first that are free."""
    new = [kind for kind in kinds if kind]
    heap = []
    for kind in before:
        stays = kind in new
        heap.append(kind if stays else "")
        if stays:
            new.remove(kind)
    for kind in new:
        if "" in heap:
            heap[heap.index("")] = kind
        else:
            heap.append(kind)
    while heap and not heap[-1]:
        heap.pop()
    return tuple(heap)


@dataclass(frozen=True, slots=True)
class StageMoment:
    """What passes over a table while the game goes on."""

    hand: int | None = None
    """The seat whose hand is over its board, 0 for no hand; None leaves it to the tier's chance."""
    nudges: Mapping[int, tuple[float, float, float]] = field(default_factory=dict)
    """For each seat how far its board was pushed: right and down in millimetres, and turned in degrees."""
    brightness: float = 1.0
    """How much brighter or darker the light has become."""
