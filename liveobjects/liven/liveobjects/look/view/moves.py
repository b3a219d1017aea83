"""Motion: values that go from 0 to 1 and end softly; with reduced motion they arrive at once."""

from __future__ import annotations

from collections.abc import Callable
from weakref import ReferenceType, ref

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from liven.liveobjects.look.view.light import REDUCED_MOTION, setting

Step = Callable[[float], object]
"""Takes a value, and asks for the paint of the region that it changes, and no more."""


class Moves(QObject):
    """The moving values of one widget, by name. A value that turns back goes on from where it is."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: dict[str, QVariantAnimation] = {}
        self._values: dict[str, float] = {}

    def value(self, name: str) -> float:
        """Return a value as it is now; 0 before it has moved."""
        return self._values.get(name, 0.0)

    def is_moving(self, name: str) -> bool:
        return name in self._running

    def go(self, name: str, milliseconds: int, step: Step, *, back: bool = False) -> None:
        """Move a value to 1, or back to 0, and call `step` with each value on the way."""
        self._end(name)
        start, end = self.value(name), 0.0 if back else 1.0
        if setting(REDUCED_MOTION) or milliseconds <= 0 or start == end:
            self._take(name, end, step)
            return
        made = QVariantAnimation(self)
        made.setEasingCurve(QEasingCurve.Type.OutCubic)
        made.setDuration(max(1, round(milliseconds * abs(end - start))))
        made.setStartValue(start)
        made.setEndValue(end)
        # a strong reference would end with the animation, whose destructor would then delete its own parent
        me = ref(self)
        made.valueChanged.connect(lambda value: _alive(me)._take(name, float(value), step))
        made.finished.connect(lambda: _alive(me)._end(name))
        self._running[name] = made
        made.start()

    def stop(self) -> None:
        """Stop every value where it is."""
        for name in tuple(self._running):
            self._end(name)

    def forget(self, name: str) -> None:
        """Stop a value and set it to 0 without a step: its thing is gone."""
        self._end(name)
        self._values.pop(name, None)

    def _take(self, name: str, value: float, step: Step) -> None:
        if value:
            self._values[name] = value
        else:
            self._values.pop(name, None)
        step(value)

    def _end(self, name: str) -> None:
        ended = self._running.pop(name, None)
        if ended is not None:
            ended.stop()
            ended.deleteLater()


def _alive(moves: ReferenceType[Moves]) -> Moves:
    """Return the moves of an animation, which ends with them."""
    found = moves()
    assert found is not None
    return found
