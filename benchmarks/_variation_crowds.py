"""A concourse that plays from a library with variants: who is whose double, and what planning takes.

Repetition is how often a minute somebody within 5 m plays the very same clip in the same phase, in the mean over
all people (`walkon.metrics.quality`). Planning times are the best of rounds
that take turns; all are means over some seeds. Violations are what
the audit says, beyond those of the plain library.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkon.directing import Rehearsal
    from walkon.world import Scene

SCENE, CAST = "concourse", "human"
COUNT = 8
"""Variants of every clip."""

ROUNDS, SEEDS = 3, 5
LEARNING_ROUNDS = 4
Row = dict[str, object]


def crowd_rows() -> list[Row]:
    """Rows of the library, and of the crowd with and without it."""
    from walkon.behaviors import measure_seams, write_library
    from walkon.builtin.casts import make_library
    from walkon.metrics import audit
    from walkon.metrics.quality import measure_repetition
    from walkon.variation import vary_library
    from walkon.world import read_scene
    from walkon.world.classics import classic_scene_text

    plain = make_library(CAST, 0)
    begun = time.perf_counter()
    rich, report = vary_library(plain, COUNT, rounds=LEARNING_ROUNDS)
    seconds = time.perf_counter() - begun
    gaps = [max(seam.pose_gap for seam in measure_seams(library)) for library in (plain, _fewer(rich))]
    scene = read_scene(classic_scene_text(SCENE))
    with tempfile.TemporaryDirectory() as folder:
        for name, library in (("plain", plain), ("rich", rich)):
            write_library(Path(folder) / name, library)
        takes, best = _planned(scene, Path(folder), ("plain", "rich"))
    rates = {
        name: float(np.mean([measure_repetition(one.take).rates.mean() for one in some]))
        for name, some in takes.items()
    }
    # Of few people for a short time there may be no doubles at all, which is no number of times fewer.
    fewer = round(rates["plain"] / rates["rich"], 2) if rates["rich"] > 0.0 else None
    kept = f"{report.variants} variants joined {report.clips} clips; kept: {len(report.kept)} behaviors"
    found = {name: sum(len(audit(one.take).violations) for one in some) for name, some in takes.items()}
    times = round(best["rich"] / best["plain"], 3)
    return [
        _row(f"varying the {CAST} library", round(seconds, 1), "s", "180", kept),
        _row("greatest gap at a seam, before", round(1e3 * gaps[0], 3), "mm"),
        _row("greatest gap at a seam, after", round(1e3 * gaps[1], 3), "mm", "no more"),
        _row("doubles within 5 m, plain library", round(rates["plain"], 3), "a minute each"),
        _row("doubles within 5 m, varied library", round(rates["rich"], 3), "a minute each"),
        _row("fewer doubles", fewer, "times", "5"),
        _row("planning, plain library", round(best["plain"], 3), "s"),
        _row("planning, varied library", times, "times", "1.05"),
        _row("violations more than with the plain library", found["rich"] - found["plain"], "", "0"),
    ]


def _planned(
    scene: Scene, folder: Path, names: tuple[str, ...]
) -> tuple[dict[str, list[Rehearsal]], dict[str, float]]:
    """The scene rehearsed from every library with some seeds, and the time planning takes, in turns.

    Libraries are read and compiled before: that is done once for all takes.
    """
    from walkon.crowd import plan_crowd
    from walkon.crowd.casting import cast_character, load_performers
    from walkon.directing import default_planner, rehearse
    from walkon.world import build_world

    world, planner = build_world(scene), default_planner(len(scene.characters))
    takes, graphs = {}, {}
    for name in names:
        people = tuple(replace(one, library=str(folder / name)) for one in scene.characters)
        setting = replace(scene, characters=people)
        takes[name] = [rehearse(setting, seed=seed) for seed in range(SEEDS)]
        performers = load_performers(setting)
        graphs[name] = [cast_character(character, performers) for character in people]
    times = dict.fromkeys(names, 0.0)
    for seed in range(SEEDS):
        best = dict.fromkeys(names, float("inf"))
        for _ in range(ROUNDS):
            for name in names:
                best[name] = min(best[name], plan_crowd(world, graphs[name], planner, seed=seed).seconds)
        times = {name: times[name] + best[name] for name in names}
    return takes, {name: seconds / SEEDS for name, seconds in times.items()}


def _fewer(library):
    """The library with two clips of every behavior, the last of them: all pairs of all clips are too many."""
    return replace(
        library, behaviors=tuple(replace(one, clips=(one.clips[0], *one.clips[-2:])) for one in library)
    )


def _row(what: str, value: float | None, unit: str, aim: str = "", remark: str = "") -> Row:
    return {
        "motion": f"{SCENE} of {CAST}s",
        "what": what,
        "value": value,
        "unit": unit,
        "aim": aim,
        "thesis": "",
        "remark": remark,
    }
