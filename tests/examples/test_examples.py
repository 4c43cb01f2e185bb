"""Every numbered example runs as it stands, says something, and ends well."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def ending_well() -> Iterator[None]:
    """Programs may end by raising SystemExit, which is no failure if they say 0."""
    try:
        yield
    except SystemExit as end:
        if end.code:
            raise


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("[0-9]*.py")), ids=lambda file: file.stem)
def test_it_runs(example, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [str(example)])
    with ending_well():
        runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
