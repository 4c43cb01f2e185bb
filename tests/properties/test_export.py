"""Whatever skeleton and whatever pose: what we write to BVH is what comes back."""

from __future__ import annotations

import string
import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from walkon.export import write_bvh
from walkon.export.bvh import depth_first, euler_curves
from walkon.motion import Clip
from walkon.motion.readers import read_clip
from walkon.rotations import angle_between, from_euler, normalize
from walkon.skeleton import Skeleton

NAMES = st.text(string.ascii_letters + string.digits + " _.:-{}\t\n|é", min_size=0, max_size=8)
ORDERS = st.permutations("XYZ").map("".join)


def floats(shape, limit):
    return hnp.arrays(np.float64, shape, elements=st.floats(-limit, limit, allow_subnormal=False))


@st.composite
def skeletons(draw):
    count = draw(st.integers(1, 8))
    names = draw(st.lists(NAMES, min_size=count, max_size=count, unique=True))
    parents = [-1] + [draw(st.integers(0, joint - 1)) for joint in range(1, count)]
    offsets = draw(floats((count, 3), 2.0))
    leaves = [joint > 0 and joint not in parents for joint in range(count)]
    tips = [leaf and draw(st.booleans()) for leaf in leaves]
    return Skeleton(names, parents, offsets, tips)


@st.composite
def clips(draw):
    skeleton = draw(skeletons())
    frames = draw(st.integers(1, 4))
    rotations = normalize(draw(floats((frames, len(skeleton), 4), 1.0)))
    rotations[:, skeleton.tips] = [1, 0, 0, 0]
    stretched = draw(st.booleans())
    return Clip(
        draw(NAMES),
        skeleton,
        draw(st.sampled_from([1.0, 24.0, 29.97, 30.0, 120.0])),
        draw(floats((frames, 3), 50.0)),
        rotations,
        draw(floats((frames, len(skeleton), 3), 2.0)) if stretched else None,
    )


@settings(max_examples=120, deadline=None)
@given(clip=clips(), order=ORDERS, units=st.sampled_from(["m", "cm", "in"]))
def test_bvh_round_trip(clip, order, units):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.bvh"
        write_bvh(path, clip, order=order, units=units, precision=9)
        again = read_clip(path, units=units, up="y", keep_t_pose=True)
    joints = depth_first(clip.skeleton)
    assert len(again.skeleton) == len(joints)
    np.testing.assert_allclose(again.positions, clip.positions[:, joints], rtol=0, atol=1e-5)
    turning = ~clip.skeleton.tips[joints]
    assert angle_between(again.rotations[:, turning], clip.rotations[:, joints][:, turning]).max(initial=0) < 1e-7
    np.testing.assert_allclose(again.fps, clip.fps, rtol=1e-3)


@settings(max_examples=200, deadline=None)
@given(quaternions=floats((6, 1, 4), 1.0), order=ORDERS)
def test_angles_are_the_rotation_and_never_further_than_need_be(quaternions, order):
    rotations = normalize(quaternions)
    angles = euler_curves(rotations, order)
    assert angle_between(from_euler(angles, order), rotations).max() < 1e-11
    # An outer angle can always come within half a turn of the last one, and the middle one too.
    steps = np.abs(np.diff(np.concatenate([np.zeros((1, 1, 3)), angles]), axis=0))
    assert steps.max() <= np.pi + 1e-9
