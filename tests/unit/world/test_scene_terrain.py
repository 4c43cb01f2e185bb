"""Ground from arrays and images: orientation, stretch and depth."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.world import read_scene

BOUNDS = "bounds = [-10, -5, 10, 5]\n"


def terrain_of(table: str, folder):
    return read_scene(f"{BOUNDS}[terrain]\n{table}\n", folder=folder).terrain


def test_an_array_lies_over_the_bounds_row_by_row_along_z(tmp_path):
    heights = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    np.save(tmp_path / "h.npy", heights.astype(np.float32))
    np.save(tmp_path / "f.npy", np.asfortranarray(heights.astype(np.int16)))
    (tmp_path / "h.csv").write_text("0 1 2\n3 4 5\n")
    for name in ("h.npy", "f.npy", "h.csv"):
        field = terrain_of(f'array = "{name}"\nscale = 2', tmp_path)
        assert field.at([-10, 0, 10, -10, 10, 0], [-5, -5, -5, 5, 5, 0]) == pytest.approx([0, 2, 4, 6, 10, 5])
        assert field.cell == pytest.approx(10.0)


def test_cells_that_are_not_square_are_resampled(tmp_path):
    rng = np.random.default_rng(0)
    heights = rng.random((5, 4))
    np.save(tmp_path / "h.npy", heights)
    field = terrain_of('array = "h.npy"', tmp_path)
    x, z = np.linspace(-10, 10, 4), np.linspace(-5, 5, 5)
    assert field.at(x[None, :], z[:, None]) == pytest.approx(heights, abs=0.3)
    fine = terrain_of('array = "h.npy"\ncell = 0.05', tmp_path)
    assert fine.at(x[None, :], z[:, None]) == pytest.approx(heights, abs=0.02)


def test_an_area_smaller_than_the_bounds_is_level_beyond_its_edge(tmp_path):
    np.save(tmp_path / "h.npy", np.array([[0.0, 1.0], [0.0, 1.0]]))
    field = terrain_of('array = "h.npy"\narea = [0, 0, 2, 2]', tmp_path)
    assert field.at([-10, 0, 1, 2, 10], [0, 0, 1, 2, 5]) == pytest.approx([0, 0, 0.5, 1, 1])


def test_hills_add_to_an_array(tmp_path):
    np.save(tmp_path / "h.npy", np.ones((2, 3)))
    field = terrain_of('array = "h.npy"\nhills = [{ at = [0, 0], height = 2, radius = 3 }]', tmp_path)
    assert field.at([0, 9], [0, 0]) == pytest.approx([3, 1])


@pytest.mark.parametrize(("mode", "white"), [("L", 255), ("RGB", 255), ("I;16", 65535), ("1", 1), ("P", 255)])
def test_images_of_any_depth_are_white_at_their_height(tmp_path, mode, white):
    from PIL import Image

    values = np.array([[0, 1, 0], [1, 1, 0]])
    if mode == "I;16":
        picture = Image.fromarray((values * white).astype(np.uint16))
    else:
        picture = Image.fromarray((values * 255).astype(np.uint8)).convert(mode)
    picture.save(tmp_path / "h.png")
    field = terrain_of('image = "h.png"\nheight = 3\nlow = -1', tmp_path)
    assert field.at([-10, 0, 10, -10], [-5, -5, -5, 5]) == pytest.approx([-1, 3, -1, 3])
