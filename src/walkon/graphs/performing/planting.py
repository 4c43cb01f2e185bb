"""Feet that stand stay where they stand, all along a walk: legs bend, hips come down, swings take up the rest.

In the manner of Kovar, Schreiner and Gleicher's footskate cleanup (2002). Every stretch in which a heel or a toe
stands is given one spot. The foot is carried there, and turned where both stand; the way back to the recorded path
is spread over the swings before and after. Hips are lowered where a leg would be too short, before it is bent.
"""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags
from walkon.graphs.choosing.blending import Mixture
from walkon.graphs.corpus import Corpus
from walkon.motion import Clip, Contacts
from walkon.motion.feet.foot_paths import RETURN_TIME, FootPath, HeldFoot, hold_foot
from walkon.motion.feet.holding import FootGoal, bend_legs, gentle_hip_drop
from walkon.rotations import carry, conjugate, multiply, rotate, rotation_about_y, slerp
from walkon.skeleton import Foot, find_roles, forward_kinematics


def plant_walk(corpus: Corpus, mixture: Mixture, clip: Clip, standing: Flags) -> Clip:
    """The clip of a walk with every joint that stands held in one spot.

    mixture: what the clip is mixed of. standing: (F, K) which joints of the clip's contacts stand. The contacts of
    the result are those in which a joint is held.
    """
    contacts, roles = clip.contacts, find_roles(clip.skeleton)
    legs = roles.legs
    if contacts is None or not legs:
        return clip
    feet = [foot for foot, _ in legs]
    ankles = _ankle_paths(corpus, mixture, feet)
    wanted = _world_rotations(corpus, mixture, clip, [joint for foot in feet for joint in (foot.ankle, foot.toe)])
    planted, held, goals = standing.copy(), [], []
    for number, (foot, leg) in enumerate(legs):
        turn = multiply(wanted[:, 2 * number], conjugate(clip.world_rotations[:, foot.ankle]))
        columns = _columns(contacts, clip, foot)
        none = np.zeros(len(clip), dtype=np.bool_)
        stands = (none if column is None else planted[:, column] for column in columns)
        result = hold_foot(_free_path(clip, foot, ankles[:, number], turn), *stands)
        for column, flags in zip(columns, (result.heel_held, result.toe_held, result.tip_held), strict=True):
            if column is not None:
                planted[:, column] = flags
        held.append(result)
        goals.append(FootGoal(leg, result.ankle, multiply(result.yaw, multiply(result.tilt, turn))))
    bent = bend_legs(clip, goals, gentle_hip_drop(clip, goals, smooth=RETURN_TIME))
    rotations = _with_level_toes(clip, bent.rotations.copy(), feet, goals, held, wanted[:, 1::2])
    return bent.with_changes(rotations=rotations, contacts=Contacts(contacts.joints, planted))


def _columns(contacts: Contacts, clip: Clip, foot: Foot) -> list[int | None]:
    """Where heel, ball and tip of a foot are among the contacts; one that is there twice counts once."""
    columns: list[int | None] = []
    for joint in (foot.heel, foot.toe, foot.tip):
        name = clip.skeleton.names[joint]
        column = contacts.joints.index(name) if name in contacts.joints else None
        columns.append(None if column in columns else column)
    return columns


def _ankle_paths(corpus: Corpus, mixture: Mixture, feet: list[Foot]) -> Array:
    """Where ankles are (F, feet, 3) [m] if nothing holds them: in blends between the places of both recordings."""
    recorded = corpus.library.positions[:, [foot.ankle for foot in feet]]
    ours = carry(mixture.places_a, recorded[mixture.rows_a])
    theirs = carry(mixture.places_b, recorded[mixture.rows_b])
    return theirs + mixture.shares[:, None, None] * (ours - theirs)


def _free_path(clip: Clip, foot: Foot, ankle: Array, turn: Array) -> FootPath:
    """The foot with its ankle on a path (F, 3), turned in the world by `turn` (F, 4) from how the clip has it."""
    here = clip.positions
    heel, toe, tip = (
        ankle + rotate(turn, here[:, joint] - here[:, foot.ankle]) for joint in (foot.heel, foot.toe, foot.tip)
    )
    return FootPath(ankle, heel, toe, tip, clip.fps)


def _world_rotations(corpus: Corpus, mixture: Mixture, clip: Clip, joints: list[int]) -> Array:
    """World rotations (F, joints, 4): the clip's own, and in blends between those of both recordings.

    Mixing every joint of a leg in its parent's frame does not keep a flat foot flat.
    """
    rotations = clip.world_rotations[:, joints].copy()
    blended = np.flatnonzero(mixture.shares < 1.0)
    if len(blended) == 0:
        return rotations
    library, both = corpus.library, []
    for rows, places in ((mixture.rows_a, mixture.places_a), (mixture.rows_b, mixture.places_b)):
        some = rows[blended]
        _, world = forward_kinematics(library.skeleton, library.root_positions[some], library.rotations[some])
        both.append(multiply(rotation_about_y(places[blended, 2])[:, None], world[:, joints]))
    rotations[blended] = slerp(both[0], both[1], 1.0 - mixture.shares[blended, None])
    return rotations


def _with_level_toes(
    clip: Clip, rotations: Array, feet: list[Foot], goals: list[FootGoal], held: list[HeldFoot], wanted: Array
) -> Array:
    """The rotations (F, J, 4) with toes as they were in the world (F, feet, 4), but for the yaw of their feet."""
    for number, (foot, goal, result) in enumerate(zip(feet, goals, held, strict=True)):
        if clip.skeleton.parents[foot.toe] == foot.ankle and not clip.skeleton.tips[foot.toe]:
            above = multiply(goal.turn, clip.world_rotations[:, foot.ankle])
            rotations[:, foot.toe] = multiply(conjugate(above), multiply(result.yaw, wanted[:, number]))
    return rotations
