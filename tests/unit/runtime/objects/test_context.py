from __future__ import annotations

import threading
import weakref

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import CallFailedError, CancelledReplyError, UnknownNameError
from liven.runtime.objects.context import Context
from liven.runtime.objects.event_queue import Delivery
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Kind, Problems
from liven.types.terms.endpoint_types import ObjectType


@pytest.fixture
def handle(node: Node) -> ProxyHandle:
    return ProxyHandle(Proxy(node, ("worker",), ObjectType()))


@pytest.fixture
def context(handle: ProxyHandle) -> Context:
    return Context(handle.proxy())


def test_a_timer_that_raises_ends_its_own_object_alone(
    context: Context, handle: ProxyHandle, crank: HandCranked, problems: Problems
) -> None:
    context.call_later(1, lambda: 1 // 0)
    crank.advance(2)
    (problem,) = problems
    assert problem.where == ("worker",)
    assert handle.failed


def test_work_runs_in_another_thread_and_is_answered_in_this_one(
    context: Context, crank: HandCranked
) -> None:
    threads: list[int] = []

    def add_one(number: int) -> int:
        threads.append(threading.get_ident())
        return number + 1

    reply = context.work(add_one, 41)
    reply.then(lambda _: threads.append(threading.get_ident()))
    crank.wait(lambda: reply.settled)
    assert reply.value() == 42
    assert threads[0] != threads[1] == threading.get_ident()


def test_work_that_raises_fails_its_reply_and_nothing_else(
    context: Context, handle: ProxyHandle, crank: HandCranked
) -> None:
    def leave() -> None:
        raise SystemExit(2)

    failed, left = context.work(lambda: 1 // 0), context.work(leave)
    crank.wait(lambda: failed.settled and left.settled)
    assert isinstance(failed.error, ZeroDivisionError)
    assert isinstance(left.error, CallFailedError)
    assert not handle.ended


def test_an_error_in_a_callback_of_a_result_is_contained(
    context: Context, handle: ProxyHandle, crank: HandCranked, problems: Problems
) -> None:
    context.work(lambda: 0).then(lambda reply: 1 // reply.value())
    crank.wait(lambda: handle.ended)
    assert [problem.where for problem in problems] == [("worker",)]


def test_an_ended_object_gets_no_results_of_its_work(
    node: Node, context: Context, handle: ProxyHandle, crank: HandCranked
) -> None:
    gate, told = threading.Event(), list[object]()
    context.work(gate.wait).then(told.append)
    handle.close()
    gate.set()
    after = Context(Proxy(node, ("other",), ObjectType())).work(lambda: None)
    crank.wait(lambda: after.settled)
    crank.settle()
    assert told == []


def test_a_coroutine_awaits_replies(context: Context) -> None:
    first: Reply[int] = Reply()
    second: Reply[int] = Reply()

    async def add() -> int:
        return await first + await second

    total = context.spawn(add())
    first.resolve(1)
    assert not total.settled
    second.resolve(2)
    assert total.value() == 3


def test_a_coroutine_sees_a_failure_as_an_exception(context: Context) -> None:
    asked: Reply[int] = Reply()

    async def ask() -> str:
        try:
            await asked
        except CallFailedError as error:
            return f"told: {error}"
        return "unreachable"

    answer = context.spawn(ask())
    asked.fail(CallFailedError("the other side left"))
    assert answer.value() == "told: the other side left"


def test_a_coroutine_that_raises_ends_its_object(
    context: Context, handle: ProxyHandle, problems: Problems
) -> None:
    async def fail() -> None:
        raise ValueError("no")

    context.spawn(fail())
    assert handle.failed
    assert [problem.kind for problem in problems] == [Kind.RAISED]


def test_a_coroutine_is_closed_when_its_object_ends(context: Context, handle: ProxyHandle) -> None:
    never: Reply[None] = Reply()
    log: list[str] = []

    async def wait() -> None:
        try:
            await never
        finally:
            log.append("closed")

    reply = context.spawn(wait())
    handle.close()
    assert log == ["closed"]
    assert isinstance(reply.error, CancelledReplyError)


def test_a_coroutine_that_ends_its_own_object_is_closed_at_its_next_await(
    context: Context, handle: ProxyHandle
) -> None:
    log: list[str] = []

    async def end() -> None:
        handle.close()
        log.append("goes on to its next await")
        await Reply()
        log.append("never")

    context.spawn(end())
    assert log == ["goes on to its next await"]
    assert handle.ended


def test_an_object_can_report_a_problem_of_its_own(context: Context, problems: Problems) -> None:
    context.report("the camera is off", "switch it on")
    (problem,) = problems
    assert str(problem) == "worker: the camera is off (switch it on)"


def test_a_reply_can_be_settled_once() -> None:
    reply: Reply[int] = Reply()
    with pytest.raises(CallFailedError, match="not here yet"):
        reply.value()
    reply.resolve(1)
    reply.resolve(2)
    reply.fail(ValueError())
    reply.cancel()
    assert reply.value() == 1
    heard: list[int] = []
    reply.then(lambda settled: heard.append(settled.value()))
    assert heard == [1]


def test_a_coroutine_begins_inside_the_handler_that_spawns_it(node: Node, context: Context) -> None:
    """So an `async` handler does not fall behind the plain handlers that follow it."""
    log: list[str] = []

    async def story() -> None:
        log.append("begun")

    def handler() -> None:
        context.spawn(story())
        log.append("handler goes on")

    node.queue.perform(Delivery(context._proxy, handler, "test"))
    assert log == ["begun", "handler goes on"]


def test_an_error_in_clean_up_is_a_problem_and_the_object_still_ends(
    context: Context, handle: ProxyHandle, problems: Problems
) -> None:
    never: Reply[None] = Reply()

    async def untidy() -> None:
        try:
            await never
        finally:
            raise LookupError("while tidying up")

    context.spawn(untidy())
    handle.close()
    (problem,) = problems
    assert "cleaning up raised LookupError: while tidying up" in problem.what
    assert handle.ended


def test_a_shared_object_is_gone_with_its_last_proxy(node: Node, context: Context) -> None:
    class Drawer:
        pass

    other = Context(Proxy(node, ("other",), ObjectType()))
    drawer = context.shared(Drawer, "name")
    assert other.shared(Drawer, "name") is drawer
    assert other.shared(Drawer, "another") is not drawer
    watch = weakref.ref(drawer)
    del drawer
    assert watch() is None, "sharing keeps nothing alive"


def test_the_clock_and_the_place_are_known(context: Context, crank: HandCranked) -> None:
    crank.advance(1.5)
    assert context.now() == 1.5
    assert context.path == ("worker",)
    assert not context.ended


def test_a_program_without_loader_or_tunnels_says_so(context: Context) -> None:
    with pytest.raises(CallFailedError, match="has no loader"):
        context.dereference("<Object/>")
    with pytest.raises(CallFailedError, match="has no loader"):
        context.fits("<Object/>", object)
    with pytest.raises(CallFailedError, match="has no loader"):
        context.may_fit("<Object/>", object)
    with pytest.raises(CallFailedError, match="has no tunnels"):
        context.offer("door")
    with pytest.raises(UnknownNameError, match="no 'door'"):
        context.external("door")


def test_a_function_from_outside_runs_as_a_handler(
    node: Node, context: Context, handle: ProxyHandle, problems: Problems
) -> None:
    seen: list[object] = []
    take = context.from_outside(seen.append)

    def handler() -> None:
        take(1)
        seen.append("the handler goes on")

    node.queue.inside(handle.proxy(), "a handler", handler)
    assert seen == ["the handler goes on", 1]
    context.from_outside(lambda: 1 // 0)()
    assert handle.failed
    assert len(list(problems)) == 1
    take(2)
    assert seen == ["the handler goes on", 1]


def test_a_service_of_the_program_is_found_by_its_type(node: Node, context: Context) -> None:
    class Clockwork:
        pass

    with pytest.raises(CallFailedError, match="this program has no Clockwork"):
        context.service(Clockwork)
    one = Clockwork()
    node.services[Clockwork] = lambda: one
    assert context.service(Clockwork) is one
