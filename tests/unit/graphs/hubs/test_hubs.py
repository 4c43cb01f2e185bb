"""Hubs: pieces that meet in exactly one pose, stand on the ground there, and snap together by a mere cut."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from walkon.basics import runs
from walkon.builtin import human_skeleton, make
from walkon.builtin.gait.idle import idle
from walkon.builtin.gait.moves import go_on, walking
from walkon.builtin.performer import Performer
from walkon.builtin.score import play
from walkon.errors import GraphError
from walkon.graphs import Corpus, gather_corpus
from walkon.graphs.hubs.building import build_hubs
from walkon.graphs.hubs.hubs import NOWHERE, HubGraph, assemble, wander
from walkon.graphs.hubs.links import fit_points, linked_classes, match_feet
from walkon.graphs.hubs.moments import BodyMoments, legs_of, measure_moments
from walkon.graphs.hubs.poses import foot_joints, pose_clip, put_feet
from walkon.graphs.hubs.stances import roll_of
from walkon.motion import Clip, place, read_clip
from walkon.rotations import Placement, angle_between, conjugate, logarithm, multiply


def walks() -> list[Clip]:
    performer = Performer.of(human_skeleton())
    turning = [
        play(go_on(performer, walking(performer), 3, turn=turn).score(), f"walk turning {turn}")
        for turn in (-0.9, 0.0, 0.7)
    ]
    return [*turning, make("walk", speed=1.1, cycles=3).with_changes(name="slow walk")]


@pytest.fixture(scope="module")
def graph() -> HubGraph:
    return build_hubs(gather_corpus(walks()))


@pytest.fixture(scope="module")
def recorded_graph(mocap: Path) -> HubGraph:
    folder = mocap / "cmu" / "bvh"
    return build_hubs(gather_corpus([read_clip(folder / f"16_{n}.bvh") for n in (12, 14, 15, 18, 31, 47, 58)]))


@pytest.fixture(params=["built in", "recorded"])
def either(request: pytest.FixtureRequest) -> HubGraph:
    return request.getfixturevalue("graph" if request.param == "built in" else "recorded_graph")


def frame_of(graph: HubGraph, piece: int, *, last: bool) -> tuple[np.ndarray, np.ndarray]:
    """Root and rotations of an end of a piece, seen from the hub there."""
    frame = int(graph.offsets[piece + 1]) - 1 if last else int(graph.offsets[piece])
    spot = Placement(*graph.moves[piece]).inverse() if last else Placement()
    rotations = graph.rotations[frame].copy()
    rotations[0] = multiply(spot.quaternion(), rotations[0])
    return spot.points(graph.root_positions[frame]), rotations


def test_walking_has_a_hub_on_either_foot(either: HubGraph) -> None:
    assert len(either.hubs) >= 2
    sides = {
        tuple(
            name.startswith("Left")
            for name, on in zip(either.corpus.contacts.joints, hub.planted, strict=True)
            if on
        )
        for hub in either.hubs[:2]
    }
    assert len(sides) == 2
    assert len(either.endless) > 4


def test_the_pose_at_a_hub_is_the_same_in_every_piece(either: HubGraph) -> None:
    for piece in range(either.piece_count):
        for hub, last in ((either.tails[piece], False), (either.heads[piece], True)):
            if hub != NOWHERE:
                root, rotations = frame_of(either, piece, last=last)
                moment = either.hubs[hub].moment
                assert np.abs(root - moment.roots[0]).max() < 1e-9
                assert np.abs(rotations - moment.rotations[0]).max() < 1e-9


def test_cuts_are_as_smooth_as_what_was_recorded(either: HubGraph) -> None:
    """The change of every joint's turning from one frame to the next, at cuts between all pairs of pieces."""
    library = either.corpus.library
    recorded = np.concatenate([jerks(clip.rotations) for clip in library])
    cuts = []
    for hub in range(len(either.hubs)):
        before = [
            either.rotations[either.offsets[p + 1] - 2 : either.offsets[p + 1]]
            for p in np.flatnonzero(either.heads == hub)
        ]
        after = [either.rotations[either.offsets[p] + 1] for p in either.leaving(hub)]
        for two in before[:20]:
            for then in after[:20]:
                # Joints of the body only: the root turns with where a piece ends.
                cuts.append(jerks(np.concatenate([two, then[None]])[:, 1:])[0])
    assert np.mean(np.max(cuts, axis=1)) < np.mean(recorded[:, 1:].max(axis=1))
    assert np.percentile(np.max(cuts, axis=1), 95) < np.percentile(recorded[:, 1:].max(axis=1), 97)


