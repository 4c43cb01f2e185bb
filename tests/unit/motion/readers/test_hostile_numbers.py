"""Numbers at the ends of what floats can hold: a clip, trajectories or an error in words, never a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from walkon.errors import WalkonError
from walkon.metrics.trajectories.reading import parse_text
from walkon.motion import Clip, read_recording, write_clip_file
from walkon.skeleton import Skeleton

NUMBERS = ("0", "1", "-1", "1e308", "-1e308", "5e-324", "1e-200", "1e14", "2.5e14", "1e6")
NAMES = ("Hips", "Spine", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot")


@pytest.fixture(autouse=True)
def strictly():
    """As fuzzers run: whatever numpy would warn about is an error."""
    with warnings.catch_warnings(), np.errstate(over="raise", invalid="raise", divide="raise"):
        warnings.simplefilter("error")
        yield


def attempt(read, *args, **named) -> bool:
    try:
        read(*args, **named)
    except WalkonError:
        return False
    return True


@pytest.mark.parametrize("form", ["obsmat", "table", "timed", "vsp", "homography"])
def test_trajectories_of_hostile_numbers(form):
    rng = np.random.default_rng(3)

    def some(count, most=0):
        """Hostile numbers, behind small whole ones."""
        return [str(rng.integers(4)) if rng.random() < 0.7 else str(rng.choice(NUMBERS)) for _ in range(most)] + [
            str(rng.choice(NUMBERS)) for _ in range(count)
        ]

    read = 0
    for _ in range(400):
        rows = [some(6, 2) if form == "obsmat" else some(2, 2) for _ in range(4)]
        scale = float(rng.choice([1.0, 1e5]))
        if form == "obsmat":
            read += attempt(parse_text, "\n".join(map(" ".join, rows)).encode(), "obsmat")
        elif form in ("table", "timed"):
            head = "id,time,x,y\n" if form == "timed" else f"# framerate: {some(1)[0]}\nid,frame,x,y\n"
            read += attempt(parse_text, (head + "\n".join(map(",".join, rows))).encode(), "table", unit=scale)
        else:
            points = "1\n4\n" + "\n".join(f"{x} {y} {frame}" for _, frame, x, y in rows)
            matrix = np.array(some(9), dtype=float).reshape(3, 3) if form == "homography" else None
            read += attempt(parse_text, points.encode(), "vsp", unit=scale, homography=matrix)
    assert read < 400


def test_clips_of_hostile_numbers(tmp_path):
    rng = np.random.default_rng(4)
    good = [[0, 0, 0], [0, 0.3, 0], *[[x, y, 0] for x in (0.1, -0.1) for y in (0, -0.4, -0.4)]]

    def spoiled(values, share):
        values = np.array(values, dtype=float)
        values[rng.random(values.shape) < share] = float(rng.choice(NUMBERS))
        return values

    def round_trip():
        skeleton = Skeleton(NAMES, [-1, 0, 0, 2, 3, 0, 5, 6], spoiled(good, 0.05))
        fps = float(rng.choice([30.0, 1e-300, 1e300, 5e-324]))
        roots = spoiled(np.zeros((20, 3)), 0.05)
        write_clip_file(tmp_path / "a.clip", Clip("a", skeleton, fps, roots, np.tile([1.0, 0, 0, 0], (20, 8, 1))))
        read_recording(tmp_path / "a.clip", trim="leading")

    read = sum(attempt(round_trip) for _ in range(60))
    assert 0 < read < 60


def test_splines_with_equal_frames_count_once():
    spline = b"1 - splines\n4 - points\n0 0 1 0\n5 5 1 0\n6 6 1.2 0\n2 0 3 0\n"
    found = parse_text(spline, "vsp", unit=1.0)
    np.testing.assert_allclose(found.path(0), [[0, 0], [1, 0], [2, 0]], atol=1e-12)
