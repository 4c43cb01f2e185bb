"""Motion graphs made by hand: one joint that slides about, labels and transitions as the test wants them."""

from __future__ import annotations

import numpy as np

from walkon.graphs.corpus import Corpus, number_label_sets
from walkon.graphs.graph import MotionGraph, assemble_graph
from walkon.graphs.transitions import Transitions
from walkon.motion import Clip, ClipLibrary, Contacts, Label
from walkon.skeleton import Skeleton

WINDOW = 3


def toy_corpus(*clips: str, seed: int = 0) -> Corpus:
    """Clips whose frames are labelled by letters: "wwwrr" walks for three frames and runs for two; "." is nothing.

    A letter in capitals has both its own label and "loud".
    """
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(["root"], [-1], np.zeros((1, 3)))
    made, tracks = [], []
    for number, letters in enumerate(clips):
        frames = len(letters)
        track = np.cumsum(rng.normal(0.0, 0.3, (frames, 3)), axis=0) + rng.normal(0.0, 3.0, 3)
        roots = np.stack([track[:, 0], np.ones(frames), track[:, 1]], axis=1)
        rotations = np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1, 1))
        labels = [Label(letter.lower(), f, f + 1) for f, letter in enumerate(letters) if letter != "."]
        labels += [Label("loud", f, f + 1) for f, letter in enumerate(letters) if letter.isupper()]
        contacts = Contacts(("root",), np.zeros((frames, 1), dtype=bool))
        made.append(
            Clip(f"clip{number}", skeleton, 30.0, roots, rotations, labels=tuple(labels), contacts=contacts)
        )
        tracks.append(track)
    library = ClipLibrary.build(made)
    sets, numbers = number_label_sets(library)
    return Corpus(library, sets, numbers, np.zeros(len(numbers), np.int64), np.concatenate(tracks), {})


def toy_transitions(
    corpus: Corpus, pairs: list[tuple[int, int]], window: int = WINDOW, seed: int = 1
) -> Transitions:
    """Transitions between rows, with alignments and distances out of the blue."""
    rng = np.random.default_rng(seed)
    ordered = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    sources, targets = ordered.T
    distances, alignments = rng.uniform(0.01, 0.1, len(ordered)), rng.normal(0.0, 2.0, (len(ordered), 3))
    return Transitions(window, sources.copy(), targets.copy(), distances, alignments)


def toy_graph(*clips: str, pairs: list[tuple[int, int]], window: int = WINDOW) -> MotionGraph:
    """A graph of such clips and transitions from row to row."""
    corpus = toy_corpus(*clips)
    return assemble_graph(corpus, toy_transitions(corpus, pairs, window))


def random_graph(rng: np.random.Generator, clips: int = 5, transitions: int = 12) -> MotionGraph:
    """A graph of random clips of three kinds of motion, with transitions from anywhere to anywhere."""
    texts = []
    for _ in range(clips):
        parts = [rng.choice(list("wrs")) * int(rng.integers(3, 9)) for _ in range(int(rng.integers(1, 4)))]
        texts.append("".join(parts).ljust(WINDOW + 2, "w"))
    corpus = toy_corpus(*texts, seed=int(rng.integers(1 << 30)))
    library = corpus.library
    sources = np.flatnonzero(np.arange(len(corpus)) + WINDOW < library.stops[library.clip_of_frame])
    targets = np.flatnonzero(np.arange(len(corpus)) - WINDOW + 1 >= library.starts[library.clip_of_frame])
    pairs = {(int(rng.choice(sources)), int(rng.choice(targets))) for _ in range(transitions)}
    return assemble_graph(corpus, toy_transitions(corpus, sorted(pairs)))
