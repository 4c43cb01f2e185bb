"""Takes made of random legal sequences of the built-in casts' clips."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from walkon.behaviors import BehaviorLibrary
from walkon.builtin.casts import fetch_library
from walkon.motion import placement_at
from walkon.rotations import Placement
from walkon.take import Role, Take, TakeClip
from walkon.world import Character, HeightField, Scene, flat_terrain

BOUNDS = (-100.0, -100.0, 100.0, 100.0)


@cache
def _library(cast: str) -> BehaviorLibrary:
    return fetch_library(cast, 1)


@pytest.fixture(scope="session")
def library() -> Callable[[str], BehaviorLibrary]:
    """The library of a cast, made once."""
    return _library


@pytest.fixture(scope="session")
def twins():
    """Stitching the obvious way."""
    spec = importlib.util.spec_from_file_location("twins_of_synthesis", Path(__file__).parent / "twins.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def wander() -> Callable[..., Take]:
    """Make a take in which `people` do random things, one after another, or all of them what `script` says."""
    return _wander


def _wander(
    cast: str,
    *,
    people: int = 3,
    frames: int = 600,
    seed: int = 0,
    terrain: HeightField | None = None,
    script: Sequence[str] | None = None,
    without: Sequence[str] = (),
    leaves: bool = False,
) -> Take:
    library = _library(cast)
    clips = tuple(
        TakeClip(shown.clip, shown.margin, behavior.name, behavior.kind, behavior.entry, behavior.exit, cast)
        for behavior in library
        for shown in behavior.clips
        if behavior.name not in without
    )
    moves = [_move(shown) for shown in clips]
    rng = np.random.default_rng(seed)
    roles = []
    for person in range(people):
        x, z, heading = rng.uniform(-1.0, 1.0, 3) * [10.0, 10.0, 3.0]
        at = Placement(float(x), float(z), float(heading))
        pose = clips[rng.integers(len(clips))].entry
        frame, chosen = int(rng.integers(0, 20)), []
        while frame < frames and (script is None or len(chosen) < len(script)):
            wanted = [
                index
                for index, shown in enumerate(clips)
                if (shown.entry == pose if script is None else shown.behavior == script[len(chosen)])
            ]
            clip = int(rng.choice(wanted))
            chosen.append((clip, frame, (at.x, at.z, at.heading)))
            at, frame, pose = at @ moves[clip], frame + clips[clip].duration, clips[clip].exit
        numbers, starts, places = zip(*chosen, strict=True)
        roles.append(Role(f"p{person}", numbers, starts, places, frame, leaves))  # type: ignore[arg-type]
    scene = Scene(
        "wandering",
        BOUNDS,
        flat_terrain(BOUNDS) if terrain is None else terrain,
        characters=tuple(Character(role.character, Placement(*role.placements[0]), ()) for role in roles),
    )
    return Take(scene, library.fps, frames, clips, tuple(roles))


@cache
def _move(shown: TakeClip) -> Placement:
    return placement_at(shown.clip, shown.first).inverse() @ placement_at(shown.clip, shown.last)


@pytest.fixture(scope="session")
def hills() -> HeightField:
    """Smooth hills with slopes up to 0.24."""
    x, z = np.meshgrid(np.arange(-100.0, 100.25, 0.25), np.arange(-100.0, 100.25, 0.25))
    return HeightField(-100.0, -100.0, 0.25, 0.3 * (np.sin(2 * np.pi * x / 10.0) + np.cos(2 * np.pi * z / 13.0)))
