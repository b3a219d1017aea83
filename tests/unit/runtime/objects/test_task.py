from __future__ import annotations

from collections.abc import Callable

import pytest

from liven.runtime.errors import CallFailedError, CancelledReplyError
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.task import Task


def at_once(step: Callable[[], None]) -> None:
    step()


def test_a_coroutine_that_awaits_nothing_is_done_at_once() -> None:
    async def answer() -> int:
        return 42

    assert Task(answer(), at_once).reply.value() == 42


def test_steps_run_in_the_name_of_the_task_s_owner() -> None:
    waiting: list[Callable[[], None]] = []
    asked: Reply[int] = Reply()

    async def double() -> int:
        return await asked * 2

    task = Task(double(), waiting.append)
    assert not task.reply.settled
    waiting.pop()()
    asked.resolve(4)
    assert not task.reply.settled
    waiting.pop()()
    assert task.reply.value() == 8


def test_awaiting_what_is_settled_does_not_wait() -> None:
    known: Reply[int] = Reply()
    known.resolve(1)

    async def three() -> int:
        return await known + await known + await known

    assert Task(three(), at_once).reply.value() == 3


def test_a_fault_fails_the_reply_and_is_raised_in_the_step_unless_it_is_quiet() -> None:
    async def fail() -> None:
        raise ValueError("no")

    assert isinstance(Task(fail(), at_once).reply.error, ValueError)
    raised: list[ValueError] = []

    def catching(step: Callable[[], None]) -> None:
        try:
            step()
        except ValueError as error:
            raised.append(error)

    assert isinstance(Task(fail(), catching, quiet=(KeyError,)).reply.error, ValueError)
    assert len(raised) == 1


def test_an_exit_is_a_failed_reply() -> None:
    async def leave() -> None:
        raise SystemExit(4)

    error = Task(leave(), at_once).reply.error
    assert isinstance(error, CallFailedError)
    assert "SystemExit(4)" in str(error)


def test_a_keyboard_interrupt_passes_through() -> None:
    async def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Task(interrupt(), at_once)


def test_cancelling_closes_the_coroutine_and_what_it_waits_for() -> None:
    log: list[str] = []
    asked: Reply[int] = Reply(lambda: log.append("question taken back"))

    async def ask() -> None:
        try:
            await asked
        finally:
            log.append("closed")

    task = Task(ask(), at_once)
    task.reply.cancel()
    assert isinstance(task.reply.error, CancelledReplyError)
    assert log == ["question taken back", "closed"]


def test_tasks_await_tasks() -> None:
    asked: Reply[int] = Reply()

    async def inner() -> int:
        return await asked + 1

    async def outer() -> int:
        return await Task(inner(), at_once).reply * 10

    task = Task(outer(), at_once)
    asked.resolve(4)
    assert task.reply.value() == 50
