"""The screen of a confined process: it makes the views that the program opens, and paints them into shared
pictures. Nothing is on a real screen here: Qt runs without one."""

from __future__ import annotations

import socket
from typing import Any

from PySide6.QtWidgets import QApplication

from liven.liveobjects.confined.view.appearance import wear
from liven.liveobjects.confined.view.painted_view import PaintedView
from liven.liveobjects.confined.view.shared_picture import SharedPicture
from liven.liveobjects.view.contract import NoViewError, view_of
from liven.runtime.confined import messages
from liven.runtime.confined.hosted_objects import HostedObjects
from liven.runtime.tunnel.link import Link

_LONGEST = 500
_NO_ROOM = "its library shows too much at once; close some of its objects and start this one again"


class Screen:
    """The open views, by the numbers that the program gave them."""

    def __init__(self, qt: QApplication, objects: HostedObjects, link: Link, pictures: socket.socket) -> None:
        self._qt = qt
        self._objects = objects
        self._link = link
        self._pictures = pictures
        self._views: dict[int, PaintedView] = {}
        self._look: list[object] = []

    def came(self, view: int, rest: list[Any]) -> None:
        """Take a message about a view."""
        what, *more = rest
        if what == "open":
            self._open(view, *more)
            return
        picture = self._next_picture(view, more) if what == "size" else None
        known = self._views.get(view)
        if known is None:
            if picture is not None:
                picture.close()
        elif picture is not None:
            mode, width, height, scale, which, *_ = more
            known.show_in(picture, which, mode == "widget", width, height, scale)
        elif what == "shown":
            known.taken()
        elif what == "input":
            known.input(more)
        elif what == "close":
            del self._views[view]
            known.close()

    def _open(self, view: int, number: int, endpoint: str) -> None:
        def send(what: str, *rest: object) -> None:
            self._link.send(messages.VIEW, view, what, *rest)

        shown = self._objects.shown(number, endpoint)
        if shown is None or not shown.view:
            send("failed", "its proxy class names no view")
            return
        painted = PaintedView(send)
        try:
            painted.begin(view_of(shown, painted))
        except NoViewError as error:
            send("failed", str(error)[:_LONGEST])
            return
        self._views[view] = painted

    def _next_picture(self, view: int, more: list[Any]) -> SharedPicture | None:
        """Return the picture of which a message speaks: it was sent before the message. Without room for it,
        only this view fails."""
        *_, width, height, look = more
        _, descriptors, _, _ = socket.recv_fds(self._pictures, 64, 1)
        if look != self._look:
            self._look = look
            wear(self._qt, look)
        try:
            made = SharedPicture(descriptors[0], width, height)
        except (OSError, IndexError):  # the kernel drops the file if this process has too many open
            self._link.send(messages.VIEW, view, "failed", _NO_ROOM)
            return None
        made.close_descriptor()
        return made
