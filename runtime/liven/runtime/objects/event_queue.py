"""The run-to-completion queue: one per process, so that no object ever needs a lock.

Its law: at any time at most one handler runs. An event sent outside any handler is handled at once; an event
sent inside one is queued and handled before control returns, first in, first out. An error in a handler stays
with the object it belongs to; so does the interruption of a handler that does not end.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from liven.runtime import author_traceback
from liven.runtime.dispatcher.handler_interruption import HandlerInterruption
from liven.runtime.errors import HandlerInterrupted, UnfitValueError, WrongThreadError
from liven.runtime.problems import Kind, Path, Problem, Report

T = TypeVar("T")
Handler: TypeAlias = Callable[..., object]

PENDING_LIMIT = 100_000
"""The most events that may wait at one time."""
TURN_LIMIT = 200_000
"""The most events that one event from outside may lead to."""
_TRACED = 64
"""The number of last events before the limit, in which a loop is searched."""


class Party(Protocol):
    """The owner of a handler."""

    @property
    def path(self) -> Path: ...

    @property
    def deaf(self) -> bool:
        """True once none of its handlers may run any more."""

    def fail(self) -> None:
        """End it after a fault, without running its code."""

    def end(self) -> None:
        """End it in order."""


class Cuttable(Protocol):
    """A connection, as the queue sees it."""

    open: bool

    def dispose(self) -> None: ...


class Delivery:
    """The destination of one kind of event: made once, used for every event of its name."""

    __slots__ = ("event", "handler", "layers", "receiver", "sender", "via")

    def __init__(
        self,
        receiver: Party,
        handler: Handler,
        event: str,
        sender: Party | None = None,
        via: Cuttable | None = None,
        layers: int | None = None,
    ) -> None:
        self.receiver = receiver
        self.handler = handler
        self.event = event
        self.sender = sender
        self.via = via
        self.layers = layers
        """The number of calls between `handler` and the receiver's code, if the values were not checked
        when they were sent; else None."""

    def like(self, other: Delivery) -> bool:
        """Return True if both bring the same event to the same party."""
        return self.receiver is other.receiver and self.event == other.event

    def __str__(self) -> str:
        return "/".join((*self.receiver.path, self.event))


class EventQueue:
    """The queue and the handler that is running."""

    __slots__ = (
        "_current",
        "_ending",
        "_interruption",
        "_report",
        "busy",
        "pending",
        "pending_limit",
        "serial",
        "thread",
        "turn_limit",
    )

    def __init__(
        self, report: Report, *, pending_limit: int = PENDING_LIMIT, turn_limit: int = TURN_LIMIT
    ) -> None:
        self._report = report
        self._current: Delivery | None = None
        self._ending: deque[Party] = deque()
        self._interruption: HandlerInterruption | None = None
        self.busy = False
        self.pending: deque[tuple[Delivery, tuple[object, ...]]] = deque()
        self.pending_limit = pending_limit
        self.turn_limit = turn_limit
        self.serial = 0
        self.thread = threading.get_ident()

    def running(self) -> Path:
        """The path of the running handler's object, for the watchdog."""
        current = self._current
        return (*current.receiver.path, current.event) if current is not None else ()

    def interrupt(self, serial: int) -> None:
        """Raise HandlerInterrupted in the handler of that number, if it still runs. The watchdog calls
        this in its own thread."""
        interruption = self._interruption = HandlerInterruption(self.thread)
        # read `_current` first: the number was set before it, whichever handler it is of
        interruption.send(lambda: self._current is not None and self.serial == serial)

    def check_thread(self, what: object) -> None:
        """Raise WrongThreadError that names `what`, unless this is the dispatcher's thread."""
        if threading.get_ident() != self.thread:
            raise WrongThreadError(str(what))

    def inside(self, party: Party, what: str, function: Callable[[], T]) -> T:
        """Run `function` at once as part of the running handler; the caller catches its errors."""
        outer, was_busy = self._current, self.busy
        self._current, self.busy = Delivery(party, function, what), True
        self.serial += 1
        try:
            try:
                return function()
            finally:
                self._current = None
                self._leave()
                self.serial += 1  # the time of the enclosing handler starts again
        finally:
            self._current, self.busy = outer, was_busy
            if not was_busy:
                self.flush()

    def perform(self, delivery: Delivery, *args: object) -> None:
        """Run a handler at once if none is running; queue it otherwise."""
        self.check_thread(delivery)
        if self.busy:
            self.put(delivery, args)
        else:
            self.begin(delivery, args)

    def begin(self, delivery: Delivery, args: tuple[object, ...]) -> None:
        """Run a handler while none is running, then every event it led to. `_run` is inlined here because
        this is a hot path."""
        if delivery.receiver.deaf:
            return
        self.busy = True
        self.serial += 1
        self._current = delivery
        try:
            try:
                try:
                    delivery.handler(*args)
                    self._current = None
                    if self._interruption is not None:
                        self._leave()
                except KeyboardInterrupt:
                    self._current = None
                    raise
                except BaseException as error:  # SystemExit too: one object must not end the others
                    self._current = None
                    self._fallen(delivery, error)
            except HandlerInterrupted as error:
                self._fallen(delivery, error)
            if self.pending or self._ending:
                self._drain()
        finally:
            self.busy = False

    def put(self, delivery: Delivery, args: tuple[object, ...]) -> None:
        """Queue an event. If the queue is full, cut the connection that floods it."""
        if len(self.pending) >= self.pending_limit:
            self._flooded()
            if delivery.via is not None and not delivery.via.open:
                return
        self.pending.append((delivery, args))

    def announce(self, delivery: Delivery, *args: object) -> None:
        """Queue an event of the runtime itself (connect, disconnect) even if the queue is full."""
        self.pending.append((delivery, args))

    def flush(self) -> None:
        """Run the queued events, unless a handler is running; then they run after it."""
        if not self.busy:
            self.busy = True
            try:
                self._drain()
            finally:
                self.busy = False

    def end(self, party: Party) -> None:
        """End `party` before control returns from this turn, or now if no handler is running."""
        self._ending.append(party)
        self.flush()

    def _drain(self) -> None:
        left = self.turn_limit
        trace: list[Delivery] = []
        while True:
            while self.pending:
                delivery, args = self.pending.popleft()
                left -= 1
                if left < _TRACED:
                    trace.append(delivery)
                    if left <= 0:
                        self._endless(trace)
                        left = self.turn_limit
                self._run(delivery, args)
            if not self._ending:
                return
            self._ending.popleft().end()

    def _run(self, delivery: Delivery, args: tuple[object, ...]) -> None:
        if delivery.receiver.deaf:
            return
        self.serial += 1
        self._current = delivery
        try:
            try:
                delivery.handler(*args)
                self._current = None
                if self._interruption is not None:
                    self._leave()
            except KeyboardInterrupt:
                self._current = None
                raise
            except BaseException as error:
                self._current = None
                self._fallen(delivery, error)
        except (
            HandlerInterrupted
        ) as error:  # the interruption that was on its way when the handler ended by itself
            self._fallen(delivery, error)

    def _fallen(self, delivery: Delivery, error: BaseException) -> None:
        """Clean up after a handler that raised.

        From the moment when `_current` is None at most one interruption can strike, and none once this has
        left the handler: the rest is done completely.
        """
        self._leave()
        self.contain(delivery, error)

    def _leave(self) -> None:
        """Mark that no handler may be interrupted, and take back an interruption that is on its way."""
        self._current = None
        if self._interruption is not None:
            self._interruption.take_back()
            self._interruption = None

    def contain(self, delivery: Delivery, error: BaseException) -> None:
        """Report a handler's error and end the object at fault."""
        culprit = delivery.receiver
        if delivery.sender is not None and _unfit(error, delivery.layers):
            culprit = delivery.sender
        self._report(_fault(culprit, delivery, error))
        culprit.fail()

    def _flooded(self) -> None:
        (worst, count) = Counter(delivery for delivery, _ in self.pending).most_common(1)[0]
        loop = f"{worst} ({count} of {len(self.pending)} waiting)"
        self._cut(worst, f"more than {self.pending_limit} events are waiting, most of them {loop}")

    def _endless(self, trace: list[Delivery]) -> None:
        last = trace[-1]
        # from the last event back to the previous one like it: this is the loop
        period = next((n for n in range(1, len(trace)) if trace[-1 - n].like(last)), len(trace))
        loop = " → ".join(str(delivery) for delivery in trace[-period:])
        trace.clear()
        self._cut(last, f"{self.turn_limit} events followed from one, in a loop: {loop}")

    def _cut(self, delivery: Delivery, what: str) -> None:
        """Report an overflow and stop it: cut the connection if there is one, else end the object."""
        advice = "the connection was cut; let one side wait for a timer or an answer before it sends again"
        self._report(Problem(Kind.OVERFLOW, delivery.receiver.path, what, advice))
        via = delivery.via
        self.pending = deque(row for row in self.pending if row[0].via is not via or via is None)
        if via is not None:
            via.dispose()
        else:
            self.pending = deque(row for row in self.pending if row[0].receiver is not delivery.receiver)
            delivery.receiver.fail()


def _unfit(error: BaseException, layers: int | None) -> bool:
    """Return True if the values did not fit, so that the receiver's code was never reached:
    the sender's fault."""
    if isinstance(error, UnfitValueError):
        return True
    if layers is None:
        return False
    trace = error.__traceback__
    for _ in range(layers):
        trace = trace.tb_next if trace is not None else None
    return isinstance(error, TypeError) and trace is not None and trace.tb_next is None


def _fault(culprit: Party, delivery: Delivery, error: BaseException) -> Problem:
    if isinstance(error, HandlerInterrupted):
        what = f"{delivery.event} did not end and was interrupted{author_traceback.author_line(error)}"
        return Problem(
            Kind.INTERRUPTED,
            culprit.path,
            what,
            "do long work in `context.work(...)`",
            author_traceback.author_frames(error),
        )
    verb = (
        "raised"
        if culprit is delivery.receiver
        else f"was sent to {'/'.join(delivery.receiver.path)} and gave"
    )
    what = f"{delivery.event} {verb} {type(error).__name__}: {error}{author_traceback.author_line(error)}"
    advice = "the object was ended and its neighbours disconnected; open it again to restart it"
    return Problem(Kind.RAISED, culprit.path, what, advice, author_traceback.author_frames(error))
