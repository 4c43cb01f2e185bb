"""Motion graphs: how fast they are built and searched, and how good the motion is that comes of them.

Beside the figures of Kovar, Gleicher and Pighin (2002: 6000 frames compared in 25 minutes, 54.9 s of motion
searched for in 58.1 s) and beside the limit: as many multiply-adds in plain matrix products. What every group of
rows is about stands at the top of benchmarks/_graph_surface.py, _graph_search.py and _graph_quality.py.
"""

from __future__ import annotations

import sys
import time

from _graph_quality import quality_rows
from _graph_search import search_rows
from _graph_surface import surface_rows

SEED = 1
FIRST = ("what", "who", "s", "value", "unit", "aim", "paper")

Row = dict[str, object]


def measure() -> list[Row]:
    """Rows about the surface, about search, and about quality."""
    begun, rows = time.perf_counter(), []
    for name, group in (("surface", surface_rows), ("search", search_rows), ("quality", quality_rows)):
        rows += group(SEED)
        sys.stderr.write(f"{time.perf_counter() - begun:5.0f} s  {name}\n")
    return with_equal_keys(rows)


def with_equal_keys(rows: list[Row]) -> list[Row]:
    """The rows with the keys of all of them: those that most rows have first, the remark last."""
    keys = dict.fromkeys([*FIRST, *(key for row in rows for key in row)])
    keys.pop("remark", None)
    return [{**{key: row.get(key) for key in keys}, "remark": row.get("remark") or ""} for row in rows]
