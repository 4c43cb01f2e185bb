"""Motion graphs: recordings cut where they are alike, and joined into motion that was never recorded."""

from walkon.graphs.building import Built, build_motion_graph
from walkon.graphs.choosing.choices import Choices, read_choices, write_choices
from walkon.graphs.corpus import Corpus, gather_corpus
from walkon.graphs.file import read_graph, write_graph
from walkon.graphs.graph import MotionGraph, assemble_graph
from walkon.graphs.performing.seams import Seams, measure_seams
from walkon.graphs.performing.walks import Walk, perform_walk
from walkon.graphs.searching.fitting import Fit, fit_path
from walkon.graphs.searching.random_walks import random_walk
from walkon.graphs.transitions import Transitions

__all__ = [
    "Built",
    "Choices",
    "Corpus",
    "Fit",
    "MotionGraph",
    "Seams",
    "Transitions",
    "Walk",
    "assemble_graph",
    "build_motion_graph",
    "fit_path",
    "gather_corpus",
    "measure_seams",
    "perform_walk",
    "random_walk",
    "read_choices",
    "read_graph",
    "write_choices",
    "write_graph",
]
