"""What people decide is kept in a file that they can read, comments and all; what is wrong with it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from walkon.errors import GraphError
from walkon.graphs.choosing.choices import (
    Choices,
    ThresholdChoice,
    TransitionChoice,
    choice_of,
    read_choices,
    write_choices,
)
from walkon.graphs.choosing.choices_text import format_choices, parse_choices
from walkon.graphs.corpus import Corpus

BY_HAND = """\
# Mine.
supports = "single"   # feet can be held then
jump = 1

# Walks are picky.
thresholds = [
    # not so near
    { from = "walk", to = ["run", "fast"], distance = 0.08 },  # looked at all of them
    { from_clip = "16_12", to_clip = "a \\"b\\" # c", distance = 0 },
    # perhaps more later
]
rejected = [ { from = "16_12", from_frame = 3, to = "16_31", to_frame = 40 } ]
# The end.
"""

EXPECTED = Choices(
    supports="single",
    jump=1.0,
    thresholds=(
        ThresholdChoice(
            0.08,
            labels=(frozenset({"walk"}), frozenset({"run", "fast"})),
            note=("# not so near",),
            aside="# looked at all of them",
        ),
        ThresholdChoice(0.0, clips=("16_12", 'a "b" # c')),
    ),
    rejected=(TransitionChoice("16_12", 3, "16_31", 40),),
)


def test_reads_what_a_person_wrote() -> None:
    choices = parse_choices(BY_HAND)
    assert choices.supports == "single"
    assert (choices.slide, choices.jump) == (None, 1.0)
    assert choices.thresholds == EXPECTED.thresholds
    assert choices.rejected == EXPECTED.rejected


def test_comes_back_with_every_comment() -> None:
    once = parse_choices(BY_HAND)
    text = format_choices(once)
    assert parse_choices(text) == parse_choices(format_choices(parse_choices(text)))
    again = parse_choices(text)
    assert (again.thresholds, again.rejected, again.supports, again.jump) == (
        once.thresholds,
        once.rejected,
        once.supports,
        once.jump,
    )
    for comment in (
        line[line.index("# ") :] for line in BY_HAND.splitlines() if "# " in line and '# c"' not in line
    ):
        assert comment in text
    assert format_choices(again) == text


def test_comments_of_entries_that_share_a_line_stay_with_their_list() -> None:
    entry = '{ from = "a", from_frame = 1, to = "b", to_frame = 2 }'
    other = entry.replace("1", "7")
    choices = parse_choices(f"accepted = [ {entry},\n  # good\n  {other} ] # both\n")
    assert len(choices.accepted) == 2
    text = format_choices(choices)
    assert "# good" in text
    assert "# both" in text


def test_no_file_is_no_choice(tmp_path: Path) -> None:
    assert read_choices(tmp_path / "none.toml") == Choices()


def test_a_file_is_written_whole_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "walks.choices.toml"
    write_choices(path, EXPECTED)
    read = read_choices(path)
    assert read.thresholds == EXPECTED.thresholds
    assert read.rejected == EXPECTED.rejected
    assert "Change it, and build the graph again" in path.read_text()
    write_choices(path, read)
    assert read_choices(path) == read
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(GraphError, match="cannot be read"):
        read_choices(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("supports = 3", r"c:1: supports: is one of single, same, any, not 3"),
        ("\nslides = 1", r"c:2: slides: unknown key; expected: supports, slide"),
        ("slide = -1.0", r"c:1: slide: is a number of at least 0, not -1.0"),
        ("slide = true", r"c:1: slide: is a number"),
        ("jump = nan", r"c:1: jump: is a number"),
        ("accepted = 3", r"c:1: accepted: is a list of tables"),
        ("accepted = [3]", r"c:1: accepted\[0\]: is a table in braces, not 3"),
        ('thresholds = [\n  { from = "a", to = "b" },\n]', r"c:2: thresholds\[0\]: lacks 'distance'"),
        (
            'thresholds = [\n\n  { from = "a", to_clip = "b", distance = 1 },\n]',
            r"c:3: thresholds\[0\]: unknown key 'from'; expected: from_clip, to_clip, distance",
        ),
        (
            'accepted = [\n  { from = "a", from_frame = 1.5, to = "", to_frame = -1 },\n]',
            r"c:2: accepted\[0\].to: is the name of a clip(.|\n)*from_frame: is the number of a frame(.|\n)*-1",
        ),
        ("slide = = 1", r"c: .*line 1"),
        ("thresholds = [\n  { from = 1, to = [2], distance = 1 },\n]", r"thresholds\[0\].from: is a label"),
    ],
)
def test_says_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        parse_choices(text, "c")


def test_refuses_to_be_told_twice() -> None:
    entry = '{ from = "a", from_frame = 1, to = "b", to_frame = 2 }'
    with pytest.raises(GraphError, match="transition a 1 → b 2 is decided twice"):
        parse_choices(f"accepted = [{entry}]\nrejected = [{entry}]")
    threshold = '{ from = ["x", "y"], to = "z", distance = 1 }'
    with pytest.raises(GraphError, match=r"threshold x\+y → z is decided twice"):
        parse_choices(f"thresholds = [{threshold}, {threshold}]")


def test_a_change_of_mind_leaves_one_decision() -> None:
    choice = TransitionChoice("a", 1, "b", 2)
    noted = TransitionChoice("a", 1, "b", 2, note=("# once",))
    choices = Choices().accept(noted).reject(choice)
    assert (choices.accepted, choices.rejected) == ((), (choice,))
    assert choices.accept(choice).rejected == ()
    assert choices.forget(choice) == Choices()
    assert choices.reject(choice) == choices


def test_names_rows_by_clip_and_frame(little_corpus: Corpus) -> None:
    second = int(little_corpus.library.starts[1])
    assert choice_of(little_corpus, 3, second + 5) == TransitionChoice("walk", 3, "brisk", 5)
