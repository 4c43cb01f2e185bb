"""`walkon vary`, from the outside."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon.behaviors import BehaviorLibrary, read_library, write_library
from walkon.builtin import make
from walkon.builtin.casts import fetch_library
from walkon.cli.app import app
from walkon.errors import WalkonError
from walkon.motion import Clip, crop, read_clip, resample
from walkon.motion import write_clip_file as write
from walkon.motion.feet.sliding import slides_of
from walkon.variation import read_model
from walkon.variation.networks import no_edges
from walkon.variation.prior import PriorSearch

SHORT = ("--rounds", "2", "--restarts", "1")


def run(*arguments, well=True):
    result = CliRunner().invoke(app, ["vary", *(str(argument) for argument in arguments)])
    if well:
        assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    return result


def complaint(*arguments):
    """What is said about arguments that are wrong: one sentence, not a traceback."""
    result = run(*arguments, well=False)
    assert result.exit_code != 0
    if isinstance(result.exception, WalkonError):
        return str(result.exception)
    assert isinstance(result.exception, SystemExit)
    return " ".join(result.output.replace("│", " ").split())


@pytest.fixture(scope="module")
def walks(tmp_path_factory):
    """Five walks of different speeds, at 30 Hz; the last is not learned from."""
    place = tmp_path_factory.mktemp("walks")
    for number, speed in enumerate((1.1, 1.2, 1.3, 1.4, 1.25)):
        clip = resample(make("walk", speed=speed), 30.0)
        folder = place / ("inputs" if number < 4 else "held_out")
        folder.mkdir(exist_ok=True)
        write(folder / f"walk_{number}.clip", crop(clip, 0, 45).with_changes(name=f"walk_{number}"))
    return place


@pytest.fixture(scope="module")
def model(walks, tmp_path_factory):
    out = tmp_path_factory.mktemp("model") / "walk.model"
    told = json.loads(run("learn", walks / "inputs", "-o", out, *SHORT, "--json").stdout)
    return out, told


def test_learn_writes_a_model_and_says_what_it_is(model):
    out, told = model
    assert told["clips"] == [f"walk_{number}" for number in range(4)]
    assert told["frames"] == 4 * 45
    assert told["varying"] <= told["numbers"]
    assert told["bytes"] == out.stat().st_size
    assert [file.name for file in out.parent.iterdir()] == [out.name]
    assert read_model(out).score == pytest.approx(told["score"])


def test_make_writes_variants_with_feet_that_hold(model, tmp_path):
    told = json.loads(run("make", model[0], "-n", 3, "-o", tmp_path / "out", "--format", "clip", "--json").stdout)
    clips = [read_clip(file) for file in told["files"]]
    assert len(clips) == 3
    assert not np.array_equal(clips[0].rotations[:10], clips[1].rotations[:10])
    assert slides_of(clips).worst_drift < 2e-3
    assert told["making_ms_per_second"] > 0.0


def test_make_listens_to_its_options(model, tmp_path):
    def made(name, *options):
        run("make", model[0], "-n", 1, "-o", tmp_path / name, "--format", "clip", *options)
        return read_clip(next((tmp_path / name).iterdir()))

    plain = made("plain", "--seconds", 1.5, "--no-constraints")
    assert plain.duration == pytest.approx(1.5)
    again = made("again", "--seconds", 1.5, "--no-constraints")
    assert np.array_equal(plain.rotations, again.rotations)
    for name, options in {
        "seed": ("--seed", 1),
        "stray": ("--stray", 0.2),
        "performer": ("--performer", 5),
        "held": (),
    }.items():
        other = made(name, "--seconds", 1.5, *(("--no-constraints", *options) if options else ()))
        assert not np.array_equal(plain.rotations, other.rotations), name


def test_make_draws_and_writes_what_others_read(model, tmp_path):
    run("make", model[0], "-n", 2, "-o", tmp_path / "out", "--picture", tmp_path / "walks.png")
    assert (tmp_path / "walks.png").read_bytes()[:4] == b"\x89PNG"
    assert {file.suffix for file in (tmp_path / "out").iterdir()} == {".bvh"}


def test_variants_of_another_clip_with_a_learned_structure(model, walks, tmp_path):
    given = walks / "held_out" / "walk_4.clip"
    run("make", model[0], "-n", 2, "--of", given, "-o", tmp_path, "--format", "clip")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["walk_4_000.clip", "walk_4_001.clip"]


def test_only_the_upper_body(walks, tmp_path):
    out = tmp_path / "arms.model"
    told = json.loads(
        run(
            "learn", walks / "inputs", "-o", out, "--only", "upper", "--rounds", 1, "--restarts", 1, "--json"
        ).stdout
    )
    assert told["partial"]
    assert "--of" in complaint("make", out, "-o", tmp_path / "none")
    assert "as long as" in complaint("make", out, "-o", tmp_path / "none", "--seconds", 3)
    given = walks / "held_out" / "walk_4.clip"
    run("make", out, "-n", 1, "--of", given, "-o", tmp_path / "out", "--format", "clip")
    clip, variant = read_clip(given), read_clip(next((tmp_path / "out").iterdir()))
    feet = [clip.skeleton.index(name) for name in ("LeftFoot", "RightToeBase")]
    assert np.array_equal(variant.positions[:, feet], clip.positions[:, feet])
    arm = clip.skeleton.index("LeftForeArm")
    assert np.abs(variant.positions[:, arm] - clip.positions[:, arm]).max() > 1e-4


def test_library_adds_variants_that_can_be_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr("walkon.variation.libraries.LEARNED", 130)
    monkeypatch.setattr(PriorSearch, "run", lambda self, seed, searches: no_edges(len(self.instances), 1))
    cast = fetch_library("skateboarder")
    write_library(tmp_path / "plain", BehaviorLibrary("riders", (cast["duck"], cast["jump"])))
    arguments = ("library", tmp_path / "plain", "-n", 1, "--rounds", 1, "-o", tmp_path / "rich")
    told = json.loads(run(*arguments, "--json").stdout)
    assert told["variants"] == told["clips"] == 4
    rich = read_library(tmp_path / "rich")
    assert [len(behavior.clips) for behavior in rich] == [4, 4]
    assert rich["duck"].clips[2].action_time == cast["duck"].clips[0].action_time


def test_select_leaves_out_the_odd_one(walks, tmp_path, monkeypatch):
    monkeypatch.setattr("walkon.variation.selection.JUDGING_ROUNDS", 1)
    monkeypatch.setattr(PriorSearch, "run", lambda self, seed, searches: no_edges(len(self.instances), 1))
    odd = tmp_path / "odd.clip"
    write(odd, crop(resample(make("run"), 30.0), 0, 40).with_changes(name="odd"))
    told = json.loads(run("select", walks / "inputs", odd, "--json").stdout)
    assert [one["name"] for one in told["left_out"]] == ["odd"]
    assert told["left_out"][0]["worst"]
    assert set(told["kept"]) == {f"walk_{number}" for number in range(4)}


def test_measure_tells_how_good_variants_are(model, walks, tmp_path):
    run("make", model[0], "-n", 3, "-o", tmp_path, "--format", "clip")
    arguments = ("measure", walks / "inputs", "--variants", tmp_path, "--held-out", walks / "held_out")
    told = json.loads(run(*arguments, "--json").stdout)
    assert told["clips"]["variants"] == 3
    assert {row["group"] for row in told["measures"]} >= {"copies", "likeness", "smoothness", "slide"}
    assert "1-NN score" in run(*arguments, "--no-noise").stdout


def still(name: str, frames: int = 40) -> Clip:
    clip = resample(make("walk"), 30.0)
    held = np.repeat(clip.rotations[:1], frames, axis=0)
    roots = np.repeat(clip.root_positions[:1], frames, axis=0)
    return Clip(name, clip.skeleton, 30.0, roots, held)


def test_bad_input_is_told_in_a_sentence(walks, tmp_path):
    out = tmp_path / "out.model"
    one = walks / "inputs" / "walk_0.clip"
    assert "at least 2" in complaint("learn", one, "-o", out)
    short = tmp_path / "short.clip"
    write(short, crop(read_clip(one), 0, 2).with_changes(name="short"))
    assert "'short' has 2 frames" in complaint("learn", one, short, "-o", out)
    assert "another skeleton" in complaint("learn", one, "builtin:dog", "-o", out)
    for number in range(2):
        write(tmp_path / f"still_{number}.clip", still(f"still_{number}"))
    assert "nothing moves" in complaint("learn", tmp_path / "still_0.clip", tmp_path / "still_1.clip", "-o", out)
    assert "no joints Wing" in complaint("learn", walks / "inputs", "--only", "Wing", "-o", out)
    assert "nowhere" in complaint("learn", tmp_path / "nowhere", "-o", out)
    assert not out.exists()


def test_a_file_with_numbers_that_are_none_is_refused(walks, tmp_path):
    from walkon.export import write_clips

    bad = tmp_path / "bad.bvh"
    write_clips(bad, read_clip(walks / "inputs" / "walk_0.clip"))
    head, rows = bad.read_text().split("Frame Time", 1)
    lines = rows.splitlines()
    lines[4] = " ".join(["nan", *lines[4].split()[1:]])
    bad.write_text("Frame Time".join([head, "\n".join(lines) + "\n"]))
    assert "bad.bvh" in complaint("learn", walks / "inputs", bad, "-o", tmp_path / "out.model")


def test_what_is_no_model_is_refused(walks, tmp_path):
    text = complaint("make", walks / "inputs" / "walk_0.clip", "-o", tmp_path)
    assert "walk_0.clip" in text
    assert "model" in text
    assert "no library folder" in complaint("library", "nobody", "-o", tmp_path)
    assert "cannot be told" in complaint("select", walks / "held_out")
