"""Events of the mouse, the keyboard and the input method as plain values, and back."""

from __future__ import annotations

from typing import Any, TypeAlias

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QEnterEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)

Row: TypeAlias = list[Any]
_MOUSE = {
    QEvent.Type.MouseButtonPress: "press",
    QEvent.Type.MouseButtonRelease: "release",
    QEvent.Type.MouseButtonDblClick: "double",
    QEvent.Type.MouseMove: "move",
}
_KEYS = {QEvent.Type.KeyPress: "press", QEvent.Type.KeyRelease: "release"}
_MOUSE_BACK = {word: kind for kind, word in _MOUSE.items()}
_KEYS_BACK = {word: kind for kind, word in _KEYS.items()}
_LONGEST_TEXT = 10_000


def written(event: QEvent) -> Row | None:
    """Return an event as plain values; None for one that is not passed on."""
    match event:
        case QMouseEvent() if event.type() in _MOUSE:
            at = event.position()
            buttons = (event.button().value, event.buttons().value, event.modifiers().value)
            return ["mouse", _MOUSE[event.type()], at.x(), at.y(), *buttons]
        case QWheelEvent():
            at, angle, pixels = event.position(), event.angleDelta(), event.pixelDelta()
            turned = (angle.x(), angle.y(), pixels.x(), pixels.y(), event.phase().value)
            return ["wheel", at.x(), at.y(), *turned, event.buttons().value, event.modifiers().value]
        case QKeyEvent() if event.type() in _KEYS:
            text = event.text()[:_LONGEST_TEXT]
            more = (event.modifiers().value, text, event.isAutoRepeat(), event.count())
            return ["key", _KEYS[event.type()], event.key(), *more]
        case QInputMethodEvent() if event.commitString():
            return ["text", event.commitString()[:_LONGEST_TEXT]]
        case QFocusEvent():
            return ["focus", event.type() == QEvent.Type.FocusIn]
        case QEnterEvent():
            return ["enter", event.position().x(), event.position().y()]
        case _ if event.type() == QEvent.Type.Leave:
            return ["leave"]
    return None


def read(row: Row) -> QEvent | None:
    """Return the event; None for `focus`, `enter` and `leave`, which are no single event. The values come
    from the program, which is believed."""
    match row:
        case ["mouse", word, x, y, button, buttons, modifiers]:
            at = QPointF(x, y)
            return QMouseEvent(
                _MOUSE_BACK[word],
                at,
                at,
                Qt.MouseButton(button),
                Qt.MouseButton(buttons),
                Qt.KeyboardModifier(modifiers),
            )
        case ["wheel", x, y, dx, dy, px, py, phase, buttons, modifiers]:
            at = QPointF(x, y)
            return QWheelEvent(
                at,
                at,
                QPoint(px, py),
                QPoint(dx, dy),
                Qt.MouseButton(buttons),
                Qt.KeyboardModifier(modifiers),
                Qt.ScrollPhase(phase),
                False,
            )
        case ["key", word, key, modifiers, text, repeated, count]:
            return QKeyEvent(_KEYS_BACK[word], key, Qt.KeyboardModifier(modifiers), text, repeated, count)
        case ["text", text]:
            event = QInputMethodEvent()
            event.setCommitString(text)
            return event
    return None
