"""The networks: small convolutional nets in PyTorch, exported to ONNX by `models.training.export`.

Channels come in sixteens: run time works on so many at once, and would fill up any others with nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.cells import TAKES
from vision.rectify import VIEW_PX


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(channels, channels), nn.ReLU(), _conv(channels, channels))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.body(x))


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, padding=1, bias=False), nn.BatchNorm2d(outputs, momentum=0.05)
    )


def _patches(inputs: int, outputs: int) -> nn.Sequential:
    """Straight to a quarter of the size: finer maps would cost more than all that follows."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 7, 4, padding=3, bias=False), nn.BatchNorm2d(outputs, momentum=0.05), nn.ReLU()
    )


def _down(inputs: int, outputs: int, blocks: int) -> nn.Sequential:
    return nn.Sequential(_conv(inputs, outputs, stride=2), nn.ReLU(), *[Residual(outputs) for _ in range(blocks)])


class Merge(nn.Module):
    """Coarse features brought to a finer map."""

    def __init__(self, coarse: int, fine: int) -> None:
        super().__init__()
        self.lead = nn.Conv2d(coarse, fine, 1)
        self.body = nn.Sequential(_conv(fine, fine), nn.ReLU())

    def forward(self, coarse: Tensor, fine: Tensor) -> Tensor:
        grown = functional.interpolate(self.lead(coarse), scale_factor=2, mode="nearest")
        return self.body(fine + grown)


class Finder(nn.Module):
    """Boards and discs in a whole picture: (n, 3, h, w) to (n, 5, h / 8, w / 8).

    Channels: the inner part of a board; a disc, its middle from here (x, y), its radius (logarithm).
    """

    def __init__(self) -> None:
        super().__init__()
        self.to4 = nn.Sequential(_patches(3, 32), Residual(32))
        self.to8, self.to16, self.to32 = _down(32, 48, 2), _down(48, 96, 2), _down(96, 128, 3)
        self.up16, self.up8 = Merge(128, 96), Merge(96, 48)
        self.head = nn.Conv2d(48, 5, 1)

    def forward(self, x: Tensor) -> Tensor:
        fine = self.to8(self.to4(x))
        middle = self.to16(fine)
        return self.head(self.up8(self.up16(self.to32(middle), middle), fine))


class Aligner(nn.Module):
    """A board cut out by guessed corners: (n, 3, 160, 160) to where they should be, quarter turns, and what it is."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.body = nn.Sequential(_patches(3, 32), Residual(32), _down(32, 64, 2), _down(64, 96, 2))
        self.squeeze = nn.Sequential(_conv(96, 48), nn.ReLU(), nn.Flatten(), nn.Linear(48 * 100, 160), nn.ReLU())
        self.corners, self.turns, self.kinds = nn.Linear(160, 8), nn.Linear(160, 4), nn.Linear(160, 1 + kinds)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        seen = self.squeeze(self.body(x))
        return self.corners(seen), self.turns(seen), self.kinds(seen)


class Fitter(nn.Module):
    """A board cut out by nearly right corners: (n, 3, 224, 224) to (n, 3, 14, 14).

    Channels: how far off the print is here (x, y), and how uncertain that is (logarithm).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(_patches(3, 32), Residual(32), _down(32, 64, 2), _down(64, 96, 2))
        self.head = nn.Conv2d(96, 3, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.body(x))


