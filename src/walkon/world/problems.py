"""Everything wrong with a scene file, collected before anything is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from pydantic import ValidationError

from walkon.errors import SceneError
from walkon.world.document_messages import is_echo, message_of, place_of
from walkon.world.toml_lines import Place, line_of, show_place

MOST_SHOWN = 50


@dataclass(frozen=True)
class SceneProblem:
    """One thing wrong. place: `obstacles[2].size`, empty for the file as a whole. line: from 1, if known."""

    place: str
    line: int | None
    message: str


class SceneFileError(SceneError):
    """A scene file that cannot be read as one; `problems` are all of them, and the message lists them."""

    def __init__(self, source: str, problems: Iterable[SceneProblem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        shown = [_shown(source, problem) for problem in self.problems[:MOST_SHOWN]]
        if len(self.problems) > MOST_SHOWN:
            shown.append(f"and {len(self.problems) - MOST_SHOWN} more")
        if len(shown) > 1:
            shown.insert(0, f"{source}: {len(self.problems)} problems")
        super().__init__("\n  ".join(shown))


def _shown(source: str, problem: SceneProblem) -> str:
    line = "" if problem.line is None else f":{problem.line}"
    place = f"{problem.place}: " if problem.place else ""
    return f"{source}{line}: {place}{problem.message}"


@dataclass
class Problems:
    """Collects problems. source: what to call the file. lines: of the places in it."""

    source: str
    lines: dict[Place, int] = field(default_factory=dict)
    found: dict[SceneProblem, None] = field(default_factory=dict)

    def add(self, place: Place, message: str) -> None:
        """Something is wrong here; said twice it counts once."""
        self.found[SceneProblem(show_place(place), line_of(self.lines, place), message)] = None

    @contextmanager
    def at(self, *place: str | int) -> Iterator[None]:
        """A SceneError raised inside is a problem of this place."""
        try:
            yield
        except SceneError as error:
            self.add(place, str(error))

    def add_all(self, error: ValidationError, origins: Mapping[str, Sequence[int]]) -> None:
        """Every complaint of the schema, in words; origins: where elements of lists were before others left."""
        for detail in error.errors(include_url=False):
            place = place_of(detail)
            if len(place) > 1 and place[0] in origins and isinstance(place[1], int):
                place = (place[0], origins[str(place[0])][place[1]], *place[2:])
            if not is_echo(detail):
                self.add(place, message_of(detail))

    def raise_if_any(self) -> None:
        """Stop here with the whole list, in the order of the file."""
        if self.found:
            ordered = sorted(self.found, key=lambda problem: problem.line or 0)
            raise SceneFileError(self.source, ordered)
