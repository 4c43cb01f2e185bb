"""A second opinion on exported GLB files: python tools/check_glb.py FILE.glb

Reads nothing of walkon's, neither code nor takes: the file is played as any viewer plays it, in every frame and
half-way between, with bodies made of bone lengths alone. Nobody may touch another; nobody may be under the ground;
of somebody who is carried by the ground something must stand still; no joint may jump. Exit code 1 if anything is
found.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))  # for tests, which load this file from elsewhere

from glb_motion import Array, GlbError, GlbScene

STOUT = 0.2
"""Radius of a bone's capsule, as a share of its length. Limbs are stouter: who touches here touches indeed."""

THICKEST = 0.1
"""[m] that no radius exceeds, for bones as long as a back."""

SINK = 0.01
"""[m] that a joint may be below the ground. In honest takes none comes nearer to it than 0.018 m, for soles are
thick; more would let people wade."""

NEAR = 0.008
"""[m] above their usual height at which tips of toes and heels carry. More takes a runner in the air for one who
stands: toes are hardly higher."""

SLIDE = 0.05
"""[m] by which the stillest of them may move within HOLD. Runners who push off come to 0.03, walkers to 0.01."""

HOLD = 0.4
"""[s]. About one step: longer would add up the small slips of several."""

HASTE = 10.0
"""[m/s] of any joint, of somebody 1.7 m tall. A runner's foot swings with 6; more would let people leap unseen."""

JERK = 200.0
"""[m/s²] of any joint in one frame, of somebody 1.7 m tall. Toes that strike the ground come to 155."""


@dataclass(frozen=True)
class Finding:
    """kind: `touch`, `sunk`, `slide`, `haste` or `jerk`. time: [s]. amount: depth, way [m], or what kind says."""

    kind: str
    who: str
    other: str
    time: float
    amount: float
    unit: str


@dataclass(frozen=True)
class Motion:
    """Somebody's joints (T, J, 3) [m] at all times, whether they are there (T,), and bones (B, 2).

    radii: (B,) [m]. tall: [m].
    """

    name: str
    points: Array
    there: NDArray[np.bool_]
    bones: NDArray[np.int64]
    radii: Array
    leaves: list[int]
    tall: float


def check(path: Path | str) -> list[Finding]:
    """Everything that is wrong with a file, the worst of each kind for each person and pair."""
    scene = GlbScene(path)
    frames = scene.times()
    times = np.sort(np.concatenate([frames, 0.5 * (frames[1:] + frames[:-1])]))
    motions = [_motion(scene, walker, times) for walker in scene.walkers()]
    if not motions:
        raise GlbError(f"{path}: nobody in it has bones")
    found = [one for k, a in enumerate(motions) for b in motions[k + 1 :] for one in _touches(a, b, times)]
    ground = scene.ground()
    for one in motions:
        found += [*_sunk(one, times, ground), *_slides(one, times, ground), *_jumps(one, times)]
    return found


def _motion(scene: GlbScene, walker, times: Array) -> Motion:
    points, there = scene.positions(walker, times)
    bones = np.array([(parent, joint) for joint, parent in enumerate(walker.parents) if parent >= 0])
    lengths = np.linalg.norm(points[0, bones[:, 1]] - points[0, bones[:, 0]], axis=1)
    tall = float(np.percentile(np.ptp(points[:, :, 1], axis=1), 90))
    return Motion(walker.name, points, there, bones, np.minimum(STOUT * lengths, THICKEST), walker.leaves, tall)


