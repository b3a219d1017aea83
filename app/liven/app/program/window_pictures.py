"""The last picture of each window, for its first frame at the next start: kept when the window closes, and
from time to time before, because a program may be killed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QGraphicsOpacityEffect, QLabel, QWidget

from liven.app.trust.preview_cache import PreviewCache
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.channel.api.encryption import is_unencrypted
from liven.liveobjects.channel.api.recording import RECORDING_SIGN
from liven.liveobjects.view.contract import part_recipes_of
from liven.runtime.reference.xml import write

FIRST_MS: Final = 3000
"""Milliseconds after a window has something new to show until a picture is kept."""
NEXT_MS: Final = 30_000
"""Milliseconds between two pictures of one window: a picture takes about as long as a frame."""


class WindowPictures:
    """The pictures of the windows of one program."""

    def __init__(self, previews: PreviewCache, work: Callable[[Callable[[], None]], object]) -> None:
        """`work` calls a function in a worker."""
        self._previews = previews
        self._work = work

    def watch(self, window: ObjectWindow) -> None:
        """Keep pictures of a window that shows its object."""
        if window.view is not None:
            _Watch(window.view.widget(), lambda: self._keep(window, at_once=False))

    def keep(self, window: ObjectWindow) -> None:
        """Keep a picture of a window that closes."""
        self._keep(window, at_once=True)

    def _keep(self, window: ObjectWindow, *, at_once: bool) -> bool:
        """Return False if there is nothing to keep yet."""
        widget = window.centralWidget()
        if window.view is None or window.recipe is None or widget is None or window.past.view is not None:
            return False
        recipes = [write(window.recipe).decode(), *part_recipes_of(window.view)]
        if not all(is_unencrypted(recipe) for recipe in set(recipes)):
            self._previews.forget(window.recipe)
        elif not window.contents_complete():
            return False
        else:
            written = self._previews.writing(window.recipe, _picture(widget))
            written() if at_once else self._work(written)
        return True


def _picture(widget: QWidget) -> QPixmap:
    """Return a picture of a widget without the sign that somebody records: at the next start it may be
    untrue."""
    signs = [each for each in widget.findChildren(QLabel, RECORDING_SIGN) if each.isVisible()]
    for each in signs:
        each.setGraphicsEffect(QGraphicsOpacityEffect(each, opacity=0.0))  # hidden, it would leave its row
    try:
        return widget.grab()
    finally:
        for each in signs:
            each.setGraphicsEffect(None)  # type: ignore[arg-type]  # its stub lacks None


class _Watch(QObject):
    """Notices that a widget was painted, and lives as long as the widget."""

    def __init__(self, widget: QWidget, keep: Callable[[], bool]) -> None:
        super().__init__(widget)
        self._keep = keep
        self._busy = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._take)
        self._timer.start(FIRST_MS)
        self._painted = True
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._busy:
            self._painted = True
            if not self._timer.isActive():
                self._timer.start(FIRST_MS)
        return super().eventFilter(watched, event)

    def _take(self) -> None:
        self._busy = True  # taking the picture paints the widget
        taken = not self._painted or self._keep()
        self._busy = False
        if not taken:
            self._timer.start(FIRST_MS)
        elif self._painted:
            self._painted = False
            self._timer.start(NEXT_MS)
