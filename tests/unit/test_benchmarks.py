"""Short forms of the benchmarks: they run, and what they print has the promised shape."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from walkon.cli.app import app

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_motion_in_short(monkeypatch, tmp_path):
    module = load("motion")
    monkeypatch.setattr(module, "MEGABYTES", 0.05)
    monkeypatch.setattr(module, "ROUNDS", 1)
    monkeypatch.setattr(module, "RECORDINGS", tmp_path)
    rows = module.measure()
    ours = [row for row in rows if row["who"] == "walkon"]
    assert len(ours) == 2
    for row in ours:
        assert row["remark"] == ""
        assert row["ms"] > 0
        assert row["ours is faster by"] == 1.0
    assert all(set(row) == set(rows[0]) for row in rows)


def test_behavior_in_short(monkeypatch):
    module = load("behavior")
    for name, value in {
        "ROUNDS": 1,
        "EXPANSIONS": 300,
        "TIMES": 3,
        "PEOPLE": 4,
        "CROWD": 4,
        "SECONDS": 20,
    }.items():
        monkeypatch.setattr(module, name, value)
    rows = module.measure()
    assert all(set(row) == set(rows[0]) for row in rows)
    assert next(row for row in rows if row["what"].startswith("A*, line"))["paper"] == "2241 nodes, < 0.4 s"
    assert rows[-1]["status"] == "4 planned"
    assert all(row["ms"] > 0 for row in rows)


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_the_command_prints_what_was_measured(monkeypatch, arguments):
    class Stub:
        __doc__ = "How fast is nothing?\n\nExplained here."

        @staticmethod
        def measure():
            return [{"who": "walkon", "ms": 0.125, "remark": None}]

    monkeypatch.setattr("walkon.cli.bench._load", lambda file: Stub)
    result = CliRunner().invoke(app, ["bench", "motion", *arguments])
    assert result.exit_code == 0, result.output
    if arguments:
        assert json.loads(result.stdout)["rows"] == Stub.measure()
    else:
        assert "How fast is nothing?" in result.stdout
        assert "0.125" in result.stdout
        assert "Explained here." in result.stdout


def test_every_benchmark_says_what_it_measures():
    for file in FOLDER.glob("[a-z]*.py"):
        module = load(file.stem)
        assert module.__doc__
        assert callable(module.measure)
