"""Probes: a test or a person connects one to an endpoint to record its events and to send some by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from liven.runtime.objects.calls import REPLY
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.endpoint import Endpoint, ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.types.formalism.registry import Formalisms
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType


def opposite(kind: EndpointType, formalisms: Formalisms | None = None) -> EndpointType:
    """Return the least type that matches `kind`.

    It sends all of its inputs, takes all its outputs and, where the formalisms are given, promises all its
    demands.
    """
    if kind.local:
        return EndpointType(local=kind.local[1:] if kind.local.startswith("~") else f"~{kind.local}")
    promised = tuple(_mirrored(one, formalisms) for one in kind.requires) if formalisms is not None else ()
    return EndpointType(kind.outputs, kind.inputs, provides=promised)


def _mirrored(constraint: Constraint, formalisms: Formalisms) -> Constraint:
    predicate = formalisms.get(constraint.formalism).mirror(constraint.predicate)
    return Constraint(constraint.formalism, predicate, constraint.text)


class Probe:
    """A proxy with one endpoint, named `end`. `heard` holds every event with its values, in order."""

    def __init__(self, node: Node, kind: EndpointType, name: str = "probe") -> None:
        proxy = Proxy(node, (name,), ObjectType((("end", kind),)))
        self.node = node
        self.end: Endpoint = proxy.add_endpoint("end", kind)
        self.handle = ProxyHandle(proxy)
        self.heard: list[tuple[object, ...]] = []
        events = (event for event, _ in kind.inputs if not event.endswith(REPLY))
        names = ("connect", "disconnect", *events)
        self.end.handle({event: _noting(self.heard, event) for event in names})

    @classmethod
    def joined_to(
        cls,
        node: Node,
        endpoint: ExternalEndpoint,
        name: str = "probe",
        *,
        formalisms: Formalisms | None = None,
        same_words: bool = False,
    ) -> Probe:
        """Return a probe connected to `endpoint`.

        In the `same_words`, its values are those of the endpoint's own module, one for each parameter; else
        they are in neutral form, one record for each event.
        """
        probe = cls(node, opposite(endpoint.type, formalisms), name)
        if same_words:
            theirs = endpoint.internal()
            probe.end.sends, probe.end.receives = theirs.receives, theirs.sends
        probe.connect(endpoint)
        return probe

    @property
    def external(self) -> ExternalEndpoint:
        """The probe's endpoint, for others to connect to."""
        return self.end.external()

    @property
    def failed(self) -> bool:
        """True if a fault ended the probe."""
        return self.handle.failed

    def connect(self, other: ExternalEndpoint | Probe) -> Connection:
        """Join the probe to `other`."""
        return self.node.connect(self.external, other.external if isinstance(other, Probe) else other)

    def send(self, event: str, *values: object) -> None:
        """Send `event`."""
        self.end.send(event, *values)

    def call(self, event: str, *values: object) -> Reply[Any]:
        """Call the operation `event`."""
        return self.end.call(event, *values)

    def react(self, **handlers: Callable[..., object]) -> None:
        """Call `handlers` for these events instead of recording them."""
        self.end.handle(handlers)

    def close(self) -> None:
        """End the probe."""
        self.handle.close()


def _noting(heard: list[tuple[object, ...]], event: str) -> Callable[..., None]:
    return lambda *values: heard.append((event, *values))
