"""What a planner looked at: its search tree over the scene, coloured by cost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.errors import RenderError
from walkon.planning import Plan, SearchTree
from walkon.render.overview import draw_frame, draw_obstacles, label_obstacles
from walkon.render.palette import DARKEST
from walkon.render.plan_view import HEAD_ROOM, SIDE_ROOM, PlanView
from walkon.render.wording import grouped
from walkon.world import Goal, Scene

COLD_TO_HOT = np.array(
    [(52, 92, 178), (70, 152, 190), (122, 184, 140), (226, 188, 84), (214, 110, 66), (178, 40, 52)]
)
"""Colours from the cheapest node to the dearest."""


def draw_search_tree(
    scene: Scene,
    tree: SearchTree,
    path: Path | str,
    plan: Plan | None = None,
    *,
    goals: tuple[Goal, ...] = (),
    width: int = 1600,
) -> None:
    """Draw a PNG of a search tree from above: branches from blue, cheap, to red, dear, and the plan over them.

    goals: marked by rings; those of the scene's only character if not given. width: [px].
    """
    if not len(tree.costs):
        raise RenderError("the search tree has no nodes")
    view = PlanView(scene, width)
    view.floor()
    draw_obstacles(view, scene)
    colours = cost_colours(tree.costs)
    ground = tree.placements[:, :2]
    thick = float(np.clip(2.4 - 0.3 * np.log10(len(ground)), 1.0, 2.0))
    # Dear ones first: where many branches overlap, the cheap ones are what the search grew from.
    for node in np.argsort(-tree.costs, kind="stable"):
        if tree.parents[node] >= 0:
            view.line(ground[[tree.parents[node], node]], (*colours[node].tolist(), 170), thick)
    if len(ground) <= 20_000:
        for node in np.argsort(-tree.costs, kind="stable"):
            view.spot(ground[node], colours[node].tolist(), 1.2)
    if plan is not None and len(plan.placements):
        view.line(plan.placements[:, :2], (255, 255, 255, 220), 7.0)
        view.line(plan.placements[:, :2], DARKEST, 3.6)
    if not goals and len(scene.characters) == 1:
        goals = scene.characters[0].goals
    for goal in goals:
        view.ring((goal.x, goal.z), DARKEST, goal.tolerance, 2.4)
    view.dot(ground[0], DARKEST, 6.0)
    label_obstacles(view, scene)
    draw_frame(view, scene, _subtitle(tree, plan))
    _draw_scale(view, tree)
    view.save(path)


def cost_colours(costs: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Colours (N, 3) of costs (N,), from the least to the greatest."""
    low, high = float(costs.min()), float(costs.max())
    tone = (costs - low) / max(high - low, 1e-12) * (len(COLD_TO_HOT) - 1)
    channels = [np.interp(tone, np.arange(len(COLD_TO_HOT)), COLD_TO_HOT[:, c]) for c in range(3)]
    return np.stack(channels, axis=1).astype(np.uint8)


def _subtitle(tree: SearchTree, plan: Plan | None) -> str:
    parts = [f"{grouped(len(tree.costs))} nodes"]
    if plan is not None:
        parts.append(f"cost {plan.cost:.1f}" if plan.status == "found" else plan.status)
        parts.append(f"{plan.statistics.seconds * 1000:.0f} ms")
    return " · ".join(parts)


def _draw_scale(view: PlanView, tree: SearchTree) -> None:
    """The colours and the costs at their ends, at the upper right."""
    right, y, wide = view.width - SIDE_ROOM, HEAD_ROOM / 2, 180.0
    end = right - 4
    text = view.text((end, y), f"{tree.costs.max():.1f}", anchor="rm")
    bar = end - text - 8 - wide
    view.gradient((bar, y), cost_colours(np.linspace(0.0, 1.0, 64)), wide, 10.0)
    view.text((bar - 8, y), f"cost {tree.costs.min():.1f}", anchor="rm")
