"""`walkon scene`: check scene files, begin new ones, write classic ones or those of recordings; the schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from walkon.cli._recordings import FORM, FPS, HOMOGRAPHY, SINCE, UNIT, UNTIL, ends, read_recording

if TYPE_CHECKING:
    from walkon.world import Character, Obstacle, Scene
    from walkon.world.classics import Classic

scene = typer.Typer(
    name="scene",
    help="Check scene files, begin new ones, write classic ones or those of recordings.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

MOST_LISTED = 50
"""Problems, and warnings, that are shown; `--json` has all."""


@scene.command("check")
def check(
    file: Path = typer.Argument(help="Scene file (.toml)."),
    seed: int = typer.Option(0, min=0, help="Of the crowds."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of text."),
) -> None:
    """Say what is in a scene, and everything that is wrong with it: the file, libraries and poses, goals without a
    way. Passages that are too narrow are warnings; exit code 1 only for what is wrong."""
    from walkon.cli._console import complain, print_json
    from walkon.directing.checking import check_people
    from walkon.errors import SceneError
    from walkon.world import SceneFileError, read_scene

    try:
        found = read_scene(file, seed=seed)
    except SceneError as error:
        if not as_json:
            complain(str(error))
        else:
            listed = [vars(problem) for problem in error.problems] if isinstance(error, SceneFileError) else []
            print_json({"file": str(file), "valid": False, "error": str(error), "problems": listed})
        raise typer.Exit(1) from None
    remarks = check_people(found, folder=file.parent)
    wrong = [remark for remark in remarks if remark.kind == "problem"]
    warnings = [remark for remark in remarks if remark.kind == "warning"]
    summary = _summary(found)
    if as_json:
        problems, warned = (
            [{"place": f"character {one.character}", "line": None, "message": one.message} for one in part]
            for part in (wrong, warnings)
        )
        print_json({"file": str(file), "valid": not wrong, "problems": problems, "warnings": warned, **summary})
    else:
        typer.echo(f"{file}: {summary['name']}")
        for key, value in _words(summary).items():
            typer.echo(f"  {key:<11} {value}")
        for title, part in (("problem", wrong), ("warning", warnings)):
            for one in part[:MOST_LISTED]:
                complain(f"{title}: character {one.character!r}: {one.message}")
            if len(part) > MOST_LISTED:
                complain(f"and {len(part) - MOST_LISTED} more {title}s")
    if wrong:
        raise typer.Exit(1)


@scene.command("schema")
def schema() -> None:
    """Print the JSON schema of scene files, for editors that complete and check TOML."""
    from walkon.cli._console import print_json
    from walkon.world import scene_schema

    print_json(scene_schema())


@scene.command("new")
def new(
    name: str = typer.Argument(help="What to call the scene."),
    out: Path = typer.Option(..., "--out", "-o", help="File to write."),
    force: bool = typer.Option(False, "--force", help="Write over a file that is there."),
) -> None:
    """Write a small scene with comments, to begin from."""
    from walkon.cli._console import complain
    from walkon.files import write_text
    from walkon.world import read_scene
    from walkon.world.starter import starter_scene

    if out.exists() and not force:
        complain(f"{out} is there already; --force writes over it")
        raise typer.Exit(1)
    text = starter_scene(name)
    read_scene(text)  # a name that no scene may have is refused before anything is written
    write_text(out, text)
    typer.echo(f"{out}: look at it, change it, then  walkon scene check {out}")


@scene.command("from")
def from_recording(
    file: Path = typer.Argument(help="Recorded trajectories, of any kind that `walkon measure` reads; or a take."),
    out: Path = typer.Option(..., "--out", "-o", help="Scene file to write (.toml)."),
    fps: float | None = FPS,
    unit: str | None = UNIT,
    homography: Path | None = HOMOGRAPHY,
    form: str | None = FORM,
    since: float = SINCE,
    until: float | None = UNTIL,
    margin: float = typer.Option(1.0, min=0.0, max=100.0, help="Around all places [m]."),
    force: bool = typer.Option(False, "--force", help="Write over a file that is there."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of text."),
) -> None:
    """Write a scene with the people of a recording: where and when they start, where they go, how fast."""
    from walkon.cli._console import complain, print_json
    from walkon.metrics.trajectories import scene_of
    from walkon.world import write_scene

    if out.exists() and not force:
        complain(f"{out} is there already; --force writes over it")
        raise typer.Exit(1)
    recorded = read_recording(file, fps, unit, homography, form)
    made = scene_of(recorded, out.stem, since=since, until=ends(until), margin=margin)
    write_scene(made.scene, out)
    summary = {
        "file": str(out),
        **_summary(made.scene),
        "delayed": dict(made.delayed),
        "left_out": list(made.left_out),
        "standing": list(made.standing),
    }
    if as_json:
        print_json(summary)
        return
    typer.echo(f"{out}: {len(made.scene.characters)} of {len(recorded)} people in {made.scene.duration:g} s")
    if made.delayed:
        worst = max(made.delayed, key=lambda one: one[1])
        typer.echo(
            f"  {len(made.delayed)} appear later than recorded, because somebody is where they start: "
            f"{worst[0]} by {worst[1]:g} s, others by less"
        )
    if made.standing:
        typer.echo(f"  {len(made.standing)} only stand there: {_listed(list(made.standing))}")
    if made.left_out:
        typer.echo(f"  left out, as their places are never free: {_listed(list(made.left_out))}")


@scene.command("classic")
def classic(
    name: str = typer.Argument("", help="Which scene; all are listed if not said."),
    out: Path | None = typer.Option(None, "--out", "-o", help="File to write (.toml); printed if not said."),
    seed: int = typer.Option(0, min=0, help="0: as it is known; others: moved a little, random parts drawn anew."),
    force: bool = typer.Option(False, "--force", help="Write over a file that is there."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table or of text."),
) -> None:
    """List the scenes on which crowds are compared, or write one of them."""
    from walkon.cli._console import complain, print_json
    from walkon.files import write_text
    from walkon.world.classics import classic as find

    if not name:
        if out is not None:
            raise typer.BadParameter("which scene is to be written? `walkon scene classic` lists them")
        _list_classics(as_json)
        return
    found = find(name)
    text = found.text(seed)
    if out is not None:
        if out.exists() and not force:
            complain(f"{out} is there already; --force writes over it")
            raise typer.Exit(1)
        write_text(out, text)
    if as_json:
        print_json({**_classic_row(found), "seed": seed, "file": None if out is None else str(out), "text": text})
    elif out is None:
        typer.echo(text, nl=False)
    else:
        typer.echo(f"{out}: {found.title}; next  walkon plan {out} -o {out.stem}.take")


def _list_classics(as_json: bool) -> None:
    from walkon.cli._console import print_json, print_table
    from walkon.world.classics import classic, classic_names

    rows = [_classic_row(classic(name)) for name in classic_names()]
    if as_json:
        print_json(rows)
        return
    columns = [("name", "left"), ("people", "right"), ("what", "left")]
    shown = [[row["name"], str(row["people"]), f"{row['title']}: {row['what']}"] for row in rows]
    print_table("classic scenes", columns, shown)


def _classic_row(found: Classic) -> dict[str, Any]:
    return {
        "name": found.name,
        "people": found.people,
        "title": found.title,
        "what": found.what,
        "origin": found.origin,
    }


def _summary(found: Scene) -> dict[str, Any]:
    """What is in a scene, as plain data."""
    from collections import Counter

    heights = found.terrain.heights
    return {
        "name": found.name,
        "bounds": list(found.bounds),
        "duration": found.duration,
        "fps": found.fps,
        "clearance": found.clearance,
        "bodies": found.bodies,
        "terrain": {
            "flat": bool(found.terrain.is_flat),
            "low": float(heights.min()),
            "high": float(heights.max()),
        },
        "obstacles": [_obstacle(obstacle, found.fps) for obstacle in found.obstacles],
        "places": {place.name: place.kind for place in found.places},
        "doors": [door.name for door in found.doors],
        "stairs": [stairs.name for stairs in found.stairs],
        "characters": len(found.characters),
        "libraries": dict(Counter(character.library for character in found.characters)),
        "groups": dict(Counter(_group(character) for character in found.characters)),
    }


def _obstacle(obstacle: Obstacle, fps: float) -> dict[str, Any]:
    return {
        "name": obstacle.name,
        "shape": type(obstacle.shape).__name__.lower(),
        "passes": list(obstacle.passes),
        "moves_until": (len(obstacle.positions) - 1) / fps if obstacle.moves else None,
        "known": obstacle.known,
    }


def _group(character: Character) -> str:
    """The crowd a character is of, by its name; itself if none."""
    prefix, _, number = character.name.rpartition("_")
    return prefix if prefix and number.isdecimal() else character.name


def _words(summary: dict[str, Any]) -> dict[str, str]:
    """The summary for people."""
    from collections import Counter

    from walkon.world import LEVELS_ABOUT

    left, near, right, far = summary["bounds"]
    terrain, obstacles, groups = summary["terrain"], summary["obstacles"], summary["groups"]
    shapes = Counter(obstacle["shape"] for obstacle in obstacles)
    moving = [obstacle["name"] for obstacle in obstacles if obstacle["moves_until"] is not None]
    special = [
        f"{obstacle['name']} ({', '.join(obstacle['passes'])})" for obstacle in obstacles if obstacle["passes"]
    ]
    rows = {
        "bounds": f"x {left:g} to {right:g} m, z {near:g} to {far:g} m",
        "time": f"{summary['duration']:g} s at {summary['fps']:g} frames per second",
        "bodies": f"seen as {LEVELS_ABOUT[summary['bodies']]}, {summary['clearance']:g} m apart",
        "ground": "level" if terrain["flat"] else f"{terrain['low']:.2f} to {terrain['high']:.2f} m high",
        "obstacles": _counted(shapes) or "none",
        "moving": _listed(moving),
        "special": _listed(special),
        "places": _listed([f"{name} ({kind})" for name, kind in summary["places"].items()]),
        "doors": _listed(summary["doors"]),
        "stairs": _listed(summary["stairs"]),
        "characters": f"{summary['characters']}: {_counted(groups)}" if summary["characters"] else "none",
        "libraries": _counted(summary["libraries"]),
    }
    return {key: value for key, value in rows.items() if value}


def _counted(counts: dict[str, int], most: int = 8) -> str:
    shown = [name if count == 1 else f"{count} {name}" for name, count in counts.items()]
    return _listed(shown, most)


def _listed(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
