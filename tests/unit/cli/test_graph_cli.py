"""`walkon graph`: recordings become a graph, the graph becomes takes and pictures, and what people say counts."""

from __future__ import annotations

import json
import shutil

from PIL import Image
from scipy.sparse import load_npz
from typer.testing import CliRunner

from walkon.cli._graph_build import FOUND
from walkon.cli.app import app
from walkon.errors import WalkonError
from walkon.graphs.choosing.choices import read_choices
from walkon.graphs.file import read_graph
from walkon.motion import crop
from walkon.take import read_take


def run(*arguments: object):
    return CliRunner().invoke(app, ["graph", *map(str, arguments)])


def fine(*arguments: object):
    result = run(*arguments)
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    return result


def told_by(*arguments: object):
    """What a command prints as JSON."""
    return json.loads(fine(*arguments, "--json").stdout)


def complaint(*arguments: object) -> str:
    """What a command says when it gives up."""
    result = run(*arguments)
    assert result.exit_code != 0
    if isinstance(result.exception, SystemExit):
        return " ".join(result.output.split())
    assert isinstance(result.exception, WalkonError), result.exception
    return str(result.exception)


def test_building_tells_what_became_of_the_recordings(built_graph):
    out, told = built_graph
    graph = read_graph(out)
    assert told["clips"] == len(graph.corpus.library) == 4
    assert told["statistics"]["transitions"] == len(graph.transitions)
    assert told["candidates"] > told["taken"] >= len(graph.transitions) > 0
    labels = {tuple(own["labels"]): own for own in told["statistics"]["labels"]}
    assert set(labels) == {("walk",), ("run",), ("stand",)}
    assert labels["walk",]["seconds_used"] > 0.5 * labels["walk",]["seconds"]
    assert told["statistics"]["in_largest"] == 1.0


def test_the_table_has_a_row_for_each_kind_of_motion(recordings, tmp_path):
    result = fine("build", recordings, "-o", tmp_path / "a.graph", "--only", "walk_*", "--thresholds", "--exact")
    for words in ("walk", "run", "kept %", "left after pruning", "clips compared", "a.choices.toml", "up to cm"):
        assert words in result.output
    assert "stand" not in result.stdout


def test_choices_are_kept_beside_the_graph_and_honoured_by_the_next_build(recordings, graph_file):
    kept = graph_file.with_name("people.choices.toml")
    assert kept.exists()
    assert FOUND in kept.read_text()
    before = read_graph(graph_file)
    result = fine("transitions", graph_file, "--reject", "3", "--accept", "5,6", "--limit", 2)
    assert "2 accepted, 1 rejected" in " ".join(result.output.split())
    said = read_choices(kept)
    gone = said.rejected[0]
    assert (gone.source, gone.source_frame) == before.corpus.where(int(before.transitions.sources[3]))
    kept.write_text("# mine\n" + kept.read_text())
    fine("build", recordings, "-o", graph_file)
    after = read_graph(graph_file)
    found = zip(after.transitions.sources.tolist(), after.transitions.targets.tolist(), strict=True)
    ends = {(*after.corpus.where(source), *after.corpus.where(target)) for source, target in found}
    assert (gone.source, gone.source_frame, gone.target, gone.target_frame) not in ends
    text = kept.read_text()
    assert text.startswith("# mine\n")
    assert read_choices(kept).rejected == (gone,)
    fine("transitions", graph_file, "--limit", 1)
    assert kept.read_text() == text
    assert text.count(FOUND) == len({line for line in text.splitlines() if line.startswith(FOUND)})


def test_thresholds_from_the_command_line_are_kept_too(recordings, tmp_path):
    out = tmp_path / "a.graph"
    fine("build", recordings, "-o", out, "--only", "walk_*", "--threshold", "walk:run=0")
    graph = read_graph(out)
    labels = [graph.corpus.label_sets[number] for number in graph.corpus.labels]
    changes = [
        (labels[source], labels[target])
        for source, target in zip(graph.transitions.sources, graph.transitions.targets, strict=True)
    ]
    assert (frozenset({"walk"}), frozenset({"run"})) not in changes
    assert read_choices(tmp_path / "a.choices.toml").thresholds[0].distance == 0.0


def test_a_store_spares_comparing_twice(recordings, tmp_path):
    arguments = ["build", recordings, "-o", tmp_path / "a.graph", "--store", tmp_path / "store"]
    first = told_by(*arguments, "--only", "walk_*")
    second = told_by(*arguments)
    assert (first["compared"], first["known"]) == (6, 0)
    assert (second["compared"], second["known"]) == (4, 6)


def test_showing_draws_the_graph_and_surfaces(recordings, graph_file, tmp_path):
    result = fine("show", graph_file, "-o", tmp_path / "a.png", "--width", 900, "--clips")
    assert "strongly connected" in result.stdout
    assert "walk_slowly" in result.stdout
    fine("show", graph_file, "-o", tmp_path / "b.png", "--surface", "walk_about_1", "walk_slowly", "--width", 500)
    fine("show", graph_file, "-o", tmp_path / "c.png", "--surface", "all", "all", "--width", 500)
    assert [Image.open(tmp_path / f"{name}.png").width for name in "abc"] == [900, 500, 500]
    told = told_by("show", graph_file)
    assert [row["clip"] for row in told["clips"]] == [
        "stop_and_go_2",
        "walk_about_1",
        "walk_and_run_1",
        "walk_slowly",
    ]
    assert sum(row["leaving"] for row in told["clips"]) == told["transitions"]


