"""Errors say what and where, and are builtins as well."""

from __future__ import annotations

import walkon
from walkon.errors import ClipError, MissingExtraError, SkeletonError, WalkonError


def test_a_clip_error_names_file_and_line():
    error = ClipError("no MOTION section", path="walk.bvh", line=12)
    assert str(error) == "walk.bvh:12: no MOTION section"
    assert (error.line, error.what) == (12, "no MOTION section")
    assert str(ClipError("empty", path="walk.bvh")) == "walk.bvh: empty"
    assert str(ClipError("empty")) == "empty"


def test_every_error_is_a_builtin_too():
    assert issubclass(ClipError, ValueError)
    assert issubclass(SkeletonError, ClipError)
    assert issubclass(MissingExtraError, ImportError)
    assert issubclass(MissingExtraError, WalkonError)
    assert "walkon[usd]" in str(MissingExtraError("usd-core", "usd"))


def test_every_public_name_resolves():
    assert len(walkon.__all__) <= 25
    for name in walkon.__all__:
        assert getattr(walkon, name) is not None
    assert set(walkon.__all__) <= set(dir(walkon))
