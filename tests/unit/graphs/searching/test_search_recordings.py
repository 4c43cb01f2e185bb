"""Search on recordings: what was drawn is walked, and nobody comes to a dead end."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.graphs.building import build_motion_graph
from walkon.graphs.searching.fitting import fit_path
from walkon.graphs.searching.random_walks import random_walks
from walkon.motion import read_recording

TRIALS = (11, 13, 15, 17, 19, 21, 23, 27, 29, 31)


@pytest.fixture(scope="module")
def recorded_graph(mocap):
    files = [mocap / "cmu" / "bvh" / f"16_{trial:02}.bvh" for trial in TRIALS]
    return build_motion_graph([read_recording(file, trim="leading").clip for file in files], mirrored=True).graph


def test_drawn_paths_are_walked(recorded_graph):
    around = np.linspace(0.0, 2.0 * np.pi, 120)
    circle = 3.0 * np.stack([1.0 - np.cos(around), np.sin(around)], axis=1)
    for path in ([(0.0, 0.0), (0.0, 10.0)], circle):
        fit = fit_path(recorded_graph, path, styles="walk")
        assert fit.mean_deviation <= 0.15
        assert fit.lags.mean() <= 0.2


def test_random_walks_never_end(recorded_graph):
    assert all(walk.duration >= 60.0 for walk in random_walks(recorded_graph, 60.0, 1000, seed=0))
