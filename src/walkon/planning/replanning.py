"""Wait, then replan: for worlds in which something moves that nobody can foresee.

Whoever plans this way believes that things go on as they go now, and knows better a step later. A step is taken
only if it, and what follows up to the next place to stop, stays free even if what is unknown strays from its
course; otherwise one waits where that is free. What comes straight at someone who waits may still reach them:
then the plan ends before, and says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from walkon.basics import Progress
from walkon.behaviors import BehaviorGraph
from walkon.planning.astar import AStar
from walkon.planning.problem import Plan, Planner, Problem, SearchStatistics
from walkon.planning.steps import Step, plan_of, step_is_free, steps_of, waits, what_is_left
from walkon.world import World, believed_world


@dataclass(frozen=True)
class Replanning(Planner):
    """A planner for obstacles whose motion is not known in advance.

    planner: asked again before every step. growth [m/s]: how fast what is not known may stray from where it is
    expected. look: how many steps must be free in the worst case before the first is taken; fewer if they end
    in a pose to rest in. most: steps before it gives up.
    """

    planner: Planner = field(default_factory=AStar)
    growth: float = 0.3
    look: int = 3
    most: int = 400

    def prepare(self, graphs: Iterable[BehaviorGraph], world: World, progress: Progress | None = None) -> None:
        """Prepare the planner that is asked."""
        self.planner.prepare(graphs, world, progress)

    def plan(self, problem: Problem) -> Plan:
        """The steps as they would be taken, each decided with what can be seen when it begins."""
        return self.follow(problem)[0]

    def follow(self, problem: Problem) -> tuple[Plan, int]:
        """The steps taken, and how often it was planned."""
        if all(obstacle.known or not obstacle.moves for obstacle in problem.world.scene.obstacles):
            return self.planner.plan(problem), 1
        steps: list[Step] = []
        statistics = SearchStatistics()
        for count in range(1, self.most + 1):
            now = what_is_left(problem, steps)
            now = replace(now, expansions=problem.expansions - statistics.expanded)
            if now.expansions <= 0 or time.perf_counter() >= problem.deadline:
                return _stopped(problem, steps, f"budget used up at frame {now.start_frame}", statistics), count
            hoped = self.planner.plan(replace(now, world=believed_world(problem.world, now.start_frame)))
            statistics = statistics + hoped.statistics
            if hoped.status == "found" and not len(hoped):
                return plan_of(problem, steps, "found", f"planned {count} times", statistics), count
            step = self._next_step(now, hoped)
            if step is None:
                reason = hoped.reason or "nothing is safe to do"
                return _stopped(problem, steps, f"at frame {now.start_frame}: {reason}", statistics), count
            if not _free(problem, problem.world, step):
                return _stopped(
                    problem, steps, f"run into by the unforeseen after frame {step.frame}", statistics
                ), count
            steps.append(step)
        return _stopped(problem, steps, f"not there after {self.most} steps", statistics), self.most

    def _next_step(self, now: Problem, hoped: Plan) -> Step | None:
        """The first step of the plan if that is safe, else a wait that is; None without either."""
        feared = believed_world(now.world, now.start_frame, growth=self.growth)
        if hoped.status == "found":
            ahead = steps_of(hoped)[: self.look]
            rests = [bool(now.graph.rests[now.graph.exit[step.behavior]]) for step in ahead]
            ahead = ahead[: rests.index(True) + 1] if True in rests else ahead
            if all(_free(now, feared, step) for step in ahead):
                return ahead[0]
        hopeful = believed_world(now.world, now.start_frame)
        idle = waits(now)
        return next((step for world in (feared, hopeful) for step in idle if _free(now, world, step)), None)


def _free(problem: Problem, world: World, step: Step) -> bool:
    return step_is_free(problem, world, step.behavior, step.clip, step.place, step.frame)


def _stopped(problem: Problem, steps: list[Step], reason: str, statistics: SearchStatistics) -> Plan:
    return plan_of(problem, steps, "partial" if steps else "none", reason, statistics)
