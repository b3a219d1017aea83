"""Drags and the clipboard between programs, over a real X server.

No event handler is called directly: the server's test extension moves the mouse and presses the keys, and
everything between the programs passes through the server.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QColor, QImage
from tests.e2e.driven_program import DrivenProgram

from liven.app.palette.new_objects import desktop, note
from liven.runtime.reference.xml import read, write

pytestmark = pytest.mark.slow

MISSING = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
if MISSING:
    pytest.skip(
        f"{' and '.join(MISSING)}: not on this machine; apt install xvfb xdotool", allow_module_level=True
    )

HERE = Path(__file__).parent
LEFT, RIGHT = "0 0 780 700", "800 0 780 700"


@pytest.fixture
def room(screen: Any, ends: Callable[[subprocess.Popen[Any]], None], tmp_path: Path) -> Room:
    return Room(screen, ends, tmp_path)


class Room:
    """The programs on one screen."""

    def __init__(self, screen: Any, ends: Callable[[subprocess.Popen[Any]], None], folder: Path) -> None:
        self.screen = screen
        self.folder = folder
        self._ends = ends

    def desktop(self, name: str, area: str) -> DrivenProgram:
        """Start another program on an empty desktop, and wait until it is ready."""
        file = self.folder / f"{name}.liveobject"
        file.write_bytes(write(desktop(name)))
        driver = str(HERE / "window_driver.py")
        made = self._start([driver, str(file)])
        made.until("tell", "")
        made.do(f"stand {area}")
        return made

    def files(self, area: str) -> DrivenProgram:
        """Start a file manager with an empty folder."""
        (self.folder / "shown").mkdir()
        made = self._start([str(HERE / "file_manager.py"), str(self.folder / "shown"), *area.split()])
        made.until("tell", "files")
        return made

    def _start(self, command: list[str]) -> DrivenProgram:
        made = DrivenProgram(command, self.screen.environment(self.folder / "home"))
        self._ends(made.process)
        return made


def test_an_item_dragged_to_another_program_appears_there_as_the_same_object(room: Room) -> None:
    ann, bob = room.desktop("ann", LEFT), room.desktop("bob", RIGHT)
    ann.do("lay list")
    ann.until("running", "1")
    ann.do("write milk")
    ann.until("inner", "milk")
    room.screen.drag(ann.ask("spot"), bob.ask("ground"))
    bob.until("tell", "list")
    bob.until("inner", "milk")
    assert ann.ask("tell") == "list", "what is dragged to another program is not taken from here"
    bob.do("write bread ")
    ann.until("inner", lambda shown: "bread" in shown and "milk" in shown)


def test_files_dropped_from_a_file_manager_appear_and_are_not_moved_on_disk(room: Room) -> None:
    ann, files = room.desktop("ann", LEFT), room.files("800 0 300 300")
    paper = room.folder / "shopping.liveobject"
    paper.write_bytes(write(note("Shopping")))
    files.do(f"offer {paper}")
    room.screen.drag("900 100", ann.ask("ground"))
    ann.until("tell", "Shopping")
    ann.until("running", "1")
    assert files.until("last", lambda last: last != "none") == "CopyAction", "a move would delete the file"

    picture = QImage(400, 300, QImage.Format.Format_RGB32)
    picture.fill(QColor("teal"))
    assert picture.save(str(room.folder / "sea.png"))
    files.do(f"offer {room.folder / 'sea.png'}")
    room.screen.drag("900 100", "200 300")
    ann.until("tell", "Shopping,sea.png")
    assert files.until("last", lambda last: last != "none") == "CopyAction"


def test_a_dropped_file_without_an_object_is_refused_with_a_reason(room: Room) -> None:
    ann, files = room.desktop("ann", LEFT), room.files("800 0 300 300")
    (room.folder / "song.mp3").write_bytes(b"ID3\x04\0\0 and so on")
    files.do(f"offer {room.folder / 'song.mp3'}")
    room.screen.drag("900 100", ann.ask("ground"))
    ann.until("said", lambda words: "song.mp3 is not a .liveobject file, a picture or a text" in words)
    # Under X, Qt tells its source what was answered to the drag, not to the drop: never that of a move.
    assert files.until("last", lambda last: last != "none") in ("CopyAction", "IgnoreAction")
    assert (room.folder / "song.mp3").exists()
    assert ann.ask("tell") == ""


def test_an_item_dragged_into_a_folder_becomes_a_file_even_if_copied_late(room: Room) -> None:
    ann, files = room.desktop("ann", LEFT), room.files("800 0 300 300")
    ann.do("lay list")
    ann.until("running", "1")
    room.screen.drag(ann.ask("spot"), "900 100")
    files.until("got", lambda names: names != "")
    assert files.ask("got") == "list.liveobject"
    copied = read((room.folder / "shown" / "list.liveobject").read_bytes()).object
    assert copied is not None
    assert ann.ask("tell") == "list"


def test_an_item_copied_in_one_program_is_pasted_in_another(room: Room) -> None:
    ann, bob = room.desktop("ann", LEFT), room.desktop("bob", RIGHT)
    ann.do("lay list")
    ann.until("running", "1")
    ann.do("write milk")
    ann.until("inner", "milk")
    room.screen.hand("mousemove", *ann.ask("spot").split(), "click", "1")
    room.screen.press(ann.ask("number"), "ctrl+c")
    room.screen.press(bob.ask("number"), "ctrl+v")
    bob.until("tell", "list")
    bob.until("inner", "milk")
