"""Clips as dressed bodies, posed in time."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.motion import Clip
from walkon.render import Cast, RenderError
from walkon.render.outfits import COATS, SHIRTS, SHOES, SKINS, character_colour, dress
from walkon.skeleton import Skeleton, build_body


def test_pose_at_a_frame_is_that_frame(walker: Clip) -> None:
    cast = Cast([walker, walker])
    cast.pose(7 / 30.0)
    body = build_body(walker.skeleton)
    ends = body.capsules(walker.positions[7])
    assert cast.starts == pytest.approx(np.tile(ends[:, 0], (2, 1)), abs=1e-9)
    assert cast.ends == pytest.approx(np.tile(ends[:, 1], (2, 1)), abs=1e-9)


def test_pose_between_frames_is_between_them(walker: Clip) -> None:
    cast = Cast(walker)
    cast.pose(7.25 / 30.0)
    body = build_body(walker.skeleton)
    seven, eight = body.capsules(walker.positions[7])[:, 0], body.capsules(walker.positions[8])[:, 0]
    assert cast.starts == pytest.approx(0.75 * seven + 0.25 * eight, abs=1e-9)


@pytest.mark.parametrize(("time", "frame"), [(-3.0, 0), (1.0, 30), (99.0, 30)])
def test_the_ends_are_held(walker: Clip, time: float, frame: int) -> None:
    cast = Cast(walker)
    cast.pose(time)
    assert cast.starts == pytest.approx(build_body(walker.skeleton).capsules(walker.positions[frame])[:, 0])


def test_duration_is_the_longest(walker: Clip) -> None:
    short = walker.with_changes(root_positions=walker.root_positions[:10], rotations=walker.rotations[:10])
    assert Cast([short, walker]).duration == pytest.approx(1.0)


def test_people_wear_clothes(walker: Clip) -> None:
    body = build_body(walker.skeleton)
    colours = dress(body, 0)
    names = walker.skeleton.names

    def worn(start: str, end: str) -> tuple:
        pairs = zip(body.starts, body.ends, strict=True)
        found = [i for i, (s, e) in enumerate(pairs) if (names[s], names[e]) == (start, end)]
        return tuple(colours[found[0]])

    assert worn("LeftArm", "LeftForeArm") == SHIRTS[0]
    assert worn("LeftForeArm", "LeftHand") in SKINS
    assert worn("RightFoot", "RightToe") in SHOES
    assert worn("LeftUpLeg", "LeftLeg") == worn("RightLeg", "RightFoot")
    heads = [i for i, e in enumerate(body.ends) if names[e] in ("Head", "HeadEnd")]
    assert heads
    assert all(tuple(colours[i]) in SKINS for i in heads)


def test_neighbours_differ(walker: Clip) -> None:
    body = build_body(walker.skeleton)
    outfits = {dress(body, i).tobytes() for i in range(30)}
    assert len(outfits) == 30
    assert character_colour(1) != character_colour(0)


def test_a_given_colour_is_the_shirt(walker: Clip) -> None:
    cast = Cast([walker, walker], colours=[(1.0, 2.0, 3.0), (4.0, 5.0, 6.0)])
    half = len(cast.colours) // 2
    assert (1.0, 2.0, 3.0) in set(map(tuple, cast.colours[:half]))
    assert (4.0, 5.0, 6.0) in set(map(tuple, cast.colours[half:]))


def test_a_thing_has_one_colour() -> None:
    rod = Skeleton(["a", "b", "c"], [-1, 0, 1], [(0, 0, 0), (0, 1, 0), (0, 1, 0)])
    assert len({tuple(c) for c in dress(build_body(rod), 3)}) == 1


def test_a_dog_has_a_coat() -> None:
    names, parents, offsets = ["root", "neck", "head"], [-1, 0, 1], [(0, 0.6, 0), (0, 0.1, 0.4), (0, 0.1, 0.1)]
    for side, x in (("left", 0.1), ("right", -0.1)):
        for end, z in (("front", 0.3), ("hind", -0.3)):
            first = len(names)
            names += [f"{side}_{end}_upper", f"{side}_{end}_lower", f"{side}_{end}_paw"]
            parents += [0, first, first + 1]
            offsets += [(x, 0.0, z), (0, -0.3, 0), (0, -0.3, 0.02)]
    colours = dress(build_body(Skeleton(names, parents, offsets)), 0)
    ratios = colours / np.array(COATS[0])
    ratios_or_shirt = np.allclose(ratios, ratios[:, :1]) or len({tuple(c) for c in colours}) == 1
    assert ratios_or_shirt


def test_refuses_a_cast_of_nobody(walker: Clip) -> None:
    with pytest.raises(RenderError):
        Cast([])
    with pytest.raises(RenderError, match="colours"):
        Cast([walker], colours=[])
