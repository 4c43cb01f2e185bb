"""The soak of the live crowd in short: `make soak` takes ten minutes for what is done here in five seconds."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from walkon.crowd.live import Commits

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture(scope="module")
def soaking():
    """The tool, and the path as it was afterwards."""
    before = list(sys.path)
    sys.path.insert(0, str(TOOLS))
    try:
        import soak_live
    finally:
        sys.path[:] = before
    return soak_live


@pytest.mark.parametrize("seed", [2])
def test_a_crowd_that_is_meddled_with_stays_clean_and_can_be_played_again(soaking, seed):
    found = soaking.soak(20.0, people=60, seed=seed, pace=0.0)
    assert found.simulated == pytest.approx(20.0)
    assert sum(found.edits.values()) > 15
    assert not found.wrong, [(one.kind, one.who, one.other, one.time, one.message) for one in found.wrong[:5]]
    assert found.same
    (resident, kept), (_, kept_then) = found.before, found.after
    assert 0.0 < kept < kept_then < resident, "records grow, and are a part of it"
    assert [round(when) for when, _, _ in found.memory] == [0]


def test_digests_tell_runs_apart_but_not_how_they_were_taken(soaking):
    def commits(*who: int) -> Commits:
        count = len(who)
        return Commits(
            np.array(who), np.arange(count + 1), np.arange(count), np.array(who) * 10, np.zeros((count, 3))
        )

    def digest(*parts: Commits) -> str:
        made = soaking.CommitDigest()
        for part in parts:
            made.add(part)
        return made.hexdigest()

    whole = commits(1, 2, 3)
    parts = [
        Commits(
            whole.who[a:b], whole.starts[: b - a + 1], whole.clips[a:b], whole.frames[a:b], whole.placements[a:b]
        )
        for a, b in ((0, 1), (1, 3))
    ]
    assert digest(whole) == digest(*parts)
    assert digest(whole) != digest(commits(1, 3, 2))
    moved = Commits(whole.who, whole.starts, whole.clips, whole.frames, whole.placements + 1e-12)
    assert digest(whole) != digest(moved)
