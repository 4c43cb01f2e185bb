"""What a person decided about transitions: thresholds, and single ones accepted or rejected."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

from walkon.errors import GraphError
from walkon.files import write_text
from walkon.graphs.corpus import Corpus, LabelSet

Rule = Literal["single", "same", "any"]
"""Which support phases a transition joins: "same" ones; of these only "single" feet and flights; or "any"."""

RULES: tuple[Rule, ...] = get_args(Rule)


@dataclass(frozen=True)
class ThresholdChoice:
    """Transitions of one pair of motions are taken up to a distance [m], whatever is thought of their quality.

    labels: from rows with this set of labels to rows with that one. clips: from this clip to that one, which
    counts more. One of the two is None. note: comment lines before it in the file. aside: comment on its line.
    """

    distance: float
    labels: tuple[LabelSet, LabelSet] | None = None
    clips: tuple[str, str] | None = None
    note: tuple[str, ...] = ()
    aside: str = ""


@dataclass(frozen=True)
class TransitionChoice:
    """One transition: from a frame of a clip, the last shown before the blend, to one in which the blend ends."""

    source: str
    source_frame: int
    target: str
    target_frame: int
    note: tuple[str, ...] = field(default=(), compare=False)
    aside: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.source} {self.source_frame} → {self.target} {self.target_frame}"


@dataclass(frozen=True)
class Choices:
    """Everything a person decided; nothing, by default.

    supports: which support phases transitions join. slide [m per frame], jump: the worst that a transition may be
    to be taken by itself; None: what we think. thresholds: instead of automatic ones. accepted, rejected: single
    transitions; frames are those of the graph, at its rate.
    notes: comment lines of the file, by the name before which they stand; "" for those at its end.
    """

    supports: Rule = "same"
    slide: float | None = None
    jump: float | None = None
    thresholds: tuple[ThresholdChoice, ...] = ()
    accepted: tuple[TransitionChoice, ...] = ()
    rejected: tuple[TransitionChoice, ...] = ()
    notes: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def accept(self, choice: TransitionChoice) -> Choices:
        """The same with one transition accepted, and no longer rejected."""
        return replace(
            self, accepted=(*_without(self.accepted, choice), choice), rejected=_without(self.rejected, choice)
        )

    def reject(self, choice: TransitionChoice) -> Choices:
        """The same with one transition rejected, and no longer accepted."""
        return replace(
            self, rejected=(*_without(self.rejected, choice), choice), accepted=_without(self.accepted, choice)
        )

    def forget(self, choice: TransitionChoice) -> Choices:
        """The same with nothing decided about one transition."""
        return replace(self, accepted=_without(self.accepted, choice), rejected=_without(self.rejected, choice))


def choice_of(corpus: Corpus, source: int, target: int) -> TransitionChoice:
    """The transition from one row of a corpus to another, as a choice names it."""
    return TransitionChoice(*corpus.where(source), *corpus.where(target))


def read_choices(path: Path | str) -> Choices:
    """The choices in a file; none if there is no such file. A file that is not right raises GraphError."""
    from walkon.graphs.choosing.choices_text import parse_choices

    path = Path(path)
    if not path.exists():
        return Choices()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise GraphError(f"{path}: cannot be read: {error}") from None
    return parse_choices(text, str(path))


def write_choices(path: Path | str, choices: Choices) -> None:
    """Write choices, comments and all, as a file that people can read and change."""
    from walkon.graphs.choosing.choices_text import format_choices

    write_text(path, format_choices(choices))


def _without(choices: tuple[TransitionChoice, ...], unwanted: TransitionChoice) -> tuple[TransitionChoice, ...]:
    return tuple(choice for choice in choices if choice != unwanted)
