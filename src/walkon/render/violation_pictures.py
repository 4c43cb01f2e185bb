"""Pictures of what an audit found: for every kind of violation its worst moment."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from walkon.basics import Picture
from walkon.metrics import VIOLATIONS, AuditReport, Violation
from walkon.metrics.audit.wording import told
from walkon.render.captions import Caption, write_captions
from walkon.render.company import Performed
from walkon.render.palette import ALARM, DARKEST
from walkon.render.png import write_png
from walkon.render.report.moments import (
    Moment,
    draw_around,
    draw_everybody,
    gather_moments,
    overview_camera,
)
from walkon.take import Take

PICTURE_SIZE = (960, 640)
"""Width and height [px] of a picture without its title."""

TITLE, TEXT, LINE_LETTERS = 26, 17, 108
"""Heights [px] of the letters of the title and of the text below it, and letters that fit in a line of that."""


def write_violation_pictures(take: Take, report: AuditReport, folder: Path | str) -> list[Path]:
    """Write KIND.png for every kind of violation into a folder, which is made; their paths."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    paths = []
    for kind, picture in draw_violations(take, report):
        paths.append(Path(folder) / f"{kind}.png")
        write_png(paths[-1], picture)
    return paths


def draw_violations(take: Take, report: AuditReport) -> Iterator[tuple[str, Picture]]:
    """Kinds of violations, and a picture of the worst of each: who is meant is marked, and where it is ringed."""
    counts = report.counts()
    worst = [report.worst(kind) for kind in counts]
    casts = gather_moments(take, [_shown_at(take, found) for found in worst])
    for found, cast in zip(worst, casts, strict=True):
        picture = _draw(take, found, cast)
        yield found.kind, _titled(picture, found, counts[found.kind])


def _shown_at(take: Take, found: Violation) -> float:
    """When [s] to look: while those whom it is about are there."""
    spans = [
        (role.start_frame, take.end_frame(role))
        for role in take.roles
        if role.character in (found.who, found.other)
    ]
    first, last = max((span[0] for span in spans), default=0), min((span[1] for span in spans), default=0)
    return min(max(found.time, first / take.fps), max(last, first) / take.fps) if spans else found.time


def _draw(take: Take, found: Violation, cast: Sequence[Performed]) -> Picture:
    """Those whom a violation is about; everybody who is there, if it is about nobody."""
    here = {one.character for one in cast}
    who = tuple(name for name in (found.who, found.other) if name in here)
    when = _shown_at(take, found)
    if who:
        picture = draw_around(take, cast, Moment(who, when), size=PICTURE_SIZE, spot=found.place)
        if picture is not None:
            return picture
    left, near, right, far = take.scene.bounds
    places = np.array([one.clip.root_positions[0, [0, 2]] for one in cast]).reshape(-1, 2)
    corners = np.array([(left, near), (right, far)])
    camera = overview_camera(places if len(places) else corners, take.scene)
    return draw_everybody(take, cast, when, camera, PICTURE_SIZE)


def _titled(picture: Picture, found: Violation, count: int) -> Picture:
    """The picture below a title and what is wrong, in words."""
    title = f"{found.kind}, the worst of {count}" if count > 1 else found.kind
    lines = [VIOLATIONS[found.kind], *textwrap.wrap(told(found), LINE_LETTERS)]
    height = math.ceil(1.9 * TITLE + 1.35 * TEXT * len(lines))
    strip = np.full((height, picture.shape[1], 3), 255, dtype=np.uint8)
    strip = write_captions(strip, [Caption(title, (14, 0.9 * TITLE), "lm")], size=TITLE, colour=ALARM)
    captions = [
        Caption(line, (14, 1.9 * TITLE + 1.35 * TEXT * (row + 0.3)), "lm") for row, line in enumerate(lines)
    ]
    return np.concatenate([write_captions(strip, captions, size=TEXT, colour=DARKEST), picture])
