"""The other metrics beside naive twins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs import Corpus
from walkon.graphs.comparing.clouds import choose_taper
from walkon.graphs.comparing.metrics import METRICS, VELOCITY, JointAngles, MassDistance, build_metric
from walkon.graphs.comparing.surface import distance_surface
from walkon.motion import Clip, place
from walkon.motion.features.clouds import align, watched_joints
from walkon.rotations import Placement, angle_between, conjugate, heading_of, logarithm, multiply, rotation_about_y
from walkon.skeleton import build_body

Maker = Callable[[Sequence[Clip]], Corpus]
WINDOW = 6
PAIRS = [(0, 0), (3, 40), (12, 90), (100, 20), (150, 200)]


def test_mass_distance_is_that_of_the_masses(little_corpus: Corpus):
    body = build_body(little_corpus.library.skeleton)
    middles = body.capsules(little_corpus.library.positions).mean(axis=-2)
    surface = distance_surface(MassDistance.of(little_corpus, WINDOW))
    w = choose_taper(WINDOW)[:, None] * body.masses
    for a, b in PAIRS:
        fixed, moving = middles[a : a + WINDOW], middles[b : b + WINDOW]
        expected = np.sqrt((w[..., None] * (fixed - align(fixed, moving, w).points(moving)) ** 2).sum())
        assert surface[a, b] == pytest.approx(expected, abs=1e-6)


def naive_angles(corpus: Corpus, a: int, b: int) -> float:
    """Joint by joint, frame by frame; neither window may touch the end of its clip."""
    library = corpus.library
    joints, weights = watched_joints(library.skeleton)
    bends = ~library.skeleton.tips[joints]
    joints, weights = joints[bends], weights[bends] / weights[bends].sum()
    total = 0.0
    for p, share in enumerate(choose_taper(WINDOW)):
        poses, spins, goes, heights = [], [], [], []
        for row in (a + p, b + p):
            pose = library.rotations[row].copy()
            unturned = rotation_about_y(-heading_of(pose[0]))
            pose[0] = multiply(unturned, pose[0])
            poses.append(pose[joints])
            steps = [
                logarithm(multiply(conjugate(library.rotations[i]), library.rotations[i + 1])) * library.fps
                for i in (row - 1, row)
            ]
            spins.append(0.5 * (steps[0] + steps[1])[joints])
            velocity = 0.5 * library.fps * (library.root_positions[row + 1] - library.root_positions[row - 1])
            heading = heading_of(library.rotations[row, 0])
            x, z = Placement(heading=-heading).point(velocity[0], velocity[2])
            goes.append(np.array([x, velocity[1], z]))
            heights.append(library.root_positions[row, 1])
        total += share * (weights * angle_between(*poses) ** 2).sum()
        total += share * VELOCITY**2 * (weights[:, None] * (spins[0] - spins[1]) ** 2).sum()
        total += share * VELOCITY**2 * ((goes[0] - goes[1]) ** 2).sum()
        total += share * (heights[0] - heights[1]) ** 2
    return float(np.sqrt(total))


def test_joint_angles_are_those_of_the_naive_twin(little_corpus: Corpus):
    metric = JointAngles.of(little_corpus, WINDOW)
    surface = distance_surface(metric)
    for a, b in [(3, 40), (12, 90), (100, 20), (150, 200)]:
        assert surface[a, b] == pytest.approx(naive_angles(little_corpus, a, b), abs=1e-9)
        assert metric.pairs(np.array([a]), np.array([b]))[0] == pytest.approx(surface[a, b], abs=1e-12)


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_is_one(little_corpus: Corpus, corpus_of: Maker, name: str):
    surface = distance_surface(build_metric(little_corpus, name, WINDOW))
    random = np.random.default_rng(0)
    clips = [
        place(clip, Placement(*random.uniform(-20.0, 20.0, 2), random.uniform(-np.pi, np.pi)))
        for clip in little_corpus.library
    ]
    again = distance_surface(build_metric(corpus_of(clips), name, WINDOW))
    apart = np.isfinite(surface) & (surface > 1e-3)
    assert np.abs(surface[apart] - again[apart]).max() < 1e-9
    assert np.allclose(surface, surface.T, atol=1e-6)
    assert np.all(np.diag(surface)[np.isfinite(np.diag(surface))] < 1e-6)


def test_unknown_metrics_are_refused(little_corpus: Corpus):
    with pytest.raises(GraphError, match="points, angles, mass"):
        build_metric(little_corpus, "taste")
    with pytest.raises(GraphError, match="from the body"):
        MassDistance.of(little_corpus, joints=[1])
