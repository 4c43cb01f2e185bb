"""Is every pose one that a body can take: bones of one length, alike on both sides, joints bent the right way?"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from walkon.basics import Array
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.flaws import Flaw, stretches
from walkon.skeleton import Roles, find_roles

MOST_STRETCH = 0.15
"""By which share of its length, and of 4 cm at least, a bone may be longer or shorter than in the skeleton. The
built-in casts do not stretch; recordings that store positions do, by a few per cent. A larger one would pass arms
of rubber."""

LOPSIDED = 0.25
"""By which share a bone of a limb may be longer than the same bone of the other side. Skeletons of recordings
differ by 3 %, built-in ones not at all. A larger one would pass an arm that is half as long again as the other."""

LONGEST_TRUNK = 0.7
"""Longest way along the bones from the hips to the top of the head of somebody on two legs, as a share of the
height that the legs tell. It is 0.45 in built-in skeletons, 0.31 in recordings of CMU. A larger one would pass a
head that floats a forearm's length above its neck."""

KNEE_BACK = 0.02
"""How far, as a share of the body's height, a knee may be bent against the way the foot points: 3.5 cm for an
adult. All built-in and recorded people stay at 0. A larger one would pass legs that bend as a flamingo's."""

LEAST_ANKLE = math.sin(math.radians(20.0))
"""Least sine of the angle between shin and foot from which a foot tells which way is ahead."""

WIDEST_TWIST = math.radians(100.0)
"""Most [rad] that shoulders may be turned against hips. Built-in and recorded people stay below 30°; a dancer gets
to 90°."""


BENT_NECK = math.radians(150.0)
"""Most [rad] that a joint of the spine, neck or head may be turned from the rest pose against the one below.
Built-in people stay below 46°, recorded ones below 94°, and one rig whose rest pose hangs its head below 117°.
With more, a head could look backwards."""


def find_wrong_poses(bodies: Bodies, person: int) -> Iterator[Flaw]:
    """Bones that stretch or do not fit, knees bent backwards, a trunk turned too far."""
    roles = find_roles(bodies.clips[person].skeleton)
    yield from _stretched(bodies, person)
    yield from _misshapen(bodies, person, roles)
    yield from _broken_necks(bodies, person, roles)
    if roles.is_biped:
        yield from _knees(bodies, person, roles)
        yield from _twisted(bodies, person, roles)


def _stretched(bodies: Bodies, person: int) -> Iterator[Flaw]:
    """Bones whose length changes. Only a clip with offsets of its own can do that."""
    clip, points = bodies.clips[person], bodies.positions(person)
    if clip.bone_offsets is None:
        return
    skeleton = clip.skeleton
    lengths = np.linalg.norm(clip.bone_offsets[:, 1:], axis=2)
    least = 0.02 * bodies.bodies[person].height
    shares = np.abs(lengths - skeleton.lengths[1:]) / np.maximum(skeleton.lengths[1:], least)
    for first, last, worst in stretches(shares.max(axis=1), MOST_STRETCH):
        bone = int(shares[worst].argmax()) + 1
        message = (
            f"the bone to {skeleton.names[bone]} is {lengths[worst, bone - 1] * 100:.0f} cm long instead of "
            f"{skeleton.lengths[bone] * 100:.0f} cm"
        )
        yield Flaw("pose", first, last, worst, points[worst, bone], float(shares[worst, bone - 1]), message)


def _misshapen(bodies: Bodies, person: int, roles: Roles) -> Iterator[Flaw]:
    """A skeleton that is lopsided, or has its head far above its shoulders: in all frames."""
    skeleton, points = bodies.clips[person].skeleton, bodies.positions(person)
    height, last = bodies.bodies[person].height, len(points) - 1
    for part in ("knee", "ankle", "elbow", "wrist"):
        pair = roles.pair(part)
        if pair is None:
            continue
        lengths = skeleton.lengths[list(pair)]
        share = float(np.ptp(lengths) / max(lengths.min(), 0.02 * height))
        if share > LOPSIDED:
            longer = int(lengths.argmax())
            message = (
                f"the bone to {skeleton.names[pair[longer]]} is {lengths[longer] * 100:.0f} cm long, that of the "
                f"other side {lengths[1 - longer] * 100:.0f} cm"
            )
            yield Flaw("pose", 0, last, 0, points[0, pair[longer]], share, message)
    top = roles.get("head") if roles.get("head_tip") is None else roles.get("head_tip")
    if roles.is_biped and top is not None:
        length, joint = 0.0, top
        while joint > 0:
            length, joint = length + float(skeleton.lengths[joint]), int(skeleton.parents[joint])
        if length > LONGEST_TRUNK * height:
            message = (
                f"{skeleton.names[top]} is {length * 100:.0f} cm from the hips of a body of {height * 100:.0f} cm"
            )
            yield Flaw("pose", 0, last, 0, points[0, top], length, message)


