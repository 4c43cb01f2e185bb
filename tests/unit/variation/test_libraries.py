"""Varied libraries: more clips, and nothing else that a planner, a seam or a foot could notice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary, build_graph, measure_seams
from walkon.builtin.casts import fetch_library
from walkon.errors import VariationError, WalkonError
from walkon.motion import Contacts, ground_placements
from walkon.variation import libraries, upper_body, vary_library
from walkon.variation.library_clips import variation_weights
from walkon.variation.library_groups import group_clips
from walkon.variation.networks import no_edges
from walkon.variation.prior import PriorSearch

COUNT = 2


def library_of(cast: str, *names: str) -> BehaviorLibrary:
    whole = fetch_library(cast)
    return BehaviorLibrary(cast, tuple(whole[name] for name in names))


@pytest.fixture(scope="module", autouse=True)
def learn_from_little():
    """Two clips of a group teach enough for what is tested here; how motion begins plays no part."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(libraries, "LEARNED", 110)
        patch.setattr(PriorSearch, "run", lambda self, seed, searches: no_edges(len(self.instances), 1))
        yield


@pytest.fixture(scope="module")
def plain():
    """Walking, a wave with either hand, one while walking with one hand each, and crawling on both."""
    return library_of("human", "walk_forward", "walk_left_20", "wave", "wave_walking", "hold", "crawl_under")


@pytest.fixture(scope="module")
def varied(plain):
    return vary_library(plain, COUNT, seed=3, rounds=1)


def pairs(plain, rich, count=COUNT):
    """Every clip with its variants."""
    for behavior, richer in zip(plain, rich, strict=True):
        added = richer.clips[len(behavior.clips) :]
        for number, shown in enumerate(behavior.clips):
            for one in added[number * count : (number + 1) * count]:
                yield shown, one


def test_variants_join_their_behaviors_and_nothing_else_changes(plain, varied):
    rich, report = varied
    assert [(b.name, b.kind, b.entry, b.exit, b.weight) for b in rich] == [
        (b.name, b.kind, b.entry, b.exit, b.weight) for b in plain
    ]
    for before, after, told in zip(plain, rich, report.behaviors, strict=True):
        assert after.clips[: len(before.clips)] == before.clips
        assert len(after.clips) - len(before.clips) == told.variants
        assert told.variants in (0, COUNT * len(before.clips))
        assert bool(told.reason) == (told.variants == 0)
    for shown, one in pairs(plain, rich):
        assert (one.margin, one.action_time, len(one.clip)) == (shown.margin, shown.action_time, len(shown.clip))
    assert report.variants == COUNT * (4 + 2 + 4 + 2)


def test_feet_and_roots_and_both_ends_stay_bit_for_bit(plain, varied):
    for shown, one in pairs(plain, varied[0]):
        clip, variant = shown.clip, one.clip
        assert np.array_equal(variant.root_positions, clip.root_positions)
        planted = [clip.skeleton.index(name) for name in clip.contacts.joints]
        assert np.array_equal(variant.positions[:, planted], clip.positions[:, planted])
        assert np.array_equal(variant.contacts.planted, clip.contacts.planted)
        for end in (slice(0, shown.first + 2), slice(shown.last - 1, None)):
            assert np.array_equal(variant.rotations[end], clip.rotations[end])


def test_variants_differ_from_their_clip_and_from_each_other(plain, varied):
    for behavior, told in zip(varied[0], varied[1].behaviors, strict=True):
        if told.variants and behavior.name != "hold":
            assert told.strays > 0.004
            assert told.strays_most >= told.strays
            cores = [shown.clip.rotations[shown.first + 8].tobytes() for shown in behavior.clips]
            assert len(set(cores)) == len(cores)
    walks = [
        float(np.linalg.norm(one.clip.positions - shown.clip.positions, axis=-1).max())
        for shown, one in pairs(plain, varied[0])
        if shown.clip.name.startswith("walk_forward")
    ]
    assert max(walks) < 0.3


def test_rotations_go_on_without_jumps_of_sign(plain, varied):
    for _, one in pairs(plain, varied[0]):
        rotations = one.clip.rotations
        assert np.abs(np.linalg.norm(rotations, axis=-1) - 1.0).max() < 1e-6
        assert (np.sum(rotations[1:] * rotations[:-1], axis=-1) > 0.0).all()


def test_seams_are_as_they_were_and_so_are_the_ways(plain, varied):
    before, after = measure_seams(plain), measure_seams(varied[0])
    assert len(after) > 4 * len(before)
    for gap in ("pose_gap", "velocity_gap"):
        assert max(getattr(seam, gap) for seam in after) <= max(getattr(seam, gap) for seam in before) + 1e-7
    for shown, one in pairs(plain, varied[0]):
        ends = [shown.first, shown.last]
        assert np.allclose(
            ground_placements(one.clip)[ends], ground_placements(shown.clip)[ends], rtol=0.0, atol=1e-8
        )
    graphs = build_graph(plain), build_graph(varied[0])
    assert np.allclose(graphs[0].costs, graphs[1].costs, rtol=1e-12)
    assert np.array_equal(graphs[0].followers, graphs[1].followers)


