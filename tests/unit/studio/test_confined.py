"""What a scene names lies in the project folder, and what is saved stays there: links and swaps included."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon import confining
from walkon.behaviors import write_library
from walkon.builtin.casts import fetch_library
from walkon.confining import confined_to, open_input
from walkon.errors import OutputError, OutsideError, WalkonError
from walkon.files import write_text
from walkon.studio.live_show import LiveShow
from walkon.studio.serve import Settings, make_studio
from walkon.world import read_scene

OTHERS = "root:x:0:0:root"
PLAIN = 'name = "plain"\nbounds = [-5, -5, 5, 5]\n'
NAMED = {
    "csv": PLAIN + '[[obstacles]]\nshape="box"\nwidth=1\nheight=1\ndepth=1\nat=[0, 0]\nmotion={{csv="{}"}}\n',
    "mesh": PLAIN + '[[obstacles]]\nshape="mesh"\nfile="{}"\nat=[0, 0]\n',
    "array": PLAIN + 'terrain = {{array="{}"}}\n',
    "image": PLAIN + 'terrain = {{image="{}", low=0, height=1}}\n',
}
"""Every way in which a scene file names a file; a library is a folder."""

LIBRARY = PLAIN + '[[characters]]\nname="anna"\nstart=[0, 0]\ngoal=[2, 2]\nlibrary="{}"\n'


@pytest.fixture
def project(tmp_path):
    """A folder with files, links and folders that lead out of it."""
    inside, outside = tmp_path / "project", tmp_path / "outside"
    (inside / "sub").mkdir(parents=True)
    outside.mkdir()
    for suffix in ("csv", "obj", "png"):
        (outside / f"secret.{suffix}").write_text(OTHERS)
        (inside / f"link.{suffix}").symlink_to(outside / f"secret.{suffix}")
    (inside / "door").symlink_to(outside)
    (inside / ".hidden.csv").write_text(OTHERS)
    return inside


def opened(project: Path, text: str):
    """A scene with this text as the studio opens it from the command line."""
    (project / "scene.toml").write_text(text)
    return make_studio(Settings(project / "scene.toml", port=0, project=project))


LEADING_OUT = ("../outside/secret", "{outside}/secret", "link", "door/secret", "sub/../../outside/absent")
SUFFIXES = {"csv": ".csv", "mesh": ".obj", "array": ".csv", "image": ".png"}


@pytest.mark.parametrize("name", LEADING_OUT)
@pytest.mark.parametrize("key", NAMED)
def test_a_scene_names_nothing_outside(project, key, name):
    name = name.format(outside=project.parent / "outside") + SUFFIXES[key]
    with pytest.raises(WalkonError, match="outside the project folder") as refused:
        opened(project, NAMED[key].format(name))
    assert OTHERS[:8] not in str(refused.value)
    (line,) = [line for line in str(refused.value).splitlines() if "outside" in line and "cannot" in line]
    assert line


def test_whether_a_file_is_there_is_not_told_either(project):
    told = set()
    for name in ("secret.csv", "absent.csv"):
        with pytest.raises(WalkonError) as refused:
            opened(project, NAMED["csv"].format(f"../outside/{name}"))
        told.add(str(refused.value).replace(name, "NAME"))
    assert len(told) == 1


def test_hidden_files_are_none_of_its_business(project):
    with pytest.raises(WalkonError, match="is hidden, or lies"):
        opened(project, NAMED["csv"].format(".hidden.csv"))


def test_the_command_line_reads_what_its_user_names(project):
    (project.parent / "outside" / "way.csv").write_text("t,x,z\n0,0,0\n1,1,0\n")
    (project / "scene.toml").write_text(NAMED["csv"].format("../outside/way.csv"))
    assert len(read_scene(project / "scene.toml").obstacles) == 1
    with confined_to(project), pytest.raises(WalkonError, match="outside"):
        read_scene(project / "scene.toml")


def test_files_inside_are_found_by_any_way_that_stays_inside(project):
    (project / "sub" / "way.csv").write_text("t,x,z\n0,0,0\n1,1,0\n")
    (project / "same.csv").symlink_to(project / "sub" / "way.csv")
    for name in ("sub/way.csv", "sub/../sub/way.csv", "same.csv", str(project / "sub" / "way.csv")):
        (project / "scene.toml").write_text(NAMED["csv"].format(name))
        with confined_to(project):
            assert len(read_scene(project / "scene.toml").obstacles) == 1


def small_library():
    """Two behaviors of the built-in person, enough to stand and to walk."""
    whole = fetch_library("human")
    wanted = ("hold", "walk_wait", "walk_forward", "set_off", "halt")
    return replace(whole, behaviors=tuple(one for one in whole if one.name in wanted))


def test_a_library_is_in_the_project_with_all_its_clips(project):
    library, outside = small_library(), project.parent / "outside"
    write_library(project / "cast", library)
    write_library(outside / "cast", library)
    studio = opened(project, LIBRARY.format("./cast"))
    assert len(studio.director.show.live.people) == 1
    studio.director.show.close()
    for name in ("../outside/cast", str(outside / "cast"), "door/cast"):
        with pytest.raises(WalkonError, match="outside the project folder"):
            opened(project, LIBRARY.format(name))
    clip = next((project / "cast" / "clips").iterdir())
    clip.unlink()
    clip.symlink_to(outside / "cast" / "clips" / clip.name)
    with pytest.raises(WalkonError, match="outside"):
        opened(project, LIBRARY.format("./cast"))


def test_whoever_comes_again_is_played_by_what_was_read_before(project):
    """Nothing is read later on, when nobody watches over it: and the same graph is not read twice."""
    write_library(project / "cast", small_library())
    live = opened(project, LIBRARY.format("./cast")).director.show.live
    character, known = live.character(0), len(live.performers)
    for file in (project / "cast").rglob("*.*"):
        file.unlink()
    live.remove(0)
    assert live.add(character) == 1
    assert len(live.performers) == known
    live.close()


def test_a_scene_that_was_named_from_elsewhere_has_its_files_beside_it(project):
    other = project.parent / "other"
    other.mkdir()
    (project / "way.csv").write_text("t,x,z\n0,0,0\n1,1,0\n")
    (project / "scene.toml").write_text(NAMED["csv"].format("way.csv"))
    settings = Settings(project / "scene.toml", port=0, project=other)
    make_studio(settings).director.show.close()
    (project / "scene.toml").write_text(NAMED["csv"].format("../outside/secret.csv"))
    with pytest.raises(WalkonError, match="outside"):
        make_studio(settings)


@pytest.mark.skipif(not confining.STEPWISE, reason="this system cannot open files step by step")
def test_a_folder_that_is_swapped_after_it_was_looked_at_is_refused(project, monkeypatch):
    (project / "sub" / "secret.csv").write_text("1")
    real = os.path.realpath

    def swapped(path):
        """The path as it was; a moment later its folder is a link that leads out."""
        found = real(path)
        if str(path).endswith("secret.csv") and not (project / "sub").is_symlink():
            os.rename(project / "sub", project / "was")
            (project / "sub").symlink_to(project.parent / "outside")
        return found

    monkeypatch.setattr(os.path, "realpath", swapped)
    with confined_to(project):
        with pytest.raises(OutsideError, match="outside the project folder"):
            open_input(project / "sub" / "secret.csv")
        (project / "sub").unlink()
        os.rename(project / "was", project / "sub")
        with pytest.raises(OutputError, match="outside the project folder"):
            write_text(project / "sub" / "secret.csv", "mine")
    assert (project.parent / "outside" / "secret.csv").read_text() == OTHERS


@pytest.mark.skipif(not confining.STEPWISE, reason="this system cannot write step by step")
def test_a_folder_that_is_swapped_while_we_write_gets_nothing(project):
    """What was begun goes to the folder that was opened, wherever that is by then."""
    from walkon.files import atomic_path

    with confined_to(project), atomic_path(project / "sub" / "new" / "a.txt") as temporary:
        temporary.write_text("mine")
        os.rename(project / "sub" / "new", project / "sub" / "was")
        (project / "sub" / "new").symlink_to(project.parent / "outside")
    assert (project / "sub" / "was" / "a.txt").read_text() == "mine"
    assert sorted(path.name for path in (project.parent / "outside").iterdir()) == [
        *("secret.csv", "secret.obj", "secret.png")
    ]
    assert not list(project.glob(".walkon-*"))


def test_nothing_is_written_outside(project):
    with confined_to(project):
        for name in ("../outside/new.txt", "door/new.txt", ".hidden/new.txt"):
            with pytest.raises(OutputError, match=r"outside|hidden"):
                write_text(project / name, "mine")
        write_text(project / "deep" / "er" / "new.txt", "mine")
    assert (project / "deep" / "er" / "new.txt").read_text() == "mine"


def test_a_pipe_does_not_hold_us(project):
    os.mkfifo(project / "pipe.csv")
    with confined_to(project), pytest.raises(OSError, match="no regular file"):
        open_input(project / "pipe.csv")


def test_a_window_opens_and_saves_nothing_outside(fake, project, launch):
    (project / "bad.toml").write_text(NAMED["csv"].format("../outside/secret.csv"))
    (project / "good.toml").write_text(PLAIN)
    with launch(LiveShow(fake.FakeLive(fake.little_scene())), project) as studio:
        browser = studio.browser()
        browser.hello()
        error = browser.ask("open", path="bad.toml")["error"]
        assert "outside the project folder" in error
        assert OTHERS[:8] not in error
        assert browser.do("save", what="take", path="sub/mine.take")["bytes"] > 0
        assert browser.do("save", what="scene", path="sub/new/mine.toml")["bytes"] > 0
        assert "not a path inside" in browser.ask("save", what="take", path="door/mine.take")["error"]
    assert (project / "sub" / "mine.take").is_file()
    assert len(list((project.parent / "outside").iterdir())) == 3
    assert np.all([not path.name.startswith(".walkon") for path in project.rglob("*")])


@pytest.mark.parametrize("kind", ["obj", "ply"])
def test_a_mesh_names_files_in_vain(project, kind, caplog, capfd):
    """Materials and textures are further files, of names that the mesh file chooses: nobody looks for them."""
    pytest.importorskip("trimesh")
    corners, faces = "0 0 0\n1 0 0\n0 1 0\n", "element face 1\nproperty list uchar int vertex_indices\n"
    header = "ply\nformat ascii 1.0\ncomment TextureFile ../outside/secret.png\nelement vertex 3\n"
    header += "".join(f"property float {axis}\n" for axis in "xyz") + faces + "end_header\n"
    text = {
        "obj": "mtllib ../outside/secret.obj\nv "
        + corners.strip().replace("\n", "\nv ")
        + "\nusemtl a\nf 1 2 3\n",
        "ply": header + corners + "3 0 1 2\n",
    }[kind]
    (project / f"a.{kind}").write_text(text)
    (project / "scene.toml").write_text(NAMED["mesh"].format(f"a.{kind}"))
    with confined_to(project):
        assert len(read_scene(project / "scene.toml").obstacles) == 1
    assert not caplog.records
    assert capfd.readouterr().err == ""
