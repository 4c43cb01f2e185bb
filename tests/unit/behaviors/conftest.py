"""What the tests of this room share."""

from __future__ import annotations

import pytest

from walkon.behaviors import BehaviorLibrary
from walkon.builtin.casts import fetch_library


@pytest.fixture(scope="session")
def human_cast() -> BehaviorLibrary:
    """The built-in person."""
    return fetch_library("human")
