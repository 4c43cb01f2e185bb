"""Learning as a whole: resumable, the same every time, and plain about what it cannot use."""

from __future__ import annotations

import importlib.util
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import ClipError, VariationError
from walkon.motion import crop, place, resample
from walkon.rotations import Placement
from walkon.skeleton import Skeleton
from walkon.variation import Regression, VariationModel, learn_variation, make_variants, upper_body
from walkon.variation.examples import Examples
from walkon.variation.learning import _driven
from walkon.variation.model import check_model
from walkon.variation.networks import Network, no_edges
from walkon.variation.progress_file import PROGRESS_FORMAT, Checkpoint
from walkon.variation.transitions import TransitionSearch

SPEC = importlib.util.spec_from_file_location("moving", Path(__file__).with_name("moving.py"))
moving = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(moving)
several, swing = moving.several, moving.swing

SHORT = {"restarts": 2, "rounds": 4, "seed": 5}


class StoppedError(Exception):
    """Somebody pulled the plug."""


def swings(count: int = 3):
    return several(count, frames=50, leans=0.05, speed=1.3)


def assert_same(one: VariationModel, other: VariationModel) -> None:
    """Bit for bit."""
    parts = ("coordinates", "examples", "prior", "transition", "noise")
    for ours, theirs in ((one, other), *((getattr(one, part), getattr(other, part)) for part in parts)):
        for field in fields(ours):
            a, b = getattr(ours, field.name), getattr(theirs, field.name)
            if isinstance(a, np.ndarray):
                assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), field.name
            elif isinstance(a, float | int | tuple | str):
                assert a == b, field.name
    assert one.regression == other.regression


@pytest.fixture(scope="module")
def whole() -> VariationModel:
    """What an uninterrupted learning gives."""
    return learn_variation(swings(), **SHORT)


def test_the_same_inputs_give_the_same_model(whole):
    assert_same(learn_variation(swings(), **SHORT), whole)
    check_model(whole)
    assert whole.transition.edges > 0
    assert whole.prior.edges > 0


def test_other_seeds_search_elsewhere_but_nothing_is_worse_than_no_edges(whole):
    none = learn_variation(swings(), restarts=1, rounds=0)
    assert none.transition.edges == 0
    assert whole.score > none.score


def test_later_searches_begin_from_the_best_network_so_far_shaken(monkeypatch):
    from walkon.variation import learning

    begun: list[Network] = []

    def shaken(network: Network, n: int, driven: np.ndarray, seed: int) -> Network:
        begun.append(network)
        return no_edges(n, network.parents.shape[1])

    monkeypatch.setattr(learning, "shaken", shaken)
    learn_variation(swings(), **{**SHORT, "restarts": 3})
    assert len(begun) == 2
    assert begun[0].edges > 0


@pytest.mark.parametrize("after", [1, 2, 4, 5, 6])
def test_learning_that_was_stopped_goes_on_as_if_nothing_had_happened(tmp_path, whole, after):
    store, seen = tmp_path / "half.learning", []

    def stop(done: int, total: int) -> None:
        seen.append(done)
        if len(seen) == after:
            raise StoppedError

    with pytest.raises(StoppedError):
        learn_variation(swings(), **SHORT, store=store, progress=stop)
    assert store.exists()
    resumed: list[int] = []
    model = learn_variation(swings(), **SHORT, store=store, progress=lambda done, _: resumed.append(done))
    assert_same(model, whole)
    assert not store.exists()
    assert resumed[0] > seen[0] or after == 1


def test_what_was_done_is_not_done_again(tmp_path, monkeypatch, whole):
    """After the first search was over, neither the prior nor that search is looked for again."""
    from walkon.variation import learning

    store, calls = tmp_path / "half", []

    def stop(done: int, _: int) -> None:
        calls.append(done)
        if done > 1 + SHORT["rounds"]:
            raise StoppedError

    with pytest.raises(StoppedError):
        learn_variation(swings(), **SHORT, store=store, progress=stop)
    monkeypatch.setattr(learning, "PriorSearch", lambda *_: pytest.fail("the prior was searched again"))
    rounds: list[int] = []
    model = learn_variation(swings(), **SHORT, store=store, progress=lambda done, _: rounds.append(done))
    assert_same(model, whole)
    assert len(rounds) <= 2


def half_done(store: Path) -> bytes:
    """What a learning leaves that is stopped after two rounds."""
    rounds: list[int] = []

    def stop(done: int, _: int) -> None:
        rounds.append(done)
        if len(rounds) == 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        learn_variation(swings(), **SHORT, store=store, progress=stop)
    return store.read_bytes()


