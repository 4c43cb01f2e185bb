"""Files made on the spot for the tests of the readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HIERARCHY = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -45 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 -45 10
      }
    }
  }
  JOINT Spine
  {
    OFFSET 0 50 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 30 0
    }
  }
}
"""
"""Three joints and two tips, 15 channels, in centimetres."""


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write text or bytes to a file of that name and return its path; line ends stay as they are."""

    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.fixture
def bvh_text() -> Callable[..., str]:
    """Make the text of a BVH file from rows of numbers."""

    def make(rows: list[list[float]], *, hierarchy: str = HIERARCHY, time: str = "0.01", frames: str = "") -> str:
        lines = [" ".join(f"{value:.6f}" for value in row) for row in rows]
        return f"{hierarchy}MOTION\nFrames: {frames or len(rows)}\nFrame Time: {time}\n" + "\n".join(lines) + "\n"

    return make
