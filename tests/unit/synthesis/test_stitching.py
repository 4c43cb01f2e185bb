"""Stitched motion: where the plan says, without jumps, on feet that stay put."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.basics import runs
from walkon.motion import Clip, ground_placements, placement_at
from walkon.motion.features.outlines import supports_around
from walkon.rotations import Placement
from walkon.skeleton import build_body
from walkon.synthesis import perform, perform_all
from walkon.synthesis.cores import build_core
from walkon.synthesis.seams import WANDER, blend_seam
from walkon.synthesis.stitching import Stitcher
from walkon.take import Role, Take, TakeClip

CASTS = ("human", "horse", "skateboarder")


SLIDES = 0.004
"""[m] That a contact may slide. Nearly all slide by less than 1 mm; a heel by 3.4 mm where somebody stops short
from a slow walk and goes on standing. With more, slides could be seen."""


def slides(clip: Clip) -> list[float]:
    """How far [m] each contact slides."""
    assert clip.contacts is not None
    found = []
    for column, name in enumerate(clip.contacts.joints):
        path = clip.positions[:, clip.skeleton.index(name)][:, [0, 2]]
        for start, stop in runs(clip.contacts.planted[:, column]):
            found.append(float(np.linalg.norm(path[start:stop] - path[start], axis=1).max()))
    return found


def jerks(clip: Clip) -> np.ndarray:
    """Largest change of velocity [m/frame] of any joint, (F - 2,)."""
    return np.linalg.norm(np.diff(clip.positions, 2, axis=0), axis=-1).max(axis=1)


@pytest.mark.parametrize("cast", CASTS)
def test_feet_hardly_slide_and_nothing_jumps_at_seams(wander, cast):
    take = wander(cast, people=6, seed=3, without=("crawl_under",))
    roughest = max(jerks(shown.clip).max() for shown in take.clips)
    for role, shown in zip(take.roles, perform_all(take), strict=True):
        assert max(slides(shown.clip), default=0.0) <= SLIDES
        near = np.zeros(len(shown.clip) - 2, dtype=bool)
        for seam in role.frames[1:] - role.frames[0]:
            near[max(seam - 10, 0) : seam + 10] = True
        assert jerks(shown.clip)[near].max() <= 1.05 * roughest


def test_toes_that_a_foot_rolls_over_stay_however_the_next_clip_had_them(wander):
    """Who steps aside leaves a foot behind where no margin of the next step has it."""
    take = wander("human", people=1, script=("stroll_aside_left_20_on_right", "stroll_step_left_25_on_left"))
    assert max(slides(perform_all(take)[0].clip)) <= 0.002


@pytest.mark.parametrize("cast", CASTS)
def test_bodies_stay_within_two_centimetres_of_the_planners_outlines(wander, cast):
    take = wander(cast, people=4, seed=5)
    for role, shown in zip(take.roles, perform_all(take), strict=True):
        body, found = build_body(shown.clip.skeleton), []
        for index, start, at in zip(role.clips, role.frames - role.frames[0], role.placements, strict=True):
            source = take.clips[index]
            move = Placement(*at) @ placement_at(source.clip, source.first).inverse()
            wanted = supports_around(move.points(source.clip.positions[source.first : source.last]), body)
            there = supports_around(shown.clip.positions[start : start + len(wanted)], body)
            found.append((there.max(axis=1) - wanted[: len(there)].max(axis=1)).max(initial=0.0))
        # Outlines are of few directions, which are others in the world than where the seam was made.
        assert 0.0 < max(found) <= 1.05 * WANDER


def test_segments_stand_where_the_role_says_and_are_untouched_between_the_seams(wander):
    take = wander("human", people=2, seed=1, without=("crawl_under",))
    for role, shown in zip(take.roles, perform_all(take), strict=True):
        there = ground_placements(shown.clip)
        for segment, clip in enumerate(role.clips):
            source = take.clips[clip]
            start = int(role.frames[segment] - role.frames[0])
            if start >= len(there):
                continue
            assert np.allclose(there[start, :2], role.placements[segment, :2], atol=0.004)
            middle = start + source.duration // 2
            if middle + 1 < len(there) and segment:
                move = Placement(*role.placements[segment]) @ placement_at(source.clip, source.first).inverse()
                wanted = move.points(source.clip.positions[source.first + source.duration // 2])
                # Feet that stand across the seam may still be where the clip before had them.
                assert np.abs(shown.clip.positions[middle] - wanted).max() <= 0.002


def test_the_seam_frame_is_halfway_between_both_clips(wander):
    take = wander("human", people=1, script=["walk_forward", "walk_left_45"])
    role = take.roles[0]
    clip = perform(take, role).clip
    first, second = (take.clips[index] for index in role.clips)
    seam = int(role.frames[1] - role.frames[0])
    roots = [
        (Placement(*role.placements[0]) @ placement_at(first.clip, first.first).inverse()).points(
            first.clip.root_positions[first.last]
        ),
        (Placement(*role.placements[1]) @ placement_at(second.clip, second.first).inverse()).points(
            second.clip.root_positions[second.first]
        ),
    ]
    assert np.allclose(clip.root_positions[seam], np.mean(roots, axis=0), atol=1e-9)


def test_one_and_all_and_threads_give_the_same(wander):
    take = wander("human", people=3, seed=2)
    done = []
    all_of_them = perform_all(take, progress=lambda count, total: done.append((count, total)))
    threaded = perform_all(take, workers=2)
    alone = [perform(take, role.character) for role in take.roles]
    assert done == [(1, 3), (2, 3), (3, 3)]
    for a, b, c in zip(all_of_them, threaded, alone, strict=True):
        assert a.character == b.character == c.character
        for other in (b, c):
            assert np.array_equal(a.clip.rotations, other.clip.rotations)
            assert np.array_equal(a.clip.root_positions, other.clip.root_positions)


def test_quaternions_are_continuous_and_labels_tell_behaviors(wander):
    take = wander("human", people=2, seed=4)
    for role, shown in zip(take.roles, perform_all(take), strict=True):
        rotations = shown.clip.rotations
        assert np.einsum("fjk,fjk->fj", rotations[1:], rotations[:-1]).min() > 0.0
        assert [label.name for label in shown.clip.labels] == [
            take.clips[clip].behavior
            for clip, frame in zip(role.clips, role.frames, strict=True)
            if frame < take.frames
        ]


def test_who_stays_holds_the_last_pose_and_who_leaves_is_gone(wander):
    script = ["walk_forward", "stop_walk"]
    stays = wander("human", people=1, script=script, frames=400)
    shown = perform(stays, "p0")
    end = int(stays.roles[0].frames[1]) + stays.clips[stays.roles[0].clips[1]].duration - shown.start_frame
    assert shown.stop_frame == 400
    assert np.array_equal(shown.clip.rotations[-1], shown.clip.rotations[end])
    assert not np.array_equal(shown.clip.rotations[end - 1], shown.clip.rotations[end])
    assert shown.clip.labels[-1].stop == len(shown.clip)
    gone = perform(wander("human", people=1, script=script, frames=400, leaves=True), "p0")
    assert len(gone.clip) == end + 1


def test_a_role_that_goes_on_after_the_take_is_cut(wander):
    take = wander("human", people=1, script=["idle", "idle"], frames=100)
    assert perform(take, "p0").stop_frame == 100


def test_contacts_of_clips_that_name_other_joints_are_united(wander):
    take = wander("human", people=1, script=["idle", "crawl_under", "idle"], frames=500)
    contacts = perform(take, "p0").clip.contacts
    assert contacts is not None
    assert contacts.planted[:, contacts.joints.index("LeftHand")].any()
    assert contacts.planted[0, contacts.joints.index("LeftHeel")]


def test_clips_without_contacts_get_those_found_in_them(wander):
    take = wander("human", people=1, script=["walk_forward", "walk_forward"])
    bare = tuple(replace(shown, clip=shown.clip.with_changes(contacts=None)) for shown in take.clips)
    contacts = perform(replace(take, clips=bare), "p0").clip.contacts
    assert contacts is not None
    assert contacts.planted.any()


def shortened(shown: TakeClip, margin: int, duration: int) -> TakeClip:
    """A take's clip with a core of so many frames, and a smaller margin."""
    clip = shown.clip
    stop = shown.first + duration + margin + 1
    short = Clip(
        clip.name,
        clip.skeleton,
        clip.fps,
        clip.root_positions[shown.first - margin : stop],
        clip.rotations[shown.first - margin : stop],
    )
    return TakeClip(short, margin, "walk_forward", "locomotion", "walk", "walk", "human")


