"""What every edit keeps, whatever the clip."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from walkon.motion import Clip, Contacts, Label
from walkon.motion.editing import crop, join, mirror, place, resample, retime, warp_times
from walkon.motion.editing.mirror import consistent_twins, joint_reflections
from walkon.motion.library import ClipLibrary
from walkon.rotations import Placement, continuous, normalize
from walkon.skeleton import Skeleton, mirror_pairs

FEW = settings(max_examples=30, deadline=None)


@st.composite
def skeletons(draw: st.DrawFn) -> Skeleton:
    """A midline chain with pairs of limbs hung on it; nothing about its rest pose is symmetric."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    names, parents = ["root"], [-1]
    for part in range(draw(st.integers(1, 4))):
        hung_on = int(rng.integers(len(names)))
        midline = not names[hung_on].endswith(("_left", "_right"))
        if midline and draw(st.booleans()):
            for side in ("left", "right"):
                base = len(names)
                names += [f"upper{part}_{side}", f"lower{part}_{side}", f"tip{part}_{side}"]
                parents += [hung_on, base, base + 1]
        elif midline:
            names.append(f"middle{part}")
            parents.append(hung_on)
    offsets = rng.normal(size=(len(names), 3))
    tips = [name.startswith("tip") for name in names]
    return Skeleton(names, parents, offsets, tips)


@st.composite
def clips(draw: st.DrawFn, skeleton: Skeleton | None = None, min_frames: int = 1) -> Clip:
    """Any motion at all of any such skeleton."""
    skeleton = draw(skeletons()) if skeleton is None else skeleton
    frames = draw(st.integers(min_frames, 24))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rotations = continuous(normalize(rng.normal(size=(frames, len(skeleton), 4))))
    rotations[:, skeleton.tips] = [1.0, 0.0, 0.0, 0.0]
    start = draw(st.integers(0, frames - 1))
    labels = (Label("some", start, draw(st.integers(start + 1, frames))), Label("all", 0, frames))
    contacts = Contacts((skeleton.names[-1],), rng.random((frames, 1)) < 0.5) if draw(st.booleans()) else None
    stretch = skeleton.offsets * rng.uniform(0.9, 1.1, size=(frames, 1, 1)) if draw(st.booleans()) else None
    fps = draw(st.sampled_from([24.0, 25.0, 30.0, 60.0, 120.0]))
    return Clip("any", skeleton, fps, rng.normal(size=(frames, 3)), rotations, stretch, labels, contacts)


placements = st.builds(Placement, st.floats(-9, 9), st.floats(-9, 9), st.floats(-4, 4))


@FEW
@given(clips())
def test_mirroring_twice_changes_nothing(clip: Clip) -> None:
    twice = mirror(mirror(clip))
    np.testing.assert_allclose(twice.positions, clip.positions, atol=1e-9)
    assert twice.labels == clip.labels
    if clip.contacts is not None:
        assert twice.contacts is not None
        assert twice.contacts.joints == clip.contacts.joints
        np.testing.assert_array_equal(twice.contacts.planted, clip.contacts.planted)


@FEW
@given(clips())
def test_mirroring_keeps_bone_lengths(clip: Clip) -> None:
    rigid = clip.with_changes(bone_offsets=None)
    positions, parents = mirror(rigid).positions, clip.skeleton.parents
    lengths = np.linalg.norm(positions[:, 1:] - positions[:, parents[1:]], axis=-1)
    np.testing.assert_allclose(lengths, np.broadcast_to(clip.skeleton.lengths[1:], lengths.shape), atol=1e-9)


@FEW
@given(skeletons())
def test_reflections_are_improper_and_undo_their_twins(skeleton: Skeleton) -> None:
    twins = consistent_twins(skeleton)
    reflections = joint_reflections(skeleton, twins)
    np.testing.assert_allclose(np.linalg.det(reflections), -1.0, atol=1e-9)
    np.testing.assert_allclose(
        reflections @ reflections[twins], np.broadcast_to(np.eye(3), reflections.shape), atol=1e-9
    )


@FEW
@given(skeletons(), st.data())
def test_a_symmetric_body_is_mirrored_to_the_last_digit(skeleton: Skeleton, data: st.DataObject) -> None:
    twins, flip = mirror_pairs(skeleton), np.array([-1.0, 1.0, 1.0])
    offsets = 0.5 * (skeleton.offsets + skeleton.offsets[twins] * flip)
    symmetric = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.tips)
    # Nameless joints are paired by where they are: moved onto the middle plane, some find another twin.
    assume(np.array_equal(mirror_pairs(symmetric), twins))
    clip = data.draw(clips(symmetric))
    np.testing.assert_allclose(mirror(clip).positions, clip.positions[:, twins] * flip, atol=1e-6)


