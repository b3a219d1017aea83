"""One attempt to stop a handler that does not end, by an exception raised inside it from another thread.

The interpreter raises it wherever that thread runs next, which may be after the handler. So both sides
cooperate. The interrupting thread first announces the interruption, then checks that the handler still runs.
The thread that runs handlers first marks the handler as over, then checks for an announced interruption, and
takes back one that has not struck yet. In either order, nothing strikes outside the handler.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable

from liven.runtime.errors import HandlerInterrupted

# https://docs.python.org/3.11/c-api/init.html#c.PyThreadState_SetAsyncExc: a null pointer takes back
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class HandlerInterruption:
    """An exception that is on its way into a thread."""

    __slots__ = ("_decided", "_thread")

    def __init__(self, thread: int) -> None:
        self._thread = thread
        self._decided = False

    def send(self, wanted: Callable[[], bool]) -> None:
        """Send it, if it is still `wanted`. Called in the interrupting thread."""
        try:
            if wanted():
                _raise_in(self._thread, HandlerInterrupted)
        finally:
            self._decided = True

    def take_back(self) -> None:
        """Make sure that it does not strike any more. Called in the thread it was sent to."""
        while not self._decided:
            time.sleep(0)  # the other thread is between two lines of `send`
        _raise_in(self._thread, _NOTHING)


_NOTHING = ctypes.py_object()
"""A null pointer: no exception."""
