"""Plan in microseconds: the station concourse again, with ways looked up in precomputed trees.

Trees are grown once for each of the three performers and kept in the user's cache; then one hundred people are
planned, and the audit looks at the result as it does at any other.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent / "out"


def main() -> int:
    """Plan, say how, audit; the exit code says whether everybody is planned and the audit is clean."""
    import walkon
    from walkon.directing import rehearse
    from walkon.planning import SearchStatistics
    from walkon.trees import TreePlanner

    OUT.mkdir(exist_ok=True)
    scene = walkon.read_scene(HERE / "scenes" / "station.toml")
    planner = TreePlanner()
    rehearse(scene, planner=planner)  # grows or fetches the trees, and compiles
    rehearsal = rehearse(scene, planner=planner)
    plans = [plan for plan in rehearsal.crowd.plans if plan is not None]
    spent = sum((plan.statistics for plan in plans), SearchStatistics())
    motion = sum(int(plan.frames[-1] - plan.frames[0]) for plan in plans) / scene.fps
    seconds = rehearsal.crowd.seconds
    print(f"{len(plans)} of {len(scene.characters)} people, {motion:.0f} s of motion, in {seconds:.2f} s")
    print(
        f"{spent.lookups} lookups, {spent.checked} clips checked; where the trees had no answer: "
        f"{spent.subgoals} other sub-goals, {spent.waits} waits, {spent.searches} forward searches"
    )
    report = walkon.audit(rehearsal.take)
    print(report.summary())
    walkon.write_take(rehearsal.take, OUT / "station_by_trees.take")
    return 0 if report.clean and not rehearsal.take.unplanned else 1


if __name__ == "__main__":
    sys.exit(main())
