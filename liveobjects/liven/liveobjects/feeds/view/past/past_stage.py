"""The stage of an earlier moment: a view that is not live, under a tint and inside a frame."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.feeds.view.past.island import Island
from liven.liveobjects.feeds.view.transport.colours import past_colours
from liven.liveobjects.look.view.labels import plain_label

FRAME = 4
_MARGIN = 2  # the island has its shadow around it
_WIDEST = 860


class _Tint(QWidget):
    """The tint over everything on the stage. It takes no clicks."""

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tint and the frame."""
        del event
        colours = past_colours(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), colours.tint)
        painter.setPen(QPen(colours.line, FRAME))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.rect().adjusted(FRAME // 2, FRAME // 2, -FRAME // 2, -FRAME // 2))
        painter.end()


class PastStage(QWidget):
    """A view with the tint over it and an island at its foot."""

    def __init__(self, island: Island) -> None:
        super().__init__()
        self._words = plain_label()
        self._words.setParent(self)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._words.setWordWrap(True)
        self._shown: QWidget | None = None
        self._tint = _Tint(self)
        self._island = island
        island.setParent(self)
        island.installEventFilter(self)
        self.setAccessibleName("An earlier moment, not live")

    @property
    def shown(self) -> QWidget | None:
        """The view on the stage."""
        return self._shown

    def island_height(self) -> int:
        """Return the height of the island at the foot, with its shadow."""
        return self._island.height()

    def show_widget(self, widget: QWidget) -> None:
        """Put a view on the stage."""
        self.take_widget()
        self._shown = widget
        widget.setParent(self)
        self._words.hide()
        widget.show()
        self._arrange()

    def take_widget(self) -> QWidget | None:
        """Remove the view from the stage, without deleting it."""
        widget, self._shown = self._shown, None
        if widget is not None:
            widget.setParent(None)
        return widget

    def show_words(self, words: str) -> None:
        """Show a sentence instead of a view."""
        self._words.setText(words)
        self._words.setVisible(self._shown is None)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep everything in its place."""
        super().resizeEvent(event)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the island at the foot when it grows."""
        if watched is self._island and event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().eventFilter(watched, event)

    def _arrange(self) -> None:
        for widget in (self._shown, self._words, self._tint):
            if widget is not None:
                widget.setGeometry(self.rect())
        self._tint.raise_()
        wide = min(_WIDEST, self.width() - 2 * _MARGIN)
        high = self._island.sizeHint().height()
        self._island.setGeometry(
            (self.width() - wide) // 2, max(0, self.height() - high - _MARGIN), wide, high
        )
        self._island.raise_()
