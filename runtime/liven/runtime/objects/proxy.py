"""Proxies: the part of a live object that runs here.

A `Proxy` is the runtime's record of one; others hold a `ProxyHandle`. Handles are counted, and only they keep
a proxy alive: when the last one is closed or dropped, the proxy ends before that turn is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import get_ident
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self, TypeAlias
from weakref import WeakSet

from liven.runtime import author_traceback
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import EndedError, HandlerInterrupted, UnknownNameError
from liven.runtime.objects.endpoint import Endpoint, ExternalEndpoint
from liven.runtime.objects.event_queue import Delivery
from liven.runtime.problems import Kind, Path, Problem
from liven.types.terms.endpoint_types import EndpointType, ObjectType

if TYPE_CHECKING:
    from liven.runtime.objects.node import Node

OnEnd: TypeAlias = Callable[[bool], object]
"""Called once when a proxy has ended, with True if it failed."""

_NOTHING: Final[Mapping[str, Endpoint]] = MappingProxyType({})
_PRUNE_FROM = 32
"""The number of entries from which finished ones are dropped from a proxy's list now and then."""


class Proxy:
    """One running proxy: its endpoints, the author's instance, and everything that ends with it."""

    __slots__ = (
        "_ending",
        "_entries",
        "_held",
        "_listeners",
        "_prune_at",
        "deaf",
        "ended",
        "endpoints",
        "exports",
        "failed",
        "failure",
        "handles",
        "instance",
        "last_words",
        "node",
        "parts",
        "path",
        "type",
    )

    def __init__(self, node: Node, path: Path, kind: ObjectType) -> None:
        self.node = node
        self.path = path
        self.type = kind
        self.instance: object = None
        self.endpoints: dict[str, Endpoint] = {}
        self.exports: Mapping[str, Endpoint] = _NOTHING
        """For a composite: endpoints of its parts, under their exported names."""
        self.parts: Sequence[ProxyHandle] = ()
        """The proxies of its parts and parameters: they end after it, unless others hold them."""
        self.last_words: Callable[[], object] | None = None
        """The author's function that runs when it ends in order, after the disconnects."""
        self.handles = 0
        self.ended = False
        self.failed = False
        self.failure = ""
        """Why it failed, in words that follow its name; empty if only the problems say it."""
        self.deaf = False
        self._ending = False
        self._entries: dict[Entry, None] | None = None
        self._prune_at = _PRUNE_FROM
        self._held: WeakSet[ProxyHandle] | None = None
        self._listeners: list[OnEnd] | None = None
        node.running[id(self)] = self

    def __str__(self) -> str:
        return "/".join(self.path) or "(the whole)"

    def add_endpoint(
        self, name: str, kind: EndpointType, receives: object = None, sends: object = None
    ) -> Endpoint:
        """Give the proxy an endpoint, disconnected."""
        endpoint = self.endpoints[name] = Endpoint(self, name, kind, receives, sends)
        return endpoint

    def own(self, entry: Entry) -> None:
        """Cancel `entry` when the proxy ends."""
        if self._entries is None:
            self._entries = {}
        self._entries[entry] = None
        if len(self._entries) > self._prune_at:
            self._entries = {kept: None for kept in self._entries if kept.active}
            self._prune_at = max(_PRUNE_FROM, 2 * len(self._entries))

    def disown(self, entry: Entry) -> None:
        """Forget an entry that is over."""
        if self._entries is not None:
            self._entries.pop(entry, None)

    def hold(self, handle: ProxyHandle) -> None:
        """Close `handle`, which the author's code was given, when the proxy ends, if it still exists."""
        if self._held is None:
            self._held = WeakSet()
        self._held.add(handle)

    def on_end(self, listener: OnEnd) -> None:
        """Call `listener` once with the success or failure when the proxy has ended; at once if it has."""
        if self.ended:
            listener(self.failed)
            return
        if self._listeners is None:
            self._listeners = []
        self._listeners.append(listener)

    def release(self) -> None:
        """Drop one handle. Any thread may call this; the proxy ends on the dispatcher's."""
        queue = self.node.queue
        if get_ident() != queue.thread:
            self.node.dispatcher.post(self.release)
            return
        self.handles -= 1
        if self.handles == 0:
            queue.end(self)

    def end(self) -> None:
        """End in order: neighbours and the proxy itself handle the disconnects, then it is gone."""
        if self._ending or self.handles:
            return
        self._ending = True
        self._disconnect()
        self.node.queue.announce(Delivery(self, self._say_last_words, "end"))
        self.node.queue.flush()

    def fail(self, why: str = "") -> None:
        """End at once after a fault: none of its code runs again, and its neighbours are disconnected. `why`
        says what happened, in words that follow its name."""
        if self.ended:
            return
        self.failure = why
        self._ending = self.deaf = self.failed = True
        self._disconnect()
        self._finish()

    def _disconnect(self) -> None:
        for endpoint in self.endpoints.values():
            if endpoint.connection is not None:
                endpoint.connection.dispose()

    def _say_last_words(self) -> None:
        try:
            if self.last_words is not None:
                self.last_words()
        finally:
            self._finish()

    def _finish(self) -> None:
        """Release everything, so that no reference cycle remains, and call the listeners."""
        if self.ended:
            return
        self.ended = self.deaf = True
        for entry in tuple(self._entries or ()):
            self._cancel(entry)
        for endpoint in self.endpoints.values():
            endpoint.clear()
        parts, listeners, held = self.parts, self._listeners, self._held
        self.instance = self.last_words = self._entries = self._listeners = self._held = None
        self.endpoints, self.exports, self.parts = {}, _NOTHING, ()
        del self.node.running[id(self)]
        while isinstance(parts, list) and parts:
            parts.pop().close()
        for handle in sorted(held or (), key=lambda one: one.path):  # a set has no order of its own
            handle.close()
        for listener in listeners or ():
            self.node.queue.announce(Delivery(self.node.root, listener, "on_end"), self.failed)
        self.node.queue.flush()

    def _cancel(self, entry: Entry) -> None:
        """Cancel an entry.

        The `finally` parts of a coroutine are the author's code: they may raise or not end.
        """
        try:
            self.node.queue.inside(self, "cleaning up", entry.cancel)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            what = f"cleaning up raised {type(error).__name__}: {error}{author_traceback.author_line(error)}"
            advice = "the object has ended anyway"
            kind = Kind.RAISED
            if isinstance(error, HandlerInterrupted):
                kind = Kind.INTERRUPTED
                what = f"cleaning up did not end and was interrupted{author_traceback.author_line(error)}"
            self.node.problems.report(
                Problem(kind, self.path, what, advice, author_traceback.author_frames(error))
            )


