"""The USD scene itself. Imported only where usd-core is installed."""

# pxr is compiled and comes without type stubs, so pyright sees none of its names.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

from walkon.export.cast import character_colour, group_by_skeleton, unique_names
from walkon.export.scenery import Prop
from walkon.export.skin import Skin, build_skin
from walkon.export.usd_parts import add_material, add_props, identifier, set_samples
from walkon.motion import Clip
from walkon.rotations import IDENTITY, continuous, to_matrix
from walkon.skeleton import Skeleton

Float32 = NDArray[np.float32]

WORLD = Sdf.Path("/World")
PROTOTYPES = Sdf.Path("/Prototypes")
SCENERY = "Scenery"


class _Prototype(NamedTuple):
    """What characters of one skeleton share: where it stands, and how far the body gets from its bones [m]."""

    path: Sdf.Path
    reach: float


def build_stage(
    cast: Sequence[Clip], *, body: bool, starts: Sequence[int], frames: int | None, props: Sequence[Prop]
) -> Usd.Stage:
    """All characters, and what is around them, on a stage in memory; see `write_usd`."""
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(cast[0].fps)
    stage.SetFramesPerSecond(cast[0].fps)
    stage.SetStartTimeCode(0)
    ends = [start + len(clip) for start, clip in zip(starts, cast, strict=True)]
    stage.SetEndTimeCode((max(ends) if frames is None else frames) - 1)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, WORLD).GetPrim())
    firsts, groups = group_by_skeleton(cast)
    prototypes = [_add_prototype(stage, index, clip, body) for index, clip in enumerate(firsts)]
    names = unique_names((identifier(clip.name or "character") for clip in cast), [SCENERY])
    for index, (clip, name) in enumerate(zip(cast, names, strict=True)):
        colour = character_colour(index) if body else None
        root = _add_character(stage, clip, name, prototypes[groups[index]], colour, starts[index])
        _show(root, starts[index], ends[index], frames)
    if props:
        add_props(stage, WORLD.AppendChild(SCENERY), props)
    return stage


def _show(root: UsdSkel.Root, start: int, end: int, frames: int | None) -> None:
    """Make somebody invisible before the start and, where the whole goes on, from the end."""
    leaves = frames is not None and end < frames
    if start == 0 and not leaves:
        return
    visibility = root.CreateVisibilityAttr()
    if start > 0:
        visibility.Set(UsdGeom.Tokens.invisible, 0)
    visibility.Set(UsdGeom.Tokens.inherited, start)
    if leaves:
        visibility.Set(UsdGeom.Tokens.invisible, end)


def joint_paths(skeleton: Skeleton) -> list[str]:
    """Each joint as UsdSkel names it: the way from the root, in valid identifiers, "Hips/LeftUpLeg/LeftLeg"."""
    names = unique_names(map(identifier, skeleton.names))
    paths: list[str] = []
    for parent, name in zip(skeleton.parents, names, strict=True):
        paths.append(name if parent < 0 else f"{paths[parent]}/{name}")
    return paths


def _add_prototype(stage: Usd.Stage, index: int, clip: Clip, body: bool) -> _Prototype:
    """An abstract prim, never drawn, that holds what characters of one skeleton share."""
    path = PROTOTYPES.AppendChild(f"Body_{index}")
    stage.CreateClassPrim(PROTOTYPES)
    stage.CreateClassPrim(path)
    skeleton = UsdSkel.Skeleton.Define(stage, path.AppendChild("Skeleton"))
    skeleton.CreateJointsAttr(joint_paths(clip.skeleton))
    upright = np.tile(IDENTITY, (len(clip.skeleton), 1))
    offsets = clip.skeleton.offsets.copy()
    offsets[0] = 0.0
    skeleton.CreateRestTransformsAttr(_matrices(offsets, upright))
    if not body:
        skeleton.CreateBindTransformsAttr(_matrices(clip.skeleton.rest_positions, upright))
        return _Prototype(path, 0.0)
    skin = build_skin(clip)
    skeleton.CreateBindTransformsAttr(_matrices(skin.bind_positions, skin.bind_rotations))
    _add_mesh(stage, path.AppendChild("Body"), skin, skeleton.GetPath())
    return _Prototype(path, skin.reach)


