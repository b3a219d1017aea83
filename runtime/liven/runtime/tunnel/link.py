"""One stream to another process: messages in order, both ways, until either side is gone."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, TypeAlias

from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry
from liven.runtime.files import readable_size
from liven.runtime.tunnel.frames import LARGEST, FrameError, Parser, pack

MOST_WAITING = 32 * 2**20
"""The most bytes that may wait for a slow reader."""
_AT_ONCE = 2**18

OnMessage: TypeAlias = Callable[[list[Any]], object]
OnGone: TypeAlias = Callable[[str], object]


class Link:
    """A connected socket, served by the dispatcher.

    `on_gone` is called once with the reason, or "" for an end in order. After `close` nothing is called any
    more.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        stream: socket.socket,
        on_message: OnMessage,
        on_gone: OnGone,
        *,
        most_read: int = _AT_ONCE,
        largest: int = LARGEST,
    ) -> None:
        """`most_read` bytes are read and handled in one turn; a larger message than `largest` ends it."""
        stream.setblocking(False)
        self._dispatcher = dispatcher
        self._stream = stream
        self._on_message: OnMessage | None = on_message
        self._on_gone: OnGone | None = on_gone
        self._most_read = most_read
        self._parser = Parser(largest)
        self._waiting = bytearray()
        self._open = True
        self._reads: Entry | None = dispatcher.watch_fd(stream.fileno(), self._readable)
        self._writes: Entry | None = None

    @property
    def open(self) -> bool:
        """True while messages can be sent."""
        return self._open

    def receive(self, on_message: OnMessage, on_gone: OnGone) -> None:
        """Pass the messages to another receiver from now on."""
        self._on_message, self._on_gone = on_message, on_gone

    def pause(self) -> None:
        """Read nothing for now: the other side waits once the system's buffer is full."""
        if self._reads is not None:
            self._reads.cancel()
            self._reads = None

    def resume(self) -> None:
        """Read again after a pause."""
        if self._open and self._reads is None:
            self._reads = self._dispatcher.watch_fd(self._stream.fileno(), self._readable)

    def send(self, *message: object) -> None:
        """Send a message, now or when the other side has read enough;
        raise FrameError if it is too large."""
        if not self.open:
            return
        self._waiting += pack(*message)
        if len(self._waiting) > MOST_WAITING:
            self._gone(f"it has not read the {readable_size(len(self._waiting))} waiting for it")
        elif self._writes is None:
            self._writable()

    def close(self) -> None:
        """End the stream, after giving sent messages to the system as far as it takes them."""
        if self.open and self._waiting:
            self._push()
        self._shut()

    def _readable(self) -> None:
        try:
            data = self._stream.recv(self._most_read)
        except (BlockingIOError, InterruptedError):
            return
        except ConnectionResetError:
            data = b""  # a killed process has left like any other
        except OSError as error:
            self._gone(error.strerror or str(error))
            return
        if not data:
            self._gone("")
            return
        self._parse(data)

    def _parse(self, data: bytes) -> None:
        try:
            for message in self._parser.feed(data):
                if self._on_message is None:
                    return
                self._on_message(message)
        except FrameError as error:
            self._gone(str(error))
        except Exception:  # any error in the receiver: a bad message from a stranger ends only its own link
            self._gone("it sent a message that could not be handled")
            raise

    def _writable(self) -> None:
        if not self._push():
            return
        if self._waiting and self._writes is None:
            self._writes = self._dispatcher.watch_fd(self._stream.fileno(), self._writable, write=True)
        elif not self._waiting and self._writes is not None:
            self._writes.cancel()
            self._writes = None

    def _push(self) -> bool:
        try:
            while self._waiting:
                sent = self._stream.send(memoryview(self._waiting)[:_AT_ONCE].tobytes())
                del self._waiting[:sent]
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            left = isinstance(error, BrokenPipeError | ConnectionResetError)
            self._gone("" if left else error.strerror or str(error))
            return False
        return True

    def _gone(self, why: str) -> None:
        on_gone = self._on_gone
        self._shut()
        if on_gone is not None:
            on_gone(why)

    def _shut(self) -> None:
        self._open = False
        for entry in (self._reads, self._writes):
            if entry is not None:
                entry.cancel()
        self._reads = self._writes = None
        self._on_message = self._on_gone = None
        self._waiting.clear()
        self._stream.close()
