"""Hemmed in: who found no way out looks again when somebody near has moved, or after a while."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.crowd.live._kernels_hemmed import HEM, LOOK_AFTER, hem_of
from walkon.crowd.live._kernels_people import fill_cells


def looks(live, name, seconds):
    """In how many frames somebody looks at clips, from now on."""
    row = next(person.row for person in live.people.values() if person.name == name)
    count = 0
    for _ in range(round(seconds * live.fps)):
        live._engine._deciders.proposals.looked[:] = 0
        live.step()
        proposals = live._engine._deciders.proposals
        count += int(np.any((proposals.row == row) & (proposals.looked > 0)))
    return count


@pytest.fixture
def shut_in(stage):
    """Ann between four walls, since four seconds ago."""
    sides = [
        stage.box("north", 0.0, 0.75, width=2.0, depth=0.4),
        stage.box("south", 0.0, -0.75, width=2.0, depth=0.4),
    ]
    ends = [stage.box("east", 0.95, 0.0, width=0.4), stage.box("west", -0.95, 0.0, width=0.4)]
    live = stage.live([stage.walker("ann", 0.0, 0.0, 0.0, (0.0, 4.0))], [*sides, *ends])
    live.step(4.0)
    return live


def test_who_is_shut_in_looks_once_in_a_while(shut_in):
    seconds = 6.0
    often = seconds * shut_in.fps / LOOK_AFTER
    # Now and then it has turned on the spot, or its route has changed: then it looks at once.
    assert 0.5 * often < looks(shut_in, "ann", seconds) < 2.0 * often


def test_who_is_let_out_goes(stage, shut_in):
    shut_in.remove_obstacle("north")
    assert stage.until(shut_in, lambda: bool(shut_in.state().arrived.all()), seconds=15.0)


def test_a_hem_tells_who_has_moved(stage):
    live = stage.live([stage.walker(name, x, 0.0, 0.0) for name, x in (("ann", 0.0), ("ben", 1.0), ("cat", 3.0))])
    crowd, near = live._engine.crowd, np.empty(8, dtype=np.int64)
    rows = {person.name: person.row for person in live.people.values()}

    def hem():
        fill_cells(crowd.crew, crowd.cells)
        return hem_of(rows["ann"], crowd, near)

    crew = live._engine.crew
    before = hem()
    assert before == hem() != 0
    for field, place in (("end", (rows["ben"], 0)), ("end", (rows["ben"], 2)), ("end", (rows["ann"], 1))):
        kept = crew[field][place]
        crew[field][place] += 0.01
        assert hem() != before
        crew[field][place] = kept
    # Two who change places are not where they were.
    crew.end[rows["cat"]] += 0.5
    assert crew.end[rows["cat"], 0] > HEM + 1.0
    assert hem() == before


def test_too_many_to_tell_count_as_moved(stage):
    live = stage.live([stage.walker(f"p{k}", 0.9 * k, 0.0, 0.0) for k in range(3)])
    row = next(person.row for person in live.people.values() if person.name == "p1")
    assert hem_of(row, live._engine.crowd, np.empty(1, dtype=np.int64)) == 0
