"""Variants: as many as wanted, the same for a seed, continuous, at home where the inputs were."""

from __future__ import annotations

import importlib.util
import itertools
from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import VariationError
from walkon.motion import resample
from walkon.rotations import conjugate, multiply
from walkon.variation import Variety, learn_variation, make_variants, stream_values, upper_body, vary_clip
from walkon.variation import sampling as sampling_module
from walkon.variation.sampling import make_values

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
several = moving.several


def largest_step(clip) -> float:
    turned = multiply(conjugate(clip.rotations[:-1]), clip.rotations[1:])
    return float((2.0 * np.arctan2(np.linalg.norm(turned[..., 1:], axis=-1), np.abs(turned[..., 0]))).max())


@pytest.fixture(scope="module")
def upper_model(walks):
    return learn_variation(walks, restarts=1, rounds=1, only=upper_body(walks[0].skeleton))


@pytest.mark.parametrize("seconds", [None, 1.5])
def test_the_first_of_many_are_the_first_of_few(walk_model, seconds):
    few = make_variants(walk_model, 4, seed=3, seconds=seconds)
    many = make_variants(walk_model, 70, seed=3, seconds=seconds)
    for one, other in zip(few, many, strict=False):
        np.testing.assert_array_equal(one.rotations, other.rotations)
        np.testing.assert_array_equal(one.root_positions, other.root_positions)
        assert one.name == other.name
    assert len({clip.rotations.tobytes() for clip in many}) == 70
    assert len({clip.name for clip in many}) == 70


def test_batches_do_not_change_what_is_made(walk_model, monkeypatch):
    expected = make_values(walk_model, 5, frames=40)
    monkeypatch.setattr(sampling_module, "BATCH_FRAMES", 90)
    for one, other in zip(make_values(walk_model, 5, frames=40), expected, strict=True):
        np.testing.assert_array_equal(one, other)


def test_long_variants_are_made_few_at_once(walk_model, monkeypatch):
    """Or 64 variants of the longest kind would take tens of gigabytes."""
    seen = []
    monkeypatch.setattr(
        sampling_module, "_batch", lambda _, seeds, *rest: seen.append(len(seeds)) or [0] * len(seeds)
    )
    make_values(walk_model, 70, frames=1 << 20)
    make_values(walk_model, 70)
    assert seen == [1] * 70 + [64, 6]


