"""A script performed on a motion graph: the best of several attempts, with what became of every step."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.directing.acting import Actor
from walkon.directing.actions import Action
from walkon.directing.going import go
from walkon.directing.legs import ScriptDeed, ScriptLeg, is_idle, plan_legs
from walkon.directing.reports import STAND, Acted, judge
from walkon.directing.stage import ActingStage
from walkon.directing.ways import frames_to
from walkon.errors import GraphError
from walkon.graphs import MotionGraph
from walkon.graphs.performing.walks import perform_walk
from walkon.motion import ground_placements
from walkon.rotations import Placement
from walkon.world import Character, Face, Go, ScriptStep, Wait
from walkon.world.script_goals import follows_script

ATTEMPTS = 4
"""Attempts at a script of which some hard step is not met, before the best of them is good enough."""

NEAREST = 24
"""Nodes that are considered as starts: those from which the first step is begun soonest."""


def act_script(
    graph: MotionGraph,
    character: Character,
    *,
    seed: int = 0,
    attempts: int = ATTEMPTS,
    bounds: tuple[float, float, float, float] | None = None,
    name: str = "",
) -> Acted:
    """Perform a character's script, from its start, with motion of a graph; the same seed gives the same walk.

    Hard steps are met within their tolerances where the attempts find a way; `Acted.reports` says of every step
    whether it was met, by how much, and when. bounds [m]: of the scene; attempts that stay inside are preferred.
    Obstacles and other people are not avoided: see the audit. name: of the clip; the character's if left out.
    """
    steps = whole_script(character)
    if not graph.edge_count or attempts < 1:
        raise GraphError("a script needs a graph with edges, and one attempt at least")
    stage = ActingStage(graph, bounds)
    best: Acted | None = None
    for attempt in range(attempts):
        rng = np.random.default_rng([seed, attempt])
        acted = _attempt(stage, character, steps, rng, name or character.name)
        if best is None or acted.cost < best.cost:
            best = acted
        if best.cost == 0.0:
            break
    assert best is not None  # noqa: S101
    return best


def whole_script(character: Character) -> tuple[ScriptStep, ...]:
    """The script, and the way to a goal that was given besides."""
    script = tuple(character.script)
    if not script:
        raise GraphError(f"character {character.name!r} has no script")
    if not character.goals or follows_script(character):
        return script
    goal = character.goals[-1]
    last: tuple[ScriptStep, ...] = (Go(goal.x, goal.z, goal.tolerance),)
    if goal.heading is not None:
        last += (Face(goal.heading, goal.heading_tolerance),)
    return script if script[-len(last) :] == last else script + last


def _attempt(
    stage: ActingStage, character: Character, steps: tuple[ScriptStep, ...], rng: np.random.Generator, name: str
) -> Acted:
    parts = plan_legs(steps)
    rest = stage.rest if character.at_goal == "stay" else None
    deeds: list[Action | None] = [
        stage.action(part.step) if isinstance(part, ScriptDeed) else None for part in parts
    ]
    start = _start(stage, character, parts[0], deeds[0], rng)
    actor = Actor(stage, start, _placed(stage.graph, start, character.start), rng)
    for number, part in enumerate(parts):
        if isinstance(part, ScriptDeed):
            actor.do(part)
        else:
            later = [one for one in range(number + 1, len(parts)) if not is_idle(parts[one])]
            go(actor, part, deeds[later[0]] if later else rest)
    if rest is not None and not isinstance(steps[-1], Wait):
        actor.settle(rest)
    walk = actor.walk
    acted = judge(steps, actor.spans, walk, perform_walk(walk, name=name), stays=character.at_goal == "stay")
    return replace(acted, outside=_outside(walk.path(), stage.bounds))


def _outside(track: NDArray[np.float64], bounds: tuple[float, float, float, float]) -> float:
    """How far [m] a track (F, 2) leaves bounds."""
    over = np.concatenate([np.array(bounds[:2]) - track, track - np.array(bounds[2:])], axis=1)
    return max(float(over.max()), 0.0)


def _start(
    stage: ActingStage,
    character: Character,
    first: ScriptLeg | ScriptDeed,
    deed: Action | None,
    rng: np.random.Generator,
) -> int:
    """A node to begin at: standing, if that can be had, from where the first step can soon be begun."""
    graph, nodes = stage.graph, stage.alive_nodes
    label = character.pose if character.pose in stage.names else STAND
    if label in stage.names:
        has = np.array([label in own for own in graph.corpus.label_sets])[graph.corpus.labels[graph.nodes]]
        nodes = nodes & has if (nodes & has).any() else nodes
    aims = deed.entries if deed is not None else _moving(stage)
    far = np.where(nodes, frames_to(graph, aims, stage.prices(stage.usual)), np.inf)
    if not np.isfinite(far).any():
        return int(rng.choice(np.flatnonzero(nodes)))
    soon = np.argsort(far, kind="stable")[: min(NEAREST, int(np.isfinite(far).sum()))]
    return int(rng.choice(soon))


def _moving(stage: ActingStage) -> NDArray[np.bool_]:
    """Nodes (V,) from which one goes on in the usual way of getting about."""
    graph = stage.graph
    names = graph.corpus.label_sets
    usual = np.array([stage.usual is None or stage.usual in own for own in names])[graph.corpus.labels]
    moving = np.zeros(graph.node_count, dtype=np.bool_)
    moving[graph.tails[stage.alive & usual[graph.nodes[graph.heads]]]] = True
    return moving


def _placed(graph: MotionGraph, node: int, start: Placement) -> Placement:
    """Where the track of a node's row is, when the body in it stands at the start."""
    row, library = int(graph.nodes[node]), graph.corpus.library
    number = int(library.clip_of_frame[row])
    frame = row - int(library.starts[number])
    body = Placement(*ground_placements(library[number])[frame])
    return start @ body.inverse() @ Placement(*graph.corpus.tracks[row])
