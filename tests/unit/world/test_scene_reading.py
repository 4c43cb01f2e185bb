"""Scene files become scenes: three that use most of what there is, and what each key means."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.rotations import rotate
from walkon.world import Box, Capsule, Cylinder, Mesh, Polygon, Scene, Sphere, read_scene, scene_schema

PARK = """
name = "park"
bounds = [-20, -10, 20, 15]
duration = 40
clearance = 0.1

[terrain]
cell = 0.5
hills = [{ at = [10, 5], height = 2, radius = 6 }, { at = [-12, -6], height = -0.5, radius = 3 }]
ridges = [{ along = [[-15, 8], [-5, 8], [-5, 12]], height = 1, radius = 2 }]

[[obstacles]]
name = "tree"
shape = "capsule"
at = [0, 0]
radius = 0.2
length = 5
heading = 90
passes = ["jump_over"]
[obstacles.motion]
keyframes = [{ t = 0, tilt = 0 }, { t = 2 }, { t = 4, tilt = 90, ease = "fall" }]

[[obstacles]]
name = "kiosk"
shape = "polygon"
at = [10, 5]
corners = [[-1, -1], [1, -1], [1, 1], [0, 0.2], [-1, 1]]
height = 2.5
heading = 45

[[obstacles]]
name = "beam"
shape = "box"
at = [-8, 0]
width = 4
depth = 0.2
height = 0.5
bottom = 1.3
passes = ["duck_under", "crawl_under"]

[[obstacles]]
shape = "sphere"
at = [5, -5]
radius = 0.5
[obstacles.motion]
known = false
repeat = "back"
ease = "linear"
keyframes = [{ t = 1, at = [5, -5] }, { t = 3, at = [5, -1], heading = 90 }]

[[obstacles]]
shape = "sphere"
at = [-15, -5]
radius = 0.3

[[characters]]
name = "anna"
start = [-5, -5]
goal = [5, 10]
via = [[0, 5], [2, 6]]
goal_heading = -90
heading_tolerance = 10
tolerance = 0.8
library = "human"
performer = 3
pose = "stand"
start_time = 2
at_goal = "leave"
weights = { "jog*" = 2, jump_over = 5.5 }
without = ["crawl_under"]
climb = 3
priority = 7

