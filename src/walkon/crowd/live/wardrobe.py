"""Who plays whom: the graphs of everybody who ever came to a live scene."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from walkon.behaviors import BehaviorGraph, BehaviorLibrary, build_graph
from walkon.crowd.casting import cast_character, load_performers
from walkon.crowd.live.repertoire import Repertoire, stack_repertoire
from walkon.errors import SceneError
from walkon.rotations import Placement
from walkon.world import Character, Scene
from walkon.world.bodies import BodyLevel

_STAND_IN = Character("nobody", Placement(0.0, 0.0, 0.0), ())
"""Whose graph is there if nobody is: a live crowd always has a repertoire."""


class Wardrobe:
    """The graphs of those who came, stacked into one repertoire; new ones go behind the old.

    library: for everybody, instead of those that characters name. folder: where relative names of libraries are
    looked for.
    """

    def __init__(self, library: BehaviorLibrary | None, folder: Path | None) -> None:
        self._own = None if library is None else build_graph(library, live=True)
        self._folder = folder
        self._entries: list[tuple[str, int, BehaviorGraph]] = []
        self._numbers: dict[BehaviorGraph, int] = {}
        self._loaded: dict[tuple[str, int], BehaviorGraph] = {}
        self._repertoire: Repertoire | None = None

    @property
    def repertoire(self) -> Repertoire:
        """What everybody can do."""
        assert self._repertoire is not None  # noqa: S101 - set by the first `fit`
        return self._repertoire

    def fit(self, characters: tuple[Character, ...], scene: Scene) -> list[int]:
        """Which performer each character is played by; the repertoire grows where it must."""
        performers = self._performers(characters or (_STAND_IN,), scene)
        found, known = [], len(self._entries)
        for character in characters or (_STAND_IN,):
            # Who walks how fast is decided while it walks: people of a hundred speeds share one graph.
            graph = cast_character(replace(character, speed=None), performers)
            if graph not in self._numbers:
                self._numbers[graph] = len(self._entries)
                self._entries.append((character.library, character.performer, graph))
            found.append(self._numbers[graph])
        if len(self._entries) > known:
            bodies = scene.bodies if self._repertoire is None else self._repertoire.bodies
            self._repertoire = stack_repertoire(self._entries, bodies)
        return found[: len(characters)]

    def see(self, bodies: BodyLevel, accept: Callable[[Repertoire], bool]) -> bool:
        """Have the repertoire for bodies seen at another level, if it is accepted; all numbers stand. Whether it
        is."""
        seen = stack_repertoire(self._entries, bodies)
        accepted = accept(seen)
        if accepted:
            self._repertoire = seen
        return accepted

    def _performers(self, characters: tuple[Character, ...], scene: Scene) -> dict[tuple[str, int], BehaviorGraph]:
        """The graphs of all libraries and performers that these characters name."""
        if self._own is None:
            # One character for each performer: a scene wants names to be unique. What was read once is not read
            # again: whoever comes back is played by the same graph.
            asked = {(c.library, c.performer): c for c in characters}
            new = tuple(character for key, character in asked.items() if key not in self._loaded)
            cast = Scene(scene.name, scene.bounds, scene.terrain, (), new, fps=scene.fps)
            self._loaded |= load_performers(cast, folder=self._folder, live=True)
            return self._loaded
        if self._own.fps != scene.fps:
            raise SceneError(f"the library has {self._own.fps:g} Hz, the scene {scene.fps:g} Hz")
        return {(c.library, c.performer): self._own for c in characters}