class ProxyHandle:
    """A counted hold on a proxy, local to this process: it cannot be serialised.

    `close()` or dropping it releases the proxy.
    """

    __slots__ = ("__weakref__", "_proxy", "path", "type")

    def __init__(self, proxy: Proxy) -> None:
        proxy.handles += 1
        self._proxy: Proxy | None = proxy
        self.path = proxy.path
        self.type = proxy.type

    @property
    def ended(self) -> bool:
        """True once the proxy has ended or this handle was closed."""
        return self._proxy is None or self._proxy.ended

    @property
    def failed(self) -> bool:
        """True if the proxy ended because of a fault."""
        return self._proxy is not None and self._proxy.failed

    @property
    def failure(self) -> str:
        """Why the proxy failed, in words that follow its name; empty if only the problems say it."""
        return "" if self._proxy is None else self._proxy.failure

    @property
    def endpoints(self) -> Mapping[str, ExternalEndpoint]:
        """All endpoints by name."""
        proxy = self.proxy()
        return {name: endpoint.external() for name, endpoint in {**proxy.endpoints, **proxy.exports}.items()}

    def endpoint(self, name: str) -> ExternalEndpoint:
        """Return the endpoint of that name; raise UnknownNameError, which lists the existing ones."""
        proxy = self.proxy()
        found = proxy.endpoints.get(name) or proxy.exports.get(name)
        if found is None:
            known = (*proxy.endpoints, *proxy.exports)
            raise UnknownNameError(f"{proxy} as an endpoint", name, known)
        return found.external()

    def clone(self) -> ProxyHandle:
        """Return another hold on the same proxy."""
        return ProxyHandle(self.proxy())

    def on_end(self, listener: OnEnd) -> None:
        """Call `listener` once with the success or failure when the proxy has ended."""
        self.proxy(even_ended=True).on_end(listener)

    def close(self) -> None:
        """Release the proxy. A second call does nothing."""
        proxy, self._proxy = self._proxy, None
        if proxy is not None:
            proxy.release()

    def proxy(self, *, even_ended: bool = False) -> Proxy:
        """Return the proxy behind it, for the runtime only; raise EndedError once there is none."""
        proxy = self._proxy
        if proxy is None or (proxy.ended and not even_ended):
            raise EndedError("/".join(self.path) or "the object")
        return proxy

    def __del__(self) -> None:
        self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def __reduce__(self) -> str:
        raise TypeError("a proxy handle is valid in this process only; send a reference instead")
