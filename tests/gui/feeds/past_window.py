"""A window on a recorded desktop, and the way back in time by keys."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.feeds.recorded import BOARD, board, written
from tests.unit.liveobjects.feeds.history.recordings import Recording


def opened(desk: Any, recording: Recording, width: int = 0, height: int = 0) -> Any:
    """Open the desktop of a recording in a window, of a size if one is given."""
    written(recording, desk.folders.state / "feeds", board())
    made = desk.open(board(), BOARD)
    if width:
        made.resize(width, height)
    made.activateWindow()
    desk.wait(made.isActiveWindow)
    return made


def go_back(desk: Any, window: Any) -> Any:
    """Press the keys for going back, and wait until the recording is shown."""
    QTest.keyClick(window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: window.past.view is not None)
    view = window.past.view
    desk.wait(lambda: view.show is not None and view.page.stage.shown is not None)
    rest(desk, view)
    return view


def rest(desk: Any, view: Any) -> None:
    """Wait until the replay is at its place."""
    desk.wait(lambda: not view.show.playback.is_moving)
