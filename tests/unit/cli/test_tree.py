"""`walkon tree`: a library becomes a forest, and whatever is wrong is said."""

from __future__ import annotations

import json

import pytest
from PIL import Image
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.cli.tree import TreeRegion, _region
from walkon.errors import WalkonError
from walkon.trees.file import read_forest


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def complaint(*arguments: object) -> str:
    """What a command says when it gives up."""
    result = run(*arguments)
    assert result.exit_code != 0
    if isinstance(result.exception, SystemExit):
        return " ".join(result.output.split())
    assert isinstance(result.exception, WalkonError), result.exception
    return str(result.exception)


@pytest.fixture(scope="module")
def horse(tmp_path_factory):
    """A small forest of the horse."""
    path = tmp_path_factory.mktemp("trees") / "horse.tree"
    result = run("tree", "build", "horse", "-o", path, "--nodes", 300, "--radius", 40)
    assert result.exit_code == 0, result.output
    return path


def test_building_writes_a_forest_and_sums_it_up(tmp_path):
    out = tmp_path / "horse.tree"
    result = run("tree", "build", "horse", "-o", out, "--nodes", 300, "--radius", 40, "--json", "--seed", 3)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    forest = read_forest(out)
    assert (told["nodes"], told["trees"], told["seed"]) == (len(forest), {"gallop": 300}, 3)
    assert told["bytes_a_node"] == pytest.approx(forest.nbytes / 300, abs=0.01)
    assert told["builder"] == forest.builder == "spst"
    assert told["max_depth"] >= told["mean_depth"] > 1
    assert told["seconds"] > 0


def test_the_summary_has_nodes_bytes_depth_and_seconds(tmp_path):
    result = run("tree", "build", "horse", "-o", tmp_path / "a.tree", "--nodes", 200, "--radius", 40)
    assert "asked for" not in result.output
    for words in ("200 nodes in 1 tree (gallop)", "MB", "bytes a node", "at most", "grown in", "by spst"):
        assert words in result.stdout


def test_it_is_said_when_there_is_no_room_for_all_nodes(tmp_path):
    result = run("tree", "build", "horse", "-o", tmp_path / "a.tree", "--nodes", 200, "--radius", 10)
    count = len(read_forest(tmp_path / "a.tree"))
    assert count < 200
    assert f"{count} of the 200 nodes asked for" in result.output


def test_the_same_seed_gives_the_same_bytes_and_another_another_forest(tmp_path, horse):
    for name, seed in (("a", 0), ("b", 1)):
        out = tmp_path / f"{name}.tree"
        result = run("tree", "build", "horse", "-o", out, "--nodes", 300, "--radius", 40, "--seed", seed)
        assert result.exit_code == 0, result.output
    assert (tmp_path / "a.tree").read_bytes() == horse.read_bytes()
    assert (tmp_path / "b.tree").read_bytes() != horse.read_bytes()


def test_regions_and_grids_are_as_asked(tmp_path):
    def built(*options: object):
        out = tmp_path / "a.tree"
        result = run("tree", "build", "horse", "-o", out, "--nodes", 300, *options)
        assert result.exit_code == 0, result.output
        return read_forest(out)

    half = built("--shape", "half-disc", "--radius", 30, "--behind", 0, "--without", "")
    assert half.placements[:, 1].min() >= 0.0
    region = _region(TreeRegion.half_disc, 5.0, 0.0, 2.0, "", 0.25)
    assert region.contains([0.0, 0.0, 0.0], [4.9, -1.9, -2.1]).tolist() == [True, True, False]
    ahead = built("--radius", 20, "--ahead", 15)
    assert ahead.placements[:, 1].max() > 25
    lane = built("--corners", "3,-1 3,20 -3,20 -3,-1")
    assert abs(lane.placements[:, 0]).max() <= 3.0
    assert lane.placements[:, 1].max() > 15
    coarse = built("--cell", 0.5, "--goal-cell", 2, "--overlap", 0.25)
    assert (coarse.cell, coarse.goal_cell, coarse.overlap) == (0.5, 2.0, 0.25)


