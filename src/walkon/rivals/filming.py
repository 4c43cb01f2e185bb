"""From a scene to the take of a rival, in one call, as from a scene to a take of ours."""

from __future__ import annotations

from pathlib import Path

from walkon.graphs.graph import MotionGraph
from walkon.rivals.following import Fit, follow_trajectories
from walkon.rivals.models import MODELS, Model, choose_model
from walkon.rivals.root_fixing import fix_roots
from walkon.rivals.simulating import simulate
from walkon.take import Take
from walkon.world import Scene

FITTINGS = ("root fixing", "path following")
"""How bodies were fitted to ways, as takes say it."""


def is_rival(take: Take) -> bool:
    """Whether a take says that a rival model made it."""
    name, _, how = take.planner.partition(", ")
    return name in MODELS and how in FITTINGS


def film_rival(
    scene: Scene,
    model: str | Model,
    graph: MotionGraph | None = None,
    *,
    fit: Fit | None = None,
    folder: Path | None = None,
    seed: int = 0,
) -> Take:
    """The take of a scene that a rival model plays; the same seed gives the same take.

    graph: whose walks follow the trajectories; without one, roots are fixed to them. folder: where relative names
    of libraries are looked for.
    """
    model = choose_model(model)
    played = simulate(scene, model, fps=scene.fps, seed=seed)
    if graph is None:
        return fix_roots(scene, played, folder=folder, seed=seed, planner=f"{model.name}, root fixing")
    return follow_trajectories(scene, played, graph, fit=fit, seed=seed, planner=f"{model.name}, path following")
