"""A planner of one's own: a class, and a line in the table of planners."""

from __future__ import annotations

from dataclasses import dataclass, field

from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.directing import planners
from walkon.metrics import audit
from walkon.planning import AStar, Plan, Planner, Problem
from walkon.take import read_take

SCENE = """
bounds = [-4, -4, 4, 4]
[[characters]]
name = "anna"
start = [-2, 0]
goal = [2, 0]
"""


@dataclass(frozen=True)
class Hasty(Planner):
    """Takes the first way it meets, and counts how often it was asked."""

    prepared: list[int] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def prepare(self, graphs, world, progress=None) -> None:
        self.prepared.append(len(list(graphs)))

    def plan(self, problem: Problem) -> Plan:
        self.asked.append("plan")
        return AStar(inflation=3.0, truncated=True).plan(problem)


def test_a_planner_is_a_class_and_a_line_in_the_table(monkeypatch, tmp_path):
    toy = Hasty()
    choice = planners.PlannerChoice("any way at all", lambda budget, people: toy)
    monkeypatch.setattr(planners, "PLANNERS", {**planners.PLANNERS, "hasty": choice})
    (tmp_path / "room.toml").write_text(SCENE)
    out = tmp_path / "room.take"
    told = CliRunner().invoke(app, ["plan", str(tmp_path / "room.toml"), "-o", str(out), "--planner", "hasty"])
    assert told.exit_code == 0, told.output
    assert toy.prepared == [1]
    assert toy.asked
    take = read_take(out)
    assert "Hasty" in take.planner
    assert audit(take).clean


def test_the_planners_are_listed_with_what_they_find():
    told = CliRunner().invoke(app, ["plan", "--planner", "list"])
    assert told.exit_code == 0
    assert [line.split()[0] for line in told.output.splitlines()] == list(planners.PLANNERS)
