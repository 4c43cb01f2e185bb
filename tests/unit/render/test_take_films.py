"""Films of takes: who is there when, what the cameras see, and how many frames there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from PIL import Image

from walkon.motion import Clip
from walkon.render import Camera, RenderError, draw_moment, film_take
from walkon.render.company import Company
from walkon.render.films import _in_order
from walkon.render.take_cameras import seen_places, take_camera
from walkon.synthesis import perform_all


@dataclass(frozen=True, eq=False)
class Played:
    """Anything with a name, a start and a clip is a performance."""

    character: str
    start_frame: int
    clip: Clip


def test_people_appear_and_vanish_with_their_performances(walker: Clip) -> None:
    late = Played("late", 10, walker)
    company = Company([Played("first", 0, walker), late])
    counts = []
    for frame in (0, 9, 10, 30, 31, 40, 41):
        company.pose(frame / walker.fps)
        counts.append(len(company.radii))
    one = counts[0]
    assert counts == [one, one, 2 * one, 2 * one, one, one, 0]


def test_a_late_performance_is_shown_from_its_beginning(walker: Clip) -> None:
    company, prompt = Company([Played("late", 10, walker)]), Company([Played("prompt", 0, walker)])
    for frame in (0.0, 3.5, 30.0):
        company.pose((10 + frame) / walker.fps)
        prompt.pose(frame / walker.fps)
        assert company.starts == pytest.approx(prompt.starts)


def test_twins_do_not_disturb_each_other(walker: Clip) -> None:
    company = Company([Played("one", 0, walker)])
    twin = company.twin()
    company.pose(0.0)
    before = company.starts.copy()
    twin.pose(1.0)
    assert np.array_equal(company.starts, before)
    assert np.any(twin.starts != before)


@pytest.mark.parametrize("kind", ["little_take", "hilly_take"])
@pytest.mark.parametrize("view", ["overview", "top", "side"])
def test_still_views_see_everybody_all_the_time(kind, view, request) -> None:
    take = request.getfixturevalue(kind)
    performances = perform_all(take)
    camera = take_camera(view, performances, take.scene, 16 / 9)
    assert isinstance(camera, Camera)
    for performance in performances:
        seen = camera.project(performance.clip.positions, 160, 90)
        assert np.all((seen[..., 0] > 0) & (seen[..., 0] < 160) & (seen[..., 1] > 0) & (seen[..., 1] < 90))


def test_the_overview_looks_at_the_long_side(little_take) -> None:
    performances = perform_all(little_take)
    line = np.stack([np.linspace(-9, 9, 20), np.zeros(20), np.linspace(-3, 3, 20)], axis=1)
    places = seen_places(performances, None)
    assert len(places) > 100
    from walkon.render.take_cameras import _long_side

    azimuth = _long_side(line)
    stands = np.array([np.sin(azimuth), np.cos(azimuth)])
    assert stands @ np.array([9.0, 3.0]) == pytest.approx(0.0, abs=1e-9)
    assert stands[1] > 0


def test_following_keeps_somebody_in_the_middle(hilly_take) -> None:
    performances = perform_all(hilly_take)
    camera = take_camera("follow:ben", performances, hilly_take.scene, 16 / 9)
    assert not isinstance(camera, Camera)
    ben = performances[1]
    for frame in (0, 30, 60):
        time = (ben.start_frame + frame) / ben.clip.fps
        column, row, _ = camera(time).project(ben.clip.root_positions[frame], 160, 90)
        assert abs(column - 80) < 25
        assert abs(row - 45) < 25


@pytest.mark.parametrize("view", ["follow:nobody", "upside down"])
def test_refuses_views_that_do_not_exist(little_take, view) -> None:
    with pytest.raises(RenderError, match="there are"):
        draw_moment(little_take, 0.0, camera=view, size=(64, 36))


def test_a_film_has_its_frames_in_order(little_take, tmp_path) -> None:
    performances = perform_all(little_take)
    told = []
    count = film_take(
        little_take,
        tmp_path / "film.gif",
        performances=performances,
        size=(96, 54),
        fps=10.0,
        span=(0.5, 1.5),
        progress=lambda done, total: told.append((done, total)),
    )
    assert count == 11
    assert told == [(k + 1, 11) for k in range(11)]
    with Image.open(tmp_path / "film.gif") as film:
        assert film.n_frames == 11
        film.seek(10)
        last = np.asarray(film.convert("RGB")).astype(int)
    still = draw_moment(little_take, 1.5, performances=performances, size=(96, 54)).astype(int)
    assert np.abs(last - still).mean() < 6.0


def test_many_makers_make_what_one_makes() -> None:
    makers = [lambda k: np.full((1, 1, 3), k, np.uint8)] * 3
    assert [int(picture[0, 0, 0]) for picture in _in_order(makers, 17)] == list(range(17))
    assert [int(picture[0, 0, 0]) for picture in _in_order(makers, 2)] == [0, 1]


def test_a_maker_that_fails_stops_the_film(tmp_path, walker, monkeypatch) -> None:
    def fail(*_, **__):
        raise RuntimeError("the lamp is broken")

    monkeypatch.setattr("walkon.render.renderer.Renderer.draw", fail)
    with pytest.raises(RuntimeError, match="lamp"):
        film_take([Played("one", 0, walker)], tmp_path / "film.gif", size=(64, 36))
    assert not list(tmp_path.iterdir())


def test_performances_need_no_scene(walker: Clip) -> None:
    picture = draw_moment([Played("one", 5, walker)], 0.5, size=(96, 54))
    gone = draw_moment([Played("one", 5, walker)], 0.0, size=(96, 54))
    assert np.abs(picture.astype(int) - gone).max() > 60


def test_refuses_nothing_to_film(tmp_path, little_take) -> None:
    with pytest.raises(RenderError, match="nobody"):
        film_take([], tmp_path / "film.gif")
    with pytest.raises(RenderError, match="nothing lies between"):
        film_take(little_take, tmp_path / "film.gif", span=(90.0, 99.0))
