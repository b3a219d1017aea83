"""A desktop as it fills a window, or lies on another desktop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QMimeData, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.object import Showable
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.canvas import Canvas
from liven.liveobjects.desktop.view.gestures import rect
from liven.liveobjects.desktop.view.inlet import Inlet
from liven.liveobjects.desktop.view.keys import KEYS
from liven.liveobjects.desktop.view.outlook import outlook_of, take
from liven.liveobjects.desktop.view.taking import Offer
from liven.liveobjects.view import Action, Frame, Outlook, View, is_high_contrast, paper


class DesktopFace(View):
    """Painted small, it shows where things lie; its widget is the canvas, in which they run."""

    def __init__(self, model: Any, frame: Frame) -> None:
        super().__init__()
        self._model = model
        self._frame = frame
        self._inlet = Inlet(model, frame)
        self._listener = _Listener(self)
        model.editor.listen(self._listener)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        state: Desktop = self._model.editor.state
        palette = QApplication.palette()
        paper(painter, area)
        if state.background and not is_high_contrast():
            painter.fillRect(area.adjusted(1, 1, -1, -1), QColor(state.background))
        left, top, right, bottom = commands.bounds(state.items.values())
        if right <= left:
            words = "An empty desktop" if self._model.ready else "Looking for what lies here…"
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)
            return
        scale = min(area.width() / (right - left), area.height() / (bottom - top)) * 0.9
        painter.save()
        painter.translate(area.center())
        painter.scale(scale, scale)
        painter.translate(-(left + right) / 2, -(top + bottom) / 2)
        painter.setPen(palette.color(QPalette.ColorRole.Mid))
        painter.setBrush(palette.alternateBase())
        for item in state.stacked():
            painter.drawRect(rect(item.place))
        painter.restore()

    def make_widget(self) -> QWidget:
        canvas = Canvas(self._model, self._frame)
        canvas.problems_wanted.connect(self.problems_wanted)
        canvas.looked.connect(self.looked)
        canvas.more_wanted.connect(self.more_wanted)
        return canvas

    def outlook(self) -> Outlook:
        return outlook_of(self._canvas())

    def take_outlook(self, outlook: Outlook) -> None:
        take(self._canvas(), outlook)

    def actions(self) -> tuple[Action, ...]:
        canvas = self._canvas()
        return tuple(
            Action(
                key.words, key.keys, partial(canvas.press, key.action, key.argument), key.group, part=key.part
            )
            for key in KEYS
        )

    def take_in(self, recipe: str, name: str) -> bool:
        """Lays it down where one was wanted or there is room; what does not fit is refused."""
        self._canvas().taking.lay_down_wanted(Offer(recipe, name))
        return True  # where it was refused, the person was told why

    def takes(self, recipe: str) -> bool:
        return bool(self._model.context.may_fit(recipe, Showable))

    def wants(self, data: QMimeData) -> bool:
        return self._inlet.wants(data)

    def receive(self, data: QMimeData) -> bool:
        return self._inlet.receive(data)

    def holds(self, data: QMimeData) -> bool:
        return self._inlet.holds(data)

    def when_settled(self, call: Callable[[], object]) -> None:
        self._model.editor.when_settled(call)

    def entries(self) -> Mapping[str, object]:
        return self._inlet.entries()

    def let_go(self, entries: Mapping[str, object]) -> bool:
        return self._inlet.let_go(entries)

    def mark(self, part: str, count: int) -> bool:
        return self._canvas().badges.mark(part, count)

    def restart(self, part: str) -> bool:
        """Begins the thing that problems mean by this step anew."""
        canvas = self._canvas()
        found = canvas.badges.called(part)
        for item in found:
            canvas.actors.start_again(item)
        return bool(found)

    def set_aside(self, part: str) -> bool:
        """That thing runs no more, until it is started again."""
        canvas = self._canvas()
        found = canvas.badges.called(part)
        for item in found:
            canvas.leave_editing()
            canvas.actors.set_aside(item.key)
        return bool(found)

    def _canvas(self) -> Canvas:
        canvas = self.widget()
        assert isinstance(canvas, Canvas)
        return canvas

    def unmake_widget(self, widget: QWidget) -> None:
        assert isinstance(widget, Canvas)
        widget.close_down()

    def summary(self) -> str:
        """The names of what lies on it."""
        return "\n".join(item.label for item in self._model.editor.state.stacked() if item.label)

    def is_empty(self) -> bool:
        return self._model.ready and not self.summary()

    def size_hint(self) -> QSizeF:
        return QSizeF(480, 320)

    def close(self) -> None:
        self._model.editor.unlisten(self._listener)
        self._inlet.close()
        super().close()


class _Listener:
    """What the editor tells; apart, since a view's `changed` is a signal."""

    def __init__(self, face: DesktopFace) -> None:
        self._face = face

    def changed(self, before: Desktop, after: Desktop) -> None:
        del before, after
        self._face.changed.emit()

    def told(self, message: str) -> None:
        """The canvas tells the person."""


def make(model: Any, frame: Frame) -> DesktopFace:
    """The view of a desktop's proxy."""
    return DesktopFace(model, frame)
