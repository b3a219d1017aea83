"""The errors of this room. Each carries the objects it is about, and its text says what to do."""

from __future__ import annotations

from liven.runtime.problems import Kind, Path
from liven.types.explanation import Explanation


class ObjectRuntimeError(Exception):
    """The base of all errors here; never raised itself."""


class WrongThreadError(ObjectRuntimeError):
    """An object was used from a thread other than the dispatcher's."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} was used outside the dispatcher's thread; hand the result back with"
            " `dispatcher.post(...)` or `context.work(...)`"
        )


class NotConnectedError(ObjectRuntimeError):
    """An event was sent on an endpoint that is not connected."""

    def __init__(self, endpoint: str, event: str) -> None:
        super().__init__(
            f"{endpoint} is not connected, so {event} went nowhere; send between connect and disconnect,"
            " or ask `.connected` first"
        )
        self.endpoint = endpoint
        self.event = event


class AlreadyConnectedError(ObjectRuntimeError):
    """A connected endpoint was asked to join a second one."""

    def __init__(self, endpoint: str, other: str) -> None:
        super().__init__(f"{endpoint} is already connected to {other}; dispose of that connection first")
        self.endpoint = endpoint
        self.other = other


class SelfConnectionError(ObjectRuntimeError):
    """An endpoint was asked to join itself."""

    def __init__(self, endpoint: str) -> None:
        super().__init__(f"{endpoint} cannot be connected to itself; name an endpoint of another object")
        self.endpoint = endpoint


class MismatchError(ObjectRuntimeError):
    """Two endpoints do not match, or a reference does not fit the expected type."""

    def __init__(self, what: str, explanation: Explanation) -> None:
        super().__init__(f"{what}\n{explanation.render()}")
        self.what = what
        self.explanation = explanation


class EndedError(ObjectRuntimeError):
    """A proxy that has ended, or a closed handle, was used."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} has ended; dereference its reference again to run a new proxy")


class UnknownNameError(ObjectRuntimeError, KeyError):
    """The object has no such name; the text lists the names it has."""

    def __init__(self, what: str, name: str, known: tuple[str, ...]) -> None:
        ObjectRuntimeError.__init__(self, f"{what} has no {name!r}; it has {', '.join(known) or 'none'}")
        self.name = name
        self.known = known

    def __str__(self) -> str:
        return str(self.args[0])


class UnfitValueError(ObjectRuntimeError, TypeError):
    """An event was sent with a value of another type than declared."""


class CallFailedError(ObjectRuntimeError):
    """A call got no value: the other side answered with an error, or left before it answered."""


class CancelledReplyError(CallFailedError):
    """The caller cancelled the call."""


class HandlerInterrupted(BaseException):
    """Raised inside a handler that did not end in time.

    Not an Exception, so that authors' code seldom swallows it.
    """


class DereferenceError(ObjectRuntimeError):
    """A reference could not be turned into a proxy; `where` names the part of the recipe."""

    def __init__(
        self,
        where: Path,
        what: str,
        advice: str = "",
        explanation: Explanation | None = None,
        detail: str = "",
        kind: Kind = Kind.UNBUILT,
    ) -> None:
        place = " / ".join(where) or "the reference"
        super().__init__(f"{place}: {what}" + (f" ({advice})" if advice else ""))
        self.where = where
        self.what = what
        self.advice = advice
        self.explanation = explanation
        self.detail = detail
        """A traceback, for the author of the object."""
        self.kind = kind
