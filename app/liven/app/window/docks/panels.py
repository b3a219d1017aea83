"""The panels (docks) of a window. Rarely used panels are created when first shown, because loading them takes
time."""

from __future__ import annotations

import base64
import binascii
import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

from liven.app.window.docks.dock_title import DockTitle

WIDE = 1200
"""Least width of a window in which bottom panels are side by side; in narrower ones they are in tabs."""
_BELOW = Qt.DockWidgetArea.BottomDockWidgetArea
_VERSION = 1

Make = Callable[[], QDockWidget | None]


@runtime_checkable
class BackgroundPanel(Protocol):
    """A panel that refreshes itself until its window closes."""

    def end(self) -> None:
        """Stop refreshing."""


class Panels:
    """The panels of one window, by the object names of their docks."""

    def __init__(
        self,
        window: QMainWindow,
        there: Sequence[QDockWidget],
        makers: Mapping[str, tuple[Make, int]],
        changed: Callable[[], object],
    ) -> None:
        """Manage the docks that exist (`there`) and those still to be made (`makers`, each with its initial
        height). Call `changed` whenever a panel is shown or hidden."""
        self._window = window
        self._made = {dock.objectName(): dock for dock in there}
        self._makers = makers
        self._changed = lambda *_: changed()
        for dock in there:
            self._dress(dock)

    def toggle(self, name: str) -> None:
        """Show or hide a panel. A panel behind another one is brought to the front."""
        dock = self._made.get(name)
        if dock is not None and is_seen(dock):
            dock.hide()
        else:
            self.show(name)

    def show(self, name: str) -> None:
        """Show a panel in front, if it can be made."""
        dock = self._get_or_make(name)
        if dock is not None:
            dock.show()
            self._arrange(dock)
            QTimer.singleShot(0, dock, dock.raise_)  # after its tab was created

    def end(self) -> None:
        """Stop the panels that do work in the background: the window closes."""
        for name in self._makers:
            dock = self._made.get(name)
            if isinstance(dock, BackgroundPanel):
                dock.end()

    def shown(self) -> tuple[str, ...]:
        """Return the names of the open panels, in front or behind others."""
        return tuple(name for name, dock in self._made.items() if not dock.isHidden())

    def layout(self) -> str:
        """Return position and size of all panels, as text."""
        return base64.b64encode(self._window.saveState(_VERSION).data()).decode("ascii")

    def restore(self, shown: Sequence[str], layout: str) -> None:
        """Restore panels and layout from an earlier run. Invalid data is ignored."""
        wanted = [name for name in shown if name in self._made or name in self._makers]
        for name in wanted:
            self._get_or_make(name)
        with contextlib.suppress(binascii.Error, ValueError):
            self._window.restoreState(QByteArray(base64.b64decode(layout, validate=True)), _VERSION)
        for name, dock in self._made.items():
            dock.setVisible(name in wanted)

    def _get_or_make(self, name: str) -> QDockWidget | None:
        """Return a panel, making it if necessary."""
        if name in self._made:
            return self._made[name]
        make, height = self._makers[name]
        dock = make()
        if dock is not None:
            self._made[name] = dock
            self._dress(dock)
            self._window.addDockWidget(_BELOW, dock)
            self._window.resizeDocks([dock], [height], Qt.Orientation.Vertical)
        return dock

    def _dress(self, dock: QDockWidget) -> None:
        dock.setTitleBarWidget(DockTitle(dock))
        dock.visibilityChanged.connect(self._changed)

    def _arrange(self, dock: QDockWidget) -> None:
        """In a narrow window, put a new bottom panel in tabs with the others: side by side, neither would be
        readable."""
        window = self._window
        if dock.isFloating() or window.dockWidgetArea(dock) != _BELOW:
            return
        others = [
            one
            for one in self._made.values()
            if one is not dock
            and not one.isHidden()
            and not one.isFloating()
            and window.dockWidgetArea(one) == _BELOW
        ]
        if others and window.width() < WIDE and not set(window.tabifiedDockWidgets(dock)) & set(others):
            window.tabifyDockWidget(others[0], dock)


def is_seen(dock: QDockWidget) -> bool:
    """Return True if a panel is open and not hidden behind another."""
    return dock.isVisible() and not dock.visibleRegion().isEmpty()
