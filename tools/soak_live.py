"""A long run of a live crowd that somebody keeps meddling with: python tools/soak_live.py --seconds 600.

Obstacles come, go and are dragged about, goals change, people come and leave, the planner is switched, edits are
undone. Afterwards: memory has not grown but for what takes and logs are made of, the take is clean but for those
onto whom an obstacle was dropped, and playing the log again gives the same commits. --json FILE: memory over time.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import resource
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "benchmarks")]

from _live_audit import audit_live  # noqa: E402
from _live_scenes import make_plaza, plaza_scene  # noqa: E402
from soak_edits import Meddler  # noqa: E402

from walkon.crowd.live import Commits, Live, Log  # noqa: E402
from walkon.metrics.audit import Violation  # noqa: E402
from walkon.world import Scene  # noqa: E402

SEED = 11
WARM = 0.5
"""Share of the run after which memory is looked at for the first time. Whatever is used first adds to it, compiled
code above all: with 300 people in jumps of up to 90 MB in the first minute, and up to 50 MB until minute 15.
With less, these count as leaks; with more, a slow leak has less time to show."""

GROWTH = 0.02
"""Share by which memory may grow from then on, besides the records: what a take and the log are made of. With
more, a leak of 20 MB an hour would not be seen; with less, when the allocator gives pages back would decide."""

LOOK = 30.0
"""[simulated s] between two looks at memory. With less, looking takes time; with more, it jumps unseen."""

UNTIL_IN = 90
"""Frames after an obstacle was put somewhere in which those who were about to go there may still get into it."""

BREATH = 3
"""Frames for which the engine may count somebody as out of an obstacle while a hand is still in."""


@dataclass
class Outcome:
    """What came of it. memory: simulated [s], resident memory and records [MB], from time to time; before, after:
    the latter two. wrong: violations nobody can be excused for."""

    simulated: float = 0.0
    wall: float = 0.0
    memory: list[tuple[float, float, float]] = field(default_factory=list)
    before: tuple[float, float] = (0.0, 0.0)
    after: tuple[float, float] = (0.0, 0.0)
    edits: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    longest_wait: float = 0.0
    dropped: int = 0
    excused: int = 0
    wrong: list[Violation] = field(default_factory=list)
    same: bool = False

    @property
    def growth(self) -> float:
        """Share by which memory grew besides the records."""
        (before, kept), (after, kept_then) = self.before, self.after
        return (after - kept_then) / (before - kept) - 1.0


class CommitDigest:
    """Tells whether two runs decided the same, whenever their commits were taken."""

    def __init__(self) -> None:
        self._parts = [hashlib.sha256() for _ in range(5)]
        self.count = 0

    def add(self, commits: Commits) -> None:
        """Some more of them."""
        columns = (commits.who, np.diff(commits.starts), commits.clips, commits.frames, commits.placements)
        for part, column in zip(self._parts, columns, strict=True):
            part.update(np.ascontiguousarray(column).tobytes())
        self.count += len(commits)

    def hexdigest(self) -> str:
        """Of all so far."""
        return "".join(part.hexdigest()[:16] for part in self._parts)


def soak(seconds: float, people: int = 300, seed: int = SEED, pace: float = 1.0, say: bool = False) -> Outcome:
    """Let a crowd live for so many simulated seconds, `pace` of them a second at most (0: as many as can be)."""
    plaza = make_plaza(people, seed)
    scene = plaza_scene(plaza, plaza.goals(np.random.default_rng(seed), plaza.starts))
    live = Live(scene, seed=seed)
    meddler, digest, outcome = Meddler(live, plaza, seed), CommitDigest(), Outcome()
    begun, frames = time.perf_counter(), round(seconds * live.fps)
    for frame in range(frames):
        live.step()
        meddler.meddle()
        digest.add(live.drain())
        if frame == round(WARM * frames):
            outcome.before = resident(), records(live)
        if frame % round(LOOK * live.fps) == 0:
            outcome.memory.append((live.time, resident(), records(live)))
            if say:
                tell(_progress(live, begun, *outcome.memory[-1][1:]))
        if pace > 0.0:
            time.sleep(max(0.0, (frame + 1) / live.fps / pace - (time.perf_counter() - begun)))
    outcome.after, outcome.wall = (resident(), records(live)), time.perf_counter() - begun
    figures = live.figures()
    outcome.simulated, outcome.longest_wait = live.time, figures.longest_wait
    outcome.edits, outcome.refused, outcome.dropped = meddler.edits, meddler.refused, figures.dropped
    live.close()
    if say:
        tell("auditing, and playing it again")
    with ThreadPoolExecutor(1) as beside:
        same = beside.submit(_play_again, scene, live.log, digest)
        for violation in audit_live(live.take()).violations:
            if _is_excused(violation, live, meddler):
                outcome.excused += 1
            else:
                outcome.wrong.append(violation)
        if say:
            tell("audited")
        outcome.same = same.result()
    return outcome


def _progress(live: Live, begun: float, memory: float, kept: float) -> str:
    figures = live.figures()
    return (
        f"{time.perf_counter() - begun:5.0f} s  {live.time:6.1f} s simulated, {figures.people} people, "
        f"{figures.waiting} wait, {figures.longest_wait:.0f} s at most, {memory:.0f} MB, {kept:.1f} MB of records"
    )


def _is_excused(violation: Violation, live: Live, meddler: Meddler) -> bool:
    """Whether it is somebody onto whom an obstacle was put and who has not got out since, by the engine's own
    account. That obstacle may touch others, so which one it was does not matter."""
    if violation.kind != "obstacle":
        return False
    who = violation.who.split("~")[0]
    puts = np.unique(np.concatenate([np.array(frames) for frames in meddler.put.values()]))
    return any(
        _stayed_inside(np.array(live.dropped.get(number, [])), begun, violation)
        for begun in puts
        for number, name in meddler.names.items()
        if name == who
    )


def _stayed_inside(frames: NDArray[np.int64], begun: int, violation: Violation) -> bool:
    """Whether somebody who is in an obstacle at these frames got into it soon after it was put there, and did not
    leave it before the end of a violation."""
    # It rises between the frame before and the one from which on it stands.
    if violation.last_frame < begun - 1:
        return False
    frames = frames[frames >= begun - 1]
    spells = np.split(frames, np.flatnonzero(np.diff(frames) > BREATH) + 1)
    return any(
        spell[0] <= begun + UNTIL_IN and spell[0] - BREATH <= violation.first_frame
        and violation.last_frame <= spell[-1] + BREATH
        for spell in spells
        if len(spell)
    )  # fmt: skip


def _play_again(scene: Scene, log: Log, digest: CommitDigest) -> bool:
    """Whether the log, written and read, gives the same commits."""
    from walkon.crowd.live import replay

    again = replay(scene, Log.from_json(log.to_json()))
    second = CommitDigest()
    second.add(again.drain())
    again.close()
    return (second.count, second.hexdigest()) == (digest.count, digest.hexdigest())


def tell(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def resident() -> float:
    """Memory of this process [MB]."""
    gc.collect()
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        # Elsewhere than on Linux: the most there ever was, in bytes or kilobytes as the system likes it.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def records(live: Live) -> float:
    """Memory [MB] of what is kept so that a take can be made of all that was played, and that it can be played
    again."""
    return (live._engine.diary.nbytes + sum(_size(entry.arguments) + 100 for entry in live.log)) / 1e6


def _size(value: object) -> int:
    """Bytes of something as JSON has it, with all that is in it; keys are shared."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sys.getsizeof(value) + sum(_size(one) for one in inside)


