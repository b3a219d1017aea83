"""A shared picture costs each process one open file, and a picture without room costs its view alone."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any, cast

from PySide6.QtWidgets import QApplication

from liven.liveobjects.confined.view.screen import Screen
from liven.liveobjects.confined.view.shared_picture import SharedPicture, blank


class _Link:
    """Remembers what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[object, ...]] = []

    def send(self, *message: object) -> None:
        self.sent.append(message)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_picture_keeps_one_open_file_in_each_process() -> None:
    before = open_files()
    ours = SharedPicture.make(4, 3)
    theirs = SharedPicture(os.dup(ours.descriptor), 4, 3)
    for one in (ours, theirs):
        one.close_descriptor()
    assert open_files() - before == 2
    theirs.write(blank(4, 3))
    assert ours.read().pixel(3, 2) == 0
    ours.close()
    theirs.close()
    assert open_files() == before


def test_view_without_its_picture_fails_alone(qapp: QApplication) -> None:
    """The kernel drops a file that the process cannot open any more."""
    program, process = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    link = _Link()
    screen = Screen(qapp, cast(Any, None), cast(Any, link), process)
    screen._look = ["as before"]
    with program, process:
        program.send(b"picture")
        screen.came(7, ["size", "paint", 4.0, 3.0, 1.0, 1, 4, 3, ["as before"]])
    ((name, view, what, why),) = link.sent
    assert (name, view, what) == ("view", 7, "failed")
    assert "close some of its objects" in str(why)
