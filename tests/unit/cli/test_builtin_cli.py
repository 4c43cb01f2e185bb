"""`walkon builtin`, from the outside."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from walkon.behaviors import read_library
from walkon.builtin.casts import fetch_library
from walkon.cli.app import app
from walkon.errors import LibraryError
from walkon.motion import read_clip


def run(*arguments):
    return CliRunner().invoke(app, ["builtin", *(str(argument) for argument in arguments)])


def test_a_cast_becomes_a_folder_that_reads_back(tmp_path):
    result = run("make", "horse", tmp_path / "horse", "--seed", 7, "--bvh", "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["horse"]
    library = read_library(tmp_path / "horse")
    assert [row["behavior"] for row in rows] == [behavior.name for behavior in library]
    assert [row["clips"] for row in rows] == [len(behavior.clips) for behavior in library]
    first = library.behaviors[0]
    again = read_clip(tmp_path / "horse" / "bvh" / f"{first.name}_1.bvh", units="m", up="y")
    assert len(again) == len(first.clips[0].clip)


def test_the_table_lists_every_behavior(tmp_path):
    result = run("make", "horse", tmp_path / "horse")
    assert result.exit_code == 0, result.output
    assert "gallop_forward" in result.stdout
    assert "library.toml" in result.stdout


def test_list_knows_all_casts(monkeypatch):
    horse = fetch_library("horse")
    monkeypatch.setattr("walkon.builtin.casts.make_library", lambda cast, seed: replace(horse, name=cast))
    result = run("list", "--json")
    assert result.exit_code == 0, result.output
    assert set(json.loads(result.stdout)) == {"human", "skateboarder", "horse"}


def test_an_unknown_cast_is_refused(tmp_path):
    result = run("make", "robot", tmp_path / "robot")
    assert result.exit_code == 1
    with pytest.raises(LibraryError, match="there are: human"):
        raise result.exception
    assert not (tmp_path / "robot").exists()
