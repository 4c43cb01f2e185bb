"""Who takes part in a live scene: names, goals still to come, and the graphs of those who play them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from walkon.behaviors import BehaviorGraph, BehaviorLibrary, build_graph
from walkon.crowd.casting import cast_character, load_performers
from walkon.crowd.live.repertoire import Repertoire, stack_repertoire
from walkon.errors import SceneError
from walkon.world import Character, Goal, Scene


@dataclass(eq=False)
class Person:
    """Somebody in a live scene.

    number: never used again. character: as it came. performer: which of `Live.performers`. joined: first frame,
    left: the last, or None. agenda: goals still to be reached, in order. row: in the engine's arrays. reached:
    goals and when.
    """

    number: int
    character: Character
    performer: int
    joined: int
    row: int
    agenda: list[Goal]
    left: int | None = None
    reached: list[tuple[int, Goal]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """As in the scene."""
        return self.character.name

    @property
    def goal(self) -> Goal | None:
        """What it is going for, or has reached."""
        if self.agenda:
            return self.agenda[0]
        return self.reached[-1][1] if self.reached else None


class Wardrobe:
    """The graphs of everybody who ever came, stacked into one repertoire; new ones go behind the old."""

    def __init__(self, library: BehaviorLibrary | None, folder: Path | None) -> None:
        self._own = None if library is None else build_graph(library)
        self._folder = folder
        self._entries: list[tuple[str, int, BehaviorGraph]] = []
        self._numbers: dict[int, int] = {}
        self.repertoire: Repertoire | None = None

    def fit(self, characters: tuple[Character, ...], scene: Scene) -> list[int]:
        """Which performer each character is played by; the repertoire grows where it must."""
        if self._own is not None:
            performers = {(c.library, c.performer): self._own for c in characters}
            if self._own.fps != scene.fps:
                raise SceneError(f"the library has {self._own.fps:g} Hz, the scene {scene.fps:g} Hz")
        else:
            asked = Scene(scene.name, scene.bounds, scene.terrain, (), _named_apart(characters), fps=scene.fps)
            performers = load_performers(asked, folder=self._folder)
        found, known = [], len(self._entries)
        for character in characters:
            graph = cast_character(character, performers)
            if id(graph) not in self._numbers:
                self._numbers[id(graph)] = len(self._entries)
                self._entries.append((character.library, character.performer, graph))
            found.append(self._numbers[id(graph)])
        if len(self._entries) > known:
            self.repertoire = stack_repertoire(self._entries)
        return found


def _named_apart(characters: tuple[Character, ...]) -> tuple[Character, ...]:
    """One character for every performer that is asked for: a scene wants names to be unique."""
    return tuple({(c.library, c.performer): c for c in characters}.values())
