"""A button that does the same by mouse, by key, and by a screen reader."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget


class Pressable(QAbstractButton):
    """A button that emits `clicked` after Return, too, and after *Toggle* of a screen reader.

    By that, Qt changes the check state and emits nothing but `toggled`, as it does when a program sets the
    state; the two are told apart here."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_ours = False
        self.toggled.connect(self._toggled)

    def setChecked(self, checked: bool) -> None:
        """Set the check state, without a click."""
        with self._ours():
            super().setChecked(checked)

    def nextCheckState(self) -> None:
        """Change the check state because of a click, for which Qt emits `clicked`."""
        with self._ours():
            super().nextCheckState()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button with Return; Qt does it with Space alone."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    @contextmanager
    def _ours(self) -> Iterator[None]:
        before, self._is_ours = self._is_ours, True
        try:
            yield
        finally:
            self._is_ours = before

    def _toggled(self, checked: bool) -> None:
        leaves = self.autoExclusive() and not checked  # another one was chosen, which emits `clicked` itself
        if not self._is_ours and not leaves:
            self.clicked[bool].emit(checked)  # type: ignore[index]  # its stub knows no signatures
