"""Verdicts in plain words: what is wrong, what stands out, and where somebody else does better."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from walkon.metrics.audit import VIOLATIONS
from walkon.metrics.audit.wording import PLANNED_WITH
from walkon.metrics.quality.collisions import TOUCHING
from walkon.render.report.catalogue import ANOMALY_UNITS, Figure, figures, format_number
from walkon.render.report.entries import Entry
from walkon.render.wording import counted

Tone = Literal["good", "bad", "unknown"]

MORE = 0.01
"""Who is better by less than this share is as good."""

STANDS_OUT = {
    "resistance": "went a strange way",
    "goal deviation": "ended off the goal",
    "normal jerk": "turned more abruptly than any clip does",
    "tangential jerk": "changed speed more abruptly than any clip does",
    "normal jerkiness": "turned more jerkily than the library",
    "tangential jerkiness": "changed speed more jerkily than the library",
    "foot slide": "slid on planted feet",
    "seam jump": "jumped between clips",
    "repetition": "doubled somebody nearby",
}
"""What people did, by kind of anomaly."""


@dataclass(frozen=True)
class Verdict:
    """tone: whether bodies touch. badge: the verdict in two words. sentences: the rest of it."""

    tone: Tone
    badge: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Duel:
    """Our best beside the rivals' best by one figure; winner: "ours", "rival" or "even"."""

    figure: Figure
    ours: tuple[str, float]
    rival: tuple[str, float]
    winner: str


def judge(entry: Entry) -> Verdict:
    """What to say about one of them."""
    tone, badge, touched = _collisions(entry)
    said = [touched, _seen(entry), _arrivals(entry), _effort(entry), *_anomalies(entry), _objections(entry)]
    return Verdict(tone, badge, tuple(sentence for sentence in said if sentence))


def _collisions(entry: Entry) -> tuple[Tone, str, str]:
    quality = entry.measures.quality
    if entry.recorded is not None:
        return "unknown", "paths only", f"People who were recorded, without bodies and poses.{_nearest(entry)}"
    if quality is None or quality.collisions is None:
        what = "These are paths without bodies" if quality is None else "This was not audited"
        said = f"{what}: whether anybody touches anybody is not known.{_nearest(entry)}"
        return "unknown", "collisions unknown", said
    events = quality.collisions.events
    if not events:
        return "good", "no collisions", "No body touches another or anything else."
    seconds, people = float(quality.collisions.seconds.sum()), int(np.sum(quality.collisions.seconds > 0.0))
    return (
        "bad",
        counted(events, "collision"),
        f"Bodies touch {_times(events)}: {people} of {counted(len(entry.measures.names), 'person', 'people')}, "
        f"{seconds:.1f} s in all.",
    )


def _nearest(entry: Entry) -> str:
    nearest = entry.measures.summary()["proximity_least"]
    return f" The nearest two come within {2.0 * nearest:.2f} m." if math.isfinite(nearest) else ""


def _seen(entry: Entry) -> str:
    """With which shapes of bodies it was planned, and how much circles overlapped; nothing of rivals, who have
    their own."""
    if entry.audited is None or entry.rival or not entry.audited.figures.planned_with:
        return ""
    figures = entry.audited.figures
    said = PLANNED_WITH[figures.planned_with].capitalize()
    if not figures.overlap_pairs:
        return f"{said}; circles around bodies never overlapped."
    pairs = counted(figures.overlap_pairs, "pair")
    return f"{said}; circles around {pairs} of bodies overlapped for {figures.overlap_seconds:.1f} person-seconds."


def _arrivals(entry: Entry) -> str:
    travel, names = entry.measures.travel, entry.measures.names
    missing = () if entry.take is None else entry.take.unplanned
    lost = f" {counted(len(missing), 'person has', 'people have')} no plan." if missing else ""
    known = np.isfinite(travel.deviations)
    if not known.any():
        return f"Nobody's goal is known.{lost}" if names else f"Nobody is there.{lost}"
    there, mean = int(travel.arrived[known].sum()), entry.measures.summary()["travel_time"]
    people = len(names) + len(missing)
    if there == people:
        return f"Everybody arrives, in {mean:.1f} s on average."
    return f"{there} of {people} arrive.{lost}"


def _effort(entry: Entry) -> str:
    resistance = entry.measures.summary()["resistance"]
    return (
        f"The ways take {100 * resistance:.0f} % more energy than ideal ones." if math.isfinite(resistance) else ""
    )


