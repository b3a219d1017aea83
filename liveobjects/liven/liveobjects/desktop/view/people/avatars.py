"""Who else has a desktop open: a disc for each, in their colour; a click follows them."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.view.labels import plain_label, plain_tip

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

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
        self._discs: dict[uuid.UUID, QToolButton] = {}
        self.move(MARGIN, MARGIN)
        self.hide()

    def differ(self) -> None:
        """Others came, went, are followed, or are seen later than before."""
        gazes = self._canvas.gazes
        shown = tuple(
            (one.window, one.name, one.colour, gazes.followed == one.window) for one in gazes.others
        )
        if shown != self._shown:
            self._shown = shown
            self._lay_out(shown)
        for gaze in gazes.others[:MOST]:
            self._tell(self._discs[gaze.window], gaze)
        self.resize(self._row.sizeHint())

    def _lay_out(self, shown: tuple[tuple[uuid.UUID, str, str, bool], ...]) -> None:
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()  # it goes later, and would be seen through the new ones until then
                widget.deleteLater()
        self._discs.clear()
        for window, _, colour, followed in shown[:MOST]:
            disc = self._discs[window] = self._disc(window, colour, followed=followed)
            self._row.addWidget(disc)
            disc.show()  # a layout leaves no room for what is not shown yet
        if len(shown) > MOST:
            self._row.addWidget(self._rest(shown[MOST:]))
        for _, name, _, followed in shown:
            if followed:
                said = _said(f"Following {name} · Esc ends it")
                self._row.addWidget(said)
                said.show()
        self.setVisible(bool(shown))

    def _rest(self, shown: tuple[tuple[uuid.UUID, str, str, bool], ...]) -> QToolButton:
        """How many others are here, and a menu in which each can be followed."""
        made = QToolButton()
        menu = QMenu(made)
        made.setText(f"+{len(shown)}")
        made.setAccessibleName(f"{len(shown)} more people")
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        for window, name, _, followed in shown:
            entry = menu.addAction(name.replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(followed)
            target = None if followed else window
            entry.triggered.connect(lambda _=False, target=target: self._canvas.gazes.follow(target))
        made.setMenu(menu)
        made.show()
        return made

    def _tell(self, disc: QToolButton, gaze: Gaze) -> None:
        """Who it is, what they are at, and how late one sees it; on the disc itself, if that is much."""
        gazes, now = self._canvas.gazes, time.monotonic()
        followed = gazes.followed == gaze.window
        lag = gazes.lags.words(gaze.window, now)
        told = ", ".join(filter(None, (f"{gaze.name} is here", self._place(gaze), lag)))
        doing = "You see what they see. Click to stop" if followed else "Click to see what they see"
        disc.setToolTip(plain_tip(f"{told}. {doing}."))
        disc.setAccessibleName(f"{gaze.name}, followed" if followed else gaze.name)
        disc.setAccessibleDescription(f"{told}.")
        short = "".join(word[:1] for word in gaze.name.split())[:2].upper() or "?"
        late = gazes.lags.is_late(gaze.window, now)
        disc.setText(f"{short} · {lag}" if late else short)

    def _place(self, gaze: Gaze) -> str:
        """What they have selected, or whether they look at what one sees oneself."""
        chosen = [self._canvas.state.items[key] for key in gaze.chosen if key in self._canvas.state.items]
        if chosen:
            name = self._canvas.actors.title(chosen[0]) or "something"
            return f"at “{name}”" + (f" and {len(chosen) - 1} more" if len(chosen) > 1 else "")
        mine = self._canvas.camera.seen(QSizeF(self._canvas.size()))
        theirs = QRectF(gaze.left, gaze.top, gaze.width, gaze.height)
        return "looking at the same" if mine.intersects(theirs) else "looking elsewhere"

    def _disc(self, window: uuid.UUID, colour: str, *, followed: bool) -> QToolButton:
        made = QToolButton()
        paint = QColor(colour).name() if QColor(colour).isValid() else "#5d6d7e"
        edge = "palette(highlight)" if followed else paint
        made.setStyleSheet(
            f"QToolButton {{ background: {paint}; color: white; border: 3px solid {edge};"
            " border-radius: 15px; min-width: 24px; min-height: 24px; font-weight: bold; }"
        )
        target = None if followed else window
        made.clicked.connect(lambda: self._canvas.gazes.follow(target))
        return made


def _said(words: str) -> QLabel:
    """Legible on a plane of any colour."""
    made = plain_label(words)
    made.setAutoFillBackground(True)
    made.setBackgroundRole(QPalette.ColorRole.ToolTipBase)
    made.setForegroundRole(QPalette.ColorRole.ToolTipText)
    made.setMargin(4)
    return made
