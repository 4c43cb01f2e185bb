"""How hubs are joined: common poses that stand on the ground, and all pieces of recordings fitted between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from walkon.basics import Flags
from walkon.graphs.corpus import Corpus
from walkon.graphs.hubs.displacement import greatest_change
from walkon.graphs.hubs.hubs import NOWHERE, HubGraph, PoseHub
from walkon.graphs.hubs.links import Link, fit_points, linked_classes, match_feet
from walkon.graphs.hubs.moments import BodyMoments, legs_of
from walkon.graphs.hubs.pieces import fit_piece
from walkon.graphs.hubs.poses import held_joints, pose_clip, put_feet, stilled
from walkon.graphs.hubs.stances import end_of_stance, soles_of
from walkon.motion import Clip, crop, place
from walkon.rotations import Placement


@dataclass(frozen=True, eq=False)
class _Cut:
    """A piece to be: rows first to last of one clip, from match `begin` of hub tail to match `end` of hub head."""

    clip: int
    first: int
    last: int
    tail: int
    head: int
    begin: int
    end: int


def join_hubs(
    corpus: Corpus, hubs: Sequence[PoseHub], recorded: Sequence[BodyMoments], gap: int, threshold: float
) -> HubGraph:
    """The graph of hubs, whose planted joints are put on the ground first, and of all pieces between them.

    recorded: for every hub its moments as they are in the corpus. gap: frames that what is left of a clip before
    its first hub, and after its last one, must last to become a piece.
    """
    cuts = _cuts(corpus, hubs, gap)
    standing = _stand(corpus, hubs, cuts)
    return _gather(corpus, standing, recorded, cuts, threshold)


def _cuts(corpus: Corpus, hubs: Sequence[PoseHub], gap: int) -> list[_Cut]:
    """All pieces between moments of hubs and to the ends of clips; what is left of a clip must last a gap."""
    library = corpus.library
    cuts = []
    for clip, (start, stop) in enumerate(zip(library.starts.tolist(), library.stops.tolist(), strict=True)):
        stations = [
            (int(row), number, match)
            for number, hub in enumerate(hubs)
            for match, row in enumerate(hub.rows)
            if start <= row < stop
        ]
        if not stations:
            continue
        stations = [(start, NOWHERE, NOWHERE), *sorted(stations), (stop - 1, NOWHERE, NOWHERE)]
        for (first, tail, begin), (last, head, end) in pairwise(stations):
            if last - first >= (gap if NOWHERE in (tail, head) else 1):
                cuts.append(_Cut(clip, first, last, tail, head, begin, end))
    return cuts


def _planted_in(corpus: Corpus, hubs: Sequence[PoseHub], cut: _Cut) -> Flags:
    """Contacts (F, K) of a piece: at its ends those of the hubs."""
    planted = corpus.contacts.planted[cut.first : cut.last + 1].copy()
    if cut.tail != NOWHERE:
        planted[0] = hubs[cut.tail].planted
    if cut.head != NOWHERE:
        planted[-1] = hubs[cut.head].planted
    return planted


def _contact_joints(corpus: Corpus) -> list[int]:
    return [corpus.library.skeleton.index(name) for name in corpus.contacts.joints]


def _stand(corpus: Corpus, hubs: Sequence[PoseHub], cuts: Sequence[_Cut]) -> list[PoseHub]:
    """Hubs whose planted joints are on the ground and whose held ones do not move, linked ones with feet alike."""
    skeleton, fps, joints = corpus.library.skeleton, corpus.fps, _contact_joints(corpus)
    heights, planted = corpus.library.positions[:, joints, 1], corpus.contacts.planted
    standing = []
    for hub in hubs:
        positions = pose_clip(skeleton, fps, hub.moment).positions[0]
        goals = {}
        for column in np.flatnonzero(hub.planted):
            down = hub.rows[planted[hub.rows, column]]
            goals[joints[column]] = positions[joints[column]].copy()
            goals[joints[column]][1] = heights[down, column].mean()
        moment = put_feet(skeleton, fps, hub.moment, goals)
        held = held_joints(skeleton, fps, moment, joints, hub.planted)
        still = [joints[column] for column in np.flatnonzero(held)]
        standing.append(replace(hub, moment=stilled(skeleton, moment, still), held=held))
    resting = {
        joint: float(heights[planted[:, column], column].mean()) if planted[:, column].any() else 0.0
        for column, joint in enumerate(joints)
    }
    for members, feet in linked_classes(len(hubs), _links(corpus, standing, cuts)):
        alike = match_feet(skeleton, fps, [standing[hub].moment for hub in members], feet, resting)
        for hub, moment in zip(members, alike, strict=True):
            still = [joints[column] for column in np.flatnonzero(standing[hub].held)]
            standing[hub] = replace(standing[hub], moment=stilled(skeleton, moment, still))
    return standing


def _links(corpus: Corpus, hubs: Sequence[PoseHub], cuts: Sequence[_Cut]) -> list[Link]:
    """Pairs of hubs with the feet that stay on the ground all the way from one to the other."""
    feet = [foot for foot, _ in legs_of(corpus.library.skeleton)]
    soles = soles_of(feet, _contact_joints(corpus))
    links: list[Link] = []
    for cut in cuts:
        if NOWHERE not in (cut.tail, cut.head):
            planted = _planted_in(corpus, hubs, cut)
            held = hubs[cut.tail].held, hubs[cut.head].held
            linked = [
                feet.index(sole.foot)
                for sole in soles
                if planted[:, sole.columns].any(axis=1).all() and all(end[sole.columns].any() for end in held)
            ]
            links.append((cut.tail, cut.head, linked))
    return links


def _gather(
    corpus: Corpus, hubs: list[PoseHub], recorded: Sequence[BodyMoments], cuts: Sequence[_Cut], threshold: float
) -> HubGraph:
    """The graph of all pieces, each fitted between its hubs and seen from its beginning."""
    pieces, moves, changes, planted = [], [], [], []
    for cut in cuts:
        flags = _planted_in(corpus, hubs, cut)
        clip, move, change = _fitted(corpus, hubs, recorded, cut, flags)
        pieces.append(clip)
        moves.append((move.x, move.z, move.heading))
        changes.append(change)
        planted.append(flags)
    library = corpus.library
    joints = len(library.skeleton)
    used = {cut.clip for cut in cuts}
    return HubGraph(
        corpus=corpus,
        hubs=tuple(hubs),
        tails=np.array([cut.tail for cut in cuts], dtype=np.int64),
        heads=np.array([cut.head for cut in cuts], dtype=np.int64),
        first_rows=np.array([cut.first for cut in cuts], dtype=np.int64),
        last_rows=np.array([cut.last for cut in cuts], dtype=np.int64),
        moves=np.array(moves).reshape(-1, 3),
        offsets=np.concatenate([[0], np.cumsum([len(clip) for clip in pieces])]).astype(np.int64),
        root_positions=np.concatenate([np.zeros((0, 3)), *(clip.root_positions for clip in pieces)]),
        rotations=np.concatenate([np.zeros((0, joints, 4)), *(clip.rotations for clip in pieces)]),
        planted=np.concatenate([corpus.contacts.planted[:0], *planted]),
        changes=np.array(changes).reshape(-1, 2),
        threshold=threshold,
        unused=tuple(name for clip, name in enumerate(library.names) if clip not in used),
    )


def _fitted(
    corpus: Corpus, hubs: Sequence[PoseHub], recorded: Sequence[BodyMoments], cut: _Cut, planted: Flags
) -> tuple[Clip, Placement, tuple[float, float]]:
    """A piece seen from its beginning, where its end is from there, and how much it was changed."""
    library = corpus.library
    stretch = slice(cut.first - library.starts[cut.clip], cut.last + 1 - library.starts[cut.clip])
    clip = crop(library.clips[cut.clip], int(stretch.start), int(stretch.stop))
    sides = ((cut.tail, cut.begin), (cut.head, cut.end))
    was = tuple(recorded[hub].subset(np.array([match])) if hub != NOWHERE else None for hub, match in sides)
    nobody = np.zeros(planted.shape[1], dtype=np.bool_)
    held = tuple(hubs[hub].held if hub != NOWHERE else nobody for hub, _ in sides)
    spots = [
        Placement(*(hubs[hub].placements[match] if hub != NOWHERE else library.placements[row]))
        for (hub, match), row in zip(sides, (cut.first, cut.last), strict=True)
    ]
    if NOWHERE not in (cut.tail, cut.head):
        spots[1] = _linked_spot(corpus, hubs, cut, spots, planted)
    wanted = tuple(
        hubs[hub].moment.placed(np.array([[spot.x, spot.z, spot.heading]])) if hub != NOWHERE else None
        for (hub, _), spot in zip(sides, spots, strict=True)
    )
    fitted = fit_piece(clip, (was[0], was[1]), (wanted[0], wanted[1]), planted, (held[0], held[1]))
    move = spots[0].inverse() @ spots[1]
    return _exact(place(fitted, spots[0].inverse()), hubs, cut, move), move, greatest_change(clip, fitted)


def _linked_spot(
    corpus: Corpus, hubs: Sequence[PoseHub], cut: _Cut, spots: Sequence[Placement], planted: Flags
) -> Placement:
    """Where the hub at the end of a piece stands so that feet on the ground all the way stand in one place.

    A foot is carried from where it was recorded to where the hub at the beginning has it; what it stands on in the
    end must then be where it was, seen from there.
    """
    skeleton, fps = corpus.library.skeleton, corpus.fps
    was = corpus.library.positions[cut.first : cut.last + 1]
    first = place(pose_clip(skeleton, fps, hubs[cut.tail].moment), spots[0]).positions[0]
    last = pose_clip(skeleton, fps, hubs[cut.head].moment).positions[0]
    fixed, moving, firm = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros(0)]
    for sole in soles_of([foot for foot, _ in legs_of(skeleton)], _contact_joints(corpus)):
        held = hubs[cut.tail].held[sole.columns], hubs[cut.head].held[sole.columns]
        firmness, places, joints = end_of_stance(sole, was, first, planted[:, sole.columns], held, fps)
        fixed.append(places)
        moving.append(last[joints][:, [0, 2]].reshape(-1, 2))
        firm.append(np.full(len(joints), firmness))
    return fit_points(np.concatenate(fixed), np.concatenate(moving), np.concatenate(firm), spots[1])


def _exact(clip: Clip, hubs: Sequence[PoseHub], cut: _Cut, move: Placement) -> Clip:
    """The piece with the very poses of its hubs at its ends, free of what placing it back and forth has
    rounded."""
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    for frame, hub, spot in ((0, cut.tail, Placement()), (-1, cut.head, move)):
        if hub != NOWHERE:
            there = hubs[hub].moment.placed(np.array([[spot.x, spot.z, spot.heading]]))
            roots[frame], rotations[frame] = there.roots[0], there.rotations[0]
    return clip.with_changes(root_positions=roots, rotations=rotations)
