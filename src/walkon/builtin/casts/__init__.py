"""Ready casts: behavior libraries of a person, a skateboarder and a horse, made on the spot from a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from walkon.behaviors import BehaviorLibrary
from walkon.builtin.casts import shelf
from walkon.builtin.casts.preferences import with_preferences
from walkon.caching import lock_file, one_process_at_a_time
from walkon.errors import LibraryError

if TYPE_CHECKING:
    from walkon.builtin.performer import Performer


def make_human_library(performer: Performer) -> BehaviorLibrary:
    """Everything one person can do, in that person's own manner."""
    from walkon.builtin.casts.human_actions import action_behaviors
    from walkon.builtin.casts.human_close import close_quarters_behaviors
    from walkon.builtin.casts.human_locomotion import locomotion_behaviors
    from walkon.builtin.casts.human_narrow import narrow_behaviors
    from walkon.builtin.casts.human_steps import step_behaviors

    made = (locomotion_behaviors, close_quarters_behaviors, narrow_behaviors, action_behaviors, step_behaviors)
    return BehaviorLibrary("human", tuple(behavior for maker in made for behavior in maker(performer)))


def _make_human(seed: int) -> BehaviorLibrary:
    from walkon.builtin.performer import Performer

    return make_human_library(Performer(seed))


def _make_skateboarder(seed: int) -> BehaviorLibrary:
    from walkon.builtin.casts.skateboarder import make_skateboarder_library
    from walkon.builtin.performer import Performer

    return make_skateboarder_library(Performer(seed))


def _make_horse(seed: int) -> BehaviorLibrary:
    from walkon.builtin.casts.horse import make_horse_library

    return make_horse_library(seed)


CASTS: Mapping[str, Callable[[int], BehaviorLibrary]] = MappingProxyType(
    {"human": _make_human, "skateboarder": _make_skateboarder, "horse": _make_horse}
)
"""Name of a cast -> maker of its library from a seed: another seed is another performer."""


def make_library(cast: str, seed: int = 0) -> BehaviorLibrary:
    """The behavior library of a cast; the same seed gives the same bytes."""
    maker = CASTS.get(cast)
    if maker is None:
        raise LibraryError(f"no cast {cast!r}; there are: {', '.join(CASTS)}")
    return with_preferences(maker(seed))


def fetch_library(cast: str, seed: int = 0) -> BehaviorLibrary:
    """The same as `make_library`, from the shelf if it was made before."""
    if cast not in CASTS:
        return make_library(cast, seed)  # which says what there is
    with one_process_at_a_time(lock_file(f"{cast}-{seed}")):
        library = shelf.fetch(cast, seed)
        if library is None:
            library = make_library(cast, seed)
            shelf.keep(library, cast, seed)
    return library


__all__ = ["CASTS", "fetch_library", "make_human_library", "make_library"]
