"""Rows of `walkon bench graph` about the distance surface: how long all pairs of windows take, or most of them.

The surface of FRAMES frames at 30 Hz (windows of 10) with all its local minima below the library's limit, beside
the time that plain matrix products need for as many multiply-adds, and beside numpy that aligns and measures one
pair of windows after the other. That is our own code in the style of fairmotion's graph, which is not run here; it
is measured on a few pairs and told for all. Multiply-adds: for each of the N²/2 pairs 5 P for the products of two
frames of P points, and 3 k for the sums over the window; what finds the turn, the root and the minima is not
counted. Then MANY
frames: all pairs, and the candidate search with what it finds of them.

Frames are all CMU recordings there are, their mirror images, and both again 10 % faster and slower; where there
are no recordings, built-in motion at many speeds. Compiling is not counted. Memory is what the search needs beyond
the corpus, at its peak.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import numpy as np

if TYPE_CHECKING:
    from walkon.graphs import Corpus
    from walkon.graphs.comparing.minima import Minima
    from walkon.motion import Clip

FRAMES, MANY = 6000, 100_000
ROUNDS = 3
PAIRS = 300
"""Evaluated one by one."""

LIMITS = (0.05, 0.15)
"""[m] of the candidate search; the last is that of the library."""

SPEEDS = (1.0, 1.1, 0.9)
RECORDINGS = (
    Path(os.environ.get("WALKON_MOCAP", Path(__file__).resolve().parents[2] / "shared" / "mocap")) / "cmu" / "bvh"
)
PAPER = "25 min"
"""For the candidates of 6000 frames (Kovar, Gleicher and Pighin 2002, on one core of that time)."""

Row = dict[str, object]
Result = TypeVar("Result")


def surface_rows(seed: int) -> list[Row]:
    """All of them; every row has the same keys."""
    corpus, whole = corpora(seed)
    return [*few_frames_rows(corpus, seed), *many_frames_rows(whole)]


def few_frames_rows(corpus: Corpus, seed: int) -> list[Row]:
    """The full surface with its minima, the limit, and one pair after the other."""
    from walkon.graphs.comparing.clouds import PointClouds
    from walkon.graphs.comparing.minima import find_minima

    find_minima(corpus, pairs=[(0, 0)])
    clouds = PointClouds.of(corpus)
    minima, seconds = _timed(lambda: find_minima(corpus), ROUNDS)
    points = len(clouds.weights)
    per_pair = 5 * points + 3 * clouds.window
    pairs = len(corpus) ** 2 / 2
    limit = _timed(lambda: multiply_adds(len(corpus), per_pair, seed), ROUNDS)[1]
    slow = one_by_one(corpus, seed) * pairs
    what = f"surface and minima, {len(corpus)} frames"
    work = f"{pairs * per_pair / 1e9:.1f} G multiply-adds: {per_pair} for each of {pairs / 1e6:.1f} M pairs"
    return [
        _row(
            what,
            "walkon",
            seconds,
            aim="2 s",
            paper=PAPER,
            found=len(minima),
            remark=f"{seconds / limit:.1f} × limit",
        ),
        _row(what, "limit: matrix products", limit, remark=work),
        _row(what, "pair by pair in numpy", slow, remark=f"told from {PAIRS} pairs; {slow / seconds:,.0f} × ours"),
    ]


def many_frames_rows(corpus: Corpus) -> list[Row]:
    """All pairs of many frames, and the candidate search at several limits with its recall."""
    from walkon.graphs.comparing.candidates import find_candidates
    from walkon.graphs.comparing.minima import find_minima

    assert len(corpus.library.positions)
    find_candidates(corpus, limit=1e-3)
    what = f"minima, {len(corpus)} frames"
    with Memory() as memory:
        exact, seconds = _timed(lambda: find_minima(corpus, limit=LIMITS[-1]), 1)
    rows = [_row(what, "walkon, all pairs", seconds, megabytes=memory.peak, found=len(exact), recall=1.0)]
    for limit in LIMITS:
        with Memory() as memory:
            found, own = _timed(lambda limit=limit: find_candidates(corpus, limit=limit), 1)
        rows.append(
            _row(
                f"{what}, below {100 * limit:.0f} cm", "walkon, candidates", own, megabytes=memory.peak,
                found=len(found), recall=recall(exact, found, limit, len(corpus)), aim="recall 95 %",
                remark=f"{seconds / own:.1f} × faster than all pairs",
            )
        )  # fmt: skip
    return rows


def recall(exact: Minima, found: Minima, limit: float, rows: int) -> float:
    """Share of the exact minima below a limit that are found."""
    wanted = exact.distances < limit
    keys = exact.starts_a[wanted] * rows + exact.starts_b[wanted]
    return float(np.isin(keys, found.starts_a * rows + found.starts_b).mean()) if len(keys) else 1.0


def multiply_adds(rows: int, per_pair: int, seed: int) -> None:
    """As many multiply-adds as the surface needs, as products of matrices in blocks, by both cores."""
    random = np.random.default_rng(seed)
    # One triangle of pairs is half a square.
    values = random.normal(size=(rows, max(per_pair // 2, 1)))
    block = np.empty((512, rows))
    for first in range(0, rows, 512):
        part = values[first : first + 512]
        np.matmul(part, values.T, out=block[: len(part)])


def one_by_one(corpus: Corpus, seed: int) -> float:
    """Seconds that one pair of windows takes on its own: gathered, aligned, measured."""
    from walkon.graphs.comparing.clouds import WINDOW, choose_taper, window_starts
    from walkon.motion.features.clouds import align, watched_joints

    joints, shares = watched_joints(corpus.library.skeleton)
    points, weights = corpus.library.positions[:, joints], choose_taper(WINDOW)[:, None] * shares
    starts = np.flatnonzero(window_starts(corpus.library, WINDOW))
    pairs = np.random.default_rng(seed).choice(starts, (PAIRS, 2))
    begun = time.perf_counter()
    for a, b in pairs.tolist():
        fixed, moving = points[a : a + WINDOW], points[b : b + WINDOW]
        carried = align(fixed, moving, weights).points(moving)
        np.sqrt((weights[..., None] * (fixed - carried) ** 2).sum())
    return (time.perf_counter() - begun) / PAIRS


def corpora(seed: int) -> tuple[Corpus, Corpus]:
    """Corpora of FRAMES and of MANY frames; the second begins with the first's recordings."""
    from walkon.graphs import gather_corpus

    clips = list(gather_corpus(_recordings(), mirrored=True).library)
    return _corpus(_enough(clips, FRAMES, seed)), _corpus(_enough(clips, MANY, seed))


