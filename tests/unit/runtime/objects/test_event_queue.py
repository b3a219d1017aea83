from __future__ import annotations

import pytest

from liven.runtime.errors import HandlerInterrupted, NotConnectedError
from liven.runtime.objects.event_queue import Delivery
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.problems import Kind, Problems
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.value_types import INT32, record

PING = EndpointType(inputs=(("pong", record(n=INT32)),), outputs=(("ping", record(n=INT32)),))
PONG = EndpointType(inputs=(("ping", record(n=INT32)),), outputs=(("pong", record(n=INT32)),))


def joined(node: Node) -> tuple[Probe, Probe]:
    left, right = Probe(node, PING, "left"), Probe(node, PONG, "right")
    left.connect(right)
    left.heard.clear()
    right.heard.clear()
    return left, right


def test_an_event_from_outside_is_handled_before_send_returns(node: Node) -> None:
    left, right = joined(node)
    left.send("ping", 1)
    assert right.heard == [("ping", 1)]


def test_an_event_from_inside_waits_until_the_handler_is_done(node: Node) -> None:
    left, right = joined(node)
    order: list[str] = []

    def on_ping(n: int) -> None:
        right.send("pong", n)
        order.append("ping handled")

    right.react(ping=on_ping)
    left.react(pong=lambda _: order.append("pong handled"))
    left.send("ping", 1)
    assert order == ["ping handled", "pong handled"]


def test_order_is_first_in_first_out_over_all_connections(node: Node) -> None:
    left, right = joined(node)
    others = [joined(node) for _ in range(3)]
    order: list[tuple[int, int]] = []

    def on_ping(n: int) -> None:
        for value in range(2):
            for number, (other, _) in enumerate(others):
                other.send("ping", value * 10 + number)

    for number, (_, receiver) in enumerate(others):
        receiver.react(ping=lambda n, number=number: order.append((number, n)))
    right.react(ping=on_ping)
    left.send("ping", 0)
    assert order == [(0, 0), (1, 1), (2, 2), (0, 10), (1, 11), (2, 12)]


