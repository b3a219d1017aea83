"""The face of an object that is a value stream: the endpoint that gives its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.probe import Probe
from liven.types.terms.endpoint_types import EndpointType, Events
from liven.types.terms.value_types import Record, ValueType

_ENDPOINT: Final = "Endpoint"


class Face(NamedTuple):
    """One endpoint, with the type of its values."""

    endpoint: ExternalEndpoint
    value: ValueType

    def reader(self, name: str, given: Callable[[Any], object]) -> Probe:
        """Return a client that passes on each value in neutral form; raise ObjectRuntimeError."""
        kind = self.endpoint.type
        other_side = EndpointType(kind.outputs, kind.inputs)  # it demands and promises nothing
        probe = Probe(self.endpoint.internal().proxy.node, other_side, name)
        probe.react(set=lambda said: given(said["value"]))
        probe.connect(self.endpoint)
        return probe


def face_of(endpoints: Mapping[str, ExternalEndpoint]) -> Face | None:
    """Return the value stream among the endpoints of an object; None if there is none."""
    found = {name: Face(end, value) for name, end in endpoints.items() if (value := _value(end.type))}
    return found.get(_ENDPOINT) or next((found[name] for name in sorted(found)), None)


def _value(kind: EndpointType) -> ValueType | None:
    """Return the type of the values of a stream; None for an endpoint that is none."""
    given, taken = _field(kind.outputs), _field(kind.inputs)
    return given if given is not None and given == taken and "get" in dict(kind.inputs) else None


def _field(events: Events) -> ValueType | None:
    record = dict(events).get("set")
    return dict(record.fields).get("value") if isinstance(record, Record) else None
