"""Pieces between hubs: recorded motion led from one common pose to the next, planted feet held in place."""

from __future__ import annotations

import numpy as np

from walkon.basics import Flags
from walkon.graphs.hubs.displacement import changes_between, displace, fade, free_share
from walkon.graphs.hubs.moments import BodyMoments
from walkon.graphs.hubs.stances import soles_of, stance_pins
from walkon.motion import Clip
from walkon.motion.feet.holding import bend_legs, foot_goals, hip_drop
from walkon.rotations import conjugate, exponential, logarithm, multiply
from walkon.skeleton import find_roles

Ends = tuple[BodyMoments | None, BodyMoments | None]
"""Moments at the first and at the last frame; None where a piece does not begin, or end, at a hub."""


def fit_piece(clip: Clip, recorded: Ends, wanted: Ends, planted: Flags, held: tuple[Flags, Flags]) -> Clip:
    """The clip led through the wanted moments at its ends, exactly, with its planted joints held still.

    recorded: the moments at its ends as they were. planted: (F, K) of the joints of the clip's contacts, as they
    shall be. held: which of the K joints stand still in the wanted moments.
    """
    locked = (wanted[0] is not None, wanted[1] is not None)
    changes = [
        None if was is None or then is None else changes_between(was, then).at(0)
        for was, then in zip(recorded, wanted, strict=True)
    ]
    led = displace(clip, changes[0], changes[1])
    joints = [] if clip.contacts is None else [clip.skeleton.index(name) for name in clip.contacts.joints]
    pins = [
        pin
        for sole in soles_of(find_roles(clip.skeleton).feet, joints)
        for pin in stance_pins(
            sole,
            clip.positions,
            led.positions,
            planted[:, sole.columns],
            (held[0][sole.columns], held[1][sole.columns]),
            locked,
            clip.fps,
        )
    ]
    goals = foot_goals(led, pins)
    if goals:
        led = bend_legs(led, goals, hip_drop(led, goals) * free_share(len(led), led.fps, locked))
    return _sealed(led, wanted)


def _sealed(clip: Clip, wanted: Ends) -> Clip:
    """The clip with exactly the wanted poses at its ends, what still separates it from them spread over its
    length.

    Bending a leg that is nearly straight may leave a little.
    """
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    for side, moment in enumerate(wanted):
        if moment is None:
            continue
        frame = -side
        apart = moment.roots[0] - clip.root_positions[frame]
        turn = logarithm(multiply(conjugate(clip.rotations[frame]), moment.rotations[0]))
        roots += fade(len(clip), (apart, np.zeros(3)), 1, at_end=bool(side))
        rotations = multiply(rotations, exponential(fade(len(clip), (turn, 0.0 * turn), 1, at_end=bool(side))))
    for side, moment in enumerate(wanted):
        if moment is not None:
            roots[-side], rotations[-side] = moment.roots[0], moment.rotations[0]
    return clip.with_changes(root_positions=roots, rotations=rotations)