def test_hubs_are_found_drawn_and_played(graph_file, tmp_path):
    told = told_by("hubs", graph_file, "--most", 2, "-o", tmp_path / "a.png", "--width", 600)
    assert 1 <= len(told["hubs"]) <= 2
    assert sum(row["leaving"] for row in told["hubs"]) <= told["pieces"]
    assert told["motion"] is None
    assert Image.open(tmp_path / "a.png").width == 600
    result = fine("hubs", graph_file, "-o", tmp_path / "a.take", "--seconds", 8)
    assert "moments of a hub are within" in result.stdout
    assert "planted feet slide" in result.stdout
    take = read_take(tmp_path / "a.take")
    assert 8.0 <= take.frames / take.fps < 20.0
    assert ".png or played as .take" in complaint("hubs", graph_file, "-o", tmp_path / "a.bvh")


def test_a_graph_is_encoded_for_other_programs(graph_file, tmp_path):
    graph = read_graph(graph_file)
    told = told_by("encode", graph_file, "-o", tmp_path / "a.npz")
    assert told["form"] == "chain"
    assert told["frames"] == len(graph.corpus)
    assert load_npz(tmp_path / "a.npz").shape == (len(graph.corpus),) * 2
    assert "clusters" in fine("encode", graph_file, "--as", "clips", "-o", tmp_path / "b.npz").stdout
    assert "written as .npz" in complaint("encode", graph_file, "-o", tmp_path / "a.csv")
    clips = ["encode", graph_file, "--as", "clips", "-o", tmp_path / "b.npz"]
    assert "goes with --as chain" in complaint(*clips, "--sigma", 0.1)


def test_transitions_are_listed_sorted_and_drawn(graph_file, tmp_path):
    def numbers(*arguments: object, key: str = "number"):
        return [row[key] for row in told_by("transitions", graph_file, *arguments)["shown"]]

    jumps = numbers("--sort", "jump", key="jump")
    assert jumps == sorted(jumps, reverse=True)
    assert len(jumps) == 20
    assert numbers("--sort", "number", "--limit", 3) == [0, 1, 2]
    assert numbers("--number", "4-6", "--sort", "number") == [4, 5, 6]
    between = told_by("transitions", graph_file, "--between", "walk:run", "--limit", 5)["shown"]
    assert all((row["from_labels"], row["to_labels"]) == (["walk"], ["run"]) for row in between)
    ends = told_by("transitions", graph_file, "--clip", "walk_slowly", "--limit", 5)["shown"]
    assert all("walk_slowly" in (row["from"], row["to"]) for row in ends)
    fine("transitions", graph_file, "-o", tmp_path / "a.png", "--limit", 2, "--width", 600)
    assert Image.open(tmp_path / "a.png").width == 600
    fine("transitions", graph_file, "-o", tmp_path / "a.gif", "--limit", 1)
    assert getattr(Image.open(tmp_path / "a.gif"), "n_frames", 1) > 10


def test_what_was_said_can_be_taken_back(graph_file):
    fine("transitions", graph_file, "--reject", "0-2", "--limit", 1)
    shown = told_by("transitions", graph_file, "--number", "0-2")["shown"]
    assert [row["said"] for row in shown] == ["rejected"] * 3
    fine("transitions", graph_file, "--forget", "0,2", "--accept", "1", "--limit", 1)
    said = read_choices(graph_file.with_name("people.choices.toml"))
    assert (len(said.accepted), len(said.rejected)) == (1, 0)


def test_wrong_usage_is_said(recordings, graph_file, tmp_path):
    out, picture = tmp_path / "a.graph", tmp_path / "a.png"
    assert "give recordings, or --builtin human" in complaint("build", "-o", out)
    assert "none of them named like 99_*" in complaint("build", recordings, "-o", out, "--only", "99_*")
    assert "FROM:TO=METRES" in complaint("build", recordings, "-o", out, "--threshold", "walk")
    assert "say where to" in complaint("show", graph_file, "--surface", "walk_slowly", "walk_slowly")
    assert "no clip 'sneak'" in complaint("show", graph_file, "--surface", "sneak", "all", "-o", picture)
    assert "there is no transition 999999" in complaint("transitions", graph_file, "--reject", "999999")
    assert "use .png, .mp4 or .gif" in complaint("transitions", graph_file, "-o", tmp_path / "a.jpeg")
    assert "nothing has exactly the labels" in complaint("transitions", graph_file, "--between", "walk:fly")
    (tmp_path / "bad.graph").write_bytes(b"no graph")
    assert "bad.graph" in complaint("show", tmp_path / "bad.graph")


def test_files_that_cannot_be_read_are_named_and_the_others_used(recordings, tmp_path):
    place = tmp_path / "some"
    shutil.copytree(recordings, place)
    (place / "broken.bvh").write_text("HIERARCHY\n")
    result = run("build", place, "-o", tmp_path / "a.graph", "--only", "walk_*", "--only", "broken")
    assert result.exit_code == 1
    assert "broken.bvh" in result.output
    assert len(read_graph(tmp_path / "a.graph").corpus.library) == 3


def test_built_in_motion_needs_no_files(tmp_path, monkeypatch, session_of):
    short = tuple(crop(clip, 0, 240) for name, clip in session_of(7).items() if name.startswith("walk_"))
    monkeypatch.setattr("walkon.builtin.session.make_session", lambda performer: short)
    told = told_by("build", "--builtin", "human", "--performer", 7, "-o", tmp_path / "a.graph")
    assert told["clips"] == len(short)
