"""The seed of the fuzz target is a take with everything in it: tests use the same."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def fuzz_takes() -> ModuleType:
    """The fuzz target, which is a script."""
    path = Path(__file__).resolve().parents[3] / "fuzz" / "fuzz_takes.py"
    spec = importlib.util.spec_from_file_location("fuzz_takes", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def take(fuzz_takes):
    return fuzz_takes.seed_take()