def _add_mesh(stage: Usd.Stage, path: Sdf.Path, skin: Skin, skeleton: Sdf.Path) -> None:
    """The body in the bind pose, each vertex bound to one or two joints."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(skin.positions))
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(skin.normals))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(skin.triangles.reshape(-1).astype(np.int32)))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray(len(skin.triangles), 3))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(_extents(skin.positions[None], 0.0)[0])
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton])
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    influences = binding.CreateJointIndicesPrimvar(constant=False, elementSize=2)
    influences.Set(Vt.IntArray.FromNumpy(skin.joints.reshape(-1).astype(np.int32)))
    weights = binding.CreateJointWeightsPrimvar(constant=False, elementSize=2)
    weights.Set(Vt.FloatArray.FromNumpy(skin.weights.reshape(-1)))


def _add_character(
    stage: Usd.Stage,
    clip: Clip,
    name: str,
    prototype: _Prototype,
    colour: Sequence[float] | None,
    start: int,
) -> UsdSkel.Root:
    """A SkelRoot that borrows skeleton and body from the prototype and brings its own motion and colour."""
    path = WORLD.AppendChild(name)
    root = UsdSkel.Root.Define(stage, path)
    root.GetPrim().GetReferences().AddInternalReference(prototype.path)
    motion = _add_motion(stage, clip, path.AppendChild("Motion"), start)
    skeleton = stage.OverridePrim(path.AppendChild("Skeleton"))
    UsdSkel.BindingAPI.Apply(skeleton).CreateAnimationSourceRel().SetTargets([motion])
    set_samples(root.CreateExtentAttr(), _extents(clip.positions, prototype.reach), start)
    if colour is not None:
        material = add_material(stage, path.AppendChild("Colour"), colour)
        UsdShade.MaterialBindingAPI.Apply(root.GetPrim()).Bind(material)
    return root


def _add_motion(stage: Usd.Stage, clip: Clip, path: Sdf.Path, start: int) -> Sdf.Path:
    """The local transforms of every joint over time."""
    motion = UsdSkel.Animation.Define(stage, path)
    motion.CreateJointsAttr(joint_paths(clip.skeleton))
    offsets = clip.skeleton.offsets if clip.bone_offsets is None else clip.bone_offsets
    translations = np.array(np.broadcast_to(offsets, (len(clip), len(clip.skeleton), 3)), dtype=np.float32)
    translations[:, 0] = clip.root_positions
    # Vt.QuatfArray takes the real part last.
    rotations = np.ascontiguousarray(continuous(clip.rotations)[..., [1, 2, 3, 0]], dtype=np.float32)
    set_samples(motion.CreateTranslationsAttr(), [Vt.Vec3fArray.FromNumpy(frame) for frame in translations], start)
    turns = [Vt.QuatfArray.FromNumpy(frame) for frame in rotations]
    # Blender overlooks an animation that has but one sample.
    set_samples(motion.CreateRotationsAttr(), turns if len(turns) > 1 else 2 * turns, start)
    motion.CreateScalesAttr(Vt.Vec3hArray(len(clip.skeleton), Gf.Vec3h(1.0)))
    return path


def _extents(points: NDArray, margin: float) -> list[Vt.Vec3fArray]:
    """For every frame, opposite corners of the box around points (F, N, 3), grown by `margin` [m]."""
    corners = np.stack([points.min(axis=1) - margin, points.max(axis=1) + margin], axis=1)
    return [Vt.Vec3fArray.FromNumpy(pair) for pair in corners.astype(np.float32)]


def _matrices(positions: NDArray[np.float64], rotations: NDArray[np.float64]) -> Vt.Matrix4dArray:
    """Rigid transforms from positions (J, 3) and quaternions (J, 4); USD multiplies row vectors from the left."""
    matrices = np.tile(np.eye(4), (len(positions), 1, 1))
    matrices[:, :3, :3] = np.swapaxes(to_matrix(rotations), -1, -2)
    matrices[:, 3, :3] = positions
    return Vt.Matrix4dArray.FromNumpy(matrices)
