"""Write constraints.txt: the exact versions installed now, with no host and no path in it."""

from __future__ import annotations

from importlib.metadata import distributions
from pathlib import Path

OURSELVES = {"walkon", "pip", "setuptools", "wheel"}
HEADER = "# Versions that passed `make test` together. Made by `make constraints`; read by pip as constraints.\n"


def main() -> None:
    """Replace the constraints file beside the Makefile."""
    pins = {dist.name.lower(): f"{dist.name}=={dist.version}" for dist in distributions()}
    lines = sorted((pin for name, pin in pins.items() if name not in OURSELVES), key=str.lower)
    target = Path(__file__).resolve().parents[1] / "constraints.txt"
    target.write_text(HEADER + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
