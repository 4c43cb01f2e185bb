"""The stand-in of a live crowd answers the studio as the real one does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.crowd.live import Live
from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.world import Box, Character, Goal, Obstacle


def crate(x):
    return Obstacle("crate", Box(1.0, 1.0, 1.0), np.array([[x, 0.0, 7.0]]), np.array([[1.0, 0.0, 0.0, 0.0]]))


def refusal(work):
    """Whether something is refused, and not otherwise wrong."""
    try:
        work()
    except SceneError:
        return True
    return False


def play(live):
    """A short scene, and all that the studio could see of it that does not depend on how people walk."""
    seen = []

    def look():
        state = live.state()
        people = live.people
        seen.append(
            {
                "people": [(who, one.name, one.performer, one.goal) for who, one in people.items()],
                "who": state.who.tolist(),
                "goals": np.nan_to_num(state.goals, nan=-1.0).tolist(),
                "shapes": (state.places.shape, state.circles.shape, state.waiting.shape),
                "types": (state.who.dtype, state.arrived.dtype),
                "things": [(name, one.positions.tolist()) for name, one in live.obstacles.items()],
                "since": [live.obstacles.since(name) - live.frame for name in live.obstacles if name == "later"],
                "characters": [(one.name, one.goals) for one in live.scene.characters],
                "world": [one.name for one in live.world.scene.obstacles],
                "figures": (live.figures().people, live.figures().dropped, live.figures().stops),
                "performers": len(live.performers),
                "bodies": (live.bodies, live.scene.bodies, live.world.scene.bodies),
            }
        )

    look()
    for _ in range(3):
        assert live.step() == 1
    live.add_obstacle(crate(0.0))
    live.move_obstacle("crate", 2.0, 7.5, 0.0)
    live.add_obstacle(replace(crate(5.0), name="later"))
    live.set_goal(0, Goal(-8.0, 6.0))
    live.set_goals([1, 2], [None, Goal(-6.0, 4.0)])
    look()
    newcomer = Character("newcomer", Placement(6.0, 0.0, 0.0), (Goal(6.0, 5.0),))
    seen.append(live.add(newcomer))
    seen.append(refusal(lambda: live.add(newcomer)))
    seen.append(refusal(lambda: live.add(replace(newcomer, name="on top"))))
    seen.append(refusal(lambda: live.add_obstacle(crate(1.0))))
    seen.append(refusal(lambda: live.move_obstacle("nothing", 0.0, 0.0)))
    live.remove(3)
    live.set_obstacle("crate", None)
    live.bodies = "body"
    live.step()
    look()
    drained, again, history = live.drain(), live.drain(), live.history()
    seen.append((set(drained.who.tolist()) >= set(live.people), len(again), set(history.who.tolist())))
    seen.extend(commits.starts[-1] == len(commits.clips) for commits in (drained, history))
    seen.append((live.route(0).shape[1], live.route(1).shape, live.reserved(0)[1].shape[1]))
    seen.append((live.character(2).goals, live.planner, live.fps, type(live.take()).__name__))
    live.close()
    return seen


def test_the_stand_in_and_the_real_one_agree(fake):
    scene = fake.little_scene()
    assert play(fake.FakeLive(scene)) == play(Live(scene, workers=1))
