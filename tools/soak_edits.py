"""What somebody does to a live crowd in a soak: anything that the studio can do, at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from _live_scenes import PERFORMERS, Plaza, Post, goal_at, people_at, post_obstacle

from walkon.crowd.live import Live
from walkon.errors import SceneError

EDITS = 2.0
"""A simulated second, besides goals for those who have arrived."""

TRIES = 20
"""Places at which somebody new tries to come."""

RESTLESS = 0.01
"""How likely somebody without a goal gets one, three times a second."""

MOST_THINGS = 30
DRAGGED = 8
"""Small moves of an obstacle that is dragged, ten a second."""


class Meddler:
    """Somebody who changes a live scene at random, always in the same way for a seed.

    names: of all who were ever there, by number. put: frames from which on an obstacle stood somewhere, by name.
    """

    def __init__(self, live: Live, plaza: Plaza, seed: int) -> None:
        self.live, self.plaza, self.random = live, plaza, np.random.default_rng(seed)
        self.people = self.made = len(plaza.starts)
        self.snapshots = [live.scene]
        self.dragged: tuple[str, int, float, float] | None = None
        self.names = {number: person.name for number, person in live.people.items()}
        self.put: dict[str, list[int]] = {}
        self._seen = {obstacle.name: obstacle for obstacle in live.scene.obstacles}
        self.edits: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def meddle(self) -> None:
        """Once a frame."""
        if self.live.frame % 10 == 0:
            self._send_on()
        if self.live.frame % 3 == 0 and self.dragged:
            self._drag()
            self._remember()
        if self.random.random() < EDITS / self.live.fps:
            actions: list[Callable[[], None]] = [
                self.add_obstacle, self.move_obstacle, self.drag_obstacle, self.remove_obstacle, self.one_goal,
                self.group_goal, self.no_goal, self.add_person, self.add_person, self.remove_person,
                self.switch_planner, self.undo,
            ]  # fmt: skip
            action = actions[self.random.integers(len(actions))]
            try:
                action()
                self.edits[action.__name__] += 1
            except SceneError:
                # "The place is taken": an answer, not a failure.
                self.refused[action.__name__] += 1
            self.snapshots = [*self.snapshots[-8:], self.live.scene]
            self._remember()

    def _remember(self) -> None:
        """Who was ever there, and when which obstacle was put somewhere."""
        self.names |= {number: person.name for number, person in self.live.people.items()}
        there = {obstacle.name: obstacle for obstacle in self.live.scene.obstacles}
        for name, obstacle in there.items():
            if self._seen.get(name) is not obstacle:
                self.put.setdefault(name, []).append(self.live.frame + 1)
        self._seen = there

    def _send_on(self) -> None:
        state = self.live.state()
        bored = np.isnan(state.goals[:, 0]) & (self.random.random(len(state.who)) < RESTLESS)
        arrived = np.flatnonzero(state.arrived | bored)
        goals = self.plaza.goals(self.random, state.circles[arrived, :2])
        self.live.set_goals(state.who[arrived].tolist(), [goal_at(goal) for goal in goals])

    def _place(self) -> tuple[float, float]:
        x, z = self.random.uniform(1.5, self.plaza.side - 1.5, 2)
        return float(x), float(z)

    def _anything(self) -> str:
        names = [obstacle.name for obstacle in self.live.scene.obstacles]
        return names[self.random.integers(len(names))]

    def _anybody(self) -> int:
        numbers = list(self.live.people)
        return numbers[self.random.integers(len(numbers))]

    def add_obstacle(self) -> None:
        """A box or a pillar, anywhere."""
        if len(self.live.scene.obstacles) >= MOST_THINGS:
            self.remove_obstacle()
        half_width, half_depth = self.random.uniform(0.2, 0.9, 2)
        is_round = bool(self.random.random() < 0.5)
        half_depth = half_width if is_round else half_depth
        post = Post(*self._place(), float(half_width), float(half_depth), is_round)
        self.made += 1
        self.live.add_obstacle(post_obstacle(f"thing {self.made}", post))

    def move_obstacle(self) -> None:
        """At once, to anywhere."""
        self.live.move_obstacle(self._anything(), *self._place(), float(self.random.uniform(0.0, 3.0)))

    def drag_obstacle(self) -> None:
        """Bit by bit."""
        dx, dz = self.random.uniform(-0.15, 0.15, 2)
        self.dragged = (self._anything(), DRAGGED, float(dx), float(dz))

    def _drag(self) -> None:
        name, left, dx, dz = self.dragged or ("", 0, 0.0, 0.0)
        found = [obstacle for obstacle in self.live.scene.obstacles if obstacle.name == name]
        self.dragged = (name, left - 1, dx, dz) if found and left > 1 else None
        if found:
            x, _, z = found[0].positions[0]
            self.live.move_obstacle(name, float(x) + dx, float(z) + dz)

    def remove_obstacle(self) -> None:
        """Any."""
        if len(self.live.scene.obstacles) > 3:
            self.live.remove_obstacle(self._anything())

    def one_goal(self) -> None:
        """Somebody wants to be elsewhere."""
        self.live.set_goal(self._anybody(), goal_at(self.plaza.free(self.random, 1)[0]))

    def group_goal(self) -> None:
        """A dozen want to be in about the same place."""
        group = sorted({self._anybody() for _ in range(12)})
        middle = self.plaza.free(self.random, 1)[0]
        places = np.clip(middle + self.random.uniform(-2.0, 2.0, (len(group), 2)), 1.0, self.plaza.side - 1.0)
        self.live.set_goals(group, [goal_at(place) for place in places])

    def no_goal(self) -> None:
        """Somebody stays where it is."""
        self.live.set_goal(self._anybody(), None)

    def add_person(self) -> None:
        """Somebody comes, where there is room."""
        if len(self.live.people) >= 1.1 * self.people:
            return
        self.made += 1
        for place in self.plaza.free(self.random, TRIES):
            start = np.array([*place, self.random.uniform(-3.0, 3.0)])
            (guest,) = people_at(start[None], self.plaza.goals(self.random, start[None]))
            try:
                self.live.add(replace(guest, name=f"guest {self.made}", performer=self.made % PERFORMERS))
            except SceneError:
                self.refused["add_person, a place"] += 1
            else:
                return
        raise SceneError("there is no room")

    def remove_person(self) -> None:
        """Somebody is gone."""
        if len(self.live.people) > 0.8 * self.people:
            self.live.remove(self._anybody())

    def switch_planner(self) -> None:
        """To the other one."""
        self.live.planner = "quick" if self.live.planner == "search" else "search"

    def undo(self) -> None:
        """Back to one of the latest scenes."""
        self.live.adopt(self.snapshots[int(self.random.integers(len(self.snapshots)))])
