"""The objects that run now, by their channels: those that are restored, and those that are compared with."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any, Final

from liven.liveobjects.feeds.history.kind import Kind
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object

PATIENCE: Final = 20.0
"""Seconds that an object may take to be opened and to get its state."""
_LOOK_EVERY: Final = 0.02


class PresentObjects:
    """The objects that have their state now, by the names of their channels. A desktop may have thousands, so
    all are looked at once."""

    def __init__(self, node: Node) -> None:
        running = list(node.running.values())
        ready: dict[tuple[str, ...], Any] = {}
        for proxy in running:
            if getattr(proxy.instance, "ready", False) is True:
                ready.setdefault(tuple(proxy.path), proxy.instance)
        self._models: dict[object, Any] = {}
        for proxy in running:
            model = ready.get(_owner_path(proxy))
            for name in _names(proxy.instance) if model is not None else ():
                if isinstance(name, str):
                    self._models.setdefault(name, model)

    def model_of(self, channel: str) -> Any | None:
        """Return the model of the object on a channel; None if it does not run here."""
        return self._models.get(channel)

    def state_of(self, channel: str, kind: Kind) -> Any | None:
        """Return the present state of the object on a channel; None if it does not run here."""
        model = self.model_of(channel)
        if model is None:
            return None
        try:
            return kind.state_of(model)
        except AttributeError:  # an object of another library on the same channel
            return None


class OpenedObject:
    """An object that does not run yet, opened without a window until it was changed."""

    def __init__(
        self,
        node: Node,
        thing: Object,
        at: tuple[str, ...],
        ready: Callable[[Any], object],
        failed: Callable[[str], object],
    ) -> None:
        """Open an object; call `ready` with its model, or `failed` with the reason."""
        self._node = node
        self._ready, self._failed = ready, failed
        self._handle: ProxyHandle | None = None
        self._entry: Entry | None = None
        self._until = node.dispatcher.now() + PATIENCE
        assert node.loader is not None
        self._asked: Reply[ProxyHandle] | None = node.loader.dereference(thing, at=at, time_limit=PATIENCE)
        self._asked.then(self._built)

    def close_when_settled(self, is_pending: Callable[[], bool]) -> None:
        """Close it once what was changed is on its way to everybody, or the time is over."""
        if is_pending() and self._node.dispatcher.now() < self._until:
            self._entry = self._node.dispatcher.call_later(
                _LOOK_EVERY, lambda: self.close_when_settled(is_pending)
            )
        else:
            self.close()

    def close(self) -> None:
        """Close it at once."""
        asked, self._asked = self._asked, None
        if asked is not None and not asked.settled:
            asked.cancel()
        if self._entry is not None:
            self._entry.cancel()
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.close()

    def _built(self, done: Reply[ProxyHandle]) -> None:
        if done.error is not None:
            self._failed(str(done.error))
            return
        self._handle = done.value()
        self._look()

    def _look(self) -> None:
        handle = self._handle
        if handle is None:
            return
        model = None if handle.ended else handle.proxy().instance
        if getattr(model, "ready", False) is True:
            self._ready(model)
        elif handle.ended or self._node.dispatcher.now() > self._until:
            self.close()
            self._failed("its state did not arrive in time")
        else:
            self._entry = self._node.dispatcher.call_later(_LOOK_EVERY, self._look)


def _names(instance: object) -> tuple[object, object]:
    """Return the names that a channel may have, whether shared or within this process."""
    return getattr(instance, "name", None), getattr(instance, "_name", None)


def _owner_path(channel: Proxy) -> tuple[str, ...]:
    """Return the path of the object that a channel is a parameter of."""
    return tuple(takewhile(lambda step: not step.startswith("Parameter["), channel.path))
