"""Giving pictures to the images that were just laid down for them.

An image begins empty, like every object; what it shows comes to it over its channel. Whoever dropped the
picture holds the image until all have it, also when it is out of view by then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from PySide6.QtCore import QPointF, QSizeF, Qt

from liven.liveobjects.image.header import measure
from liven.liveobjects.image.recipe import image
from liven.liveobjects.image.view.offered import Offered
from liven.liveobjects.view import Frame
from liven.runtime.context import Context
from liven.runtime.proxy import ProxyHandle
from liven.runtime.reference.xml import write
from liven.runtime.reply import Reply
from liven.runtime.showing import Showing

LayDown: TypeAlias = Callable[[str, str, QSizeF, QPointF], bool]
"""Lays an image down, by its recipe, its name, its size, and how far from the place of the drop it lies; says
whether it was laid down."""
AT_ONCE = 3
"""So many pictures are read and sent at one time; the others wait for their turn."""
MOST = 500
"""Pictures that are taken at one go."""
_LONGEST_SIDE = 360.0
_SHORTEST_SIDE = 24.0
_STEP = 28.0
"""How far one of several pictures lies from the next."""


class Giving:
    """The pictures that are on their way to images of one desktop or folder."""

    def __init__(self, context: Context, frame: Frame, keep: int = 0) -> None:
        """So many images are held on to when they have their pictures, where nobody else runs them yet."""
        self._context = context
        self._frame = frame
        self._kept: deque[ProxyHandle] = deque(maxlen=keep)
        self._waiting: deque[tuple[Offered, QPointF, LayDown]] = deque()
        self._busy = 0

    def close(self) -> None:
        """Holds on to none any more."""
        while self._kept:
            self._kept.popleft().close()

    def take(self, offered: list[Offered], lay_down: LayDown) -> None:
        """Reads pictures, beside the loop, lays an image down for each, and gives it the picture."""
        if len(offered) > MOST:
            self._frame.tell(f"These are {len(offered):,} pictures; {MOST} are the most at one go.")
            return
        for number, one in enumerate(offered):
            self._waiting.append((one, QPointF(_STEP * number, _STEP * number), lay_down))
        self._go_on()

    def _go_on(self) -> None:
        """A few at a time: of hundreds of photographs, no memory holds all."""
        while self._waiting and self._busy < AT_ONCE and not self._context.ended:
            one, at, lay_down = self._waiting.popleft()
            self._busy += 1
            self._context.work(one.read).then(partial(self._read, one.name, at, lay_down))

    def _next(self) -> None:
        self._busy -= 1
        self._go_on()

    def _read(self, name: str, at: QPointF, lay_down: LayDown, done: Reply[bytes]) -> None:
        if done.error is not None:
            self._frame.tell(f"The picture cannot be laid down: {done.error}")
            self._next()
            return
        data = done.value()
        recipe = write(image(name or "Picture")).decode()
        if lay_down(recipe, name, _size(data), at):
            built = self._context.dereference(recipe, name or "picture")
            built.then(partial(self._built, name, data))
        else:
            self._next()

    def _built(self, name: str, data: bytes, done: Reply[ProxyHandle]) -> None:
        if done.error is not None:
            self._frame.tell(f"{name or 'The picture'} could not be put in: {done.error}")
            self._next()
            return
        handle = done.value()
        showing = self._context.show(handle, lambda: None)
        model: Any = showing.shown.model
        model.put(data, name).then(partial(self._given, handle, showing))

    def _given(self, handle: ProxyHandle, showing: Showing, done: Reply[None]) -> None:
        if done.error is not None:
            self._frame.tell(str(done.error))
        showing.close()
        self._keep(handle)
        self._next()

    def _keep(self, handle: ProxyHandle) -> None:
        if len(self._kept) == self._kept.maxlen:
            oldest = self._kept.popleft() if self._kept else handle
            oldest.close()
            if oldest is handle:
                return
        self._kept.append(handle)


def _size(data: bytes) -> QSizeF:
    """How large a picture is laid down: as it is, unless that is very large or very small."""
    header = measure(data)
    size = QSizeF(header.width, header.height)
    longest = min(_LONGEST_SIDE, max(size.width(), size.height()))
    fitting = size.scaled(longest, longest, Qt.AspectRatioMode.KeepAspectRatio)
    return fitting.expandedTo(QSizeF(_SHORTEST_SIDE, _SHORTEST_SIDE))
