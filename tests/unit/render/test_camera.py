"""The camera projects as the formulas say, and refuses what is no camera."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.errors import WalkonError
from walkon.render import Camera, RenderError


def test_target_is_in_the_middle_at_its_distance(camera: Camera) -> None:
    column, row, depth = camera.project(camera.target, 64, 48)
    assert (column, row) == pytest.approx((32.0, 24.0))
    assert depth == pytest.approx(camera.distance)


def test_axes_are_right_handed_and_level(camera: Camera) -> None:
    right, down, forward = camera.axes()
    assert np.cross(right, down) == pytest.approx(forward)
    assert right[1] == 0.0
    assert down[1] < 0.0
    assert np.linalg.norm([right, down, forward], axis=1) == pytest.approx(np.ones(3))


def test_from_the_side_of_z_x_is_on_the_right_and_y_up() -> None:
    camera = Camera.orbit((0, 0, 0), 4.0, azimuth=0.0, elevation=0.0)
    assert camera.position == pytest.approx((0.0, 0.0, 4.0))
    x = camera.project((1, 0, 0), 100, 100)
    y = camera.project((0, 1, 0), 100, 100)
    assert x[0] > 50.0
    assert x[1] == pytest.approx(50.0)
    assert y[1] < 50.0


def test_fov_spans_the_height() -> None:
    camera = Camera((0, 0, 5), (0, 0, 0), fov=math.radians(40.0))
    top = 5.0 * math.tan(math.radians(20.0))
    assert camera.project((0, top, 0), 80, 60)[1] == pytest.approx(0.0)


def test_span_is_the_height_of_an_orthographic_picture_at_any_distance() -> None:
    for distance in (3.0, 300.0):
        camera = Camera((0, 0, distance), (0, 0, 0), span=2.0)
        assert camera.project((0, 1, 0), 80, 60)[1] == pytest.approx(0.0)


def test_straight_down_keeps_x_on_the_right() -> None:
    camera = Camera((0, 5, 0), (0, 0, 0))
    assert camera.project((1, 0, 0), 100, 100)[0] > 50.0
    assert camera.project((0, 0, 1), 100, 100)[1] > 50.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"position": (0, 0, 0), "target": (0, 0, 0)},
        {"position": (0, 0, math.nan), "target": (0, 0, 0)},
        {"position": (0, 0), "target": (0, 0, 0)},
        {"position": (0, 0, 1), "target": (0, 0, 0), "fov": 0.0},
        {"position": (0, 0, 1), "target": (0, 0, 0), "fov": 4.0},
        {"position": (0, 0, 1), "target": (0, 0, 0), "span": -1.0},
    ],
)
def test_no_camera(wrong: dict) -> None:
    with pytest.raises(RenderError) as caught:
        Camera(**wrong)
    assert isinstance(caught.value, WalkonError)
    assert isinstance(caught.value, ValueError)
