"""Replies: the answer to a call, which comes later. Use a callback or `await`; nothing blocks."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Generic, TypeVar

from liven.runtime.errors import CallFailedError, CancelledReplyError

T = TypeVar("T")
U = TypeVar("U")


class Reply(Generic[T]):
    """An answer that is open, then settled once: with a value or with an error."""

    __slots__ = ("_callbacks", "_cancel", "_error", "_settled", "_value")

    def __init__(self, cancel: Callable[[], object] | None = None) -> None:
        self._settled = False
        self._value: T | None = None
        self._error: Exception | None = None
        self._callbacks: list[Callable[[Reply[T]], object]] = []
        self._cancel = cancel

    @property
    def settled(self) -> bool:
        """True once the answer or the failure is here."""
        return self._settled

    @property
    def error(self) -> Exception | None:
        """The reason why there is no value; None while open and after success."""
        return self._error

    def value(self) -> T:
        """The answer. Raise the failure if there was one, and CallFailedError while the reply is open."""
        if not self._settled:
            raise CallFailedError("the answer is not here yet; use `then`, or await it")
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]  # settled without an error: a T

    def then(self, callback: Callable[[Reply[T]], object]) -> Reply[T]:
        """Call `callback` with this reply once it is settled; at once if it is."""
        if self._settled:
            callback(self)
        else:
            self._callbacks.append(callback)
        return self

    def on_cancel(self, cancel: Callable[[], object]) -> None:
        """Call `cancel` when the caller no longer waits; for the maker of the reply."""
        if not self._settled:
            self._cancel = cancel

    def map(self, change: Callable[[T], U]) -> Reply[U]:
        """Return a reply with `change` applied to the value; a failure, or an error in `change`,
        fails it."""
        changed: Reply[U] = Reply(self.cancel)

        def settle(reply: Reply[T]) -> None:
            try:
                changed.resolve(change(reply.value()))
            except Exception as error:  # any error is the answer
                changed.fail(error)

        self.then(settle)
        return changed

    def resolve(self, value: T) -> None:
        """Settle it with a value. The first answer counts; later ones are ignored."""
        self._settle(value, None)

    def fail(self, error: Exception) -> None:
        """Settle it with an error."""
        self._settle(None, error)

    def cancel(self) -> None:
        """Stop waiting; the work is stopped where it can be."""
        cancel, self._cancel = self._cancel, None
        if not self._settled:
            if cancel is not None:
                cancel()
            self.fail(CancelledReplyError("the caller no longer waits"))

    def _settle(self, value: T | None, error: Exception | None) -> None:
        if self._settled:
            return
        self._settled, self._value, self._error, self._cancel = True, value, error, None
        callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)

    def __await__(self) -> Generator[Reply[T], None, T]:
        """Wait for the answer in a coroutine that `context.spawn` runs."""
        if not self._settled:
            yield self
        return self.value()