def jerks(rotations: np.ndarray) -> np.ndarray:
    rates = logarithm(multiply(conjugate(rotations[:-1]), rotations[1:]))
    return np.linalg.norm(np.diff(rates, axis=0), axis=2)


def test_assembling_is_nothing_but_putting_pieces_one_after_another(graph: HubGraph) -> None:
    sequence = wander(graph, 200, seed=2)
    start = Placement(1.0, -4.0, 0.7)
    clip = assemble(graph, sequence, start)
    assert len(clip) == graph.frames[sequence].sum() + 1
    assert clip.contacts is not None
    spot, frame = start, 0
    for piece in sequence:
        own = place(graph.piece(piece), spot)
        shown = slice(frame, frame + len(own))
        assert np.allclose(clip.positions[shown], own.positions, atol=1e-9)
        frame += len(own) - 1
        spot = spot @ Placement(*graph.moves[piece])
    # Of the pose that two pieces share, the frame is that of the first.
    rows = [graph.first_rows[sequence[0]]]
    rows += [row for p in sequence for row in range(graph.first_rows[p] + 1, graph.last_rows[p] + 1)]
    shown = [graph.corpus.label_sets[number] for number in graph.corpus.labels[rows]]
    for frame, names in enumerate(shown):
        assert names == {label.name for label in clip.labels if label.start <= frame < label.stop}


def test_one_can_wander_for_ever(either: HubGraph) -> None:
    for seed in range(5):
        sequence = wander(either, 3000, seed)
        assert either.frames[sequence].sum() >= 3000
        assert all(either.heads[a] == either.tails[b] for a, b in pairwise(sequence))


def test_what_leads_nowhere_is_told(graph: HubGraph) -> None:
    assert np.all(np.isin(np.flatnonzero(graph.heads == NOWHERE), graph.dead_ends))
    assert not np.isin(graph.endless, graph.dead_ends).any()
    assert graph.unused == ()
    assert "dead ends" in repr(graph)


def test_pieces_that_do_not_meet_are_refused(graph: HubGraph) -> None:
    piece = int(graph.endless[0])
    stranger = int(next(p for p in graph.endless if graph.tails[p] != graph.heads[piece]))
    for wrong in (
        [],
        [piece, stranger],
        [graph.piece_count],
        [int(np.flatnonzero(graph.heads == NOWHERE)[0]), piece],
    ):
        with pytest.raises(GraphError):
            assemble(graph, wrong)


def test_contacts_of_a_hub_are_those_of_most_of_its_moments(either: HubGraph) -> None:
    planted = either.corpus.contacts.planted
    for hub in either.hubs:
        votes = planted[hub.rows].sum(axis=0)
        assert np.array_equal(hub.planted, 2 * votes > len(hub.rows))
    for piece in np.flatnonzero(either.tails != NOWHERE):
        assert np.array_equal(either.planted[either.offsets[piece]], either.hubs[either.tails[piece]].planted)


def test_two_of_three_decide_what_is_planted(graph: HubGraph) -> None:
    planted = graph.corpus.contacts.planted
    rows = np.arange(20, 80)
    column = int(np.argmin(np.abs(planted[rows].mean(axis=0) - 0.5)))
    down, up = rows[planted[rows, column]], rows[~planted[rows, column]]
    for chosen, expected in (((down[0], down[-1], up[5]), True), ((down[5], up[0], up[-1]), False)):
        hub = build_hubs(graph.corpus, match_sets=[[int(row) for row in chosen]], rounds=1).hubs[0]
        assert hub.planted[column] == expected


