"""Recordings, and a graph made of them, for all that is done with graphs on the command line."""

from __future__ import annotations

import json
import shutil

import pytest
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.export import write_clips
from walkon.motion import crop

STRETCHES = {
    "walk_about_1": (0, 240),
    "walk_slowly": (60, 240),
    "walk_and_run_1": (60, 420),
    "stop_and_go_2": (0, 744),
}
"""Frames of clips of a session that are enough for a graph."""


@pytest.fixture(scope="session")
def recordings(tmp_path_factory, session_of):
    """A folder of files: some seconds of a session."""
    place = tmp_path_factory.mktemp("recordings")
    for name, stretch in STRETCHES.items():
        write_clips(place / f"{name}.clip", [crop(session_of(7)[name], *stretch)])
    return place


@pytest.fixture(scope="session")
def built_graph(recordings, tmp_path_factory):
    """A graph file, and what was said about it."""
    out = tmp_path_factory.mktemp("graphs") / "people.graph"
    result = CliRunner().invoke(app, ["graph", "build", str(recordings), "-o", str(out), "--json"])
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    return out, json.loads(result.stdout)


@pytest.fixture
def graph_file(built_graph, tmp_path):
    """A copy of the graph file and of its choices."""
    for file in built_graph[0].parent.iterdir():
        shutil.copy(file, tmp_path / file.name)
    return tmp_path / built_graph[0].name