def _touches(a: Motion, b: Motion, times: Array) -> Iterator[Finding]:
    """The deepest that two bodies are in each other."""
    # Whoever is farther apart than both reach cannot touch.
    reach = [np.linalg.norm(one.points - one.points[:, :1], axis=2).max() + THICKEST for one in (a, b)]
    apart = np.linalg.norm(a.points[:, 0] - b.points[:, 0], axis=1)
    moments = np.flatnonzero((apart < sum(reach)) & a.there & b.there)
    worst = (0.0, 0.0)
    for some in np.array_split(moments, len(moments) // 200 + 1):
        if len(some):
            ends = [one.points[some][:, one.bones] for one in (a, b)]
            gaps = _distances(ends[0][:, :, None], ends[1][:, None]) - a.radii[:, None] - b.radii
            least = gaps.min(axis=(1, 2))
            k = int(least.argmin())
            worst = min(worst, (float(least[k]), float(times[some[k]])))
    if worst[0] < 0.0:
        yield Finding("touch", a.name, b.name, worst[1], -worst[0], "m")


def _distances(a: Array, b: Array) -> Array:
    """Least distance [m] of segments (..., 2, 3), each with each: at an end of one of them, or between both."""
    best = np.minimum.reduce([
        _to_segment(a[..., 0, :], b), _to_segment(a[..., 1, :], b),
        _to_segment(b[..., 0, :], a), _to_segment(b[..., 1, :], a),
    ])  # fmt: skip
    u, v, w = a[..., 1, :] - a[..., 0, :], b[..., 1, :] - b[..., 0, :], a[..., 0, :] - b[..., 0, :]
    uu, uv, vv, uw, vw = (np.einsum("...k,...k", *pair) for pair in ((u, u), (u, v), (v, v), (u, w), (v, w)))
    area = uu * vv - uv * uv
    safe = np.where(area > 1e-12, area, 1.0)
    s, t = (uv * vw - vv * uw) / safe, (uu * vw - uv * uw) / safe
    inside = (area > 1e-12) & (s > 0.0) & (s < 1.0) & (t > 0.0) & (t < 1.0)
    between = np.linalg.norm(w + s[..., None] * u - t[..., None] * v, axis=-1)
    return np.where(inside, np.minimum(best, between), best)


def _to_segment(point: Array, segment: Array) -> Array:
    along = segment[..., 1, :] - segment[..., 0, :]
    length = np.maximum(np.einsum("...k,...k", along, along), 1e-12)
    share = np.clip(np.einsum("...k,...k", point - segment[..., 0, :], along) / length, 0.0, 1.0)
    return np.linalg.norm(point - segment[..., 0, :] - share[..., None] * along, axis=-1)


def _heights(points: Array, ground: tuple[Array, NDArray[np.int64]] | None) -> Array:
    """Of points (..., 3) above the ground [m]; above height 0 where there is none."""
    if ground is None or np.ptp(ground[0][:, 1]) < 1e-6:
        return points[..., 1] - (0.0 if ground is None else ground[0][0, 1])
    flat = points.reshape(-1, 3)
    below = np.zeros(len(flat))
    for corners in ground[0][ground[1]]:
        (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = corners
        area = (x1 - x0) * (z2 - z0) - (x2 - x0) * (z1 - z0)
        if abs(area) < 1e-12:
            continue
        x, z = flat[:, 0] - x0, flat[:, 2] - z0
        s, t = (x * (z2 - z0) - z * (x2 - x0)) / area, (z * (x1 - x0) - x * (z1 - z0)) / area
        own = (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1.0 + 1e-9)
        below[own] = y0 + s[own] * (y1 - y0) + t[own] * (y2 - y0)
    return (flat[:, 1] - below).reshape(points.shape[:-1])


def _sunk(one: Motion, times: Array, ground) -> Iterator[Finding]:
    """The deepest that anything of somebody is under the ground."""
    lowest = np.where(one.there, _heights(one.points, ground).min(axis=1), np.inf)
    k = int(lowest.argmin())
    if lowest[k] < -SINK:
        yield Finding("sunk", one.name, "", float(times[k]), float(-lowest[k]), "m")


def _slides(one: Motion, times: Array, ground) -> Iterator[Finding]:
    """The farthest that somebody slides while the ground carries them: the way of the stillest joint near it."""
    ends = one.points[:, one.leaves]
    heights = _heights(ends, ground)
    near = heights < np.percentile(heights.min(axis=1)[one.there], 10) + NEAR if one.there.any() else heights < 0.0
    ways = np.linalg.norm(np.diff(ends[..., [0, 2]], axis=0), axis=2)
    ways = np.where(near[1:] & near[:-1] & (one.there[1:] & one.there[:-1])[:, None], ways, np.inf).min(axis=1)
    # Where nothing is near the ground, somebody leaps.
    total = np.concatenate([[0.0], np.cumsum(np.where(np.isfinite(ways), ways, 0.0))])
    until = np.minimum(np.searchsorted(times, times + HOLD), len(times) - 1)
    slid = total[until] - total
    k = int(slid.argmax())
    if slid[k] > SLIDE:
        yield Finding("slide", one.name, "", float(times[k]), float(slid[k]), "m")


def _jumps(one: Motion, times: Array) -> Iterator[Finding]:
    """The fastest joint, and the most sudden one."""
    size = max(one.tall, 0.1) / 1.7
    frames = slice(0, None, 2)  # half-way moments are straight lines
    points, when, there = one.points[frames], times[frames], one.there[frames]
    if len(when) < 3:
        return
    velocity = np.diff(points, axis=0) / np.diff(when)[:, None, None]
    speed = np.where(there[1:] & there[:-1], np.linalg.norm(velocity, axis=2).max(axis=1), 0.0)
    change = np.linalg.norm(np.diff(velocity, axis=0), axis=2).max(axis=1) / (0.5 * (when[2:] - when[:-2]))
    change = np.where(there[2:] & there[1:-1] & there[:-2], change, 0.0)
    for kind, values, most, unit in (("haste", speed, HASTE, "m/s"), ("jerk", change, JERK, "m/s²")):
        k = int(values.argmax())
        if values[k] > most * size:
            yield Finding(kind, one.name, "", float(when[k + 1]), float(values[k]), unit)


def main(words: Sequence[str] | None = None) -> int:
    """Check files and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(words)
    told, failed = {}, False
    for path in options.files:
        try:
            found = check(path)
        except (GlbError, OSError, KeyError, IndexError, TypeError) as error:
            what = error if isinstance(error, GlbError | OSError) else f"{path}: {error!r}"
            sys.stderr.write(f"check_glb: {what}\n")
            return 1
        told[str(path)], failed = [asdict(one) for one in found], failed or bool(found)
        if not options.json:
            sys.stdout.write(f"{path}: {len(found)} findings\n")
            for one in found:
                names = f"{one.who}, {one.other}" if one.other else one.who
                sys.stdout.write(f"  {one.kind:6} {one.time:8.3f} s  {one.amount:9.3f} {one.unit:5} {names}\n")
    if options.json:
        sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
