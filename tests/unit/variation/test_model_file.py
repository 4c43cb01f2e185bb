"""Models in files: the same bits back, and nothing but a clear error of what was damaged."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import fields, replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from walkon.array_files import write_arrays
from walkon.builtin import make
from walkon.errors import VariationError
from walkon.motion import write_clip_file
from walkon.variation import VariationModel, make_variants, read_model, write_model
from walkon.variation.model import check_model


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    """The fuzz target, which is a script, and has a small model."""
    path = Path(__file__).resolve().parents[3] / "fuzz" / "fuzz_variation.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def assert_same(one: VariationModel, other: VariationModel) -> None:
    told = one.coordinates.skeleton, other.coordinates.skeleton
    assert told[0].names == told[1].names
    parts = [(one, other), told]
    parts += [
        (getattr(one, name), getattr(other, name))
        for name in ("coordinates", "examples", "prior", "transition", "noise", "regression")
    ]
    for ours, theirs in parts:
        for field in fields(ours):
            a, b = getattr(ours, field.name), getattr(theirs, field.name)
            if isinstance(a, np.ndarray):
                assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes()), field.name
            elif isinstance(a, float | int | tuple | str):
                assert (type(a), a) == (type(b), b), field.name


@pytest.mark.parametrize("which", ["walk_model", "jump_model"])
def test_there_and_back(tmp_path, which, request):
    model, path = request.getfixturevalue(which), tmp_path / "it.model"
    write_model(model, path)
    back = read_model(path)
    assert_same(back, model)
    write_model(back, tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == path.read_bytes()
    for one, other in zip(make_variants(back, 3, seed=2), make_variants(model, 3, seed=2), strict=True):
        np.testing.assert_array_equal(one.rotations, other.rotations)


def test_models_take_about_as_much_room_as_their_inputs(tmp_path, walk_model, walks):
    write_model(walk_model, tmp_path / "it.model")
    frames = sum(len(clip) for clip in walks)
    raw = frames * (3 + 4 * len(walks[0].skeleton)) * 8
    assert (tmp_path / "it.model").stat().st_size < raw


def test_messages_name_the_file(tmp_path):
    path = tmp_path / "gone.model"
    with pytest.raises(VariationError, match=r"gone\.model: No such file"):
        read_model(path)
    write_clip_file(path, make("walk"))
    with pytest.raises(VariationError, match=r"gone\.model: this is no"):
        read_model(path)


def changed(fuzz, change) -> bytes:
    """The seed with another header, by someone who knows how to seal it; arrays stay where they are."""
    header, arrays = fuzz.parts(fuzz.seed_bytes())
    record = json.loads(header)
    change(record)
    written = json.dumps(record, indent=1).encode()
    assert len(written) <= len(header) + 64
    return fuzz.sealed(written.ljust(len(header)), arrays)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r["arrays"]["rows"].update(shape=r["arrays"]["rows"]["shape"][::-1]),
        lambda r: r["arrays"]["rows"].update(dtype="<f8"),
        lambda r: r["arrays"].pop("driven"),
        lambda r: r["settings"].pop("fps"),
        lambda r: r["settings"].update(fps=0),
        lambda r: r["settings"].update(fps=1e9),
        lambda r: r["settings"].update(fps="x"),
        lambda r: r["settings"].update(pull=float("nan")),
        lambda r: r["settings"].update(company=-1),
        lambda r: r["settings"].update(score=float("-inf")),
        lambda r: r["settings"].update(neighbours=10**7),
        lambda r: r["settings"].update(neighbours=0),
        lambda r: r["settings"].update(clips=[]),
        lambda r: r["settings"].update(clips=None),
        lambda r: r["settings"].update(joints=["a"] * 3),
        lambda r: r["settings"].update(joints=["a"]),
        lambda r: r["settings"].update(ends=True),
        lambda r: r.update(settings=[]),
        lambda r: r.update(settings=7),
    ],
)
def test_headers_that_lie_are_refused(fuzz, tmp_path, change):
    path = tmp_path / "it.model"
    path.write_bytes(changed(fuzz, change))
    with pytest.raises(VariationError, match=r"it\.model"):
        read_model(path)


def broken(model: VariationModel) -> list[VariationModel]:
    """The model with one part each that does not fit."""
    told, examples, n = model.coordinates, model.examples, model.coordinates.count
    wrong = [
        replace(model, coordinates=replace(told, **part))
        for part in (
            {"means": told.means[:-1]},
            {"means": 0.0 * told.means},
            {"means": np.where(told.means == told.means.max(), np.nan, told.means)},
            {"wide": told.wide[:-1]},
            {"wide": ~told.wide},
            {"center": told.center[:-1]},
            {"scale": 0.0 * told.scale},
            {"scale": -told.scale},
            {"moving": told.moving + 1000},
            {"moving": -1 - told.moving},
            {"moving": told.moving[:0]},
            {"moving": told.moving[:-1]},
            {"fps": float("nan")},
        )
    ]
    wrong += [
        replace(model, examples=replace(examples, **part))
        for part in (
            {"rows": examples.rows[:-1]},
            {"rows": examples.rows[:, :-1]},
            {"rows": examples.rows[0]},
            {"rows": examples.rows * np.float32(1e30)},
            {"rows": examples.rows * np.float32(np.nan)},
            {"starts": examples.starts[:-1]},
            {"starts": examples.starts[::-1].copy()},
            {"starts": examples.starts * 0},
            {"starts": np.array([0, examples.frames - 2, examples.frames])},
            {"starts": np.array([0, 1 << 62, examples.frames])},
            {"names": examples.names[:-1]},
        )
    ]
    prior, transition, noise = model.prior, model.transition, model.noise
    circle = prior.changed(0, drop=-1)
    circle.parents[:2, 0], circle.counts[:2] = (1, 0), 1
    wrong += [
        replace(model, driven=np.array([], np.int64)),
        replace(model, driven=np.array([n])),
        replace(model, driven=np.array([-1])),
        replace(model, driven=model.driven[None]),
        replace(model, prior=circle),
        replace(model, prior=transition),
        replace(model, prior=replace(prior, parents=np.where(prior.parents >= 0, 2 * n, -1))),
        replace(model, transition=prior),
        replace(model, transition=replace(transition, counts=transition.counts + 100)),
        replace(model, transition=replace(transition, counts=transition.counts - 100)),
        replace(model, transition=replace(transition, counts=np.full(n, 1), parents=np.full((n, 2), -1))),
        replace(model, transition=replace(transition, counts=np.full(n, 1), parents=np.full((n, 2), 3 * n))),
        replace(model, transition=replace(transition, parents=transition.parents[:, :0])),
        replace(model, noise=replace(noise, factor=noise.factor[:-1])),
        replace(model, noise=replace(noise, factor=noise.factor * np.float32(np.nan))),
        replace(model, noise=replace(noise, lasting=noise.lasting[:-1])),
        replace(model, noise=replace(noise, lasting=noise.lasting + 1)),
        replace(model, tremble=model.tremble[:-1]),
        replace(model, tremble=model.tremble * np.float32(np.inf)),
    ]
    return wrong


def test_models_that_do_not_hold_together_are_refused(fuzz, tmp_path):
    """Written and sealed by ourselves: only what is in them is wrong."""
    model, path = fuzz.seed_model(), tmp_path / "it.model"
    assert model.transition.edges > 0
    assert model.prior.edges > 0
    check_model(model)
    with np.errstate(all="ignore"):
        wrong = broken(model)
    for number, one in enumerate(wrong):
        with pytest.raises(VariationError):
            check_model(one)
        try:
            write_model(one, path)
        except (VariationError, ValueError):
            continue
        with pytest.raises(VariationError, match=r"it\.model"):
            pytest.fail(f"{number} was read") if read_model(path) else None


def test_other_files_of_arrays_are_no_models(tmp_path):
    from walkon.variation.progress_file import PROGRESS_FORMAT

    write_arrays(tmp_path / "half", PROGRESS_FORMAT, {}, {"prior": np.zeros(3)})
    with pytest.raises(VariationError, match="this is no"):
        read_model(tmp_path / "half")


def test_damaged_files_never_do_harm(fuzz):
    done, good = fuzz.fuzz(count=300, seed=3)
    assert done == 300
    assert 0 < good < 150