def test_seeds(walk_model):
    one, again, other = (make_values(walk_model, 2, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one[0], again[0])
    assert not np.array_equal(one[0][:9], other[0][:9])


def test_without_straying_there_is_one_motion(walk_model):
    still = Variety(stray=0.0)
    one, two = (make_values(walk_model, 2, seed=seed, variety=still, frames=50) for seed in (1, 2))
    np.testing.assert_array_equal(one[0], one[1])
    np.testing.assert_array_equal(one[0], two[0])


def test_who_strays_more_is_farther_from_the_mean_motion(walk_model):
    mean = make_values(walk_model, 1, variety=Variety(stray=0.0), frames=30)[0]
    away = [
        np.mean(
            [np.abs(one - mean).mean() for one in make_values(walk_model, 8, variety=Variety(stray=s), frames=30)]
        )
        for s in (0.1, 0.4, 1.0)
    ]
    assert away[0] < away[1] < away[2]


def test_lengths(walk_model, jump_model):
    for model in (walk_model, jump_model):
        lengths = [len(values) for values in make_values(model, 40)]
        inputs = model.examples.lengths
        assert (min(lengths), max(lengths)) == (inputs.min(), inputs.max())
    assert [len(values) for values in make_values(walk_model, 2, frames=200)] == [200, 200]
    assert make_variants(walk_model, 1, seconds=2.0)[0].duration == pytest.approx(2.0)
    assert make_variants(walk_model, 0) == []


def test_no_copies_no_jumps_no_trembling(walk_model, walks):
    steps = max(largest_step(clip) for clip in walks)
    for clip in make_variants(walk_model, 12, seed=4, seconds=4.0):
        assert largest_step(clip) < 1.6 * steps
        assert np.abs(np.diff(clip.rotations, axis=0)).max() < 0.5
        assert np.abs(np.diff(clip.root_positions, axis=0)).max() < 0.15
        for walk in walks:
            apart = np.abs(clip.rotations[:, None] - walk.rotations[None]).max(axis=(2, 3))
            assert apart.min() > 1e-4


def test_variants_of_a_motion_that_ends_begin_and_end_like_it(jump_model):
    rows = [jump_model.examples.clip(clip) for clip in range(len(jump_model.examples))]
    spread = np.concatenate(rows)[:, :-1].std(axis=0)
    for values in make_values(jump_model, 6, seed=1):
        done = values[:, -1]
        assert (np.diff(done) > 0.0).all()
        assert (done[0], done[-1]) == (rows[0][0, -1], rows[0][-1, -1])
        away = min(np.abs((values[-1, :-1] - one[-1, :-1]) / spread).mean() for one in rows)
        assert away < 0.5
    with pytest.raises(VariationError, match="go on for ever"):
        next(stream_values(jump_model))


def test_streams_go_on_without_a_seam_and_stay_at_home(walk_model):
    """Ten blocks, or 3000 frames; beyond the recorded values there is little, at their seams nothing unusual."""
    blocks = list(itertools.islice(stream_values(walk_model, seed=2), 10))
    values = np.concatenate(blocks)
    assert len(values) == 3000
    steps = np.abs(np.diff(values, axis=0)).mean(axis=1)
    seams = np.cumsum([len(block) for block in blocks])[:-1] - 1
    assert steps[seams].max() <= np.quantile(steps, 0.999)
    bends = np.abs(np.diff(values, 2, axis=0)).mean(axis=1)
    assert max(bends[seams - 1].max(), bends[seams].max()) <= np.quantile(bends, 0.999)
    lowest, highest = walk_model.examples.rows.min(axis=1), walk_model.examples.rows.max(axis=1)
    room = 0.5 * (highest - lowest)
    assert ((values > lowest - room) & (values < highest + room)).all()
    # It neither drifts away nor comes to rest.
    early, late = values[:1000], values[-1000:]
    assert np.abs(early.mean(axis=0) - late.mean(axis=0)).max() < 0.5
    np.testing.assert_allclose(late.std(axis=0).mean(), walk_model.examples.rows.std(axis=1).mean(), rtol=0.25)


def test_a_stream_is_the_same_for_a_seed_and_without_end(walk_model):
    one, again = (next(stream_values(walk_model, seed=seed)) for seed in (5, 5))
    np.testing.assert_array_equal(one, again)
    still = stream_values(walk_model, variety=Variety(stray=0.0))
    assert np.isfinite(next(still)).all()
    assert next(still).std() > 0.5


def test_performers_are_alike_to_themselves(walk_model):
    """In what is left of a variant over time: how it is on average, and how much it moves."""

    def own_beside_others(performers) -> float:
        styles = []
        for seed, performer in enumerate(performers):
            made = make_values(walk_model, 6, seed=seed, frames=120, variety=Variety(performer=performer))
            styles.append([np.concatenate([one.mean(axis=0), one.std(axis=0)]) for one in made])
        own = [np.linalg.norm(a - b) for style in styles for a, b in itertools.combinations(style, 2)]
        others = [np.linalg.norm(a - b) for s, t in itertools.combinations(styles, 2) for a in s for b in t]
        return float(np.mean(own) / np.mean(others))

    assert own_beside_others(range(6)) < 0.93
    assert own_beside_others([None] * 6) > 0.95


def test_performers_begin_like_themselves():
    """Who takes after clips that lean forward does so from the first frame on."""
    model = learn_variation(several(4, leans=0.1), restarts=1, rounds=0)
    column = model.coordinates.names.index("hips x")
    leans = [model.examples.clip(clip)[:, column].mean() for clip in range(4)]
    expected, begun = [], []
    for performer in range(15):
        variety = Variety(stray=0.0, performer=performer)
        shares = sampling_module._shares(model, variety)
        expected.append(np.average(leans, weights=shares))
        begun.append(make_values(model, 1, variety=variety, frames=3)[0][:2, column].mean())
    assert np.corrcoef(expected, begun)[0, 1] > 0.7


def test_favour_is_a_performers_own_and_leaves_nobody_out(walk_model):
    from walkon.variation.sampling import _favour

    one, again, other = (_favour(walk_model, Variety(performer=number)) for number in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)
    assert one.min() > 0.0
    for clip in range(4):
        first, stop = walk_model.examples.starts[clip : clip + 2]
        assert len(set(one[first:stop].tolist())) == 1
    assert (_favour(walk_model, Variety()) == 1.0).all()


def test_what_is_given_stays_bit_for_bit(upper_model, walks):
    clip = walks[1]
    # Signs that change within the clip are its own affair.
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (*clip.rotations.shape[:2], 1))
    clip = clip.with_changes(rotations=clip.rotations * signs)
    driven = np.unique(upper_model.coordinates.joints[upper_model.driven])
    given = np.setdiff1d(np.arange(len(clip.skeleton)), driven)
    made = vary_clip(upper_model, clip, 3, seed=1)
    for one in made:
        np.testing.assert_array_equal(one.root_positions, clip.root_positions)
        np.testing.assert_array_equal(one.rotations[:, given], clip.rotations[:, given])
        assert one.contacts is clip.contacts
        assert np.abs(np.diff(one.rotations[:, driven], axis=0)).max() < 0.5
        assert not np.array_equal(one.rotations[:, driven], made[0].rotations[:, driven]) or one is made[0]
    assert [one.name for one in made] == ["walk 1.2_000", "walk 1.2_001", "walk 1.2_002"]
    np.testing.assert_array_equal(vary_clip(upper_model, clip, 1, seed=1)[0].rotations, made[0].rotations)
    assert len(vary_clip(upper_model, resample(clip, 60.0), 1)[0]) == len(clip)


