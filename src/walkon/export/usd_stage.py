"""The USD scene itself. Imported only where usd-core is installed."""

# pxr is compiled and comes without type stubs, so pyright sees none of its names.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

from walkon.export.cast import character_colour, group_by_skeleton, unique_names
from walkon.export.skin import Skin, build_skin
from walkon.motion import Clip
from walkon.rotations import IDENTITY, continuous, to_matrix
from walkon.skeleton import Skeleton

Float32 = NDArray[np.float32]

WORLD = Sdf.Path("/World")
PROTOTYPES = Sdf.Path("/Prototypes")


class _Prototype(NamedTuple):
    """What characters of one skeleton share: where it stands, and how far the body gets from its bones [m]."""

    path: Sdf.Path
    reach: float


def build_stage(cast: Sequence[Clip], *, body: bool) -> Usd.Stage:
    """All characters on a stage in memory."""
    stage = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(cast[0].fps)
    stage.SetFramesPerSecond(cast[0].fps)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(max(map(len, cast)) - 1)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, WORLD).GetPrim())
    firsts, groups = group_by_skeleton(cast)
    prototypes = [_add_prototype(stage, index, clip, body) for index, clip in enumerate(firsts)]
    names = unique_names(identifier(clip.name or "character") for clip in cast)
    for index, (clip, name) in enumerate(zip(cast, names, strict=True)):
        _add_character(stage, clip, name, prototypes[groups[index]], character_colour(index) if body else None)
    return stage


def identifier(name: str) -> str:
    """The name in the letters USD allows: ASCII letters, digits and underscores, no digit first."""
    allowed = re.sub(r"\W", "_", name, flags=re.ASCII)
    return allowed if re.match(r"[^\W\d]", allowed, flags=re.ASCII) else f"_{allowed}"


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
    stage: Usd.Stage, clip: Clip, name: str, prototype: _Prototype, colour: Sequence[float] | None
) -> None:
    """A SkelRoot that borrows skeleton and body from the prototype and brings its own motion and colour."""
    path = WORLD.AppendChild(name)
    root = UsdSkel.Root.Define(stage, path)
    root.GetPrim().GetReferences().AddInternalReference(prototype.path)
    motion = _add_motion(stage, clip, path.AppendChild("Motion"))
    skeleton = stage.OverridePrim(path.AppendChild("Skeleton"))
    UsdSkel.BindingAPI.Apply(skeleton).CreateAnimationSourceRel().SetTargets([motion])
    _set_samples(root.CreateExtentAttr(), _extents(clip.positions, prototype.reach))
    if colour is not None:
        material = _add_material(stage, path.AppendChild("Colour"), colour)
        UsdShade.MaterialBindingAPI.Apply(root.GetPrim()).Bind(material)


def _add_motion(stage: Usd.Stage, clip: Clip, path: Sdf.Path) -> Sdf.Path:
    """The local transforms of every joint over time."""
    motion = UsdSkel.Animation.Define(stage, path)
    motion.CreateJointsAttr(joint_paths(clip.skeleton))
    offsets = clip.skeleton.offsets if clip.bone_offsets is None else clip.bone_offsets
    translations = np.array(np.broadcast_to(offsets, (len(clip), len(clip.skeleton), 3)), dtype=np.float32)
    translations[:, 0] = clip.root_positions
    # Vt.QuatfArray takes the real part last.
    rotations = np.ascontiguousarray(continuous(clip.rotations)[..., [1, 2, 3, 0]], dtype=np.float32)
    _set_samples(motion.CreateTranslationsAttr(), [Vt.Vec3fArray.FromNumpy(frame) for frame in translations])
    turns = [Vt.QuatfArray.FromNumpy(frame) for frame in rotations]
    # Blender overlooks an animation that has but one sample.
    _set_samples(motion.CreateRotationsAttr(), turns if len(turns) > 1 else 2 * turns)
    motion.CreateScalesAttr(Vt.Vec3hArray(len(clip.skeleton), Gf.Vec3h(1.0)))
    return path


def _add_material(stage: Usd.Stage, path: Sdf.Path, colour: Sequence[float]) -> UsdShade.Material:
    material = UsdShade.Material.Define(stage, path)
    shader = UsdShade.Shader.Define(stage, path.AppendChild("Surface"))
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*colour))
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.8)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    return material


def _set_samples(attribute: Usd.Attribute, values: Sequence[object]) -> None:
    """One value per time code, from 0 on; the binary format stores equal ones once."""
    for time, value in enumerate(values):
        attribute.Set(value, time)


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
