"""Things that are no files of recipes: pipes, devices, links to themselves. Each with its sentence."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Special:
    """One thing at a path. `make` creates it and returns the path."""

    make: Callable[[Path], Path]
    said: str


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.liveobject")
    return folder / "pipe.liveobject"


def door(folder: Path) -> Path:
    here = Path.cwd()
    os.chdir(folder)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("door.liveobject")
    finally:
        os.chdir(here)
    return folder / "door.liveobject"


def linked(name: str, target: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / f"{name}.liveobject"
        path.symlink_to(target)
        return path

    return make


def ring(folder: Path) -> Path:
    (folder / "one.liveobject").symlink_to("two.liveobject")
    (folder / "two.liveobject").symlink_to("one.liveobject")
    return folder / "one.liveobject"


def directory(folder: Path) -> Path:
    (folder / "folder.liveobject").mkdir()
    return folder / "folder.liveobject"


def sparse(folder: Path) -> Path:
    with (folder / "sparse.liveobject").open("wb") as stream:
        stream.truncate(1 << 40)
    return folder / "sparse.liveobject"


def holding(name: str, data: bytes = b"no recipe") -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(data)
        return path

    return make


def missing(folder: Path) -> Path:
    return folder / "missing.liveobject"


SPECIAL: dict[str, Special] = {
    "pipe": Special(pipe, "it is a pipe or a device"),
    "socket": Special(door, "it is a socket"),
    "folder": Special(directory, "Is a directory"),
    "link to itself": Special(linked("self", "self.liveobject"), "it is a link that leads to itself"),
    "ring of links": Special(ring, "it is a link that leads to itself"),
    "link to nothing": Special(linked("gone", "nowhere"), "No such file"),
    "link to a terminal": Special(linked("terminal", "/dev/ptmx"), "it is a pipe or a device"),
    "link to an endless device": Special(linked("endless", "/dev/zero"), "it is a pipe or a device"),
    "link to memory": Special(linked("memory", "/proc/self/pagemap"), "Invalid argument"),
    "no file": Special(missing, "No such file"),
    "file of a terabyte": Special(sparse, "larger than the limit of 4.2 MB"),
    "name that turns the text": Special(holding("\u202etcejboevil.txt.liveobject"), "not well-formed"),
    "name of several lines": Special(holding("a\nb\x1b[2J.liveobject"), "not well-formed"),
    "name of 255 bytes": Special(holding("n" * 244 + ".liveobject"), "not well-formed"),
}
