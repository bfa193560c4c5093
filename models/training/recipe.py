"""How the networks of a family are made: `recipe.toml` in its folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MODELS = Path(__file__).parents[1]
FILE = "recipe.toml"


@dataclass(frozen=True)
class Recipe:
    """What is rendered, from what networks begin, and for how long they are taught."""

    editions: tuple[str, ...]
    """What is learned, with the share of the photographs that shows each, as `Taught` reads it."""
    photographs: int
    seed: int
    steps: Mapping[str, int]
    """How many batches each network is shown."""
    first: int = 0
    """The number of the first shard: from those before, networks have learned already."""
    threads: int = 1
    """How many work at once at a network: sums come out otherwise with another number."""
    begins: str = ""
    """The family whose files networks begin with, perhaps their own of before; without a name they know nothing."""
    kept: float = 0.0
    """The share of what they began with that is mixed in again at the end."""

    def begun_from(self, network: str) -> Path | None:
        """The file that a network begins with; None where it knows nothing."""
        path = MODELS / self.begins / f"{network}.onnx"
        return path if self.begins and path.exists() else None


def families() -> list[str]:
    """The folders with a recipe."""
    return sorted(path.parent.name for path in MODELS.glob(f"*/{FILE}"))


def read_recipe(family: str) -> Recipe:
    """The recipe of a family."""
    told = tomllib.loads((MODELS / family / FILE).read_text(encoding="utf-8"))
    return Recipe(**told | {"editions": tuple(told["editions"])})