def main() -> int:
    """Soak, say what came of it, and fail if anything is not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--pace", type=float, default=1.0, help="simulated seconds a second; 0: as fast as it goes"
    )
    parser.add_argument("--json", type=Path, help="where to write how much memory it took, and when")
    options = parser.parse_args()
    found = soak(options.seconds, options.people, options.seed, options.pace, say=True)
    tell(f"{found.simulated:.0f} s simulated in {found.wall:.0f} s; edits: {dict(found.edits)}")
    tell(f"refused: {dict(found.refused)}")
    (before, kept), (after, kept_then) = found.before, found.after
    tell(f"memory: {before:.0f} MB with {kept:.1f} MB of records, then {after:.0f} MB with {kept_then:.1f} MB")
    tell(f"memory besides records: {100 * found.growth:+.1f} %")
    if options.json is not None:
        options.json.write_text(json.dumps({"simulated, resident MB, records MB": found.memory}))
    tell(f"longest wait: {found.longest_wait:.1f} s; obstacles were dropped onto {found.dropped} people")
    tell(f"audit: {len(found.wrong)} violations, {found.excused} more of those an obstacle was dropped onto")
    for one in found.wrong[:20]:
        tell(f"  {one.kind}, {one.who}, {one.other} at {one.time:.2f} s: {one.message}")
    tell(f"played again: {'the same commits' if found.same else 'DIFFERENT commits'}")
    return 0 if found.same and not found.wrong and found.growth <= GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
