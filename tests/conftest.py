"""What every test may ask for: the recordings, when they are there, and small clips made on the spot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def mocap() -> Path:
    """Folder of real recordings; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("WALKON_MOCAP", ROOT.parent / "shared" / "mocap"))
    if not (folder / "cmu" / "bvh").is_dir():
        pytest.skip(f"no recordings at {folder}; set WALKON_MOCAP to the folder that holds cmu/bvh")
    return folder
