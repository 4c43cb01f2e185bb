"""`walkon compare`: one scene by several planners and rivals, beside people who were recorded, and a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from walkon.cli._options import BODIES, seen_at
from walkon.cli._recordings import FORM, FPS, HOMOGRAPHY, SINCE, UNIT, UNTIL, ends, read_recording

if TYPE_CHECKING:
    from walkon.graphs.graph import MotionGraph
    from walkon.metrics import Trajectories
    from walkon.render.report import Entry
    from walkon.rivals import Contender
    from walkon.world import Scene


def compare(
    scene: Path = typer.Argument(
        help="Scene file (.toml); or a recording of people, of any kind that `walkon measure` reads. It becomes "
        "a scene as by `walkon scene from`: then the people of the recording are compared, too."
    ),
    planners: str = typer.Option(
        "auto,orca,steering,forces,pairs",
        help="Names, separated by commas. Ours: those of `walkon plan --planner`, and live. Rivals: orca, "
        "steering, forces, pairs.",
    ),
    html: Path | None = typer.Option(None, help="Write a report: one self-contained page."),
    out: Path | None = typer.Option(None, "--out", "-o", help="Folder for the takes."),
    seed: int = typer.Option(0, min=0, help="The same seed gives the same takes."),
    bodies: str = BODIES,
    fitting: str = typer.Option(
        "roots",
        help="How rivals get bodies. roots: put exactly on their ways; paths: walks of --graph.",
    ),
    graph: Path | None = typer.Option(None, help="A motion graph, for --fitting paths."),
    recorded: Path | None = typer.Option(
        None, help="The recording that a scene file was made from; its people are compared, too."
    ),
    fps: float | None = FPS,
    unit: str | None = UNIT,
    homography: Path | None = HOMOGRAPHY,
    form: str | None = FORM,
    since: float = SINCE,
    until: float | None = UNTIL,
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of a table."),
    csv: Path | None = typer.Option(None, help="Write a .csv file, or a folder of them; as `walkon measure`."),
) -> None:
    """Let planners and rivals play the same scene; audit, measure and compare what they make of it, with each
    other and with people who were recorded.

    Who fails is said so, and the others go on. Exit code 1 if nobody made anything.
    """
    from walkon.cli._console import complain, progress_phases
    from walkon.cli._measured import print_beside, print_figures, write_csv, write_page
    from walkon.render.report import Entry, Failure
    from walkon.rivals import compare as play
    from walkon.take import write_take

    names, walks = _chosen(planners), _walks(fitting, graph)
    recording = _recording(scene, recorded)
    _check_reading(recording, scene, fps, unit, homography, form, since, until)
    paths = None if recording is None else read_recording(recording, fps, unit, homography, form)
    setting = seen_at(bodies, _setting(scene, recording, paths, seed, since, until))
    people = _people(setting, paths)
    found: list[Contender] = []
    with progress_phases() as progress:
        for one in play(setting, names, seed=seed, graph=walks, folder=scene.parent, progress=progress):
            found.append(one)
            if one.take is None:
                complain(f"{one.name}: {one.failure}")
            elif out is not None:
                write_take(one.take, out / f"{one.name}.take")
    played = [
        Entry(one.name, one.measures, one.take, one.audited, one.rival, one.seconds)
        for one in found
        if one.measures is not None
    ]
    entries = played if people is None else [people, *played]
    if csv is not None:
        write_csv(csv, entries)
    if html is not None:
        title = f"{setting.name or scene.stem}: {', '.join(entry.name for entry in entries)}"
        subtitle = f"{scene.name}, {len(setting.characters)} people, seed {seed}, ours plan with bodies at level "
        subtitle += f"{setting.bodies}, bodies of rivals by {_FITTINGS[fitting]}"
        subtitle += "" if recording in (None, scene) else f", recorded in {recording.name}"
        failures = [Failure(one.name, one.failure) for one in found if one.failure]
        lines = "walking and running of the motion library that everybody plays from"
        write_page(html, entries, title=title, subtitle=subtitle, lines=lines, failures=failures)
    if as_json:
        _print_json(scene, setting.bodies, seed, found, out, recording, people)
    elif played:
        print_figures(entries)
        print_beside(entries)
        if html is not None:
            typer.echo(f"report: {html}")
    if not played:
        raise typer.Exit(1)


RECORDED = "recorded"
"""What people who were recorded are called beside planners."""


def _recording(scene: Path, recorded: Path | None) -> Path | None:
    """The file of the recording: the one beside a scene, or the scene itself if it is none; None without."""
    if scene.suffix.lower() == ".toml":
        return recorded
    if recorded is not None:
        raise typer.BadParameter(
            f"--recorded goes with a scene file (.toml), and {scene} is a recording itself",
            param_hint="--recorded",
        )
    return scene


def _check_reading(recording: Path | None, scene: Path, *options: object) -> None:
    """Options about recordings are refused where nothing would heed them."""
    *reading, since, until = options
    if recording is None and any(option is not None for option in reading):
        raise typer.BadParameter("--fps, --unit, --homography and --form go with a recording; none is given")
    if recording != scene and (since or until is not None):
        raise typer.BadParameter(
            f"--since and --until choose people of a recording; those of {scene} are chosen already"
        )


def _setting(
    scene: Path, recording: Path | None, paths: Trajectories | None, seed: int, since: float, until: float | None
) -> Scene:
    """The scene of a file, or of the recording that is given in its place."""
    from walkon.cli._console import complain
    from walkon.metrics.trajectories import scene_of
    from walkon.world import read_scene

    if paths is None or recording != scene:
        return read_scene(scene, seed=seed)
    made = scene_of(paths, scene.stem, since=since, until=ends(until))
    if made.left_out:
        complain(f"left out, as their places are never free: {', '.join(made.left_out)}")
    return made.scene


def _people(scene: Scene, paths: Trajectories | None) -> Entry | None:
    """Those who were recorded, measured in the scene; without lines of a library, for they are not of one."""
    if paths is None:
        return None
    from walkon.metrics import measure
    from walkon.metrics.trajectories import recorded_in
    from walkon.render.report import Entry

    found = recorded_in(scene, paths)
    return Entry(RECORDED, measure(found.paths, area=scene.bounds), recorded=found)


_FITTINGS = {"roots": "root fixing", "paths": "path following"}


def _chosen(planners: str) -> list[str]:
    from walkon.rivals import contender_names

    names = [name.strip() for name in planners.split(",") if name.strip()]
    unknown = [name for name in names if name not in contender_names()]
    if unknown or not names or len(set(names)) < len(names):
        wrong = f"no planner called {', '.join(unknown)}" if unknown else "name each planner once"
        raise typer.BadParameter(f"{wrong}; there are: {', '.join(contender_names())}", param_hint="--planners")
    return names


def _walks(fitting: str, graph: Path | None) -> MotionGraph | None:
    """The graph whose walks follow rivals' ways; None for root fixing."""
    if fitting not in _FITTINGS:
        raise typer.BadParameter(f"{fitting!r}; there are: {', '.join(_FITTINGS)}", param_hint="--fitting")
    if (fitting == "paths") != (graph is not None):
        raise typer.BadParameter("--fitting paths and --graph FILE go together")
    if graph is None:
        return None
    from walkon.graphs.file import read_graph

    return read_graph(graph)


