"""Variation by noise alone, to compare with: the naive and the Perlin noise of section 5.6.4 of Lau (2009).

Both take one of the clips and add noise to every rotation, each degree of freedom for itself; that is what is
wrong with them. How much is added is to be as much as the variants differ that they are compared with
(`match_amount`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion import Clip
from walkon.motion.features.smoothing import smooth_over_time
from walkon.rotations import angle_between, conjugate, continuous, exponential, logarithm, multiply, normalize
from walkon.variation.perlin import perlin
from walkon.variation.poses import check_alike, own_positions, own_rotations
from walkon.variation.warping import rows_along, warp

Noise = Callable[..., list[Clip]]

SMOOTHING = 0.1
"""Standard deviation [s] of the smoothing of naive noise. Lau (2009) smooths it, too, and does not say by how
much."""

STATISTICS_SMOOTHING = 0.15
"""Standard deviation [s] of the smoothing of how clips differ: a few clips alone would give ragged figures."""

SLOWEST = 1.0
"""Rate [Hz] of the slowest octave of Perlin noise: about that of a stride."""

OCTAVES, PERSISTENCE = 3, 0.5
"""Octaves of Perlin noise. Each is twice as fast as the one before, and PERSISTENCE times as high."""

LOOSE_ENDS = 0.5
"""Time [s] that may be left out at each end where clips are warped to each other: phases differ."""

MATCHING_ROUNDS, CLOSE = 8, 0.01
"""Most tries to match an amount of noise, and the relative error of the change at which to stop."""


def naive_noise(clips: Sequence[Clip], count: int, *, seed: int = 0, amount: float = 1.0) -> list[Clip]:
    """`count` clips, each one of `clips` plus smoothed noise as large as these differ.

    The clips are warped in time to the chosen one; their spread about it, for each degree of freedom and moment,
    is the standard deviation of the noise, `amount` times. At least two clips are needed.
    """
    _check(clips, count, amount)
    if len(clips) < 2:
        raise ClipError("naive noise is made from how clips differ: give two or more")
    spreads = [_spread(clip, [other for other in clips if other is not clip]) for clip in clips]

    def noise(which: int, random: np.random.Generator) -> Array:
        spread = spreads[which]
        white = random.standard_normal((len(spread), spread[0].size))
        smooth = smooth_over_time(white, clips[which].fps, SMOOTHING)
        smooth /= max(float(smooth.std()), 1e-12)
        return smooth.reshape(spread.shape) * spread

    return _with_noise(clips, count, seed, amount, noise, "naive")


def perlin_noise(clips: Sequence[Clip], count: int, *, seed: int = 0, amount: float = 1.0) -> list[Clip]:
    """`count` clips, each one of `clips` plus Perlin's band-limited noise.

    It is `amount` times as large as the degree of freedom itself varies in the clip.
    """
    _check(clips, count, amount)

    def noise(which: int, random: np.random.Generator) -> Array:
        clip = clips[which]
        spread = _deviations(clip).std(axis=0)
        times = np.arange(len(clip)) / clip.fps
        drawn = perlin(times, spread.size, random, slowest=SLOWEST, octaves=OCTAVES, persistence=PERSISTENCE)
        return drawn.reshape(len(clip), *spread.shape) * spread

    return _with_noise(clips, count, seed, amount, noise, "perlin")


@dataclass(frozen=True)
class PoseChange:
    """How much clips differ from others [rad²]: mean and standard deviation of the normalised sums of squared
    differences of joints over pairs."""

    mean: float
    spread: float


def change_between(clip: Clip, other: Clip) -> float:
    """Normalised sum of squared differences of joints [rad²]: mean over frames that belong together and joints.

    The clips are warped in time to each other first: what differs in timing alone is no change of poses.
    """
    path = warp(_flat(clip), _flat(other), loose=round(LOOSE_ENDS * clip.fps))
    a, b = own_rotations(clip)[path[:, 0]], own_rotations(other)[path[:, 1]]
    return float((angle_between(a, b) ** 2).mean())


def measure_change(inputs: Sequence[Clip], variants: Sequence[Clip]) -> PoseChange:
    """The change over all pairs of a variant and an input."""
    check_alike([inputs, variants], ["inputs", "variants"])
    sums = [change_between(variant, given) for variant in variants for given in inputs]
    return PoseChange(float(np.mean(sums)), float(np.std(sums)))


def match_amount(
    inputs: Sequence[Clip], variants: Sequence[Clip], noise: Noise = naive_noise, *, seed: int = 0, count: int = 6
) -> float:
    """The amount at which noisy clips differ from the clip they were made of as variants differ from inputs.

    noise: `naive_noise` or `perlin_noise`. The mean over `count` noisy clips is brought to that over pairs of a
    variant and an input; Lau asks that it be within one standard deviation. Where noise cannot change clips
    that much, the amount that comes closest.
    """
    wanted = measure_change(inputs, variants).mean
    if wanted <= 0.0:
        return 0.0
    amount, closest = 1.0, (np.inf, 1.0)
    for _ in range(MATCHING_ROUNDS):
        noisy = noise(inputs, count, seed=seed, amount=amount)
        changes = [_synchronous_change(one, inputs[k % len(inputs)]) for k, one in enumerate(noisy)]
        reached = float(np.mean(changes))
        if reached <= 0.0:
            return 1.0
        error = abs(reached / wanted - 1.0)
        closest = min(closest, (error, amount))
        if error < CLOSE:
            break
        # Squares grow with the square, until angles are large.
        amount *= np.sqrt(wanted / reached)
    return float(closest[1])


def _synchronous_change(clip: Clip, other: Clip) -> float:
    return float((angle_between(own_rotations(clip), own_rotations(other)) ** 2).mean())


def _check(clips: Sequence[Clip], count: int, amount: float) -> None:
    check_alike([clips], ["clips"])
    if count < 0:
        raise ClipError(f"{count} clips cannot be made")
    if not (np.isfinite(amount) and amount >= 0):
        raise ClipError(f"the amount of noise is a number from 0 up, not {amount}")


def _flat(clip: Clip) -> Array:
    """Poses (F, J·3) [m] that warping compares."""
    return own_positions(clip).reshape(len(clip), -1)


def _spread(clip: Clip, others: Sequence[Clip]) -> Array:
    """How far the others, warped to the clip in time, are from it (F, J, 3) [rad], root mean square."""
    total = np.zeros((len(clip), len(clip.skeleton), 3))
    for other in others:
        path = warp(_flat(clip), _flat(other), loose=round(LOOSE_ENDS * clip.fps))
        rows = rows_along(path, len(clip)).round().astype(np.int64)
        mine, theirs = _headless(clip), _headless(other)[rows]
        total += logarithm(multiply(conjugate(mine), theirs)) ** 2
    mean = smooth_over_time((total / len(others)).reshape(len(clip), -1), clip.fps, STATISTICS_SMOOTHING)
    return np.sqrt(np.maximum(mean, 0.0)).reshape(total.shape)


def _headless(clip: Clip) -> Array:
    """All local rotations (F, J, 4), the root's without its heading."""
    rotations = clip.rotations.copy()
    rotations[:, ~clip.skeleton.tips] = own_rotations(clip)
    return rotations


def _deviations(clip: Clip) -> Array:
    """Rotation vectors (F, J, 3) [rad] of every joint about its mean rotation."""
    rotations = _headless(clip)
    # The mean rotation is the longest axis of the quaternions' scatter, for which signs do not matter.
    scatter = np.einsum("fja,fjb->jab", rotations, rotations)
    mean = np.linalg.eigh(scatter)[1][..., -1]
    return logarithm(multiply(conjugate(mean), rotations))


def _with_noise(
    clips: Sequence[Clip],
    count: int,
    seed: int,
    amount: float,
    noise: Callable[[int, np.random.Generator], Array],
    name: str,
) -> list[Clip]:
    """Noise (F, J, 3) [rad] on top of the clips in turn; who goes where stays as it was."""
    made = []
    for number in range(count):
        which = number % len(clips)
        clip = clips[which]
        vectors = amount * noise(which, np.random.default_rng([seed, number]))
        vectors[:, clip.skeleton.tips] = 0.0
        rotations = continuous(normalize(multiply(clip.rotations, exponential(vectors))))
        fields = {"rotations": rotations, "contacts": None, "name": f"{clip.name} {name} {number + 1}"}
        made.append(clip.with_changes(**fields))
    return made
