"""The short form of `walkon bench studio`: real drags in a crowd, and how soon they come back as motion."""

from __future__ import annotations

from pathlib import Path

from walkon.cli.bench import _load

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def test_drags_are_answered_by_commits(browser, monkeypatch):
    """How quickly is for the benchmark to say: here the machine is busy with other tests."""
    module = _load(BENCHMARKS / "studio.py")
    monkeypatch.setattr(module, "PEOPLE", 60)
    monkeypatch.setattr(module, "DRAGS", 3)
    (row,) = module.measure(browser)
    assert (row["people"], row["drags"], row["aim p95"]) == (60, 3, 100.0)
    assert 0.0 < row["ms p50"] <= row["ms p95"] <= row["ms p99"]
    assert row["reply p95"] <= row["ms p99"]
    assert 0.1 < row["KB/s"] < 200.0
    assert row["remark"].startswith(
        f"p95 {row['ms p95']:g} ms: aim 100 {'met' if row['ms p95'] <= 100 else 'not met'}"
    )
