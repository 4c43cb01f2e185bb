"""Power that fails after each call: whatever of it is on the disk then, outputs are old or new, and whole.

A command is run once, and what it does to the disk is written down. Then the loss is played through in a model of
a disk: bytes that were not synced may be lost or cut anywhere; names that were not synced (by a sync of their
folder) may or may not be there, the later ones only with the earlier ones. Once the command has ended, nothing may
be lost.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from .commands import Command, Rehearsed, Stage, fresh, in_one_thread
from .forking import run_forked
from .io_calls import IoCall, watched
from .progress import Keeper
from .trees import Tree, plant, torn

LOSSES = 12
"""Losses tried after each call, with other bytes and names lost each time. With few calls, few are enough."""


@dataclass
class Node:
    """A file, or a folder, in the model. data: as the process sees it. safe: as the disk has it for sure."""

    is_folder: bool = False
    data: bytes = b""
    safe: bytes = b""
    dirty: bool = False
    entries: dict[str, Node] = field(default_factory=dict)
    safe_entries: dict[str, Node] = field(default_factory=dict)
    pending: list[list[tuple[Node, str, Node | None]]] = field(default_factory=list)


Event = tuple[str, str, str | None, bytes | None]
"""Name of a call, path and second path below the folder, and what the file holds just before."""


def record(one: Command, source: Path, out: Path) -> list[Event]:
    """What a command does to the disk, in order, below `out`."""
    notes = out.with_name("events")
    events: list[Event] = []

    def below(path: str | None) -> str | None:
        return (
            None if path is None or not Path(path).is_relative_to(out) else Path(path).relative_to(out).as_posix()
        )

    def note(call: IoCall) -> None:
        path, to = below(call.path), below(call.to)
        if path is None and to is None:
            return
        wants = call.name in ("fsync", "fdatasync", "replace", "rename", "close") and os.path.isfile(call.path)
        events.append((call.name, path or ".outside", to, Path(call.path).read_bytes() if wants else None))

    def work() -> None:
        in_one_thread()
        try:
            with watched(note):
                one.run(source, out)
        finally:
            rows = [(*event, None if data is None else data.hex()) for *event, data in events]
            notes.write_text(json.dumps(rows))

    ended = run_forked(work)
    if ended.code != 0:
        raise RuntimeError(f"{one.name} does not work: {ended.err}")
    rows = json.loads(notes.read_text())
    return [(name, path, to, None if data is None else bytes.fromhex(data)) for name, path, to, data in rows]


class Disk:
    """The model: a folder, what is done to it, and what may be left of it."""

    def __init__(self, tree: Tree) -> None:
        self.root = Node(is_folder=True)
        for name, data in tree.items():
            self._node(name, made=True).data = data
        for node in _all(self.root):
            node.safe, node.safe_entries, node.pending = node.data, dict(node.entries), []

    def _folder(self, path: str) -> tuple[Node, str]:
        """The folder that a path lies in, and its last name; folders that nobody was seen to make are there."""
        node = self.root
        *folders, name = PurePosixPath(path).parts
        for part in folders:
            if part not in node.entries:
                self._link(node, part, Node(is_folder=True))
            node = node.entries[part]
        return node, name

    def _node(self, path: str, *, made: bool = False, is_folder: bool = False) -> Node:
        if path == ".":
            return self.root
        folder, name = self._folder(path)
        if name not in folder.entries:
            self._link(folder, name, Node(is_folder=is_folder, dirty=not made))
        return folder.entries[name]

    def _link(self, folder: Node, name: str, node: Node) -> None:
        folder.entries[name] = node
        folder.pending.append([(folder, name, node)])

    def play(self, event: Event) -> None:
        """Do what the process did."""
        name, path, to, data = event
        match name:
            case "mkdir":
                self._node(path, is_folder=True)
            case "unlink" | "remove" | "rmdir":
                folder, last = self._folder(path)
                folder.entries.pop(last, None)
                folder.pending.append([(folder, last, None)])
            case "replace" | "rename":
                node = self._node(path, is_folder=data is None)
                if data is not None:
                    node.data, node.dirty = data, node.dirty or data != node.safe
                (source, last), (target, new) = self._folder(path), self._folder(to or ".outside")
                source.entries.pop(last, None)
                target.entries[new] = node
                target.pending.append([(source, last, None), (target, new, node)])
            case "fsync" | "fdatasync":
                self._sync(self._node(path, is_folder=data is None), data)
            case "open" | "write" | "truncate" | "ftruncate" | "close":
                node = self._node(path)
                node.data, node.dirty = node.data if data is None else data, node.dirty or name != "close"

    def _sync(self, node: Node, data: bytes | None) -> None:
        if node.is_folder:
            for operation in node.pending:
                for folder, name, entry in operation:
                    _put(folder.safe_entries, name, entry)
            node.pending = []
        else:
            node.data = node.data if data is None else data
            node.safe, node.dirty = node.data, False

    def after_loss(self, rng: random.Random) -> Tree:
        """What is there when the power is back. rng: chooses what was lost."""
        kept = {id(node): dict(node.safe_entries) for node in _all(self.root)}
        for node in _all(self.root):
            for operation in node.pending[: rng.choice((0, len(node.pending), rng.randint(0, len(node.pending))))]:
                for folder, name, entry in operation:
                    _put(kept.setdefault(id(folder), {}), name, entry)
        return dict(self._left(self.root, "", kept, rng))

    def _left(
        self, node: Node, path: str, kept: dict[int, dict[str, Node]], rng: random.Random
    ) -> Iterator[tuple[str, bytes]]:
        for name, entry in kept.get(id(node), {}).items():
            if entry.is_folder:
                yield from self._left(entry, f"{path}{name}/", kept, rng)
            else:
                cut = rng.choice((0, len(entry.data), rng.randint(0, len(entry.data))))
                lost = rng.choice((entry.data[:cut], entry.data[:cut] + bytes(len(entry.data) - cut), entry.safe))
                yield path + name, lost if entry.dirty else entry.data


def _put(entries: dict[str, Node], name: str, entry: Node | None) -> None:
    if entry is None:
        entries.pop(name, None)
    else:
        entries[name] = entry


def _all(node: Node) -> list[Node]:
    """A node and all below it, also those that are there no more but for the disk."""
    found, todo = {id(node): node}, [node]
    while todo:
        one = todo.pop()
        linked = [entry for operation in one.pending for _, _, entry in operation if entry is not None]
        linked += [folder for operation in one.pending for folder, _, _ in operation]
        for entry in (*one.entries.values(), *one.safe_entries.values(), *linked):
            if id(entry) not in found:
                found[id(entry)] = entry
                todo.append(entry)
    return list(found.values())


def run_power_loss(keeper: Keeper, stage: Stage, commands: tuple[Command, ...]) -> None:
    """Lose the power after each call of each command; then again, with others lost, until the time is over."""
    progress, recorded = keeper.progress, {}
    while not keeper.over:
        one = stage.rehearsed(commands[progress.number % len(commands)])
        if one.command.name not in recorded:
            plant(one.old, fresh(stage.folder / "recorded"))
            recorded[one.command.name] = record(one.command, stage.new, stage.folder / "recorded")
        events = recorded[one.command.name]
        for calls, wrong in lose_power(one, events, random.Random(f"{progress.seed} {progress.number}")):
            progress.count(one.command.name)
            if wrong is not None:
                again = f"--parts power --seed {progress.seed} --number {progress.number}"
                progress.fail(one.command.name, f"{wrong}, after {calls} of {len(events)} calls", again)
                break
        progress.number += 1
    keeper.save()


def lose_power(one: Rehearsed, events: list[Event], rng: random.Random) -> Iterator[tuple[int, str | None]]:
    """After how many calls the power was lost, and what is wrong then."""
    disk = Disk(one.old)
    for calls, event in enumerate(events, start=1):
        disk.play(event)
        for _ in range(LOSSES):
            yield calls, torn(disk.after_loss(rng), one.old, one.over, one.command.indices)
    for _ in range(LOSSES):
        left = disk.after_loss(rng)
        lost = sorted(name for name, data in one.over.items() if left.get(name) != data)
        yield len(events), f"it ended well, and {lost[0]} is lost" if lost else None
