"""`walkon tree`: grow precomputed search trees, and look at them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from walkon.cli._options import takes

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.trees.forest import Forest
    from walkon.trees.growing import Builder
    from walkon.trees.region import Region

tree = typer.Typer(
    name="tree",
    help="Precomputed search trees: grow them, show what they are like.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

GESTURES = "gesture"
"""What characters leave out unless told otherwise, and so do their trees."""

LIBRARY_HELP = "A library's folder, or a cast: human, skateboarder or horse."
WITHOUT_HELP = "Behaviors left out, by name, kind or pattern; repeat it; '' for none."


class BuilderName(StrEnum):
    """The ways to grow a tree."""

    exhaustive = "exhaustive"
    pruned = "pruned"
    spst = "spst"
    branicky_ip = "branicky-ip"
    branicky_ie = "branicky-ie"
    green_kelly = "green-kelly"


class TreeRegion(StrEnum):
    """Regions that trees grow in."""

    disc = "disc"
    half_disc = "half-disc"


@dataclass(frozen=True)
class TreeOptions:
    """What can be asked for when trees are grown."""

    library: str = typer.Argument(help=LIBRARY_HELP)
    out: Path = typer.Option(..., "-o", "--out", dir_okay=False, help="Forest to write (.tree).")
    performer: int = typer.Option(0, min=0, help="Which performer, for a cast.")
    without: list[str] = typer.Option([GESTURES], help=WITHOUT_HELP)
    builder: BuilderName = typer.Option(BuilderName.spst, help="How nodes are chosen; spst scales best.")
    nodes: int = typer.Option(200_000, min=1, help="Most nodes, in all trees together.")
    shape: TreeRegion = typer.Option(TreeRegion.disc, help="Region around the root that paths stay in.")
    radius: float = typer.Option(12.0, min=0.1, help="Of the region [m].")
    ahead: float = typer.Option(0.0, help="How far ahead of the root a disc has its middle [m].")
    behind: float = typer.Option(1.0, min=0.0, help="How far back of the root a half-disc reaches [m].")
    corners: str = typer.Option("", help='A polygon instead, x to the left and z ahead: "3,-1 3,8 -3,8 -3,-1".')
    region_cell: float = typer.Option(0.25, min=0.01, help="Cells in which paths are spread evenly [m].")
    cell: float = typer.Option(0.2, min=0.01, help="Cells in which obstacles are looked for [m].")
    goal_cell: float = typer.Option(0.9, min=0.05, help="Cells in which goals are looked for [m].")
    overlap: float = typer.Option(0.5, min=0.0, help="How far goal cells reach over their borders [m].")
    seed: int = typer.Option(0, min=0, help="The same seed gives the same forest, byte for byte.")
    pose: list[str] = typer.Option([], help="Pose to begin in; repeat it. All that lead anywhere if not said.")
    passes: list[str] = typer.Option([], help="Also pass obstacles so, such as jump_over; repeat it.")
    depth: int | None = typer.Option(None, min=1, help="Levels of a tree, for all but spst.")
    per_cell: int | None = typer.Option(None, min=1, help="Most nodes in a cell of a pruned tree.")
    thrift: float | None = typer.Option(None, min=0.0, help="How much an spst tree avoids detours.")
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a summary.")


@tree.command("build")
@takes(TreeOptions)
def build(asked: TreeOptions) -> None:
    """Grow a tree for each pose of a library, of all the ways one can go from it, and write them to a file."""
    from time import perf_counter

    from walkon.cli._console import progress_callback
    from walkon.cli._tree_report import print_built
    from walkon.trees.file import write_forest
    from walkon.trees.planting import GridSizes, plant

    _check_passes(asked.passes)
    chosen = _builder(asked.builder, depth=asked.depth, per_cell=asked.per_cell, thrift=asked.thrift)
    region = _region(asked.shape, asked.radius, asked.ahead, asked.behind, asked.corners, asked.region_cell)
    graph = _graph(asked.library, asked.performer, asked.without)
    began = perf_counter()
    with progress_callback("growing") as progress:
        forest = plant(
            graph,
            chosen,
            nodes=asked.nodes,
            region=region,
            poses=asked.pose or None,
            seed=asked.seed,
            passes=tuple(sorted(set(asked.passes))),
            grids=GridSizes(asked.cell, asked.goal_cell, asked.overlap),
            progress=progress,
        )
    seconds = perf_counter() - began
    write_forest(forest, asked.out)
    print_built(forest, graph, asked.out, nodes=asked.nodes, seconds=seconds, as_json=asked.as_json)


@tree.command("show")
def show(
    file: Path = typer.Argument(help="Forest (.tree)."),
    library: str = typer.Option("", help=f"What it was grown from, for names and true curves. {LIBRARY_HELP}"),
    performer: int = typer.Option(0, min=0, help="Which performer, for a cast."),
    without: list[str] = typer.Option([GESTURES], help=WITHOUT_HELP),
    frequency: Path | None = typer.Option(
        None, dir_okay=False, help="Draw how many paths reach each place (.png)."
    ),
    density: Path | None = typer.Option(None, dir_okay=False, help="Draw the paths themselves (.png)."),
    pose: str = typer.Option("", help="Draw the tree of this pose only, by name or number."),
    width: int = typer.Option(1600, min=200, max=8000, help="Of the pictures [px]."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
) -> None:
    """Say how large, deep, wide and even the trees of a forest are, and draw them."""
    from walkon.cli._tree_report import pose_name, print_forest
    from walkon.trees.checking import check_origin
    from walkon.trees.file import read_forest
    from walkon.trees.survey import survey_forest

    forest = read_forest(file)
    graph = _graph(library, performer, without) if library else None
    if graph is not None:
        check_origin(forest, graph)
    surveys = survey_forest(forest)
    poses = {survey.pose: pose_name(survey.pose, graph) for survey in surveys}
    drawn = _draw(forest, graph, poses, pose, {"frequency": frequency, "density": density}, width)
    print_forest(forest, file, surveys, graph, as_json)
    for picture in drawn if not as_json else ():
        typer.echo(picture)


def _check_passes(passes: list[str]) -> None:
    from walkon.world import PASSES

    for kind in passes:
        if kind not in PASSES:
            raise typer.BadParameter(f"no such way to pass: {kind!r}; there are: {', '.join(PASSES)}")


def _builder(name: BuilderName, **options: float | None) -> Builder:
    """The builder of that name; an option that means nothing to it is refused."""
    from dataclasses import fields
    from importlib import import_module

    place, kind = {
        BuilderName.exhaustive: ("exhaustive", "Exhaustive"),
        BuilderName.pruned: ("pruned", "PrunedTree"),
        BuilderName.spst: ("scalable", "Scalable"),
        BuilderName.branicky_ip: ("diverse", "InnerProduct"),
        BuilderName.branicky_ie: ("diverse", "InclusionExclusion"),
        BuilderName.green_kelly: ("diverse", "Separation"),
    }[name]
    maker: Any = getattr(import_module(f"walkon.trees.builders.{place}"), kind)
    known = {field.name for field in fields(maker)}
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in known:
            raise typer.BadParameter(f"--{option.replace('_', '-')} means nothing to {name}")
    return maker(**given)


def _region(shape: TreeRegion, radius: float, ahead: float, behind: float, corners: str, cell: float) -> Region:
    from walkon.trees.region import disc, half_disc, polygon

    if corners:
        try:
            points = [[float(number) for number in corner.split(",")] for corner in corners.split()]
        except ValueError:
            points = []
        if len(points) < 3 or any(len(point) != 2 for point in points):
            raise typer.BadParameter(f'corners are x,z x,z x,z and so on, three or more, not "{corners}"')
        return polygon(points, cell=cell)
    if shape is TreeRegion.half_disc:
        return half_disc(radius, behind=behind, cell=cell)
    return disc(radius, ahead=ahead, cell=cell)


def _graph(library: str, performer: int, without: list[str]) -> BehaviorGraph:
    from walkon.behaviors import build_graph
    from walkon.crowd import load_library

    return build_graph(load_library(library, performer)).customized({}, without=[name for name in without if name])


def _draw(
    forest: Forest,
    graph: BehaviorGraph | None,
    poses: dict[int, str],
    wanted: str,
    pictures: dict[str, Path | None],
    width: int,
) -> list[str]:
    """Draw what was asked for; a line about each picture."""
    if not any(pictures.values()):
        return []
    from walkon.render import draw_forest_frequency, draw_forest_paths

    chosen = None
    if wanted:
        found = [pose for pose, name in poses.items() if wanted in (name, str(pose))]
        if not found:
            raise typer.BadParameter(f"no tree begins in pose {wanted!r}; there are: {', '.join(poses.values())}")
        chosen = found[0]
    titles = [f"{forest.builder}, {name}" for pose, name in poses.items() if chosen in (None, pose)]
    told = []
    if pictures["frequency"] is not None:
        draw_forest_frequency(forest, pictures["frequency"], pose=chosen, titles=titles, width=width)
        told.append(f"{pictures['frequency']}: how many paths reach each place")
    if pictures["density"] is not None:
        draw_forest_paths(forest, pictures["density"], pose=chosen, graph=graph, titles=titles, width=width)
        told.append(f"{pictures['density']}: the paths")
    return told
