"""Compiled code is kept by the text it was made from, whoever wrote it down and wherever it lies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import typeof

import walkon.kernels
from walkon.crowd.live._kernels_checks import gather_scenery
from walkon.kernels import kernel, lean, text_digest

INNER = "from walkon.kernels import inlined\n\n\n@inlined\ndef inner(x):\n    return x + {add}\n"
OUTER = """from walkon.kernels import kernel
from walkon.inner import inner


@kernel
def outer(x):
    return inner(x)


print(outer(1), sum(outer.stats.cache_hits.values()))
"""


def write(home: Path, add: int) -> None:
    """A kernel that inlines another one, in a package of its own whose kernels.py is ours."""
    package = home / "walkon"
    package.mkdir(parents=True, exist_ok=True)
    source = Path(walkon.kernels.__file__).parent
    for name in ("kernels.py", "caching.py", "confining.py", "errors.py"):
        (package / name).write_text((source / name).read_text())
    (package / "__init__.py").write_text("")
    (package / "inner.py").write_text(INNER.format(add=add))
    (package / "outer.py").write_text(OUTER)


def start(home: Path, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "walkon.outer"],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1", **env},
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: subprocess.Popen[str]) -> str:
    """What the kernel gave, and how often it was found compiled."""
    told = process.communicate()[0].strip()
    assert process.returncode == 0
    return told


def run(home: Path, add: int, **env: str) -> str:
    write(home, add)
    return said(start(home, **env))


def test_kept_code_serves_another_checkout_and_notices_edits_of_what_it_inlines(tmp_path):
    env = {"WALKON_CACHE": str(tmp_path / "cache")}
    assert run(tmp_path / "one", 10, **env) == "11 0"
    assert run(tmp_path / "two", 10, **env) == "11 1"
    assert run(tmp_path / "two", 20, **env) == "21 0"


def test_of_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path):
    env = {"WALKON_CACHE": str(tmp_path / "cache")}
    write(tmp_path, 10)
    started = [start(tmp_path, **env) for _ in range(3)]
    assert sorted(map(said, started)) == ["11 0", "11 1", "11 1"]


def test_kept_code_is_not_fetched_for_a_file_that_has_moved(tmp_path, monkeypatch):
    """Compiled code names the modules it was made from: under its old name it cannot be loaded."""
    monkeypatch.setattr(walkon.kernels, "_PACKAGE", tmp_path)
    digests = []
    for place in (tmp_path / "_kernels.py", tmp_path / "room" / "_kernels.py"):
        place.parent.mkdir(exist_ok=True)
        place.write_text(INNER)
        digests.append(text_digest(str(place)))
    assert digests[0] != digests[1]


@pytest.mark.parametrize("cache", ["off", "/dev/null/nowhere"])
def test_without_a_place_to_keep_code_kernels_still_run(tmp_path, cache):
    assert run(tmp_path / "one", 10, WALKON_CACHE=cache) == "11 0"


def test_the_digest_covers_what_a_file_imports():
    from walkon.planning import _kernels_search

    reached = {file.name for file in walkon.kernels._reached(Path(_kernels_search.__file__))}
    assert {"_kernels_search.py", "kernels_collision.py", "kernels.py"} <= reached
    assert len(text_digest(_kernels_search.__file__)) == 20


def test_a_lean_kernel_reads_arrays_and_hands_out_none():
    numbers = np.arange(3.0)
    assert lean(lambda values: values.sum())(numbers) == 3.0
    assert lean(lambda values: (values[0], values[1]))(numbers) == (0.0, 1.0)
    for hands_out in (lambda values: values, lambda values: (1, (values, 2))):
        with pytest.raises(TypeError, match="hands out arrays"):
            lean(hands_out)(numbers)


def test_a_kernel_counts_who_holds_arrays_whoever_calls_it_first():
    """What a lean kernel calls would else be lean, too, and free an array that is still held."""
    makes = kernel(lambda count: np.zeros(count) + 1.0)
    assert lean(lambda count: makes(count).size)(3) == 3
    kept = [makes(100_000) for _ in range(20)]
    for k, array in enumerate(kept):
        array[:] = k
    assert [array[0] for array in kept] == list(range(20))


def test_python_cannot_hand_structures_to_lean_kernels():
    """Each call would count a holder more: the ground of a live scene was never freed when it had changed."""
    make = kernel(lambda values: gather_scenery(values, 0, 0))
    size = lean(lambda scenery, values: values.size)
    through = kernel(lambda values: size(gather_scenery(values, 0, 0), values))
    values = np.arange(3.0)
    scenery = make(values)
    with pytest.raises(TypeError, match="Python cannot call it with structures"):
        size(scenery, values)
    assert through(values) == 3
    # Neither now that other kernels have had it compiled.
    with pytest.raises(TypeError, match="Python cannot call it with structures"):
        size(scenery, values)
    with pytest.raises(TypeError, match="hands out arrays"):
        lean(lambda scenery: (1, scenery)).compile((typeof(scenery),))