def _recordings() -> list[Clip]:
    from walkon.motion import read_clip

    files = sorted(RECORDINGS.glob("*.bvh")) if RECORDINGS.is_dir() else []
    return [read_clip(file) for file in files] or list(_made())


def _made() -> Iterator[Clip]:
    """Built-in motion, for those who have no recordings."""
    from walkon.builtin import make

    for speed in (0.9, 1.1, 1.3, 1.5, 1.7):
        yield make("walk", speed=speed).with_changes(name=f"walk at {speed}")
    for speed in (2.5, 3.0, 3.5):
        yield make("run", speed=speed).with_changes(name=f"run at {speed}")
    yield make("jump")


def _enough(clips: list[Clip], frames: int, seed: int) -> Iterator[Clip]:
    """Clips of `frames` in all: as they are, then at other speeds, then a little off those again."""
    from walkon.motion import crop, retime

    random, copy = np.random.default_rng(seed), 0
    while True:
        speed = SPEEDS[copy] if copy < len(SPEEDS) else float(random.uniform(0.8, 1.25))
        for clip in clips:
            own = clip if speed == 1.0 else retime(clip, np.arange(0.0, clip.duration, speed / clip.fps))
            yield crop(own, 0, min(len(own), frames)).with_changes(name=f"{clip.name} {copy}")
            frames -= len(own)
            if frames <= 0:
                return
        copy += 1


def _corpus(clips: Iterator[Clip]) -> Corpus:
    """Clips that already stand on one floor, as they are: the surface asks for nothing else."""
    from walkon.graphs import Corpus
    from walkon.motion import ClipLibrary

    library = ClipLibrary.build(clip.with_changes(labels=(), contacts=None) for clip in clips)
    nothing = np.zeros(library.frame_count, np.int64)
    return Corpus(library, (frozenset(),), nothing, nothing, np.zeros((library.frame_count, 3)), {})


class Memory:
    """Watches how much more memory [MB] the process has in use, at its peak, than when it began."""

    peak = 0.0

    def __enter__(self) -> Self:
        self._done = threading.Event()
        self._before = _resident()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.02):
            self.peak = max(self.peak, (_resident() - self._before) / 1e6)


def _resident() -> int:
    """Bytes of this process that are in memory."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0


def _timed(work: Callable[[], Result], rounds: int) -> tuple[Result, float]:
    """What it returns, and the seconds of its fastest run."""
    begun = time.perf_counter()
    result = work()
    best = time.perf_counter() - begun
    for _ in range(rounds - 1):
        begun = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begun)
    return result, best


def _row(
    what: str,
    who: str,
    seconds: float,
    *,
    aim: str = "",
    paper: str = "",
    found: int | None = None,
    recall: float | None = None,
    megabytes: float | None = None,
    remark: str = "",
) -> Row:
    return {
        "what": what,
        "who": who,
        "s": round(seconds, 3),
        "aim": aim,
        "paper": paper,
        "minima": found,
        "recall %": None if recall is None else round(100.0 * recall, 1),
        "peak MB": None if megabytes is None else round(megabytes),
        "remark": remark,
    }