@pytest.mark.parametrize(
    ("margin", "duration", "half"), [(8, 12, 6), (3, 30, 3), (0, 30, 0), (8, 1, 0), (8, 3, 1), (8, 34, 8)]
)
def test_short_clips_and_margins_make_short_windows(wander, margin, duration, half):
    take = wander("human", people=1, script=["idle"])
    idle = next(shown for shown in take.clips if shown.behavior == "idle")
    core = build_core(shortened(idle, margin, duration), ("LeftHeel",))
    assert core.half_window(8) == half
    seam = blend_seam(core, core)
    assert seam.before == max(half - 1, 0)
    # The window after the seam ends before the one of the next seam begins.
    assert len(seam.frames) - seam.before - 1 <= max(duration - half, 0)


def test_a_long_chain_of_one_frame_clips_can_be_stitched(wander):
    take = wander("human", people=1, script=["walk_forward"], frames=50)
    shown = shortened(take.clips[0], 8, 1)
    role = Role("p0", [0] * 20, range(20), np.tile(take.roles[0].placements[0], (20, 1)), None)  # type: ignore[arg-type]
    clip = perform(Take(take.scene, 30.0, 50, (shown,), (role,)), "p0").clip
    assert len(clip) == 50


def test_clips_that_disagree_about_the_seam_are_blended_over_fewer_frames(wander):
    take = wander("human", people=1, script=["walk_forward"])
    walk = take.clips[0]
    aside = walk.clip.root_positions.copy()
    aside[: walk.first] += np.linspace(0.6, 0.0, walk.first, endpoint=False)[:, None] * [1.0, 0.0, 0.0]
    torn = replace(walk, clip=walk.clip.with_changes(root_positions=aside))
    joints = walk.clip.contacts.joints if walk.clip.contacts else ()
    seam = blend_seam(build_core(walk, joints), build_core(torn, joints))
    assert seam.before < 7
    assert seam.wander <= WANDER or seam.before == 1