def test_damaged_stores_are_ignored(tmp_path, whole):
    store = tmp_path / "half"
    data = half_done(store)
    altered = bytearray(data)
    altered[len(data) // 2] ^= 1
    for content in (b"", b"nonsense", data[:-5], bytes(altered), PROGRESS_FORMAT.magic + bytes(40)):
        store.write_bytes(content)
        assert_same(learn_variation(swings(), **SHORT, store=store), whole)


def test_stores_that_lie_are_ignored(tmp_path, whole):
    """Sealed as they should be, but with networks of another size, or parents that are not there."""
    from walkon.array_files import map_file, parse_arrays, write_arrays
    from walkon.variation.progress_file import PROGRESS_ARRAYS

    store = tmp_path / "half"
    half_done(store)
    settings, mapped = parse_arrays(
        map_file(store, PROGRESS_FORMAT), PROGRESS_FORMAT, dict.fromkeys(PROGRESS_ARRAYS, ("<i8",))
    )
    kept = {name: array.copy() for name, array in mapped.items()}
    lies = [
        (settings, {**kept, "prior": kept["prior"][:-1]}),
        (settings, {**kept, "edges": np.where(kept["edges"] >= 0, 10**9, -1)}),
        (settings, {**kept, "edges_counts": kept["edges_counts"] + 1000}),
        (settings, {**kept, "promising": kept["promising"] + 10**9}),
        (settings, {**kept, "promising": kept["promising"][1:]}),
        ({**settings, "search": [1]}, kept),
        ({**settings, "attempt": "much"}, kept),
        ({key: value for key, value in settings.items() if key != "best"}, kept),
    ]
    for told, arrays in lies:
        write_arrays(store, PROGRESS_FORMAT, told, arrays)
        assert_same(learn_variation(swings(), **SHORT, store=store), whole)


def test_stores_of_other_learnings_are_ignored(tmp_path, whole):
    store = tmp_path / "half"
    data = half_done(store)
    other = several(3, frames=50, first=30, leans=0.05, speed=1.3)
    for clips, settings in (
        (other, SHORT),
        (swings(), {**SHORT, "seed": 6}),
        (swings(), {**SHORT, "regression": Regression(neighbours=7)}),
    ):
        store.write_bytes(data)
        assert_same(learn_variation(clips, **settings, store=store), learn_variation(clips, **settings))


def test_progress_ends_at_its_total():
    seen: list[tuple[int, int]] = []
    learn_variation(swings(2), restarts=2, rounds=3, progress=lambda *done: seen.append(done))
    assert seen[-1][0] == seen[-1][1]
    assert all(0 < done <= total for done, total in seen)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


def test_two_clips_are_enough_and_one_is_not():
    model = learn_variation(swings(2), restarts=1, rounds=1)
    assert all(np.isfinite(clip.positions).all() for clip in make_variants(model, 2))
    with pytest.raises(VariationError, match="1 clip: variation is what differs"):
        learn_variation(swings(1))
    with pytest.raises(VariationError, match="no clips"):
        learn_variation([])


def test_a_learned_structure_varies_a_single_clip(whole):
    other = swing(45, height=0.45, rate=1.1, name="other")
    one = whole.given([other])
    assert one.examples.names == ("other",)
    check_model(one)
    made = make_variants(one, 3)
    assert all(len(clip) == 45 for clip in made)
    assert not np.array_equal(made[0].rotations, made[1].rotations)
    np.testing.assert_array_equal(one.transition.parents, whole.transition.parents)
    with pytest.raises(VariationError, match="another skeleton"):
        whole.given([make("walk")])


def test_the_same_clip_twice_gives_that_clip():
    clip = swing(50)
    model = learn_variation([clip, clip.with_changes(name="again")], restarts=1, rounds=1)
    assert all(np.isfinite(one.positions).all() for one in make_variants(model, 3))


def test_where_and_when_do_not_matter_to_what_is_learned(whole):
    moved = [place(clip, Placement(9.0, number, 1.0 + number)) for number, clip in enumerate(swings())]
    model = learn_variation(moved, **SHORT)
    np.testing.assert_allclose(np.abs(model.examples.rows), np.abs(whole.examples.rows), atol=1e-4)
    assert model.score == pytest.approx(whole.score, abs=0.2)


def test_bad_input_is_told_plainly():
    clips = swings(2)
    with pytest.raises(VariationError, match="'swing 1' has 4 frames at 30 Hz; at least 5"):
        learn_variation([clips[0], crop(clips[1], 0, 4)])
    longer = Skeleton(moving.SKELETON.names, moving.SKELETON.parents, 1.1 * moving.SKELETON.offsets)
    with pytest.raises(VariationError, match="another skeleton"):
        learn_variation([clips[0], clips[1].with_changes(skeleton=longer)])
    with pytest.raises(VariationError, match="nothing moves"):
        learn_variation([swing(height=0.0), swing(height=0.0, name="b")])
    roots = clips[0].root_positions.copy()
    roots[3, 1] = np.nan
    with pytest.raises(ClipError, match="not finite at frame 3"):
        clips[0].with_changes(root_positions=roots)
    with pytest.raises(VariationError, match="no joints tail; there are: hips"):
        learn_variation(clips, only=["tail"])
    with pytest.raises(VariationError, match="nothing moves in chest"):
        learn_variation(clips, only=["chest"])
    for fps in (0.0, np.nan, -30.0):
        with pytest.raises(VariationError, match="above 0 Hz"):
            learn_variation(clips, fps=fps)


def test_clips_that_would_take_too_much_memory_are_refused_before_they_do():
    slow = swing(60).with_changes(fps=1e-4)
    with pytest.raises(VariationError, match=r"more than 6000; four clips"):
        learn_variation([slow, slow])
    with pytest.raises(VariationError, match=r"more than 6000; four clips"):
        learn_variation([swing(4000), swing(4000)])


def test_the_shortest_clips_and_still_ones_among_moving_ones():
    shortest = [crop(clip, 0, 5) for clip in swings()]
    model = learn_variation(shortest, restarts=1, rounds=1)
    assert all(len(clip) == 5 and np.isfinite(clip.positions).all() for clip in make_variants(model, 3))
    still = [*swings(2), swing(60, height=0.0)]
    model = learn_variation(still, restarts=1, rounds=1, regression=Regression(neighbours=4))
    assert all(np.isfinite(clip.positions).all() for clip in make_variants(model, 3))


def test_other_rates_are_made_that_of_the_model():
    clips = [resample(clip, 60.0) for clip in swings(2)]
    assert learn_variation(clips, restarts=1, rounds=0).examples.lengths.tolist() == [50, 50]
    model = learn_variation(clips, restarts=1, rounds=0, fps=20.0)
    assert model.coordinates.fps == make_variants(model, 1)[0].fps == 20.0


def test_only_some_joints():
    model = learn_variation(swings(), restarts=1, rounds=1, only=["left_hip", "hips"])
    assert {model.coordinates.names[number] for number in model.driven} == {"left_hip x"}
    assert model.is_partial
    with pytest.raises(VariationError, match="use `vary_clip`"):
        make_variants(model, 1)


def test_the_upper_body_of_a_human_has_no_leg(walk_model):
    skeleton = walk_model.coordinates.skeleton
    upper = upper_body(skeleton)
    assert not {"Hips", *(name for name in skeleton.names if "Leg" in name or "Foot" in name)} & set(upper)
    assert {"Head", "LeftArm", "RightHand"} & set(upper)
    driven = _driven(walk_model.coordinates, upper)
    assert 0 < len(driven) < walk_model.coordinates.count
    assert 0 not in walk_model.coordinates.joints[driven]


def test_a_kept_search_is_all_of_it(tmp_path):
    """What is promising is kept as well: with few numbers every edge is tried anyway, with many it is not."""
    examples = Examples.of([np.random.default_rng(seed).standard_normal((12, 4)) for seed in range(3)], "abc")
    driven, regression, store = np.arange(4), Regression(neighbours=3), tmp_path / "half"
    search = TransitionSearch.begin(examples, driven, regression, 7)
    search.step()
    checkpoint = Checkpoint.of(store, examples, driven, regression, (7,))
    checkpoint.keep(prior=no_edges(8, 2), attempt=0, search=search)
    again = Checkpoint.of(store, examples, driven, regression, (7,)).resumed(examples, driven, regression, 7)
    assert again is not None
    assert search.promising.size
    np.testing.assert_array_equal(again.promising, search.promising)
    np.testing.assert_array_equal(again.network.parents, search.network.parents)
    np.testing.assert_array_equal(again.made, search.made)
    kept = (again.rounds, again.trusting, again.finished, again.seed, again.score)
    assert kept == (search.rounds, search.trusting, search.finished, search.seed, search.score)
