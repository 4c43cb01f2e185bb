from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import ClipError
from walkon.motion import Clip, Contacts, Label
from walkon.motion.library import ClipLibrary
from walkon.rotations import normalize
from walkon.skeleton import Skeleton


def skeleton(**changes: object) -> Skeleton:
    fields = {
        "names": ("root", "mid", "end"),
        "parents": (-1, 0, 1),
        "offsets": [(0, 0, 0), (0, 1, 0), (0, 0.5, 0)],
    }
    return Skeleton(**(fields | changes))


def clip(name: str, frames: int, *, fps: float = 30.0, body: Skeleton | None = None, **fields: object) -> Clip:
    rng = np.random.default_rng(frames)
    body = skeleton() if body is None else body
    return Clip(
        name, body, fps, rng.normal(size=(frames, 3)), normalize(rng.normal(size=(frames, len(body), 4))), **fields
    )


def test_clips_lie_end_to_end_and_come_back_as_views() -> None:
    originals = [clip("a", 4), clip("b", 1, labels=(Label("x", 0, 1),)), clip("c", 7)]
    library = ClipLibrary.build(originals)
    np.testing.assert_array_equal(library.starts, [0, 4, 5])
    np.testing.assert_array_equal(library.stops, [4, 5, 12])
    for original, view in zip(originals, library, strict=True):
        np.testing.assert_array_equal(view.rotations, original.rotations)
        assert np.shares_memory(view.rotations, library.rotations)
        assert np.shares_memory(view.root_positions, library.root_positions)
        assert view.labels == original.labels
    assert library["b"] is library[1] is library[-2]
    assert library.index("c") == 2
    assert "a" in library
    assert "d" not in library


def test_what_kernels_ask_for() -> None:
    library = ClipLibrary.build([clip("a", 4), clip("b", 3)])
    assert (len(library), library.frame_count, library.duration) == (2, 7, pytest.approx(5 / 30))
    np.testing.assert_array_equal(library.clip_of_frame, [0, 0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(library.positions[4:], library["b"].positions)
    assert library.placements.shape == (7, 3)
    for array in (
        library.root_positions,
        library.rotations,
        library.starts,
        library.positions,
        library.clip_of_frame,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_contacts_are_there_for_all_rows_or_not_at_all() -> None:
    planted = [np.zeros((n, 1), bool) | (n == 3) for n in (2, 3)]
    known = [clip(f"c{n}", n, contacts=Contacts(("end",), p)) for n, p in zip((2, 3), planted, strict=True)]
    whole = ClipLibrary.build(known).contacts
    assert whole is not None
    np.testing.assert_array_equal(whole.planted[:, 0], [False, False, True, True, True])
    assert ClipLibrary.build([*known, clip("other", 2)]).contacts is None


def test_a_rate_brings_all_clips_to_it() -> None:
    library = ClipLibrary.build([clip("a", 9, fps=60), clip("b", 5, fps=30)], fps=30)
    assert library.fps == 30
    assert [len(c) for c in library] == [5, 5]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (clip("a", 3), "two clips are called 'a'"),
        (clip("b", 3, fps=25), r"'b' runs at 25 Hz but 'a' at 30 Hz.*fps="),
        (
            clip("b", 3, body=skeleton(names=("root", "mid", "tail"))),
            r"only one has tail and only one has end.*retarget",
        ),
        (clip("b", 3, body=skeleton(parents=(-1, 0, 0))), r"'end' hangs on another parent"),
        (
            clip("b", 3, body=skeleton(offsets=[(0, 0, 0), (0, 1.2, 0), (0, 0.5, 0)])),
            r"'mid' differs by 200 mm.*scale",
        ),
        (clip("b", 3, bone_offsets=np.zeros((3, 3, 3))), r"'b' stretches its bones"),
    ],
)
def test_clips_that_do_not_belong_together_say_why(other: Clip, message: str) -> None:
    with pytest.raises(ClipError, match=message):
        ClipLibrary.build([clip("a", 4), other])


def test_nothing_is_no_library() -> None:
    with pytest.raises(ClipError, match="at least one"):
        ClipLibrary.build([])


def test_a_missing_clip_is_an_error_that_lists_what_is_there() -> None:
    library = ClipLibrary.build([clip(f"clip{i}", 2) for i in range(12)])
    with pytest.raises(ClipError, match=r"no clip 'walk'.*clip0.*and 4 more"):
        library["walk"]
    with pytest.raises(IndexError, match="12"):
        library[12]
