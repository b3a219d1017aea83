"""A row of controls in which those that do not fit wait behind a button with three dots."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QComboBox, QHBoxLayout, QMenu, QToolButton, QWidget

from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.look.view.menu_corners import round_corners

_GAP: Final = 2
ALWAYS: Final = 100
"""The rank of a control that is never hidden."""


class KeyButton(QToolButton):
    """A button that Return presses, because Space plays."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button on Return."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class OverflowRow(QWidget):
    """Controls side by side. Of those that do not fit, the ones of the lowest rank go first, into a menu."""

    def __init__(self) -> None:
        super().__init__()
        self._ranks: dict[QWidget, int] = {}
        self._listed: list[QWidget] = []
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(_GAP)
        self.more = KeyButton()
        self.more.setText("…")
        self.more.setAutoRaise(True)
        self.more.setAccessibleName("More")
        self.more.setToolTip(plain_tip("What has no room here"))
        self.more.clicked.connect(self._show_menu)
        self.more.hide()
        self._layout.addWidget(self.more)

    def add(self, control: QWidget, rank: int = ALWAYS, *, is_listed: bool = True) -> None:
        """Add a control at the right end. One that is not listed is no entry of the menu behind the dots."""
        self._ranks[control] = rank
        if is_listed:
            self._listed.append(control)
        self._layout.insertWidget(self._layout.count() - 1, control)
        self._fit()

    def add_space(self) -> None:
        """Add a space that takes what is left over."""
        self._layout.insertStretch(self._layout.count() - 1, 1)

    @property
    def hidden(self) -> list[QWidget]:
        """The controls that do not fit, in the order of the row."""
        return [control for control in self._ranks if control.isHidden()]

    def minimumSizeHint(self) -> QSize:
        """Return the size without the controls that may be hidden."""
        kept = [one for one, rank in self._ranks.items() if rank >= ALWAYS]
        return QSize(self._width_of([*kept, self.more]), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what fits."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Fit again when the words of a control have changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        shown = set(self._ranks)
        if self._width_of(shown) > self.width():
            shown = {one for one, rank in self._ranks.items() if rank >= ALWAYS}
            for control in sorted(self._ranks, key=self._ranks.__getitem__, reverse=True):
                if self._width_of({*shown, control, self.more}) <= self.width():
                    shown.add(control)
        self.more.setVisible(len(shown) < len(self._ranks))
        for control in self._ranks:
            if control not in shown and control.hasFocus():
                self.more.setFocus()  # a control that is hidden loses it to any other one
            control.setVisible(control in shown)

    def _width_of(self, counted: Collection[QWidget]) -> int:
        widths = (one.sizeHint().expandedTo(one.minimumSize()).width() for one in counted)
        return sum(widths) + _GAP * (len(counted) + 1)

    def _show_menu(self) -> None:
        """List the controls that do not fit."""
        menu = round_corners(QMenu(self))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        for control in self.hidden:
            if control in self._listed and isinstance(control, QAbstractButton):
                menu.addAction(_entry(menu, control))
            elif control in self._listed and isinstance(control, QComboBox):
                _add_choices(round_corners(menu.addMenu(control.accessibleName())), control)
        place = self.more.mapToGlobal(QPoint(0, 0))
        menu.popup(QPoint(place.x(), place.y() - menu.sizeHint().height()))


def _entry(menu: QMenu, control: QAbstractButton) -> QAction:
    entry = QAction(control.accessibleName() or control.text(), menu)
    entry.setEnabled(control.isEnabled())
    entry.setCheckable(control.isCheckable())
    entry.setChecked(control.isChecked())
    entry.triggered.connect(lambda: control.click())
    return entry


def _add_choices(menu: QMenu, control: QComboBox) -> None:
    menu.setEnabled(control.isEnabled())
    for at in range(control.count()):
        entry = menu.addAction(control.itemText(at))
        entry.setCheckable(True)
        entry.setChecked(at == control.currentIndex())
        entry.triggered.connect(lambda _=False, at=at: control.setCurrentIndex(at))
