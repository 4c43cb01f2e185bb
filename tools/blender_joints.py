"""The half of check_blender.py that runs inside Blender's environment: import files, say where the bones are.

    python blender_joints.py FOLDER

Reads FOLDER/jobs.json, a list of {file, fps, frames}, and writes FOLDER/found.json: for every file a list of
armatures, each with its names (its own and its parents') and every bone's head at every frame, metres, Y up.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import bpy  # type: ignore[import-not-found]

IMPORTERS = {
    ".bvh": lambda path: bpy.ops.import_anim.bvh(filepath=path, update_scene_fps=True),
    ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    ".usda": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".usdc": lambda path: bpy.ops.wm.usd_import(filepath=path),
}

FIRST_FRAME = {".bvh": 1, ".glb": 0, ".usda": 0, ".usdc": 0}
"""The Blender frame on which each importer puts the first one of the file."""


def main(folder: Path) -> None:
    """Do every job."""
    jobs = json.loads((folder / "jobs.json").read_text())
    found = [bone_heads(folder / job["file"], job["fps"], job["frames"]) for job in jobs]
    (folder / "found.json").write_text(json.dumps(found))


def bone_heads(path: Path, fps: float, frames: list[int]) -> list[dict[str, Any]]:
    """Import one file into an empty scene; names and bone heads (frames, 3) of its armatures."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = round(fps), round(fps) / fps
    IMPORTERS[path.suffix](str(path))
    armatures = [thing for thing in bpy.data.objects if thing.type == "ARMATURE"]
    heads: list[dict[str, list[list[float]]]] = [{} for _ in armatures]
    for frame in frames:
        scene.frame_set(frame + FIRST_FRAME[path.suffix])
        for armature, bones in zip(armatures, heads, strict=True):
            for bone in armature.pose.bones:
                x, y, z = armature.matrix_world @ bone.head
                # Blender's up is z; ours is y.
                bones.setdefault(bone.name, []).append([x, z, -y])
    return [{"names": _names(armature), "bones": bones} for armature, bones in zip(armatures, heads, strict=True)]


def _names(thing: Any) -> list[str]:
    names = []
    while thing is not None:
        names.append(thing.name)
        thing = thing.parent
    return names


if __name__ == "__main__":
    main(Path(sys.argv[1]))
