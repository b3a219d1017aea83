"""The context: what a proxy may ask of the place where it runs. A constructor that names it gets it.

Everything asked for here belongs to the proxy: it is cancelled when the proxy ends, keeps nothing alive
until then, and what it raises is contained like a handler's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from liven.runtime.dispatcher.dispatcher import Action, Entry
from liven.runtime.dispatcher.workers import Workers
from liven.runtime.errors import CallFailedError, NotConnectedError, UnknownNameError
from liven.runtime.objects.calls import REPLY
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.endpoint import CONNECT, DISCONNECT, Endpoint, ExternalEndpoint
from liven.runtime.objects.event_queue import Delivery, Handler
from liven.runtime.objects.node import Loading, Tunnelling
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.task import Steps, Task
from liven.runtime.objects.ui_endpoint import Showing
from liven.runtime.problems import Kind, Path, Problem
from liven.types.declare.annotation.markers import EndpointRef
from liven.types.explanation import Explanation

T = TypeVar("T")


def handler_of(method: Handler, context: Context, *, answers: bool) -> Handler:
    """`method` as a handler: one that is `async` is run piece by piece. Where it `answers` an operation its
    reply is the answer, and a CallFailedError that it raises is one too."""
    if not inspect.iscoroutinefunction(method):
        return method
    quiet = (CallFailedError,) if answers else ()
    return lambda *args, **named: context.run(method(*args, **named), quiet)


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

    @property
    def person(self) -> str:
        """The key of the person at this node, the author of what is edited here; empty if nobody is known."""
        return self._proxy.node.person

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

    def from_outside(self, action: Callable[..., object]) -> Callable[..., None]:
        """`action` as a function that anything on the dispatcher's thread may call: it runs as a handler of
        this proxy does, at once if nothing runs, and not at all once the proxy has ended."""
        turn = self._proxy.node.turn
        delivery = Delivery(self._proxy, action, getattr(action, "__name__", "from_outside"))
        return lambda *args: turn.perform(delivery, *args)

    def perform(self, action: Callable[..., object], *args: object) -> None:
        """Runs `action` now, as what `from_outside` gives does, and keeps nothing for the next time."""
        name = getattr(action, "__name__", "perform")
        self._proxy.node.turn.perform(Delivery(self._proxy, action, name), *args)

    def service(self, kind: type[T]) -> T:
        """What the program brought beside objects, by its type: a transport, a store. CallFailedError if it
        brought none."""
        return self._proxy.node.service(kind)

    def work(self, function: Callable[..., T], *args: object) -> Reply[T]:
        """Runs `function` in a worker thread, for what blocks; the reply is settled here."""
        return self._run_in(self._proxy.node.workers, function, args)

    def errand(self, function: Callable[..., T], *args: object) -> Reply[T]:
        """As `work`, for the runtime's own objects: what loading waits for has workers of its own, so that
        objects which keep all others busy do not stop it."""
        return self._run_in(self._proxy.node.errands, function, args)

    def sleep(self, seconds: float) -> Reply[None]:
        """A reply that is settled after `seconds`: for coroutines, `await context.sleep(1)`."""
        reply: Reply[None] = Reply()
        self.call_later(seconds, lambda: reply.resolve(None))
        return reply

    def spawn(self, coroutine: Steps[T]) -> Reply[T]:
        """Runs a coroutine that awaits replies; what it raises ends the proxy. Closed when the proxy ends."""
        return self.run(coroutine, ())

    def run(self, coroutine: Steps[T], quiet: tuple[type[BaseException], ...]) -> Reply[T]:
        """As `spawn`, for handlers; what is `quiet` fails the reply alone."""
        proxy = self._proxy
        turn = proxy.node.turn
        task = Task(
            coroutine,
            lambda step: turn.perform(Delivery(proxy, step, "spawn")),
            quiet=quiet,
            at_once=turn.busy,
        )
        if not task.reply.settled:
            entry = _Asked(task.reply)
            self._proxy.own(entry)
            task.reply.then(lambda _: proxy.disown(entry))
        return task.reply

    def serve(self, endpoint: str, target: object) -> None:
        """Has the methods of `target` handle the events of an endpoint that the class delegates, and its
        `connected` and `disconnected`, if it has them, hear of these."""
        end = self._endpoint(endpoint)
        events = [name for name, _ in end.type.inputs if not name.endswith(REPLY)]
        handlers = {
            event: handler_of(getattr(target, event), self, answers=end.serves(event)) for event in events
        }
        for event, name in ((CONNECT, "connected"), (DISCONNECT, "disconnected")):
            if hasattr(target, name):
                handlers[event] = handler_of(getattr(target, name), self, answers=False)
        end.handle(handlers)

    def external(self, endpoint: str) -> ExternalEndpoint:
        """One of the proxy's own endpoints, to be given to others."""
        return self._endpoint(endpoint).external()

    def connected(self, endpoint: str) -> bool:
        """Whether events can be sent over one of the proxy's own endpoints now."""
        return self._endpoint(endpoint).connected

    def send_once(self, endpoint: str, event: str, *args: object) -> None:
        """Sends an event over one of the proxy's own endpoints, as its `peer` does, and keeps nothing for the
        next time: for what is hardly ever sent twice, by objects of which there are thousands."""
        self._endpoint(endpoint).send_once(event, *args)

    def shown(self, endpoint: str) -> object:
        """What the other side of one of the proxy's own endpoints shows, as a UI endpoint does; None while it
        is disconnected, and where it shows nothing."""
        return self._endpoint(endpoint).peer_payload

    def show_beside(self, endpoint: str, payload: object) -> None:
        """Shows something to whoever is joined to one of the proxy's own endpoints in this process. It never
        travels, and nothing may depend on it: what stands in between need not pass it on."""
        self._endpoint(endpoint).payload = payload

    def standing_in(self, endpoint: str, event: str, other: object) -> Handler:
        """What takes `event` as this side sends it, and gives it to the method of that name of `other`, which
        stands in for the object at the other side. It may be called in a worker."""
        end = self._endpoint(endpoint)
        if end.connection is None:
            raise NotConnectedError(str(end), event)
        receiver = end.connection.opposite(end)
        if end.sends == receiver.receives:
            handler: Handler = getattr(other, event)
            return handler
        bridges = self._proxy.node.bridges
        return bridges.cross(end.sends, receiver.receives, event, lambda name: getattr(other, name, _nothing))

    def connect(self, endpoint: str, other: ExternalEndpoint) -> Connection:
        """Joins one of the proxy's own endpoints to another that matches."""
        return self._proxy.node.connect(self.external(endpoint), other)

    def offer(self, endpoint: str) -> EndpointRef[Any]:
        """A reference to one of the proxy's own endpoints, which may be sent to other objects, here or in
        other processes, and connected there."""
        return EndpointRef(self._tunnels().offer(self.external(endpoint)))

    def reach(self, endpoint: str, other: EndpointRef[Any]) -> Reply[Connection]:
        """Joins one of the proxy's own endpoints to one that was offered, wherever it is."""
        return self._bound(self._tunnels().connect(self.external(endpoint), other.address))

    def _tunnels(self) -> Tunnelling:
        if self._proxy.node.tunnels is None:
            raise CallFailedError("this program has no tunnels; endpoints cannot be referred to in it")
        return self._proxy.node.tunnels

    def dereference(self, reference: Any, name: str = "", time_limit: float | None = None) -> Reply[Any]:
        """Builds a proxy from a reference (a `Ref`, its text, or the model of it); the reply's value is its
        `ProxyHandle`. Keep that: when it is closed or dropped, the proxy ends. `name` is for its path."""
        proxy = self._proxy
        loader = proxy.node.loader
        if loader is None:
            raise CallFailedError("this program has no loader; nothing can be dereferenced in it")
        at = (*self.path, name) if name else self.path
        asked = loader.dereference(getattr(reference, "xml", reference), at=at, time_limit=time_limit)
        return self._bound(asked).then(self._hold)

    def show(self, handle: ProxyHandle, gone: Callable[[], object]) -> Showing:
        """Takes in the user interface of an object that this one dereferenced; `gone` is called when that
        ends. NothingToShowError when it has none."""
        return Showing.of(self._proxy.node, handle, gone)

    def fits(self, reference: Any, expected: type) -> Explanation:
        """Whether a reference leads to an object of your object type `expected`: for a container that takes
        some objects and refuses others, with the reason. Runs nothing."""
        return self._loader().fits(getattr(reference, "xml", reference), expected)

    def may_fit(self, reference: Any, expected: type) -> Explanation:
        """As `fits`, and a yes too where it cannot be told before a library is here that the reference names:
        for a container that dereferences what it takes, and shows then what is wrong with it. Runs nothing;
        dereferencing it asks the person about code that is not installed."""
        return self._loader().may_fit(getattr(reference, "xml", reference), expected)

    def _loader(self) -> Loading:
        loader = self._proxy.node.loader
        if loader is None:
            raise CallFailedError("this program has no loader; no reference can be looked into")
        return loader

    def shared(self, make: Callable[[], T], *key: Hashable) -> T:
        """What all proxies of one class share on this node under `key`: made by the first that asks, gone
        with the last that holds it. It must be an object that can be weakly referenced."""
        return self._proxy.node.shared((type(self._proxy.instance), *key), make)

    def report(self, what: str, advice: str = "") -> None:
        """Tells people of a problem that this object noticed itself."""
        self._proxy.node.problems.report(Problem(Kind.RAISED, self.path, what, advice))

    def _endpoint(self, name: str) -> Endpoint:
        try:
            return self._proxy.endpoints[name]
        except KeyError:
            known = tuple(self._proxy.endpoints)
            raise UnknownNameError(f"{self._proxy} as an endpoint", name, known) from None

    def _hold(self, reply: Reply[Any]) -> None:
        """A handle that was given out here ends with the proxy at the latest, whoever keeps its instance."""
        if reply.error is None:
            self._proxy.hold(reply.value())

    def _bound(self, asked: Reply[T]) -> Reply[T]:
        """A reply that is settled in this proxy's name; what it asked is cancelled when the proxy ends."""
        proxy = self._proxy
        reply: Reply[T] = Reply(asked.cancel)

        def settle(done: Reply[T]) -> None:
            settling = _failing(reply, done.error) if done.error else _resolving(reply, done.value())
            proxy.node.turn.perform(Delivery(proxy, settling, "dereference"))

        entry = _Asked(asked)
        proxy.own(entry)
        asked.then(lambda _: proxy.disown(entry))  # a settled reply holds its value, which is a handle
        asked.then(settle)
        return reply

    def _run_in(self, workers: Workers, function: Callable[..., T], args: tuple[object, ...]) -> Reply[T]:
        reply: Reply[T] = Reply()
        proxy = self._proxy
        workers.run(lambda: _work(proxy, reply, function, args))
        return reply

    def _owned(self, entry: Entry) -> Entry:
        self._proxy.own(entry)
        return entry

    def _contained(self, action: Action, what: str) -> Action:
        proxy = self._proxy
        delivery = Delivery(proxy, action, what)
        return lambda: proxy.node.turn.perform(delivery)


def _nothing(*_: object) -> None:
    """For events that who stands in has no use for."""


class _Asked:
    """Something under way as an entry that a proxy owns."""

    __slots__ = ("_reply",)

    def __init__(self, reply: Reply[Any]) -> None:
        self._reply = reply

    @property
    def active(self) -> bool:
        return not self._reply.settled

    def cancel(self) -> None:
        self._reply.cancel()


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
