"""Feed damaged model files to the reader: only a VariationError or a model that makes variants may come out.

    python fuzz/fuzz_variation.py --seconds 60

Whole files are damaged at random, which their seal must notice. Headers and numbers are damaged in a file that is
sealed anew, which gets past the seal and hammers what lies behind; of every model that is accepted then, a variant
is made. It makes its seed itself.
"""

from __future__ import annotations

import functools
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere
import _runner
import _sealed

from walkon.errors import VariationError, WalkonError
from walkon.motion import Clip
from walkon.rotations import from_axis_angle
from walkon.skeleton import Skeleton
from walkon.variation import VariationModel, learn_variation, make_variants, read_model, write_model
from walkon.variation.model_file import MODEL_FORMAT

TOKENS = (
    *_runner.JSON_TOKENS,
    *(b'"<i8"', b'"|O"', b'"shape": [9999999999, 3]', b'"offset": 0', b'"fps": 1e-300', b'"neighbours": 1e9'),
    *(MODEL_FORMAT.magic, b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff"),
)
"""Bits that models are made of, or should not be."""


@functools.cache
def seed_model() -> VariationModel:
    """Two clips of a pole that bows and an arm on it that swings."""
    skeleton = Skeleton(["root", "arm", "tip"], [-1, 0, 1], np.eye(3), [False, False, True])
    clips = []
    for number in range(2):
        phases = np.arange(24 + number) / 4.0 + number
        rotations = np.zeros((len(phases), 3, 4))
        rotations[..., 0] = 1.0
        rotations[:, 0] = from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.2 * np.sin(phases))
        rotations[:, 1] = from_axis_angle(np.array([0.0, 0.0, 1.0]), (0.5 + 0.1 * number) * np.cos(phases))
        roots = np.column_stack([0.1 * np.sin(phases), np.ones(len(phases)), 0.1 * phases])
        clips.append(Clip(f"clip {number}", skeleton, 30.0, roots, rotations))
    return learn_variation(clips, restarts=1, rounds=2)


@functools.cache
def seed_bytes() -> bytes:
    """The file of the seed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "seed.model"
        write_model(seed_model(), path)
        return path.read_bytes()


parts = _sealed.parts


def sealed(header: bytes, arrays: bytes, *, version: int = 1) -> bytes:
    """A file with that header and those arrays, its lengths and its seal as they should be."""
    return _sealed.sealed(seed_bytes()[:16], header, arrays, version=version)


def damaged(rng: random.Random) -> bytes:
    """A damaged file: as a whole, or sealed after its header or its arrays were damaged."""
    return _sealed.damaged(seed_bytes(), rng, TOKENS, sizes=(1, 4, 8, 8), most=28)


def read_one(data: bytes) -> bool:
    """Whether a model came out, and variants of it can be made; anything but a VariationError passes on."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.model"
        path.write_bytes(data)
        try:
            model = read_model(path)
        except VariationError as error:
            if not str(error).startswith(str(path)):
                raise AssertionError(f"the file is not named: {error}") from error
            return False
        write_model(model, path)
    # Numbers may be absurd and still hold together; what cannot be made of them is said in the usual way.
    with np.errstate(all="ignore"):
        try:
            make_variants(model, 2)
        except WalkonError:
            return True
    return True


def fuzz(*, seconds: float | None = None, count: int | None = None, seed: int = 0) -> tuple[int, int]:
    """Read damaged files for so long, or so many; how many there were and how many still were models."""
    return _runner.repeat(read_one, damaged, seconds=seconds, count=count, seed=seed)


if __name__ == "__main__":
    _runner.run(__doc__, read_one, damaged, "models and VariationErrors", good=[seed_bytes()])
