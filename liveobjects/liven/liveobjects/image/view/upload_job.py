"""One dropped picture on its way into a new image: read it, add and open the image, and upload it there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

from PySide6.QtCore import QPointF, QSizeF, Qt

from liven.liveobjects.image.picture_header import measure
from liven.liveobjects.image.recipe import image
from liven.liveobjects.image.state import Album
from liven.liveobjects.image.view.dropped_pictures import DroppedPicture
from liven.liveobjects.view.contract import ViewHost
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import CancelledReplyError
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import OpenInterface
from liven.runtime.reference.xml import write

AddImage: TypeAlias = Callable[[str, str, QSizeF, QPointF], bool]
"""Adds an image, by recipe, name, size and offset from the place of the drop. Returns false if that was
refused."""
PATIENCE: Final = 20.0
"""Seconds without progress until a picture counts as late; it may take up to twice as long."""
_LONGEST_SIDE = 360.0
_SHORTEST_SIDE = 24.0
_STOPPED = "Stopped: the image stays empty. Press Del to remove it, or drop another picture."
_READING, _OPENING, _SENDING = "it is still being read", "its image does not start", "nothing can be sent"


class UploadJob:
    """One picture. `over` is called once, with the image if it is open; `late` is called at most once,
    before that."""

    def __init__(
        self,
        context: Context,
        host: ViewHost,
        dropped: DroppedPicture,
        at: QPointF,
        add_image: AddImage,
        spot: QPointF | None = None,
    ) -> None:
        """Hold a picture that goes `at` this offset from the place of the drop, or to `spot` if a place was
        pointed at."""
        self.name = dropped.name
        self.spot = spot
        self.over: Callable[[ProxyHandle | None], object] = lambda _: None
        self.late: Callable[[], object] = lambda: None
        self.read: Callable[[], object] = lambda: None
        """Called when the image exists."""
        self._context = context
        self._host = host
        self._dropped = dropped
        self._at = at
        self._add_image = add_image
        self._doing = _READING
        self._moved = self._ended = self._stopped = False
        self._timer: Entry | None = None
        self._asked: Reply[Any] | None = None
        self._handle: ProxyHandle | None = None
        self._showing: OpenInterface | None = None

    def begin(self) -> None:
        """Read the picture in a worker and continue from there."""
        self._timer = self._context.call_later(PATIENCE, self._look)
        self._ask(self._context.work(self._dropped.read), self._was_read)

    def give_up(self) -> None:
        """Stop waiting and tell the person."""
        asked = self._asked
        again = "Drop or paste it again" if self._doing == _READING else "Drop it on its image again"
        self._end(f"{self._called} was not added: {self._doing}. {again}.")
        if asked is not None:
            asked.cancel()

    @property
    def is_read(self) -> bool:
        """True once its image exists: as a rule, when the picture is read."""
        return self._doing != _READING or bool(self._dropped.recipe)

    def stop(self) -> None:
        """Cancel the job: nothing remains if its image does not exist yet, otherwise an empty image."""
        asked, self._stopped = self._asked, True
        if not self.is_read:
            self._end()
        if asked is not None:
            asked.cancel()

    @property
    def why_late(self) -> str:
        """Return the message shown when other jobs overtake this one."""
        seconds = f"for over {PATIENCE:.0f} seconds"
        return f"{self._called} is late: {seconds}, {self._doing}. Other pictures continue."

    @property
    def _called(self) -> str:
        return self.name or "The picture"

    def _look(self) -> None:
        """Check regularly for progress."""
        if self._ended:
            return
        if self._moved:
            self._moved = False
            self._timer = self._context.call_later(PATIENCE, self._look)
        else:
            self.late()

    def _ask(self, asked: Reply[Any], then: Callable[[Any], None]) -> None:
        self._asked = asked
        asked.then(partial(self._answered, then))

    def _answered(self, then: Callable[[Any], None], done: Reply[Any]) -> None:
        """Continue after the answer; after a cancellation, close the opened image."""
        if not self._ended:
            self._moved = True
            then(done)
        elif done.error is None and isinstance(done.value(), ProxyHandle):
            done.value().close()

    def _was_read(self, done: Reply[bytes]) -> None:
        if done.error is not None:
            self._end(_STOPPED if self._stopped else f"The picture cannot be added: {done.error}.")
            return
        data = done.value()
        recipe = self._dropped.recipe or write(image(self.name or "Picture")).decode()
        if not self._add_image(recipe, self.name, _size(data), self._at):
            self._end()
            return
        self._doing = _OPENING
        self.read()
        self._ask(self._context.dereference(recipe, self.name or "picture"), partial(self._was_opened, data))

    def _was_opened(self, data: bytes, done: Reply[ProxyHandle]) -> None:
        if done.error is not None:
            self._end(_STOPPED if self._stopped else f"{self._called} could not be added: {done.error}")
            return
        self._doing, self._handle = _SENDING, done.value()
        self._showing = self._context.show(self._handle, lambda: None)
        model: Any = self._showing.shown.model
        model.editor.listen(self)
        self._ask(model.put(data, self.name), self._was_sent)

    def changed(self, before: Album, after: Album) -> None:
        """Note the progress: a slice has come back."""
        del before, after
        self._moved = True

    def notify(self, message: str) -> None:
        """Ignore messages: the reply of `put` has the result."""

    def _was_sent(self, done: Reply[None]) -> None:
        handle, self._handle = self._handle, None
        if done.error is None or isinstance(done.error, CancelledReplyError):
            self._end("", handle)  # too late to stop: everything has arrived
        else:
            self._end(_STOPPED if self._stopped else str(done.error), handle)

    def _end(self, words: str = "", handle: ProxyHandle | None = None) -> None:
        self._ended = True
        if self._timer is not None:
            self._timer.cancel()
        if words:
            self._host.show_message(words)
        if self._showing is not None:
            self._showing.shown.model.editor.unlisten(self)  # type: ignore[attr-defined]  # it is an image
            self._showing.close()
        if self._handle is not None:
            self._handle.close()
        self.over(handle)


def _size(data: bytes) -> QSizeF:
    """Return the size of a new image on the desktop: that of the picture, within limits."""
    header = measure(data)
    size = QSizeF(header.width, header.height)
    longest = min(_LONGEST_SIDE, max(size.width(), size.height()))
    fitting = size.scaled(longest, longest, Qt.AspectRatioMode.KeepAspectRatio)
    return fitting.expandedTo(QSizeF(_SHORTEST_SIDE, _SHORTEST_SIDE))
