"""Films of clips: MP4 for players and browsers, GIF for everywhere else."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import numpy as np
from PIL import Image

from walkon.basics import Picture, Progress
from walkon.errors import RenderError
from walkon.files import atomic_path
from walkon.formats import FILM_SUFFIXES
from walkon.render.camera import Camera
from walkon.render.cast import Cast, Clips
from walkon.render.ffmpeg import encode_mp4
from walkon.render.framing import MovingCamera, frame_clips
from walkon.render.look import Look
from walkon.render.renderer import Renderer, check_size
from walkon.render.setting import Setting
from walkon.world.tints import Colour

FrameMaker = Callable[[int], Picture]
"""Makes the frame of that number."""

MOST_GIF_FPS = 50.0
"""Viewers slow down a GIF that asks for more."""

FRAMES_AHEAD = 6
"""Frames that may be made before they are written."""

PALETTE_FRAMES = 8
"""Frames a GIF's palette is chosen from."""

PALETTE_PIXELS = 60_000
VIVID, FLOOR_BRIGHTNESS = 24, 205
"""Spread of the channels that makes a pixel coloured, and the brightness below which a grey one is in shadow."""


def write_film(
    path: Path | str,
    clips: Clips,
    *,
    size: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    duration: float | None = None,
    camera: Camera | MovingCamera | None = None,
    look: Look | None = None,
    setting: Setting | None = None,
    colours: Sequence[Colour] | None = None,
    progress: Progress | None = None,
) -> int:
    """Film one clip or several, one character each; returns the number of frames.

    path: ends in .mp4 (H.264, needs the extra `film`) or .gif. size: width and height [px]. fps [Hz]: of the film;
    poses are interpolated in time. duration [s]: by default until the last character stands still. camera: still,
    or a function of time such as `follow_clip` gives; by default one that sees the whole motion. setting: what
    surrounds them, such as `level_setting` makes. The file is whole, or not there.
    """
    path, (width, height) = Path(path), size
    check_film(path, width, height, fps, duration)
    cast = Cast(clips, colours=colours)
    seconds = cast.duration if duration is None else duration
    camera = frame_clips(clips, aspect=width / height) if camera is None else camera
    first = camera if isinstance(camera, Camera) else camera(0.0)
    renderer = Renderer(width, height, first, look=look, setting=setting)
    # A hair over the end still shows the last pose: 2.0 s at 30 Hz are 61 frames, whatever the rounding.
    count = math.floor(seconds * fps + 1e-6) + 1

    def frame(k: int) -> Picture:
        if not isinstance(camera, Camera):
            renderer.camera = camera(k / fps)
        return renderer.draw_cast(cast, k / fps)

    write_frames(path, [frame], count, fps, progress)
    return count


def write_frames(
    path: Path, makers: Sequence[FrameMaker], count: int, fps: float, progress: Progress | None = None
) -> None:
    """Write a film of `count` frames; several makers of the same frames work at once, in a thread each."""
    write = _write_mp4 if path.suffix.lower() == ".mp4" else _write_gif
    with atomic_path(path) as temporary:
        write(temporary, makers, count, fps, progress or (lambda done, total: None))


def _in_order(makers: Sequence[FrameMaker], count: int) -> Iterator[Picture]:
    """All frames, made ahead by as many threads as there are makers; each maker stays in its own thread."""
    if len(makers) == 1:
        yield from map(makers[0], range(count))
        return
    with ExitStack() as stack:
        pools = [stack.enter_context(ThreadPoolExecutor(1)) for _ in makers]
        waiting: deque[Future[Picture]] = deque()
        for k in range(count + FRAMES_AHEAD):
            if k < count:
                waiting.append(pools[k % len(pools)].submit(makers[k % len(makers)], k))
            if k >= FRAMES_AHEAD or k >= count:
                if not waiting:
                    break
                yield waiting.popleft().result()


def check_film(path: Path, width: int, height: int, fps: float, duration: float | None) -> None:
    """Refuse what makes no film."""
    check_size(width, height)
    suffix = path.suffix.lower()
    if suffix not in FILM_SUFFIXES:
        raise RenderError(f"cannot film to {path.name!r}: the suffix must be one of {', '.join(FILM_SUFFIXES)}")
    if not (math.isfinite(fps) and fps > 0.0):
        raise RenderError(f"frames a second must be positive, not {fps}")
    if suffix == ".gif" and fps > MOST_GIF_FPS:
        raise RenderError(f"a GIF plays at most {MOST_GIF_FPS:g} frames a second, not {fps:g}")
    if suffix == ".mp4" and (width % 2 or height % 2):
        raise RenderError(f"an MP4 has an even width and height, not {width}x{height}")
    if duration is not None and not (math.isfinite(duration) and duration >= 0.0):
        raise RenderError(f"a film cannot last {duration} s")


def _write_mp4(path: Path, makers: Sequence[FrameMaker], count: int, fps: float, progress: Progress) -> None:
    pictures = _in_order(makers, count)
    opening = next(pictures)
    height, width = opening.shape[:2]

    def told() -> Iterator[Picture]:
        for k, picture in enumerate(chain([opening], pictures)):
            yield picture
            progress(k + 1, count)

    encode_mp4(path, told(), (width, height), fps)


def _write_gif(path: Path, makers: Sequence[FrameMaker], count: int, fps: float, progress: Progress) -> None:
    """An endless GIF with one palette for all frames, chosen from some of them, so that colours do not flicker."""
    some = np.unique(np.linspace(0, count - 1, PALETTE_FRAMES).astype(int))
    palette = _common_palette([makers[0](int(k)) for k in some])

    def images() -> Iterator[Image.Image]:
        for k, picture in enumerate(_in_order(makers, count)):
            yield Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
            progress(k + 1, count)

    # A GIF counts in hundredths of a second: give each frame what keeps the whole in step.
    ticks = np.round(100.0 * np.arange(count + 1) / fps).astype(int)
    frames = images()
    opening = next(frames)
    opening.save(
        path,
        format="GIF",
        save_all=True,
        append_images=frames,
        duration=[int(10 * tick) for tick in np.diff(ticks)],
        loop=0,
        optimize=False,
        disposal=1,
    )


def _common_palette(pictures: Sequence[Picture]) -> Image.Image:
    """256 colours that suit all pictures: floor, shadows and people share them, however small the people are."""
    pixels = np.concatenate([picture[::2, ::2].reshape(-1, 3) for picture in pictures])
    vivid = np.ptp(pixels.astype(np.int16), axis=1) > VIVID
    dim = ~vivid & (pixels.max(axis=1) < FLOOR_BRIGHTNESS)
    kinds = [pixels[kind] for kind in (vivid, dim, ~(vivid | dim)) if kind.any()]
    even = np.concatenate([np.resize(kind, (PALETTE_PIXELS, 3)) for kind in kinds])
    return Image.fromarray(even[None]).quantize(256, method=Image.Quantize.MEDIANCUT)
