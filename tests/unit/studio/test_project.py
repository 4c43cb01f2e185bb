"""Only inside the project folder, only known kinds of files, and nothing of somebody else's written over."""

from __future__ import annotations

import pytest

from walkon.studio.project import Project, ProjectError

SCENE = 'name = "a"\nbounds = [-5, -5, 5, 5]\n'


@pytest.fixture
def folder(tmp_path):
    """A project beside things that are nobody's business."""
    inside = tmp_path / "project"
    (inside / "sub").mkdir(parents=True)
    (inside / "a.toml").write_text(SCENE)
    (inside / "pyproject.toml").write_text("[project]\n")
    (inside / "sub" / "b.take").write_bytes(b"12345")
    (inside / "notes.txt").write_text("mine")
    (inside / ".git").mkdir()
    (inside / ".git" / "c.toml").write_text(SCENE)
    (tmp_path / "outside.toml").write_text(SCENE)
    (tmp_path / "elsewhere").mkdir()
    (inside / "link.toml").symlink_to(tmp_path / "outside.toml")
    (inside / "door").symlink_to(tmp_path / "elsewhere")
    (inside / "loop.toml").symlink_to(inside / "loop.toml")
    (inside / "dangling.take").symlink_to(tmp_path / "elsewhere" / "new.take")
    return inside


def test_files_of_known_kinds_are_listed(folder):
    assert Project(folder).list() == [
        {"path": "a.toml", "kind": "scene", "bytes": len(SCENE)},
        {"path": "sub/b.take", "kind": "take", "bytes": 5},
    ]


ESCAPES = (
    *("../outside.toml", "sub/../../outside.toml", "/etc/passwd", "link.toml", "door/new.toml", "loop.toml"),
    *(".git/c.toml", "a\0.toml", "a\n.toml", "..", "", ".", "C:/x.toml", "..\\outside.toml", "x" * 5000 + ".toml"),
    *("sub/../..", "~/../../x.toml", "dangling.take"),
)


@pytest.mark.parametrize("name", ESCAPES)
def test_nothing_leads_out(folder, name):
    project = Project(folder)
    with pytest.raises(ProjectError):
        project.to_read(name)
    for kind in ("scene", "take"):
        with pytest.raises(ProjectError):
            project.to_write(name, kind, overwrite=True)


def test_an_absolute_path_is_refused_even_if_it_leads_in(folder):
    with pytest.raises(ProjectError):
        Project(folder).to_read(str(folder / "a.toml"))


def test_only_known_suffixes(folder):
    project = Project(folder)
    with pytest.raises(ProjectError, match="kind"):
        project.to_read("notes.txt")
    for name in ("run.sh", "a.py", "a.take"):
        with pytest.raises(ProjectError, match="ends in"):
            project.to_write(name, "scene")
    assert project.to_write("fresh", "scene") == folder / "fresh.toml"
    assert project.to_write("sub/x.usda", "usd") == folder / "sub" / "x.usda"


def test_files_of_others_are_kept(folder):
    project = Project(folder)
    with pytest.raises(ProjectError, match="there already"):
        project.to_write("a.toml", "scene")
    assert project.to_write("a.toml", "scene", overwrite=True) == folder / "a.toml"
    project.own(folder / "a.toml")
    assert project.to_write("a.toml", "scene") == folder / "a.toml"
    with pytest.raises(ProjectError, match="no scene"):
        project.to_write("pyproject.toml", "scene", overwrite=True)


@pytest.mark.parametrize(("link", "name", "kind"), [("many", "many.bvh", "bvh"), ("s.files", "s.toml", "scene")])
def test_folders_written_beside_a_file_do_not_lead_out(folder, link, name, kind):
    (folder / link).symlink_to(folder.parent / "elsewhere")
    with pytest.raises(ProjectError, match="there already"):
        Project(folder).to_write(name, kind, overwrite=True)


def test_a_project_is_a_folder(tmp_path):
    with pytest.raises(ProjectError):
        Project(tmp_path / "absent")
