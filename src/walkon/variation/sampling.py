"""Making variants: frame by frame from a model, any number of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from walkon.errors import VariationError
from walkon.motion import Clip
from walkon.motion.features.smoothing import smooth_over_time
from walkon.rotations import continuous
from walkon.variation._kernels_transition import roll_out_all
from walkon.variation.coordinates import progress
from walkon.variation.examples import Floats
from walkon.variation.model import VariationModel
from walkon.variation.preparing import prepare
from walkon.variation.prior import draw_first_frames

STRAY = 0.5
"""How far variants stray by default, as a share of the standard deviations that the model foresees. With more,
poses leave those that are recorded; docs/variation.md has figures."""

TEMPO, TEMPO_LASTS = 0.15, 0.3
"""Of a motion that ends: the spread of its tempo, as a share of the mean tempo, and the time [s] over which it
stays slow or fast. Chosen by eye."""

LONGEST_STREAM = 1 << 20
"""Most frames that one call may be asked for: nine hours at 30 Hz. It keeps a slip of the keyboard from taking all
memory."""

BATCH, BATCH_FRAMES = 64, 1 << 16
"""Variants made at once, and their frames, unless a single one has more; memory is bounded by that."""

STREAM_BLOCK = 300
"""Frames of a stream that are made at once, 10 s at 30 Hz. More would make the first block late."""

MOST_STRAY = 100.0
"""Most that straying and trembling may be asked for, as a multiple; long before, nothing is left of the motion."""

TREMBLING = 1
"""Ends the seeds of random numbers for trembling, so that they differ from all other seeds."""

LEAST_FAVOUR = 0.05
"""Least weight that an input has for a performer, where all weights add up to 1. With 0, performers could be the
copy of one input."""


@dataclass(frozen=True)
class Variety:
    """How variants differ.

    stray: times the deviations that the model foresees; 0 gives the mean motion. tremble: share of the trembling
    of the inputs; 0 is smooth, 1 looks recorded. performer: variants of one performer take after the same inputs
    in the same measure; None for everybody.
    """

    stray: float = STRAY
    tremble: float = 0.0
    performer: int | None = None

    def __post_init__(self) -> None:
        if not (0.0 <= self.stray <= MOST_STRAY and 0.0 <= self.tremble <= MOST_STRAY):
            raise VariationError(f"variants stray and tremble by 0 to {MOST_STRAY:g} times, not {self}")
        if self.performer is not None and self.performer < 0:
            raise VariationError(f"performers have numbers from 0 on, not {self.performer}")


def make_values(
    model: VariationModel, count: int, *, seed: int = 0, variety: Variety | None = None, frames: int | None = None
) -> list[Floats]:
    """Variants in the coordinates of the model: (F, n) each.

    frames: how long, the same for all; by default as long as the inputs, more or less.
    """
    if model.is_partial:
        raise VariationError("this model varies a part of the body; the rest has to be given: use `vary_clip`")
    if count < 0 or (frames is not None and not 3 <= frames <= LONGEST_STREAM):
        raise VariationError(f"cannot make {count} variants of {frames} frames")
    variety, batch = variety or Variety(), BATCH if frames is None else max(1, min(BATCH, BATCH_FRAMES // frames))
    made: list[Floats] = []
    while len(made) < count:
        numbers = range(len(made), min(len(made) + batch, count))
        made += _batch(model, [(seed, number) for number in numbers], variety, frames)
    return made


def make_variants(
    model: VariationModel,
    count: int,
    *,
    seed: int = 0,
    variety: Variety | None = None,
    seconds: float | None = None,
    name: str = "variant",
) -> list[Clip]:
    """New clips of the motion, before feet are put down; see `make_values`."""
    frames = None if seconds is None else max(3, round(seconds * model.coordinates.fps) + 1)
    values = make_values(model, count, seed=seed, variety=variety, frames=frames)
    return [model.coordinates.decode(one, f"{name}_{number:03d}") for number, one in enumerate(values)]


def stream_values(model: VariationModel, *, seed: int = 0, variety: Variety | None = None) -> Iterator[Floats]:
    """A cyclic motion that goes on for ever, in blocks (STREAM_BLOCK, n)."""
    if model.is_partial or not model.is_cyclic:
        raise VariationError(
            "only a motion of the whole body that comes back to where it began can go on for ever"
        )
    variety = variety or Variety()
    random = np.random.default_rng((seed, 0))
    begun = _first_frames(model, random, variety)
    noise, number = variety.stray * model.noise.draw(random, 2), 0
    while True:
        fresh = variety.stray * model.noise.draw(random, STREAM_BLOCK, noise[-1] / max(variety.stray, 1e-9))
        poses = np.concatenate([begun, np.zeros((STREAM_BLOCK, begun.shape[1]), np.float32)])
        _roll(model, poses[None], np.concatenate([noise[-2:], fresh])[None], [variety], np.array([len(poses)]))
        begun, noise, number = poses[-2:], fresh, number + 1
        yield poses[2:] + _tremble(model, variety, (seed, number, TREMBLING), STREAM_BLOCK)


def vary_clip(
    model: VariationModel, clip: Clip, count: int, *, seed: int = 0, variety: Variety | None = None
) -> list[Clip]:
    """Variants of a clip in which only what the model drives is new; the rest, and all timing, is the clip's
    own."""
    if 0 in model.coordinates.joints[model.driven]:
        raise VariationError("this model varies the way of the whole body; use `make_variants`")
    (ready,) = prepare([clip], model.coordinates.fps, least=1)
    given = model.coordinates.encode(ready).astype(np.float32)
    variety = variety or Variety()
    made = []
    for number in range(count):
        random = np.random.default_rng((seed, number))
        poses = given.copy()
        noise = variety.stray * model.noise.draw(random, len(poses))
        poses[:2, model.driven] += (noise[:2] * _spread(model))[:, model.driven]
        _roll(model, poses[None], noise[None], [variety], np.array([len(poses)]))
        made.append(_with_part(model, ready, poses, f"{clip.name}_{number:03d}"))
    return made


def _batch(
    model: VariationModel, seeds: Sequence[tuple[int, int]], variety: Variety, frames: int | None
) -> list[Floats]:
    """Variants made at once, on all cores."""
    lengths, count = model.examples.lengths, len(seeds)
    longest = frames or int(lengths.max())
    poses = np.zeros((count, longest, model.coordinates.count), np.float32)
    noise = np.zeros_like(poses)
    stops = np.full(count, longest)
    for s, seed in enumerate(seeds):
        random = np.random.default_rng(seed)
        if frames is None:
            stops[s] = random.integers(lengths.min(), lengths.max() + 1)
        poses[s, :2] = _first_frames(model, random, variety)
        if model.coordinates.ends:
            poses[s, : stops[s], -1] = _progress(model, random, int(stops[s]), variety.stray)
        noise[s] = variety.stray * model.noise.draw(random, longest)
    _roll(model, poses, noise, [variety] * count, stops)
    for s, seed in enumerate(seeds):
        poses[s] += _tremble(model, variety, (*seed, TREMBLING), longest)
    return [one[:stop] for one, stop in zip(poses, stops, strict=True)]


def _tremble(model: VariationModel, variety: Variety, seed: tuple[int, ...], frames: int) -> Floats:
    """What makes motion (T, n) look recorded; nothing that comes later depends on it."""
    if variety.tremble == 0.0:
        return np.zeros((frames, model.coordinates.count), np.float32)
    fresh = np.random.default_rng(seed).standard_normal((frames, model.coordinates.count), dtype=np.float32)
    return (variety.tremble * fresh @ model.tremble.T).astype(np.float32)


def _progress(model: VariationModel, random: np.random.Generator, frames: int, stray: float) -> Floats:
    """How much is done (F,), as the last number of poses, of a motion now slower, now faster."""
    tempo = smooth_over_time(random.standard_normal((frames, 1)), model.coordinates.fps, TEMPO_LASTS)[:, 0]
    rates = np.exp(stray * TEMPO * tempo / max(float(tempo.std()), 1e-6))[1:]
    return progress(np.concatenate([[0.0], np.cumsum(rates) / rates.sum()])).astype(np.float32)


def _roll(
    model: VariationModel, poses: Floats, noise: Floats, varieties: Sequence[Variety], stops: np.ndarray
) -> None:
    """Fill poses (S, T, n) from the third frame on."""
    examples = model.examples
    favours = np.stack([_favour(model, variety) for variety in varieties])
    roll_out_all(
        poses,
        2,
        stops.astype(np.int64),
        model.edges,
        model.regression.recall(examples),
        np.tile(examples.bars, (len(poses), 1)),
        favours,
        noise,
        np.zeros_like(poses),
    )


def _first_frames(model: VariationModel, random: np.random.Generator, variety: Variety) -> Floats:
    noise = random.standard_normal(2 * model.coordinates.count, dtype=np.float32) * np.float32(variety.stray)
    favour = _shares(model, variety)[model.origins]
    return draw_first_frames(model.prior, model.order, model.instances, favour, model.regression.neighbours, noise)


def _favour(model: VariationModel, variety: Variety) -> Floats:
    """(N,) how much each frame of the inputs counts: as much as the performer takes after its clip."""
    return np.repeat(_shares(model, variety), model.examples.lengths)


def _shares(model: VariationModel, variety: Variety) -> Floats:
    """(L,) how much a performer takes after each of the inputs."""
    if variety.performer is None:
        return np.ones(len(model.examples), np.float32)
    random = np.random.default_rng((variety.performer, 77))
    return np.maximum(random.dirichlet(np.ones(len(model.examples))), LEAST_FAVOUR).astype(np.float32)


def _spread(model: VariationModel) -> Floats:
    """(n,) by how much numbers vary between inputs at the beginning."""
    first = np.stack([model.examples.clip(clip)[0] for clip in range(len(model.examples))])
    return first.std(axis=0)


def _with_part(model: VariationModel, clip: Clip, poses: Floats, name: str) -> Clip:
    """The clip with the rotations of the joints that were driven."""
    made = model.coordinates.decode(poses, name)
    joints = np.unique(model.coordinates.joints[model.driven])
    rotations = clip.rotations.copy()
    rotations[:, joints] = continuous(made.rotations[:, joints])
    return replace(clip, name=name, rotations=rotations)