@FEW
@given(clips(), placements, placements)
def test_placing_composes(clip: Clip, a: Placement, b: Placement) -> None:
    np.testing.assert_allclose(place(place(clip, b), a).positions, place(clip, a @ b).positions, atol=1e-9)
    np.testing.assert_allclose(place(place(clip, a), a.inverse()).positions, clip.positions, atol=1e-9)


@FEW
@given(clips(), st.integers(2, 5))
def test_resampling_up_and_down_gives_the_clip_back(clip: Clip, factor: int) -> None:
    back = resample(resample(clip, factor * clip.fps), clip.fps)
    np.testing.assert_array_equal(back.rotations, clip.rotations)
    np.testing.assert_array_equal(back.root_positions, clip.root_positions)
    assert back.labels == clip.labels
    if clip.contacts is not None:
        np.testing.assert_array_equal(back.contacts.planted, clip.contacts.planted)


@FEW
@given(clips(), st.floats(5.0, 200.0))
def test_resampling_keeps_the_duration_to_within_a_frame(clip: Clip, fps: float) -> None:
    other = resample(clip, fps)
    assert -1e-4 * clip.duration <= clip.duration - other.duration < 1 / fps
    seen = other.duration * clip.fps
    assert {label.name for label in other.labels} >= {label.name for label in clip.labels if label.start <= seen}


@FEW
@given(clips(min_frames=2), st.data())
def test_labels_stay_within_what_is_cropped(clip: Clip, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(clip) - 1))
    stop = data.draw(st.integers(start + 1, len(clip)))
    part = crop(clip, start, stop)
    np.testing.assert_array_equal(part.positions, clip.positions[start:stop])
    for frame in range(len(part)):
        ours = {label.name for label in part.labels if label.start <= frame < label.stop}
        assert ours == {label.name for label in clip.labels if label.start <= frame + start < label.stop}


@FEW
@given(clips(min_frames=2), st.floats(0.3, 3.0))
def test_retiming_at_a_steady_speed_only_scales_time(clip: Clip, stretch: float) -> None:
    slow = retime(clip, warp_times([(0.0, 0.0), (stretch * clip.duration, clip.duration)], clip.fps))
    assert abs(slow.duration - stretch * clip.duration) < 1 / clip.fps + 1e-9
    np.testing.assert_array_equal(slow.rotations[0], clip.rotations[0])


@FEW
@given(skeletons(), st.data())
def test_cropping_a_join_gives_the_parts_back(skeleton: Skeleton, data: st.DataObject) -> None:
    first, second = (
        data.draw(clips(skeleton, min_frames=2)).with_changes(fps=30.0, contacts=None) for _ in range(2)
    )
    overlap = data.draw(st.integers(1, min(len(first), len(second))))
    joined = join(first, second, blend=overlap / 30.0)
    assert len(joined) == len(first) + len(second) - overlap
    if overlap < len(first):
        start = crop(joined, 0, len(first) - overlap)
        np.testing.assert_array_equal(start.rotations, first.rotations[: len(start)])
        np.testing.assert_array_equal(start.root_positions, first.root_positions[: len(start)])
    if overlap < len(second):
        rest = crop(joined, len(first))
        np.testing.assert_array_equal(rest.rotations[:, 1:], second.rotations[overlap:, 1:])
        np.testing.assert_allclose(rest.root_positions[:, 1], second.root_positions[overlap:, 1])


@FEW
@given(skeletons(), st.data())
def test_a_library_gives_back_what_was_put_in(skeleton: Skeleton, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 4))
    gathered = [
        data.draw(clips(skeleton)).with_changes(name=f"clip {i}", fps=30.0, bone_offsets=None)
        for i in range(count)
    ]
    library = ClipLibrary.build(gathered)
    for i, clip in enumerate(gathered):
        view = library[f"clip {i}"]
        np.testing.assert_array_equal(view.rotations, clip.rotations)
        np.testing.assert_array_equal(library.positions[library.starts[i] : library.stops[i]], view.positions)
        assert (library.clip_of_frame == i).sum() == len(clip)