def test_every_builder_can_be_asked_for(tmp_path):
    names = set()
    for builder in ("exhaustive", "pruned", "spst", "branicky-ip", "branicky-ie", "green-kelly"):
        result = run("tree", "build", "horse", "-o", tmp_path / "a.tree", "--nodes", 60, "--builder", builder)
        assert result.exit_code == 0, result.output
        names.add(read_forest(tmp_path / "a.tree").builder)
    assert len(names) == 6


def test_a_person_has_a_tree_for_each_pose_and_passes_what_it_may(tmp_path):
    out = tmp_path / "human.tree"
    result = run("tree", "build", "human", "-o", out, "--nodes", 600, "--pose", "walk", "--pose", "stand",
                 "--passes", "jump_over", "--passes", "duck_under")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "600 nodes in 2 trees (walk, stand)" in result.stdout
    assert read_forest(out).passes == ("duck_under", "jump_over")
    shown = run("tree", "show", out, "--library", "human", "--json")
    trees = json.loads(shown.stdout)["trees"]
    assert [tree["pose"] for tree in trees] == ["walk", "stand"]
    assert sum(tree["nodes"] for tree in trees) == 600
    assert min(tree["nodes"] for tree in trees) > 200
    assert sum(behavior["nodes"] for behavior in trees[0]["behaviors"]) == trees[0]["nodes"] - 1
    assert any(behavior["behavior"].startswith("walk_") for behavior in trees[0]["behaviors"])
    assert trees[0]["longest_seconds"] == pytest.approx(trees[0]["longest_frames"] / 30, abs=1e-3)


def test_showing_needs_no_library_but_has_names_with_one(horse):
    plain, named = run("tree", "show", horse), run("tree", "show", horse, "--library", "horse")
    assert plain.exit_code == named.exit_code == 0
    assert "pose 0" in plain.stdout
    for word in ("300 nodes by spst", "density", "reach m", "deepest", "bytes a node"):
        assert word in plain.stdout
    assert "gallop_forward" not in plain.stdout
    assert "gallop_" in named.stdout


def test_pictures_are_drawn(horse, tmp_path):
    frequency, density = tmp_path / "f.png", tmp_path / "d.png"
    result = run("tree", "show", horse, "--frequency", frequency, "--density", density, "--width", 700,
                 "--library", "horse", "--pose", "gallop")  # fmt: skip
    assert result.exit_code == 0, result.output
    for picture in (frequency, density):
        assert str(picture) in result.stdout.replace("\n", "")
        with Image.open(picture) as image:
            assert image.width == 700


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--depth", 3), "--depth means nothing to spst"),
        (("--builder", "pruned", "--thrift", 1), "--thrift means nothing to pruned"),
        (("--builder", "magic"), "magic"),
        (("--corners", "1,2 3,4"), "three or more"),
        (("--corners", "1,2 3,4 5,six"), "three or more"),
        (("--nodes", 0), "--nodes"),
        (("--radius", -1), "--radius"),
        (("--radius", "nan"), "--radius"),
        (("--radius", 2, "--ahead", 3), "root must lie inside"),
        (("--radius", 1e6), "too large"),
        (("--cell", 0), "--cell"),
        (("--pose", "hover"), "no pose 'hover' in 'horse'; there are: gallop"),
        (("--passes", "fly"), "no such way to pass: 'fly'; there are: step_over"),
        (("--without", "fly_*"), "no behavior 'fly_*'"),
        (("--without", "gallop_*"), "nothing to grow"),
    ],
)
def test_mistakes_are_told(tmp_path, options, said):
    out = tmp_path / "a.tree"
    out.write_text("the forest of yesterday")
    assert said in complaint("tree", "build", "horse", "-o", out, *options)
    assert out.read_text() == "the forest of yesterday"


def test_files_and_libraries_that_do_not_fit_are_told(horse, tmp_path):
    assert "neither a built-in cast" in complaint("tree", "build", "nobody", "-o", tmp_path / "a.tree")
    assert "another library" in complaint("tree", "show", horse, "--library", "skateboarder")
    assert "no tree begins in pose 'walk'" in complaint(
        "tree", "show", horse, "--pose", "walk", "--frequency", tmp_path / "a.png"
    )
    (tmp_path / "b.tree").write_bytes(horse.read_bytes()[:-5])
    assert "b.tree: the file was cut short" in complaint("tree", "show", tmp_path / "b.tree")
    assert "No such file" in complaint("tree", "show", tmp_path / "c.tree")
