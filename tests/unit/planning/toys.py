"""Small worlds and libraries for planner tests, and a naive judge of plans that shares no code with the
planner."""

from __future__ import annotations

import heapq
from types import SimpleNamespace

import numpy as np

from walkon.behaviors import BEHAVIOR_KINDS, BehaviorGraph
from walkon.planning import Problem
from walkon.rotations import Placement
from walkon.world import Box, Cylinder, Obstacle, Scene, build_world, flat_terrain

FPS = 10.0
RADIUS = 0.3
BOUNDS = (-4.0, -4.0, 4.0, 4.0)


def arc(x, z, heading, frames):
    """Points (F, 3) of a smooth way from the origin to a placement."""
    s = np.linspace(0.0, 1.0, frames + 1)
    if heading == 0.0:
        return np.stack([x * s, z * s, 0.0 * s], axis=1)
    turned = heading * s
    return np.stack(
        [x * (1 - np.cos(turned)) / (1 - np.cos(heading)), z * np.sin(turned) / np.sin(heading), turned], 1
    )


def make_graph(moves, *, radius=RADIUS, fps=FPS, offset=0.0):
    """A graph of moves (name, kind, entry, exit, displacement, frames, weight); each has one clip."""
    poses = tuple(dict.fromkeys(pose for move in moves for pose in move[2:4]))
    paths = [arc(*move[4], move[5]) for move in moves]
    circles = [
        np.stack(
            [p[:, 0] + offset * np.sin(p[:, 2]), p[:, 1] + offset * np.cos(p[:, 2]), np.full(len(p), radius)], 1
        )
        for p in paths
    ]
    entry, leaving = (np.array([poses.index(move[k]) for move in moves]) for k in (2, 3))
    rests = np.array([any(m[1] == "wait" and m[2] == m[3] == pose for m in moves) for pose in poses])
    rows = [np.flatnonzero(entry == pose) for pose in range(len(poses))]
    starts = np.concatenate([[0], np.cumsum([len(p) for p in paths])])
    lengths = [np.hypot(*np.diff(p[:, :2], axis=0).T).sum() for p in paths]
    return BehaviorGraph(
        library=SimpleNamespace(poses=poses, fps=fps, name="toys"),
        entry=entry,
        exit=leaving,
        rests=rests,
        rest_circles=np.array([[0.0, offset, radius] if rest else [0.0, 0.0, 0.0] for rest in rests]),
        kinds=np.array([list(BEHAVIOR_KINDS).index(move[1]) for move in moves]),
        allowed=np.ones(len(moves), dtype=bool),
        follower_starts=np.concatenate([[0], np.cumsum([len(row) for row in rows])]),
        followers=np.concatenate(rows),
        costs=np.array([max(length, 0.05) * move[6] for length, move in zip(lengths, moves, strict=True)]),
        clip_starts=np.arange(len(moves) + 1),
        durations=np.array([move[5] for move in moves]),
        displacements=np.array([move[4] for move in moves], dtype=float),
        action_frames=np.array([move[5] // 2 for move in moves]),
        frame_starts=starts,
        circles=np.concatenate(circles),
        paths=np.concatenate(paths)[:, :2].copy(),
        speeds=np.full(len(moves), 1.0),
        capsule_starts=np.zeros(len(moves) + 1, dtype=np.int64),
        capsules=np.zeros((0, 1, 7)),
    )


QUARTER = np.pi / 2


def walker():
    """Forward, left, right and wait, all from and to one pose."""
    return make_graph(
        [
            ("forward", "locomotion", "stand", "stand", (0.0, 1.0, 0.0), 10, 1.0),
            ("left", "locomotion", "stand", "stand", (0.5, 0.5, QUARTER), 8, 1.1),
            ("right", "locomotion", "stand", "stand", (-0.5, 0.5, -QUARTER), 8, 1.2),
            ("wait", "wait", "stand", "stand", (0.0, 0.0, 0.0), 10, 1.0),
        ]
    )


def drifter():
    """Turns that never come back to the same heading: many states, all different."""
    bends = {"left": 0.4, "right": -0.5}
    bent = [
        (name, "locomotion", "stand", "stand", ((1 - np.cos(turn)) / turn, np.sin(turn) / turn, turn), 10, 1.05)
        for name, turn in bends.items()
    ]
    forward = ("forward", "locomotion", "stand", "stand", (0.0, 1.0, 0.0), 10, 1.0)
    return make_graph([forward, *bent, ("wait", "wait", "stand", "stand", (0.0, 0.0, 0.0), 10, 1.0)])


def make_scene(boxes=(), discs=(), bounds=BOUNDS, duration=6.0, clearance=0.05, fps=FPS):
    """boxes: x, z, width, depth. discs: radius and a path (T, 2)."""
    upright = np.array([1.0, 0.0, 0.0, 0.0])
    things = [
        Obstacle(f"box {n}", Box(w, 2.0, d), np.array([[x, 0.0, z]]), upright[None])
        for n, (x, z, w, d) in enumerate(boxes)
    ]
    for n, (radius, path) in enumerate(discs):
        places = np.stack([path[:, 0], np.zeros(len(path)), path[:, 1]], axis=1)
        things.append(Obstacle(f"disc {n}", Cylinder(radius, 1.5), places, np.tile(upright, (len(path), 1))))
    return Scene(
        "toy", bounds, flat_terrain(bounds), tuple(things), duration=duration, clearance=clearance, fps=fps,
        bodies="circle",
    )  # fmt: skip


def make_problem(graph, scene, start, goals, **options):
    pose = options.pop("pose", 0)
    horizon = options.pop("horizon", round(scene.duration * scene.fps))
    return Problem(graph, build_world(scene), Placement(*start), pose, tuple(goals), horizon, **options)


def gaps(scene, others, first, circles):
    """Least gap [m] between circles (F, 3), one a frame from `first` on, and anything else, at frames and between.

    others: (first frame, circles (F, 3), stays). Everything moves along straight lines from frame to frame.
    """
    fine = np.linspace(0.0, len(circles) - 1, (len(circles) - 1) * 5 + 1) if len(circles) > 1 else np.zeros(1)
    x, z, radius = (np.interp(fine, np.arange(len(circles)), circles[:, k]) for k in range(3))
    time = fine + first
    left, near, right, far = scene.bounds
    least = np.min([x - left, right - x, z - near, far - z], axis=0) - radius
    for obstacle in scene.obstacles:
        frames = np.arange(len(obstacle.positions))
        px, pz = (
            np.interp(time, frames, obstacle.positions[:, 0]),
            np.interp(time, frames, obstacle.positions[:, 2]),
        )
        if isinstance(obstacle.shape, Box):
            dx, dz = np.abs(x - px) - obstacle.shape.width / 2, np.abs(z - pz) - obstacle.shape.depth / 2
            away = np.hypot(np.maximum(dx, 0), np.maximum(dz, 0)) + np.minimum(np.maximum(dx, dz), 0)
        else:
            away = np.hypot(x - px, z - pz) - obstacle.shape.radius
        least = np.minimum(least, away - radius)
    for begin, track, stays in others:
        frames = begin + np.arange(len(track))
        there = (time >= begin) & ((time <= frames[-1]) | stays)
        px, pz, other = (np.interp(time, frames, track[:, k]) for k in range(3))
        least = np.minimum(least, np.where(there, np.hypot(x - px, z - pz) - radius - other, np.inf))
    return float(least.min())


def clip_circles(graph, clip, x, z, heading):
    rows = graph.circles[graph.frame_starts[clip] : graph.frame_starts[clip + 1]]
    px, pz = Placement(x, z, heading).point(rows[:, 0], rows[:, 1])
    return np.stack([px, pz, rows[:, 2]], axis=1)


def judge(problem, plan, others=()):
    """Least gap [m] along a plan, the stay at its end included; asserts that the plan is what it claims to be."""
    graph, scene = problem.graph, problem.world.scene
    assert len(plan.frames) == len(plan.placements) == len(plan) + 1
    assert plan.frames[0] == problem.start_frame
    assert plan.frames[-1] <= problem.horizon
    np.testing.assert_allclose(plan.placements[0, :2], [problem.start.x, problem.start.z])
    least, pose, cost, leg = np.inf, problem.pose, 0.0, 0
    for step, (behavior, clip) in enumerate(zip(plan.behaviors, plan.clips, strict=True)):
        assert graph.entry[behavior] == pose
        assert graph.clip_starts[behavior] <= clip < graph.clip_starts[behavior + 1]
        assert plan.frames[step + 1] - plan.frames[step] == graph.durations[clip]
        after = Placement(*plan.placements[step]) @ Placement(*graph.displacements[clip])
        np.testing.assert_allclose(plan.placements[step + 1, :2], [after.x, after.z], atol=1e-9)
        turned = plan.placements[step + 1, 2] - after.heading
        assert abs(np.sin(turned / 2)) < 1e-9
        least = min(
            least, gaps(scene, others, plan.frames[step], clip_circles(graph, clip, *plan.placements[step]))
        )
        pose, cost = graph.exit[behavior], cost + graph.costs[behavior]
    for placement in plan.placements:
        while leg < len(problem.goals) and _arrived(problem.goals[leg], placement):
            leg += 1
    if scene.terrain.is_flat:
        assert abs(cost - plan.cost) < 1e-9
    if plan.status == "found":
        assert leg == len(problem.goals) or _arrived(problem.goals[-1], plan.placements[-1])
    if problem.stays:
        assert graph.rests[pose]
        x, z = Placement(*plan.placements[-1]).point(*graph.rest_circles[pose][:2])
        stay = np.tile(
            [float(x), float(z), graph.rest_circles[pose][2]], (problem.horizon - plan.frames[-1] + 1, 1)
        )
        least = min(least, gaps(scene, others, plan.frames[-1], stay))
    return least


def _arrived(goal, placement):
    if np.hypot(placement[0] - goal.x, placement[1] - goal.z) > goal.tolerance:
        return False
    turned = 0.0 if goal.heading is None else placement[2] - goal.heading
    return goal.heading is None or abs(np.arctan2(np.sin(turned), np.cos(turned))) <= goal.heading_tolerance


def enumerate_best(problem, others=(), *, margin):
    """Cost of the best plan by trying everything that keeps `margin` [m] from all; inf if there is none."""
    graph, scene, start = problem.graph, problem.world.scene, problem.start
    queue = [(0.0, 0, start.x, start.z, start.heading, problem.pose, problem.start_frame, 0)]
    seen, order = set(), 0
    if gaps(scene, others, problem.start_frame, np.array([[start.x, start.z, graph.circles[0, 2]]])) < margin:
        return np.inf
    while queue:
        cost, _, x, z, heading, pose, frame, leg = heapq.heappop(queue)
        while leg < len(problem.goals) - 1 and _arrived(problem.goals[leg], (x, z, heading)):
            leg += 1
        key = (round(x, 6), round(z, 6), round(np.cos(heading), 6), round(np.sin(heading), 6), pose, frame, leg)
        if key in seen:
            continue
        seen.add(key)
        if leg == len(problem.goals) - 1 and _arrived(problem.goals[-1], (x, z, heading)):
            stay = np.tile([x, z, graph.circles[0, 2]], (problem.horizon - frame + 1, 1))
            free = not problem.stays or (graph.rests[pose] and gaps(scene, others, frame, stay) >= margin)
            if free:
                return cost
        for behavior in graph.followers[graph.follower_starts[pose] : graph.follower_starts[pose + 1]]:
            clip = graph.clip_starts[behavior]
            after = frame + graph.durations[clip]
            if (
                after > problem.horizon
                or gaps(scene, others, frame, clip_circles(graph, clip, x, z, heading)) < margin
            ):
                continue
            to = Placement(x, z, heading) @ Placement(*graph.displacements[clip])
            order += 1
            total = cost + graph.costs[behavior]
            heapq.heappush(queue, (total, order, to.x, to.z, to.heading, graph.exit[behavior], int(after), leg))
    return np.inf
