"""Performers: everyone different, everyone themselves."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import human_skeleton
from walkon.builtin.performer import REFERENCE_LEG, STATURES, Build, Performer, PersonalStyle
from walkon.errors import SkeletonError
from walkon.skeleton import build_body

CROWD = [Performer(seed) for seed in range(200)]


def test_the_same_seed_is_the_same_person():
    assert Performer(7) == Performer(7)
    assert Performer(7).skeleton().offsets.tobytes() == Performer(7).skeleton().offsets.tobytes()
    assert Performer(7) != Performer(8)
    assert Performer(7).rng("walk", 1).random() == Performer(7).rng("walk", 1).random()
    assert Performer(7).rng("walk", 1).random() != Performer(7).rng("walk", 2).random()
    assert Performer(7).rng("walk", 1).random() != Performer(7).rng("jog", 1).random()


def test_a_crowd_is_as_tall_as_people_are():
    heights = np.array([person.height for person in CROWD])
    assert 1.66 < heights.mean() < 1.74
    assert 0.07 < heights.std() < 0.11
    assert heights.min() >= STATURES[0]
    assert heights.max() <= STATURES[1]
    assert len({person.style for person in CROWD}) == len(CROWD)


@pytest.mark.parametrize("seed", range(8))
def test_a_person_stands_as_tall_as_their_stature_whatever_the_proportions(seed):
    person = Performer(seed)
    skeleton = person.skeleton()
    rest = skeleton.rest_positions + skeleton.offsets[0]
    assert rest[skeleton.index("HeadTip"), 1] == pytest.approx(person.height, rel=1e-6)
    sole = rest[skeleton.index("LeftHeel"), 1] / person.height
    assert sole == pytest.approx(0.022, abs=1e-6)
    assert build_body(skeleton).masses.sum() == pytest.approx(1.0)


def test_proportions_are_what_was_asked_for():
    plain, long_legs = Performer.average(1.7), Performer(height=1.7, build=Build(legs=1.05), style=PersonalStyle())
    assert long_legs.leg == pytest.approx(1.05 * plain.leg)
    assert Performer.average().leg == pytest.approx(REFERENCE_LEG)
    assert Performer.average().scale == pytest.approx(1.0)


def test_the_average_performer_has_the_built_in_body():
    assert Performer.average(1.6).skeleton().matches(human_skeleton(1.6))


def test_a_performer_may_be_given_bones():
    bones = human_skeleton(1.2)
    child = Performer.of(bones)
    assert child.skeleton() is bones
    assert child.height == pytest.approx(1.2)
    assert child.walk_speed < Performer.average().walk_speed
    assert child != Performer.of(human_skeleton(1.2)), "two bodies are two people"


def test_seeds_are_not_negative():
    with pytest.raises(SkeletonError, match="0 or more, not -1"):
        Performer(-1)
