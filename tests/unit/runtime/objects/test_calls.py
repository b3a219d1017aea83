from __future__ import annotations

import pytest

from liven.runtime.errors import CallFailedError, NotConnectedError
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Problems
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import INT64, TEXT, optional, record

ANSWER = record(call=INT64, value=optional(INT64), error=optional(TEXT))
CALLER = EndpointType(inputs=(("half.reply", ANSWER),), outputs=(("half", record(call=INT64, n=INT64)),))
SERVER = opposite(CALLER)


def joined(node: Node) -> tuple[Probe, Probe]:
    caller, server = Probe(node, CALLER, "caller"), Probe(node, SERVER, "server")
    caller.connect(server)
    return caller, server


def halve(n: int) -> int:
    if n % 2:
        raise CallFailedError(f"{n} is odd")
    return n // 2


def test_the_answer_comes_back_to_the_call_it_belongs_to(node: Node) -> None:
    caller, server = joined(node)
    server.react(half=halve)
    first, second = caller.call("half", 10), caller.call("half", 20)
    assert (first.value(), second.value()) == (5, 10)


def test_a_refusal_is_an_answer_and_ends_no_object(node: Node, problems: Problems) -> None:
    caller, server = joined(node)
    server.react(half=halve)
    reply = caller.call("half", 3)
    with pytest.raises(CallFailedError, match="3 is odd"):
        reply.value()
    assert len(problems) == 0
    assert not server.handle.ended


def test_the_server_may_answer_later_and_in_another_order(node: Node) -> None:
    caller, server = joined(node)
    pending: list[Reply[int]] = []

    def later(n: int) -> Reply[int]:
        pending.append(Reply())
        return pending[-1]

    server.react(half=later)
    first, second = caller.call("half", 10), caller.call("half", 20)
    pending[1].resolve(2)
    assert second.value() == 2
    assert not first.settled
    pending[0].fail(CallFailedError("not today"))
    assert str(first.error) == "not today"


def test_a_disconnect_fails_all_open_calls(node: Node) -> None:
    caller, server = joined(node)
    server.react(half=lambda _: Reply())
    replies = [caller.call("half", n) for n in range(3)]
    server.close()
    assert ["disconnected before the answer came" in str(reply.error) for reply in replies] == [True] * 3


def test_a_server_that_raises_fails_the_call_through_the_disconnect(node: Node, problems: Problems) -> None:
    caller, server = joined(node)
    server.react(half=lambda _: 1 // 0)
    reply = caller.call("half", 1)
    assert isinstance(reply.error, CallFailedError)
    assert server.failed
    assert len(problems) == 1


def test_a_callers_end_fails_its_open_calls_and_a_late_answer_is_dropped(
    node: Node, problems: Problems
) -> None:
    caller, server = joined(node)
    pending: Reply[int] = Reply()
    server.react(half=lambda _: pending)
    reply = caller.call("half", 1)
    caller.close()
    assert isinstance(reply.error, CallFailedError)
    pending.resolve(1)
    assert len(problems) == 0


def test_a_cancelled_call_ignores_its_answer(node: Node) -> None:
    caller, server = joined(node)
    pending: Reply[int] = Reply()
    server.react(half=lambda _: pending)
    reply = caller.call("half", 1)
    reply.cancel()
    pending.resolve(1)
    assert isinstance(reply.error, CallFailedError)


def test_a_call_without_a_connection_is_an_error(node: Node) -> None:
    caller = Probe(node, CALLER, "caller")
    with pytest.raises(NotConnectedError):
        caller.call("half", 1)


def test_answers_work_over_a_second_connection_too(node: Node) -> None:
    caller, server = joined(node)
    server.react(half=halve)
    assert caller.call("half", 2).value() == 1
    server.close()
    other = Probe(node, SERVER, "other")
    other.react(half=lambda n: n)
    caller.connect(other)
    assert caller.call("half", 8).value() == 8
