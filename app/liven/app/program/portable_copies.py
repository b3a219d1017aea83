"""Portable copies that are opened: the object in a window, and its pictures into their images, one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.copying.portable_copy import LARGEST, HeldPicture, PortableCopyError, unpacked
from liven.liveobjects.copying.states import has_begun
from liven.runtime.files import read_regular
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.xml import read_object

PATIENCE: Final = 30.0
"""Seconds that the image of a picture may take to begin."""
_LOOK_EVERY: Final = 0.05
_AROUND: Final = 32 * 1024 * 1024
"""Room in the file for everything but pictures."""


class PortableCopies:
    """The portable copies whose windows are opening."""

    def __init__(
        self,
        open_bytes: Callable[[bytes, str], ObjectWindow],
        show_unreadable: Callable[[Path, str], ObjectWindow],
    ) -> None:
        self._open_bytes = open_bytes
        self._show_unreadable = show_unreadable
        self._waiting: dict[ObjectWindow, list[HeldPicture]] = {}

    def open(self, path: Path) -> ObjectWindow:
        """Open the object in a file."""
        try:
            recipe, pictures = unpacked(read_regular(path, LARGEST + _AROUND))
        except OSError as error:
            return self._show_unreadable(path, error.strerror or str(error))
        except PortableCopyError as error:
            return self._show_unreadable(path, str(error))
        window = self._open_bytes(recipe, path.stem)
        self._waiting[window] = pictures
        window.closed.connect(lambda: self._waiting.pop(window, None))
        self.shown(window)
        return window

    def shown(self, window: ObjectWindow) -> None:
        """Send the pictures, as soon as the object runs."""
        if window in self._waiting and window.handle is not None:
            Sending(window, self._waiting.pop(window)).go_on()


class Sending:
    """The pictures of one copy on their way into its images. An image that has a picture already, because
    somebody else opened the copy before, keeps that."""

    def __init__(self, window: ObjectWindow, pictures: list[HeldPicture]) -> None:
        self._window = window
        self._left = deque(pictures)
        self._lost: list[str] = []

    def go_on(self) -> None:
        """Open the image of the next picture."""
        handle = self._window.handle
        if handle is None or handle.ended:
            return
        if not self._left:
            if self._lost:
                names = ", ".join(f"“{name[:40]}”" for name in self._lost[:5])
                self._window.show_message(f"{len(self._lost)} pictures could not be restored: {names}.")
            return
        picture = self._left.popleft()
        node = handle.proxy().node
        try:
            thing = read_object(picture.recipe)
        except ReadError:
            self._fail(picture)
            return
        assert node.loader is not None
        asked = node.loader.dereference(thing, at=(self._window.step, picture.name), time_limit=PATIENCE)
        asked.then(partial(self._opened, picture))

    def _opened(self, picture: HeldPicture, done: Reply[ProxyHandle]) -> None:
        if done.error is not None:
            self._fail(picture)
        else:
            node = done.value().proxy().node
            self._send(picture, done.value(), node.dispatcher.now() + PATIENCE)

    def _send(self, picture: HeldPicture, image: ProxyHandle, limit: float) -> None:
        """Send a picture once its image has begun."""
        if image.ended:
            self._fail(picture)
            return
        node = image.proxy().node
        if not has_begun(image):
            if node.dispatcher.now() > limit:
                image.close()
                self._fail(picture)
            else:
                node.dispatcher.call_later(_LOOK_EVERY, partial(self._send, picture, image, limit))
            return
        model: Any = image.proxy().instance
        if model.editor.state.shown:
            self._sent(picture, image, None)
            return
        try:
            sent: Reply[None] = model.put(picture.data, picture.name)
        except Exception:  # no picture, or no image: a damaged or forged file
            image.close()
            self._fail(picture)
            return
        sent.then(partial(self._sent, picture, image))

    def _sent(self, picture: HeldPicture, image: ProxyHandle, done: Reply[None] | None) -> None:
        image.close()
        if done is not None and done.error is not None:
            self._fail(picture)
        else:
            self.go_on()

    def _fail(self, picture: HeldPicture) -> None:
        self._lost.append(picture.name)
        self.go_on()
