"""The context: everything that a proxy can ask of the runtime.

A constructor with a `context` parameter gets it.

All requests made here belong to the proxy. They are cancelled when the proxy ends, keep nothing alive until
then, and an error in one is contained like an error in a handler.
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
from liven.runtime.objects.ui_endpoint import OpenInterface
from liven.runtime.problems import Kind, Path, Problem
from liven.types.declare.annotation.markers import EndpointRef
from liven.types.explanation import Explanation

T = TypeVar("T")


def handler_of(method: Handler, context: Context, *, answers: bool) -> Handler:
    """Return `method` as a handler. An `async` method runs as a task. Where it `answers` an operation, its
    reply is the answer, and so is a CallFailedError that it raises."""
    if not inspect.iscoroutinefunction(method):
        return method
    quiet = (CallFailedError,) if answers else ()
    return lambda *args, **named: context.run(method(*args, **named), quiet)


class Context:
    """One proxy's access to the runtime."""

    __slots__ = ("_proxy",)

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    @property
    def path(self) -> Path:
        """The proxy's place in the recipe."""
        return self._proxy.path

    @property
    def ended(self) -> bool:
        """True once the proxy has ended."""
        return self._proxy.ended

    @property
    def person(self) -> str:
        """The key of the person at this node, the author of edits made here; empty if unknown."""
        return self._proxy.node.person

    def now(self) -> float:
        """Return the seconds on the dispatcher's clock."""
        return self._proxy.node.dispatcher.now()

    def call_soon(self, action: Action) -> Entry:
        """Call `action` in the next turn of the loop."""
        return self._owned(self._proxy.node.dispatcher.call_soon(self._contained(action, "call_soon")))

    def call_later(self, delay: float, action: Action) -> Entry:
        """Call `action` in `delay` seconds."""
        later = self._proxy.node.dispatcher.call_later
        return self._owned(later(delay, self._contained(action, "call_later")))

    def watch_fd(self, fd: int, action: Action, *, write: bool = False) -> Entry:
        """Call `action` whenever `fd` is readable, or writable."""
        watch = self._proxy.node.dispatcher.watch_fd
        return self._owned(watch(fd, self._contained(action, "watch_fd"), write=write))

    def from_outside(self, action: Callable[..., object]) -> Callable[..., None]:
        """Return `action` as a function that any code on the dispatcher's thread may call.

        It runs like a handler of this proxy: at once if no handler is running, and never after the proxy has
        ended.
        """
        queue = self._proxy.node.queue
        delivery = Delivery(self._proxy, action, getattr(action, "__name__", "from_outside"))
        return lambda *args: queue.perform(delivery, *args)

    def perform(self, action: Callable[..., object], *args: object) -> None:
        """Run `action` now, like the result of `from_outside`,
        without keeping anything for the next time."""
        name = getattr(action, "__name__", "perform")
        self._proxy.node.queue.perform(Delivery(self._proxy, action, name), *args)

    def service(self, kind: type[T]) -> T:
        """Return a service of the program, such as a transport or a store, by its type.

        Raise CallFailedError if the program has none.
        """
        return self._proxy.node.service(kind)

    def work(self, function: Callable[..., T], *args: object) -> Reply[T]:
        """Run a blocking `function` in a worker thread; the reply is settled on the dispatcher's thread."""
        return self._run_in(self._proxy.node.workers, function, args)

    def errand(self, function: Callable[..., T], *args: object) -> Reply[T]:
        """Run `function` like `work`, for the runtime's own objects.

        Loading has workers of its own, so that objects which keep all others busy do not stop it.
        """
        return self._run_in(self._proxy.node.errands, function, args)

    def sleep(self, seconds: float) -> Reply[None]:
        """Return a reply that is settled after `seconds`: in a coroutine, `await context.sleep(1)`."""
        reply: Reply[None] = Reply()
        self.call_later(seconds, lambda: reply.resolve(None))
        return reply

    def spawn(self, coroutine: Steps[T]) -> Reply[T]:
        """Run a coroutine that awaits replies.

        An error in it ends the proxy; the end of the proxy closes it.
        """
        return self.run(coroutine, ())

    def run(self, coroutine: Steps[T], quiet: tuple[type[BaseException], ...]) -> Reply[T]:
        """Run a handler's coroutine like `spawn`; an error of a `quiet` type only fails the reply."""
        proxy = self._proxy
        queue = proxy.node.queue
        task = Task(
            coroutine,
            lambda step: queue.perform(Delivery(proxy, step, "spawn")),
            quiet=quiet,
            at_once=queue.busy,
        )
        if not task.reply.settled:
            entry = _Asked(task.reply)
            self._proxy.own(entry)
            task.reply.then(lambda _: proxy.disown(entry))
        return task.reply

    def serve(self, endpoint: str, target: object) -> None:
        """Let the methods of `target` handle the events of an endpoint that the class delegates, including
        `connected` and `disconnected` if it has them."""
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
        """Return one of the proxy's own endpoints, to be given to others."""
        return self._endpoint(endpoint).external()

    def connected(self, endpoint: str) -> bool:
        """Return True while events can be sent over one of the proxy's own endpoints."""
        return self._endpoint(endpoint).connected

    def send_once(self, endpoint: str, event: str, *args: object) -> None:
        """Send an event over one of the proxy's own endpoints, as its `peer` does, without keeping a sender.

        For events that are rarely sent twice, by objects of which there are thousands.
        """
        self._endpoint(endpoint).send_once(event, *args)

    def shown(self, endpoint: str) -> object:
        """Return the object that the other side of a UI endpoint shows;
        None while disconnected or if it shows nothing."""
        return self._endpoint(endpoint).peer_payload

    def show_beside(self, endpoint: str, payload: object) -> None:
        """Show an object to the other side of one of the proxy's own endpoints, within this process.

        It never travels, and nothing may depend on it: objects in between need not pass it on.
        """
        self._endpoint(endpoint).payload = payload

    def standing_in(self, endpoint: str, event: str, other: object) -> Handler:
        """Return a handler that takes `event` as this side sends it and calls that method of `other`,
        which stands in for the object at the other side. It may be called in a worker."""
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
        """Join one of the proxy's own endpoints to another that matches."""
        return self._proxy.node.connect(self.external(endpoint), other)

    def offer(self, endpoint: str) -> EndpointRef[Any]:
        """Return a reference to one of the proxy's own endpoints, which other objects can connect to.

        It may be sent to objects in this process and in others.
        """
        return EndpointRef(self._tunnels().offer(self.external(endpoint)))

    def reach(self, endpoint: str, other: EndpointRef[Any]) -> Reply[Connection]:
        """Join one of the proxy's own endpoints to an offered one, in this process or another."""
        return self._bound(self._tunnels().connect(self.external(endpoint), other.address))

    def _tunnels(self) -> Tunnelling:
        if self._proxy.node.tunnels is None:
            raise CallFailedError("this program has no tunnels, so it cannot offer or reach endpoints")
        return self._proxy.node.tunnels

    def dereference(self, reference: Any, name: str = "", time_limit: float | None = None) -> Reply[Any]:
        """Build a proxy from a reference: a `Ref`, its text, or its model.

        The reply's value is a `ProxyHandle`.

        Keep the handle: when it is closed or dropped, the proxy ends. `name` appears in the proxy's path.
        """
        proxy = self._proxy
        loader = proxy.node.loader
        if loader is None:
            raise CallFailedError("this program has no loader, so it cannot dereference anything")
        at = (*self.path, name) if name else self.path
        asked = loader.dereference(getattr(reference, "xml", reference), at=at, time_limit=time_limit)
        return self._bound(asked).then(self._hold)

    def show(self, handle: ProxyHandle, gone: Callable[[], object]) -> OpenInterface:
        """Open the user interface of an object that this one dereferenced;
        `gone` is called when that object ends.

        Raise NothingToShowError if it has none.
        """
        return OpenInterface.of(self._proxy.node, handle, gone)

    def fits(self, reference: Any, expected: type) -> Explanation:
        """Decide if a reference leads to an object of your object type `expected`, with the reason.

        For a container that takes some objects and refuses others. It runs no code of the object.
        """
        return self._loader().fits(getattr(reference, "xml", reference), expected)

    def may_fit(self, reference: Any, expected: type) -> Explanation:
        """Decide like `fits`, but answer yes as well if that needs a library that is not installed.

        For a container that dereferences its items and then shows their problems. It runs no code of the
        object; dereferencing asks the person about code that is not installed.
        """
        return self._loader().may_fit(getattr(reference, "xml", reference), expected)

    def _loader(self) -> Loading:
        loader = self._proxy.node.loader
        if loader is None:
            raise CallFailedError("this program has no loader, so it cannot inspect references")
        return loader

    def shared(self, make: Callable[[], T], *key: Hashable) -> T:
        """Return the object that all proxies of one class share on this node under `key`.

        The first proxy that asks makes it; it goes with the last one that holds it. It must be weakly
        referenceable.
        """
        return self._proxy.node.shared((type(self._proxy.instance), *key), make)

    def report(self, what: str, advice: str = "") -> None:
        """Report a problem that this object noticed itself."""
        self._proxy.node.problems.report(Problem(Kind.RAISED, self.path, what, advice))

    def _endpoint(self, name: str) -> Endpoint:
        try:
            return self._proxy.endpoints[name]
        except KeyError:
            known = tuple(self._proxy.endpoints)
            raise UnknownNameError(f"{self._proxy} as an endpoint", name, known) from None

    def _hold(self, reply: Reply[Any]) -> None:
        """Close a handle that was given out here when the proxy ends, even if its instance lives on."""
        if reply.error is None:
            self._proxy.hold(reply.value())

    def _bound(self, asked: Reply[T]) -> Reply[T]:
        """Return a reply that is settled in this proxy's name and cancelled when the proxy ends."""
        proxy = self._proxy
        reply: Reply[T] = Reply(asked.cancel)

        def settle(done: Reply[T]) -> None:
            settling = _failing(reply, done.error) if done.error else _resolving(reply, done.value())
            proxy.node.queue.perform(Delivery(proxy, settling, "dereference"))

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
        return lambda: proxy.node.queue.perform(delivery)


