"""Regions: which cells belong to them, point by point."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.errors import PlanError
from walkon.trees import region as region_module
from walkon.trees.region import Region, covered_by, disc, half_disc, polygon

RNG = np.random.default_rng(3)
POINTS = RNG.uniform(-6.0, 6.0, (3000, 2))


def middles(region):
    """Middles (N, 2) of all cells of the region's box, and whether each belongs to it."""
    rows, columns = region.mask.shape
    row, column = np.mgrid[:rows, :columns]
    x, z = region.origin_x + (column + 0.5) * region.cell, region.origin_z + (row + 0.5) * region.cell
    return np.stack([x.ravel(), z.ravel()], axis=1), region.mask.ravel()


def in_polygon(corners, x, z):
    """By the angle that the corners turn around the point."""
    turned = 0.0
    for (ax, az), (bx, bz) in zip(corners, [*corners[1:], corners[0]], strict=True):
        one, other = (ax - x, az - z), (bx - x, bz - z)
        turned += math.atan2(one[0] * other[1] - one[1] * other[0], one[0] * other[0] + one[1] * other[1])
    return abs(turned) > math.pi


SHAPES = {
    "disc": (disc(4.0), lambda x, z: math.hypot(x, z) <= 4.0),
    "ahead": (disc(3.0, ahead=2.5, cell=0.4), lambda x, z: math.hypot(x, z - 2.5) <= 3.0),
    "half": (half_disc(4.0, behind=0.6, cell=0.3), lambda x, z: math.hypot(x, z) <= 4.0 and z >= -0.6),
    "polygon": (
        polygon([(-2.0, -1.0), (3.0, -1.0), (3.0, 4.0), (1.0, 0.5)], cell=0.2),
        lambda x, z: in_polygon([(-2.0, -1.0), (3.0, -1.0), (3.0, 4.0), (1.0, 0.5)], x, z),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_cells_belong_if_their_middles_do(name):
    region, inside = SHAPES[name]
    places, belongs = middles(region)
    assert belongs.any()
    assert [bool(inside(*place)) for place in places.tolist()] == belongs.tolist()
    assert region.area == pytest.approx(belongs.sum() * region.cell**2)
    # Nothing of it lies beyond the box, and corners are at multiples of the cell.
    outside = POINTS[~region.contains(*POINTS.T)]
    near = [inside(*point) for point in outside.tolist()]
    assert np.mean(near) < 0.05
    assert region.origin_x / region.cell == pytest.approx(round(region.origin_x / region.cell))
    assert region.origin_z / region.cell == pytest.approx(round(region.origin_z / region.cell))


@pytest.mark.parametrize("name", SHAPES)
def test_points_are_in_the_region_if_their_cells_are(name):
    region, _ = SHAPES[name]
    rows, columns = region.mask.shape
    for x, z in POINTS[:500].tolist():
        row, column = (
            math.floor((z - region.origin_z) / region.cell),
            math.floor((x - region.origin_x) / region.cell),
        )
        expected = 0 <= row < rows and 0 <= column < columns and bool(region.mask[row, column])
        assert bool(region.contains(x, z)) == expected
    far = [1e3, -1e3, 0.0, 0.0]
    assert not region.contains(far, far[::-1]).any()


def test_the_area_is_about_that_of_the_shape():
    assert disc(5.0, cell=0.1).area == pytest.approx(math.pi * 25.0, rel=0.01)
    assert half_disc(5.0, behind=0.0, cell=0.1).area == pytest.approx(math.pi * 12.5, rel=0.01)


@pytest.mark.parametrize("margin", [0.0, 0.25, 0.7])
def test_what_points_cover(margin):
    points = RNG.normal(size=(40, 2))
    region = covered_by(points, cell=0.25, margin=margin)
    assert region.contains(*points.T).all()
    ring = math.ceil(margin / 0.25)
    taken = {tuple(cell) for cell in np.floor(points / 0.25).astype(int).tolist()}
    expected = {(i + a, j + b) for i, j in taken for a in range(-ring, ring + 1) for b in range(-ring, ring + 1)}
    places, belongs = middles(region)
    assert {tuple(cell) for cell in np.floor(places[belongs] / 0.25).astype(int).tolist()} == expected


def test_the_mask_is_the_regions_own():
    mask = np.ones((2, 2), dtype=bool)
    region = Region(0.0, 0.0, 1.0, mask)
    mask[:] = False
    assert region.mask.all()
    with pytest.raises(ValueError, match="read-only"):
        region.mask[0, 0] = False


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: disc(1.0, ahead=1.0), "root must lie inside"),
        (lambda: disc(math.nan), "root must lie inside"),
        (lambda: disc(math.inf), "a size"),
        (lambda: disc(2.0, cell=0.0), "a size"),
        (lambda: disc(1e5, cell=0.01), "too large"),
        (lambda: disc(0.1, cell=1.0), "needs cells"),
        (lambda: half_disc(-2.0), "cells"),
        (lambda: polygon([(0.0, 0.0), (1.0, 1.0)]), "three or more"),
        (lambda: polygon([(0.0, 0.0), (1.0, 1.0), (math.nan, 2.0)]), "finite"),
        (lambda: polygon([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), "cells"),
        (lambda: Region(0.0, 0.0, 0.2, np.zeros((3, 3), dtype=bool)), "some set"),
        (lambda: Region(0.0, 0.0, 0.2, np.ones(3, dtype=bool)), "mask"),
        (lambda: Region(0.0, 0.0, -1.0, np.ones((3, 3), dtype=bool)), "cells"),
        (lambda: covered_by([(0.0, 0.0), (1e6, 1e6)], cell=0.1), "too large"),
    ],
)
def test_what_is_no_region_is_refused(make, said):
    with pytest.raises(PlanError, match=said):
        make()


@pytest.mark.parametrize("points", [np.empty((0, 2)), [(0.0, math.nan)], [0.0, 1.0]])
def test_points_that_cover_nothing_are_refused(points):
    with pytest.raises(PlanError):
        covered_by(points)


def test_the_limit_is_one_of_cells(monkeypatch):
    monkeypatch.setattr(region_module, "MOST_REGION_CELLS", 100)
    assert disc(2.5, cell=0.5).mask.size == 100
    with pytest.raises(PlanError, match="at most 100"):
        disc(2.51, cell=0.5)
