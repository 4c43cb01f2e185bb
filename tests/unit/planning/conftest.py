"""What planner tests share: the toys, as a fixture."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("planning_toys", Path(__file__).with_name("toys.py"))
TOYS = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(TOYS)


@pytest.fixture(scope="session")
def toys():
    """Small worlds and libraries, and a naive judge."""
    return TOYS
