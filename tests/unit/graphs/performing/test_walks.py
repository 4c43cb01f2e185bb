"""Walks through graphs become motion: recorded rows in their places, blends between them, and feet that stand."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import GraphError
from walkon.graphs.choosing.blending import blend
from walkon.graphs.corpus import gather_corpus
from walkon.graphs.graph import PLAIN, MotionGraph, assemble_graph
from walkon.graphs.performing.seams import Seams, contact_slides, measure_seams
from walkon.graphs.performing.walks import Walk, perform_walk
from walkon.graphs.transitions import no_transitions
from walkon.motion import Contacts, place
from walkon.rotations import Placement, angle_between, multiply

SPEC = importlib.util.spec_from_file_location("walking_graphs", Path(__file__).parents[1] / "walking_graphs.py")
graphs = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(graphs)

STILL = 0.002
"""How far [m] a planted joint may get in a frame."""


@pytest.fixture(scope="module")
def graph() -> MotionGraph:
    return graphs.graph_of(graphs.built_in_clips())[0]


@pytest.fixture(scope="module")
def walk(graph: MotionGraph) -> Walk:
    """Somebody who walks and runs."""
    walks = (graphs.stroll(graph, seed, 20.0) for seed in range(100))
    return next(walk for walk in walks if len(walk.labels()) > 1)


@pytest.fixture(scope="module")
def recorded_graph(mocap: Path) -> MotionGraph:
    return graphs.graph_of(graphs.recorded_clips(mocap))[0]


def test_shows_every_frame_of_every_edge(graph: MotionGraph, walk: Walk) -> None:
    clip = perform_walk(walk)
    assert len(clip) == walk.frame_count == 1 + graph.frames[walk.edges].sum()
    assert walk.duration == pytest.approx(clip.duration)
    assert walk.path().shape == (walk.frame_count, 2)
    assert walk.end == graph.heads[walk.edges[-1]]


def test_without_transitions_it_is_the_recording(graph: MotionGraph) -> None:
    corpus = graph.corpus
    plain = assemble_graph(corpus, no_transitions(10))
    edges = plain.leaving(0)
    whole = Walk(plain, 0, edges, Placement(*corpus.tracks[0]))
    shown, recorded = perform_walk(whole, plant=False), corpus.library[0]
    assert angle_between(shown.rotations, recorded.rotations).max() < 1e-7
    np.testing.assert_allclose(shown.root_positions, recorded.root_positions, atol=1e-12)
    np.testing.assert_allclose(whole.path(), corpus.tracks[: len(recorded), :2], atol=1e-9)
    assert np.array_equal(shown.contacts.planted, recorded.contacts.planted)


def test_pieces_follow_each_other_by_their_alignments(graph: MotionGraph, walk: Walk) -> None:
    """The chain of section 4.1, one edge after the other."""
    corpus, clip = graph.corpus, perform_walk(walk, plant=False)
    here = walk.placement @ Placement(*corpus.tracks[graph.nodes[walk.start]]).inverse()
    frame = 0
    for edge in walk.edges:
        carried, row = graph.carries[edge], graph.nodes[graph.tails[edge]]
        if carried == PLAIN:
            rows = np.arange(row + 1, row + 1 + graph.frames[edge])
            roots, rotations = corpus.library.root_positions[rows], corpus.library.rotations[rows]
        else:
            blended = blend(corpus, graph.transitions, np.array([carried]))
            roots, rotations = blended.roots[0], blended.rotations[0]
        shown = slice(frame + 1, frame + 1 + graph.frames[edge])
        np.testing.assert_allclose(clip.root_positions[shown], here.points(roots), atol=1e-9)
        turned = rotations.copy()
        turned[:, 0] = multiply(here.quaternion(), rotations[:, 0])
        assert angle_between(clip.rotations[shown], turned).max() < 1e-6
        frame += int(graph.frames[edge])
        if carried != PLAIN:
            here = here @ Placement(*graph.transitions.alignments[carried])


def test_the_path_is_where_the_body_goes(graph: MotionGraph, walk: Walk) -> None:
    path, clip = walk.path(), perform_walk(walk)
    np.testing.assert_allclose(path[0], [walk.placement.x, walk.placement.z], atol=1e-12)
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() * graph.fps < 4.0
    assert np.linalg.norm(path - clip.root_positions[:, [0, 2]], axis=1).max() < 0.15
    ends = np.append(walk.edge_starts, walk.frame_count - 1)
    np.testing.assert_allclose(path[ends], walk.placements()[:, :2], atol=1e-9)


def test_it_does_not_matter_where_one_walks(walk: Walk) -> None:
    moved = Placement(-3.0, 5.0, 2.0)
    elsewhere = replace(walk, placement=moved @ walk.placement)
    ours, theirs = place(perform_walk(walk), moved), perform_walk(elsewhere)
    np.testing.assert_allclose(theirs.positions, ours.positions, atol=1e-6)


def test_labels_of_both_motions_are_on_their_blend(graph: MotionGraph, walk: Walk) -> None:
    labels, corpus, frame, mixed = walk.labels(), graph.corpus, 0, 0
    shown = [{label.name for label in labels if label.start <= f < label.stop} for f in range(walk.frame_count)]
    for edge in walk.edges:
        carried = graph.carries[edge]
        for step in range(graph.frames[edge]):
            rows = [graph.nodes[graph.tails[edge]] + 1 + step]
            if carried != PLAIN:
                rows.append(graph.transitions.targets[carried] - graph.window + 1 + step)
            expected = frozenset().union(*(corpus.label_sets[corpus.labels[row]] for row in rows))
            mixed += len(expected) > 1
            assert shown[frame + 1 + step] == expected
        frame += int(graph.frames[edge])
    assert mixed > 0
    assert perform_walk(walk).labels == walk.labels()


def test_quaternions_do_not_change_sides(walk: Walk) -> None:
    for plant in (False, True):
        rotations = perform_walk(walk, plant=plant).rotations
        assert (rotations[1:] * rotations[:-1]).sum(axis=2).min() > 0.0


def test_standing_still_at_a_node_is_one_frame(graph: MotionGraph) -> None:
    still = Walk(graph, 3, np.zeros(0, np.int64))
    assert still.frame_count == len(perform_walk(still)) == 1
    assert still.end == 3
    assert len(measure_seams(still, perform_walk(still)).ratios) == 0


def test_refuses_what_is_no_walk(graph: MotionGraph, walk: Walk) -> None:
    with pytest.raises(GraphError, match="starts at one of"):
        replace(walk, start=graph.node_count)
    with pytest.raises(GraphError, match="goes along edges"):
        replace(walk, edges=np.array([graph.edge_count]))
    with pytest.raises(GraphError, match=r"number 1 of the walk, does not leave"):
        replace(walk, edges=walk.edges[[0, 0]])
    with pytest.raises(GraphError, match="frames"):
        measure_seams(walk, perform_walk(Walk(graph, walk.start, walk.edges[:1])))


def raw_slides(walk: Walk, contacts: Contacts) -> np.ndarray:
    """Slides [m] of the same contacts if nobody planted feet."""
    return contact_slides(perform_walk(walk, plant=False).with_changes(contacts=contacts))


def check_seams(walks: list[Walk], jump: float, sliding: float) -> list[Seams]:
    """Feet that stand do not slide though they would, and joints jump no more at seams than in the recordings."""
    found, raw = [], []
    for walk in walks:
        clip = perform_walk(walk)
        seams = measure_seams(walk, clip)
        raw.append(raw_slides(walk, clip.contacts).max())
        assert len(seams.jumps) > 10
        assert len(seams.slides) > 0.3 * len(clip)
        assert seams.worst_slide <= STILL
        assert seams.worst_jump <= jump
        found.append(seams)
    assert max(raw) > sliding
    return found


def test_feet_stand_and_nothing_jumps_in_built_in_motion() -> None:
    graph, chosen = graphs.graph_of(graphs.built_in_clips())
    # Nothing built in jumps at all: the best bridge from its run to its walk is half again as rough, and says so.
    roughest = max(bridge.jump for bridge in chosen.bridges)
    assert roughest < 1.7
    check_seams([graphs.stroll(graph, seed, 30.0) for seed in range(6)], roughest + 0.02, 0.005)


def test_feet_stand_and_nothing_jumps_in_recordings(recorded_graph: MotionGraph) -> None:
    walks = [graphs.stroll(recorded_graph, seed, 60.0) for seed in range(4)]
    seams = check_seams(walks, 1.1, 0.01)
    assert np.percentile(np.concatenate([one.ratios for one in seams]), 95) < 1.1


def test_planting_makes_nothing_worse_than_it_was(recorded_graph: MotionGraph) -> None:
    walk = graphs.stroll(recorded_graph, 9, 60.0)
    raw, planted = perform_walk(walk, plant=False), perform_walk(walk)
    before, after = (np.percentile(measure_seams(walk, clip).ratios, 95) for clip in (raw, planted))
    assert after < before + 0.1
    # Bodies stay where they were, but for a little at the hips; nobody's arms notice.
    assert np.linalg.norm(planted.root_positions - raw.root_positions, axis=1).max() < 0.05
    arms = [raw.skeleton.index(name) for name in ("LeftForeArm", "RightHand")]
    assert np.array_equal(planted.rotations[:, arms], raw.rotations[:, arms])


def test_knees_do_not_snap(recorded_graph: MotionGraph) -> None:
    walk = graphs.stroll(recorded_graph, 5, 60.0)
    clip = perform_walk(walk)
    names = ("UpLeg", "Leg", "Foot")
    for side in ("Left", "Right"):
        hip, knee, ankle = (clip.positions[:, clip.skeleton.index(side + name)] for name in names)
        upper, lower = knee - hip, ankle - knee
        lengths = np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1)
        bend = np.degrees(np.arccos(np.clip((upper * lower).sum(axis=1) / lengths, -1.0, 1.0)))
        assert bend.min() > 3.0
        assert np.abs(np.diff(bend, n=2)).max() < 25.0


def test_clips_that_stand_on_nothing_are_performed_too() -> None:
    corpus = gather_corpus(graphs.built_in_clips()[:1])
    free = corpus.library[0].with_changes(contacts=None)
    library = replace(corpus.library, clips=(free,))
    with pytest.raises(GraphError, match="contacts"):
        perform_walk(Walk(assemble_graph(replace(corpus, library=library), no_transitions(10)), 0, np.array([0])))
