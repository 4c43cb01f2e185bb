from __future__ import annotations

import pytest

import walkon.export
from walkon.errors import ExportError
from walkon.export import write_clips
from walkon.formats import export_suffixes


@pytest.mark.parametrize("suffix", export_suffixes())
def test_every_suffix_writes_a_whole_file_and_nothing_else(tmp_path, clip, suffix):
    if suffix.startswith(".usd"):
        pytest.importorskip("pxr")
    target = tmp_path / "new folder" / f"walk{suffix.upper()}"
    write_clips(target, [clip])
    assert [path.name for path in target.parent.iterdir()] == [target.name]
    assert target.stat().st_size > 500


def test_an_unknown_suffix_lists_the_valid_ones(tmp_path, clip):
    with pytest.raises(ExportError, match=r"\.fbx.*\.bvh \.glb \.usd \.usda \.usdc \.csv \.txt \.clip"):
        write_clips(tmp_path / "walk.fbx", clip)


@pytest.mark.parametrize("suffix", export_suffixes())
def test_a_target_that_is_a_folder_stays_one(tmp_path, clip, suffix):
    if suffix.startswith(".usd"):
        pytest.importorskip("pxr")
    target = tmp_path / f"walk{suffix}"
    target.mkdir()
    with pytest.raises(OSError, match="walk"):
        write_clips(target, clip)
    assert list(tmp_path.iterdir()) == [target]
    assert list(target.iterdir()) == []


def test_all_names_resolve():
    assert all(hasattr(walkon.export, name) for name in walkon.export.__all__)
