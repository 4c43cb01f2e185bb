"""PedPy, the tool of pedestrian dynamics, reads our tables and finds the speeds, densities and flows we find."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.export import write_trajectories
from walkon.metrics import read_trajectories, resample
from walkon.metrics.plausibility import speeds
from walkon.metrics.quality import find_crossings, measure_density
from walkon.motion import place_at
from walkon.rotations import Placement

pedpy = pytest.importorskip("pedpy", reason="needs PedPy, part of the extra dev")

AREA = (-1.5, 0.0, 1.5, 3.0)
STARTS = [
    (-1.0, 0.0, 0.0, 0),
    (-0.2, -0.7, 0.1, 5),
    (0.5, 0.4, -0.1, 0),
    (1.0, 4.0, np.pi, 12),
    (0.1, 3.8, np.pi, 30),
]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Five people who walk past each other, in a table at 10 Hz."""
    walk = make("walk")
    clips = [place_at(walk, 0, Placement(x, z, heading)) for x, z, heading, _ in STARTS]
    path = tmp_path_factory.mktemp("pedpy") / "walkers.csv"
    write_trajectories(path, clips, fps=10.0, starts=[start for *_, start in STARTS])
    return path


@pytest.fixture(scope="module")
def theirs(table):
    return pedpy.load_trajectory(trajectory_file=table)


@pytest.fixture(scope="module")
def ours(table):
    return resample(read_trajectories(table))


def polygon(area):
    left, near, right, far = area
    return [(left, near), (right, near), (right, far), (left, far)]


def test_both_read_the_same_rows(theirs, ours):
    assert theirs.frame_rate == ours.fps == 10.0
    for person in range(len(ours)):
        rows = theirs.data[theirs.data.id == person]
        assert rows.frame.tolist() == (ours.starts[person] + np.arange(ours.counts[person])).tolist()
        np.testing.assert_array_equal(rows[["x", "y"]], ours.path(person))


def test_speeds_agree(theirs, ours):
    found = pedpy.compute_individual_speed(
        traj_data=theirs, frame_step=1, speed_calculation=pedpy.SpeedCalculation.BORDER_SINGLE_SIDED
    ).sort_values(["id", "frame"])
    np.testing.assert_allclose(speeds(ours), found.speed, rtol=0.01)
    assert speeds(ours).mean() > 0.8


def test_classic_densities_agree(theirs, ours):
    found = pedpy.compute_classic_density(traj_data=theirs, measurement_area=pedpy.MeasurementArea(polygon(AREA)))
    density = measure_density(ours, AREA)
    frames = np.round(density.times * 10.0).astype(int)
    np.testing.assert_allclose(density.densities, found.loc[frames].density, rtol=0.01)
    assert density.densities.max() > 0.3


def test_voronoi_densities_agree(theirs, ours):
    everywhere = (-6.0, -8.0, 6.0, 12.0)
    cells = pedpy.compute_individual_voronoi_polygons(
        traj_data=theirs,
        walkable_area=pedpy.WalkableArea(polygon(everywhere)),
        cut_off=pedpy.Cutoff(radius=1.0, quad_segments=8),
    )
    density = measure_density(ours, everywhere)
    frames = np.round(density.times * 10.0).astype(int)
    for person in range(len(ours)):
        own = cells[(cells.id == person) & cells.frame.isin(frames)]
        felt = 1.0 / np.array([cell.area for cell in own.polygon])
        assert density.felt[person] == pytest.approx(felt.mean(), rel=0.01)
        assert density.peaks[person] == pytest.approx(felt.max(), rel=0.01)
    assert density.peaks.max() > 0.5


def test_crossings_agree(theirs, ours):
    line = [(-3.0, 2.0), (3.0, 2.0)]
    counts, crossed = pedpy.compute_n_t(traj_data=theirs, measurement_line=pedpy.MeasurementLine(line))
    found = find_crossings(ours, line)
    assert sorted(found.people.tolist()) == sorted(crossed.id.tolist())
    assert len(found.people) == counts.cumulative_pedestrians.max() > 2
    for who, time in zip(found.people, found.times, strict=True):
        frame = int(crossed[crossed.id == who].frame.iloc[0])
        assert time == pytest.approx(frame / 10.0, abs=0.1)
