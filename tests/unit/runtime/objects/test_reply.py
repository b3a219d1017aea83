from __future__ import annotations

import pytest

from liven.runtime.errors import CallFailedError, CancelledReplyError
from liven.runtime.objects.reply import Reply


def test_callbacks_are_called_in_the_order_they_came() -> None:
    reply: Reply[int] = Reply()
    seen: list[str] = []
    for name in "abc":
        reply.then(lambda _, name=name: seen.append(name))  # type: ignore[misc]
    reply.resolve(1)
    reply.then(lambda _: seen.append("late"))
    assert seen == ["a", "b", "c", "late"]


def test_a_failure_is_raised_by_value_and_kept() -> None:
    reply: Reply[int] = Reply()
    reply.fail(LookupError("gone"))
    assert isinstance(reply.error, LookupError)
    for _ in range(2):
        with pytest.raises(LookupError, match="gone"):
            reply.value()


def test_cancelling_stops_the_work_once() -> None:
    stopped: list[str] = []
    reply: Reply[int] = Reply(lambda: stopped.append("stopped"))
    reply.cancel()
    reply.cancel()
    assert stopped == ["stopped"]
    assert isinstance(reply.error, CancelledReplyError)


def test_a_settled_reply_has_nothing_to_cancel() -> None:
    stopped: list[str] = []
    reply: Reply[int] = Reply(lambda: stopped.append("stopped"))
    reply.resolve(3)
    reply.cancel()
    assert stopped == []
    assert reply.value() == 3


def test_a_mapped_reply_follows_the_first() -> None:
    first: Reply[int] = Reply()
    doubled, broken = first.map(lambda n: n * 2), first.map(lambda n: n // 0)
    first.resolve(4)
    assert doubled.value() == 8
    assert isinstance(broken.error, ZeroDivisionError)


def test_a_mapped_reply_fails_with_the_first_and_cancels_it() -> None:
    first: Reply[int] = Reply()
    mapped = first.map(str)
    first.fail(CallFailedError("no"))
    assert str(mapped.error) == "no"
    stopped: list[str] = []
    asked: Reply[int] = Reply(lambda: stopped.append("stopped"))
    asked.map(str).cancel()
    assert stopped == ["stopped"]


def test_none_is_a_value() -> None:
    reply: Reply[None] = Reply()
    reply.resolve(None)
    assert reply.settled
    assert reply.error is None
