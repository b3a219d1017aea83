from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from liven.runtime.dispatcher.handler_interruption import HandlerInterruption
from liven.runtime.errors import HandlerInterrupted
from liven.runtime.objects.event_queue import Delivery, EventQueue
from liven.runtime.problems import Kind, Problem

ROUNDS = 2000


class _Party:
    path = ("busy",)
    deaf = False

    def fail(self) -> None: ...

    def end(self) -> None: ...


@contextmanager
def interrupted_all_the_time(queue: EventQueue) -> Iterator[None]:
    """Interrupt any running handler from another thread, much more often than a watchdog would."""
    over = threading.Event()

    def interrupt() -> None:
        while not over.is_set():
            queue.interrupt(queue.serial)
            time.sleep(0)

    thread = threading.Thread(target=interrupt)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(interval)


def test_an_interruption_strikes_in_the_thread_it_was_sent_to() -> None:
    interruption = HandlerInterruption(threading.get_ident())
    with pytest.raises(HandlerInterrupted):
        sent(lambda: interruption.send(lambda: True))


def test_an_interruption_that_is_no_longer_wanted_is_not_sent() -> None:
    interruption = HandlerInterruption(threading.get_ident())
    sent(lambda: interruption.send(lambda: False))
    interruption.take_back()


def test_an_error_in_wanted_does_not_block_the_other_thread() -> None:
    interruption = HandlerInterruption(threading.get_ident())
    with pytest.raises(ZeroDivisionError):
        interruption.send(lambda: 1 // 0 == 1)
    interruption.take_back()


def test_taking_back_waits_until_the_other_thread_has_decided() -> None:
    interruption = HandlerInterruption(threading.get_ident())
    entered, go = threading.Event(), threading.Event()

    def hesitate() -> bool:
        entered.set()
        return go.wait(60)

    thread = threading.Thread(target=lambda: interruption.send(hesitate))
    thread.start()
    assert entered.wait(60)
    threading.Timer(0.02, go.set).start()
    struck = 0
    try:
        interruption.take_back()
    except HandlerInterrupted:  # it may strike in here, where a handler's end expects it; never later
        struck += 1
    thread.join()
    assert go.is_set()
    assert struck <= 1


def test_an_interruption_never_strikes_outside_its_handler() -> None:
    problems: list[Problem] = []
    queue = EventQueue(problems.append)
    party = _Party()
    done = number = 0

    def work() -> None:
        nonlocal done
        for _ in range(number):
            pass
        done += 1

    def lead_to_more() -> None:
        for _ in range(3):
            queue.perform(Delivery(party, work, "more"))

    end = time.monotonic() + 60
    with interrupted_all_the_time(queue):
        for round_ in count():
            number = round_ % ROUNDS
            queue.perform(Delivery(party, lead_to_more if number % 2 else work, "work"))
            assert not queue.busy
            assert not queue.pending
            if round_ >= ROUNDS and done and problems:  # some were struck, when the other thread came to it
                break
            assert time.monotonic() < end, "nothing was struck, or everything"
    assert {problem.kind for problem in problems} == {Kind.INTERRUPTED}


def test_a_handler_that_raises_while_it_is_interrupted_is_reported_once() -> None:
    problems: list[Problem] = []
    queue = EventQueue(problems.append)
    party = _Party()

    def fail() -> None:
        raise ValueError("on its own")

    with interrupted_all_the_time(queue):
        for number in range(ROUNDS):
            queue.perform(Delivery(party, fail, "work"))
            assert len(problems) == number + 1
    assert {problem.kind for problem in problems} <= {Kind.INTERRUPTED, Kind.RAISED}


def test_an_inner_handler_is_interrupted_without_the_outer_one() -> None:
    problems: list[Problem] = []
    queue = EventQueue(problems.append)
    party, outer = _Party(), _Party()
    caught: list[bool] = []

    def build() -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass

    def around() -> None:
        try:
            queue.inside(party, "its constructor", build)
        except HandlerInterrupted:
            caught.append(queue.busy)

    def interrupt_the_inner_one() -> None:
        while not caught:
            if queue.running()[-1:] == ("its constructor",):
                queue.interrupt(queue.serial)
            time.sleep(0.001)

    thread = threading.Thread(target=interrupt_the_inner_one)
    thread.start()
    queue.perform(Delivery(outer, around, "loading"))
    thread.join()
    assert caught == [True]
    assert problems == []
    assert not queue.busy


def sent(send: Callable[[], None]) -> None:
    """Send an interruption from another thread, and go on for a while."""
    thread = threading.Thread(target=send)
    thread.start()
    while thread.is_alive():
        pass
    sum(range(1000))
