"""Operations that return results: `m(call, …)` goes one way and `m.reply(call, value, error)` comes back.

The caller's endpoint numbers its calls. The serving side returns a value or a reply of its own. A disconnect
fails every open call.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from liven.runtime.errors import CallFailedError
from liven.runtime.objects.event_queue import Handler
from liven.runtime.objects.reply import Reply

if TYPE_CHECKING:
    from liven.runtime.objects.endpoint import Endpoint

REPLY = ".reply"


class OpenCalls:
    """The unanswered calls of one endpoint."""

    __slots__ = ("_numbers", "_open")

    def __init__(self) -> None:
        self._numbers = count(1)
        self._open: dict[int, Reply[Any]] = {}

    def open(self) -> tuple[int, Reply[Any]]:
        """Register a new call; return its number and its reply."""
        number = next(self._numbers)
        reply: Reply[Any] = Reply(lambda: self._open.pop(number, None))
        self._open[number] = reply
        return number, reply

    def answered(self, call: int, value: object, error: str | None = None) -> None:
        """Settle a call with the other side's answer; ignore an answer that nobody waits for any more."""
        reply = self._open.pop(call, None)
        if reply is None:
            return
        if error is None:
            reply.resolve(value)
        else:
            reply.fail(CallFailedError(error))

    def fail_all(self, why: str) -> None:
        """Fail every open call."""
        calls, self._open = self._open, {}
        for reply in calls.values():
            reply.fail(CallFailedError(why))

    def __len__(self) -> int:
        return len(self._open)


def serving(endpoint: Endpoint, event: str, handler: Handler) -> Handler:
    """Wrap `handler`, which returns a value or a reply,
    as a handler of the call event that sends the answer."""

    def serve(call: int, *args: object) -> None:
        try:
            result = handler(*args)
        except CallFailedError as refusal:  # the author's way to answer with an error
            endpoint.answer(event, call, None, str(refusal))
            return
        if isinstance(result, Reply):
            result.then(lambda reply: _send(endpoint, event, call, reply))
        else:
            endpoint.answer(event, call, result, None)

    return serve


def _send(endpoint: Endpoint, event: str, call: int, reply: Reply[Any]) -> None:
    if reply.error is not None:
        endpoint.answer(event, call, None, str(reply.error))
    else:
        endpoint.answer(event, call, reply.value(), None)
