"""Films of a take: everybody in the scene, from when they come until they go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from walkon.basics import Picture
from walkon.errors import RenderError
from walkon.render.camera import Camera
from walkon.render.company import Company, Performed
from walkon.render.films import FrameMaker, Progress, check_film, write_frames
from walkon.render.framing import MovingCamera
from walkon.render.look import Look
from walkon.render.renderer import Renderer, check_size
from walkon.render.setting import build_setting, level_setting
from walkon.render.take_cameras import take_camera
from walkon.synthesis import perform_all
from walkon.take import Take
from walkon.world import Scene

Performances = Sequence[Performed]

WORKERS = 2
"""Threads that draw frames; each has a picture of its own."""


def film_take(
    take: Take | Performances,
    path: Path | str,
    *,
    performances: Performances | None = None,
    camera: Camera | MovingCamera | str | None = None,
    size: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    span: tuple[float, float] = (0.0, math.inf),
    look: Look | None = None,
    goals: bool = True,
    progress: Progress | None = None,
) -> int:
    """Film a take, or only performances on an empty stage; returns the number of frames.

    path: .mp4 or .gif. performances: of the take, if they are at hand. camera: a camera, a function of time [s],
    or a view: overview, top, side, follow:NAME. span: from when to when of the take [s]. goals: mark them on the
    ground.
    """
    path, (width, height) = Path(path), size
    players, scene, end = _players(take, performances)
    start, stop = span[0], min(span[1], end)
    check_film(path, width, height, fps, stop - start if stop > start else None)
    if not 0.0 <= start <= stop:
        raise RenderError(f"the take lasts from 0 to {end:g} s: nothing lies between {start:g} and {stop:g} s")
    count = math.floor((stop - start) * fps + 1e-6) + 1
    view = _camera(camera, players, scene, width / height)
    makers = _makers(players, scene, view, look, (width, height), start, fps, goals)
    write_frames(path, makers, count, fps, progress)
    return count


def draw_moment(
    take: Take | Performances,
    time: float,
    *,
    performances: Performances | None = None,
    camera: Camera | MovingCamera | str | None = None,
    size: tuple[int, int] = (1280, 720),
    look: Look | None = None,
    goals: bool = True,
) -> Picture:
    """One picture (H, W, 3) uint8 of a take at `time` [s]; otherwise as `film_take`."""
    check_size(*size)
    players, scene, _ = _players(take, performances)
    view = _camera(camera, players, scene, size[0] / size[1])
    return _makers(players, scene, view, look, size, time, 1.0, goals)[0](0)


def _players(
    take: Take | Performances, performances: Performances | None
) -> tuple[list[Performed], Scene | None, float]:
    """Who plays, where, and how long [s]."""
    if isinstance(take, Take):
        players = list(perform_all(take) if performances is None else performances)
        return players, take.scene, (take.frames - 1) / take.fps
    players = list(take)
    if not players:
        raise RenderError("nobody plays: there is nothing to film")
    return players, None, max((one.start_frame + len(one.clip) - 1) / one.clip.fps for one in players)


def _camera(
    camera: Camera | MovingCamera | str | None, players: Performances, scene: Scene | None, aspect: float
) -> Camera | MovingCamera:
    if camera is None or isinstance(camera, str):
        return take_camera(camera or "overview", players, scene, aspect)
    return camera


def _makers(
    players: Performances,
    scene: Scene | None,
    view: Camera | MovingCamera,
    look: Look | None,
    size: tuple[int, int],
    start: float,
    fps: float,
    goals: bool,
) -> list[FrameMaker]:
    """Functions that draw frame k, one for each thread; with a still camera they share what stands still."""
    setting = level_setting() if scene is None else build_setting(scene, goals=goals)
    first = view if isinstance(view, Camera) else view(start)
    look = Look().lit_for(first) if look is None else look
    company = Company(players, outfits=_outfits(players, scene))
    makers = []
    stage = None
    for _ in range(WORKERS):
        renderer = Renderer(*size, first, look=look, setting=setting, stage=stage)
        stage = renderer.stage if isinstance(view, Camera) else None
        makers.append(_maker(renderer, company.twin(), view, start, fps))
    return makers


def _maker(
    renderer: Renderer, company: Company, view: Camera | MovingCamera, start: float, fps: float
) -> FrameMaker:
    def make(k: int) -> Picture:
        time = start + k / fps
        if not isinstance(view, Camera):
            renderer.camera = view(time)
        company.pose(time)
        return renderer.draw(company.starts, company.ends, company.radii, company.colours, time=time)

    return make


def _outfits(players: Performances, scene: Scene | None) -> list[int]:
    """What everybody wears: their number in the scene, so that goals and paths have the same colour."""
    if scene is None:
        return list(range(len(players)))
    numbers = {character.name: index for index, character in enumerate(scene.characters)}
    return [numbers.get(player.character, index) for index, player in enumerate(players)]
