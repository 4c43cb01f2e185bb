"""Classic scenes: everybody planned, and audited.

All of `walkon scene classic`, with the built-in cast. `arrived` and `violations` are what the audit says, which
believes nothing the planner says: full bodies at every frame and between. Planning times are those of one run,
without compilation and the reading of motion; `last [s]` is when the last person arrives.
"""

from __future__ import annotations

WARMING = "concourse"
"""Planned once before all others: that compiles, and reads everybody's motion."""

Row = dict[str, object]


def measure() -> list[Row]:
    """A row for every scene."""
    from walkon.world.classics import classic_names

    _row(WARMING)
    return [_row(name) for name in classic_names()]


def _row(name: str) -> Row:
    from walkon.directing import rehearse
    from walkon.metrics import audit
    from walkon.world import read_scene
    from walkon.world.classics import classic_scene_text

    scene = read_scene(classic_scene_text(name))
    rehearsal = rehearse(scene, seed=0)
    report = audit(rehearsal.take)
    missed = {found.who for found in report.violations if found.kind == "goal"}
    return {
        "scene": name,
        "people": len(scene.characters),
        "arrived": len({role.character for role in rehearsal.take.roles} - missed),
        "violations": len(report.violations),
        "planning [s]": round(rehearsal.crowd.seconds, 2),
        "plans changed": rehearsal.crowd.replanned,
        "last [s]": round(rehearsal.take.frames / rehearsal.take.fps, 1),
    }
