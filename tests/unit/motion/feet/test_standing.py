"""Joints that stand are told from joints that roll on or off the ground."""

from __future__ import annotations

import numpy as np

from walkon.motion.feet.standing import resting_part, speeds_along, standing_frames

FPS = 30.0


def path_of(steps: list[float]) -> np.ndarray:
    """A path (F, 3) [m] along x by steps in millimetres."""
    x = np.concatenate([[0.0], np.cumsum(steps)]) / 1000.0
    return np.stack([x, np.zeros(len(x)), np.zeros(len(x))], axis=1)


def told(steps: list[float], planted: str | None = None) -> str:
    flags = np.array([letter == "x" for letter in planted or "x" * (len(steps) + 1)])
    return "".join("x" if steady else "." for steady in standing_frames(path_of(steps), flags, FPS))


def test_rolling_on_and_off_is_left_out() -> None:
    assert told([16, 12, 8, 3, 1, 1, 2, 9, 14]) == "...xxxxx.."


def test_only_contacts_stand() -> None:
    assert told([1, 1, 1, 1], planted=".xx..") == ".xx.."


def test_a_marker_that_shakes_still_stands() -> None:
    assert told([1, 1, 7, -7, 1, 1]) == "xxxxxxx"


def test_a_foot_that_is_put_elsewhere_does_not() -> None:
    assert told([1, 1, 20, 20, 20, 1, 1]) == "xxx..xxx"
    assert told([1, 1, 40, 1, 1]) == "xxx.xx"


def test_one_frame_is_as_it_is() -> None:
    assert told([]) == "x"


def test_speed_is_measured_over_the_same_time_at_any_rate() -> None:
    for fps in (30.0, 60.0, 120.0, 240.0):
        path = np.outer(np.arange(40) / fps, [0.3, 0.0, 0.4])
        np.testing.assert_allclose(speeds_along(path, fps), 0.5)
    # One marker jumps by 1 cm for a frame: over two thirtieths of a second that is little.
    path[20, 0] += 0.01
    assert speeds_along(path, 240.0).max() < 2.0


def test_a_contact_rests_between_its_rolling() -> None:
    path = path_of([60, 30, 16, 8, 3, 1, 1, 2, 9, 14, 40, 60])
    assert resting_part(speeds_along(path, FPS), 1, 12) == (4, 9)


def test_who_slides_all_the_time_is_to_rest_all_the_time() -> None:
    assert resting_part(speeds_along(path_of([20] * 12), FPS), 2, 10) == (2, 10)


def test_what_is_fast_within_a_contact_is_part_of_it() -> None:
    assert resting_part(speeds_along(path_of([1, 1, 1, 30, 1, 1, 1, 1]), FPS), 0, 9) == (0, 9)