def test_planted_joints_of_a_hub_are_on_the_ground(either: HubGraph) -> None:
    library = either.corpus.library
    joints = [library.skeleton.index(name) for name in either.corpus.contacts.joints]
    resting = [library.positions[either.corpus.contacts.planted[:, k], j, 1] for k, j in enumerate(joints)]
    for hub in either.hubs:
        heights = pose_clip(library.skeleton, either.corpus.fps, hub.moment).positions[0, joints, 1]
        for k in np.flatnonzero(hub.planted):
            low, high = np.percentile(resting[k], [0, 99])
            assert low - 0.01 < heights[k] < high + 0.005


def held_steps(graph: HubGraph, *, fitted: bool) -> np.ndarray:
    """How far [m] joints move from frame to frame while they are planted and do not roll."""
    library, fps = graph.corpus.library, graph.corpus.fps
    steps = []
    for piece in np.flatnonzero((graph.tails != NOWHERE) & (graph.heads != NOWHERE)):
        clip = graph.piece(int(piece))
        was = library.positions[graph.first_rows[piece] : graph.last_rows[piece] + 1]
        held = graph.hubs[graph.tails[piece]].held, graph.hubs[graph.heads[piece]].held
        for k, name in enumerate(graph.corpus.contacts.joints):
            joint = library.skeleton.index(name)
            places = (clip.positions if fitted else was)[:, joint][:, [0, 2]]
            for start, stop in runs(graph.planted[graph.offsets[piece] : graph.offsets[piece + 1], k]):
                still = (bool(held[0][k]), bool(held[1][k]))
                roll = roll_of(was[:, joint][:, [0, 2]], start, stop, still, fps)
                inside = start + np.flatnonzero(~roll.any(axis=1))
                if len(inside) > 1:
                    own = places[inside[0] : inside[-1] + 1]
                    steps.append(np.linalg.norm(np.diff(own, axis=0), axis=1))
    return np.concatenate(steps)


def test_planted_feet_do_not_slide(either: HubGraph) -> None:
    after, before = held_steps(either, fitted=True), held_steps(either, fitted=False)
    assert after.mean() < 0.001
    assert np.percentile(after, 95) < 0.0025
    # What never slid may slide a little, what was recorded slides less than it did.
    assert after.mean() < max(0.4 * before.mean(), 0.0004)


def test_pieces_end_where_recorded_ones_did_but_for_a_little(graph: HubGraph) -> None:
    library = graph.corpus.library
    for piece in graph.endless:
        ends = [Placement(*library.placements[row]) for row in (graph.first_rows[piece], graph.last_rows[piece])]
        was = ends[0].inverse() @ ends[1]
        move = graph.moves[piece]
        assert np.hypot(move[0] - was.x, move[1] - was.z) < 0.12
        assert abs(np.angle(np.exp(1j * (move[2] - was.heading)))) < 0.35


def test_hubs_do_not_depend_on_where_motion_was_recorded(graph: HubGraph) -> None:
    moved = [place(clip, Placement(10.0 * i, -3.0, 1.0 + i)) for i, clip in enumerate(walks())]
    other = build_hubs(gather_corpus(moved))
    assert [hub.rows.tolist() for hub in other.hubs] == [hub.rows.tolist() for hub in graph.hubs]
    for ours, theirs in zip(graph.hubs, other.hubs, strict=True):
        assert angle_between(ours.moment.rotations, theirs.moment.rotations).max() < 1e-3
    assert np.allclose(other.moves, graph.moves, atol=1e-3)


def standing() -> Corpus:
    performer = Performer.of(human_skeleton())
    return gather_corpus([play(idle(performer, 240, np.random.default_rng(s)), f"idle {s}") for s in (1, 2)])


def test_feet_that_never_leave_the_ground_stay_where_they_are_from_hub_to_hub() -> None:
    corpus = standing()
    sets = [[40, 160, 290], [80, 200, 340], [120, 400]]
    graph = build_hubs(corpus, match_sets=sets)
    assert all(hub.held.all() for hub in graph.hubs)
    clip = assemble(graph, wander(graph, 900, seed=1))
    for name in corpus.contacts.joints:
        places = clip.positions[:, clip.skeleton.index(name)][:, [0, 2]]
        assert np.ptp(places, axis=0).max() < 0.002


