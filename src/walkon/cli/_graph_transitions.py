"""`walkon graph transitions`: look at transitions, and say which are good."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import takes
from walkon.formats import FILM_SUFFIXES, PICTURE_SUFFIXES, either

if TYPE_CHECKING:
    from walkon.graphs import MotionGraph
    from walkon.graphs.choosing.choices import Choices
    from walkon.graphs.choosing.quality import BlendQuality
    from walkon.render.transition_strips import ShownTransition

DRAWN = (*PICTURE_SUFFIXES, *FILM_SUFFIXES)

TRANSITION_COLUMNS = [
    ("number", "right"),
    ("from", "left"),
    ("frame", "right"),
    ("to", "left"),
    ("frame", "right"),
    ("labels", "left"),
    ("distance cm", "right"),
    ("slide mm", "right"),
    ("jump", "right"),
    ("said", "left"),
]


class Order(StrEnum):
    """What comes first."""

    worst = "worst"
    pair = "pair"
    distance = "distance"
    slide = "slide"
    jump = "jump"
    number = "number"


@dataclass(frozen=True)
class TransitionOptions:
    """What can be asked for."""

    file: Path = typer.Argument(metavar="GRAPH", help="Motion graph, as written by walkon graph build.")
    out: Path | None = typer.Option(
        None, "-o", "--out", dir_okay=False, help="Draw them: .png for a sheet, .mp4 or .gif for a film."
    )
    sort: Order = typer.Option(Order.worst, help="What comes first.")
    between: str = typer.Option("", help="Only from one kind of motion to another, such as walk:run.")
    clip: list[str] = typer.Option([], help="Only from or to this clip; repeat it.")
    only: list[str] = typer.Option([], "--number", help="Only those with these numbers: 3, 3,7 or 10-14.")
    limit: int = typer.Option(20, min=1, help="How many to show at most.")
    accept: list[str] = typer.Option(
        [], help="Keep those with these numbers, whatever is measured: 3, 3,7 or 10-14."
    )
    reject: list[str] = typer.Option([], help="Leave out those with these numbers.")
    forget: list[str] = typer.Option([], help="Take back what was said about those with these numbers.")
    choices: Path | None = typer.Option(None, dir_okay=False, help="File of choices; by default beside the graph.")
    width: int = typer.Option(1600, min=400, max=8000, help="Of a sheet [px].")
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table.")


@takes(TransitionOptions)
def transitions(asked: TransitionOptions) -> None:
    """List and draw the transitions of a graph, worst first, and note down which to keep and which not.

    Numbers are those of this graph file. What is said counts when the graph is built again.
    """
    from walkon.cli._console import print_json, print_table
    from walkon.graphs.choosing.choices import read_choices
    from walkon.graphs.choosing.quality import measure_quality
    from walkon.graphs.file import read_graph

    file, out = asked.file, asked.out
    if out is not None and out.suffix.lower() not in DRAWN:
        raise typer.BadParameter(f"cannot draw {out.suffix or 'a file without suffix'}; use {either(DRAWN)}")
    graph = read_graph(file)
    kept = asked.choices or choices_beside(file)
    said = read_choices(kept)
    changed = _say(graph, said, {"accept": asked.accept, "reject": asked.reject, "forget": asked.forget})
    if changed != said:
        from walkon.graphs.choosing.choices import write_choices

        write_choices(kept, changed)
    quality = measure_quality(graph.corpus, graph.transitions)
    chosen = _chosen(graph, quality, asked)[: asked.limit]
    rows = [_row(graph, quality, changed, number) for number in chosen]
    if out is not None:
        _draw(graph, rows, out, asked.width)
    if asked.as_json:
        print_json(
            {"graph": str(file), "transitions": len(graph.transitions), "choices": str(kept), "shown": rows}
        )
        return
    total = len(graph.transitions)
    print_table(f"{file}: {len(rows)} of {total} transitions", TRANSITION_COLUMNS, [_cells(row) for row in rows])
    if changed != said:
        typer.echo(
            f"{kept}: {len(changed.accepted)} accepted, {len(changed.rejected)} rejected; "
            "build the graph again for it to count"
        )
    if out is not None:
        typer.echo(f"{out}: {len(rows)} transitions")


def choices_beside(graph: Path) -> Path:
    """The file of choices of a graph file."""
    return graph.with_name(f"{graph.stem}.choices.toml")


def _say(graph: MotionGraph, said: Choices, words: dict[str, list[str]]) -> Choices:
    from walkon.cli._graph_paths import parse_numbers
    from walkon.graphs.choosing.choices import choice_of

    for word, given in words.items():
        for number in parse_numbers(given, f"--{word}"):
            source, target = _ends(graph, number)
            said = getattr(said, word)(choice_of(graph.corpus, source, target))
    return said


def _ends(graph: MotionGraph, number: int) -> tuple[int, int]:
    if number >= len(graph.transitions):
        last = len(graph.transitions) - 1
        raise typer.BadParameter(f"there is no transition {number}; they are numbered from 0 to {last}")
    return int(graph.transitions.sources[number]), int(graph.transitions.targets[number])


def _chosen(graph: MotionGraph, quality: BlendQuality, asked: TransitionOptions) -> list[int]:
    """Numbers of the transitions asked for, in order."""
    import numpy as np

    from walkon.cli._graph_paths import parse_numbers

    corpus, found = graph.corpus, graph.transitions
    wanted = np.ones(len(found), dtype=bool)
    if asked.only:
        numbers = parse_numbers(asked.only, "--number")
        for number in numbers:
            _ends(graph, number)
        wanted &= np.isin(np.arange(len(found)), numbers)
    if asked.between:
        wanted &= _between(graph, asked.between)
    if asked.clip:
        numbers = [corpus.library.index(name) for name in asked.clip]
        of_row = corpus.library.clip_of_frame
        wanted &= np.isin(of_row[found.sources], numbers) | np.isin(of_row[found.targets], numbers)
    return [int(number) for number in _order(graph, quality, asked.sort) if wanted[number]]


def _order(graph: MotionGraph, quality: BlendQuality, sort: Order):
    import numpy as np

    found, of_row = graph.transitions, graph.corpus.library.clip_of_frame
    # Slide and jump in units of what is just tolerable.
    worst = np.maximum(quality.slides / 0.01, quality.jumps)
    keys = {
        Order.worst: (-worst,),
        Order.pair: (-worst, of_row[found.targets], of_row[found.sources]),
        Order.distance: (-found.distances,),
        Order.slide: (-quality.slides,),
        Order.jump: (-quality.jumps,),
        Order.number: (np.arange(len(found)),),
    }[sort]
    return np.lexsort(keys)


def _between(graph: MotionGraph, given: str):
    import numpy as np

    from walkon.cli._graph_paths import parse_labels

    corpus = graph.corpus
    wanted = np.ones(len(graph.transitions), dtype=bool)
    ends = given.split(":")
    if len(ends) != 2:
        raise typer.BadParameter(f"--between is two kinds of motion such as walk:run, not {given!r}")
    for text, rows in zip(ends, (graph.transitions.sources, graph.transitions.targets), strict=True):
        labels = parse_labels(text, corpus.label_sets)
        wanted &= np.array([own == labels for own in corpus.label_sets])[corpus.labels[rows]]
    return wanted


def _row(graph: MotionGraph, quality: BlendQuality, said: Choices, number: int) -> dict[str, object]:
    from walkon.graphs.choosing.choices import choice_of

    corpus, (source, target) = graph.corpus, _ends(graph, number)
    (left, before), (entered, after) = corpus.where(source), corpus.where(target)
    choice = choice_of(corpus, source, target)
    verdict = "accepted" if choice in said.accepted else "rejected" if choice in said.rejected else ""
    labels = [sorted(corpus.label_sets[corpus.labels[row]]) for row in (source, target)]
    return {
        "number": number,
        "from": left,
        "from_frame": before,
        "to": entered,
        "to_frame": after,
        "from_labels": labels[0],
        "to_labels": labels[1],
        "distance": round(float(graph.transitions.distances[number]), 5),
        "slide": round(float(quality.slides[number]), 6),
        "jump": round(float(quality.jumps[number]), 4),
        "said": verdict,
    }


def _measured(row: dict[str, object]) -> tuple[float, float, float]:
    distance, slide, jump = (float(str(row[key])) for key in ("distance", "slide", "jump"))
    return 100.0 * distance, 1000.0 * slide, jump


def _kinds(row: dict[str, object]) -> str:
    names = [row["from_labels"], row["to_labels"]]
    told = [" + ".join(own) if isinstance(own, list) and own else "no label" for own in names]
    return told[0] if told[0] == told[1] else " to ".join(told)


def _cells(row: dict[str, object]) -> list[str]:
    distance, slide, jump = _measured(row)
    ends = [str(row[key]) for key in ("number", "from", "from_frame", "to", "to_frame")]
    return [*ends, _kinds(row), f"{distance:.1f}", f"{slide:.1f}", f"{jump:.2f}", str(row["said"])]


def _draw(graph: MotionGraph, rows: list[dict[str, object]], out: Path, width: int) -> None:
    from walkon.cli._console import progress, progress_callback
    from walkon.render import draw_transitions, film_transitions, write_png

    film = out.suffix.lower() in FILM_SUFFIXES
    shown = [_shown(graph, row, 0.8 if film else 0.4) for row in progress(rows, "blending", total=len(rows))]
    if not film:
        write_png(out, draw_transitions(shown, width=width))
        return
    with progress_callback("filming") as advance:
        film_transitions(out, shown, progress=advance)


def _shown(graph: MotionGraph, row: dict[str, object], around: float) -> ShownTransition:
    from walkon.graphs.performing.showing import perform_transition
    from walkon.render import ShownTransition

    excerpt = perform_transition(
        graph.corpus, graph.transitions, int(str(row["number"])), before=around, after=around
    )
    distance, slide, jump = _measured(row)
    return ShownTransition(
        excerpt.clip,
        excerpt.shares,
        f"{row['number']}   {row['from']} {row['from_frame']} to {row['to']} {row['to_frame']}",
        f"{_kinds(row)} · {distance:.1f} cm · slides {slide:.1f} mm · jump {jump:.2f}",
        str(row["said"]),
    )