def test_an_object_that_raises_is_reported_and_its_neighbour_disconnected(
    node: Node, problems: Problems
) -> None:
    left, right = joined(node)
    bystanders = joined(node)
    right.react(ping=lambda n: 1 // n)
    left.send("ping", 0)
    (problem,) = problems
    assert problem.kind is Kind.RAISED
    assert problem.where == ("right",)
    assert "end.ping raised ZeroDivisionError" in problem.what
    assert "1 // n" in problem.detail
    assert left.heard == [("disconnect",)]
    assert right.failed
    assert right.handle.ended
    bystanders[0].send("ping", 7)
    assert bystanders[1].heard == [("ping", 7)]


@pytest.mark.parametrize("fault", [SystemExit(1), GeneratorExit(), HandlerInterrupted()])
def test_no_fault_of_one_object_ends_the_others(node: Node, problems: Problems, fault: BaseException) -> None:
    left, right = joined(node)

    def raise_it(n: int) -> None:
        raise fault

    right.react(ping=raise_it)
    left.send("ping", 0)
    (problem,) = problems
    expected = Kind.INTERRUPTED if isinstance(fault, HandlerInterrupted) else Kind.RAISED
    assert problem.kind is expected
    assert left.heard == [("disconnect",)]


def test_a_keyboard_interrupt_passes_through_and_the_queue_still_works(node: Node) -> None:
    left, right = joined(node)

    def interrupt(n: int) -> None:
        raise KeyboardInterrupt

    right.react(ping=interrupt)
    with pytest.raises(KeyboardInterrupt):
        left.send("ping", 0)
    assert not node.queue.busy
    right.send("pong", 1)
    assert left.heard == [("pong", 1)]


def test_wrong_arguments_are_the_fault_of_the_sender(node: Node, problems: Problems) -> None:
    left, right = joined(node)
    right.react(ping=lambda _: None)
    left.send("ping", 1, 2)
    (problem,) = problems
    assert problem.where == ("left",)
    assert "was sent to right and gave TypeError" in problem.what
    assert left.failed
    assert not right.handle.ended
    assert right.heard == [("disconnect",)]


def test_a_type_error_inside_the_handler_is_the_fault_of_the_receiver(node: Node, problems: Problems) -> None:
    left, right = joined(node)
    right.react(ping=lambda n: len(n))
    left.send("ping", 1)
    assert [problem.where for problem in problems] == [("right",)]


def test_events_for_a_failed_object_are_dropped(node: Node, problems: Problems) -> None:
    left, right = joined(node)
    handled: list[int] = []

    def on_ping(n: int) -> None:
        handled.append(n)
        raise ValueError(n)

    def ask_twice(n: int) -> None:
        left.send("ping", 1)
        left.send("ping", 2)

    right.react(ping=on_ping)
    left.react(pong=ask_twice)
    right.send("pong", 0)
    assert handled == [1]
    assert len(problems) == 1


def test_two_that_answer_each_other_without_end_are_cut_and_the_loop_is_named(
    node: Node, problems: Problems
) -> None:
    node.queue.turn_limit = 1000
    left, right = joined(node)
    right.react(ping=lambda n: right.send("pong", n + 1))
    left.react(pong=lambda n: left.send("ping", n + 1))
    left.send("ping", 0)
    (problem,) = problems
    assert problem.kind is Kind.OVERFLOW
    assert (
        "left/end.pong → right/end.ping" in problem.what or "right/end.ping → left/end.pong" in problem.what
    )
    assert problem.what.count("→") == 1
    assert not left.end.connected
    assert not right.end.connected
    assert not left.handle.ended


def test_a_flood_inside_one_handler_is_cut_at_the_connection_that_floods(
    node: Node, problems: Problems
) -> None:
    node.queue.pending_limit = 100
    left, right = joined(node)
    quiet = joined(node)

    def flood(n: int) -> None:
        quiet[0].send("ping", 42)
        for _ in range(1000):
            right.send("pong", n)

    right.react(ping=flood)
    left.send("ping", 1)
    (overflow,) = problems
    assert overflow.kind is Kind.OVERFLOW
    assert "more than 100 events are waiting" in overflow.what
    assert "left/end.pong (99 of 100" in overflow.what
    assert quiet[1].heard == [("ping", 42)]
    assert not node.queue.pending
    assert left.heard == [("disconnect",)]


def test_a_timer_that_asks_for_itself_within_a_turn_is_cut_too(node: Node, problems: Problems) -> None:
    node.queue.turn_limit = 200
    probe = Probe(node, PING, "lonely")
    proxy = probe.handle.proxy()
    delivery = Delivery(proxy, lambda: node.queue.perform(delivery), "again")
    node.queue.perform(delivery)
    (problem,) = problems
    assert problem.kind is Kind.OVERFLOW
    assert "lonely/again" in problem.what
    assert probe.handle.ended


def test_the_running_handler_is_known_to_the_watchdog(node: Node) -> None:
    left, right = joined(node)
    seen: list[tuple[str, ...]] = []
    right.react(ping=lambda _: seen.append(node.queue.running()))
    left.send("ping", 0)
    assert seen == [("right", "end.ping")]
    assert node.queue.running() == ()


def test_sending_from_a_handler_without_a_connection_is_the_senders_own_fault(
    node: Node, problems: Problems
) -> None:
    left, right = joined(node)
    alone = Probe(node, PING, "alone")
    right.react(ping=lambda n: alone.send("ping", n))
    left.send("ping", 0)
    (problem,) = problems
    assert problem.where == ("right",)
    assert NotConnectedError.__name__ in problem.what


def test_events_interleave_the_same_way_each_time(node: Node) -> None:
    assert countdown(*joined(node)) == countdown(*joined(node)) == [9, -8, 7, -6, 5, -4, 3, -2, 1, 0]


def countdown(left: Probe, right: Probe) -> list[int]:
    log: list[int] = []

    def on_ping(n: int) -> None:
        log.append(n)
        if n:
            right.send("pong", n - 1)

    def on_pong(n: int) -> None:
        log.append(-n)
        if n:
            left.send("ping", n - 1)

    right.react(ping=on_ping)
    left.react(pong=on_pong)
    left.send("ping", 9)
    return log
