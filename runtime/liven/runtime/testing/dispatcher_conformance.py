"""The requirements on every dispatcher, as tests: derive from the suite,
and say how to make and run yours."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from itertools import pairwise
from typing import Protocol

from liven.runtime.dispatcher.dispatcher import Action, Dispatcher
from liven.runtime.errors import WrongThreadError
from liven.runtime.problems import Kind, Problem


class Harness(Protocol):
    """A dispatcher under test, and a way to let it run."""

    dispatcher: Dispatcher
    problems: list[Problem]

    def run(self, until: Callable[[], bool]) -> None:
        """Let the dispatcher run until `until` holds; raise TimeoutError if it never does."""


class DispatcherConformance:
    """The suite. A subclass gives pytest a fixture named `harness`."""

    def test_calls_are_made_in_the_order_they_were_asked(self, harness: Harness) -> None:
        seen: list[int] = []
        for number in range(50):
            harness.dispatcher.call_soon(_put(seen, number))
        assert seen == [], "a call made soon is never made at once"
        harness.run(lambda: len(seen) == 50)
        assert seen == list(range(50))

    def test_what_a_call_asks_for_waits_for_the_next_turn(self, harness: Harness) -> None:
        seen: list[str] = []

        def first() -> None:
            harness.dispatcher.call_soon(_put(seen, "third"))
            seen.append("first")

        harness.dispatcher.call_soon(first)
        harness.dispatcher.call_soon(_put(seen, "second"))
        harness.run(lambda: len(seen) == 3)
        assert seen == ["first", "second", "third"]

    def test_timers_run_by_time_and_then_by_the_order_of_asking(self, harness: Harness) -> None:
        seen: list[str] = []
        due: dict[str, tuple[float, float]] = {}
        for delay, name in ((0.03, "late"), (0.01, "early"), (0.0, "now"), (0.03, "later")):
            before = harness.dispatcher.now()
            harness.dispatcher.call_later(delay, _put(seen, name))
            due[name] = before + delay, harness.dispatcher.now() + delay
        harness.run(lambda: len(seen) == 4)
        assert seen.index("late") < seen.index("later")
        for one, next_one in pairwise(seen):  # on a busy machine, a later call may be due later
            assert due[one][0] <= due[next_one][1], (seen, due)

    def test_a_timer_never_runs_early(self, harness: Harness) -> None:
        due = harness.dispatcher.now() + 0.02
        seen: list[float] = []
        harness.dispatcher.call_later(0.02, lambda: seen.append(harness.dispatcher.now()))
        harness.run(lambda: bool(seen))
        assert seen[0] >= due - 1e-9

    def test_the_clock_never_goes_back(self, harness: Harness) -> None:
        seen: list[float] = []
        for delay in (0.0, 0.001, 0.005):
            harness.dispatcher.call_later(delay, lambda: seen.append(harness.dispatcher.now()))
        harness.run(lambda: len(seen) == 3)
        assert seen == sorted(seen)

    def test_a_cancelled_call_is_not_made_and_its_function_is_let_go(self, harness: Harness) -> None:
        seen: list[str] = []
        kept = _Kept(seen)
        watch = weakref.ref(kept)
        entries = [harness.dispatcher.call_soon(kept.call), harness.dispatcher.call_later(0.005, kept.call)]
        assert all(entry.active for entry in entries)
        for entry in entries:
            entry.cancel()
            entry.cancel()
        assert not any(entry.active for entry in entries)
        del kept
        assert watch() is None
        harness.dispatcher.call_later(0.01, _put(seen, "after"))
        harness.run(lambda: bool(seen))
        assert seen == ["after"]

    def test_a_call_can_cancel_the_one_that_comes_after_it(self, harness: Harness) -> None:
        seen: list[str] = []
        harness.dispatcher.call_soon(lambda: second.cancel())
        second = harness.dispatcher.call_soon(_put(seen, "second"))
        harness.dispatcher.call_soon(_put(seen, "third"))
        harness.run(lambda: bool(seen))
        assert seen == ["third"]

    def test_an_entry_is_no_longer_active_once_it_ran(self, harness: Harness) -> None:
        seen: list[bool] = []
        entry = harness.dispatcher.call_soon(lambda: seen.append(entry.active))
        harness.run(lambda: bool(seen))
        assert seen == [False]

    def test_a_call_that_raises_is_a_problem_and_the_loop_goes_on(self, harness: Harness) -> None:
        seen: list[str] = []

        def leave() -> None:
            raise SystemExit(3)

        harness.dispatcher.call_soon(lambda: 1 // 0)
        harness.dispatcher.call_soon(leave)
        harness.dispatcher.call_later(0.001, _put(seen, "after"))
        harness.run(lambda: bool(seen))
        assert [problem.kind for problem in harness.problems] == [Kind.RAISED, Kind.RAISED]
        assert "ZeroDivisionError" in harness.problems[0].what
        assert "1 // 0" in harness.problems[0].detail
        assert "SystemExit: 3" in harness.problems[1].what

    def test_a_delay_that_is_none_is_refused(self, harness: Harness) -> None:
        for delay in (-1.0, float("nan"), float("inf")):
            try:
                harness.dispatcher.call_later(delay, lambda: None)
            except ValueError as error:
                assert "a delay is zero or more seconds" in str(error)
            else:
                raise AssertionError(f"{delay} was taken for a delay")

    def test_any_thread_may_post_and_order_is_kept(self, harness: Harness) -> None:
        seen: list[object] = []

        def work() -> None:
            for number in range(20):
                harness.dispatcher.post(_put(seen, number))
            harness.dispatcher.post(lambda: seen.append(threading.get_ident()))

        thread = threading.Thread(target=work)
        thread.start()
        harness.run(lambda: len(seen) == 21)
        thread.join()
        assert seen == [*range(20), threading.get_ident()]

    def test_another_thread_may_not_call_soon(self, harness: Harness) -> None:
        refused: list[str] = []

        def work() -> None:
            try:
                harness.dispatcher.call_soon(lambda: None)
            except WrongThreadError as error:
                refused.append(str(error))

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        assert "post" in refused[0]

    def test_a_descriptor_is_watched_until_it_is_cancelled(self, harness: Harness) -> None:
        reader, writer = os.pipe()
        seen: list[bytes] = []
        try:
            entry = harness.dispatcher.watch_fd(reader, lambda: seen.append(os.read(reader, 1)))
            assert entry.active
            os.write(writer, b"a")
            harness.run(lambda: seen == [b"a"])
            os.write(writer, b"b")
            harness.run(lambda: seen == [b"a", b"b"])
            entry.cancel()
            entry.cancel()
            assert not entry.active
            os.write(writer, b"c")
            self._let_pass(harness, 0.01)
            assert seen == [b"a", b"b"]
        finally:
            os.close(reader)
            os.close(writer)

    def test_a_descriptor_can_be_watched_for_writing(self, harness: Harness) -> None:
        reader, writer = os.pipe()
        seen: list[str] = []
        try:
            entry = harness.dispatcher.watch_fd(writer, _put(seen, "can write"), write=True)
            harness.run(lambda: bool(seen))
            entry.cancel()
        finally:
            os.close(reader)
            os.close(writer)

    def test_a_watch_that_raises_is_a_problem_and_goes_on(self, harness: Harness) -> None:
        reader, writer = os.pipe()
        try:

            def ready() -> None:
                os.read(reader, 1)
                raise LookupError("no such thing")

            entry = harness.dispatcher.watch_fd(reader, ready)
            for count in (1, 2):
                os.write(writer, b"x")
                harness.run(lambda count=count: len(harness.problems) == count)  # type: ignore[misc]
            entry.cancel()
        finally:
            os.close(reader)
            os.close(writer)

    def test_a_descriptor_that_is_none_is_refused(self, harness: Harness) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        os.close(writer)
        try:
            harness.dispatcher.watch_fd(reader, lambda: None)
        except OSError:
            return
        raise AssertionError("a closed descriptor was watched")

    def test_many_cancelled_timers_are_not_kept(self, harness: Harness) -> None:
        kept: list[weakref.ref[_Kept]] = []
        for _ in range(2000):
            thing = _Kept([])
            kept.append(weakref.ref(thing))
            harness.dispatcher.call_later(3600, thing.call).cancel()
            del thing
        assert not any(watch() for watch in kept)

    def _let_pass(self, harness: Harness, seconds: float) -> None:
        passed: list[str] = []
        harness.dispatcher.call_later(seconds, _put(passed, "passed"))
        harness.run(lambda: bool(passed))


class _Kept:
    """An object whose lifetime a test watches."""

    def __init__(self, seen: list[str]) -> None:
        self.seen = seen

    def call(self) -> None:
        self.seen.append("called")


def _put(seen: list, item: object) -> Action:  # type: ignore[type-arg]
    return lambda: seen.append(item)


def give_up_after(seconds: float = 60.0) -> Callable[[], None]:
    """Return a check that raises TimeoutError after `seconds`, for the `run` of a harness."""
    end = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() > end:
            raise TimeoutError(f"the condition did not hold within {seconds:g} seconds")

    return check
