"""All pictures of a report: one of everybody in every take, and a bounded number of moments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Progress
from walkon.metrics import Anomaly
from walkon.render.report.entries import Entry
from walkon.render.report.images import encode_photograph
from walkon.render.report.maps import draw_moment_map
from walkon.render.report.moments import (
    Moment,
    crowded_time,
    draw_around,
    draw_everybody,
    gather_moments,
    moment_of,
    overview_camera,
    places_at,
)
from walkon.render.svg import shorten

MOST_MOMENTS = 24
"""Pictures of moments in a report; each entry has its share."""


@dataclass(eq=False)
class Shown:
    """A moment of an entry that has a picture: its anomalies (numbers in the entry's list), and the picture."""

    moment: Moment
    anomalies: list[int]
    html: str = ""


@dataclass(eq=False)
class Gallery:
    """Pictures of one entry. thumbnail: empty without poses. time: [s] of it."""

    thumbnail: str = ""
    time: float = 0.0
    shown: list[Shown] = field(default_factory=list)

    def picture_of(self, anomaly: int) -> int | None:
        """The number of the picture that shows an anomaly."""
        return next((k for k, one in enumerate(self.shown) if anomaly in one.anomalies), None)


def make_galleries(
    entries: Sequence[Entry], *, pictures: bool = True, progress: Progress | None = None
) -> list[Gallery]:
    """Draw everything; without `pictures`, only maps of moments."""
    share = max(MOST_MOMENTS // max(len(entries), 1), 2)
    galleries = []
    for number, entry in enumerate(entries):
        gallery = Gallery(shown=choose_moments(entry, share))
        if entry.take is not None and pictures and len(entry.measures.names):
            _photograph(entry, gallery, entries)
        for one in gallery.shown:
            if not one.html:
                one.html = draw_moment_map(number, entry, one.moment.who, one.moment.when) or ""
        gallery.shown = [one for one in gallery.shown if one.html]
        galleries.append(gallery)
        if progress is not None:
            progress(number + 1, len(entries))
    return galleries


def choose_moments(entry: Entry, most: int) -> list[Shown]:
    """The worst of every kind first, then the second worst; what one picture shows is shown once."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for number, found in enumerate(entry.measures.anomalies):
        kinds[found.what].append(number)
    turns = max(map(len, kinds.values()), default=0)
    order = [own[turn] for turn in range(turns) for own in kinds.values() if turn < len(own)]
    shown: list[Shown] = []
    for number in order:
        found: Anomaly = entry.measures.anomalies[number]
        moment = moment_of(found, entry.measures, entry.audited)
        if moment is None:
            continue
        same = next((one for one in shown if one.moment.like(moment)), None)
        if same is not None:
            same.anomalies.append(number)
        elif len(shown) < most:
            shown.append(Shown(moment, [number]))
    return shown


def _photograph(entry: Entry, gallery: Gallery, entries: Sequence[Entry]) -> None:
    take = entry.take
    if take is None:
        return
    gallery.time = crowded_time(entry.measures.trajectories)
    moments = [one.moment for one in gallery.shown]
    casts = gather_moments(take, [gallery.time, *(moment.when for moment in moments)])
    together = [other for other in entries if other.take is not None and other.take.scene.name == take.scene.name]
    seen = [
        places_at(other.measures.trajectories, crowded_time(other.measures.trajectories)) for other in together
    ]
    camera = overview_camera(np.concatenate(seen), take.scene)
    everybody = draw_everybody(take, casts[0], gallery.time, camera)
    gallery.thumbnail = _image(everybody, f"{entry.name} at {gallery.time:.1f} s")
    for one, cast in zip(gallery.shown, casts[1:], strict=True):
        picture = draw_around(take, cast, one.moment)
        if picture is not None:
            one.html = _image(picture, f"{', '.join(one.moment.who)} at {one.moment.when:.1f} s")


def _image(picture: NDArray[np.uint8], text: str) -> str:
    return f'<img src="{encode_photograph(picture)}" alt="{escape(shorten(text, 200))}">'
