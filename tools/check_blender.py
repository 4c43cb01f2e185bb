"""Does Blender see what we wrote? Opt-in: `make check-blender`, or with recordings of your own:

    python tools/check_blender.py [MOTION FILES...]

Writes several characters as BVH, GLB and USD, lets Blender import each file, and compares every bone's head with
our joint at several frames. Blender runs as the module `bpy` in an environment of its own, .venv-blender, because
it pins an old numpy; `blender_joints.py` is the half that runs there, and the two talk through JSON files.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from walkon.export import write_bvh, write_glb, write_usd
from walkon.export.usd_stage import identifier
from walkon.motion import Clip
from walkon.rotations import Placement, exponential, multiply
from walkon.skeleton import Skeleton

BPY = "bpy==5.0.1"
PYTHON = "python3.11"
ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv-blender"
IMPORTER = Path(__file__).with_name("blender_joints.py")

SYSTEM_LIBRARIES = (
    "libxi6",
    "libxxf86vm1",
    "libxfixes3",
    "libxrender1",
    "libxkbcommon0",
    "libsm6",
    "libgl1",
    "libegl1",
)
"""Debian packages that `import bpy` loads even without a screen."""

TOLERANCE = 1e-3
"""How far [m] Blender's joint may lie from ours."""

CHECKED_FRAMES = 7


