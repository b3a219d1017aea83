"""Files for other programs: named after their items, and kept until the program ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from liven.liveobjects.desktop.state import Item, Place
from liven.liveobjects.desktop.view.transfer.drag_out_files import as_files


def item(key: str, label: str) -> Item:
    return Item(key, label, Place(0, 0, 10, 10), f"<Root>{key}</Root>")


def test_each_item_becomes_a_file_with_a_valid_name() -> None:
    paths = as_files(
        [item("a" * 32, "List"), item("b" * 32, "List"), item("c" * 32, "../x/y"), item("d", " ")]
    )
    assert [path.name for path in paths] == [
        "List.liveobject",
        "List bbbbbbbb.liveobject",
        "___x_y.liveobject",
        "object.liveobject",
    ]
    assert len({path.parent for path in paths}) == 1
    assert paths[1].read_text(encoding="utf-8") == f"<Root>{'b' * 32}</Root>"


def test_files_are_deleted_when_the_program_ends() -> None:
    code = (
        "from liven.liveobjects.desktop.state import Item, Place\n"
        "from liven.liveobjects.desktop.view.transfer.drag_out_files import as_files\n"
        "[path] = as_files([Item('k', 'List', Place(0, 0, 1, 1), 'x')])\nprint(path, path.exists())"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    path, _, there = answer.stdout.strip().rpartition(" ")
    assert there == "True"
    assert not Path(path).parent.exists()
