"""What every test may ask for: the recordings, when they are there, and small clips made on the spot."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from walkon.caching import cache_folder

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for one test; but compiled kernels are shared, as compiling them takes minutes."""
    shared, own = cache_folder(), tmp_path / "cache"
    own.mkdir()
    if shared is not None:
        (shared / "kernels").mkdir(parents=True, exist_ok=True)
        (own / "kernels").symlink_to(shared / "kernels")
    monkeypatch.setenv("WALKON_CACHE", str(own))
    return own


@pytest.fixture(scope="session")
def mocap() -> Path:
    """Folder of real recordings; tests that need it skip where it is absent."""
    folder = Path(os.environ.get("WALKON_MOCAP", ROOT.parent / "shared" / "mocap"))
    if not (folder / "cmu" / "bvh").is_dir():
        pytest.skip(f"no recordings at {folder}; set WALKON_MOCAP to the folder that holds cmu/bvh")
    return folder
