"""The context: what a proxy may ask of the place where it runs. A constructor that names it gets it.

Everything asked for here belongs to the proxy: it is cancelled when the proxy ends, keeps nothing alive
until then, and what it raises is contained like a handler's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from liven.runtime.calls import REPLY
from liven.runtime.connection import Connection
from liven.runtime.dispatcher.contract import Action, Entry
from liven.runtime.endpoint import CONNECT, DISCONNECT, Endpoint, ExternalEndpoint
from liven.runtime.errors import CallFailedError, UnknownNameError
from liven.runtime.problems import Kind, Path, Problem
from liven.runtime.proxy import Proxy
from liven.runtime.reply import Reply
from liven.runtime.task import Steps, Task
from liven.runtime.turn import Delivery, Handler

T = TypeVar("T")


def handler_of(method: Handler, context: Context) -> Handler:
    """`method` as a handler: one that is `async` is run piece by piece, and its reply is its answer."""
    if not inspect.iscoroutinefunction(method):
        return method
    return lambda *args, **named: context.spawn(method(*args, **named))


class Context:
    """One proxy's door to the runtime."""

    __slots__ = ("_proxy",)

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    @property
    def path(self) -> Path:
        """Where in the recipe this proxy stands."""
        return self._proxy.path

    @property
    def ended(self) -> bool:
        """Whether the proxy has ended."""
        return self._proxy.ended

    def now(self) -> float:
        """Seconds on the dispatcher's clock."""
        return self._proxy.node.dispatcher.now()

    def call_soon(self, action: Action) -> Entry:
        """Calls `action` in the next turn of the loop."""
        return self._owned(self._proxy.node.dispatcher.call_soon(self._contained(action, "call_soon")))

    def call_later(self, delay: float, action: Action) -> Entry:
        """Calls `action` in `delay` seconds."""
        later = self._proxy.node.dispatcher.call_later
        return self._owned(later(delay, self._contained(action, "call_later")))

    def watch_fd(self, fd: int, action: Action, *, write: bool = False) -> Entry:
        """Calls `action` whenever `fd` can be read, or written."""
        watch = self._proxy.node.dispatcher.watch_fd
        return self._owned(watch(fd, self._contained(action, "watch_fd"), write=write))

    def work(self, function: Callable[..., T], *args: object) -> Reply[T]:
        """Runs `function` in a worker thread, for what blocks; the reply is settled here."""
        reply: Reply[T] = Reply()
        proxy = self._proxy
        proxy.node.workers.run(lambda: _work(proxy, reply, function, args))
        return reply

    def spawn(self, coroutine: Steps[T]) -> Reply[T]:
        """Runs a coroutine that awaits replies; what it raises ends the proxy. Closed when the proxy ends."""
        proxy = self._proxy
        turn = proxy.node.turn
        task = Task(coroutine, lambda step: turn.perform(Delivery(proxy, step, "spawn")), loud=True)
        self._proxy.own(_Spawned(task))
        return task.reply

    def serve(self, endpoint: str, target: object) -> None:
        """Has the methods of `target` handle the events of an endpoint that the class delegates, and its
        `connected` and `disconnected`, if it has them, hear of these."""
        end = self._endpoint(endpoint)
        events = [name for name, _ in end.type.inputs if not name.endswith(REPLY)]
        handlers = {event: handler_of(getattr(target, event), self) for event in events}
        for event, name in ((CONNECT, "connected"), (DISCONNECT, "disconnected")):
            if hasattr(target, name):
                handlers[event] = handler_of(getattr(target, name), self)
        end.handle(handlers)

    def external(self, endpoint: str) -> ExternalEndpoint:
        """One of the proxy's own endpoints, to be given to others."""
        return self._endpoint(endpoint).external()

    def connect(self, endpoint: str, other: ExternalEndpoint) -> Connection:
        """Joins one of the proxy's own endpoints to another that matches."""
        return self._proxy.node.connect(self.external(endpoint), other)

    def report(self, what: str, advice: str = "") -> None:
        """Tells people of a problem that this object noticed itself."""
        self._proxy.node.problems.report(Problem(Kind.RAISED, self.path, what, advice))

    def _endpoint(self, name: str) -> Endpoint:
        try:
            return self._proxy.endpoints[name]
        except KeyError:
            known = tuple(self._proxy.endpoints)
            raise UnknownNameError(f"{self._proxy} as an endpoint", name, known) from None

    def _owned(self, entry: Entry) -> Entry:
        self._proxy.own(entry)
        return entry

    def _contained(self, action: Action, what: str) -> Action:
        proxy = self._proxy
        delivery = Delivery(proxy, action, what)
        return lambda: proxy.node.turn.perform(delivery)


class _Spawned:
    """A running coroutine as an entry that a proxy owns."""

    __slots__ = ("_task",)

    def __init__(self, task: Task[Any]) -> None:
        self._task = task

    @property
    def active(self) -> bool:
        return not self._task.reply.settled

    def cancel(self) -> None:
        self._task.reply.cancel()


def _work(proxy: Proxy, reply: Reply[T], function: Callable[..., T], args: tuple[object, ...]) -> None:
    """In the worker's thread: the result, or the fault, goes back to the dispatcher's."""
    settle: Callable[[], object]
    try:
        result = function(*args)
    except BaseException as error:  # SystemExit too, which would only end the thread unseen
        fault = error if isinstance(error, Exception) else CallFailedError(repr(error))
        settle = _failing(reply, fault)
    else:
        settle = _resolving(reply, result)
    delivery = Delivery(proxy, settle, "work")
    proxy.node.dispatcher.post(lambda: proxy.node.turn.perform(delivery))


def _failing(reply: Reply[Any], fault: Exception) -> Callable[[], object]:
    return lambda: reply.fail(fault)


def _resolving(reply: Reply[T], result: T) -> Callable[[], object]:
    return lambda: reply.resolve(result)
