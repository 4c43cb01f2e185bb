"""Motion graphs: recordings cut where they are alike, and joined into motion that was never recorded."""

from typing import TYPE_CHECKING

from walkon.lazy import lazy_names

if TYPE_CHECKING:
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

_HOMES = {
    "Built": "walkon.graphs.building",
    "build_motion_graph": "walkon.graphs.building",
    "Choices": "walkon.graphs.choosing.choices",
    "read_choices": "walkon.graphs.choosing.choices",
    "write_choices": "walkon.graphs.choosing.choices",
    "Corpus": "walkon.graphs.corpus",
    "gather_corpus": "walkon.graphs.corpus",
    "read_graph": "walkon.graphs.file",
    "write_graph": "walkon.graphs.file",
    "MotionGraph": "walkon.graphs.graph",
    "assemble_graph": "walkon.graphs.graph",
    "Seams": "walkon.graphs.performing.seams",
    "measure_seams": "walkon.graphs.performing.seams",
    "Walk": "walkon.graphs.performing.walks",
    "perform_walk": "walkon.graphs.performing.walks",
    "Fit": "walkon.graphs.searching.fitting",
    "fit_path": "walkon.graphs.searching.fitting",
    "random_walk": "walkon.graphs.searching.random_walks",
    "Transitions": "walkon.graphs.transitions",
}

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

__getattr__ = lazy_names(__name__, _HOMES)
