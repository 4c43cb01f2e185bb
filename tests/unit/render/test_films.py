"""Films: the right number of frames, playable by anybody, whole or not there."""

from __future__ import annotations

import builtins

import numpy as np
import pytest
from PIL import Image

from walkon.errors import MissingExtraError
from walkon.motion import Clip
from walkon.render import Camera, RenderError, follow_clip, write_film
from walkon.render.camera import Camera as CameraType


def read_mp4(path) -> tuple[dict, list[np.ndarray]]:
    imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
    reader = imageio_ffmpeg.read_frames(str(path), pix_fmt="rgb24")
    meta = next(reader)
    width, height = meta["size"]
    return meta, [np.frombuffer(frame, np.uint8).reshape(height, width, 3) for frame in reader]


def test_mp4_frames_size_rate_and_format(walker: Clip, tmp_path) -> None:
    seen: list[tuple[int, int]] = []
    path = tmp_path / "walk.mp4"
    count = write_film(path, walker, size=(130, 74), fps=12, progress=lambda *done: seen.append(done))
    assert count == 13
    assert seen == [(k, 13) for k in range(1, 14)]
    meta, frames = read_mp4(path)
    assert meta["size"] == (130, 74)
    assert meta["fps"] == pytest.approx(12.0)
    assert meta["codec"] == "h264"
    assert meta["pix_fmt"].startswith("yuv420p")
    assert len(frames) == 13
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 40
    assert path.read_bytes().find(b"moov") < path.read_bytes().find(b"mdat")
    assert list(tmp_path.iterdir()) == [path]


def test_gif_frames_durations_and_loop(walker: Clip, tmp_path) -> None:
    path = tmp_path / "walk.gif"
    assert write_film(path, walker, size=(100, 60), fps=15) == 16
    film = Image.open(path)
    assert film.n_frames == 16
    assert film.info["loop"] == 0
    durations = []
    for k in range(film.n_frames):
        film.seek(k)
        durations.append(film.info["duration"])
    assert sum(durations) == pytest.approx(16 / 15 * 1000, abs=10)
    assert set(durations) <= {60, 70}
    film.seek(8)
    assert np.ptp(np.asarray(film.convert("RGB")).astype(int), axis=2).max() > 60


def test_same_film_same_bytes(walker: Clip, tmp_path) -> None:
    for name in ("a.mp4", "b.mp4", "a.gif", "b.gif"):
        write_film(tmp_path / name, walker, size=(64, 48), fps=10, duration=0.3)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_duration_and_a_moving_camera(walker: Clip, tmp_path) -> None:
    times: list[float] = []
    follow = follow_clip(walker)

    def camera(time: float) -> CameraType:
        times.append(time)
        return follow(time)

    count = write_film(tmp_path / "f.mp4", walker, size=(64, 48), fps=10, duration=0.55, camera=camera)
    assert count == 6
    assert {0.0, 0.1, 0.2, 0.5} <= {round(t, 6) for t in times}


@pytest.mark.parametrize("name", ["walk.mp4", "walk.gif"])
def test_failure_leaves_the_old_file_and_nothing_else(walker: Clip, tmp_path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"the old film")

    def stumble(done: int, total: int) -> None:
        if done == 3:
            raise RuntimeError("the projectionist fell asleep")

    with pytest.raises(RuntimeError):
        write_film(path, walker, size=(64, 48), fps=10, progress=stumble)
    assert path.read_bytes() == b"the old film"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("walk.avi", {}),
        ("walk", {}),
        ("walk.mp4", {"size": (63, 48)}),
        ("walk.mp4", {"fps": 0.0}),
        ("walk.mp4", {"fps": float("nan")}),
        ("walk.gif", {"fps": 60.0}),
        ("walk.mp4", {"duration": -1.0}),
    ],
)
def test_refuses_impossible_films(walker: Clip, tmp_path, name: str, wrong: dict) -> None:
    with pytest.raises(RenderError):
        write_film(tmp_path / name, walker, **({"size": (64, 48), "fps": 10} | wrong))
    assert not list(tmp_path.iterdir())


def test_without_the_extra_it_says_which(walker: Clip, tmp_path, monkeypatch) -> None:
    original = builtins.__import__

    def refuse(name: str, *rest):
        if name == "imageio_ffmpeg":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    camera = Camera.orbit((0, 1, 0), 6.0)
    with pytest.raises(MissingExtraError, match="film"):
        write_film(tmp_path / "w.mp4", walker, size=(64, 48), fps=10, camera=camera)
    assert not list(tmp_path.iterdir())


FAILING = {
    "full disk": ('trap "" XFSZ; ulimit -f 2; exec {real} "$@"', "File too large|exit code|Error"),
    "killed by the disk's limit": ('ulimit -f 2; exec {real} "$@"', "ffmpeg could not write the film"),
    "fails at the end": (
        'cat > /dev/null; echo half > "${{@: -1}}"; echo "no space" >&2; exit 228',
        "no space$",
    ),
    "gives up early": ('echo half > "${{@: -1}}"; head -c 100 > /dev/null; exit 0', "could not write the film"),
    "writes nothing": ("cat > /dev/null; exit 0", "could not write the film"),
    "is none": (None, "cannot be run"),
}


@pytest.mark.parametrize("how", FAILING)
def test_a_film_that_ffmpeg_cannot_write_is_an_error_and_the_old_one_stays(
    how, walker: Clip, tmp_path, monkeypatch
):
    from walkon.render import ffmpeg

    pytest.importorskip("imageio_ffmpeg")
    script, message = FAILING[how]
    program, film = tmp_path / "ffmpeg", tmp_path / "film.mp4"
    if script is not None:
        program.write_text("#!/bin/bash\n" + script.format(real=ffmpeg._program()))
        program.chmod(0o755)
    film.write_bytes(b"old")
    monkeypatch.setattr(ffmpeg, "_program", lambda: str(program))
    with pytest.raises(RenderError, match=message) as caught:
        write_film(film, walker, size=(640, 480), fps=10)
    assert "\n" not in str(caught.value)
    assert film.read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} <= {"film.mp4", "ffmpeg"}


def test_an_interrupt_ends_ffmpeg(walker: Clip, tmp_path, monkeypatch):
    from walkon.render import ffmpeg

    started = []
    real = ffmpeg._start
    monkeypatch.setattr(ffmpeg, "_start", lambda command: started.append(real(command)) or started[0])

    def interrupt(_done: int, _all: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_film(tmp_path / "film.mp4", walker, size=(64, 48), fps=10, progress=interrupt)
    assert started[0].poll() is not None
    assert not list(tmp_path.iterdir())
