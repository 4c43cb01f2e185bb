"""What is wrong with a scene file is said all at once, with its place, its line and what would be right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import SceneError
from walkon.world import Obstacle, SceneFileError, Sphere, read_scene

WALL = """
[[obstacles]]
name = "wall"
shape = "box"
at = [3, 4]
width = 2
depth = 1
height = 2
"""
ANNA = '[[characters]]\nname = "anna"\nstart = [-5, -5]\ngoal = [5, -5]\n'
BOUNDS = "bounds = [-10, -10, 10, 10]\n"


def problems_of(text: str, **options) -> dict[str, str]:
    """Place and message of everything wrong with the text."""
    with pytest.raises(SceneFileError) as caught:
        read_scene(text, **options)
    assert all(problem.message in str(caught.value) for problem in caught.value.problems)
    return {problem.place: problem.message for problem in caught.value.problems}


def test_a_level_of_bodies_that_is_none_is_said_with_those_there_are():
    said = problems_of(BOUNDS + 'bodies = "outlin"\n')["bodies"]
    assert said == ("no 'outlin'; did you mean 'outline'? it may be one of: one-circle, circle, outline, body")
    with pytest.raises(
        SceneError, match="no level of bodies 'disc'; there are: one-circle, circle, outline, body"
    ):
        replace(read_scene(BOUNDS), bodies="disc")


def test_everything_wrong_is_said_at_once_with_its_line(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(
        BOUNDS
        + 'duraton = 5\n[[obstacles]]\nshape = "bx"\n[[obstacles]]\nshape = "box"\nat = [0, "a"]\nwidth = -1\n'
        + "depth = 1\nheight = true\nmotion = { keyframes = [{ t = 0 },\n  { tt = 1 }] }\n"
        + WALL
        + ANNA
        + 'at_goal = "stai"\n[[characters]]\nname = "ben"\nstart = [3, 4]\ngoal = [30, 4]\n'
        + '[[crowds]]\nkind = "flow"\n'
    )
    with pytest.raises(SceneFileError) as caught:
        read_scene(path)
    found = {problem.place: (problem.line, problem.message) for problem in caught.value.problems}
    assert found["duraton"][0] == 2
    assert "did you mean 'duration'?" in found["duraton"][1]
    assert found["obstacles[0].shape"] == (
        4,
        "no shape 'bx'; did you mean 'box'? there are: box, cylinder, sphere, capsule, polygon, mesh",
    )
    assert found["obstacles[1].at"] == (7, "needs 2 numbers [x, z], not [0, 'a']")
    assert found["obstacles[1].width"] == (8, "must be more than 0, not -1")
    assert found["obstacles[1].height"] == (10, "needs a number, not true")
    assert found["obstacles[1].motion.keyframes[1].t"] == (12, "is missing")
    assert found["obstacles[1].motion.keyframes[1].tt"][0] == 12
    assert found["characters[0].at_goal"][1] == "no 'stai'; did you mean 'stay'? it may be one of: stay, leave"
    # Sense is checked in what the schema accepts, and keeps its place in the file.
    assert found["characters[1].start"][1] == "character 'ben': start (3.0, 4.0) lies inside obstacle 'wall'"
    assert "outside the bounds [-10, -10, 10, 10]" in found["characters[1].goal"][1]
    assert {"crowds[0].count", "crowds[0].from", "crowds[0].to"} <= set(found)
    assert len(found) == 13
    message = str(caught.value)
    assert f"{path}:2: duraton: unknown key" in message
    assert message.startswith(f"{path}: 13 problems\n")
    assert [problem.line for problem in caught.value.problems] == sorted(line for line, _ in found.values())


def test_one_problem_is_one_line():
    with pytest.raises(SceneError) as caught:
        read_scene("bounds = [0, 0, 0, 5]\n")
    assert (
        str(caught.value) == "scene:1: bounds: needs [x0, z0, x1, z1] with x0 < x1 and z0 < z1, not [0, 0, 0, 5]"
    )


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("bounds = [0, 0, 1\n", 2, "TOML"),
        ("a = 1\na = 2\n", 2, "overwrite"),
        ("a = 1\n\nb = ?\n", 3, "invalid value"),
        ('name = "x\n', 1, "illegal character"),
        ("a = " + "[" * 5000 + "\n", None, "deep"),
        ("a = " + "[" * 40 + "]" * 40 + "\n", None, "deep"),
        ("a = " + "9" * 5000 + "\n", None, "TOML"),
        ("a = 2000-13-45\n", 1, "TOML"),
    ],
)
def test_broken_toml_has_a_line(text, line, word):
    with pytest.raises(SceneFileError) as caught:
        read_scene(text)
    (problem,) = caught.value.problems
    assert problem.line == line
    assert word in problem.message


def test_text_that_is_not_utf8_is_told_its_line(tmp_path):
    (tmp_path / "a.toml").write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(SceneError, match=r"a\.toml:2: is not UTF-8"):
        read_scene(tmp_path / "a.toml")


def test_starts_and_goals_in_obstacles_are_named():
    text = BOUNDS + WALL + ANNA.replace("goal = [5, -5]", "goal = [3.0, 4.0]\nvia = [[3.9, 4.4], [0, 0]]")
    assert problems_of(text) == {
        "characters[0].goal": "character 'anna': goal (3.0, 4.0) lies inside obstacle 'wall'",
        "characters[0].via[0]": "character 'anna': way-point 1 (3.9, 4.4) lies inside obstacle 'wall'",
    }


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        ('shape = "box"\nat = [0, 0]\nwidth = 4\ndepth = 1\nheight = 1\nheading = 90', (0.4, 1.9), (1.9, 0.4)),
        ('shape = "cylinder"\nat = [1, 1]\nradius = 1\nheight = 1', (1.7, 1.69), (1.72, 1.72)),
        ('shape = "sphere"\nat = [1, 1]\nradius = 1', (1.7, 1.69), (1.72, 1.72)),
        ('shape = "capsule"\nat = [0, 0]\nradius = 0.5\nlength = 3\ntilt = 90', (0.4, 3.2), (0.4, -0.4)),
        (
            'shape = "polygon"\ncorners = [[0, 0], [4, 0], [2, 1], [4, 4], [0, 4]]\nheight = 1',
            (1.9, 1),
            (2.6, 1.0),
        ),
        ('shape = "box"\nat = [0, 0]\nwidth = 1\ndepth = 1\nheight = 4\ntilt = 90', (0.4, 3.9), (0.4, -0.2)),
        ('shape = "cylinder"\nat = [0, 0]\nradius = 1\nheight = 4\ntilt = 90', (0.9, 3.9), (1.1, 3.9)),
    ],
)
def test_inside_means_the_outline(shape, inside, outside):
    def text(place: tuple[float, float]) -> str:
        return f"{BOUNDS}[[obstacles]]\n{shape}\n{ANNA.replace('[5, -5]', str(list(place)))}"

    assert list(problems_of(text(inside))) == ["characters[0].goal"]
    assert len(read_scene(text(outside)).characters) == 1


def test_a_mesh_is_in_the_way_where_it_is_low(tmp_path):
    # A table: legless top at 2.5 m, nobody's concern; its foot is one triangle on the ground.
    (tmp_path / "m.obj").write_text(
        "v 0 2.5 0\nv 5 2.5 0\nv 0 2.5 5\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 4 5 6\n"
    )
    mesh = '[[obstacles]]\nname = "table"\nshape = "mesh"\nfile = "m.obj"\n'
    under, foot = ANNA.replace("[5, -5]", "[2, 2]"), ANNA.replace("[5, -5]", "[0.2, 0.2]")
    assert read_scene(BOUNDS + mesh + under, folder=tmp_path).characters
    assert "inside obstacle 'table'" in problems_of(BOUNDS + mesh + foot, folder=tmp_path)["characters[0].goal"]


def test_what_hangs_high_or_can_be_passed_is_no_wall_for_goals():
    goal = ANNA.replace("[5, -5]", "[3, 4]")
    assert read_scene(BOUNDS + WALL + "bottom = 3\n" + goal).characters
    assert read_scene(BOUNDS + WALL + 'passes = ["jump_over"]\n' + goal).characters
    start = ANNA.replace("[-5, -5]", "[3, 4]")
    assert "characters[0].start" in problems_of(BOUNDS + WALL + 'passes = ["jump_over"]\n' + start)


def test_nobody_starts_in_what_moves_when_it_is_there():
    moving = WALL + "motion.keyframes = [{ t = 0 }, { t = 10, at = [-5, -5] }]\n"
    assert read_scene(BOUNDS + moving + ANNA).characters
    late = problems_of(BOUNDS + moving + ANNA + "start_time = 10\n")
    assert late == {
        "characters[0].start": "character 'anna': start (-5.0, -5.0) lies inside obstacle 'wall' at 10 s"
    }


def test_overlapping_starts_are_refused_unless_at_other_times():
    ben = '[[characters]]\nname = "ben"\nstart = [-5.3, -5]\ngoal = [5, 5]\n'
    assert problems_of(BOUNDS + ANNA + ben) == {
        "characters[1].start": "character 'ben': start (-5.3, -5.0) is 0.30 m from that of 'anna'"
    }
    assert len(read_scene(BOUNDS + ANNA + ben + "start_time = 5\n").characters) == 2


def test_two_cannot_stay_in_one_place():
    tight = ANNA + "tolerance = 0.1\n"
    ben = tight.replace("anna", "ben").replace("[-5, -5]", "[-7, -5]")
    assert "both stay" in problems_of(BOUNDS + tight + ben)["characters[1].goal"]
    assert read_scene(BOUNDS + tight + ben + 'at_goal = "leave"\n').characters
    assert read_scene(BOUNDS + ANNA + ben.replace("0.1", "0.5")).characters


def test_names_are_unique():
    found = problems_of(BOUNDS + WALL + WALL.replace("[3, 4]", "[-3, 4]") + ANNA + ANNA.replace("-5", "-7"))
    assert found == {
        "obstacles[1].name": "another obstacle is called 'wall' already (line 3)",
        "characters[1].name": "another character is called 'anna' already (line 18)",
    }
    crowd = '[[crowds]]\nkind = "circle"\ncenter = [0, 0]\nradius = 3\ncount = 2\nname = "a"\n'
    clash = problems_of(BOUNDS + ANNA.replace("anna", "a_001") + crowd)
    assert "there is a character 'a_001' already" in clash["crowds[0]"]


@pytest.mark.parametrize(
    "corners",
    [
        "[[0, 0], [2, 2], [2, 0], [0, 2]]",
        "[[0, 0], [1, 0], [2, 0]]",
        "[[0, 0], [0, 0], [1, 1]]",
        "[[0, 0], [4, 0], [4, 4], [2, 0], [0, 4]]",
        "[[0, 0], [3, 0], [1, 0], [1, 2]]",
    ],
)
def test_polygons_must_be_simple(corners):
    found = problems_of(f'{BOUNDS}[[obstacles]]\nshape = "polygon"\nheight = 1\ncorners = {corners}\n')
    assert found["obstacles[0]"].startswith("corners: ")


def test_a_crowd_that_does_not_fit_says_how_many_do():
    crowd = (
        '[[crowds]]\nkind = "flow"\ncount = 80\nfrom = [-9, -9, -5, -5]\nto = [0, 0, 9, 9]\nat_goal = "leave"\n'
    )
    message = problems_of(BOUNDS + crowd)["crowds[0]"]
    assert "of 80 people can start in from = [-9, -9, -5, -5]" in message
    fitted = int(message.split()[1])
    assert 18 <= fitted <= 29  # 16 m² hold 25 in a triangular pattern, give or take its edge
    assert len(read_scene(BOUNDS + crowd.replace("80", str(fitted))).characters) == fitted
    # Spread over a minute, the same region will do: one after the other.
    assert len(read_scene(BOUNDS + crowd + "over = 60\n").characters) == 80


def test_goals_that_stay_need_room_too():
    crowd = '[[crowds]]\nkind = "flow"\ncount = 30\nfrom = [-9, -9, 0, 9]\nto = [5, 5, 8, 8]\n'
    assert "of 30 people can have their goals in to = [5, 5, 8, 8]" in problems_of(BOUNDS + crowd)["crowds[0]"]


@pytest.mark.parametrize(
    ("crowd", "says"),
    [
        ('kind = "circle"\ncenter = [0, 0]\nradius = 1\ncount = 9', "only 6 of 9 people fit on a circle"),
        ('kind = "circle"\ncenter = [5, 0]\nradius = 6\ncount = 4', "only 2 of 4 people fit: whoever"),
        ('kind = "pairs"\nregion = [0, 0, 3, 3]\ndistance = 9\ncount = 2', "a goal 9 m away"),
        ('kind = "flow"\nfrom = [20, 20, 30, 30]\nto = [0, 0, 3, 3]\ncount = 2', "only 0 of 2 people can start"),
        ('kind = "flow"\nfrom = [0, 0, 3, 3]\nto = [0, 0, 3, 3]\ncount = 2', "a region other than their own"),
        ('kind = "pairs"\nregion = [0, 0, 3, 3]\ncount = 9999', "at most 3000"),
        ('kind = "pairs"\nregion = [-9, -9, 9, 9]\ncount = 2\nover = 120', "when the scene of 120 s is over"),
    ],
)
def test_impossible_crowds_say_why(crowd, says):
    assert says in problems_of(f"{BOUNDS}[[crowds]]\n{crowd}\n")["crowds[0]"]


def test_doors_of_a_flow_lead_to_other_doors():
    doors = "[[-9, -9, -6, -6], [6, 6, 9, 9]]"
    crowd = f'[[crowds]]\nkind = "flow"\ncount = 8\nfrom = {doors}\nto = {doors}\n'
    people = read_scene(BOUNDS + crowd).characters
    assert all((person.start.x < 0) != (person.goals[0].x < 0) for person in people)


@pytest.mark.parametrize(
    ("motion", "says"),
    [
        ("{}", "needs one of keyframes, csv and simulate, not none"),
        ('{ csv = "a.csv", simulate = {} }', "not csv and simulate"),
        ("{ keyframes = [{ t = 1 }, { t = 1 }] }", "must increase"),
        ("{ keyframes = [] }", "at least 1 elements, not 0"),
        ('{ keyframes = [{ t = 0 }, { t = 1, at = [0, 0] }], repeat = "cycle" }', "must end where it begins"),
        ('{ csv = "none.csv" }', "no file"),
        ('{ csv = "." }', "is no file"),
        ('{ simulate = {}, repeat = "back" }', "cannot repeat"),
    ],
)
def test_motions_that_make_no_sense(motion, says):
    found = problems_of(f"{BOUNDS}{WALL}motion = {motion}\n")
    assert says in " ".join(found.values())


def test_simulation_is_for_plain_shapes_and_has_limits():
    polygon = (
        '[[obstacles]]\nshape = "polygon"\ncorners = [[0, 0], [1, 0], [0, 1]]\nheight = 1\nmotion.simulate = {}\n'
    )
    assert "for these shapes: box, cylinder, sphere, capsule" in problems_of(BOUNDS + polygon)["obstacles[0]"]
    ball = '[[obstacles]]\nshape = "sphere"\nradius = 0.1\nat = [{0}, {1}]\nmotion.simulate = {{}}\n'
    balls = "".join(ball.format(i % 20 - 10, i // 20) for i in range(301))
    assert "too many" in " ".join(problems_of(BOUNDS + balls).values())


def test_moving_obstacles_have_a_budget_of_frames(monkeypatch):
    from walkon.world import assembly

    monkeypatch.setattr(assembly, "MOST_FRAMES", 12_000)
    moving = '[[obstacles]]\nshape = "sphere"\nradius = 0.1\nat = [0, 0]\n'
    moving += 'motion = { repeat = "back", keyframes = [{ t = 0 }, { t = 1, at = [1, 1] }] }\n'
    text = f"{BOUNDS}duration = 120\n" + 4 * moving
    assert "more than 12000 frames" in problems_of(text)["obstacles[3]"]


def test_files_of_the_wrong_kind_or_size_are_refused(tmp_path, monkeypatch):
    from walkon.world import terrain

    np.save(tmp_path / "cube.npy", np.zeros((3, 3, 3)))
    np.save(tmp_path / "text.npy", np.array([["a", "b"], ["c", "d"]]))
    np.save(tmp_path / "objects.npy", np.array([[{}, {}], [{}, {}]], dtype=object), allow_pickle=True)
    np.save(tmp_path / "nan.npy", np.full((2, 2), np.nan))
    np.save(tmp_path / "large.npy", np.zeros((40, 40)))
    whole = (tmp_path / "large.npy").read_bytes()
    (tmp_path / "short.npy").write_bytes(whole[:200])
    (tmp_path / "bomb.npy").write_bytes(whole.replace(b"(40, 40), }        ", b"(999999, 999999), }"))
    (tmp_path / "fake.png").write_bytes(b"no picture")
    (tmp_path / "ragged.csv").write_text("1,2\n3\n")
    (tmp_path / "words.csv").write_text("1,2\n3,x\n")
    monkeypatch.setattr(terrain, "MOST_CELLS", 1000)

    def says(key: str, name: str) -> str:
        return problems_of(f'{BOUNDS}[terrain]\n{key} = "{name}"\n', folder=tmp_path)["terrain"]

    assert "not an array (3, 3, 3)" in says("array", "cube.npy")
    assert "plain numbers" in says("array", "text.npy")
    assert "plain numbers" in says("array", "objects.npy")
    assert "finite" in says("array", "nan.npy")
    assert "to 1000 values" in says("array", "large.npy")
    assert "announces" in says("array", "short.npy")
    assert "announces" in says("array", "bomb.npy")
    assert "no readable image" in says("image", "fake.png")
    assert "line 2" in says("array", "ragged.csv")
    assert "line 2" in says("array", "words.csv")
    assert ".npy or a .csv" in says("array", "fake.png")
    assert "no file" in says("image", "none.png")
    assert "heights: more than 1000" in problems_of(f"{BOUNDS}[terrain]\ncell = 0.1\nhills = [{{ at = [0, 0], height = 1, radius = 1 }}]\n")["terrain"]  # fmt: skip  # noqa: E501


def test_images_have_at_most_so_many_pixels(tmp_path):
    from PIL import Image

    Image.new("L", (3000, 2000)).save(tmp_path / "big.png")
    found = problems_of(f'{BOUNDS}[terrain]\nimage = "big.png"\n', folder=tmp_path)
    assert "3000 x 2000: more than 4200000 pixels" in found["terrain"]


def test_meshes_are_refused_with_a_reason(tmp_path, monkeypatch):
    from walkon.world import mesh_files

    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n")
    (tmp_path / "empty.obj").write_text("v 0 0 0\n")
    (tmp_path / "bad.stl").write_bytes(b"nothing")
    (tmp_path / "far.obj").write_text("v 0 0 0\nv 9999999 0 0\nv 0 1 0\nf 1 2 3\n")

    def says(name: str) -> str:
        return problems_of(f'{BOUNDS}[[obstacles]]\nshape = "mesh"\nfile = "{name}"\n', folder=tmp_path)[
            "obstacles[0]"
        ]

    monkeypatch.setattr(mesh_files, "MOST_FACES", 1)
    assert "2 triangles; there must be 1 to 1" in says("a.obj")
    assert "'a.blend': meshes come from" in says("a.blend")
    assert "empty.obj" in says("empty.obj")
    assert "bad.stl" in says("bad.stl")
    assert "mind its scale" in says("far.obj")


def test_a_scene_has_a_largest_size():
    assert "square metres" in problems_of("bounds = [-5000, -5000, 5000, 5000]\n")["bounds"]
    assert "between -10000 and 10000" in problems_of("bounds = [0, 0, 1e9, 1]\n")["bounds"]
    assert "more than 0" in problems_of(BOUNDS + "duration = -1\n")["duration"]
    assert "finite" in problems_of(BOUNDS + "duration = nan\n")["duration"]
    hill = "{ at = [0, 0], height = 1, radius = 1 },"
    assert "at most 1000 elements" in problems_of(f"{BOUNDS}terrain.hills = [{1001 * hill}]\n")["terrain.hills"]


def test_a_long_list_of_problems_is_cut_in_the_message_only():
    with pytest.raises(SceneFileError) as caught:
        read_scene(BOUNDS + "".join(f"key{i} = 1\n" for i in range(70)))
    assert len(caught.value.problems) == 70
    assert "70 problems" in str(caught.value)
    assert str(caught.value).endswith("and 20 more")


def test_places_stay_right_when_earlier_parts_are_wrong():
    crossed = '[[obstacles]]\nshape = "polygon"\nheight = 1\ncorners = [[0, 0], [2, 2], [2, 0], [0, 2]]\n'
    found = problems_of(BOUNDS + '[[obstacles]]\nshape = "bx"\n' + crossed + WALL + crossed)
    assert list(found) == ["obstacles[0].shape", "obstacles[1]", "obstacles[3]"]


@pytest.mark.parametrize("wrong", [1e200, 3.0, np.nan, np.inf, 0.0])
def test_rotations_are_unit_quaternions_however_large_their_numbers(wrong):
    with np.errstate(all="raise"), pytest.raises(SceneError, match="unit quaternions"):
        Obstacle("ball", Sphere(1.0), [[0.0, 0.0, 0.0]], [[wrong, 0.0, 0.0, 0.0]])
