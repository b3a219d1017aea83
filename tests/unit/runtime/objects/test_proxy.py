from __future__ import annotations

import gc
import pickle
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import EndedError, UnknownNameError
from liven.runtime.objects.context import Context
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.problems import Kind, Problems
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.value_types import TEXT, record

SPEAKER = EndpointType(inputs=(("heard", record(text=TEXT)),), outputs=(("say", record(text=TEXT)),))
LISTENER = opposite(SPEAKER)


class Instance:
    """An author's object with a cycle through the runtime: handlers, timers, context."""

    def __init__(self, proxy: Proxy) -> None:
        self.context = Context(proxy)
        self.end = proxy.add_endpoint("end", SPEAKER)
        self.end.handle({"heard": self.heard, "connect": self.connected, "disconnect": self.disconnected})
        self.log: list[str] = []
        self.context.call_later(3600, self.connected)
        proxy.last_words = self.ended

    def heard(self, text: str) -> None:
        self.log.append(text)

    def connected(self) -> None:
        self.end.send("say", "hello")

    def disconnected(self) -> None:
        self.log.append("disconnected")

    def ended(self) -> None:
        self.log.append("ended")


def start(node: Node, name: str = "speaker") -> tuple[ProxyHandle, Instance]:
    proxy = Proxy(node, (name,), ObjectType((("end", SPEAKER),)))
    proxy.instance = Instance(proxy)
    return ProxyHandle(proxy), proxy.instance


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_the_last_close_ends_the_proxy_at_once(node: Node) -> None:
    handle, instance = start(node)
    other = handle.clone()
    log = instance.log
    handle.close()
    assert not other.ended
    other.close()
    assert log == ["ended"]
    assert not node.running


def test_dropping_the_last_handle_ends_the_proxy_and_tells_its_neighbour(node: Node) -> None:
    handle, instance = start(node)
    probe = Probe.joined_to(node, handle.endpoint("end"))
    log = instance.log
    del handle, instance
    assert log == ["disconnected", "ended"]
    assert probe.heard == [("connect",), ("say", "hello"), ("disconnect",)]


def test_a_handle_dropped_inside_a_handler_ends_the_proxy_before_control_returns(node: Node) -> None:
    handle, instance = start(node)
    held = [handle]
    del handle
    order: list[str] = []
    instance.log = order
    probe = Probe(node, LISTENER)

    def drop(text: str) -> None:
        held.clear()
        order.append("dropped")

    other = Probe(node, SPEAKER, "other")
    probe.react(say=drop)
    other.connect(probe)
    del instance
    other.send("say", "drop it")
    assert order == ["dropped", "ended"]


def test_a_handle_dropped_in_another_thread_ends_the_proxy_on_the_dispatchers(
    node: Node, crank: HandCranked
) -> None:
    handle, instance = start(node)
    held, log = [handle], instance.log
    del handle, instance
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert log == []
    crank.settle()
    assert log == ["ended"]


def test_only_a_handle_keeps_a_proxy_alive(node: Node) -> None:
    """It ends although its external endpoint, its connection and its timer are all held."""
    handle, instance = start(node)
    probe = Probe(node, LISTENER)
    outside = handle.endpoint("end")
    connection = probe.connect(outside)
    watch = weakref.ref(instance)
    del instance
    handle.close()
    assert watch() is None
    assert outside.ended
    assert not connection.open


def live_and_end(node: Node, number: int) -> weakref.ref[Instance]:
    """One life: connected, used, and ended by a close or by a drop."""
    handle, instance = start(node)
    probe = Probe(node, LISTENER)
    probe.connect(handle.endpoint("end"))
    probe.send("heard", "hi")
    if number % 2:
        handle.close()
    return weakref.ref(instance)


