"""The view of an object in a confined process, as a line of messages. Only the room
with the screen knows pictures; this module passes their descriptors on.

To the process: `open` (object, endpoint), `size` (…), `shown`, `input` (…), `close`. From it: `frame` (…),
`about` (title, summary, loading, width, height), `cursor` (shape), `message` (text), `failed`
(what).
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any, Protocol

from liven.runtime.confined import messages
from liven.runtime.confined.process import BadMessageError, Ending
from liven.runtime.confined.remote_object import RemoteInterface
from liven.runtime.foreign_text import shown_value


class ViewListener(Protocol):
    """The container that shows the view."""

    def came(self, what: str, rest: list[Any]) -> None:
        """Take a message of the view; raise BadMessageError or ValueError."""

    def silent(self, silent: bool) -> None:
        """The process does not answer, or answers again."""

    def gone(self) -> None:
        """The process has ended."""


class RemoteView:
    """One open view."""

    def __init__(self, interface: RemoteInterface, listener: ViewListener) -> None:
        self._process = interface.object.process
        self._listener = listener
        self._number = self._process.admit(self)
        self.send("open", interface.object.number, interface.endpoint)

    @property
    def open(self) -> bool:
        """True while the process runs."""
        return self._process.open

    def send(self, what: str, *rest: object) -> None:
        """Send a message about the view."""
        if self._process.open:
            self._process.send(messages.VIEW, self._number, what, *rest)

    def hand_over(self, descriptor: int) -> bool:
        """Pass an open file to the process, for the next message to speak of; return False if it has not
        taken the ones before."""
        try:
            socket.send_fds(self._process.hand_over, [b"picture"], [descriptor])
        except OSError:
            return False
        return True

    def ask(self) -> None:
        """Ask for a sign of life, after input."""
        self._process.ask()

    def end_process(self) -> None:
        """End the process, because a person asked for it: all objects of the library stop."""
        self._process.end("it was ended because it did not answer")

    def close(self) -> None:
        """Close the view."""
        with suppress(OSError):
            self.send("close")
        self._process.dismiss(self._number)

    def came(self, name: str, rest: list[Any]) -> None:
        """Take a message about this view."""
        match name, rest:
            case messages.VIEW, [str(what), *more]:
                self._listener.came(what, more)
            case _:
                raise BadMessageError(f"{name} {shown_value(rest)}")

    def silent(self, silent: bool) -> None:
        """Pass it on."""
        self._listener.silent(silent)

    def gone(self, ending: Ending) -> None:
        """Pass it on; the object itself says why."""
        del ending
        self._listener.gone()
