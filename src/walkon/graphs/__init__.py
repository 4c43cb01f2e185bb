"""Motion graphs: recordings cut where they are alike, and joined into motion that was never recorded."""

from walkon.graphs.corpus import Corpus, gather_corpus
from walkon.graphs.graph import MotionGraph, assemble_graph
from walkon.graphs.transitions import Transitions

__all__ = ["Corpus", "MotionGraph", "Transitions", "assemble_graph", "gather_corpus"]