def test_no_cycle_is_left_of_ten_thousand_proxies(
    node: Node, crank: HandCranked, without_collector: None
) -> None:
    watches = [live_and_end(node, number) for number in range(5000)]
    crank.advance(7200)  # past the cancelled timers; the interpreter has warmed up by now
    before = sys.getallocatedblocks()
    for number in range(10_000):
        watch = live_and_end(node, number)
        assert watch() is None
    crank.advance(7200)
    assert sys.getallocatedblocks() - before < 100
    assert not any(watch() for watch in watches)
    assert not node.running
    assert len(crank.timers) == 0


def test_no_cycle_is_left_of_proxies_that_fail(
    node: Node, problems: Problems, without_collector: None
) -> None:
    watches: list[weakref.ref[Instance]] = []
    for _ in range(100):
        handle, instance = start(node)
        watches.append(weakref.ref(instance))
        probe = Probe.joined_to(node, handle.endpoint("end"))
        instance.end.handle({"heard": lambda _: 1 // 0})
        probe.send("heard", "boom")
        assert handle.failed
        del handle, instance
        probe.close()
    assert len(problems) == 100
    assert not any(watch() for watch in watches)
    assert not node.running


def test_a_fault_ends_the_proxy_without_running_its_code_again(node: Node) -> None:
    handle, instance = start(node)
    probe = Probe.joined_to(node, handle.endpoint("end"))
    log = instance.log
    told: list[bool] = []
    handle.on_end(told.append)
    instance.end.handle({"heard": lambda _: 1 // 0})
    probe.send("heard", "boom")
    assert log == []
    assert probe.heard[-1] == ("disconnect",)
    assert told == [True]
    assert handle.failed
    with pytest.raises(EndedError, match="speaker has ended"):
        handle.endpoint("end")


def test_a_proxy_that_raises_at_its_end_still_ends(node: Node, problems: Problems) -> None:
    handle, instance = start(node)
    proxy = handle.proxy()
    proxy.last_words = lambda: 1 // 0
    del instance
    handle.close()
    assert [problem.kind for problem in problems] == [Kind.RAISED]
    assert proxy.ended
    assert proxy.instance is None


def test_end_listeners_are_called_once(node: Node) -> None:
    handle, _ = start(node)
    told: list[bool] = []
    proxy = handle.proxy()
    handle.on_end(told.append)
    handle.close()
    assert told == [False]
    proxy.on_end(told.append)
    assert told == [False, False]


def test_parts_end_after_the_whole_unless_others_hold_them(node: Node) -> None:
    whole, _ = start(node, "whole")
    part, part_instance = start(node, "part")
    kept, kept_instance = start(node, "kept")
    order: list[str] = []
    whole.on_end(lambda _: order.append("whole"))
    part.on_end(lambda _: order.append("part"))
    whole.proxy().parts = [part, kept.clone()]
    del part, part_instance, kept_instance
    whole.close()
    assert order == ["whole", "part"]
    assert not kept.ended


def test_the_timers_of_an_ended_proxy_do_not_run(node: Node, crank: HandCranked) -> None:
    handle, instance = start(node)
    log: list[str] = []
    instance.context.call_soon(lambda: log.append("soon"))
    instance.context.call_later(1, lambda: log.append("later"))
    handle.close()
    crank.advance(10)
    assert log == []


def test_an_unknown_endpoint_is_named_with_those_there_are(node: Node) -> None:
    handle, _ = start(node)
    with pytest.raises(UnknownNameError, match="no 'channel'; it has end"):
        handle.endpoint("channel")
    assert list(handle.endpoints) == ["end"]


def test_a_handle_cannot_leave_the_process(node: Node) -> None:
    handle, _ = start(node)
    with pytest.raises(TypeError, match="send a reference instead"):
        pickle.dumps(handle)


def test_using_a_closed_handle_is_an_error(node: Node) -> None:
    handle, _ = start(node)
    with handle:
        pass
    handle.close()
    assert handle.ended
    with pytest.raises(EndedError):
        handle.clone()
