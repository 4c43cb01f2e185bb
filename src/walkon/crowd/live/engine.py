"""The loop: everybody goes on by a frame, and those whose clip is about to end decide what comes next."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from walkon.basics import Array, Indices
from walkon.crowd.live import _kernels_commit as committing
from walkon.crowd.live._kernels_checks import after, lay_rest
from walkon.crowd.live._kernels_clock import Stopwatch
from walkon.crowd.live._kernels_costs import GUESSED_BODY
from walkon.crowd.live._kernels_land import crowd_density
from walkon.crowd.live._kernels_led import commit_chain
from walkon.crowd.live._kernels_memory import CommonArrays, Rules, Setting, Workspace
from walkon.crowd.live._kernels_people import Crowd, enter_cell, fill_cells, gather, tracks_meet
from walkon.crowd.live._kernels_search import look_ahead
from walkon.crowd.live._kernels_tracks import bound_track, lay_track
from walkon.crowd.live._kernels_turns import give_turns
from walkon.crowd.live.commits import CommitPile, Commits, Diary
from walkon.crowd.live.crew import (
    BODY,
    COMMITTED,
    NOBODY,
    NOTHING,
    SEGMENTS,
    TRACK_ROOM,
    empty_crew,
    forget,
    grown,
)
from walkon.crowd.live.deciding import DECIDING_BATCH, Context, Deciders
from walkon.crowd.live.guides import Guides
from walkon.crowd.live.knots import Knots
from walkon.crowd.live.leading import Leader
from walkon.crowd.live.repertoire import LivePerformer, MoveTable, Repertoire
from walkon.crowd.live.surroundings import Surroundings, make_cells
from walkon.rotations import Placement

LEAD = (3, 8)
"""Frames (0.1 s, and 0.3 s in a stream) before the end of a clip from which on the next one is looked for. With
more, people decide before they know what others do, and hold places for longer; with fewer, there is no second
try. In a stream the place to stop that somebody holds is in the way of those behind, who go on sooner if it
moves on."""

AGAIN = (4, 16)
"""Frames between two tries to find a good way, in a small and in a large crowd."""

LARGE_CROWD, LEAST_EFFORT = 1000, 0.2
"""From this many people on searches are shortened, to this share of the usual at the least."""

SMALL_CROWD, MOST_EFFORT = 400, 4.0
"""Below this many people there is time to search longer, up to this many times as long. With more, whoever is
alone gets through narrow places a little better, and sixty before a door are slow."""

LAST_CALL = 1
"""Frames before the end of a clip at which it is decided what follows: in the next one the stop would begin. With
more, there are fewer looks, and people stop who could have gone on."""

BUDGET = 400_000
"""Clips that may be looked at in one step; who is left over then decides in haste."""

HASTE = 0.05
"""Share of the usual search that is left to those."""

EXPLORED = 320
"""Clips of a search that is only shown: more than anybody looks at, so that its tree can be seen."""

WATCH = 6
"""Frames between two looks at who waits, and where it is crowded."""

EVERYWHERE = np.array([[-np.inf, -np.inf, np.inf, np.inf]])
"""(1, 4) first x, z, last x, z of where a world has changed of which nothing is known."""


def _effort(count: int) -> float:
    """The share of the usual search that everybody in a crowd of this many has time for."""
    return max(min(1.0, LARGE_CROWD / max(count, 1)), min(SMALL_CROWD / max(count, 1), MOST_EFFORT), LEAST_EFFORT)


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
        self.leader, self.knots = Leader(), Knots()
        self.crowd = Crowd(
            empty_crew(64), np.zeros((64, TRACK_ROOM + 1, BODY)), make_cells(surroundings.world, 64)
        )
        self.commits, self.diary = CommitPile(), Diary()
        self.numbers = np.full(64, -1, dtype=np.int64)
        self.replans = self.stops = self.looked = self.again = self.led = 0
        self._cycles: deque[int] = deque(maxlen=20_000)
        self._stopwatch = Stopwatch()
        self._rules = Rules(gap=gap, fps=fps, effort=1.0, again=AGAIN[0])
        self._deciders = Deciders(workers, surroundings.land)
        self._free: list[int] = list(range(63, -1, -1))

    @property
    def crew(self) -> Any:
        """Everybody's record, as `crew.Crew`; numpy's records have no types."""
        return self.crowd.crew

    @property
    def tracks(self) -> Array:
        """The space and time (N, TRACK_ROOM + 1, BODY) that everybody has committed to."""
        return self.crowd.tracks

    def close(self) -> None:
        """End the threads."""
        self._deciders.close()

    def enter(self, number: int, place: Array, pose: int) -> int:
        """Somebody appears at a place (3,) in the next frame. The row, or -1 if the place is not free."""
        row = self._free.pop() if self._free else self._grow()
        crew, track, table = self.crew, self.tracks[row], self.repertoire.table
        forget(crew, row)
        crew.end[row], crew.pose[row] = place, pose
        crew.boundary[row] = crew.first[row] = crew.since[row] = self.frame + 1
        self._lay(row, self.frame + 1, table)
        crew.guess[row] = place[0], place[1], 0.0, 0.0, self.frame + 1, GUESSED_BODY
        crew.anchor[row] = track[0, :2]
        if not self._is_free(row):
            self._free.append(row)
            return -1
        crew.here[row] = True
        self.numbers[row] = number
        enter_cell(crew, self.crowd.cells, row)
        return row

    def _lay(self, row: int, now: int, table: MoveTable) -> None:
        """Lay the track of what somebody plays and has committed to, from a frame on; or of its stop."""
        crew, track, count = self.crew, self.tracks[row], int(self.crew.count[row])
        clips, frames, places = self._stop_chain(row)
        if count:
            clips, frames, places = (np.array(crew[name][row, :count]) for name in ("clips", "frames", "places"))
        if len(clips):
            length, speed = lay_track(clips, frames, places, len(clips), now, table, track)
            if crew.ends[row]:
                length = min(length, int(crew.first[row] + crew.length[row]) - now)
        else:
            lay_rest(np.array(crew.end[row]), int(crew.pose[row]), table, track[0])
            length, speed = 1, 1e-6
        crew.first[row], crew.length[row], crew.speed[row] = now, length, speed
        bound_track(track, length, crew.bound[row])

    def _is_free(self, row: int) -> bool:
        """Whether what somebody new takes belongs to nobody and nothing else."""
        crew = self.crew
        first, length = int(crew.first[row]), int(crew.length[row])
        table, around = self.repertoire.table, self.surroundings.around
        clear = committing.track_is_clear(self.tracks[row], length, first, table, around)
        return clear and self._meets(row, table) is None

    def _meets(self, row: int, table: MoveTable) -> int | None:
        """The row of somebody whose track somebody's comes too near to."""
        crew, track, gap, bound = self.crew, self.tracks[row], self._rules.gap, self.crew.bound[row]
        near = self._deciders.workspaces[0].memory.near
        count = gather(crew, self.crowd.cells, row, bound[0], bound[1], bound[2] + gap, near)
        what = int(crew.first[row]), int(crew.length[row]), bool(crew.ends[row]), float(crew.speed[row]), bound
        for other in near[:count].tolist() if count <= len(near) else [row]:
            if other == row or tracks_meet(track, *what, crew, self.tracks, other, table, gap):
                return other
        return None

    def see(self, repertoire: Repertoire) -> bool:
        """See bodies at another level from now on, in what was committed to as well. Nothing is changed if
        somebody is too near to somebody else for it. Whether it was."""
        kept = self.crew.copy(), self.tracks.copy()
        rows = np.flatnonzero(self.crew.here)
        for row in rows:
            begun = int(self.crew.frames[row, 0]) if self.crew.count[row] else 0
            self._lay(int(row), max(self.frame, int(self.crew.first[row]), begun), repertoire.table)
        fill_cells(self.crew, self.crowd.cells)
        if any(self._meets(int(row), repertoire.table) is not None for row in rows):
            self.crew[:], self.tracks[:] = kept
            fill_cells(self.crew, self.crowd.cells)
            return False
        self._know(repertoire)
        return True

    def _stop_chain(self, row: int) -> tuple[Indices, Indices, Array]:
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

    def is_there(self, row: int) -> bool:
        """Whether somebody whose clip begins or ends now is where it wants to be."""
        me = self.crew[row]
        x, z = (me.end if self.frame >= me.boundary else me.places[0])[:2]
        return bool(np.hypot(x - me.goal[0], z - me.goal[1]) <= me.goal[2])

    def leave(self, row: int) -> None:
        """Somebody is gone from now on, and nobody has to make way for it any more."""
        self.crew.here[row] = False
        asked = self.crew.asked_by == row
        self.crew.asked_by[asked], self.crew.asked_ticket[asked] = -1, NOBODY
        self.numbers[row] = -1
        self._free.append(row)
        fill_cells(self.crew, self.crowd.cells)

    def _grow(self) -> int:
        old = len(self.crew)
        self.crowd = Crowd(
            grown(self.crew, 2 * old),
            np.concatenate([self.tracks, np.zeros_like(self.tracks)]),
            make_cells(self.surroundings.world, 2 * old),
        )
        self.numbers = np.concatenate([self.numbers, np.full(old, -1, dtype=np.int64)])
        fill_cells(self.crew, self.crowd.cells)
        self._free = list(range(2 * old - 1, old, -1))
        return old

    def change(self, surroundings: Surroundings) -> Indices:
        """The world has changed: those whose commitments meet it are to decide anew; their rows."""
        self._deciders.survey(surroundings.land)
        self.surroundings = surroundings
        self.crew.routed[:] = np.minimum(self.crew.routed, self.frame - 1000)
        self.crew.corner_count[:] = self.crew.chain_count[:] = 0
        # Doors have other numbers now.
        self.crew.door[:], self.crew.queues[:], self.crew.turn[:] = -1, False, True
        hit = np.zeros(len(self.crew), dtype=np.int64)
        where = EVERYWHERE if surroundings.changed is None else surroundings.changed
        table, around = self.repertoire.table, surroundings.around
        committing.look_again(self.frame, self.crew, self.tracks, table, around, where, hit)
        return np.flatnonzero(hit)

    def caught(self) -> Indices:
        """Rows of those onto whom an obstacle was put, as long as they are not clear of it."""
        table, around = self.repertoire.table, self.surroundings.around
        return committing.still_caught(self.frame, self.crew, self.tracks, table, around)

    def strayed(self) -> Indices:
        """Rows of those who have arrived, and make way for somebody: they will have to go back."""
        crew = self.crew
        away = np.hypot(crew.end[:, 0] - crew.goal[:, 0], crew.end[:, 1] - crew.goal[:, 1])
        return np.flatnonzero(crew.here & crew.settled & (away > crew.goal[:, 2]))

    def learn(self, repertoire: Repertoire) -> None:
        """New performers were added behind those there were: all old numbers stand."""
        if repertoire is not self.repertoire:
            # Outlines of those who rest come after those of all clips, of which there are more now.
            rests = self.tracks[:, :, 4]
            rests[rests >= self.repertoire.table.resting] += (
                repertoire.table.resting - self.repertoire.table.resting
            )
            self._know(repertoire)

    def _know(self, repertoire: Repertoire) -> None:
        self.repertoire = repertoire
        self.surroundings = self.surroundings.seen_by(repertoire.moves)
        if self.guides is not None:
            self.guides.learn(repertoire)

    def tick(self) -> Indices:
        """One frame further. Rows of those who have reached their goals."""
        self.frame += 1
        crew, count = self.crew, len(self.crew) - len(self._free)
        # The more people there are, the less is spent on each; nobody is any less safe for it.
        self._rules = self._rules._replace(
            effort=LEAST_EFFORT if self.quick else _effort(count),
            again=AGAIN[int(self.quick or count > LARGE_CROWD)],
            led=self.leader.is_needed(crew),
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
        fill_cells(crew, self.crowd.cells)
        if self.frame % WATCH == 0:
            committing.keep_watch(self.frame, self._rules, crew, self.tracks)
            crowd_density(crew, self.frame, self._rules.fps, self.surroundings.land)
            give_turns(self.frame, self._rules, crew, self.surroundings.land)
        # Those who were let wait longest first, then those whose time runs out.
        order = np.lexsort((due, crew.boundary[due], crew.ticket[due]))
        due, looked = due[order], 0
        due = due[~np.isin(due, self.knots.undo(due, self))]
        if self._rules.led:
            due = due[~np.isin(due, self.leader.lead(due, self))]
        for first in range(0, len(due), DECIDING_BATCH):
            if looked > BUDGET:
                self._rules = self._rules._replace(effort=HASTE)
            looked += self._settle(due[first : first + DECIDING_BATCH])

    def _settle(self, rows: Indices) -> int:
        """Propose and commit for some people; how many clips were looked at."""
        count, deciders, proposals = len(rows), self._deciders, self._deciders.proposals
        proposals.row[:count] = rows
        proposals.hint_count[:count] = proposals.cycles[:count] = 0
        fresh = rows[self.crew.count[rows] == 0]
        deciders.propose(count, self.frame, self.context(), self.guides)
        self.again += deciders.settle(count, self.frame, self.frame + LAST_CALL, self.context())
        looked = int(proposals.looked[:count].sum())
        self.replans, self.looked = self.replans + count, self.looked + looked
        self._cycles.extend(proposals.cycles[:count].tolist())
        self._publish(count)
        self._begin(fresh)
        return looked

    @property
    def gap(self) -> float:
        """[m] That people keep from each other."""
        return self._rules.gap

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self._rules.fps

    def performer_at(self, row: int) -> LivePerformer:
        """Whose clips somebody plays."""
        return self.repertoire.performer_in(int(self.crew.pose[row]))

    def numbered(self, row: int, clips: Indices) -> Indices:
        """Clips of somebody's graph by their numbers in the repertoire."""
        return np.ascontiguousarray(clips + self.performer_at(row).first_clip, dtype=np.int64)

    def promise(self, row: int, chain: Indices) -> bool:
        """Commit somebody to clips (K,) from its boundary on, if they meet nobody and nothing and it can stay at
        their end, or is gone there. Whether it is."""
        proposals = self._deciders.proposals
        free = commit_chain(row, chain, self.frame, *self.context(), self.workspace, proposals)
        if free:
            self._publish(1)
        return free

    @property
    def workspace(self) -> Workspace:
        """Memory for whoever thinks while no other thread does."""
        return self._deciders.workspaces[0]

    def context(self) -> Context:
        """What kernels read of the crowd and its setting."""
        around = self.surroundings
        return self.crowd, CommonArrays(self.repertoire.table, around.land), around.around, self._rules

    def replan_seconds(self) -> Array:
        """How long [s] each of the latest replans took, at most 20,000 of them."""
        return np.array(self._cycles, dtype=np.float64) * self._stopwatch.seconds_per_cycle()

    def _publish(self, count: int) -> None:
        """Commitments that were made, for whoever listens."""
        proposals = self._deciders.proposals
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

    def explore(self, row: int) -> Array:
        """Segments (K, 4) x0, z0, x1, z1 of a search that somebody would do now."""
        crowd, common, around, rules = self.context()
        setting = Setting(common.table, around, common.land)
        memory, result = self._deciders.workspaces[0].memory, np.zeros(6, dtype=np.int64)
        look_ahead(row, EXPLORED, 0.0, crowd, setting, memory, rules, result)
        nodes = memory.nodes[1 : max(int(result[4]), 1)]
        nodes = nodes[nodes["checked"]]
        return np.concatenate([memory.nodes["place"][nodes["parent"], :2], nodes["place"][:, :2]], axis=1)

    def _begin(self, fresh: Indices) -> None:
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
