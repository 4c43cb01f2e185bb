"""Precomputed search trees: ways worked out in advance, looked up in microseconds."""

from walkon.trees.file import read_forest, write_forest
from walkon.trees.forest import Forest
from walkon.trees.lookup import Lookup
from walkon.trees.planner import TreePlanner
from walkon.trees.planting import GridSizes, plant
from walkon.trees.shelf import fetch_forest

__all__ = ["Forest", "GridSizes", "Lookup", "TreePlanner", "fetch_forest", "plant", "read_forest", "write_forest"]
