"""What is imported when: nothing heavy for the package and its help, and in rooms only what most of it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import walkon

HEAVY = ("numpy", "numba", "scipy", "pydantic", "rich", "PIL", "pxr")
"""Each takes a tenth of a second or more."""

SELDOM_NEEDED = (
    "scipy.interpolate", "scipy.ndimage", "scipy.optimize", "scipy.signal", "scipy.spatial",
    "scipy.stats", "imageio_ffmpeg", "mujoco", "pxr", "pyrvo", "rich", "trimesh", "typer",
)  # fmt: skip
"""Parts of rooms need them: those import them where they use them."""

ROOMS = sorted(
    found.stem
    for found in Path(walkon.__file__).parent.iterdir()
    if (found.suffix == ".py" or (found / "__init__.py").is_file()) and not found.stem.startswith("__")
)


def imported_by(code: str, modules: tuple[str, ...]) -> list[str]:
    """Which of the modules a new process has imported after running some code."""
    told = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*{{*{modules}}} & sys.modules.keys())"],
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.splitlines()[-1].split()


@pytest.mark.parametrize(
    "code",
    [
        "import walkon",
        "import walkon.cli",
        "sys.argv = ['walkon', '--help']\ntry:\n    from walkon.cli import main; main()\nexcept SystemExit: pass",
    ],
    ids=["package", "command line", "help"],
)
def test_nothing_heavy_is_imported_by(code):
    assert imported_by(code, HEAVY) == []


def test_rooms_import_what_is_seldom_needed_only_where_it_is():
    assert imported_by("\n".join(f"import walkon.{room}" for room in ROOMS), SELDOM_NEEDED) == []