class Compare(nn.Module):
    """Every cell looks at all others of its board: those printed alike show what is print and what is a tile."""

    def __init__(self, channels: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.after = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.asks, self.tells = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        concludes = nn.Linear(2 * channels, channels)
        self.thinks = nn.Sequential(nn.Linear(channels, 2 * channels), nn.ReLU(), concludes)
        # It begins by changing nothing, so that cells are first learned each by itself.
        for last in (self.tells, concludes):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, cells: Tensor) -> Tensor:
        count, channels = cells.shape[1], cells.shape[2]
        split = self.asks(self.before(cells)).reshape(-1, count, 3, self.heads, channels // self.heads)
        asked, offered, told = split.permute(2, 0, 3, 1, 4).unbind(0)
        weights = functional.softmax(asked @ offered.transpose(2, 3) * (channels // self.heads) ** -0.5, dim=3)
        heard = (weights @ told).transpose(1, 2).reshape(-1, count, channels)
        cells = cells + self.tells(heard)
        return cells + self.thinks(self.after(cells))


class Summed(nn.Linear):
    """A last layer that answers for labels by their parts, such as a colour and a pattern.

    A label's score is the sum of its parts' scores: what is learned of a part is learned for all labels that have it.
    """

    parts: Tensor

    def __init__(self, inputs: int, parts: Tensor) -> None:
        super().__init__(inputs, parts.shape[1])
        self.register_buffer("parts", parts)

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, *self.for_labels())

    def for_labels(self) -> tuple[Tensor, Tensor]:
        """Weight and bias as a plain layer for all labels has them."""
        return self.parts @ self.weight, self.parts @ self.bias

    def plain(self) -> nn.Linear:
        """The same as a plain layer."""
        layer = nn.Linear(self.in_features, len(self.parts))
        weight, bias = self.for_labels()
        layer.load_state_dict({"weight": weight, "bias": bias})
        return layer


class SummedMap(nn.Conv2d):
    """A last layer of a map that answers for labels by their parts, after a first channel of its own."""

    parts: Tensor
    bias: nn.Parameter

    def __init__(self, inputs: int, parts: Tensor) -> None:
        whole = functional.pad(parts, (1, 0, 1, 0))
        whole[0, 0] = 1.0
        super().__init__(inputs, whole.shape[1], 1)
        self.register_buffer("parts", whole)

    def forward(self, x: Tensor) -> Tensor:
        return functional.conv2d(x, *self.for_labels())

    def for_labels(self) -> tuple[Tensor, Tensor]:
        """Weight and bias as a plain layer for all labels has them."""
        return torch.einsum("lp,pihw->lihw", self.parts, self.weight), self.parts @ self.bias

    def plain(self) -> nn.Conv2d:
        """The same as a plain layer."""
        layer = nn.Conv2d(self.in_channels, len(self.parts), 1)
        weight, bias = self.for_labels()
        layer.load_state_dict({"weight": weight, "bias": bias})
        return layer


def plain(net: nn.Module) -> nn.Module:
    """A network with plain layers only, which answers the same."""
    net = deepcopy(net)
    for name, module in list(net.named_children()):
        if isinstance(module, Summed | SummedMap):
            setattr(net, name, module.plain())
    return net


class CloseUp(nn.Module):
    """A single piece or print from close by: (n, 3, 64, 64) to a score for each label, (n, labels)."""

    def __init__(self, parts: Tensor) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(3, 32, 2), nn.ReLU(), Residual(32), _down(32, 64, 1), _down(64, 96, 1), _down(96, 128, 1)
        )
        self.squeeze = nn.Sequential(nn.Flatten(), nn.Linear(128 * 16, 128), nn.ReLU(), nn.Dropout(0.2))
        self.labels = Summed(128, parts)

    def forward(self, x: Tensor) -> Tensor:
        return self.labels(self.squeeze(self.body(x)))


class Reader(nn.Module):
    """What lies in the cells of a board, and where on its tracks the mark is.

    View (n, 6, 336, 336), where cells for tiles are, (cells, 2), hints on them, (cells, TAKES + labels), and where the
    cells of tracks are, (places, 2), to label scores (n, cells, labels), scores of each mark being there,
    (n, places * marks), and of each not being seen, (n, marks).
    """

    def __init__(self, labels: int, marks: int = 1, parts: Tensor | None = None) -> None:
        super().__init__()
        self.to4 = nn.Sequential(_patches(6, 32), Residual(32))
        self.to8, self.to16, self.up8 = _down(32, 64, 1), _down(64, 96, 1), Merge(96, 64)
        self.whole = nn.Sequential(nn.Linear(96, 24), nn.ReLU())
        self.fuse = nn.Sequential(nn.Linear(32 + 64 + 24 + len(TAKES) + labels, 128), nn.ReLU(), nn.Dropout(0.1))
        self.compare = nn.Sequential(Compare(128, 4), Compare(128, 4))
        self.labels = nn.Linear(128, labels) if parts is None else Summed(128, parts)
        # Of a track's cells one is marked: each is told by itself, which takes a fraction of comparing all.
        self.track = nn.Sequential(nn.Linear(32 + 64 + 24, 128), nn.ReLU())
        self.mark, self.none = nn.Linear(128, marks), nn.Linear(24, marks)

    def forward(self, view: Tensor, places: Tensor, hints: Tensor, marks: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        at4 = self.to4(view)
        at8 = self.to8(at4)
        at16 = self.to16(at8)
        whole = self.whole(at16.mean(dim=(2, 3)))
        maps = ((at4, 4), (self.up8(at16, at8), 8))
        told = hints[None].expand(whole.shape[0], -1, -1)
        cells = self.compare(self.fuse(torch.cat([_seen_at(places, maps, whole), told], dim=2)))
        marked = self.mark(self.track(_seen_at(marks, maps, whole)))
        return self.labels(cells), marked.flatten(1), self.none(whole)


def _seen_at(places: Tensor, maps: Sequence[tuple[Tensor, int]], whole: Tensor) -> Tensor:
    """What maps, each with its stride, show at places, (places, 2) in pixels of the view, and what the whole does."""
    sampled = [_sample(features, places / stride, VIEW_PX // stride) for features, stride in maps]
    return torch.cat([*sampled, whole[:, None].expand(-1, places.shape[0], -1)], dim=2)


def _sample(features: Tensor, places: Tensor, side: int) -> Tensor:
    """Features at places, (places, 2), in their map of this side, (n, places, channels), each from the four around it.

    The side is told, as asking the map for its size makes run time bring all of it into floats.
    """
    x, y = places[:, 0].clamp(0, side - 1), places[:, 1].clamp(0, side - 1)
    left, top = x.floor().clamp(max=side - 2), y.floor().clamp(max=side - 2)
    right, down = (x - left)[None, :, None], (y - top)[None, :, None]
    first = (top * side + left).long()
    # As maps lie in memory at run time, so that only what is picked is touched.
    flat = features.permute(0, 2, 3, 1).reshape(-1, side * side, int(features.shape[1]))
    above = flat[:, first] * (1 - right) + flat[:, first + 1] * right
    below = flat[:, first + side] * (1 - right) + flat[:, first + side + 1] * right
    return above * (1 - down) + below * down


class Loose(nn.Module):
    """Loose tiles in a view of the table: (n, 3, h, w) to (n, 1 + labels, h / 4, w / 4), tiles' middles and kinds."""

    def __init__(self, labels: int, parts: Tensor | None = None) -> None:
        super().__init__()
        self.to4 = nn.Sequential(_patches(3, 32), Residual(32))
        self.to8, self.to16 = _down(32, 64, 2), _down(64, 96, 1)
        self.up8, self.up4 = Merge(96, 64), Merge(64, 32)
        self.head = nn.Conv2d(32, 1 + labels, 1) if parts is None else SummedMap(32, parts)

    def forward(self, x: Tensor) -> Tensor:
        at4 = self.to4(x)
        at8 = self.to8(at4)
        return self.head(self.up4(self.up8(self.to16(at8), at8), at4))
