"""How obstacles move: easing, repeating, tables and let-go bodies."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from walkon.errors import MissingExtraError, SceneError
from walkon.rotations import rotate
from walkon.world import Sphere, flat_terrain, read_scene
from walkon.world.motions import Track, ease_between, frame_times

KEYS = np.array([0.0, 1.0, 3.0])
VALUES = np.array([[0.0], [2.0], [3.0]])
BOUNDS = "bounds = [-10, -10, 10, 10]\n"


@pytest.mark.parametrize("ease", ["linear", "smooth", "glide", "fall"])
def test_every_ease_keeps_its_keys_and_never_overshoots(ease):
    times = np.linspace(-1, 5, 601)
    sampled = ease_between(KEYS, VALUES, [ease] * 3, times)[:, 0]
    assert sampled[[0, 100, 200, 400, 600]] == pytest.approx([0, 0, 2, 3, 3])
    assert (np.diff(sampled) >= -1e-12).all()


def test_smooth_stops_at_keys_and_glide_does_not():
    around = np.array([0.99, 1.01])
    smooth, glide = (np.ptp(ease_between(KEYS, VALUES, [ease] * 3, around)) / 0.02 for ease in ("smooth", "glide"))
    assert smooth < 0.1
    assert glide > 0.4


def test_each_key_may_be_reached_in_its_own_way():
    sampled = ease_between(KEYS, VALUES, ["smooth", "linear", "fall"], np.array([0.5, 2.0]))[:, 0]
    assert sampled[0] == pytest.approx(1.0)
    assert 2.0 < sampled[1] < 2.2


def test_frames_cover_what_moves_and_no_more():
    assert len(frame_times(0.0, 1.01, "once", fps=30, duration=10)) == 32
    assert frame_times(0.0, 1.01, "once", fps=30, duration=10)[-1] == 1.01
    assert len(frame_times(0.0, 50.0, "once", fps=30, duration=10)) == 301
    assert len(frame_times(2.0, 2.0, "once", fps=30, duration=10)) == 1
    cycle = frame_times(1.0, 3.0, "cycle", fps=2, duration=6)
    assert cycle == pytest.approx([1, 1, 1, 1.5, 2, 2.5, 1, 1.5, 2, 2.5, 1, 1.5, 2])
    back = frame_times(1.0, 3.0, "back", fps=1, duration=6)
    assert back == pytest.approx([1, 1, 2, 3, 2, 1, 2])


def test_keyframes_inherit_what_they_do_not_say():
    text = (
        f'{BOUNDS}[[obstacles]]\nshape = "box"\nat = [1, 2]\nwidth = 1\ndepth = 1\nheight = 1\nheading = 90\n'
        'motion = { ease = "linear", keyframes = [{ t = 0 }, { t = 1, bottom = 2 }, { t = 2, at = [3, 2] }] }\n'
    )
    box = read_scene(text).obstacles[0]
    assert box.positions[[0, 30, 45, 60]] == pytest.approx(np.array([(1, 0, 2), (1, 2, 2), (2, 2, 2), (3, 2, 2)]))
    assert rotate(box.rotations[60], np.array([0.0, 0, 1])) == pytest.approx([1, 0, 0], abs=1e-9)


def test_what_moves_follows_the_ground():
    text = (
        f"{BOUNDS}[terrain]\nhills = [{{ at = [0, 0], height = 1, radius = 4 }}]\n"
        '[[obstacles]]\nshape = "sphere"\n'
        "at = [-6, 0]\nradius = 0.5\n"
        'motion = { ease = "linear", keyframes = [{ t = 0 }, { t = 2, at = [6, 0] }] }\n'
    )
    ball = read_scene(text).obstacles[0]
    assert ball.positions[[0, 30, 60], 1] == pytest.approx([0.5, 1.5, 0.5])


def sampled(tmp_path, text: str, times: list[float]):
    (tmp_path / "a.csv").write_text(text)
    start = (9.0, 9.0, 0.5, 0.0, 0.0)
    return Track(tmp_path, "a.csv").sample(start, Sphere(1.0), flat_terrain((0, 0, 1, 1)), np.array(times))


def test_a_table_may_say_heights_and_quaternions(tmp_path):
    rows = "t, X, y, z, qw, qx, qy, qz\n# comment\n0, 1, 2, 3, 1, 0, 0, 0\n\n2, 3, 4, 5, 0, 0, -2, 0\n"
    positions, rotations = sampled(tmp_path, rows, [0, 1, 2, 9])
    assert positions == pytest.approx(np.array([(1, 2, 3), (2, 3, 4), (3, 4, 5), (3, 4, 5)]))
    assert np.abs(rotations[3]) == pytest.approx([0, 0, 1, 0])
    assert np.abs(rotations[1]) == pytest.approx([0.5**0.5, 0, 0.5**0.5, 0])


def test_a_table_without_heights_stands_on_the_ground(tmp_path):
    positions, rotations = sampled(tmp_path, "t;x;z;tilt\n1;0;0;0\n2;1;0;90\n", [0, 1.5, 2])
    assert positions == pytest.approx(np.array([(0, 1.5, 0), (0.5, 1.5, 0), (1, 1.5, 0)]))
    assert rotate(rotations[2], np.array([0.0, 1, 0])) == pytest.approx([0, 0, 1], abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("0,1,2\n", "must name its columns"),
        ("t,x\n0,1\n", "needs t, x, z"),
        ("t,x,z,speed\n0,1,2,3\n", "there may be"),
        ("t,x,z,x\n0,1,2,3\n", "once each"),
        ("t,x,z,qw\n0,1,2,3\n", "all of qw"),
        ("t,x,z\n0,1,2\n0,1,2\n", "increase"),
        ("t,x,z\n0,1,nan\n", "line 2"),
        ("t,x,z\n0,1\n", "line 2: needs 3"),
        ("t,x,z,qw,qx,qy,qz\n0,1,2,0,0,0,0\n", "quaternion of zeros"),
        ("t,x,z\n0,1e9,2\n", "beyond a million"),
        ("", "is empty"),
        ("t,x,z\n", "has no rows"),
    ],
)
def test_bad_tables_say_why(tmp_path, rows, says):
    with pytest.raises(SceneError, match=says):
        sampled(tmp_path, rows, [0])


BALLS = (
    BOUNDS
    + """
