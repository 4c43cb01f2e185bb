"""A new measure is one entry of MEASURES: Python, the table of `walkon measure` and the report have it then."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.metrics import Trajectories, measure
from walkon.metrics.measures import MEASURES, Measure, Measures


def leftness(found: Measures) -> np.ndarray:
    """How far left of the origin everybody gets [m]."""
    people = found.trajectories
    return np.array([-people.path(person)[:, 0].min() for person in range(len(people))])


@pytest.fixture
def paths(monkeypatch) -> Trajectories:
    toy = Measure(leftness, "Leftness", "m", "How far left somebody gets.", digits=1, better="less")
    monkeypatch.setitem(MEASURES, "leftness", toy)
    ways = [np.column_stack([np.linspace(0.0, -end, 40), np.linspace(0.0, 5.0, 40)]) for end in (2.0, 4.0)]
    return Trajectories.build(10.0, ways)


def test_a_toy_measure_is_measured(paths):
    found = measure(paths)
    np.testing.assert_allclose(found.per_person()["leftness"], [2.0, 4.0])
    assert found.summary()["leftness"] == pytest.approx(3.0)
    assert '"leftness": [2.0, 4.0]' in json.dumps(found.as_dict())


def test_a_toy_measure_is_in_the_table_and_in_the_report(paths, tmp_path):
    lines = ["# framerate: 10", "# id frame x/m y/m"]
    for person in range(2):
        lines += [f"{person} {row} {x:.6f} {z:.6f}" for row, (x, z) in enumerate(paths.path(person))]
    (tmp_path / "two.txt").write_text("\n".join(lines) + "\n")
    page = tmp_path / "page.html"
    told = CliRunner().invoke(app, ["measure", str(tmp_path / "two.txt"), "--html", str(page)])
    assert told.exit_code == 0, told.output
    assert "Leftness, mean" in told.output
    written = page.read_text(encoding="utf-8")
    assert 'id="plot-leftness"' in written
    assert "How far left somebody gets." in written
