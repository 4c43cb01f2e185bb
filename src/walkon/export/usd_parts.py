"""Pieces of a USD scene: names, samples, materials, and things that are not people."""

# pxr is compiled and comes without type stubs, so pyright sees none of its names.
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, Vt

from walkon.export.cast import unique_names
from walkon.export.scenery import Prop
from walkon.rotations import continuous


def identifier(name: str) -> str:
    """The name in the letters USD allows: ASCII letters, digits and underscores, no digit first."""
    allowed = re.sub(r"\W", "_", name, flags=re.ASCII)
    return allowed if re.match(r"[^\W\d]", allowed, flags=re.ASCII) else f"_{allowed}"


def set_samples(attribute: Usd.Attribute, values: Sequence[object], start: int = 0) -> None:
    """One value per time code, from `start` on; the binary format stores equal ones once."""
    for time, value in enumerate(values, start=start):
        attribute.Set(value, time)


def add_material(stage: Usd.Stage, path: Sdf.Path, colour: Sequence[float]) -> UsdShade.Material:
    """A matt material of a linear colour."""
    material = UsdShade.Material.Define(stage, path)
    shader = UsdShade.Shader.Define(stage, path.AppendChild("Surface"))
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*colour))
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.8)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    return material


def add_props(stage: Usd.Stage, path: Sdf.Path, props: Sequence[Prop]) -> None:
    """Every prop as a mesh below `path`, moving where it moves."""
    UsdGeom.Xform.Define(stage, path)
    for prop, name in zip(props, unique_names(identifier(prop.name) for prop in props), strict=True):
        mesh = _add_mesh(stage, path.AppendChild(name), prop)
        material = add_material(stage, mesh.GetPath().AppendChild("Colour"), prop.colour)
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)


def _add_mesh(stage: Usd.Stage, path: Sdf.Path, prop: Prop) -> UsdGeom.Mesh:
    surface = prop.surface
    points = surface.points.astype(np.float32)
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(surface.normals.astype(np.float32)))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(surface.triangles.reshape(-1).astype(np.int32)))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray(len(surface.triangles), 3))
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(Vt.Vec3fArray.FromNumpy(np.stack([points.min(axis=0), points.max(axis=0)])))
    turns = continuous(prop.rotations[:, None])[:, 0]
    _set_track(mesh.AddTranslateOp(), [Gf.Vec3d(*place) for place in prop.positions.tolist()], prop.positions)
    _set_track(mesh.AddOrientOp(), [Gf.Quatf(*turn) for turn in turns.tolist()], turns)
    return mesh


def _set_track(op: UsdGeom.XformOp, values: Sequence[object], numbers: NDArray) -> None:
    """Values over time, or the only one if they never change."""
    if np.ptp(numbers, axis=0).max() == 0.0:
        op.Set(values[0])
    else:
        set_samples(op.GetAttr(), values)
