"""What is likely: motion like the inputs, more than the same with noise, or than another motion."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import VariationError
from walkon.motion import Clip, crop, place, read_clip, resample
from walkon.rotations import Placement, exponential, multiply, rotation_about_y
from walkon.variation import learn_variation, log_likelihood, make_variants, select_inputs, selection
from walkon.variation.likelihood import likelihood_by_number
from walkon.variation.networks import no_edges
from walkon.variation.prior import PriorSearch
from walkon.variation.selection import LEAST_SPREAD, ODD, _threshold
from walkon.variation.transitions import FLOOR

SPEC = importlib.util.spec_from_file_location("naive_network", Path(__file__).with_name("naive_network.py"))
naive_network = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(naive_network)


def turned(clip: Clip, rate: float, name: str) -> Clip:
    """A straight walk bent round a curve [rad/s]."""
    angles = rate * np.arange(len(clip)) / clip.fps
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_y(angles), rotations[:, 0])
    steps = np.diff(clip.root_positions, axis=0)
    sine, cosine = np.sin(angles[:-1]), np.cos(angles[:-1])
    bent = np.column_stack(
        [steps[:, 0] * cosine + steps[:, 2] * sine, steps[:, 1], steps[:, 2] * cosine - steps[:, 0] * sine]
    )
    roots = np.concatenate([clip.root_positions[:1], clip.root_positions[0] + np.cumsum(bent, axis=0)])
    return clip.with_changes(rotations=rotations, root_positions=roots, name=name, contacts=None)


def noisy(clip: Clip, degrees: float, seed: int = 0) -> Clip:
    noise = np.radians(degrees) * np.random.default_rng(seed).standard_normal((*clip.rotations.shape[:2], 3))
    noise[:, clip.skeleton.tips] = 0.0
    return clip.with_changes(rotations=multiply(clip.rotations, exponential(noise)))


def recorded(mocap, *names: str) -> list[Clip]:
    files = [mocap / "cmu" / "bvh" / f"{name}.bvh" for name in names]
    missing = [file.name for file in files if not file.exists()]
    if missing:
        pytest.skip(f"no recording {missing[0]} in {mocap}")
    return [
        resample(crop(read_clip(file), 1), 30.0).with_changes(name=name)
        for file, name in zip(files, names, strict=True)
    ]


@pytest.fixture
def no_prior(monkeypatch):
    """Models that do not know how motion begins: likelihoods, which are of what follows, are the same."""
    monkeypatch.setattr(PriorSearch, "run", lambda self, *_: no_edges(self.nodes, 1))


@pytest.mark.parametrize("propagated", [False, True])
def test_it_is_what_plain_numpy_says(walk_model, walks, propagated):
    clip = crop(walks[2], 5, 20)
    model = walk_model.given([crop(walk, 0, 30) for walk in walks[:2]])
    examples, regression = model.examples, model.regression
    naive = naive_network.Naive(examples, model.transition, regression, regression.among(examples))
    truth = model.coordinates.encode(clip)
    expected = []
    if propagated:
        made, deviations = naive.rolled(truth, model.driven, examples.bars, np.zeros_like(truth))
        spread = deviations[2:] ** 2 + FLOOR
        expected = -0.5 * ((made - truth)[2:] ** 2 / spread + np.log(2.0 * np.pi * spread)).mean(axis=0)
    else:
        for i in model.driven:
            told = [naive.foreseen(i, *truth[t - 2 : t + 1], examples.bars) for t in range(2, len(truth))]
            spread = np.array([variance for _, variance in told]) + FLOOR
            gaps = np.array([mean for mean, _ in told]) - truth[2:, i]
            expected.append(-0.5 * (gaps**2 / spread + np.log(2.0 * np.pi * spread)).mean())
    found = likelihood_by_number(model, clip, propagated=propagated)
    np.testing.assert_allclose(found, expected, atol=0.1)
    assert log_likelihood(model, clip, propagated=propagated) == pytest.approx(np.mean(expected), abs=0.02)


@pytest.mark.parametrize("propagated", [False, True])
def test_unseen_walks_are_likelier_than_with_noise_and_than_others(walk_model, propagated):
    unseen = make("walk", speed=1.24)
    likely = log_likelihood(walk_model, unseen, propagated=propagated)
    assert likely > log_likelihood(walk_model, noisy(unseen, 3.0), propagated=propagated) + 0.2
    assert likely > log_likelihood(walk_model, make("run"), propagated=propagated) + 1.0
    assert likely > log_likelihood(walk_model, turned(unseen, 0.6, "turning"), propagated=propagated)


def test_the_more_noise_the_less_likely(walk_model):
    unseen = make("walk", speed=1.24)
    found = [log_likelihood(walk_model, noisy(unseen, degrees)) for degrees in (0.0, 1.0, 3.0, 10.0)]
    assert (np.diff(found) < 0.0).all()


def test_variants_are_about_as_likely_as_inputs(walk_model, walks):
    inputs = np.mean([log_likelihood(walk_model, clip) for clip in walks])
    run = log_likelihood(walk_model, make("run"))
    for clip in make_variants(walk_model, 4, seed=8):
        assert log_likelihood(walk_model, clip) > 0.5 * (inputs + run)


def test_where_it_happened_does_not_matter(walk_model):
    unseen = make("walk", speed=1.24)
    moved = place(unseen, Placement(20.0, -3.0, 2.8))
    assert log_likelihood(walk_model, moved) == pytest.approx(log_likelihood(walk_model, unseen), abs=1e-2)


def test_clips_that_are_far_out_are_unlikely_and_nothing_worse(walk_model):
    """Root speeds of light years: squared distances that cannot be told."""
    clip = make("walk")
    wild = clip.with_changes(root_positions=clip.root_positions * 1e11)
    with np.errstate(all="ignore"):
        for propagated in (False, True):
            assert log_likelihood(walk_model, wild, propagated=propagated) < -1e6


def test_bad_clips_are_refused(walk_model):
    with pytest.raises(VariationError, match="another skeleton"):
        log_likelihood(walk_model, make("dog"))
    with pytest.raises(VariationError, match="4 frames"):
        log_likelihood(walk_model, crop(make("walk"), 0, 4))


@pytest.mark.parametrize("subject", [("35_01", "35_02", "35_03", "35_04", "35_05")])
def test_unseen_recordings_are_likelier_than_with_noise(mocap, subject, no_prior):
    *clips, unseen = recorded(mocap, *subject)
    model = learn_variation(clips, restarts=1, rounds=1)
    likely = log_likelihood(model, unseen)
    for degrees in (2.0, 5.0):
        assert likely > log_likelihood(model, noisy(unseen, degrees)) + 0.1
    assert likely > log_likelihood(model, turned(unseen, 0.8, "turning"))


@pytest.fixture
def hasty(no_prior, monkeypatch):
    """Selection by models without a search for edges: whole ones take minutes."""
    monkeypatch.setattr(selection, "JUDGING_ROUNDS", 0)


def test_a_turning_walk_among_straight_ones_is_left_out(walks, hasty):
    odd = turned(make("walk", speed=1.22), 0.7, "turning")
    found = select_inputs([*walks, odd], fps=15.0)
    assert [one.name for one in found.left_out] == ["turning"]
    assert found.kept == tuple(clip.name for clip in walks)
    (left,) = found.left_out
    assert left.likelihood < left.threshold
    assert any(name.startswith("root") for name in left.worst)
    assert set(found.likelihoods) == set(found.kept)
    assert all(likelihood >= found.threshold for likelihood in found.likelihoods.values())


def test_a_clip_of_another_motion_is_left_out_whatever_its_place(walks, hasty):
    run = make("run").with_changes(name="run")
    for place_of in (2,):
        clips = [*walks[:place_of], run, *walks[place_of:]]
        assert [one.name for one in select_inputs(clips, fps=15.0).left_out] == ["run"]


def test_clips_known_to_fit_set_the_mark(walks, hasty):
    known = [make("walk", speed=speed).with_changes(name=f"known {speed}") for speed in (1.17, 1.22, 1.25, 1.3)]
    odd = turned(make("walk", speed=1.22), 0.7, "turning")
    found = select_inputs([*walks, odd], known=known, fps=15.0)
    assert "turning" in {one.name for one in found.left_out}


def test_who_is_odd_cannot_be_told_from_two(walks):
    with pytest.raises(VariationError, match="fewer than 3"):
        select_inputs(walks[:2])
    with pytest.raises(VariationError, match="different names"):
        select_inputs([walks[0], walks[0], walks[1]])


def test_threshold_is_far_below_the_middle():
    assert _threshold(np.array([1.0, 1.0, 1.0, -9.0])) == pytest.approx(1.0 - ODD * LEAST_SPREAD)
    assert _threshold(np.array([1.0, 2.0, 3.0])) == pytest.approx(2.0 - ODD * 1.4826)


@pytest.mark.parametrize("oddity", ["turning", "arms"])
def test_odd_ones_among_recorded_walks_are_left_out(mocap, oddity, hasty):
    clips = recorded(mocap, "35_01", "35_02", "35_03", "35_04", "35_05", "35_06")
    odd = clips.pop(3)
    if oddity == "turning":
        odd = turned(odd, 0.7, "odd")
    else:
        names = odd.skeleton.names
        swung = exponential(np.outer(np.sin(2.0 * np.pi * np.arange(len(odd)) / odd.fps), [0.9, 0.0, 0.0]))
        rotations = odd.rotations.copy()
        for joint in ("LeftArm", "RightArm"):
            rotations[:, names.index(joint)] = multiply(swung, rotations[:, names.index(joint)])
        odd = odd.with_changes(rotations=rotations, name="odd")
    found = select_inputs([*clips, odd], fps=15.0)
    assert found.left_out[0].name == "odd"
    assert len(found.left_out) <= 2
