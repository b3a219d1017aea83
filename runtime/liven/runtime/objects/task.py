"""Tasks: coroutines that await replies, run step by step on the dispatcher's thread."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeAlias, TypeVar

from liven.runtime.errors import CallFailedError
from liven.runtime.objects.reply import Reply

T = TypeVar("T")
Steps: TypeAlias = Coroutine[Reply[Any], None, T]
RunStep: TypeAlias = Callable[[Callable[[], None]], object]
"""Runs one step of a coroutine in its owner's name."""


class Task(Generic[T]):
    """A coroutine and its reply. Cancelling the reply closes the coroutine and runs its `finally` parts."""

    __slots__ = ("_awaits", "_coroutine", "_quiet", "_run", "_running", "reply")

    def __init__(
        self,
        coroutine: Steps[T],
        run: RunStep,
        *,
        quiet: tuple[type[BaseException], ...] = (BaseException,),
        at_once: bool = False,
    ) -> None:
        """Start the coroutine; `at_once` if the caller already runs in the proxy's name.

        An error in the coroutine fails the reply; unless it is of a `quiet` type, the step raises it too.
        """
        self._coroutine: Steps[T] | None = coroutine
        self._run = run
        self._quiet = quiet
        self._running = False
        self._awaits: Reply[Any] | None = None
        self.reply: Reply[T] = Reply(self.cancel)
        if at_once:
            self._step()
        else:
            run(self._step)

    def cancel(self) -> None:
        """Close the coroutine and cancel the reply it waits for."""
        coroutine, awaits = self._coroutine, self._awaits
        self._coroutine = self._awaits = None
        if awaits is not None:
            awaits.cancel()
        if coroutine is not None and not self._running:
            coroutine.close()

    def _resume(self, _: Reply[Any]) -> None:
        if self._coroutine is not None:
            self._awaits = None
            self._run(self._step)

    def _step(self) -> None:
        coroutine = self._coroutine
        if coroutine is None:
            return
        self._running = True
        ended = False
        result: Any = None
        try:
            awaits = coroutine.send(None)
        except StopIteration as stop:
            ended, result = True, stop.value
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._coroutine = None
            self.reply.fail(error if isinstance(error, Exception) else CallFailedError(repr(error)))
            if not isinstance(error, self._quiet):
                raise
        else:
            self._wait(coroutine, awaits)
        finally:
            self._running = False
        if ended:  # outside the handler: an error in a callback is not this handler's
            self._coroutine = None
            self.reply.resolve(result)

    def _wait(self, coroutine: Steps[T], awaits: Reply[Any]) -> None:
        if self._coroutine is None:  # it cancelled itself while it ran
            coroutine.close()
            return
        self._awaits = awaits
        awaits.then(self._resume)
