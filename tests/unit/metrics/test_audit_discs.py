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
    circle = smallest_circle(discs)
    assert circle[2] == pytest.approx(by_trying(discs)[2], abs=1e-9)
    assert (np.hypot(discs[:, 0] - circle[0], discs[:, 1] - circle[1]) + discs[:, 2]).max() <= circle[2] + 1e-9


def test_one_that_holds_the_other():
    assert smallest_circle(np.array([[0.0, 0.0, 2.0], [0.5, 0.0, 0.1]])) == pytest.approx((0.0, 0.0, 2.0))
