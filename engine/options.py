"""Reading the options of a game out of unknown JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import EditionError

Reader = Callable[[Any], dict[str, Any]]
"""Makes fields of an edition's options out of a value; raises where it cannot."""


def read_options(options: Mapping[str, object], readers: Mapping[str, Reader]) -> dict[str, Any]:
    """The fields that options give, each checked by its reader."""
    values: dict[str, Any] = {}
    for name, value in options.items():
        if name not in readers:
            raise EditionError(f"no option is called {name!r}; there are {', '.join(readers)}")
        try:
            values |= readers[name](value)
        except (TypeError, ValueError, KeyError, AttributeError, IndexError) as error:
            why = f": {error}" if isinstance(error, ValueError) and error.args != (value,) else ""
            raise EditionError(f"the option {name} cannot be {value!r}{why}") from None
    return values


def whole(value: object, least: int = -1000, most: int = 1000) -> int:
    """A whole number in a range."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(value)
    return value


def one_of(value: object, *choices: object) -> Any:
    """One of some values, of the same kind."""
    if value not in choices or type(value) is not type(choices[0]):
        raise ValueError(value)
    return value
