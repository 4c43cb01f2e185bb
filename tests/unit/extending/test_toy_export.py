"""An export is a file with a writer, and its line in `walkon.formats`."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from walkon import formats
from walkon.builtin import make
from walkon.errors import ExportError
from walkon.export import write_clips


def write_counts(path, clips, *, starts=None):
    """The toy format: a line for everybody, with a name and a number of frames."""
    clips = clips if isinstance(clips, list) else [clips]
    path.write_text("".join(f"{clip.name} {len(clip)}\n" for clip in clips))


@pytest.fixture
def counts(monkeypatch):
    module = ModuleType("toy_counts")
    module.write_counts = write_counts
    monkeypatch.setitem(sys.modules, "toy_counts", module)
    line = formats.ExportFormat("counts", (".count",), "toy_counts:write_counts", "paths")
    monkeypatch.setattr(formats, "EXPORT_FORMATS", [*formats.EXPORT_FORMATS, line])


def test_a_toy_export_is_chosen_by_its_suffix(counts, tmp_path):
    clip = make("walk")
    write_clips(tmp_path / "a.COUNT", [clip])
    assert (tmp_path / "a.COUNT").read_text() == f"{clip.name} {len(clip)}\n"


def test_errors_and_help_know_the_toy_export(counts, tmp_path):
    with pytest.raises(ExportError, match=r"\.clip \.count$"):
        write_clips(tmp_path / "a.nothing", make("walk"))
    assert ".count" in formats.export_suffixes("paths")