def _anomalies(entry: Entry) -> list[str]:
    """What stands out, the most frequent first; collisions were said already."""
    kinds = Counter(one.what for one in entry.measures.anomalies)
    parts = []
    for what, count in kinds.most_common():
        if what == "collision":
            continue
        worst = max((one for one in entry.measures.anomalies if one.what == what), key=lambda one: one.severity)
        unit, factor, digits = ANOMALY_UNITS.get(what, ("", 1.0, 2))
        value, limit = (format_number(abs(number) * factor, digits) for number in (worst.value, worst.limit))
        figure = f" (at worst {value}{' ' + unit if unit else ''}, limit {limit})"
        if what == "synchronicity":
            parts.append(f"{counted(count, 'pair')} moved in unison{figure}")
        elif what == "proximity":
            parts.append(f"{counted(count, 'pair')} came nearer than bodies fit{figure}")
        else:
            parts.append(f"{counted(count, 'person', 'people')} {STANDS_OUT.get(what, what)}{figure}")
    if not parts:
        return ["Nothing else stands out."] if kinds else ["Nothing stands out."]
    return [f"What stands out: {'; '.join(parts)}."]


def _objections(entry: Entry) -> str:
    """What else the audit finds."""
    if entry.audited is None:
        return ""
    others = {kind: count for kind, count in entry.audited.counts().items() if kind not in TOUCHING}
    if not others:
        return "The audit has no other objection." if not entry.audited.clean else "The audit is clean."
    said = "; ".join(f"{VIOLATIONS[kind]} ({count} ×)" for kind, count in others.items())
    return f"The audit also objects: {said}."


def set_against(entries: Sequence[Entry]) -> list[Duel]:
    """Our best beside the rivals' best by every figure of which less or more is better; none without both."""
    summaries = [(entry, entry.measures.summary()) for entry in entries if entry.recorded is None]
    duels = []
    for figure in figures():
        if not figure.compared:
            continue
        sides: list[tuple[str, float]] = []
        for rival in (False, True):
            own = [(entry.name, found[figure.key]) for entry, found in summaries
                   if entry.rival is rival and math.isfinite(found.get(figure.key, math.nan))]  # fmt: skip
            if own:
                sides.append((min if figure.better == "less" else max)(own, key=lambda one: one[1]))
        if len(sides) == 2:
            duels.append(Duel(figure, sides[0], sides[1], _winner(figure, sides[0][1], sides[1][1])))
    return duels


def _winner(figure: Figure, ours: float, rival: float) -> str:
    if figure.text(ours) == figure.text(rival) or abs(ours - rival) <= MORE * max(abs(ours), abs(rival)):
        return "even"
    return "ours" if (ours < rival) == (figure.better == "less") else "rival"


def best_names(figure: Figure, entries: Sequence[Entry]) -> set[str]:
    """Who is best by a figure; nobody if all are the same. People who were recorded are no better or worse."""
    players = [entry for entry in entries if entry.recorded is None]
    values = {entry.name: entry.measures.summary().get(figure.key, math.nan) for entry in players}
    values = {name: value for name, value in values.items() if math.isfinite(value)}
    if not figure.better or len(values) < 2:
        return set()
    best = (min if figure.better == "less" else max)(values.values())
    found = {name for name, value in values.items() if figure.text(value) == figure.text(best)}
    return set() if len(found) == len(values) else found


def headline(entries: Sequence[Entry], duels: Sequence[Duel]) -> list[str]:
    """The whole of it in a few sentences: who is free of collisions, and who is better at what."""
    said = []
    for tone, words in (
        ("good", "Free of collisions"),
        ("bad", "Bodies touch"),
        ("unknown", "Collisions unknown"),
    ):
        names = [entry.name for entry in entries if entry.recorded is None and judge(entry).tone == tone]
        if names:
            said.append(f"{words}: {_and(names)}.")
    sentences = [" ".join(said)] if said else []
    for winner, words in (("rival", "A rival is better than ours at"), ("ours", "Ours is better at")):
        # Mean and worst of the same measure are one thing in a sentence.
        titles = [
            duel.figure.title.split(",")[0].split(" (")[0].lower() for duel in duels if duel.winner == winner
        ]
        if titles:
            sentences.append(f"{words} {_and(list(dict.fromkeys(titles)))}.")
    return sentences


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"
