"""What can go wrong in the multicast room, as exceptions."""


class MulticastError(Exception):
    """The base of every error of this room; `code` is the core's number for it."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class BadRangeError(MulticastError, ValueError):
    """A range that begins after its end."""


class SetFullError(MulticastError, OverflowError):
    """The set holds as many ranges as its bound allows."""


class CoreMemoryError(MulticastError, MemoryError):
    """The core could not get memory; what it held is unchanged."""


class SystemFaultError(MulticastError, OSError):
    """The operating system refused something; `code` is its errno, negated."""


class BusyError(MulticastError, BlockingIOError):
    """More is asked for than may wait; nothing was taken. Poll, or wait a moment, and try again."""


class ClosedError(MulticastError):
    """The engine has ended, or was made by the process that forked this one."""