duration = 8
[[obstacles]]
name = "wall"
shape = "box"
at = [4, 0]
width = 0.5
depth = 6
height = 2
[[obstacles]]
name = "pusher"
shape = "box"
at = [-8, -6]
width = 1
depth = 2
height = 1
motion = { ease = "linear", keyframes = [{ t = 0 }, { t = 4, at = [0, -6] }] }
[[obstacles]]
name = "roller"
shape = "sphere"
at = [0, 0]
radius = 0.4
motion.simulate = { velocity = [3, 0], bounce = 0.7 }
[[obstacles]]
name = "dropped"
shape = "capsule"
at = [-5, 5]
radius = 0.2
length = 1
tilt = 30
bottom = 2
motion = { known = false, simulate = { start = 1.5 } }
[[obstacles]]
name = "pushed"
shape = "sphere"
at = [-5, -6]
radius = 0.5
motion.simulate = {}
"""
)


@pytest.fixture(scope="module")
def balls():
    """Bodies let go among what stands and what moves, by name."""
    return {obstacle.name: obstacle for obstacle in read_scene(BALLS).obstacles}


def test_a_ball_rolls_to_the_wall_and_comes_back(balls):
    x = balls["roller"].positions[:, 0]
    assert (x[30] - x[0]) == pytest.approx(3.0 - 0.25, abs=0.35)  # it rolls at once, and arrives after 1.1 s
    assert 3.3 < x.max() < 3.45 + 0.03  # its middle stays a radius away
    assert x[-1] < 1.0
    assert np.abs(balls["roller"].positions[:, 1] - 0.4).max() < 0.05


def test_a_rolling_ball_turns_as_fast_as_it_moves(balls):
    roller = balls["roller"]
    turned = rotate(roller.rotations[5], np.array([0.0, 1.0, 0.0]))
    angle = np.arctan2(turned[0], turned[1])
    assert angle == pytest.approx((roller.positions[5, 0] - roller.positions[0, 0]) / 0.4, abs=0.03)


def test_what_is_let_go_later_hangs_until_then_and_falls(balls):
    dropped = balls["dropped"]
    assert not dropped.known
    assert np.ptp(dropped.positions[:45], axis=0).max() < 1e-6
    fallen = dropped.positions[45, 1] - dropped.positions[57, 1]
    assert fallen == pytest.approx(0.5 * 9.81 * 0.4**2, rel=0.1)
    ends = dropped.positions + rotate(dropped.rotations, np.array([0.0, 1.0, 0.0]))
    assert dropped.positions[-1, 1] == pytest.approx(0.2, abs=0.05)
    assert ends[-1, 1] == pytest.approx(0.2, abs=0.05)


def test_what_moves_pushes_what_is_loose(balls):
    pusher, pushed = balls["pusher"], balls["pushed"]
    assert pushed.positions[30, 0] == pytest.approx(-5, abs=0.05)
    later = min(100, len(pushed.positions) - 1)
    assert pushed.positions[later, 0] > pusher.positions[later, 0] + 0.9


def test_bodies_neither_gain_energy_nor_leave():
    balls = "".join(
        f'[[obstacles]]\nshape = "sphere"\nradius = {0.3 + 0.05 * i}\n'
        f"at = [{-4 + 2 * (i % 5)}, {-4 + 3 * (i // 5)}]\n"
        f"motion.simulate = {{ velocity = [{2 - 0.3 * i}, {1 + 0.2 * i}], bounce = 0.9 }}\n"
        for i in range(8)
    )
    scene = read_scene("bounds = [-6, -6, 6, 6]\nduration = 20\n" + balls)
    for ball in scene.obstacles:
        speed = np.linalg.norm(np.diff(ball.positions, axis=0), axis=1) * 30
        assert speed.max() < 3.5
        assert (np.abs(ball.positions[:, [0, 2]]) <= 6 - ball.shape.radius + 0.03).all()


def test_the_same_simulation_twice_is_the_same():
    first, second = (read_scene(BALLS).obstacles for _ in range(2))
    assert all(np.array_equal(a.positions, b.positions) for a, b in zip(first, second, strict=True))


def test_bodies_on_a_slope_are_not_shot_out_of_it():
    text = (
        f"{BOUNDS}duration = 4\n[terrain]\nhills = [{{ at = [0, 0], height = 2, radius = 6 }}]\n[[obstacles]]\n"
        'shape = "box"\nat = [5, 0]\nwidth = 1\ndepth = 1\nheight = 1\nmotion.simulate = {}\n'
    )
    box = read_scene(text).obstacles[0]
    assert box.positions[:, 1].max() < 0.5


def test_without_mujoco_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingExtraError, match=r"walkon\[physics\]"):
        read_scene(BALLS)


def test_without_trimesh_the_message_names_the_extra(monkeypatch, tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MissingExtraError, match=r"walkon\[mesh\]"):
        read_scene(f'{BOUNDS}[[obstacles]]\nshape = "mesh"\nfile = "a.obj"\n', folder=tmp_path)


def test_the_simulated_ground_is_the_right_way_round():
    text = (
        f"{BOUNDS}duration = 3\n[terrain]\nhills = [{{ at = [3, 6], height = 2, radius = 3 }}]\n[[obstacles]]\n"
        'shape = "cylinder"\nat = [3, 6]\nradius = 0.5\nheight = 0.5\nbottom = 0.5\nmotion.simulate = {}\n'
    )
    can = read_scene(text).obstacles[0]
    assert can.positions[-1] == pytest.approx([3, 2, 6], abs=0.1)


def test_bodies_bounce_off_the_outside_of_polygons():
    for corners in ("[[3, -2], [5, -2], [5, 2], [3, 2]]", "[[3, 2], [5, 2], [5, -2], [3, -2]]"):
        text = (
            f'{BOUNDS}duration = 3\n[[obstacles]]\nshape = "polygon"\ncorners = {corners}\nheight = 2\n'
            '[[obstacles]]\nshape = "sphere"\nat = [0, 0]\nradius = 0.4\nmotion.simulate = { velocity = [2, 0] }\n'
        )
        ball = read_scene(text).obstacles[1]
        assert ball.positions[:, 0].max() == pytest.approx(2.6, abs=0.03)


def test_a_polygon_asks_the_ground_where_it_is_not_where_its_origin_is():
    text = (
        f"{BOUNDS}[terrain]\nhills = [{{ at = [-2, -5], height = 1, radius = 2 }}]\n[[obstacles]]\n"
        'shape = "polygon"\ncorners = [[4, -3], [6, -3], [6, -1], [4, -1]]\nheight = 2\nheading = 90\n'
    )
    assert read_scene(text).obstacles[0].positions[0, 1] == pytest.approx(1.0)
