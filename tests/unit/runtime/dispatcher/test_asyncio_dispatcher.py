from __future__ import annotations

import asyncio
import gc
import os
import threading
import weakref
from collections.abc import Callable, Iterator

import pytest

from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.problems import Problem
from liven.runtime.testing.dispatcher_conformance import DispatcherConformance, give_up_after


class _OnLoop:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.problems: list[Problem] = []
        self.dispatcher = AsyncioDispatcher(self.loop, self.problems.append)

    def run(self, until: Callable[[], bool]) -> None:
        check = give_up_after()

        async def wait() -> None:
            while not until():
                check()
                await asyncio.sleep(0.0005)

        self.loop.run_until_complete(wait())


@pytest.fixture
def harness() -> Iterator[_OnLoop]:
    on_loop = _OnLoop()
    yield on_loop
    on_loop.dispatcher.close()
    on_loop.loop.close()


class TestAsyncioDispatcher(DispatcherConformance):
    pass


def test_an_earlier_timer_brings_the_turn_forward(harness: _OnLoop) -> None:
    seen: list[str] = []
    harness.dispatcher.call_later(3600, lambda: seen.append("much later"))
    harness.dispatcher.call_later(0.001, lambda: seen.append("soon"))
    harness.run(lambda: bool(seen))
    assert seen == ["soon"]


def test_closing_takes_everything_off_the_loop(harness: _OnLoop) -> None:
    seen: list[str] = []
    harness.dispatcher.call_later(0.001, lambda: seen.append("never"))
    harness.dispatcher.close()
    harness.loop.run_until_complete(asyncio.sleep(0.01))
    assert seen == []


def test_a_descriptor_watched_twice_is_refused(harness: _OnLoop) -> None:
    reader, writer = os.pipe()
    entry = harness.dispatcher.watch_fd(reader, lambda: None)
    with pytest.raises(ValueError, match="already watched"):
        harness.dispatcher.watch_fd(reader, lambda: None)
    entry.cancel()
    harness.dispatcher.watch_fd(reader, lambda: None).cancel()
    os.close(reader)
    os.close(writer)


def _post_in_a_thread(dispatcher: AsyncioDispatcher, action: Callable[[], object]) -> list[BaseException]:
    """Post `action` in another thread; return the errors that this raised."""
    errors: list[BaseException] = []

    def post() -> None:
        try:
            dispatcher.post(action)
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=post)
    thread.start()
    thread.join()
    return errors


def test_a_post_after_closing_is_dropped(harness: _OnLoop) -> None:
    seen: list[str] = []

    def action() -> None:
        seen.append("never")

    kept = weakref.ref(action)
    harness.dispatcher.close()
    assert _post_in_a_thread(harness.dispatcher, action) == []
    harness.loop.run_until_complete(asyncio.sleep(0.01))
    assert seen == []
    del action
    gc.collect()
    assert kept() is None, "nothing is kept for a loop that does not come back"


def test_a_post_to_a_loop_that_its_owner_closed_does_not_raise_in_the_worker(harness: _OnLoop) -> None:
    seen: list[str] = []
    harness.loop.close()
    assert _post_in_a_thread(harness.dispatcher, lambda: seen.append("never")) == []
    with pytest.raises(RuntimeError, match="closed"):
        harness.loop.call_soon_threadsafe(lambda: None)
    assert seen == []