def _print_json(
    scene: Path,
    bodies: str,
    seed: int,
    found: list[Contender],
    out: Path | None,
    recording: Path | None,
    people: Entry | None,
) -> None:
    from walkon.cli._console import print_json

    rows = []
    for one in found:
        rows.append(
            {
                "planner": one.name,
                "rival": one.rival,
                "failure": one.failure or None,
                "seconds": round(one.seconds, 4),
                "take": str(out / f"{one.name}.take") if out is not None and one.take is not None else None,
                "measures": None if one.measures is None else one.measures.as_dict(),
                "audit": None if one.audited is None else one.audited.to_json(),
                "beside": _beside(people, one),
            }
        )
    told = {"scene": str(scene), "bodies": bodies, "seed": seed, "recorded": _told(recording, people)}
    print_json({**told, "planners": rows})


def _told(recording: Path | None, people: Entry | None) -> dict[str, object] | None:
    """People who were recorded, as plain data."""
    if people is None or people.recorded is None:
        return None
    found = people.recorded
    return {
        "file": str(recording),
        "fps": found.fps,
        "missing": list(found.missing),
        "delayed": list(found.delayed),
        "standing": list(found.standing),
        "measures": people.measures.as_dict(),
    }


def _beside(people: Entry | None, one: Contender) -> dict[str, object] | None:
    """What somebody made of the scene beside the people who were recorded, as plain data."""
    from dataclasses import asdict

    from walkon.metrics.beside import set_beside

    if people is None or one.measures is None:
        return None
    found = set_beside(people.measures, one.measures)
    return {key: asdict(pairing) if pairing.people else None for key, pairing in found.items()}
