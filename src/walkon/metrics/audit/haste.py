"""Does anybody move as no body can?

Muscles turn joints only so fast and speed limbs up only so much, and the ground throws a body only so hard. These
limits are absolute: no clip excuses what is beyond them. They are measured over a thirtieth of a second, whatever
the rate of the take, so that a recording at 120 Hz is judged as it is seen and not by how markers shake.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from walkon.basics import Array, Flags
from walkon.metrics.audit import _kernels_haste
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.flaws import Flaw, stretches
from walkon.skeleton import Body, find_roles

GRAVITY = 9.81
"""Acceleration of what falls [m/s²]."""

FREE_FALL = (4.0, 16.0)
"""Downward accelerations [m/s²] of the centre of mass that pass for free fall. They are wide about 9.81, because
poses are sampled and blended."""

LOOK = 1 / 30
"""Time [s] over which speeds and accelerations are measured: a frame of a film. A longer one hides what happens in
a single frame, a shorter one shows how markers shake."""

FASTEST_TURN = 48.0
"""Fastest turn [rad/s] of a joint against the one above it: 92° a frame at 30 Hz. People of the built-in casts and
recorded ones stay below 23, a horse's fetlocks at a gallop below 35. A larger limit would pass half a turn a
frame."""

LEAST_REACH = 0.06
"""A joint's turns count if what hangs on it reaches this share of the body's height: thumbs are recorded badly,
and nobody sees them."""

HARDEST_LIMB = {True: 34.0, False: 68.0}
"""Largest acceleration [g] of any joint, for those who walk on two legs and for others. Hands of a built-in
skateboarder reach 22 g, hooves at a gallop 49. A larger limit would pass legs that run three times as fast."""

HARDEST_BODY = 11.0
"""Largest acceleration [g] of a body as a whole. Built-in people landing from a long jump reach 8 g for a frame,
recorded ones 5. At 30 Hz a body that is moved by 12 cm between two frames has 11 g."""

WIDEST_TREMBLE = 0.04
"""How far from peak to peak, as a share of the body's height, a joint may go to and fro from frame to frame at 30
Hz: 7 cm for an adult. A built-in horse at a gallop reaches 0.026 with a knee, recorded people 0.023 with a toe,
built-in people 0.014. A larger limit would pass a hand that flickers."""

WIDEST_SHAKE = 0.008
"""The same for a body as a whole: 1.4 cm for an adult. Built-in people stay below 0.003, recorded ones too."""

FASTEST_WALK = 0.8
"""Fastest way on two legs without leaving the ground, as a share of sqrt(gravity × height): 3.3 m/s for an adult.
Built-in people walk at 0.33 and jog at 0.64, hardly leaving the ground; a racing walker would be accused. With
more, a walk could be run at three times its speed."""

WALK_TIME = 0.5
"""Least time [s] on the ground after which somebody did not run: a step of a run is shorter."""


def find_haste(bodies: Bodies, person: int, fps: float) -> Iterator[Flaw]:
    """Joints that turn, move or tremble faster than a body can, and bodies that are thrown about."""
    clip, body, points = bodies.clips[person], bodies.bodies[person], bodies.positions(person)
    stride = max(1, round(LOOK * fps))
    seconds = stride / fps
    shape = (len(points), 2)
    bends, turns, trembles = np.empty(shape), np.empty(shape), np.empty(shape)
    _kernels_haste.measure_haste(
        points, clip.rotations, _counted(body), stride, bends, turns, trembles, np.empty((4, 3))
    )
    hardest = HARDEST_LIMB[find_roles(body.skeleton).is_biped]
    to_g = 1.0 / (GRAVITY * seconds * seconds)
    yield from _over(bodies, person, turns / [seconds, 1.0], FASTEST_TURN, "turns at {:.0f} rad/s")
    yield from _over(bodies, person, bends * [to_g, 1.0], hardest, "is accelerated by {:.0f} g")
    widest = WIDEST_TREMBLE * body.height * 1e3
    yield from _over(bodies, person, trembles * [1e3, 1.0], widest, "trembles by {:.0f} mm")
    whole = np.ascontiguousarray(centres(body, points)[:, None])
    still = np.zeros(1, dtype=np.bool_)
    _kernels_haste.measure_haste(whole, clip.rotations, still, stride, bends, turns, trembles, np.empty((4, 3)))
    yield from _over(
        bodies, person, bends * [to_g, 0.0], HARDEST_BODY, "and the whole body are thrown by {:.0f} g"
    )
    widest = WIDEST_SHAKE * body.height * 1e3
    yield from _over(bodies, person, trembles * [1e3, 0.0], widest, "and the whole body shake by {:.0f} mm")


def centres(body: Body, points: Array) -> Array:
    """Centres of mass (F, 3) [m] of a body with joints at points (F, J, 3)."""
    weights = np.zeros(points.shape[1])
    along = body.spans.mean(axis=1)
    np.add.at(weights, body.starts, body.masses * (1.0 - along))
    np.add.at(weights, body.ends, body.masses * along)
    return np.einsum("fjc,j->fc", points, weights)


def falling_at(body: Body, points: Array, fps: float) -> float:
    """Downward acceleration [m/s²] of a body with joints at points (F, J, 3): of a parabola through its
    heights."""
    heights = centres(body, points)[:, 1]
    return float(-2.0 * np.polyfit(np.arange(len(heights)) / fps, heights, 2)[0]) if len(heights) > 2 else 0.0


def find_fast_walks(bodies: Bodies, person: int, fps: float, carried: Flags) -> Iterator[Flaw]:
    """Stretches in which somebody on two legs gets ahead faster than walking can, and never leaves the ground.

    carried: (F,) whether the body stands on something that neither moves nor rolls.
    """
    body, points = bodies.bodies[person], bodies.positions(person)
    if not find_roles(body.skeleton).is_biped:
        return
    fastest = FASTEST_WALK * math.sqrt(GRAVITY * body.height)
    window = max(round(WALK_TIME * fps), 1)
    path = centres(body, points)[:, [0, 2]]
    if len(path) <= window:
        return
    speeds = np.hypot(*(path[window:] - path[:-window]).T) * fps / window
    grounded = np.lib.stride_tricks.sliding_window_view(carried, window + 1).all(axis=1)
    for first, last, worst in stretches(np.where(grounded, speeds, 0.0), fastest):
        message = f"walks at {speeds[worst]:.1f} m/s without leaving the ground; {fastest:.1f} m/s is the most"
        at = worst + window // 2
        yield Flaw("haste", first, last + window, at, points[at, 0], float(speeds[worst]), message)


def _over(bodies: Bodies, person: int, found: Array, limit: float, words: str) -> Iterator[Flaw]:
    """Flaws where found (F, 2), an amount and whose joint it is, is over a limit."""
    names, points = bodies.clips[person].skeleton.names, bodies.positions(person)
    for first, last, worst in stretches(found[:, 0], limit):
        amount, joint = float(found[worst, 0]), int(found[worst, 1])
        message = f"{names[joint]} {words.format(amount)}; {limit:.0f} are the most a body can"
        yield Flaw("haste", first, last, worst, points[worst, joint], amount, message)


def _counted(body: Body) -> Flags:
    """Whose turns count (J,): joints from which something reaches far enough."""
    skeleton = body.skeleton
    reach = np.zeros(len(skeleton))
    for joint in range(len(skeleton) - 1, 0, -1):
        parent = skeleton.parents[joint]
        reach[parent] = max(reach[parent], reach[joint] + skeleton.lengths[joint])
    return reach >= LEAST_REACH * body.height
