"""Forged places: people who are elsewhere, or get there without walking."""

from __future__ import annotations

import numpy as np

from .stage import Forged, Honest, about, moved, reposed, respelled, turned


def _shifted(honest: Honest, name: str, way: tuple[float, float, float], first: int = 0) -> Forged:
    role = honest.take.role(name)
    placements = role.placements.copy()
    placements[first:] += way
    return Forged(respelled(honest.take, name, placements=placements))


def shifted_by_30_cm(honest: Honest) -> Forged:
    return _shifted(honest, "ann", (0.0, 0.3, 0.0))


def one_in_another(honest: Honest) -> Forged:
    """Ann starts where Bob does."""
    return _shifted(honest, "ann", (4.2, -4.0, 0.0))


def through_the_pillar(honest: Honest) -> Forged:
    role = honest.take.role("bob")
    middle = role.placements[len(role) // 2]
    return _shifted(honest, "bob", (-float(middle[0]), 0.0, 0.0))


def out_of_the_scene(honest: Honest) -> Forged:
    return _shifted(honest, "ann", (4.0, 0.0, 0.0))


def teleport_at_a_seam(honest: Honest) -> Forged:
    return _shifted(honest, "ann", (0.1, 0.05, 0.0), first=4)


def turned_at_the_start(honest: Honest) -> Forged:
    return _shifted(honest, "ann", (0.0, 0.0, np.radians(15.0)))


def _drifting(honest: Honest, step: tuple[float, float, float]) -> Forged:
    role = honest.take.role("ann")
    placements = role.placements + np.arange(len(role))[:, None] * np.array(step)
    return Forged(respelled(honest.take, "ann", placements=placements))


def seams_drift_09_mm(honest: Honest) -> Forged:
    return _drifting(honest, (0.0, 0.0009, 0.0))


def seams_turn_009_degrees(honest: Honest) -> Forged:
    """Every clip is turned a little more than the one before, and begins where that one ends."""
    from walkon.rotations import Placement

    from .stage import displacement

    take, role = honest.take, honest.take.role("ann")
    place, places = Placement(*role.placements[0]), []
    for clip in role.clips.tolist():
        places.append([place.x, place.z, place.heading])
        place = place @ displacement(take.clips[clip])
        place = Placement(place.x, place.z, place.heading + np.radians(0.09))
    return Forged(respelled(take, "ann", placements=np.array(places)))


def poses_beside_the_role(honest: Honest) -> Forged:
    return reposed(honest, "bob", lambda clip: moved(clip, np.array([0.0, 0.0, 0.2])))


def poses_turned_on_the_spot(honest: Honest) -> Forged:
    return reposed(honest, "bob", lambda clip: turned(clip, "Hips", about(1, 40.0)))


def two_swap_their_poses(honest: Honest) -> Forged:
    from dataclasses import replace

    ann, bob, cat = honest.shown
    return Forged(honest.take, [replace(ann, clip=bob.clip), replace(bob, clip=ann.clip), cat])


POSITIONS = {
    shifted_by_30_cm: {"start"},
    one_in_another: {"bodies"},
    through_the_pillar: {"obstacle"},
    out_of_the_scene: {"bounds"},
    teleport_at_a_seam: {"placement"},
    turned_at_the_start: {"start"},
    seams_drift_09_mm: {"creep"},
    seams_turn_009_degrees: {"creep"},
    poses_beside_the_role: {"placement"},
    poses_turned_on_the_spot: {"placement"},
    two_swap_their_poses: {"start"},
}
