"""The loop: everybody goes on by a frame, and those whose clip is about to end decide what comes next.

Decisions are proposed by several threads, each against what is committed already, and committed one after another
in a fixed order: so the same people, goals and obstacles give the same run, however many threads there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walkon.crowd.live import _kernels_commit as committing
from walkon.crowd.live import _kernels_propose as proposing
from walkon.crowd.live._kernels_checks import after, lay_rest
from walkon.crowd.live._kernels_clock import Stopwatch
from walkon.crowd.live._kernels_memory import Rules, make_memory
from walkon.crowd.live._kernels_people import Cells, enter_cell, fill_cells, gather, tracks_meet
from walkon.crowd.live._kernels_routes import crowd_density
from walkon.crowd.live._kernels_search import look_ahead
from walkon.crowd.live.commits import CommitPile, Commits, Diary
from walkon.crowd.live.crew import COMMITTED, NOBODY, NOTHING, PROPOSAL, ROOM, SEGMENTS, empty_crew, forget, grown
from walkon.crowd.live.guides import Guides
from walkon.crowd.live.repertoire import Repertoire
from walkon.crowd.live.surroundings import Surroundings, make_scouting
from walkon.rotations import Placement

LEAD = 16
"""Frames before the end of a clip from which on the next one is looked for."""

AGAIN = (4, 16)
"""Frames between two tries to find a good way, in a small and in a large crowd."""

LARGE, LEAST_EFFORT = 1000, 0.2
"""From so many people on, searches are shortened, to a share of the usual at most."""

LAST_CALL = 2
"""Frames before the end of a clip at which it is decided what follows: so that others hear of it in time."""

BATCH = 128
"""People who propose at the same time, each without knowing what the others propose."""

PORTION = 8
"""People of a batch whom one thread takes at a time."""

BUDGET = 400_000
"""Clips that may be looked at in one step; who is left over then decides in haste."""

HASTE = 0.05
"""Share of the usual search that is left to those."""

CELL = 4.0
"""[m] Side of the cells in which people find each other."""

WATCH = 6
"""Every so many frames the engine looks who waits, and where it is crowded."""


class Engine:
    """People in rows of a Crew, and the step that moves them on."""

    def __init__(
        self, repertoire: Repertoire, surroundings: Surroundings, *, fps: float, gap: float, workers: int
    ) -> None:
        self.repertoire = repertoire
        self.surroundings = surroundings
        self.frame = -1
        self.quick = False
        self.guides: Guides | None = None
        self.crew, self.tracks = empty_crew(64), np.zeros((64, ROOM + 1, 3))
        self.cells = _make_cells(surroundings, 64)
        self.commits, self.diary = CommitPile(), Diary()
        self.numbers = np.full(64, -1, dtype=np.int64)
        self.replans = self.stops = self.looked = self.again = self.led = 0
        self._cycles: deque[int] = deque(maxlen=20_000)
        self._stopwatch = Stopwatch()
        self._rules = Rules(
            horizon=140, gap=gap, fps=fps, weight=1.35, turning=0.8, moving=2.0, standing=8.0, yielding=4.0,
            deepest=8, room=ROOM - 260, patience=2.5, progress=0.8, stopping=2.0, effort=1.0, again=AGAIN[0],
            outlook=2.0, calm=3.0, unrest=3.0,
        )  # fmt: skip
        self._workers = max(int(workers), 1)
        self._pool = ThreadPoolExecutor(self._workers - 1) if self._workers > 1 else None
        self._memories = [make_memory() for _ in range(self._workers)]
        self._scouts = [make_scouting(surroundings.land) for _ in range(self._workers)]
        self._proposals = np.zeros(BATCH, dtype=PROPOSAL).view(np.recarray)
        self._free: list[int] = list(range(63, -1, -1))

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # People ---------------------------------------------------------------------------------------------------

    def enter(self, number: int, place: NDArray, pose: int) -> int:
        """Somebody appears at a place (3,) in the next frame. The row, or -1 if the place is not free."""
        row = self._free.pop() if self._free else self._grow()
        crew, track, table = self.crew, self.tracks[row], self.repertoire.table
        forget(crew, row)
        crew.end[row], crew.pose[row] = place, pose
        crew.boundary[row] = crew.first[row] = crew.since[row] = self.frame + 1
        clips, frames, places = self._stop_chain(row)
        if len(clips):
            length, speed = proposing.lay_track(clips, frames, places, len(clips), self.frame + 1, table, track)
        else:
            lay_rest(np.asarray(place, dtype=np.float64), pose, table, track[0])
            length, speed = 1, 1e-6
        crew.length[row], crew.speed[row] = length, speed
        proposing.bound_track(track, length, crew.bound[row])
        crew.guess[row] = place[0], place[1], 0.0, 0.0, self.frame + 1, proposing.BODY
        crew.anchor[row] = track[0, :2]
        if not self._is_free(row):
            self._free.append(row)
            return -1
        crew.here[row] = True
        self.numbers[row] = number
        enter_cell(crew, self.cells, row)
        return row

    def _is_free(self, row: int) -> bool:
        """Whether what somebody new takes belongs to nobody and nothing else."""
        crew, track, gap = self.crew, self.tracks[row], self._rules.gap
        first, length, bound = int(crew.first[row]), int(crew.length[row]), crew.bound[row]
        near = self._memories[0].near
        count = gather(crew, self.cells, row, bound[0], bound[1], bound[2] + gap, near)
        if count > len(near) or not committing.track_is_clear(track, length, first, self.surroundings.around):
            return False
        speed = float(crew.speed[row])
        return not any(
            tracks_meet(track, first, length, speed, bound, crew, self.tracks, int(other), gap)
            for other in near[:count]
        )

    def _stop_chain(self, row: int) -> tuple[NDArray, NDArray, NDArray]:
        """The clips that bring somebody to a stand from its boundary on; none if it stands."""
        table, crew = self.repertoire.table, self.crew
        pose, frame, place = int(crew.pose[row]), int(crew.boundary[row]), crew.end[row].copy()
        clips, frames, places = [], [], []
        while not table.poses["rests"][pose]:
            clip = int(table.behaviors["clip_start"][table.poses["stop"][pose]])
            clips.append(clip)
            frames.append(frame)
            places.append(place.copy())
            after(places[-1], table.clips["displacement"][clip], place)
            frame, pose = frame + int(table.clips["duration"][clip]), int(table.clips["exit"][clip])
        return np.array(clips, dtype=np.int64), np.array(frames, dtype=np.int64), np.array(places).reshape(-1, 3)

    def place_of(self, row: int) -> tuple[float, float, float]:
        """Where somebody's body is now, and its heading: turned as far as its clip is over."""
        crew, moves = self.crew, self.repertoire.moves
        if crew.count[row] == 0:
            x, z, heading = crew.end[row]
            return float(x), float(z), float(heading)
        clip = crew.clips[row, 0]
        done = min(max(self.frame - crew.frames[row, 0], 0), moves.durations[clip])
        path = moves.paths[moves.frame_starts[clip] + done]
        place = Placement(*crew.places[row, 0])
        heading = place.heading + moves.displacements[clip, 2] * done / moves.durations[clip]
        x, z = place.point(*path)
        return float(x), float(z), float(heading)

    def leave(self, row: int) -> None:
        """Somebody is gone from now on, and nobody has to make way for it any more."""
        self.crew.here[row] = False
        asked = self.crew.asked_by == row
        self.crew.asked_by[asked], self.crew.asked_ticket[asked] = -1, NOBODY
        self.numbers[row] = -1
        self._free.append(row)
        fill_cells(self.crew, self.cells)

    def _grow(self) -> int:
        old = len(self.crew)
        self.crew = grown(self.crew, 2 * old)
        self.tracks = np.concatenate([self.tracks, np.zeros_like(self.tracks)])
        self.numbers = np.concatenate([self.numbers, np.full(old, -1, dtype=np.int64)])
        self.cells = _make_cells(self.surroundings, 2 * old)
        fill_cells(self.crew, self.cells)
        self._free = list(range(2 * old - 1, old, -1))
        return old

    # Surroundings ---------------------------------------------------------------------------------------------

    def change(self, surroundings: Surroundings) -> NDArray[np.int64]:
        """The world has changed: those whose commitments meet it are to decide anew; their rows."""
        if surroundings.land.room.shape != self.surroundings.land.room.shape:
            self._scouts = [make_scouting(surroundings.land) for _ in range(self._workers)]
        self.surroundings = surroundings
        self.crew.routed[:] = np.minimum(self.crew.routed, self.frame - 1000)
        self.crew.corner_count[:] = self.crew.chain_count[:] = 0
        hit = np.zeros(len(self.crew), dtype=np.int64)
        committing.look_again(self.frame, self.crew, self.tracks, self.repertoire.table, surroundings.around, hit)
        return np.flatnonzero(hit)

    def caught(self) -> NDArray[np.int64]:
        """Rows of those onto whom an obstacle was put, as long as they are not clear of it."""
        return committing.still_caught(self.frame, self.crew, self.tracks, self.surroundings.around)

    def learn(self, repertoire: Repertoire) -> None:
        """New performers were added behind those there were: all old numbers stand."""
        if repertoire is not self.repertoire:
            self.repertoire = repertoire
            self.surroundings = self.surroundings.seen_by(repertoire.moves)
            if self.guides is not None:
                self.guides.learn(repertoire)

    # Time -----------------------------------------------------------------------------------------------------

    def tick(self) -> NDArray[np.int64]:
        """One frame further. Rows of those who have reached their goals."""
        self.frame += 1
        crew, count = self.crew, len(self.crew) - len(self._free)
        # The more people there are, the less is spent on each; nobody is any less safe for it.
        self._rules = self._rules._replace(
            effort=LEAST_EFFORT if self.quick else min(1.0, max(LARGE / max(count, 1), LEAST_EFFORT)),
            again=AGAIN[int(self.quick or count > LARGE)],
        )
        room = len(crew)
        started, due = np.empty((room, 3), dtype=np.int64), np.empty(room, dtype=np.int64)
        arrived = np.empty(room, dtype=np.int64)
        starts, dues, arrivals = committing.advance(
            self.frame, LEAD, self._rules.again, crew, self.repertoire.table, started, due, arrived
        )
        rows = started[:starts, 0]
        self.diary.write(self.numbers[rows], started[:starts, 1], started[:starts, 2], crew.places[rows, 0])
        self._due = due[:dues]
        return arrived[:arrivals].copy()

    def plan(self) -> None:
        """Those who are due decide."""
        crew, due = self.crew, self._due
        fill_cells(crew, self.cells)
        if self.frame % WATCH == 0:
            committing.keep_watch(self.frame, self._rules, crew, self.tracks)
            crowd_density(crew, self.frame, self._rules.fps, self.surroundings.land)
        # Those who were let wait longest first, then those whose time runs out.
        order = np.lexsort((due, crew.boundary[due], crew.ticket[due]))
        due, looked = due[order], 0
        for first in range(0, len(due), BATCH):
            if looked > BUDGET:
                self._rules = self._rules._replace(effort=HASTE)
            looked += self._settle(due[first : first + BATCH])

    def _settle(self, rows: NDArray[np.int64]) -> int:
        """Propose and commit for some people; how many clips were looked at."""
        if not len(rows):
            return 0
        count, proposals = len(rows), self._proposals
        proposals.row[:count] = rows
        proposals.hint_count[:count] = proposals.cycles[:count] = 0
        fresh = rows[self.crew.count[rows] == 0]
        self._propose(count)
        again = committing.settle_batch(count, self.frame, self.frame + LAST_CALL, *self._context(0), proposals)
        looked = int(proposals.looked[:count].sum())
        self.replans, self.again, self.looked = self.replans + count, self.again + again, self.looked + looked
        self._cycles.extend(proposals.cycles[:count].tolist())
        self._publish(count)
        self._begin(fresh)
        return looked

    def _propose(self, count: int) -> None:
        pool = self._pool if count >= 8 else None
        if pool is None:
            self._propose_some(0, 0, count)
            return
        # Small portions, to whoever is free: some people take ten times as long to think as others.
        portions = iter(range(0, count, PORTION))
        waiting = [
            pool.submit(self._propose_portions, worker, portions, count) for worker in range(1, self._workers)
        ]
        self._propose_portions(0, portions, count)
        for task in waiting:
            task.result()

    def _propose_portions(self, worker: int, portions: Iterator[int], count: int) -> None:
        for first in portions:
            self._propose_some(worker, first, min(first + PORTION, count))

    def _propose_some(self, worker: int, first: int, stop: int) -> None:
        about = (first, stop, self.frame, *self._context(worker), self._proposals)
        if self.guides is not None:
            self.guides.advise(worker, *about)
        proposing.propose_some(*about)

    def _context(self, worker: int) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]:
        # What `propose` reads, in its order.
        around, repertoire = self.surroundings, self.repertoire
        return (
            self.crew, self.tracks, self.cells, repertoire.table, around.around, around.land, self._rules,
            self._memories[worker], self._scouts[worker],
        )  # fmt: skip

    def replan_seconds(self) -> NDArray[np.float64]:
        """How long [s] each of the latest replans took, at most 20,000 of them."""
        return np.array(self._cycles, dtype=np.float64) * self._stopwatch.seconds_per_cycle()

    def _publish(self, count: int) -> None:
        """Commitments that were made, for whoever listens."""
        proposals = self._proposals
        slots = np.flatnonzero(proposals.kind[:count] >= COMMITTED)
        self.led += int(proposals.led[slots].sum())
        self.stops += int((proposals.kind[:count] == NOTHING).sum())
        counts = proposals.count[slots]
        inside = np.arange(SEGMENTS) < counts[:, None]
        self.commits.add(
            Commits(
                self.numbers[proposals.row[slots]],
                np.concatenate([[0], np.cumsum(counts)]),
                proposals.clips[slots][inside],
                proposals.frames[slots][inside],
                proposals.places[slots][inside],
            )
        )

    def explore(self, row: int) -> NDArray[np.float64]:
        """Segments (K, 4) x0, z0, x1, z1 of a search that somebody would do now."""
        memory, around = self._memories[0], self.surroundings
        look_ahead(
            row, 320, 0.0, memory, self.repertoire.table, self.crew, self.tracks, self.cells, around.around,
            self._rules, result := np.zeros(6, dtype=np.int64),
        )  # fmt: skip
        nodes = memory.nodes[1 : max(int(result[4]), 1)]
        nodes = nodes[nodes["checked"]]
        return np.concatenate([memory.nodes["place"][nodes["parent"], :2], nodes["place"][:, :2]], axis=1)

    def _begin(self, fresh: NDArray[np.int64]) -> None:
        """The first segments of those who have just come; who found nothing comes to a stand."""
        crew = self.crew
        for row in fresh:
            if crew.count[row] == 0:
                clips, frames, places = self._stop_chain(int(row))
                count = len(clips)
                crew.clips[row, :count], crew.frames[row, :count], crew.places[row, :count] = clips, frames, places
                crew.count[row] = count
                if count:
                    committing.begin_segment(int(row), crew, self.repertoire.table)
                    self.commits.add(
                        Commits(self.numbers[[row]], np.array([0, count]), clips, frames, places.copy())
                    )
        fresh = fresh[crew.count[fresh] > 0]
        self.diary.write(self.numbers[fresh], crew.clips[fresh, 0], crew.frames[fresh, 0], crew.places[fresh, 0])


def _make_cells(surroundings: Surroundings, room: int) -> Cells:
    left, near, right, far = surroundings.world.scene.bounds
    cell = max(CELL, float(np.sqrt((right - left) * (far - near) / 250_000)))
    shape = (int((far - near) / cell) + 1, int((right - left) / cell) + 1)
    return Cells(
        float(left),
        float(near),
        cell,
        np.full(shape, -1, dtype=np.int32),
        np.full(room, -1, dtype=np.int32),
        np.zeros((room, 2)),
        np.zeros(1),
    )
