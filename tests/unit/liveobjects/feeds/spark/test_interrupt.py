"""Ctrl+C during a job: the first asks it to end, the second interrupts, and the end restores the handler."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from liven.liveobjects.feeds.spark.interrupt import heeded_interrupts, own_interrupts


@pytest.fixture(autouse=True)
def handler() -> Iterator[object]:
    before = signal.getsignal(signal.SIGINT)
    yield before
    signal.signal(signal.SIGINT, before)


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_the_first_interrupt_cancels_from_another_thread() -> None:
    asked, threads = threading.Event(), []

    def cancel() -> None:
        threads.append(threading.current_thread())
        asked.set()

    with heeded_interrupts(cancel):
        press()
        assert asked.wait(60)
    assert threads[0] is not threading.current_thread()


def test_the_second_interrupt_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt), heeded_interrupts(lambda: None):
        press()
        press()


def test_the_handler_is_restored(handler: object) -> None:
    with own_interrupts():
        signal.signal(signal.SIGINT, lambda *_: None)  # as pyspark does
        with heeded_interrupts(lambda: None):
            press()
    assert signal.getsignal(signal.SIGINT) == handler


def test_a_thread_beside_the_main_one_gets_no_interrupts(handler: object) -> None:
    done: list[bool] = []

    def work() -> None:
        with own_interrupts(), heeded_interrupts(lambda: None):
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
    assert signal.getsignal(signal.SIGINT) == handler
