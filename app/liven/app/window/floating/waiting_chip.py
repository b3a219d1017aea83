"""The chip of a window that says what its object waits for: another computer, or the first contact with the
others. It comes after a second, because a start takes less, and only while what it says is true."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Final

from PySide6.QtCore import QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.channel.members.confirmation import NOT_YET, Confirmation, confirmation_text
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.accessibility import announce
from liven.runtime.objects.node import Node

AFTER: Final = 1.0
"""Seconds for which it must be true before the chip says so."""
_LOOK_MS: Final = 500
_OWN: Final = "Parameter["
"""The second step in the path of the object's own channel begins so; objects inside it have names there."""
_HIGH, _SIGN, _LONGEST = 28, 24, 280
_MEANS: Final = {
    True: "You see what this computer knows. Changes are kept, and sent when the others can be reached.",
    False: "You see what this computer knows. Changes are confirmed when that computer is here again.",
}


class ConfirmationWatch(QObject):
    """Looks twice a second what the object of one window waits for."""

    changed = Signal()

    def __init__(self, parent: QObject, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self.words = ""
        """The words of the chip; empty while there is nothing to say."""
        self._now = now
        self._since: float | None = None
        self._node: Node | None = None
        self._step = ""
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def watch(self, node: Node, step: str) -> None:
        """Watch the object whose path begins with `step`."""
        self._node, self._step = node, step
        self._timer.start()

    def stop(self) -> None:
        """Stop, because the object is gone."""
        self._timer.stop()
        self._node = self._since = None
        self._show("")

    def look(self) -> None:
        """Look now."""
        words = confirmation_text(self._found())
        if not words:
            self._since = None
        elif self._since is None:
            self._since = self._now()
        waited = self._since is not None and self._now() >= self._since + AFTER
        self._show(words if waited else "")

    def _found(self) -> Iterator[Confirmation]:
        running = () if self._node is None else tuple(self._node.running.values())
        for proxy in running:
            own = proxy.path[:1] == (self._step,) and "".join(proxy.path[1:2]).startswith(_OWN)
            if own and isinstance(proxy.instance, SharedChannel):
                yield proxy.instance.confirmation

    def _show(self, words: str) -> None:
        if words != self.words:
            self.words = words
            self.changed.emit()


class WaitingChip(QWidget):
    """A small pill with a sign and the words; hidden while there is nothing to say."""

    def __init__(self, watch: ConfirmationWatch) -> None:
        super().__init__()
        self.setObjectName("waiting")
        self._watch = watch
        watch.changed.connect(self._refresh)
        self._refresh()

    def sizeHint(self) -> QSize:
        wide = QFontMetrics(font("caption")).horizontalAdvance(self._watch.words)
        return QSize(min(wide, _LONGEST) + _SIGN + 18, _HIGH)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect())
        edge = look.line if look.high_contrast else ""
        paint_box(painter, area, _HIGH / 2, look.warn_soft, edge, look.edge_width)
        paint_sign(painter, QRectF(8, 0, 16, _HIGH), Sign.CLOCK, 14, look.warn)
        painter.setFont(font("caption"))
        painter.setPen(QColor(look.ink))
        room = area.adjusted(8 + _SIGN - 4, 0, -8, 0)
        shown = QFontMetrics(painter.font()).elidedText(
            self._watch.words, Qt.TextElideMode.ElideRight, int(room.width()) + 1
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()

    def _refresh(self) -> None:
        words = self._watch.words
        self.setToolTip(plain_tip(_MEANS[words == NOT_YET] if words else ""))
        self.setAccessibleName(words)
        self.setFixedSize(self.sizeHint())
        self.setVisible(bool(words))
        self.update()
        if words and self.isVisible():
            announce(self, words)