def test_what_cannot_be_varied_is_kept_and_the_report_says_why(varied):
    rich, report = varied
    reasons = {told.behavior: told.reason for told in report.kept}
    assert set(reasons) == {"wave_walking", "crawl_under"}
    assert "no other clip is like it" in reasons["wave_walking"]
    assert "LeftHand" in reasons["crawl_under"]
    assert "slide" in reasons["crawl_under"]
    assert len(rich["crawl_under"].clips) == 2
    text = "\n".join(report.lines())
    assert "crawl_under" in text
    assert report.as_dict()["variants"] == report.variants


def test_only_clips_that_are_alike_learn_together(plain):
    groups = {(group.name, tuple(number for _, number in group.members)) for group in group_clips(plain)}
    assert ("wave", (0, 2)) in groups
    assert ("wave", (1, 3)) in groups
    assert ("locomotion, walk", (0, 1, 2, 3, 0, 1)) in groups


def test_seeds_decide(plain, varied):
    short = replace(plain, behaviors=(plain["walk_forward"],))
    again, other = (vary_library(short, 1, seed=seed, rounds=1)[0]["walk_forward"].clips[-1] for seed in (3, 4))
    same = vary_library(short, 1, seed=3, rounds=1)[0]["walk_forward"].clips[-1]
    assert np.array_equal(again.clip.rotations, same.clip.rotations)
    assert not np.array_equal(again.clip.rotations, other.clip.rotations)


def test_variation_sets_in_smoothly_in_long_and_short_clips(plain):
    for name in ("walk_forward", "hold"):
        shown = plain[name].clips[0]
        weights = variation_weights(shown)
        inside = slice(shown.first + 2, shown.last - 1)
        assert not weights[: shown.first + 2].any()
        assert not weights[shown.last - 1 :].any()
        assert (weights[inside] > 0.0).all()
        assert np.abs(np.diff(weights)).max() < 0.5
        assert weights.max() > 0.95


def test_quadrupeds_vary_neck_and_tail():
    horse = fetch_library("horse")
    names = upper_body(horse.skeleton)
    assert {"Neck", "Head", "Tail"} <= set(names)
    assert not [name for name in names if "Leg" in name or "Foot" in name or "Spine" in name]
    plain = BehaviorLibrary("horse", (horse["gallop_forward"],))
    rich, report = vary_library(plain, 1, rounds=1)
    assert report.variants == len(horse["gallop_forward"].clips)
    for shown, one in pairs(plain, rich, 1):
        feet = [shown.clip.skeleton.index(name) for name in shown.clip.contacts.joints]
        assert np.array_equal(one.clip.positions[:, feet], shown.clip.positions[:, feet])


def test_a_lone_clip_and_no_variants_at_all(plain):
    lone = BehaviorLibrary("lone", (Behavior("walk", "walk", "walk", plain["walk_forward"].clips[:1]),))
    rich, report = vary_library(lone, 3)
    assert rich["walk"].clips == lone["walk"].clips
    assert "no other clip" in report.kept[0].reason
    for count in (0, -1, 10**6):
        with pytest.raises(VariationError, match="variants"):
            vary_library(lone, count)


def test_joints_may_be_chosen_and_must_be_there(plain):
    short = replace(plain, behaviors=(plain["walk_forward"],))
    rich, _ = vary_library(short, 1, only=["LeftArm"], rounds=1)
    for shown, one in pairs(short, rich, 1):
        moved = np.flatnonzero((shown.clip.rotations != one.clip.rotations).any(axis=(0, 2)))
        assert moved.tolist() == [shown.clip.skeleton.index("LeftArm")]
    with pytest.raises(WalkonError, match="Wing"):
        vary_library(short, 1, only=["Wing"], rounds=1)


def test_a_hand_that_is_planted_once_keeps_its_clip(plain):
    first, *others = plain["walk_forward"].clips
    contacts = first.clip.contacts
    leans = np.arange(len(first.clip)) == 5
    leaning = Contacts((*contacts.joints, "LeftHand"), np.column_stack([contacts.planted, leans]))
    touching = BehaviorClip(first.clip.with_changes(contacts=leaning), first.margin)
    library = BehaviorLibrary("one", (replace(plain["walk_forward"], clips=(touching, *others)),))
    rich, report = vary_library(library, 1, rounds=1)
    assert len(rich["walk_forward"].clips) == 4 + 3
    assert report.kept[0].reason.startswith("1 of 4 clips")
