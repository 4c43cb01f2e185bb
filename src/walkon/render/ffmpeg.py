"""MP4 files by ffmpeg, which is believed only if it says at the end that all went well."""

from __future__ import annotations

import subprocess
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from threading import Thread
from typing import IO, cast

import numpy as np

from walkon.basics import Picture
from walkon.errors import MissingExtraError, RenderError

ENCODING = (
    *("-an", "-vcodec", "libx264", "-pix_fmt", "yuv420p", "-v", "error", "-preset", "veryfast", "-crf", "18"),
    *("-movflags", "+faststart", "-fflags", "+bitexact"),
)
"""H.264 in yuv420p, which every browser plays, with its index in front so that it plays while loading."""

COMPLAINTS = 3
"""Lines that ffmpeg wrote last, for the error message."""


def encode_mp4(path: Path, pictures: Iterable[Picture], size: tuple[int, int], fps: float) -> None:
    """Write pictures of a size (width, height) [px] as a film; raises RenderError if ffmpeg fails at any time."""
    command = [_program(), "-y", "-f", "rawvideo", "-vcodec", "rawvideo", "-s", f"{size[0]}x{size[1]}"]
    command += ["-pix_fmt", "rgb24", "-r", str(Fraction(fps).limit_denominator()), "-i", "-", *ENCODING, str(path)]
    process, complaints = _start(command), deque[bytes](maxlen=COMPLAINTS)
    into = cast("IO[bytes]", process.stdin)
    listener = Thread(target=lambda: complaints.extend(cast("IO[bytes]", process.stderr)), daemon=True)
    listener.start()
    whole = False
    try:
        with suppress(BrokenPipeError):  # ffmpeg gave up
            for picture in pictures:
                into.write(np.ascontiguousarray(picture).data)
            into.close()
            whole = process.wait() == 0 and path.is_file() and path.stat().st_size > 0
    finally:
        if not whole:
            process.kill()
        code = process.wait()
        listener.join()
        with suppress(BrokenPipeError):
            into.close()
        cast("IO[bytes]", process.stderr).close()
    if not whole:
        said = "; ".join(line.decode(errors="replace").strip() for line in complaints)
        raise RenderError(f"{path.name}: ffmpeg could not write the film: {said or f'exit code {code}'}")


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        # A session of its own: an interrupt is for us, and then we end ffmpeg.
        return subprocess.Popen(  # noqa: S603
            command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe, start_new_session=True
        )
    except OSError as error:
        raise RenderError(f"{command[0]}: cannot be run: {error.strerror or error}") from None


def _program() -> str:
    try:
        import imageio_ffmpeg

        return imageio_ffmpeg.get_ffmpeg_exe()
    except ImportError:
        raise MissingExtraError("imageio-ffmpeg", "film") from None
    except RuntimeError as error:
        raise RenderError(f"there is no ffmpeg: {error}") from None
