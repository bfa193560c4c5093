"""One more edition for every test that goes through all of them: a toy game, to see that a folder is all it takes."""

from __future__ import annotations

import pytest

from engine import search_also


def pytest_configure(config: pytest.Config) -> None:
    """Have the toy found like any other edition, before tests are collected over all of them."""
    search_also(config.rootpath / "tests" / "toy_editions")