def test_linked_poses_get_the_same_stance() -> None:
    corpus = standing()
    clip, skeleton = corpus.library.clips[0], corpus.library.skeleton
    legs = [foot for foot, _ in legs_of(skeleton)]
    heights = {joint: float(clip.positions[0, joint, 1]) for foot in legs for joint in foot_joints(foot)}
    rng = np.random.default_rng(3)
    moments = []
    for frame in (40, 90, 150):
        moment = measure_moments(clip, np.array([frame]))
        positions = pose_clip(skeleton, clip.fps, moment).positions[0]
        goals = {
            joint: positions[joint] + [*rng.normal(scale=0.02, size=3)] * np.array([1, 0, 1]) for joint in heights
        }
        moments.append(put_feet(skeleton, clip.fps, moment, goals))
    before, after = stances(clip, moments), stances(clip, match_feet(skeleton, clip.fps, moments, [0, 1], heights))
    assert np.ptp(before, axis=0).max() > 0.01
    assert np.ptp(after, axis=0).max() < 1e-4
    assert np.abs(after.mean(axis=0) - before.mean(axis=0)).max() < 0.01


def stances(clip: Clip, moments: list[BodyMoments]) -> np.ndarray:
    """For every moment the distances [m] between all joints of its feet, seen from above."""
    found = []
    for moment in moments:
        positions = pose_clip(clip.skeleton, clip.fps, moment).positions[0]
        points = np.array([positions[j][[0, 2]] for foot, _ in legs_of(clip.skeleton) for j in foot_joints(foot)])
        found.append(np.linalg.norm(points[:, None] - points[None], axis=2))
    return np.array(found)


def test_links_gather_hubs_that_share_two_feet() -> None:
    links = [(0, 1, [0, 1]), (1, 2, [0]), (3, 4, [0, 1]), (4, 1, [0, 1]), (5, 5, [0, 1])]
    assert linked_classes(6, links) == [([0, 1, 3, 4], [0, 1])]


def test_points_are_fitted_exactly_where_they_can_be() -> None:
    rng = np.random.default_rng(0)
    moving = rng.normal(size=(4, 2))
    spot = Placement(1.0, 2.0, -2.5)
    fixed = np.stack(spot.point(moving[:, 0], moving[:, 1]), axis=1)
    found = fit_points(fixed, moving, np.ones(4), Placement())
    assert np.allclose([found.x, found.z, found.heading], [1.0, 2.0, -2.5])
    single = fit_points(fixed[:1], moving[:1], np.ones(1), Placement(0.0, 0.0, 0.3))
    assert single.heading == 0.3
    assert np.allclose(single.point(*moving[0]), fixed[0])
    assert fit_points(fixed, moving, np.zeros(4), spot) is spot
    half = fit_points(fixed, moving, np.full(4, 0.5), Placement(1.0, 2.0, -2.3))
    assert half.heading == pytest.approx(-2.4)


def test_rows_that_make_no_hub_are_refused(graph: HubGraph) -> None:
    for sets in ([[0, 50]], [[]], [[50], [50, 80]]):
        with pytest.raises(GraphError):
            build_hubs(graph.corpus, match_sets=sets)
    with pytest.raises(GraphError):
        build_hubs(graph.corpus, most=0)
    with pytest.raises(GraphError):
        build_hubs(graph.corpus, threshold=0.0)
    with pytest.raises(GraphError):
        build_hubs(graph.corpus, least_gap=1)
    with pytest.raises(GraphError):
        build_hubs(graph.corpus, rounds=0)


def test_nothing_alike_makes_an_empty_graph(graph: HubGraph) -> None:
    nothing = build_hubs(graph.corpus, threshold=1e-6, least_gap=1000)
    assert nothing.hubs == ()
    assert nothing.piece_count == 0
    assert len(nothing.unused) == len(graph.corpus.library)
    assert len(nothing.core) == 0
    with pytest.raises(GraphError):
        wander(nothing, 10)


def test_animals_have_hubs_too() -> None:
    dogs = [make("dog").with_changes(name=f"dog {i}") for i in range(2)]
    graph = build_hubs(gather_corpus(dogs), most=2)
    assert graph.hubs
    assert len(assemble(graph, wander(graph, 100))) > 100
