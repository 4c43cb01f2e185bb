"""How hubs are made: alike moments chosen, and a pose found that motion with planted feet can pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from walkon.basics import Array, Indices
from walkon.errors import GraphError
from walkon.graphs.comparing.clouds import align_windows
from walkon.graphs.corpus import Corpus
from walkon.graphs.hubs.displacement import Changes, changes_between, displace
from walkon.graphs.hubs.hubs import HubGraph, PoseHub
from walkon.graphs.hubs.joining import join_hubs
from walkon.graphs.hubs.moments import BodyMoments, measure_moments
from walkon.graphs.hubs.poses import settled
from walkon.graphs.hubs.sets import (
    Likeness,
    MatchSet,
    choose_match_sets,
    hill,
    measure_likeness,
    middle_of,
)
from walkon.motion import Clip, Contacts, crop, plant_feet
from walkon.rotations import Placement

LEAST_GAP = 0.4
"""Seconds between moments of hubs in one recording, unless one says otherwise: what changes faster shows."""

POSE_ROUNDS = 4
"""How often common poses are averaged, led to, planted and averaged again."""


def build_hubs(
    corpus: Corpus,
    *,
    most: int = 4,
    threshold: float | None = None,
    least_gap: int | None = None,
    match_sets: Sequence[Sequence[int]] | None = None,
    alike_labels: bool = False,
    rounds: int = POSE_ROUNDS,
) -> HubGraph:
    """Hubs where the collection meets most often, and all pieces of it between them, ready to be cut together.

    most: how many hubs at most. threshold: [m] how near to each other the moments of one are, by default as told
    from how fast every recording moves. least_gap: frames between moments in one recording. match_sets: rows to
    make hubs of, one sequence a hub, instead of choosing them. alike_labels: hubs only of rows with equal labels.
    rounds: how often common poses are averaged anew.
    """
    gap = max(2, round(LEAST_GAP * corpus.fps)) if least_gap is None else least_gap
    if most < 1 or gap < 2 or rounds < 1 or (threshold is not None and not threshold > 0):
        raise GraphError("hubs need most >= 1, least_gap >= 2 frames, rounds >= 1 and a threshold above 0 m")
    likeness = measure_likeness(corpus, threshold)
    if match_sets is None:
        sets = choose_match_sets(corpus, likeness, most=most, gap=gap, alike_labels=alike_labels)
    else:
        sets = [_given_set(likeness, rows) for rows in match_sets]
        _check_distinct(sets)
    hubs = [_first_guess(corpus, likeness, found) for found in sets]
    recorded = [_moments_of(corpus.library.clips, corpus, hub.rows) for hub in hubs]
    hubs = _evolve(corpus, hubs, recorded, rounds)
    return join_hubs(corpus, hubs, recorded, gap, float(np.median(likeness.limits)))


def _given_set(likeness: Likeness, rows: Sequence[int]) -> MatchSet:
    """Rows that somebody chose."""
    wanted = np.unique(np.asarray(rows, dtype=np.int64))
    strange = np.setdiff1d(wanted, likeness.known)
    if len(strange) or not len(wanted):
        raise GraphError(
            f"a hub is made of rows that have {likeness.reach} rows of their clip on both sides, "
            f"unlike {strange[:5].tolist()}"
        )
    return MatchSet(wanted, likeness.between(np.full_like(wanted, wanted[0]), wanted))


def _check_distinct(sets: Sequence[MatchSet]) -> None:
    everything = np.concatenate([np.zeros(0, np.int64), *(found.rows for found in sets)])
    rows, counts = np.unique(everything, return_counts=True)
    if np.any(counts > 1):
        raise GraphError(f"a row belongs to one hub at most, unlike {rows[counts > 1][:5].tolist()}")


def _first_guess(corpus: Corpus, likeness: Likeness, found: MatchSet) -> PoseHub:
    """A hub that knows where its moments are; its pose is still that of the one in their middle."""
    base, reach = middle_of(likeness, found.rows), likeness.reach
    origin = Placement(*corpus.library.placements[base])
    carried = align_windows(
        corpus, found.rows - reach, np.full(len(found.rows), base - reach), 2 * reach + 1, taper=hill(reach)
    )
    placements = [Placement(*row) @ origin for row in carried]
    spots = np.array([(spot.x, spot.z, spot.heading) for spot in placements])
    planted = corpus.contacts.planted[found.rows].mean(axis=0) > 0.5
    moment = _moments_of(corpus.library.clips, corpus, np.array([base])).placed(
        _inverses(spots[found.rows == base])
    )
    return PoseHub(found.rows, base, found.distances, spots, moment, planted, planted)


def _moments_of(clips: Sequence[Clip], corpus: Corpus, rows: Indices) -> BodyMoments:
    """Moments (M,) at rows of the corpus, as they are in `clips`, which may have been changed."""
    library = corpus.library
    owners = library.clip_of_frame[rows]
    parts = [
        measure_moments(clips[clip], rows[owners == clip] - library.starts[clip]) for clip in np.unique(owners)
    ]
    names = BodyMoments.__dataclass_fields__
    return BodyMoments(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _evolve(corpus: Corpus, hubs: list[PoseHub], recorded: list[BodyMoments], rounds: int) -> list[PoseHub]:
    """Hubs with the poses that motion passes when it is led through them and its feet are planted then.

    Each round averages the moments it works with, leads the recordings through the mean, plants the feet as if no
    frame were locked, and takes the moments that come of that for the next one.
    """
    library = corpus.library
    working = recorded
    planted = corpus.contacts.planted.copy()
    for hub in hubs:
        planted[hub.rows] = hub.planted
    for turn in range(rounds + 1):
        hubs = [
            replace(
                hub,
                moment=settled(library.skeleton, corpus.fps, found.placed(_inverses(hub.placements)).mean()),
            )
            for hub, found in zip(hubs, working, strict=True)
        ]
        if turn == rounds:
            break
        changes = [
            changes_between(was, hub.moment.placed(hub.placements))
            for hub, was in zip(hubs, recorded, strict=True)
        ]
        led = list(library.clips)
        for clip in np.unique(library.clip_of_frame[np.concatenate([hub.rows for hub in hubs])]) if hubs else []:
            window = slice(library.starts[clip], library.stops[clip])
            contacts = Contacts(corpus.contacts.joints, planted[window])
            led[clip] = plant_feet(_led_clip(library.clips[clip], window, hubs, changes), contacts)
        poses = [_moments_of(led, corpus, hub.rows) for hub in hubs]
        working = [
            replace(was, roots=now.roots, rotations=now.rotations, ankles=now.ankles, soles=now.soles)
            for was, now in zip(recorded, poses, strict=True)
        ]
    return hubs


def _led_clip(clip: Clip, window: slice, hubs: Sequence[PoseHub], changes: Sequence[Changes]) -> Clip:
    """A whole clip, rows `window` of the corpus, led through all hubs that it has moments of."""
    stations: list[tuple[int, Changes | None]] = [(0, None), (len(clip) - 1, None)]
    for hub, needed in zip(hubs, changes, strict=True):
        for match in np.flatnonzero((hub.rows >= window.start) & (hub.rows < window.stop)):
            stations.append((int(hub.rows[match]) - window.start, needed.at(int(match))))
    stations.sort(key=lambda station: station[0])
    roots, rotations = clip.root_positions.copy(), clip.rotations.copy()
    for (begin, first), (end, last) in pairwise(stations):
        if end > begin:
            led = displace(crop(clip, begin, end + 1), first, last)
            roots[begin : end + 1], rotations[begin : end + 1] = led.root_positions, led.rotations
    return clip.with_changes(root_positions=roots, rotations=rotations)


def _inverses(placements: Array) -> Array:
    """The placements (M, 3) that undo others."""
    undone = [Placement(*row).inverse() for row in placements]
    return np.array([(spot.x, spot.z, spot.heading) for spot in undone]).reshape(-1, 3)
