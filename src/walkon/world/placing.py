"""Random places that keep apart from each other and from what is there already; and who goes to which."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.world.footprints import FreeGround

Rectangle = tuple[float, float, float, float]

CROWD_DARTS = 40
"""Places tried per person before a regular pattern is."""

LATTICES = 6
"""Regular patterns that are tried, each shifted anew. More find a little more room in odd corners."""

MOST_LATTICE = 200_000
"""Most points of a pattern: so large a scene is not full, and a larger pattern would only take memory."""

REUSE = 5.0
"""Time [s] after which somebody may start where another started, if there is no other place: by then the first has
walked off. A longer one refuses more crowds."""


def place_apart(
    rng: np.random.Generator,
    ground: FreeGround,
    regions: tuple[Rectangle, ...],
    count: int,
    *,
    spacing: float,
    room: float,
    taken: Array,
) -> Array:
    """Up to `count` free places (n, 2) in the regions, in random order, `spacing` [m] apart and from `taken`.

    Fewer come back when no more were found: first at random, then in triangular patterns, which pack more.
    """
    found = _darts(rng, ground, regions, count, spacing=spacing, room=room, taken=taken)
    if len(found) == count or spacing <= 0.0:
        return found
    for _ in range(LATTICES):
        lattice = _lattice(rng, ground, regions, spacing=spacing, room=room, taken=taken)
        found = max(found, lattice, key=len)
        if len(found) >= count:
            break
    return found[:count]


def share_places(places: Array, times: Array) -> Array | None:
    """Places (n, 2) for more people than places, whose start times (count,) [s] rise: one after the other.

    None when the times are too close together for that.
    """
    if not len(places):
        return None
    free_from = np.full(len(places), -np.inf)
    chosen = np.empty(len(times), dtype=int)
    for person, time in enumerate(times):
        place = int(np.argmin(free_from))
        if free_from[place] > time:
            return None
        chosen[person], free_from[place] = place, time + REUSE
    return places[chosen]


def match_goals(allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A goal for everyone, or -1 where there is none; allowed (P, G): which goals suit which person.

    Goal i goes to person i where that suits both; otherwise two swap; if that is not enough, all are matched anew.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    goals = np.arange(len(allowed))
    for person in range(len(allowed)):
        if allowed[person, goals[person]]:
            continue
        partners = np.flatnonzero(allowed[person, goals] & allowed[:, goals[person]])
        if not len(partners):
            return maximum_bipartite_matching(csr_array(allowed), perm_type="column").astype(np.int64)
        # The partner suits afterwards by the second condition.
        goals[person], goals[partners[0]] = goals[partners[0]], goals[person]
    return goals


def _darts(
    rng: np.random.Generator,
    ground: FreeGround,
    regions: tuple[Rectangle, ...],
    count: int,
    *,
    spacing: float,
    room: float,
    taken: Array,
) -> Array:
    """Places thrown at random, kept when they are free."""
    corners = np.array(regions)
    areas = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    kept = np.empty((count, 2))
    found, left = 0, CROWD_DARTS * count + 400
    while found < count and left > 0:
        batch = min(left, 3 * (count - found) + 50)
        left -= batch
        which = rng.choice(len(regions), size=batch, p=areas / areas.sum())
        darts = corners[which, :2] + rng.random((batch, 2)) * (corners[which, 2:] - corners[which, :2])
        for dart in darts[ground.is_free(darts, room)]:
            if found < count and _is_apart(dart, taken, spacing) and _is_apart(dart, kept[:found], spacing):
                kept[found] = dart
                found += 1
    return kept[:found]


def _is_apart(place: Array, others: Array, spacing: float) -> bool:
    return spacing <= 0.0 or not len(others) or float(np.square(others - place).sum(axis=1).min()) >= spacing**2


def _lattice(
    rng: np.random.Generator,
    ground: FreeGround,
    regions: tuple[Rectangle, ...],
    *,
    spacing: float,
    room: float,
    taken: Array,
) -> Array:
    """The free points of a triangular pattern, shifted at random, in random order."""
    from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

    left, near, right, far = ground.bounds
    step = np.array([spacing, spacing * np.sqrt(0.75)]) * (1.0 + 1e-9)
    columns, rows = int((right - left) / step[0]) + 2, int((far - near) / step[1]) + 2
    corners = np.array(regions)
    if columns * rows > MOST_LATTICE:
        return np.empty((0, 2))  # so large a scene is not full
    shift = rng.random(2) * step
    row, column = np.divmod(np.arange(columns * rows), columns)
    x = left - shift[0] + step[0] * (column + 0.5 * (row % 2))
    z = near - shift[1] + step[1] * row
    inside = np.zeros(len(x), dtype=bool)
    for x0, z0, x1, z1 in corners:
        inside |= (x >= x0) & (x <= x1) & (z >= z0) & (z <= z1)
    places = np.column_stack([x, z])[inside]
    places = places[ground.is_free(places, room)]
    if len(taken) and len(places):
        places = places[cKDTree(taken).query(places)[0] >= spacing]
    return rng.permutation(places)
