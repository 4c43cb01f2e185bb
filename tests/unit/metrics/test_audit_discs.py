"""The smallest circle around discs, against trying all of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from walkon.metrics.audit._kernels_discs import around_three, around_two, smallest_circle


def by_trying(discs):
    """The smallest of all circles around one, two or three discs that holds every disc."""
    found = [tuple(disc) for disc in discs]
    found += [around_two(*a, *b) for a, b in combinations(discs, 2)]
    found += [around_three(*a, *b, *c) for a, b, c in combinations(discs, 3)]
    holds = [
        circle
        for circle in found
        if circle[2] > 0 and (np.hypot(discs[:, 0] - circle[0], discs[:, 1] - circle[1]) + discs[:, 2]
        <= circle[2] + 1e-9).all()
    ]  # fmt: skip
    return min(holds, key=lambda circle: circle[2])


@pytest.mark.parametrize("seed", range(60))
def test_is_the_smallest_of_all(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 14))
    discs = np.column_stack([rng.normal(size=(count, 2)), rng.uniform(0.01, rng.choice([0.05, 2.0]), count)])
    if seed % 5 == 0:
        discs[:, 1] = 0.0  # all on a line
    if seed % 7 == 0:
        discs = np.repeat(discs, 2, axis=0)
    circle = smallest_circle(discs, np.full(3, -1))
    assert circle[2] == pytest.approx(by_trying(discs)[2], abs=1e-9)
    assert (np.hypot(discs[:, 0] - circle[0], discs[:, 1] - circle[1]) + discs[:, 2]).max() <= circle[2] + 1e-9


def test_one_that_holds_the_other():
    assert smallest_circle(np.array([[0.0, 0.0, 2.0], [0.5, 0.0, 0.1]]), np.full(3, -1)) == pytest.approx(
        (0.0, 0.0, 2.0)
    )


def test_any_hint_about_the_rim_leads_to_the_same_circle():
    rng = np.random.default_rng(3)
    for _ in range(50):
        discs = np.column_stack([rng.normal(size=(9, 2)), rng.uniform(0.01, 1.0, 9)])
        alone = smallest_circle(discs, np.full(3, -1))
        rim = np.append(rng.permutation(9)[:2], rng.integers(-1, 9))
        assert smallest_circle(discs, rim) == pytest.approx(alone, abs=1e-9)
        on_rim = discs[rim[rim >= 0]]
        assert [np.hypot(x - alone[0], z - alone[1]) + r for x, z, r in on_rim] == pytest.approx(
            [alone[2]] * len(on_rim), abs=1e-9
        )
