"""Casting: every character of a scene gets the behavior graph of whoever plays it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from walkon.basics import once_per_object
from walkon.behaviors import BehaviorGraph, BehaviorLibrary, build_graph, read_library
from walkon.builtin.casts import CASTS, fetch_library
from walkon.confining import check_inside
from walkon.crowd.pacing import tastes_for
from walkon.errors import LibraryError, OutsideError, SceneError
from walkon.world import Character, Scene

Performers = Mapping[tuple[str, int], BehaviorGraph]
"""Library and performer -> graph."""


def load_library(name: str, performer: int = 0, *, folder: Path | None = None) -> BehaviorLibrary:
    """The library of a built-in cast, or the one in a folder (looked for in `folder` if relative).

    Only the built-in casts have more than one performer: a recorded library is of the one who was recorded.
    """
    if name in CASTS:
        return fetch_library(name, performer)
    path = Path(name) if folder is None else folder / name
    check_inside(path)
    if not path.exists():
        raise LibraryError(
            f"no library {name!r}: neither a built-in cast ({', '.join(CASTS)}) nor a folder at {path}"
        )
    return read_library(path)


@lru_cache(maxsize=16)
def _builtin_graph(cast: str, performer: int, live: bool) -> BehaviorGraph:
    """The graph of a built-in performer: who plans several scenes gets the same people at once."""
    return build_graph(fetch_library(cast, performer), live=live)


def load_performers(
    scene: Scene, *, folder: Path | None = None, live: bool = False
) -> dict[tuple[str, int], BehaviorGraph]:
    """The graphs of everybody the scene asks for, each made once. live: with what only live crowds do."""
    graphs: dict[tuple[str, int], BehaviorGraph] = {}
    for character in scene.characters:
        key = (character.library, character.performer)
        if key in graphs:
            continue
        try:
            known = character.library in CASTS
            graphs[key] = (
                _builtin_graph(*key, live) if known else build_graph(load_library(*key, folder=folder), live=live)
            )
        except (LibraryError, OutsideError) as error:
            raise LibraryError(f"character {character.name!r}: {error}") from error
        if graphs[key].fps != scene.fps:
            raise SceneError(
                f"character {character.name!r}: library {character.library!r} has {graphs[key].fps:g} Hz, "
                f"the scene {scene.fps:g} Hz"
            )
    return graphs


@once_per_object
def _customized(
    graph: BehaviorGraph, weights: tuple[tuple[str, float], ...], without: tuple[str, ...]
) -> BehaviorGraph:
    return graph.customized(dict(weights), without)


def cast_character(character: Character, performers: Performers) -> BehaviorGraph:
    """The graph of the character's performer, with the character's tastes.

    Characters of the same performer and tastes share one graph, and all that planners prepare for it. How fast
    somebody likes to walk is a taste, too: of behaviors that differ in speed.
    """
    graph = performers[character.library, character.performer]
    weights, without = dict(character.weights), tuple(character.without)
    try:
        if character.speed is not None:
            slow, never = tastes_for(_customized(graph, (), without), character.speed)
            weights |= {name: factor * weights.get(name, 1.0) for name, factor in slow.items()}
            without += never
        return _customized(graph, tuple(sorted(weights.items())), without)
    except LibraryError as error:
        raise LibraryError(f"character {character.name!r}: {error}") from error


def starting_pose(character: Character, graph: BehaviorGraph) -> int:
    """The pose a character begins in: the one it names, or the first it can rest in, or the first there is."""
    if character.pose is not None:
        if character.pose not in graph.poses:
            raise SceneError(
                f"character {character.name!r}: no pose {character.pose!r} in library {character.library!r}; "
                f"there are: {', '.join(graph.poses)}"
            )
        return graph.poses.index(character.pose)
    return int(graph.rests.argmax())