def _broken_necks(bodies: Bodies, person: int, roles: Roles) -> Iterator[Flaw]:
    """Joints between hips and head that are turned too far: a head turned about its own axis moves no joint."""
    clip, points = bodies.clips[person], bodies.positions(person)
    spine, joint = [], roles.get("head") or 0
    while joint > 0:
        spine.append(joint)
        joint = int(clip.skeleton.parents[joint])
    if not spine:
        return
    turns = 2.0 * np.arccos(np.clip(np.abs(clip.rotations[:, spine, 0]), 0.0, 1.0))
    for first, last, worst in stretches(turns.max(axis=1), BENT_NECK):
        joint = spine[int(turns[worst].argmax())]
        amount = float(turns[worst].max())
        message = f"{clip.skeleton.names[joint]} is turned by {math.degrees(amount):.0f}° from how it rests"
        yield Flaw("pose", first, last, worst, points[worst, joint], amount, message)


def _knees(bodies: Bodies, person: int, roles: Roles) -> Iterator[Flaw]:
    """Knees bent against the way the foot below them points."""
    points = bodies.positions(person)
    limit = KNEE_BACK * bodies.bodies[person].height
    for foot, (hip, knee, ankle) in roles.legs:
        back = -bent_ahead(points[:, hip], points[:, knee], points[:, ankle], points[:, foot.tip])
        for first, last, worst in stretches(back, limit):
            message = f"the {foot.name} knee is bent backwards by {back[worst] * 100:.0f} cm"
            yield Flaw("pose", first, last, worst, points[worst, knee], float(back[worst]), message)


def bent_ahead(hip: Array, knee: Array, ankle: Array, toe: Array) -> Array:
    """How far (F,) [m] a knee is before the line from hip to ankle, the way the foot points; behind it if
    negative. All (F, 3)."""
    line = _unit(ankle - hip)
    off = (knee - hip) - np.einsum("fc,fc->f", knee - hip, line)[:, None] * line
    shin = _unit(ankle - knee)
    foot = _unit(toe - ankle)
    ahead = foot - np.einsum("fc,fc->f", foot, shin)[:, None] * shin
    # A foot that is stretched out along the shin points nowhere.
    tells = np.linalg.norm(ahead, axis=1) > LEAST_ANKLE
    return np.where(tells, np.einsum("fc,fc->f", off, _unit(ahead)), 0.0)


def _twisted(bodies: Bodies, person: int, roles: Roles) -> Iterator[Flaw]:
    """Shoulders turned too far against the hips, about the line from one to the other."""
    hips, shoulders = roles.pair("hip"), roles.pair("shoulder")
    if hips is None or shoulders is None:
        return
    points = bodies.positions(person)
    up = _unit(points[:, shoulders].mean(axis=1) - points[:, hips].mean(axis=1))
    across = []
    for left, right in (hips, shoulders):
        side = points[:, left] - points[:, right]
        across.append(_unit(side - np.einsum("fc,fc->f", side, up)[:, None] * up))
    turns = np.arccos(np.clip(np.einsum("fc,fc->f", *across), -1.0, 1.0))
    for first, last, worst in stretches(turns, WIDEST_TWIST):
        message = f"the shoulders are turned by {math.degrees(turns[worst]):.0f}° against the hips"
        place = points[worst, shoulders].mean(axis=0)
        yield Flaw("pose", first, last, worst, place, float(turns[worst]), message)


def _unit(vectors: Array) -> Array:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
