"""Rows of `walkon bench graph` about how good graphs are, and the motion that comes of them.

Graphs of the CMU recordings that Chen lists (Chen 2014, tables 3.1 and 4.2: walking, running), of all of
subject 16, and of a session of built-in motion, each at 30 Hz and without any hand work. "one piece": whether
walking and running are each one strongly connected part, with ways between them. Dead ends: of WALKS random
walks of SECONDS seconds. Slide: how far joints that are planted get in a frame, over PERFORMED of those walks;
jump: the largest change of velocity at any seam, of a joint against its largest in all recordings of the walk.
Paths: how far the walk is off them, and where a change of style asked for at CHANGE m happens.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from walkon.graphs import MotionGraph
    from walkon.graphs.building import Built
    from walkon.motion import Clip

WALKS, SECONDS, PERFORMED = 1000, 60.0, 20
CHANGE = 12.0
"""[m] of the path after which walking is to become running."""

CHEN_WALKING = ("16_12", "16_14", "16_18", "16_19", "16_31", "16_34", "16_47", "16_58")
CHEN_RUNNING = ("16_08", "16_36", "16_38", "16_40", "16_42", "16_44", "16_46", "16_56")
RECORDINGS = (
    Path(os.environ.get("WALKON_MOCAP", Path(__file__).resolve().parents[2] / "shared" / "mocap")) / "cmu" / "bvh"
)
ENOUGH = 60
"""Frames of a kind of motion from which on it should be kept up."""

PERFORMER = 7
SESSION: tuple[str, ...] = ()
"""Names of the clips of the session that are used; all if there are none."""

Row = dict[str, object]


def quality_rows(seed: int) -> list[Row]:
    """All of them; every row has the same keys."""
    return [row for name, clips in collections() for row in _graph_rows(name, clips, seed)]


def collections() -> Iterator[tuple[str, list[Clip]]]:
    """What graphs are made of: by name, the clips."""
    from walkon.builtin.session import make_session
    from walkon.motion import read_recording

    def read(names: tuple[str, ...] | None) -> list[Clip]:
        files = sorted(RECORDINGS.glob("16_*.bvh"))
        chosen = [file for file in files if names is None or file.stem in names]
        return [read_recording(file, trim="leading").clip for file in chosen]

    if RECORDINGS.is_dir():
        yield "Chen, walking", read(CHEN_WALKING)
        yield "Chen, running", read(CHEN_RUNNING)
        yield "Chen, both", read((*CHEN_WALKING, *CHEN_RUNNING))
        yield "CMU subject 16", read(None)
    session = [clip for clip in make_session(PERFORMER) if not SESSION or clip.name in SESSION]
    yield "built-in session", session


def _graph_rows(name: str, clips: list[Clip], seed: int) -> Iterator[Row]:
    from walkon.graphs.building import build_motion_graph

    begun = time.perf_counter()
    built = build_motion_graph(clips)
    seconds = time.perf_counter() - begun
    graph = built.graph
    told = f"{len(graph.corpus)} frames, {graph.node_count} choice points, {len(graph.transitions)} transitions"
    yield _row("one piece", name, seconds, _pieces(built), "", aim="yes", remark=f"{told}; {_shares(built)}")
    yield from _random_rows(name, graph, seed)
    # What was only passed through, such as the last step of a run, is no style.
    kinds = {label for core in built.pruned.cores if core.kept for label in core.labels}
    for style in ("walk", "run"):
        if style in kinds:
            yield from _path_rows(name, graph, style, seed)
    if {"walk", "run"} <= kinds:
        yield _change_row(name, graph, seed)


def _pieces(built: Built) -> str:
    """Whether every core of walking and running is one piece that leads to all others."""
    recorded = {core.labels: core for core in built.pruned.cores if core.recorded >= ENOUGH}
    wanted = [recorded[kind] for kind in (frozenset({"walk"}), frozenset({"run"})) if kind in recorded]
    apart = [pair for pair in built.pruned.cut_off if all(own in {core.labels for core in wanted} for own in pair)]
    return "yes" if wanted and all(core.kept for core in wanted) and not apart else "no"


def _shares(built: Built) -> str:
    kept = [
        f"{' + '.join(sorted(core.labels)) or 'no label'} {100 * (core.kept + core.passing) / core.recorded:.0f} %"
        for core in built.pruned.cores
        if core.recorded
    ]
    return f"kept: {', '.join(kept)}; {len(built.chosen.bridges)} bridges"


def _random_rows(name: str, graph: MotionGraph, seed: int) -> Iterator[Row]:
    from walkon.graphs.graph import PLAIN
    from walkon.graphs.performing.seams import measure_seams
    from walkon.graphs.performing.walks import perform_walk
    from walkon.graphs.searching.random_walks import random_walks

    begun = time.perf_counter()
    walks = random_walks(graph, SECONDS, WALKS, seed=seed)
    seconds = time.perf_counter() - begun
    dead = sum(walk.duration < SECONDS - 1e-9 for walk in walks)
    blends = np.mean([(graph.carries[walk.edges] != PLAIN).sum() / walk.duration for walk in walks])
    yield _row(
        f"{WALKS} random walks of {SECONDS:g} s, dead ends", name, seconds, dead, "", aim="0",
        remark=f"{blends:.2f} transitions a second",
    )  # fmt: skip
    begun = time.perf_counter()
    seams = [measure_seams(walk, perform_walk(walk)) for walk in walks[:PERFORMED]]
    seconds = (time.perf_counter() - begun) / max(len(seams), 1)
    slides = np.concatenate([one.slides for one in seams])
    jumps = [one.worst_jump for one in seams]
    ratios = np.concatenate([one.ratios for one in seams])
    what = f"of {len(seams)} of these walks"
    yield _row(
        f"slide a contact frame {what}", name, seconds, round(1000.0 * float(slides.mean()), 3), "mm", aim="2 mm",
        remark=f"99 %: {1000 * np.quantile(slides, 0.99):.2f} mm, worst {1000 * slides.max():.2f} mm",
    )  # fmt: skip
    yield _row(
        f"jumps at seams {what}", name, None, round(max(jumps), 3), "×", aim="1 ×",
        remark=f"against the two recordings of each of {len(ratios)} seams: median {np.median(ratios):.2f}, "
        f"99 % {np.quantile(ratios, 0.99):.2f}, worst {ratios.max():.2f}",
    )  # fmt: skip


def _path_rows(name: str, graph: MotionGraph, style: str, seed: int) -> Iterator[Row]:
    from walkon.errors import GraphError
    from walkon.graphs.searching.fitting import fit_path
    from walkon.graphs.searching.shapes import SHAPES

    fit_path(graph, SHAPES["line"](), styles=style, seed=seed)
    for shape, make in SHAPES.items():
        # Nobody runs around such tight corners, and nobody writes running.
        if style == "run" and shape == "hello":
            continue
        path = make() * (2.0 if style == "run" else 1.0)
        begun = time.perf_counter()
        try:
            fit = fit_path(graph, path, styles=style, seed=seed)
        except GraphError as error:
            yield _row(f"{style} along {shape}", name, None, None, "", aim="15 cm", remark=str(error))
            continue
        seconds = time.perf_counter() - begun
        paper = "54.9 s of motion in 58.1 s" if shape == "hello" and style == "walk" else ""
        length = float(np.hypot(*np.diff(path, axis=0).T).sum())
        yield _row(
            f"{style} along {shape}, off it", name, seconds, round(100.0 * fit.mean_deviation, 2), "cm",
            aim="15 cm" if style == "walk" else "", paper=paper,
            remark=f"{fit.walk.duration:.1f} s, {length:.0f} m; at worst {100 * fit.deviations.max():.0f} cm",
        )  # fmt: skip


def _change_row(name: str, graph: MotionGraph, seed: int) -> Row:
    from walkon.errors import GraphError
    from walkon.graphs.searching.fitting import fit_path

    path = np.array([[0.0, 0.0], [2.0 * CHANGE, 0.0]])
    begun = time.perf_counter()
    try:
        fit = fit_path(graph, path, styles=[(0.0, "walk"), (CHANGE, "run")], seed=seed)
    except GraphError as error:
        return _row(f"walk to run at {CHANGE:g} m, off by", name, None, None, "", remark=str(error))
    seconds = time.perf_counter() - begun
    track = fit.walk.path()
    running = [label for label in fit.walk.labels() if label.name == "run"]
    where = float(track[running[0].start, 0]) if running else float("nan")
    return _row(
        f"walk to run at {CHANGE:g} m, off by", name, seconds, round(abs(where - CHANGE), 2), "m",
        remark=f"runs from {where:.2f} m on",
    )  # fmt: skip


def _row(
    what: str,
    graph: str,
    seconds: float | None,
    value: float | str | None,
    unit: str,
    *,
    aim: str = "",
    paper: str = "",
    remark: str = "",
) -> Row:
    return {
        "what": what,
        "who": graph,
        "s": None if seconds is None else round(seconds, 3),
        "value": value,
        "unit": unit,
        "aim": aim,
        "paper": paper,
        "remark": remark,
    }
