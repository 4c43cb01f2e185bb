"""What `walkon tree` says about forests."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from walkon.behaviors import BehaviorGraph
from walkon.cli._console import complain, print_json, print_table
from walkon.trees.forest import Forest
from walkon.trees.survey import TreeSurvey, survey_forest

MOST_NAMED = 8
"""Most behaviors that are listed for each tree."""

TREE_COLUMNS = [
    ("pose", "left"),
    ("nodes", "right"),
    ("leaves", "right"),
    ("depth", "right"),
    ("deepest", "right"),
    ("reach m", "right"),
    ("longest m", "right"),
    ("frames", "right"),
    ("density", "right"),
    ("goal cells", "right"),
    ("nodes a cell (most)", "right"),
    ("most frequent", "left"),
]
"""Headings of the table of trees."""


def print_built(
    forest: Forest, graph: BehaviorGraph, out: Path, *, nodes: int, seconds: float, as_json: bool
) -> None:
    """Say what was grown, and that it is less than the nodes asked for, if it is."""
    if len(forest) < nodes:
        complain(
            f"{out} has {len(forest)} of the {nodes} nodes asked for: region and depth leave no room for more"
        )
    surveys = survey_forest(forest)
    deepest = max(survey.max_depth for survey in surveys)
    mean = sum(survey.mean_depth * survey.nodes for survey in surveys) / len(forest)
    if as_json:
        about = {"forest": str(out), **_about(forest), "seconds": round(seconds, 3)}
        print_json({**about, "mean_depth": round(mean, 3), "max_depth": deepest,
                    "trees": {graph.poses[survey.pose]: survey.nodes for survey in surveys}})  # fmt: skip
        return
    poses = ", ".join(graph.poses[survey.pose] for survey in surveys)
    typer.echo(
        f"{out}: {len(forest)} nodes in {len(surveys)} {'tree' if len(surveys) == 1 else 'trees'} ({poses}), "
        f"{forest.nbytes / 1e6:.1f} MB, {forest.nbytes / len(forest):.1f} bytes a node, "
        f"{mean:.1f} deep in the mean and {deepest} at most, grown in {seconds:.1f} s by {forest.builder}"
    )


def _about(forest: Forest) -> dict[str, Any]:
    size = forest.nbytes
    return {
        **forest.settings(),
        "passes": list(forest.passes),
        "nodes": len(forest),
        "bytes": size,
        "bytes_a_node": round(size / len(forest), 2),
    }


def pose_name(pose: int, graph: BehaviorGraph | None) -> str:
    """What to call a pose."""
    return f"pose {pose}" if graph is None else graph.poses[pose]


def _row(survey: TreeSurvey, graph: BehaviorGraph | None) -> dict[str, Any]:
    behaviors = [
        {"behavior": number if graph is None else graph.names[number], "nodes": nodes}
        for number, nodes in survey.behaviors
    ]
    seconds = None if graph is None else round(survey.longest_frames / graph.fps, 3)
    named = {"pose": survey.pose if graph is None else graph.poses[survey.pose], "longest_seconds": seconds}
    return {**asdict(survey), **named, "behaviors": behaviors}


def print_forest(
    forest: Forest, file: Path, surveys: list[TreeSurvey], graph: BehaviorGraph | None, as_json: bool
) -> None:
    """A table, or JSON, with a row for each tree. graph: for names."""
    if as_json:
        print_json({"forest": str(file), **_about(forest), "trees": [_row(survey, graph) for survey in surveys]})
        return
    cells = []
    for survey in surveys:
        often = [
            f"{f'#{number}' if graph is None else graph.names[number]} {100.0 * nodes / survey.nodes:.0f}%"
            for number, nodes in survey.behaviors[:MOST_NAMED]
        ]
        cells.append(
            [
                *(
                    pose_name(survey.pose, graph),
                    str(survey.nodes),
                    str(survey.leaves),
                    f"{survey.mean_depth:.1f}",
                ),
                *(str(survey.max_depth), f"{survey.reach:.1f}", f"{survey.longest_path:.1f}"),
                *(str(survey.longest_frames), f"{survey.density:.3g}", str(survey.goal_cells)),
                *(f"{survey.mean_entries:.0f} ({survey.max_entries})", ", ".join(often)),
            ]
        )
    title = (
        f"{file}: {len(forest)} nodes by {forest.builder}, seed {forest.seed}; {forest.nbytes / 1e6:.1f} MB, "
        f"{forest.nbytes / len(forest):.1f} bytes a node; "
        f"{forest.rows} x {forest.columns} cells of {forest.cell:g} m, "
        f"{forest.goal_rows} x {forest.goal_columns} goal cells of {forest.goal_cell:g} m"
    )
    print_table(title, TREE_COLUMNS, cells)
