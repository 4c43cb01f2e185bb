"""Compiled code is kept by the text it was made from, whoever wrote it down and wherever it lies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import walkon.kernels
from walkon.kernels import text_digest

INNER = "from walkon.kernels import inlined\n\n\n@inlined\ndef inner(x):\n    return x + {add}\n"
OUTER = """from walkon.kernels import kernel
from walkon.inner import inner


@kernel
def outer(x):
    return inner(x)


print(outer(1), sum(outer.stats.cache_hits.values()))
"""


def run(home: Path, add: int, **env: str) -> str:
    """What a kernel says that inlines another one, in a package of its own whose kernels.py is ours."""
    package = home / "walkon"
    package.mkdir(parents=True, exist_ok=True)
    source = Path(walkon.kernels.__file__).parent
    for name in ("kernels.py", "caching.py"):
        (package / name).write_text((source / name).read_text())
    (package / "__init__.py").write_text("")
    (package / "inner.py").write_text(INNER.format(add=add))
    (package / "outer.py").write_text(OUTER)
    told = subprocess.run(
        [sys.executable, "-m", "walkon.outer"],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1", **env},
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.strip()


def test_kept_code_serves_another_checkout_and_notices_edits_of_what_it_inlines(tmp_path):
    env = {"WALKON_CACHE": str(tmp_path / "cache")}
    assert run(tmp_path / "one", 10, **env) == "11 0"
    assert run(tmp_path / "two", 10, **env) == "11 1"
    assert run(tmp_path / "two", 20, **env) == "21 0"


@pytest.mark.parametrize("cache", ["off", "/dev/null/nowhere"])
def test_without_a_place_to_keep_code_kernels_still_run(tmp_path, cache):
    assert run(tmp_path / "one", 10, WALKON_CACHE=cache) == "11 0"


def test_the_digest_covers_what_a_file_imports():
    from walkon.planning import _kernels_search

    reached = {file.name for file in walkon.kernels._reached(Path(_kernels_search.__file__))}
    assert {"_kernels_search.py", "kernels_collision.py", "kernels.py"} <= reached
    assert len(text_digest(_kernels_search.__file__)) == 20
