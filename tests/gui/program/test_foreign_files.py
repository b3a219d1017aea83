"""Files of other programs, opened by name: each becomes a new desktop with its contents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from liven.app.opening.source import reason_unopenable

BOARD = {
    "type": "excalidraw",
    "elements": [
        {"type": "text", "id": "t", "x": 0, "y": 0, "width": 100, "height": 25, "text": "from a file"},
        {"type": "frame", "id": "f", "x": -20, "y": -20, "width": 300, "height": 200, "name": "Plan"},
    ],
}


def test_a_board_opens_as_a_desktop_of_its_own_that_is_kept(desk: Any) -> None:
    path = desk.file("my plan", b"")
    path = path.rename(path.with_name("my plan.excalidraw"))
    path.write_text(json.dumps(BOARD))
    assert reason_unopenable(str(path)) == ""
    desk.windows.open_files([str(path)])
    [window] = desk.windows.open_windows
    desk.wait(lambda: window.view is not None and len(window.centralWidget().state.items) == 2)
    assert "my plan" in window.windowTitle()
    assert window.file.name == "my plan.liveobject"
    canvas = window.centralWidget()
    assert canvas.editor.undo_list.undo_names == ("Add my plan.excalidraw",)
    window.close()


def test_a_damaged_board_says_why_on_its_new_desktop(desk: Any, tmp_path: Path) -> None:
    path = tmp_path / "broken.tldr"
    path.write_bytes(b"{")
    window = desk.windows.open_file(path)
    said: list[str] = []
    window.show_message = said.append
    desk.wait(lambda: said)
    assert said[0].startswith("broken.tldr cannot be taken over")
    window.close()


def test_markdown_opens_as_a_desktop_with_a_note(desk: Any, tmp_path: Path) -> None:
    path = tmp_path / "Minutes.md"
    path.write_text("# Minutes\n\n- one\n- two\n")
    assert reason_unopenable(str(path)) == ""
    desk.windows.open_files([str(path)])
    [window] = desk.windows.open_windows
    desk.wait(lambda: window.view is not None and len(window.centralWidget().state.items) == 1)
    canvas = window.centralWidget()
    [item] = canvas.state.items.values()
    desk.wait(lambda: "one" in canvas.item_views.words(item))
    assert item.label == "Minutes"
    window.close()
