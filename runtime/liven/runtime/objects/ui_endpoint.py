"""Opening the user interface of an object, for a window or a container."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle

UI = "UI"
"""The name of the UI endpoint of the original's class UI."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The payload of a UI endpoint: the name of the view's class, as text,
    and the object it is a view of."""

    view: str
    model: object


class NothingToShowError(ObjectRuntimeError):
    """The object has no user interface for a window."""


class OpenInterface:
    """One open user interface; `gone` is called once when its object ends. Keep it while it is shown."""

    def __init__(self, node: Node, endpoint: ExternalEndpoint, gone: Callable[[], object]) -> None:
        self._probe = Probe.joined_to(node, endpoint, "window")
        self._probe.react(disconnect=gone)
        shown = self._probe.end.peer_payload
        if not isinstance(shown, Shown) or not shown.view:
            self.close()
            raise NothingToShowError(f"{endpoint} has no view: its proxy class names none")
        self.shown = shown

    @classmethod
    def of(cls, node: Node, handle: ProxyHandle, gone: Callable[[], object]) -> OpenInterface:
        """Open the interface of an object: its endpoint UI, or the only one of that kind."""
        found = [end for end in handle.endpoints.values() if end.type.local == UI]
        named = [end for end in found if end.name == UI] or found
        if len(named) != 1:
            has = ", ".join(handle.endpoints) or "none"
            raise NothingToShowError(f"{'/'.join(handle.path)} has no user interface; its endpoints: {has}")
        return cls(node, named[0], gone)

    def close(self) -> None:
        """Close it without calling `gone`."""
        self._probe.react(disconnect=lambda: None)
        self._probe.close()