[[characters]]
name = "ben"
start = [-3, -5]
heading = 180
goal = [-3, -8]
library = "casts/mine"
"""

HALL = """
bounds = [0, 0, 30, 20]
[[obstacles]]
shape = "cylinder"
at = [15, 10]
radius = 1
height = 4
[[crowds]]
kind = "flow"
count = 20
from = [0, 1, 5, 19]
to = [[25, 1, 29, 8], [25, 12, 29, 19]]
over = 10
performers = [0, 1, 2]
at_goal = "leave"
weights = { walk = 2 }
[[crowds]]
kind = "circle"
name = "ring"
count = 8
center = [15, 10]
radius = 6
[[crowds]]
kind = "pairs"
count = 12
region = [6, 1, 24, 19]
distance = 6
heading = 90
start_time = 1
"""

YARD = """
bounds = [-6, -6, 6, 6]
duration = 6
fps = 60
[terrain]
image = "hills.png"
height = 2
area = [-6, -6, 6, 6]
[[obstacles]]
name = "crate"
shape = "mesh"
file = "crate.obj"
scale = 0.5
up = "z"
at = [3, 3]
[[obstacles]]
name = "cart"
shape = "box"
width = 1
depth = 2
height = 1
at = [0, 0]
motion = { csv = "cart.csv" }
[[obstacles]]
name = "ball"
shape = "sphere"
radius = 0.3
at = [-4, -4]
bottom = 1
motion.simulate = { velocity = [2, 0], bounce = 0.4, mass = 3 }
[[characters]]
name = "carl"
start = [-4, 4]
goal = [4, -4]
"""

CRATE = "v 0 0 1\nv 2 0 1\nv 2 4 1\nv 0 4 1\nv 1 2 5\nf 1 2 3 4\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n"


@pytest.fixture(scope="module")
def yard(tmp_path_factory) -> Scene:
    """A scene with files beside it."""
    from PIL import Image

    folder = tmp_path_factory.mktemp("yard")
    Image.fromarray(np.tile(np.linspace(0, 255, 13).astype(np.uint8), (7, 1))).save(folder / "hills.png")
    (folder / "crate.obj").write_text(CRATE)
    (folder / "cart.csv").write_text("t,x,z,heading\n0,0,0,0\n1,2,0,90\n3,2,2,90\n")
    (folder / "yard.toml").write_text(YARD)
    return read_scene(folder / "yard.toml")


def test_a_park_has_what_its_file_says():
    scene = read_scene(PARK)
    assert (scene.name, scene.bounds, scene.duration, scene.clearance) == (
        "park",
        (-20.0, -10.0, 20.0, 15.0),
        40.0,
        0.1,
    )
    assert [obstacle.name for obstacle in scene.obstacles] == ["tree", "kiosk", "beam", "sphere1", "sphere2"]
    kinds = [type(obstacle.shape) for obstacle in scene.obstacles]
    assert kinds == [Capsule, Polygon, Box, Sphere, Sphere]
    assert scene.obstacles[2].passes == ("duck_under", "crawl_under")
    assert [obstacle.known for obstacle in scene.obstacles] == [True, True, True, False, True]
    box = scene.obstacles[2].shape
    assert isinstance(box, Box)
    assert (box.width, box.height, box.depth) == (4.0, 0.5, 0.2)


def test_a_character_has_what_its_table_says():
    anna, ben = read_scene(PARK, folder="here").characters
    assert (anna.start.x, anna.start.z) == (-5.0, -5.0)
    assert anna.start.heading == pytest.approx(math.atan2(5, 10))  # towards its first way-point
    assert [(goal.x, goal.z, goal.tolerance) for goal in anna.goals] == [(0, 5, 0.8), (2, 6, 0.8), (5, 10, 0.8)]
    assert [goal.heading for goal in anna.goals[:2]] == [None, None]
    assert anna.goals[2].heading == pytest.approx(-math.pi / 2)
    assert anna.goals[2].heading_tolerance == pytest.approx(math.radians(10))
    assert (anna.performer, anna.pose, anna.start_time, anna.at_goal) == (3, "stand", 2.0, "leave")
    assert dict(anna.weights) == {"jog*": 2.0, "jump_over": 5.5}
    assert (anna.without, anna.climb, anna.priority) == (("crawl_under",), 3.0, 7)
    assert ben.start.heading == pytest.approx(math.pi)
    assert ben.without == ("gesture",)
    assert ben.library == "here/casts/mine"


def test_hills_and_ridges_are_where_they_were_put():
    terrain = read_scene(PARK).terrain
    assert terrain.at(10, 5) == pytest.approx(2.0)
    assert terrain.at(13, 5) == pytest.approx(2.0 * 0.75**3, abs=0.02)
    assert terrain.at(16.1, 5) == pytest.approx(0.0)
    assert terrain.at(-12, -6) == pytest.approx(-0.5)
    assert terrain.at(-10, 8) == pytest.approx(1.0)
    assert terrain.at(-5, 8) == pytest.approx(1.0)  # a bend is no higher than the rest
    assert terrain.at(-5, 11) == pytest.approx(1.0)


def test_obstacles_stand_on_the_ground_at_their_bottom():
    tree, kiosk, beam, rolling, ball = read_scene(PARK).obstacles
    # The kiosk's corners are not around its origin: the ground in their middle counts.
    assert kiosk.positions[0] == pytest.approx([10, 2, 5], abs=0.01)
    assert beam.positions[0] == pytest.approx([-8, 1.3, 0])
    assert ball.positions[0] == pytest.approx([-15, 0.3, -5])
    assert tree.positions[0] == pytest.approx([0, 0.2, 0])
    assert rolling.positions[0] == pytest.approx([5, 0.5, -5])


def test_a_tree_falls_along_its_heading_slowly_then_fast():
    tree = read_scene(PARK).obstacles[0]
    tops = tree.positions + rotate(tree.rotations, np.array([0.0, 5.0, 0.0]))
    assert len(tops) == 121
    assert tops[60] == pytest.approx([0, 5.2, 0])
    assert tops[-1] == pytest.approx([5, 0.2, 0])
    drops = -np.diff(tops[60:, 1])
    assert (drops > 0).all()
    assert drops[5] < 0.1 * drops.max()


def test_what_goes_back_and_forth_does_so_until_the_end():
    rolling = read_scene(PARK).obstacles[3]
    z = rolling.positions[:, 2]
    assert len(z) == 40 * 30 + 1
    assert z[[0, 30, 60, 90, 120, 150]] == pytest.approx([-5, -5, -3, -1, -3, -5])


def test_a_hall_is_full_of_people_who_have_room():
    scene = read_scene(HALL)
    names = [person.name for person in scene.characters]
    assert names[0] == "flow1_001"
    assert names[20:22] == ["ring_001", "ring_002"]
    assert names[-1] == "pairs1_012"
    starts = np.array([(person.start.x, person.start.z) for person in scene.characters])
    apart = np.hypot(*(starts[:, None] - starts).transpose(2, 0, 1)) + 10 * np.eye(len(starts))
    assert apart.min() >= 0.9 - 1e-9
    stays = np.array([(p.goals[0].x, p.goals[0].z) for p in scene.characters if p.at_goal == "stay"])
    apart = np.hypot(*(stays[:, None] - stays).transpose(2, 0, 1)) + 10 * np.eye(len(stays))
    assert len(stays) == 20
    assert apart.min() >= 0.9 - 1e-9
    for places in (starts, stays):
        assert (np.hypot(places[:, 0] - 15, places[:, 1] - 10) >= 1.5 - 1e-9).all()


def test_a_flow_goes_from_its_region_to_one_of_its_others():
    flow = [person for person in read_scene(HALL).characters if person.name.startswith("flow")]
    assert all(0.5 <= person.start.x <= 5 for person in flow)  # half a metre from the bounds
    assert all(25 <= person.goals[0].x <= 29 for person in flow)
    assert {person.goals[0].z > 10 for person in flow} == {True, False}
    assert {person.performer for person in flow} == {0, 1, 2}
    times = [person.start_time for person in flow]
    assert times == sorted(times)
    assert 5 < max(times) <= 10
    first = flow[0]
    looks = math.atan2(first.goals[0].x - first.start.x, first.goals[0].z - first.start.z)
    assert first.start.heading == pytest.approx(looks)
    assert dict(first.weights) == {"walk": 2.0}


def test_a_circle_swaps_sides():
    ring = [person for person in read_scene(HALL).characters if person.name.startswith("ring")]
    for person in ring:
        assert math.hypot(person.start.x - 15, person.start.z - 10) == pytest.approx(6)
        assert (person.start.x + person.goals[0].x, person.start.z + person.goals[0].z) == pytest.approx((30, 20))


def test_pairs_are_as_far_apart_as_was_asked():
    pairs = [person for person in read_scene(HALL).characters if person.name.startswith("pairs")]
    assert all(math.hypot(p.goals[0].x - p.start.x, p.goals[0].z - p.start.z) >= 6 for p in pairs)
    assert all(p.start.heading == pytest.approx(math.pi / 2) and p.start_time == 1.0 for p in pairs)


def test_the_same_seed_gives_the_same_people_and_another_does_not():
    def people(seed: int) -> list:
        return [
            (p.name, p.start, p.goals, p.performer, p.start_time) for p in read_scene(HALL, seed=seed).characters
        ]

    assert people(5) == people(5)
    assert people(5) != people(6)


def test_a_yard_takes_its_ground_from_an_image(yard):
    assert yard.name == "yard"
    assert yard.terrain.at(-6, 0) == pytest.approx(0)
    assert yard.terrain.at(6, 3) == pytest.approx(2)
    assert yard.terrain.at(0, -5) == pytest.approx(1, abs=0.01)


def test_a_mesh_is_scaled_turned_up_and_put_down(yard):
    crate = yard.obstacles[0]
    mesh = crate.shape
    assert isinstance(mesh, Mesh)
    assert mesh.vertices.min(axis=0) == pytest.approx([0, 0, -2])
    assert mesh.vertices.max(axis=0) == pytest.approx([1, 2, 0])
    assert mesh.faces.shape == (6, 3)
    assert crate.positions[0, 1] == pytest.approx(float(yard.terrain.at(3.5, 2)))


def test_a_cart_follows_its_table(yard):
    cart = yard.obstacles[1]
    assert len(cart.positions) == 3 * 60 + 1
    assert cart.positions[[0, 30, 60, 120, 180]][:, [0, 2]] == pytest.approx(
        np.array([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)])
    )
    assert cart.positions[30, 1] == pytest.approx(float(yard.terrain.at(1, 0)))
    assert rotate(cart.rotations[60], np.array([0.0, 0, 1])) == pytest.approx([1, 0, 0], abs=1e-9)


def test_a_ball_falls_rolls_and_stays_inside(yard):
    ball = yard.obstacles[2]
    positions = ball.positions
    assert positions[0, 1] == pytest.approx(1 + 0.3 + float(yard.terrain.at(-4, -4)))
    ground = yard.terrain.at(positions[:, 0], positions[:, 2])
    assert (positions[:, 1] - ground > 0.25).all()
    assert (positions[:, 1] - ground).min() < 0.35
    assert np.abs(positions[:, [0, 2]]).max() < 6
    # One frame of free fall: the file's velocity, and gravity.
    step = (positions[6] - positions[0]) * 10
    assert step == pytest.approx([2, -0.49, 0], abs=0.06)


def test_cylinders_and_default_names_avoid_names_in_use():
    text = 'bounds = [0, 0, 9, 9]\n[[obstacles]]\nshape = "cylinder"\nat = [1, 1]\nradius = 0.5\nheight = 1\n'
    text += '[[obstacles]]\nname = "cylinder1"\nshape = "cylinder"\nat = [5, 5]\nradius = 0.5\nheight = 1\n'
    first, second = read_scene(text).obstacles
    assert (first.name, second.name) == ("cylinder2", "cylinder1")
    assert first.shape == Cylinder(0.5, 1.0)


def test_a_file_that_is_not_there_is_a_scene_error(tmp_path):
    with pytest.raises(SceneError, match="no such file"):
        read_scene(tmp_path / "none.toml")
    with pytest.raises(SceneError, match=r"none\.toml: no such file"):
        read_scene("none.toml")
    with pytest.raises(SceneError, match="is no file"):
        read_scene(tmp_path)


def test_the_schema_names_everything_a_file_may_say():
    schema = scene_schema()
    assert set(schema["properties"]) >= {"bounds", "terrain", "obstacles", "characters", "crowds"}
    assert "from" in schema["$defs"]["FlowTable"]["properties"]
    assert schema["additionalProperties"] is False
    described = schema["$defs"]["CharacterTable"]["properties"]["goal_heading"]["description"]
    assert "degrees" in described


def test_crowds_keep_out_of_the_way_of_what_moves():
    text = """
