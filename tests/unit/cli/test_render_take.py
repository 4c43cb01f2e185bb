"""`walkon render` of a take: a film, a still, and a contact sheet of who is alone in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.take import write_take


def run(*arguments: object):
    return CliRunner().invoke(app, ["render", *map(str, arguments)])


@pytest.fixture
def take(little_take, tmp_path):
    """A file of the little take, and one of it with nobody but anna."""
    write_take(little_take, tmp_path / "all.take")
    alone = replace(
        little_take,
        scene=replace(little_take.scene, characters=little_take.scene.characters[:1]),
        roles=little_take.roles[:1],
    )
    write_take(alone, tmp_path / "alone.take")
    return tmp_path


def test_a_take_is_filmed(take):
    result = run(take / "all.take", take / "a.gif", "--size", "160x90", "--fps", 5)
    assert result.exit_code == 0, result.output
    with Image.open(take / "a.gif") as film:
        assert getattr(film, "n_frames", 1) > 5
        assert film.size == (160, 90)


def test_a_moment_of_a_take_is_drawn_and_who_is_alone_is_followed(take):
    for name in ("all", "alone"):
        result = run(take / f"{name}.take", take / f"{name}.png", "--size", "320x180", "--time", 1)
        assert result.exit_code == 0, result.output
    both = [np.asarray(Image.open(take / f"{name}.png").convert("RGB")).astype(int) for name in ("all", "alone")]
    # Who is followed fills more of the picture than people who are seen from afar.
    coloured = [(np.ptp(picture, axis=2) > 60).sum() for picture in both]
    assert coloured[1] > 300


def test_only_one_person_makes_a_contact_sheet(take):
    result = run(take / "alone.take", take / "a.png", "--sheet", "--poses", 4, "--size", "400x300")
    assert result.exit_code == 0, result.output
    assert Image.open(take / "a.png").width == 400
    result = run(take / "all.take", take / "b.png", "--sheet")
    assert result.exit_code == 2
    assert "shows one clip, not 3" in " ".join(result.output.split())
