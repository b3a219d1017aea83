"""Who else has a desktop open: a disc for each, in their colour; a click follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas import Canvas

MOST = 12
MARGIN = 12


class People(QWidget):
    """Lies over the upper left corner of the canvas."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        self._shown: tuple[object, ...] = ()
        self.move(MARGIN, MARGIN)
        self.hide()

    def differ(self) -> None:
        """Others came, went, or are followed."""
        gazes = self._canvas.gazes
        shown = tuple(
            (one.window, one.name, one.colour, gazes.followed == one.window) for one in gazes.others
        )
        if shown == self._shown:
            return
        self._shown = shown
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for window, name, colour, followed in shown[:MOST]:
            disc = self._disc(window, name, colour, followed=followed)
            self._row.addWidget(disc)
            disc.show()  # a layout leaves no room for what is not shown yet
        self.setVisible(bool(shown))
        self.resize(self._row.sizeHint())

    def _disc(self, window: object, name: str, colour: str, *, followed: bool) -> QToolButton:
        made = QToolButton()
        made.setText("".join(word[:1] for word in name.split())[:2].upper() or "?")
        doing = "You see what they see. Click to stop" if followed else "Click to see what they see"
        made.setToolTip(f"{name} is here. {doing}.")
        made.setAccessibleName(f"{name}, followed" if followed else name)
        paint = QColor(colour).name() if QColor(colour).isValid() else "#5d6d7e"
        edge = "palette(highlight)" if followed else paint
        made.setStyleSheet(
            f"QToolButton {{ background: {paint}; color: white; border: 3px solid {edge};"
            " border-radius: 15px; min-width: 24px; min-height: 24px; font-weight: bold; }"
        )
        target = None if followed else window
        made.clicked.connect(lambda: self._canvas.gazes.follow(target))  # type: ignore[arg-type]
        return made
