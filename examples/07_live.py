"""A crowd that plans while it plays: goals and an obstacle change on the way, and the audit looks at it all."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from walkon import audit, write_take
from walkon.crowd.live import Live, replay
from walkon.render import draw_overview
from walkon.rotations import Placement
from walkon.world import Box, Character, Goal, Obstacle, Scene, flat_terrain

OUT = Path("out")


def main() -> None:
    """Sixteen people cross a square; a kiosk is put elsewhere, half of them turn back."""
    OUT.mkdir(exist_ok=True)
    live = Live(square(), seed=1)
    live.step(4.0)
    live.move_obstacle("kiosk", 0.5, 1.5, heading=0.5)
    live.step(4.0)
    for who in list(live.people)[::2]:
        start = live.people[who].character.start
        live.set_goal(who, Goal(start.x, start.z, tolerance=0.8))
    live.step(20.0)
    take = live.take()
    print(audit(take).summary())
    state, figures = live.state(), live.figures()
    print(f"{state.arrived.sum()} of {len(state.who)} have arrived, longest wait {figures.longest_wait:.1f} s")
    again = replay(square(), live.log)
    same = np.array_equal(again.history().placements, live.history().placements)
    print("the replay of its log is the same run" if same else "the replay of its log differs")
    write_take(take, OUT / "live.take")
    draw_overview(take, OUT / "live.png")


def square() -> Scene:
    """A square of 24 m with a kiosk, and people around it who want to get to the other side."""
    bounds = (-12.0, -12.0, 12.0, 12.0)
    kiosk = Obstacle("kiosk", Box(2.0, 2.5, 2.0), np.array([[0.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0, 0.0]]))
    people = []
    for number in range(16):
        angle = 2.0 * math.pi * number / 16
        x, z = 9.5 * math.sin(angle), 9.5 * math.cos(angle)
        start, goal = Placement(x, z, angle + math.pi), Goal(-x, -z, tolerance=0.8)
        people.append(Character(f"walker {number + 1}", start, (goal,), performer=number % 3))
    return Scene("square", bounds, flat_terrain(bounds), (kiosk,), tuple(people))


if __name__ == "__main__":
    main()