def test_clips_are_varied_wherever_they_are(upper_model, walks):
    from walkon.motion import place
    from walkon.rotations import Placement

    moved = place(walks[0], Placement(4.0, -2.0, 2.5))
    here, there = (vary_clip(upper_model, clip, 1)[0] for clip in (walks[0], moved))
    arms = np.unique(upper_model.coordinates.joints[upper_model.driven])
    np.testing.assert_allclose(np.abs(here.rotations[:, arms]), np.abs(there.rotations[:, arms]), atol=1e-3)


def test_models_of_the_whole_body_do_not_vary_parts(walk_model, upper_model, walks):
    with pytest.raises(VariationError, match="make_variants"):
        vary_clip(walk_model, walks[0], 1)
    with pytest.raises(VariationError, match="whole body"):
        next(stream_values(upper_model))
    with pytest.raises(VariationError, match="another skeleton"):
        vary_clip(upper_model, make("dog"), 1)


@pytest.mark.parametrize("options", [{"stray": -0.1}, {"stray": np.nan}, {"stray": 1e20}, {"stray": np.inf},
                                     {"tremble": np.nan}, {"performer": -1}])  # fmt: skip
def test_varieties_that_cannot_be(options):
    with pytest.raises(VariationError):
        Variety(**options)


def test_who_strays_very_far_still_has_poses(walk_model):
    for clip in make_variants(walk_model, 3, variety=Variety(stray=100.0), seconds=3.0):
        assert np.isfinite(clip.positions).all()


@pytest.mark.parametrize("asked", [(-1, None), (2, 2), (2, 1 << 30)])
def test_numbers_that_cannot_be(walk_model, asked):
    with pytest.raises(VariationError, match="cannot make"):
        make_values(walk_model, asked[0], frames=asked[1])


def test_quadrupeds_vary_too():
    dogs = [make("dog", speed=speed) for speed in (1.7, 1.9)]
    model = learn_variation(dogs, restarts=1, rounds=0)
    steps = max(largest_step(clip) for clip in dogs)
    assert max(largest_step(clip) for clip in make_variants(model, 4)) < 2.0 * steps