def main(recordings: Sequence[str]) -> int:
    """Write, import, compare; 1 if any joint is off by more than the tolerance."""
    python = blender_python()
    cast = _recorded_cast(recordings) if recordings else _made_cast()
    failed = False
    with tempfile.TemporaryDirectory(prefix="walkon-blender-") as folder:
        expected = write_files(Path(folder), cast)
        (Path(folder) / "jobs.json").write_text(json.dumps([job["import"] for job in expected]))
        subprocess.run([str(python), str(IMPORTER), folder], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        found = json.loads((Path(folder) / "found.json").read_text())
    for job, armatures in zip(expected, found, strict=True):
        error, where = compare(job, armatures)
        failed |= not error < TOLERANCE
        verdict = "ok" if error < TOLERANCE else f"WRONG: {where}"
        sys.stdout.write(
            f"{job['import']['file']:<16} {len(armatures)} characters, {len(job['import']['frames'])} frames: "
            f"largest distance {1000 * error:.4f} mm  {verdict}\n"
        )
    return int(failed)


def write_files(folder: Path, cast: Sequence[Clip]) -> list[dict[str, Any]]:
    """Write the cast in every format; for each file what Blender shall do, and the joints it shall find."""
    frames = np.unique(np.linspace(0, min(map(len, cast)) - 1, CHECKED_FRAMES).astype(int)).tolist()
    pose = _first_frame(cast[0])
    jobs = []
    for index, clip in enumerate(cast):
        file = f"character_{index}.bvh"
        write_bvh(folder / file, clip)
        # Blender joins the words of a BVH name and makes no bone of an End Site.
        jobs.append(_job(file, [clip], frames, lambda name: "_".join(name.split()), tips=False))
        jobs[-1]["characters"][0]["name"] = Path(file).stem
    write_glb(folder / "cast.glb", cast)
    write_glb(folder / "pose.glb", pose)
    jobs += [_job("cast.glb", cast, frames, str), _job("pose.glb", [pose], [0], str)]
    for suffix in (".usda", ".usdc"):
        write_usd(folder / f"cast{suffix}", cast)
        write_usd(folder / f"pose{suffix}", pose)
        jobs += [_job(f"cast{suffix}", cast, frames, identifier), _job(f"pose{suffix}", [pose], [0], identifier)]
    return jobs


def _first_frame(clip: Clip) -> Clip:
    return clip.with_changes(
        root_positions=clip.root_positions[:1],
        rotations=clip.rotations[:1],
        bone_offsets=None if clip.bone_offsets is None else clip.bone_offsets[:1],
    )


def _job(
    file: str, cast: Sequence[Clip], frames: list[int], rename: Callable[[str], str], *, tips: bool = True
) -> dict[str, Any]:
    characters = []
    for clip in cast:
        joints = np.flatnonzero(np.ones(len(clip.skeleton), bool) if tips else ~clip.skeleton.tips)
        names = [rename(clip.skeleton.names[joint]) for joint in joints]
        characters.append(
            {"name": rename(clip.name), "joints": names, "positions": clip.positions[frames][:, joints]}
        )
    return {"import": {"file": file, "fps": cast[0].fps, "frames": frames}, "characters": characters}


def compare(job: dict[str, Any], armatures: list[dict[str, Any]]) -> tuple[float, str]:
    """The largest distance [m] between our joints and Blender's bones, and where it is."""
    if len(armatures) != len(job["characters"]):
        return np.inf, f"{len(armatures)} armatures for {len(job['characters'])} characters"
    worst, where = 0.0, ""
    for character in job["characters"]:
        armature = next((each for each in armatures if character["name"] in each["names"]), None)
        if armature is None:
            return np.inf, f"no armature called {character['name']}"
        missing = set(character["joints"]) - set(armature["bones"])
        if missing:
            return np.inf, f"{character['name']} lacks the bones {', '.join(sorted(missing))}"
        heads = np.stack([armature["bones"][joint] for joint in character["joints"]], axis=1)
        distances = np.linalg.norm(heads - character["positions"], axis=-1)
        if distances.max() >= worst:
            frame, joint = np.unravel_index(distances.argmax(), distances.shape)
            worst = float(distances.max())
            where = f"{character['name']}, {character['joints'][joint]}, frame {job['import']['frames'][frame]}"
    return worst, where


def blender_python() -> Path:
    """The interpreter of the environment with Blender in it, made on first use."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        interpreter = shutil.which(PYTHON)
        if interpreter is None:
            sys.exit(f"{BPY} needs {PYTHON}, which is not on the path")
        subprocess.run([interpreter, "-m", "venv", str(ENVIRONMENT)], check=True)  # noqa: S603
    if not _imports(python):
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", BPY], check=True)  # noqa: S603
    if not _imports(python):
        _install_system_libraries()
    if not _imports(python):
        sys.exit(f"bpy is installed but does not load; try: {python} -c 'import bpy'")
    return python


def _imports(python: Path) -> bool:
    return subprocess.run([str(python), "-c", "import bpy"], capture_output=True, check=False).returncode == 0  # noqa: S603


def _install_system_libraries() -> None:
    """Install what bpy loads, where we may and apt is the way to do it."""
    apt = shutil.which("apt-get")
    advice = f"Blender needs these system libraries: {' '.join(SYSTEM_LIBRARIES)}"
    if apt is None or os.geteuid() != 0:
        sys.exit(f"{advice}; install them and try again")
    sys.stderr.write(f"{advice}; installing them\n")
    subprocess.run([apt, "install", "--yes", "--quiet", *SYSTEM_LIBRARIES], check=True)  # noqa: S603


def _recorded_cast(recordings: Sequence[str]) -> list[Clip]:
    """The clips in these files, which must share a frame rate."""
    from walkon.motion.readers import read_clip

    return [read_clip(path) for path in recordings]


def _made_cast() -> list[Clip]:
    """Three characters on two skeletons, tumbling smoothly; the last one stretches its bones."""
    rng = np.random.default_rng(7)
    person = _person()
    clips = [
        _tumbling("first walker", person, 90, rng),
        _tumbling("second walker", person, 60, rng),
        _tumbling("giant", person.scaled(2.0), 75, rng),
    ]
    stretch = 1.0 + 0.2 * np.sin(np.linspace(0, 9, len(clips[2])))
    clips[2] = clips[2].with_changes(bone_offsets=clips[2].skeleton.offsets * stretch[:, None, None])
    return [_placed(clip, Placement(2.0 * i, -1.5 * i, 0.8 * i)) for i, clip in enumerate(clips)]


def _person() -> Skeleton:
    """A person of 13 joints and 5 tips, one name in two words."""
    bones: list[tuple[str, str, tuple[float, float, float], bool]] = [
        ("Hips", "", (0, 0, 0), False),
        ("Chest", "Hips", (0, 0.3, 0.02), False),
        ("Head", "Chest", (0, 0.3, 0), False),
        ("Head_end", "Head", (0, 0.2, 0), True),
    ]
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        bones += [
            (f"{side} Arm", "Chest", (0.2 * sign, 0.2, 0), False),
            (f"{side}Elbow", f"{side} Arm", (0.3 * sign, 0, 0), False),
            (f"{side}Elbow_end", f"{side}Elbow", (0.25 * sign, 0, 0), True),
            (f"{side}Leg", "Hips", (0.1 * sign, -0.05, 0), False),
            (f"{side}Knee", f"{side}Leg", (0, -0.42, 0.01), False),
            (f"{side}Foot", f"{side}Knee", (0, -0.4, -0.02), False),
            (f"{side}Foot_end", f"{side}Foot", (0, -0.06, 0.17), True),
        ]
    names = [name for name, _, _, _ in bones]
    parents = [-1 if not parent else names.index(parent) for _, parent, _, _ in bones]
    return Skeleton(names, parents, [offset for _, _, offset, _ in bones], [tip for _, _, _, tip in bones])


def _tumbling(name: str, skeleton: Skeleton, frames: int, rng: np.random.Generator) -> Clip:
    """Every joint swings about a wandering axis, far enough to reach any orientation."""
    time = np.arange(frames)[:, None, None] / 30.0
    shape = (1, len(skeleton), 3)
    vectors = 2.5 * np.sin(rng.uniform(1, 4, shape) * time + rng.uniform(0, 6, shape))
    vectors[:, skeleton.tips] = 0.0
    path = np.stack([time[:, 0, 0], 1.0 + 0.1 * np.sin(5 * time[:, 0, 0]), 0.3 * time[:, 0, 0] ** 2], axis=1)
    return Clip.build(name, skeleton, 30.0, path, exponential(vectors))


def _placed(clip: Clip, placement: Placement) -> Clip:
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(placement.quaternion(), rotations[:, 0])
    return clip.with_changes(root_positions=placement.points(clip.root_positions), rotations=rotations)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