def test_where_planners_compare_bodies_no_part_of_one_strays(wander):
    """Somebody who comes up from below: on the ground the same outline, but all of the body is elsewhere."""
    take = wander("human", people=1, script=["walk_forward"])
    walk = take.clips[0]
    above = walk.clip.root_positions.copy()
    above[: walk.first] += np.linspace(0.3, 0.0, walk.first, endpoint=False)[:, None] * [0.0, 1.0, 0.0]
    risen = build_core(replace(walk, clip=walk.clip.with_changes(root_positions=above)), ())
    coarse, fine = (blend_seam(build_core(walk, ()), risen, bodies=level) for level in ("outline", "body"))
    assert fine.before < coarse.before == 7
    assert fine.wander <= WANDER or fine.before == 1


@pytest.mark.parametrize("cast", CASTS)
def test_stitching_agrees_with_its_obvious_twin(wander, twins, cast):
    take = wander(cast, people=4, seed=7)
    stitcher = Stitcher(take)
    for role in take.roles:
        found, twin = stitcher.stitch(role), twins.stitch(take, role)
        assert np.allclose(found.root_positions, twin.root_positions, atol=1e-12, rtol=0.0)
        assert np.allclose(found.rotations, twin.rotations, atol=1e-11, rtol=0.0)
        assert found.labels == twin.labels
        assert found.contacts is not None
        assert twin.contacts is not None
        assert np.array_equal(found.contacts.planted, twin.contacts.planted)


def test_bones_that_stretch_are_stitched_as_well(wander, twins):
    take = wander("human", people=1, seed=7)
    clips = tuple(
        shown if i % 2 else replace(shown, clip=stretched(shown.clip)) for i, shown in enumerate(take.clips)
    )
    take = replace(take, clips=clips)
    role = take.roles[0]
    found, twin = Stitcher(take).stitch(role), twins.stitch(take, role)
    assert found.bone_offsets is not None
    assert np.ptp(found.bone_offsets, axis=0).max() > 0.001
    assert np.allclose(found.bone_offsets, twin.bone_offsets, atol=1e-12)
    assert np.allclose(found.rotations, twin.rotations, atol=1e-11, rtol=0.0)


def stretched(clip: Clip) -> Clip:
    """The clip with bones that grow and shrink by a percent."""
    share = 1.0 + 0.01 * np.sin(np.arange(len(clip)) / 9.0)
    return clip.with_changes(bone_offsets=share[:, None, None] * clip.skeleton.offsets)
