"""Graph files: a motion graph and all the motion it is made of, in one file that plays without the recordings.

What can be worked out again from the rest, such as where edges lead, is not in the file. A file that was cut short
or altered is refused (see `array_files`); and whatever it says, nothing is built that does not hold together.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walkon.array_files import ArrayFormat, map_file, parse_arrays, write_arrays
from walkon.errors import GraphError, WalkonError
from walkon.graphs.corpus import Corpus, number_label_sets
from walkon.graphs.graph import MotionGraph, connect
from walkon.graphs.transitions import Transitions
from walkon.motion import Clip, ClipLibrary, Contacts, Label
from walkon.skeleton import Skeleton

FORMAT = 1
"""Version of the file format that is written, and the newest that is read."""

GRAPH_FILE = ArrayFormat(b"walkon graph\r\n\x1a\n", FORMAT, "motion graph", GraphError, most_header=1 << 24)

GRAPH_ARRAYS = {
    **{"parents": "<i8", "offsets": "<f8", "tips": "|u1", "lengths": "<i8", "root_positions": "<f8"},
    **{"rotations": "<f8", "planted": "|u1", "supports": "<i8", "tracks": "<f8", "sources": "<i8"},
    **{"targets": "<i8", "distances": "<f8", "alignments": "<f8", "nodes": "<i8", "tails": "<i8"},
    **{"heads": "<i8", "carries": "<i8"},
}
"""What a file holds, in order, and as what kind of numbers."""

SETTINGS = ("about", "clips", "contacts", "failed", "fps", "joints", "labels", "window")

MOST_WINDOW = 300
"""Frames of a blend: more than a third of a second takes at any rate."""

LARGEST_NUMBER = 1e9
"""[m] and [rad]: sums of such numbers are still numbers."""

MOST_LABELS = 1000
"""Labels of one clip: finding out which of them a frame has takes as long as there are many."""

TOO_MANY = f"a clip has more than {MOST_LABELS} labels"


def write_graph(path: Path | str, graph: MotionGraph, *, about: Mapping[str, str] | None = None) -> None:
    """Write a graph, whole or not at all; by custom the file is called *.graph. Equal graphs give equal bytes.

    about: what else should be known of it, such as how it was built.
    """
    corpus, transitions = graph.corpus, graph.transitions
    library, skeleton = corpus.library, corpus.library.skeleton
    sets, labels = number_label_sets(library)
    if sets != corpus.label_sets or not np.array_equal(labels, corpus.labels):
        raise GraphError("the labels of rows are not those of the clips they belong to")
    if max(len(clip.labels) for clip in library) > MOST_LABELS:
        raise GraphError(TOO_MANY)
    settings = {
        "about": dict(about or {}),
        "clips": list(library.names),
        "contacts": list(corpus.contacts.joints),
        "failed": dict(corpus.failed),
        "fps": float(corpus.fps),
        "joints": list(skeleton.names),
        "labels": [
            [number, label.name, int(label.start), int(label.stop)]
            for number, clip in enumerate(library)
            for label in clip.labels
        ],
        "window": int(transitions.window),
    }
    values = {
        **{"parents": skeleton.parents, "offsets": skeleton.offsets, "tips": skeleton.tips},
        **{"lengths": library.stops - library.starts, "root_positions": library.root_positions},
        **{"rotations": library.rotations, "planted": corpus.contacts.planted, "supports": corpus.supports},
        **{"tracks": corpus.tracks, "sources": transitions.sources, "targets": transitions.targets},
        **{"distances": transitions.distances, "alignments": transitions.alignments, "nodes": graph.nodes},
        **{"tails": graph.tails, "heads": graph.heads, "carries": graph.carries},
    }
    write_arrays(
        path, GRAPH_FILE, settings, {name: values[name].astype(dtype) for name, dtype in GRAPH_ARRAYS.items()}
    )


def read_graph(path: Path | str) -> MotionGraph:
    """The graph in a file. Raises GraphError if it was cut short or altered, is too new, or is no graph."""
    return _read(path)[0]


def read_about(path: Path | str) -> dict[str, str]:
    """What else its writer wanted to be known of a graph."""
    return _read(path)[1]


def _read(path: Path | str) -> tuple[MotionGraph, dict[str, str]]:
    mapped = map_file(path, GRAPH_FILE)
    try:
        return parse_graph(mapped)
    except WalkonError as error:
        raise GraphError(f"{path}: {error}") from None


def parse_graph(data: NDArray[np.uint8]) -> tuple[MotionGraph, dict[str, str]]:
    """The graph in the bytes of a file, and what is said about it."""
    settings, arrays = parse_arrays(data, GRAPH_FILE, {name: (dtype,) for name, dtype in GRAPH_ARRAYS.items()})
    if not isinstance(settings, dict) or set(settings) != set(SETTINGS):
        raise GraphError(f"the settings should be {', '.join(SETTINGS)}, no more and no less")
    try:
        corpus = _corpus(settings, arrays)
        transitions = Transitions(
            _whole(settings["window"], "window", 1, MOST_WINDOW),
            *(arrays[name] for name in ("sources", "targets", "distances", "alignments")),
        )
        graph = connect(corpus, transitions, *(arrays[name] for name in ("nodes", "tails", "heads", "carries")))
    except GraphError:
        raise
    except WalkonError as error:
        raise GraphError(f"what the file holds does not fit together: {error}") from None
    return graph, _texts_by_name(settings["about"], "about")


def _corpus(settings: dict[str, Any], arrays: dict[str, NDArray]) -> Corpus:
    library = _library(settings, arrays)
    rows = library.frame_count
    _check_shape(arrays, "supports", (rows,))
    _check_shape(arrays, "tracks", (rows, 3))
    for name in ("tracks", "alignments"):
        if not np.all(np.abs(arrays[name]) < LARGEST_NUMBER):
            raise GraphError(f"{name} lead out of this world")
    if np.any(arrays["supports"] < 0):
        raise GraphError("supports are not what they could be")
    sets, labels = number_label_sets(library)
    failed = _texts_by_name(settings["failed"], "failed")
    return Corpus(library, sets, labels, arrays["supports"], arrays["tracks"], failed)


def _library(settings: dict[str, Any], arrays: dict[str, NDArray]) -> ClipLibrary:
    """The clips, each of which is checked as it is made."""
    names, lengths = _texts(settings["clips"], "clips"), arrays["lengths"]
    bearing = _texts(settings["contacts"], "contacts")
    rows = len(arrays["root_positions"])
    if not names or lengths.shape != (len(names),) or np.any(lengths < 1) or np.any(lengths > rows):
        raise GraphError(f"{len(names)} clips with {lengths.shape} lengths of {rows} rows do not fit together")
    if int(lengths.sum()) != rows:
        raise GraphError(f"clips of {int(lengths.sum())} frames together, but {rows} rows")
    skeleton = _skeleton(settings, arrays)
    _check_shape(arrays, "root_positions", (rows, 3))
    _check_shape(arrays, "rotations", (rows, len(skeleton), 4))
    _check_shape(arrays, "planted", (rows, len(bearing)))
    labels = _labels(settings["labels"], lengths)
    stops = np.cumsum(lengths)
    clips = []
    for number, (name, start, stop) in enumerate(zip(names, stops - lengths, stops, strict=True)):
        contacts = Contacts(bearing, _flags(arrays["planted"][start:stop], "planted"))
        roots, rotations = arrays["root_positions"][start:stop], arrays["rotations"][start:stop]
        fps = _number(settings["fps"], "fps")
        clips.append(Clip(name, skeleton, fps, roots, rotations, labels=labels[number], contacts=contacts))
    return ClipLibrary.build(clips)


def _skeleton(settings: dict[str, Any], arrays: dict[str, NDArray]) -> Skeleton:
    names = _texts(settings["joints"], "joints")
    for name, shape in (("parents", (len(names),)), ("offsets", (len(names), 3)), ("tips", (len(names),))):
        _check_shape(arrays, name, shape)
    return Skeleton(names, arrays["parents"], arrays["offsets"], _flags(arrays["tips"], "tips"))


def _labels(given: Any, lengths: NDArray[np.int64]) -> list[tuple[Label, ...]]:
    """The labels of every clip."""
    if not isinstance(given, list):
        raise GraphError("labels should be a list")
    labels: list[list[Label]] = [[] for _ in lengths]
    for entry in given:
        if not isinstance(entry, list) or len(entry) != 4 or not isinstance(entry[1], str):
            raise GraphError("a label should be the number of a clip, a name and two frames")
        clip = _whole(entry[0], "the clip of a label", 0, len(lengths) - 1)
        start = _whole(entry[2], "the beginning of a label", 0, int(lengths[clip]) - 1)
        if len(labels[clip]) == MOST_LABELS:
            raise GraphError(TOO_MANY)
        labels[clip].append(Label(entry[1], start, _whole(entry[3], "its end", start + 1, int(lengths[clip]))))
    return [tuple(own) for own in labels]


def _check_shape(arrays: dict[str, NDArray], name: str, shape: tuple[int, ...]) -> None:
    if arrays[name].shape != shape:
        raise GraphError(f"{name} is {arrays[name].shape}, expected {shape}")


def _flags(values: NDArray[np.uint8], name: str) -> NDArray[np.bool_]:
    if np.any(values > 1):
        raise GraphError(f"{name} holds truth values other than 0 and 1")
    return values.astype(np.bool_)


def _whole(value: Any, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise GraphError(f"{name} should be a whole number from {least} to {most}, not {str(value)[:40]!r}")
    return value


def _number(value: Any, name: str) -> float:
    if type(value) not in (int, float) or not 0 < value < 1e6:
        raise GraphError(f"{name} should be a positive number, not {str(value)[:40]!r}")
    return float(value)


def _texts(values: Any, name: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise GraphError(f"{name} should be a list of texts")
    return tuple(values)


def _texts_by_name(values: Any, name: str) -> dict[str, str]:
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise GraphError(f"{name} should be texts by name")
    return values
