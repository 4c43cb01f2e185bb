"""Names that are looked up when they are first used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import walkon
import walkon.variation


@pytest.mark.parametrize("package", [walkon, walkon.variation])
def test_every_name_of_a_package_is_found(package) -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nothing'"):
        _ = package.nothing


def test_importing_variation_does_no_work() -> None:
    code = "import sys, walkon.variation; print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
