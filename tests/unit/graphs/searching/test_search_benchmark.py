"""The rows about search that `walkon bench graph` prints, in short."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from walkon.cli.bench import _load

FOLDER = Path(__file__).resolve().parents[4] / "benchmarks"


@pytest.fixture
def module(monkeypatch):
    loaded = _load(FOLDER / "_graph_search.py")
    for name, value in {"ROUNDS": 1, "WALKS": 20, "SEEDS": 1, "STEERED": 1}.items():
        monkeypatch.setattr(loaded, name, value)
    short = {"s": lambda: np.array([[0.0, 0.0], [1.0, 3.0]]), "hello": lambda: np.array([[0.0, 0.0], [2.0, 4.0]])}
    monkeypatch.setattr("walkon.graphs.searching.shapes.SHAPES", short)
    return loaded


def test_rows(module, wander_graph):
    rows = [
        *module.path_rows("toy", wander_graph, 1),
        *module.style_rows("toy", wander_graph, 1),
        *module.random_rows("toy", wander_graph, 1),
        *module.heading_rows("toy", wander_graph, 1),
        *module.mutation_rows("toy", wander_graph, 1),
    ]
    assert all(set(row) == set(rows[0]) for row in rows)
    assert all(row["s"] > 0.0 and np.isfinite(row["value"]) for row in rows)
    by_name = {row["what"]: row for row in rows}
    assert by_name["path: hello"]["value"] < 15.0
    assert by_name["path search, for 55 s"]["paper"] == "58.1 s for 54.9 s"
    assert by_name["random walks of 60 s"]["remark"] == "0 dead ends of 20"
    assert by_name["heading table"]["value"] < 20.0


def test_without_recordings_there_is_still_a_session(module, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "RECORDINGS", tmp_path / "nowhere")
    monkeypatch.setattr("walkon.builtin.session.make_session", lambda seed: ())
    assert [who for who, _ in module.collections(1)] == ["built-in session"]
