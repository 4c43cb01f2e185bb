"""Whatever people decide comes back as it was; whatever a file holds, choices or a GraphError come out."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.errors import GraphError
from walkon.graphs.choosing.choices import RULES, Choices, ThresholdChoice, TransitionChoice
from walkon.graphs.choosing.choices_text import format_choices, parse_choices

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)
sizes = st.floats(0.0, allow_nan=False)
frames = st.integers(0, 10**6)
comments = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12).map(
    lambda text: f"# {text}".strip()
)
label_sets = st.frozensets(names, max_size=3)
notes = st.lists(comments, max_size=2).map(tuple)
asides = st.just("") | comments

by_labels = st.builds(ThresholdChoice, sizes, labels=st.tuples(label_sets, label_sets), note=notes, aside=asides)
by_clips = st.builds(ThresholdChoice, sizes, clips=st.tuples(names, names), note=notes, aside=asides)
transitions = st.builds(TransitionChoice, names, frames, names, frames, note=notes, aside=asides)


def different(entries: list) -> tuple:
    kept = {}
    for entry in entries:
        kept.setdefault((entry.labels, entry.clips) if isinstance(entry, ThresholdChoice) else entry, entry)
    return tuple(kept.values())


@st.composite
def choices(draw: st.DrawFn) -> Choices:
    decided = different(draw(st.lists(transitions, max_size=5)))
    split = draw(st.integers(0, len(decided)))
    return Choices(
        supports=draw(st.sampled_from(RULES)),
        slide=draw(st.none() | sizes),
        jump=draw(st.none() | sizes),
        thresholds=different(draw(st.lists(by_labels | by_clips, max_size=4))),
        accepted=decided[:split],
        rejected=decided[split:],
    )


@settings(max_examples=60, deadline=None)
@given(choices())
def test_comes_back_as_it_was(decided: Choices) -> None:
    text = format_choices(decided)
    again = parse_choices(text)
    assert replace(again, notes=()) == decided
    ours, theirs = ((*own.accepted, *own.rejected) for own in (again, decided))
    assert [(one.note, one.aside) for one in ours] == [(one.note, one.aside) for one in theirs]
    assert format_choices(again) == text


@settings(max_examples=60, deadline=None)
@given(choices(), st.integers(0), st.text(max_size=6))
def test_any_text_is_choices_or_an_error(decided: Choices, place: int, scribble: str) -> None:
    text = format_choices(decided)
    place %= len(text) + 1
    try:
        again = parse_choices(text[:place] + scribble + text[place:], "file")
    except GraphError:
        return
    assert isinstance(again, Choices)
