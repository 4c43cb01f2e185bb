"""Labels told from motion: of clips of which we know what they show."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

from walkon.builtin import make
from walkon.graphs.labeling import _settle, label_frames
from walkon.motion import Clip, find_contacts, join, read_clip, resample
from walkon.skeleton import Skeleton


def names(clip: Clip) -> list[str]:
    return [label.name for label in label_frames(clip)]


def seconds(clip: Clip) -> dict[str, float]:
    total: dict[str, float] = {}
    for label in label_frames(clip):
        total[label.name] = total.get(label.name, 0.0) + (label.stop - label.start) / clip.fps
    return total


@pytest.mark.parametrize("fps", [30.0, 60.0, 120.0])
@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        ("walk", {}, ["walk"]),
        ("walk", {"speed": 0.8}, ["walk"]),
        ("run", {}, ["run"]),
        ("run", {"speed": 4.0}, ["run"]),
        ("jump", {}, ["stand", "jump", "stand"]),
        ("crawl", {}, ["walk"]),
    ],
)
def test_built_in_motion_is_what_it_is_called(kind, options, expected, fps):
    assert names(make(kind, fps=fps, **options)) == expected


def test_who_rides_a_skateboard_is_carried_and_does_not_jump():
    told = seconds(make("skateboarder", fps=30.0))
    assert told["glide"] > 3.0
    assert "jump" not in told
    assert "run" not in told


def test_labels_cover_the_clip_without_gaps_or_overlaps():
    clip = make("jump", fps=30.0)
    labels = label_frames(clip)
    assert labels[0].start == 0
    assert labels[-1].stop == len(clip)
    assert all(a.stop == b.start and a.name != b.name for a, b in pairwise(labels))


def test_a_body_without_feet_stands_or_goes():
    """No contacts can be found: that is no flight."""
    skeleton = Skeleton(["root"], [-1], np.zeros((1, 3)))
    roots = np.zeros((90, 3))
    roots[:, 1] = 1.0
    roots[45:, 2] = np.arange(45) / 30.0
    clip = Clip("ball", skeleton, 30.0, roots, np.tile([1.0, 0.0, 0.0, 0.0], (90, 1, 1)))
    assert names(clip)[0] == "stand"
    assert "jump" not in names(clip)
    assert names(resample(clip, 30.0)) == names(clip)


def test_one_frame_is_a_stand():
    clip = make("walk", fps=30.0)
    one = clip.with_changes(
        root_positions=clip.root_positions[:1], rotations=clip.rotations[:1], labels=(), contacts=None
    )
    assert [(label.start, label.stop) for label in label_frames(one)] == [(0, 1)]


def test_a_walk_that_becomes_a_run_is_cut_in_two():
    both = join(make("walk", fps=30.0), make("run", fps=30.0))
    assert names(both.with_changes(labels=(), contacts=find_contacts(both)))[0] == "walk"
    assert names(both.with_changes(labels=(), contacts=find_contacts(both)))[-1] == "run"


def test_short_stretches_go_to_the_longer_neighbour():
    kinds = np.repeat([0, 1, 2, 1], [10, 2, 5, 20])
    assert _settle(kinds, 3).tolist() == [0] * 12 + [2] * 5 + [1] * 20
    assert _settle(kinds, 6).tolist() == [0] * 12 + [1] * 25
    assert _settle(np.array([3, 3]), 10).tolist() == [3, 3]
    assert _settle(kinds, 1).tolist() == kinds.tolist()


KNOWN = {
    "walk": {"walk"},
    "slow walk, stop": {"walk", "stand"},
    "run": {"run"},
    "run/jog": {"run"},
    "run/jog, sudden stop": {"run", "walk", "stand"},
    "jump": {"stand", "jump"},
    "high jump": {"stand", "jump"},
    "forward jump": {"stand", "jump", "walk"},
}


@pytest.mark.parametrize("kind", sorted(KNOWN))
def test_subject_16_does_what_its_index_says(mocap, kind):
    """All recordings of subject 16, by what the index calls them; some walks begin with standing."""
    index = dict(re.findall(r"^(16_\d+)\s+(.*?)\s*$", (mocap / "cmu" / "index.txt").read_text(), re.MULTILINE))
    for name, text in index.items():
        if re.sub(r", (veer|90-degree).*", "", text) != kind:
            continue
        clip = read_clip(mocap / "cmu" / "bvh" / f"{name}.bvh")
        told = seconds(resample(clip.with_changes(contacts=find_contacts(clip), bone_offsets=None), 30.0))
        allowed = KNOWN[kind] | ({"stand"} if kind == "walk" else set())
        assert set(told) <= allowed, f"{name} {text}: {told}"
        main = "jump" if "jump" in kind else "walk" if "walk" in kind else "run"
        assert main in told, f"{name} {text}: {told}"
        if kind in ("walk", "run", "run/jog"):
            assert told[main] > 0.75 * sum(told.values()), f"{name} {text}: {told}"
