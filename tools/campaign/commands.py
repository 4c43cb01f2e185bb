"""The commands that write, on inputs so small that each takes a fraction of a second.

All inputs are made twice, a little different: what a command makes of the first is the old output, which it then
writes over with what it makes of the second.
"""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from .forking import Ended, run_forked
from .io_calls import watched
from .trees import Tree, plant, tree_of

QUICK = "--no-mirror --no-bend"
LEARNING = ("m.model.learning",)
LIBRARY = ("lib/library.toml",)


@dataclass(frozen=True)
class Command:
    """words: of the command line, in which {in} and {out} are folders. indices: files that say what belongs to
    their folder, see `torn`.

    keeps: what is left on purpose when it fails, for the next run, which clears it away.
    work: instead of words, for what has no command line.
    """

    name: str
    words: str = ""
    indices: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    work: Callable[[Path, Path], None] | None = None

    def run(self, source: Path, out: Path) -> None:
        """Do it in this process, as `walkon` does."""
        if self.work is not None:
            self.work(source, out)
            return
        from walkon.cli import main

        places = {"in": str(source), "out": str(out)}
        sys.argv = ["walkon", *(word.format(**places) for word in shlex.split(self.words))]
        main()


def _save_scene(source: Path, out: Path) -> None:
    """What the studio does when a scene is saved: the file, and a folder of arrays beside it."""
    from walkon.take import read_take
    from walkon.world.writing import write_scene

    write_scene(read_take(source / "hilly.take").scene, out / "saved.toml")


def _export(suffix: str, more: str = "") -> Command:
    return Command(f"export {suffix}", f"export {{in}}/s.take {{out}}/s{suffix} {more}")


COMMANDS = (
    Command("plan", "plan {in}/scene.toml -o {out}/s.take"),
    _export(".glb"),
    _export(".usda"),
    _export(".usdc"),
    _export(".csv"),
    _export(".bvh"),
    _export(".clip"),
    _export(".mp4", "--size 64x48 --stop 0.5"),
    _export(".gif", "--size 64x48 --stop 0.5"),
    _export(".png", "--size 64x48 --time 0.5"),
    Command("behaviors build", f"behaviors build {{in}}/ride.clip -o {{out}}/lib {QUICK}", LIBRARY),
    Command("vary library", "vary library {in}/lib -o {out}/lib -n 1 --rounds 1 --only tip", LIBRARY),
    Command("vary learn", "vary learn {in}/swings -o {out}/m.model --rounds 2 --restarts 1", keeps=LEARNING),
    Command("vary make", "vary make {in}/m.model -n 2 -o {out}/made --no-constraints"),
    Command("graph build", "graph build {in}/walks -o {out}/g.graph --store {out}/store"),
    Command("graph walk", "graph walk {in}/g.graph -o {out}/w.take --seconds 2"),
    Command("render .mp4", "render {in}/walk.clip {out}/r.mp4 --size 64x48"),
    Command("render .png", "render {in}/walk.clip {out}/r.png --size 64x48"),
    Command("convert", "convert {in}/walk.clip {out}/c.bvh"),
    Command("measure", "measure {in}/s.take --csv {out}/figures --html {out}/m.html --no-pictures"),
    Command("tree build", "tree build {in}/lib -o {out}/l.tree --nodes 100 --without ''"),
    Command("scene saved", work=_save_scene),
)
"""Every command that writes: `builtin make` writes as `behaviors build`, `compare` as `plan` and `measure`."""

NAMED = {command.name: command for command in COMMANDS}


@dataclass(frozen=True)
class Rehearsed:
    """A command, the old outputs, what it makes beside them, what it makes in an empty folder, and how long that
    takes [s].

    writes_from: share of that time after which it first changes the disk. calls: by which it does.
    """

    command: Command
    old: Tree
    over: Tree
    new: Tree
    seconds: float
    writes_from: float
    calls: int


class Stage:
    """Where commands are tried. sources: what `make_inputs` made. folder: for outputs."""

    def __init__(self, sources: Path, folder: Path) -> None:
        self.old, self.new, self.folder = sources / "old", sources / "new", folder
        self._rehearsed: dict[str, Rehearsed] = {}

    def rehearsed(self, command: Command) -> Rehearsed:
        """The command, warm and rehearsed."""
        if command.name not in self._rehearsed:
            warm_up(command, self.new, self.folder / "warm")
            self._rehearsed[command.name] = rehearse(command, self)
        return self._rehearsed[command.name]


def rehearse(command: Command, stage: Stage) -> Rehearsed:
    """Run a command on both inputs, and see that it gives the same again; raises RuntimeError if it does not."""
    made = [
        _outputs(command, source, {}, stage.folder / "rehearsed") for source in (stage.old, stage.new, stage.new)
    ]
    old, new, again = (tree for tree, _ in made)
    over, ended = _outputs(command, stage.new, old, stage.folder / "rehearsed")
    if new != again:
        raise RuntimeError(f"{command.name} gives other bytes each time")
    if old == over:
        raise RuntimeError(f"{command.name}: old and new outputs are the same")
    first, calls = ended.out.rsplit("first ", 1)[1].split()
    return Rehearsed(command, old, over, new, ended.seconds, float(first), int(calls))


def _outputs(command: Command, source: Path, before: Tree, out: Path) -> tuple[Tree, Ended]:
    """What a command makes in a folder that holds this already, and how it ended; it says when it first wrote."""
    plant(before, fresh(out))
    first: list[float] = []

    def timed() -> None:
        begun = time.monotonic()
        try:
            with watched(lambda call: first.append(time.monotonic() - begun)):
                command.run(source, out)
        finally:
            share = first[0] / (time.monotonic() - begun) if first else 1.0
            sys.stdout.write(f"\nfirst {share} {len(first)}")

    ended = run_forked(timed)
    if ended.code != 0:
        raise RuntimeError(f"{command.name} does not work: {ended.out}{ended.err}")
    return tree_of(out), ended


def in_one_thread() -> None:
    """Let libraries be written by one thread in this process: calls come in the same order each time."""
    from walkon.behaviors import folder

    folder.WRITERS = 1


def fresh(folder: Path) -> Path:
    """The folder, empty."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def warm_up(command: Command, source: Path, out: Path) -> None:
    """Run a command in this very process, so that children find everything imported and compiled."""
    said = StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(said):
            command.run(source, fresh(out))
    except SystemExit as ended:
        if ended.code:
            raise RuntimeError(f"{command.name} does not work: {said.getvalue()}") from None
