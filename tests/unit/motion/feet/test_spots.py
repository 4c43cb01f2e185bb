"""Spots hold a foot exactly, and what it takes to get there has no corners."""

from __future__ import annotations

import numpy as np

from walkon.motion.easing import ease_between_holds
from walkon.motion.feet.foot_paths import FootPath, hold_foot
from walkon.motion.feet.spots import close_gaps, follow_spots, mean_spots, set_apart, share_out, smoothed_while
from walkon.rotations import multiply, rotate

FPS = 30.0


def flags(text: str) -> np.ndarray:
    return np.array([letter == "x" for letter in text])


def test_eases_from_one_to_the_next_without_corners() -> None:
    held = flags("....xxxx............xx......xxx.........")
    values = np.random.default_rng(0).normal(size=(len(held), 2))
    eased = ease_between_holds(values, held, 8)
    assert np.array_equal(eased[held], values[held])
    # Over a long gap it fades away; over a short one it goes from one value straight to the other.
    assert ease_between_holds(np.ones((34, 1)), flags("xx" + "." * 30 + "xx"), 8)[16, 0] == 0.0
    short = ease_between_holds(np.ones((len(held), 1)), held, 8)[20:31, 0]
    np.testing.assert_allclose(short, 1.0, atol=1e-12)
    once = ease_between_holds(np.ones((40, 1)), flags("." * 15 + "x" * 10 + "." * 15), 9)[:, 0]
    assert np.abs(np.diff(once, n=2)).max() < 6.5 / 10**2
    assert once[0] == once[-1] == 0.0


def test_nothing_held_needs_nothing() -> None:
    assert not ease_between_holds(np.ones((5, 2)), flags("....."), 3).any()


def test_a_spot_is_the_mean_and_creeps_only_in_the_long_run() -> None:
    rng = np.random.default_rng(1)
    path = rng.normal(size=(60, 3))
    held = flags("." * 5 + "x" * 10 + "." * 5 + "x" * 40)
    spots = mean_spots(path, held, 20)
    np.testing.assert_allclose(spots[5:15], np.tile(path[5:15][:, [0, 2]].mean(axis=0), (10, 1)))
    creeping = np.linalg.norm(np.diff(spots[20:], axis=0), axis=1)
    assert 0.0 < creeping.max() < 0.2
    assert np.array_equal(spots[:5], path[:5][:, [0, 2]])


def test_spots_of_heel_and_toe_are_set_as_far_apart_as_they_are() -> None:
    heel_held, toe_held = flags("xxxxxx...."), flags("..xxxxxxxx")
    heel, toe = np.zeros((10, 2)), np.tile([0.0, 0.2], (10, 1))
    set_apart(heel, toe, heel_held, toe_held, np.full(10, 0.12))
    np.testing.assert_allclose(np.linalg.norm((toe - heel)[2:6], axis=1), 0.12)
    np.testing.assert_allclose(heel[:6], np.tile([0.0, 0.04], (6, 1)))
    assert np.array_equal(heel[6:], np.zeros((4, 2)))


def test_a_tip_goes_with_its_ball() -> None:
    toe = np.zeros((6, 3))
    tip = toe + np.array([0.05, 0.0, 0.0])
    toe_spots, tip_spots = np.full((6, 2), 0.3), tip[:, [0, 2]].copy()
    follow_spots(tip, toe, toe_spots, tip_spots, flags(".xxxxx"), flags(".xx..."))
    np.testing.assert_allclose(tip_spots[1:], np.tile([0.35, 0.3], (5, 1)))
    np.testing.assert_allclose(tip_spots[0], [0.05, 0.0])


def test_who_is_held_alone_decides() -> None:
    shares = share_out(flags("xxxx......"), flags("..xxxx...."), flags("..xxxxxx.."))
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert np.array_equal(shares[:2], [[1, 0, 0], [1, 0, 0]])
    assert np.array_equal(shares[6:8], [[0, 0, 1], [0, 0, 1]])
    assert np.all(np.diff(shares[:, 0]) <= 0.0)
    assert share_out(flags("..."), flags("..."), flags("...")).sum() == 3.0


def test_smooths_within_stretches_only() -> None:
    values = np.array([9.0, 0.0, 1.0, 0.0, 1.0, 0.0, 9.0])
    smoothed = smoothed_while(values, flags(".xxxxx."), 3)
    assert smoothed[0] == smoothed[-1] == 9.0
    np.testing.assert_allclose(smoothed[1:-1], [0.0, 1 / 3, 2 / 3, 1 / 3, 0.0])


def test_gaps_too_short_for_a_step_are_closed() -> None:
    path = np.zeros((12, 3))
    path[9:, 0] = 0.5
    held = flags("xx..xxx..xxx")
    close_gaps(held, path, 3, 0.1)
    assert "".join("x" if flag else "." for flag in held) == "xxxxxxx..xxx"


def sliding_foot(frames: int = 90) -> FootPath:
    """A foot that goes ahead, and while it should stand slides, turns and shakes a little."""
    rng = np.random.default_rng(4)
    x = np.linspace(0.0, 3.0, frames)
    ankle = np.stack([x, np.full(frames, 0.08), 0.02 * np.sin(x)], axis=1)
    heading = 1.4 + 0.1 * np.sin(0.2 * np.arange(frames))
    ahead = np.stack([np.sin(heading), np.zeros(frames), np.cos(heading)], axis=1)
    shake = 0.001 * rng.normal(size=(frames, 3))
    heel, toe = ankle - 0.04 * ahead - [0, 0.04, 0] + shake, ankle + 0.12 * ahead - [0, 0.04, 0]
    return FootPath(ankle, heel, toe, toe + 0.05 * ahead, FPS)


def test_a_sliding_foot_is_held() -> None:
    foot = sliding_foot()
    heel = flags("." * 20 + "x" * 12 + "." * 58)
    toe = flags("." * 24 + "x" * 14 + "." * 52)
    tip = flags("." * 24 + "x" * 18 + "." * 48)
    held = hold_foot(foot, heel, toe, tip)
    turn = multiply(held.yaw, held.tilt)
    paths = [held.ankle + rotate(turn, end - foot.ankle) for end in (foot.heel, foot.toe)]
    paths.append(paths[1] + rotate(held.yaw, foot.tip - foot.toe))
    for path, flag in zip(paths, (held.heel_held, held.toe_held, held.tip_held), strict=True):
        steps = np.linalg.norm(np.diff(path, axis=0)[:, [0, 2]], axis=1)[flag[1:] & flag[:-1]]
        assert len(steps) > 5
        assert steps.max() < 0.002
    # Far from the step nothing has changed, and heights never do.
    assert np.array_equal(held.ankle[:10], foot.ankle[:10])
    assert np.array_equal(held.ankle[:, 1], foot.ankle[:, 1])
    bend = np.linalg.norm(np.diff(held.ankle, n=2, axis=0), axis=1)
    assert bend.max() < 0.05
