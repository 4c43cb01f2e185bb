"""What the commands of a campaign work on: a scene, takes, clips, a library, a model and a graph, all tiny."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SCENE = """bounds = [-3, -3, 3, 3]
[[characters]]
name = "ann"
start = [-2, {0}]
goal = [0, {0}]
[[characters]]
name = "bob"
start = [2, 1.5]
goal = [1, 1.5]
"""
RIDE = "wait start glide carve_left_20 glide push glide stop wait"


def make_inputs(folder: Path) -> None:
    """Write `old` and `new` below the folder; nothing is done where they are already."""
    if (folder / "new" / "whole").exists():
        return
    for number, name in enumerate(("old", "new")):
        place = folder / name
        for part in ("swings", "walks"):
            (place / part).mkdir(parents=True, exist_ok=True)
        _clips(place, number)
        _library(place / "lib", number)
        _takes(place, number)
        _model(place, number)
        _graph(place)
        (place / "whole").touch()


def _clips(place: Path, number: int) -> None:
    from walkon.builtin import make
    from walkon.builtin.casts import fetch_library
    from walkon.builtin.session import make_session
    from walkon.motion import Clip, crop, placement_at, resample, write_clip_file
    from walkon.motion import place as put
    from walkon.rotations import Placement

    walk = resample(make("walk", speed=1.2 + 0.1 * number), 30.0)
    write_clip_file(place / "walk.clip", crop(walk, 0, 20))
    session = {clip.name: clip for clip in make_session(7 + number)}
    for name, stretch in {"walk_about_1": (0, 150), "walk_slowly": (60, 180)}.items():
        write_clip_file(place / "walks" / f"{name}.clip", crop(session[name], *stretch))
    cast = fetch_library("skateboarder", number)
    here, roots, rotations = Placement(), [], []
    for name in RIDE.split():
        shown = cast[name].clips[0]
        moved = put(shown.clip, here @ placement_at(shown.clip, shown.first).inverse())
        roots.append(moved.root_positions[shown.first : shown.last])
        rotations.append(moved.rotations[shown.first : shown.last])
        here = placement_at(moved, shown.last)
    ride = Clip.build("ride", cast.skeleton, cast.fps, np.concatenate(roots), np.concatenate(rotations))
    write_clip_file(place / "ride.clip", ride)


def swing(number: int, frames: int = 24):
    """A pole that bows while it goes ahead, and an arm on it that swings."""
    from walkon.motion import Clip
    from walkon.rotations import from_axis_angle
    from walkon.skeleton import Skeleton

    skeleton = Skeleton(["root", "arm", "tip"], [-1, 0, 1], 0.5 * np.eye(3), [False, False, False])
    phases = np.arange(frames) / 4.0 + number
    rotations = np.zeros((frames, 3, 4))
    rotations[..., 0] = 1.0
    rotations[:, 1] = from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.2 * np.sin(phases))
    rotations[:, 2] = from_axis_angle(np.array([0.0, 0.0, 1.0]), (0.5 + 0.1 * number) * np.cos(phases))
    roots = np.column_stack([np.zeros(frames), np.ones(frames), 0.05 * np.arange(frames)])
    return Clip(f"swing_{number}", skeleton, 30.0, roots, rotations)


def _library(folder: Path, number: int) -> None:
    """Three clips of a pole that goes ahead, and one in which it waits."""
    from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary, write_library

    shown = tuple(BehaviorClip(swing(4 * number + k), 4) for k in range(3))
    still = swing(4 * number).with_changes(name="wait", root_positions=np.tile([0.0, 1.0, 0.0], (24, 1)))
    go = Behavior("go", "stand", "stand", shown)
    wait = Behavior("wait", "stand", "stand", (BehaviorClip(still, 4),), kind="wait")
    write_library(folder, BehaviorLibrary("poles", (go, wait)))


def _takes(place: Path, number: int) -> None:
    from dataclasses import replace

    from walkon.directing import plan_scene
    from walkon.take import write_take
    from walkon.world import HeightField, read_scene

    (place / "scene.toml").write_text(SCENE.format(-0.5 + 0.1 * number))
    take = plan_scene(read_scene(place / "scene.toml"), seed=number)
    write_take(take, place / "s.take")
    heights = HeightField(-3.0, -3.0, 1.0, np.arange(49.0).reshape(7, 7) / (50.0 + number))
    write_take(replace(take, scene=replace(take.scene, terrain=heights)), place / "hilly.take")


def _model(place: Path, number: int) -> None:
    from walkon.motion import write_clip_file
    from walkon.variation import learn_variation, write_model

    clips = [swing(4 * number + k) for k in range(2)]
    for clip in clips:
        write_clip_file(place / "swings" / f"{clip.name}.clip", clip)
    write_model(learn_variation(clips, restarts=1, rounds=2), place / "m.model")


def _graph(place: Path) -> None:
    from walkon.graphs import build_motion_graph, write_graph
    from walkon.motion import read_clip

    clips = [read_clip(file) for file in sorted((place / "walks").iterdir())]
    write_graph(place / "g.graph", build_motion_graph(clips).graph)
