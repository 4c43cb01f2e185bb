"""One scene, several planners and rivals: each plays it, and is audited and measured the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from walkon.basics import StageProgress
from walkon.crowd import load_performers
from walkon.directing import PLANNERS, choose_planner, rehearse
from walkon.directing.live_takes import live_take
from walkon.errors import PlanError, WalkonError
from walkon.graphs.graph import MotionGraph
from walkon.metrics import AuditReport, Benchmarks, Measures, audit, measure, measure_benchmarks
from walkon.rivals.filming import film_rival
from walkon.rivals.models import MODELS
from walkon.take import Take
from walkon.world import Scene

LIVE = "live"
"""The name of our crowd that plans while it plays."""


@dataclass(frozen=True, eq=False)
class Contender:
    """What somebody made of a scene.

    name: of the planner or model. rival: whether it is none of ours. take, audited, measures: what came of it;
    None if it failed. failure: why, in a sentence. seconds: that planning took.
    """

    name: str
    rival: bool
    take: Take | None
    audited: AuditReport | None
    measures: Measures | None
    failure: str
    seconds: float


def contender_names() -> tuple[str, ...]:
    """All that can be compared: our planners, our live crowd, and the rivals."""
    return (*PLANNERS, LIVE, *MODELS)


def compare(
    scene: Scene,
    names: Sequence[str],
    *,
    seed: int = 0,
    graph: MotionGraph | None = None,
    folder: Path | None = None,
    progress: StageProgress | None = None,
) -> Iterator[Contender]:
    """Everybody in turn plays the scene, and is audited and measured against the motion of its cast.

    names: of `contender_names`. graph: whose walks follow the ways of rivals; without one, their roots are fixed.
    folder: where relative names of libraries are looked for. Who fails is said to; the others go on.
    """
    unknown = [name for name in names if name not in contender_names()]
    if unknown or len(set(names)) < len(names) or not names:
        wrong = f"no planner called {', '.join(map(repr, unknown))}" if unknown else "name each planner once"
        raise PlanError(f"{wrong}; there are: {', '.join(contender_names())}")
    lines = cast_benchmarks(scene, folder=folder)

    def tell(what: str) -> Callable[[int, int], None] | None:
        return None if progress is None else partial(progress, what)

    for name in names:
        started = time.perf_counter()
        try:
            take = play(scene, name, seed=seed, graph=graph, folder=folder, progress=tell(f"{name}: planning"))
            seconds = time.perf_counter() - started
            report = audit(take, progress=tell(f"{name}: auditing"))
            found = measure(take, lines, audited=report, progress=tell(f"{name}: measuring"))
        except WalkonError as error:
            yield Contender(name, name in MODELS, None, None, None, str(error), time.perf_counter() - started)
            continue
        yield Contender(name, name in MODELS, take, report, found, "", seconds)


def cast_benchmarks(scene: Scene, *, folder: Path | None = None) -> Benchmarks | None:
    """What the motion does that everybody in a scene plays from; None if nobody is there."""
    libraries = {id(graph.library): graph.library for graph in load_performers(scene, folder=folder).values()}
    return measure_benchmarks(list(libraries.values())) if libraries else None


def play(
    scene: Scene,
    name: str,
    *,
    seed: int = 0,
    graph: MotionGraph | None = None,
    folder: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Take:
    """The take of a scene by one of ours or by a rival."""
    if name in MODELS:
        return film_rival(scene, name, graph, folder=folder, seed=seed)
    if name == LIVE:
        return live_take(scene, seed=seed, folder=folder, progress=progress)
    planner = choose_planner(name, people=len(scene.characters))
    # What is compared is the planner alone.
    return rehearse(
        scene, seed=seed, planner=planner, folder=folder, progress=progress, growing=progress, live=False
    ).take
