"""`walkon export` from the outside."""

from __future__ import annotations

import pytest
from PIL import Image
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.errors import RenderError
from walkon.take import write_take


@pytest.fixture(scope="module")
def take_file(little_take, tmp_path_factory):
    path = tmp_path_factory.mktemp("takes") / "little.take"
    write_take(little_take, path)
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["export", *map(str, arguments)])


def test_several_outputs_at_once(take_file, tmp_path) -> None:
    outs = [tmp_path / name for name in ("a.glb", "a.csv", "a.gif", "a.png")]
    result = run(take_file, *outs, "--size", "96x54", "--fps", "5", "--stop", "1")
    assert result.exit_code == 0, result.output
    assert all(out.stat().st_size > 0 for out in outs)
    with Image.open(outs[2]) as film:
        assert film.size == (96, 54)
        assert film.n_frames == 6
    with Image.open(outs[3]) as overview:
        assert overview.width == 1600


def test_a_still_of_a_moment(take_file, tmp_path) -> None:
    result = run(take_file, tmp_path / "a.png", "--time", "0.5", "--size", "96x54", "--camera", "follow:ben")
    assert result.exit_code == 0, result.output
    with Image.open(tmp_path / "a.png") as still:
        assert still.size == (96, 54)


def test_a_bad_suffix_or_size_is_refused_before_any_work(take_file, tmp_path) -> None:
    for arguments in ((tmp_path / "a.glb", tmp_path / "a.doc"), (tmp_path / "a.mp4", "--size", "large")):
        result = run(take_file, *arguments)
        assert result.exit_code == 2
    assert "valid suffixes" in run(take_file, tmp_path / "a.doc").output
    assert not list(tmp_path.iterdir())


def test_an_unknown_view_names_those_there_are(take_file, tmp_path) -> None:
    result = run(take_file, tmp_path / "a.gif", "--camera", "follow:nobody")
    assert isinstance(result.exception, RenderError)
    assert "anna" in str(result.exception)