bounds = [0, 0, 20, 20]
[[obstacles]]
shape = "sphere"
radius = 1
at = [2, 10]
motion = { ease = "linear", keyframes = [{ t = 0 }, { t = 20, at = [18, 10] }] }
[[crowds]]
kind = "pairs"
count = 60
region = [0, 0, 20, 20]
"""
    people = read_scene(text).characters
    starts, goals = (
        np.array([(p.start.x, p.start.z) for p in people]),
        np.array([(p.goals[0].x, p.goals[0].z) for p in people]),
    )
    for t in np.linspace(0, 2, 9):
        assert np.hypot(starts[:, 0] - 2 - 0.8 * t, starts[:, 1] - 10).min() > 1.49
    assert np.abs(starts[:, 1] - 10).min() < 1  # elsewhere on its way people may start
    beside = goals[(goals[:, 0] > 2) & (goals[:, 0] < 18)]
    assert np.abs(beside[:, 1] - 10).min() > 1.45
    # Where nothing else is left, goals are only kept off the place where it ends.
    narrow = text.replace("[0, 0, 20, 20]", "[0, 8.9, 20, 11.1]").replace("= 60", "= 6")
    goals = [person.goals[0].x for person in read_scene(narrow).characters]
    assert len(goals) == 6
    assert max(goals) < 17


def test_way_points_may_say_more_than_where_they_are():
    text = PARK.replace("via = [[0, 5], [2, 6]]", "via = [[0, 5], { at = [2, 6], tolerance = 2, heading = 90 }]")
    first, second, last = read_scene(text).characters[0].goals
    assert (first.x, first.z, first.tolerance, first.heading) == (0.0, 5.0, 0.8, None)
    assert (second.x, second.z, second.tolerance) == (2.0, 6.0, 2.0)
    assert (second.heading, second.heading_tolerance) == pytest.approx((math.pi / 2, math.radians(30.0)))
    assert last.tolerance == 0.8


@pytest.mark.parametrize(
    ("via", "message"),
    [
        ("[[0]]", r"characters\[0\].via\[0\]: needs 2 numbers \[x, z\]"),
        ("[3]", r"characters\[0\].via\[0\]: needs 2 numbers \[x, z\]"),
        ("[{ tolerance = 1 }]", r"characters\[0\].via\[0\].at: is missing"),
        ("[{ at = [0, 5], tolerance = 0 }]", r"characters\[0\].via\[0\].tolerance: must be more than 0"),
        ("[{ at = [0, 5], headin = 1 }]", r"via\[0\].headin: unknown key; did you mean 'heading'\?"),
    ],
)
def test_wrong_way_points_are_named(via, message):
    with pytest.raises(SceneError, match=message):
        read_scene(PARK.replace("via = [[0, 5], [2, 6]]", f"via = {via}"))