def _nothing(*_: object) -> None:
    """Ignore an event that the stand-in does not handle."""


class _Asked:
    """A pending request as an entry that a proxy owns."""

    __slots__ = ("_reply",)

    def __init__(self, reply: Reply[Any]) -> None:
        self._reply = reply

    @property
    def active(self) -> bool:
        return not self._reply.settled

    def cancel(self) -> None:
        self._reply.cancel()


def _work(proxy: Proxy, reply: Reply[T], function: Callable[..., T], args: tuple[object, ...]) -> None:
    """Run `function` in the worker's thread, and post its result or its error to the dispatcher's thread."""
    settle: Callable[[], object]
    try:
        result = function(*args)
    except BaseException as error:  # SystemExit too, which would end the thread without a message
        fault = error if isinstance(error, Exception) else CallFailedError(repr(error))
        settle = _failing(reply, fault)
    else:
        settle = _resolving(reply, result)
    delivery = Delivery(proxy, settle, "work")
    proxy.node.dispatcher.post(lambda: proxy.node.queue.perform(delivery))


def _failing(reply: Reply[Any], fault: Exception) -> Callable[[], object]:
    return lambda: reply.fail(fault)


def _resolving(reply: Reply[T], result: T) -> Callable[[], object]:
    return lambda: reply.resolve(result)
