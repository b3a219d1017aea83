"""The exceptions of the multicast room."""


class MulticastError(Exception):
    """The base of every error of this room; `code` is the number that the core has for it."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class BadRangeError(MulticastError, ValueError):
    """Raised for a range that begins after its end."""


class SetFullError(MulticastError, OverflowError):
    """Raised when a set holds as many ranges as its bound allows."""


class CoreMemoryError(MulticastError, MemoryError):
    """Raised when the core could not get memory; nothing was changed."""


class SystemFaultError(MulticastError, OSError):
    """Raised when the operating system refused a call; `code` is its errno, negated."""


class BusyError(MulticastError, BlockingIOError):
    """Raised when too much waits already; nothing was accepted. Poll, or wait a moment, and try again."""


class ClosedError(MulticastError):
    """Raised when the engine has ended, or belongs to the process that forked this one."""
