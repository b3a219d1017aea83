"""The island at the upper right: problems and recordings, who is here, and the button to share."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.view.people.avatars import Avatars
from liven.liveobjects.look.view.island import Island
from liven.liveobjects.view.window_controls import WindowControls

_RESIZING = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.Resize)


class PeopleIsland(Island):
    """The row of signs, people and the button."""

    resized = Signal()
    """Somebody came or left, or a sign: the island has another size."""

    def __init__(self, avatars: Avatars, parent: QWidget, controls: WindowControls) -> None:
        super().__init__(parent, "People", pad=5, gap=3)
        self.add(*controls.signs, avatars, controls.share)
        for one in (*controls.signs, avatars):
            one.installEventFilter(self)
        avatars.refresh()
        self.adjustSize()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take another size when a part of the row comes, goes or grows."""
        if watched is not self and event.type() in (
            QEvent.Type.ShowToParent,
            QEvent.Type.HideToParent,
            QEvent.Type.Resize,
        ):
            self.adjustSize()
            self.resized.emit()
        return False
