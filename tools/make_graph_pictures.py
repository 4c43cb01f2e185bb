"""Make the pictures and films of motion graphs in docs/: of a session of built-in motion, never of recordings."""

from __future__ import annotations

import io
import math
import sys
from pathlib import Path

import numpy as np
from PIL import Image

from walkon.builtin.session import make_session
from walkon.cli._graph_paths import script_marks
from walkon.directing import act_script
from walkon.files import atomic_path
from walkon.graphs import MotionGraph
from walkon.graphs.building import build_motion_graph
from walkon.graphs.choosing.quality import measure_quality
from walkon.graphs.hubs.building import build_hubs
from walkon.graphs.performing.showing import perform_transition
from walkon.graphs.performing.walks import perform_walk
from walkon.graphs.searching.fitting import fit_path
from walkon.graphs.searching.random_walks import random_walk
from walkon.graphs.searching.shapes import hello
from walkon.motion import Clip
from walkon.render import (
    GroundPath,
    ShownTransition,
    contact_sheet,
    draw_clip_surface,
    draw_graph,
    draw_hubs,
    draw_transitions,
    draw_walks,
    follow_clip,
    frame_clips,
    level_setting,
    write_film,
    write_png,
)
from walkon.render.walk_plots import ASKED
from walkon.world import read_scene

ROOT = Path(__file__).resolve().parents[1]
PICTURES, FILMS = ROOT / "docs" / "pictures", ROOT / "docs" / "films"
COLOURS, LARGEST, LONGEST_FILM = 160, 330_000, 1_600_000
"""Few colours make pictures small enough to commit; the most bytes of a picture and of a film."""

PERFORMER = 7
WORD = 1.4
"""How much larger than usual the word is written."""

SEED = 7
"""Of a random walk that has a little of everything."""


def main() -> None:
    """Write docs/pictures/graph_*.png and docs/films/graph_*.mp4."""
    graph = build_motion_graph(make_session(PERFORMER)).graph
    draw_clip_surface(graph, ("walk_and_run_1", "stop_and_go_2"), PICTURES / "graph_surface.png", width=760)
    draw_graph(graph, PICTURES / "graph_ring.png", title=f"session of performer {PERFORMER}", width=1300)
    clips = {"random": _random(graph), "hello": _word(graph), "script": _script(graph)}
    _transitions(graph)
    draw_hubs(build_hubs(graph.corpus), PICTURES / "graph_hubs.png", title="hubs of the session", width=1000)
    for picture in sorted(PICTURES.glob("graph_*.png")):
        _shrink(picture)
    for name, clip in clips.items():
        _film(name, clip)


def _random(graph: MotionGraph) -> Clip:
    """Three quarters of a minute at random, from above."""
    walk = random_walk(graph, 45.0, seed=SEED)
    draw_walks(walk, PICTURES / "graph_random.png", title=f"random walk, seed {SEED}", width=1000)
    return perform_walk(walk)


def _word(graph: MotionGraph) -> Clip:
    """Somebody who writes a word by walking it."""
    path = WORD * hello()
    fit = fit_path(graph, path, styles="walk")
    told = f"{fit.walk.duration:.0f} s, {100 * fit.mean_deviation:.0f} cm off the path in the mean"
    draw_walks(fit.walk, PICTURES / "graph_hello_plan.png", asked=path, title="hello", subtitle=told, width=1100)
    clip = perform_walk(fit.walk)
    yellow = GroundPath(path, width=0.2, colour=ASKED, opacity=0.9)
    sheet = contact_sheet(
        clip, 64, mode="overlay", width=1300, azimuth=0.0, elevation=math.radians(42.0), paths=[yellow]
    )
    write_png(PICTURES / "graph_hello.png", sheet)
    return clip


def _script(graph: MotionGraph) -> Clip:
    """Somebody who does what a scene file says, step by step."""
    scene = read_scene(ROOT / "examples" / "scenes" / "directed.toml")
    acted = act_script(graph, scene.characters[0], seed=3)
    sys.stdout.write(acted.summary() + "\n")
    lines, marks = script_marks(report.step for report in acted.reports)
    plan = PICTURES / "graph_script_plan.png"
    draw_walks(acted.walk, plan, asked=lines, marks=marks, title="directed", width=1000)
    sheet = contact_sheet(acted.clip, 56, mode="overlay", width=1300, azimuth=0.0, elevation=math.radians(30.0))
    write_png(PICTURES / "graph_script.png", sheet)
    return acted.clip


def _transitions(graph: MotionGraph) -> None:
    """The worst of all, and then from walking to running and back, into a jump and out of standing: usual ones."""
    corpus, found = graph.corpus, graph.transitions
    quality = measure_quality(corpus, found)
    names = np.array(["+".join(sorted(own)) for own in corpus.label_sets])
    kinds = list(zip(names[corpus.labels[found.sources]], names[corpus.labels[found.targets]], strict=True))
    worst = int(np.argmax(np.maximum(quality.slides / 0.015, quality.jumps)))
    chosen = []
    for pair in (("walk", "run"), ("run", "jump"), ("run", "walk"), ("stand", "walk")):
        members = [number for number, kind in enumerate(kinds) if kind == pair]
        if members:
            chosen.append(sorted(members, key=lambda number: found.distances[number])[len(members) // 2])
    shown = []
    for number in [worst, *chosen]:
        excerpt = perform_transition(corpus, found, number, before=0.4, after=0.4)
        (left, before), (entered, after) = (
            corpus.where(int(rows[number])) for rows in (found.sources, found.targets)
        )
        facts = (
            f"{kinds[number][0]} to {kinds[number][1]} · {100 * found.distances[number]:.1f} cm · "
            f"slides {1000 * quality.slides[number]:.1f} mm · jump {quality.jumps[number]:.2f}"
        )
        heading = f"{number}   {left} {before} to {entered} {after}"
        shown.append(ShownTransition(excerpt.clip, excerpt.shares, heading, facts))
    write_png(PICTURES / "graph_transitions.png", draw_transitions(shown, width=1200))


def _film(name: str, clip: Clip) -> None:
    """A film in which somebody is followed; who writes a word is seen with all of it."""
    path, size = FILMS / f"graph_{name}.mp4", (480, 270)
    if name == "hello":
        size = (640, 272)
        camera = frame_clips(
            clip, aspect=size[0] / size[1], azimuth=0.0, elevation=math.radians(48.0), margin=0.06
        )
        paths = [GroundPath(WORD * hello(), width=0.2, colour=ASKED, opacity=0.9)]
    else:
        camera, paths = follow_clip(clip, azimuth=0.6, elevation=math.radians(20.0), distance=7.0, calm=1.8), []
    write_film(path, clip, size=size, fps=25.0, camera=camera, setting=level_setting(paths=paths))
    weight = path.stat().st_size
    sys.stdout.write(f"docs/films/{path.name}  {clip.duration:.0f} s  {weight / 1000:.0f} kB\n")
    if weight > LONGEST_FILM:
        sys.exit(f"{path.name} is larger than {LONGEST_FILM / 1000:.0f} kB")


def _shrink(path: Path) -> None:
    picture = Image.open(io.BytesIO(path.read_bytes())).convert("RGB")
    with atomic_path(path) as temporary:
        picture.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
            temporary, format="PNG", optimize=True
        )
    size = path.stat().st_size
    sys.stdout.write(f"docs/pictures/{path.name}  {size / 1000:.0f} kB\n")
    if size > LARGEST:
        sys.exit(f"{path.name} is larger than {LARGEST / 1000:.0f} kB")


if __name__ == "__main__":
    main()
