"""The benchmark of the surface in short: it runs without recordings, and its rows have one shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from walkon.cli.bench import _load

FOLDER = Path(__file__).resolve().parents[4] / "benchmarks"


def test_surface_rows_in_short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    module = _load(FOLDER / "_graph_surface.py")
    for name, value in {"FRAMES": 150, "MANY": 700, "ROUNDS": 1, "PAIRS": 5, "RECORDINGS": tmp_path}.items():
        monkeypatch.setattr(module, name, value)
    rows = module.surface_rows(0)
    assert all(set(row) == set(rows[0]) for row in rows)
    assert [row["who"] for row in rows].count("walkon") == 1
    assert all(row["s"] >= 0.0 for row in rows)
    candidates = [row for row in rows if row["who"] == "walkon, candidates"]
    assert len(candidates) == len(module.LIMITS)
    assert all(row["recall %"] >= 95.0 for row in candidates)
    assert rows[0]["what"].endswith("150 frames")
    assert candidates[0]["what"].startswith("minima, 700 frames")
