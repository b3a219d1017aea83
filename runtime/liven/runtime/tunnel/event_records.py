"""Events as records: what travels of an event, and of a call and its answer."""

from __future__ import annotations

from typing import Any

from liven.runtime.objects.calls import REPLY
from liven.runtime.objects.event_queue import Handler
from liven.types.terms.endpoint_types import EndpointType


def calls_of(kind: EndpointType) -> frozenset[str]:
    """Return the operations of an endpoint, either way."""
    names = (name for name, _ in (*kind.inputs, *kind.outputs))
    return frozenset(name.removesuffix(REPLY) for name in names if name.endswith(REPLY))


def record_of(event: str, calls: frozenset[str]) -> Handler:
    """Return the values of an event as the record that travels."""
    if event.endswith(REPLY):
        return lambda call, value, error=None: {
            "call": call,
            "answer": {"value": value} if error is None else {"error": error},
        }
    if event in calls:
        return lambda call, record: {**record, "call": call}
    return lambda record: record


def values_of(event: str, record: dict[str, Any], calls: frozenset[str]) -> tuple[Any, ...]:
    """Return the values of an event from the record that arrived."""
    if event.endswith(REPLY):
        answer = record["answer"]
        return record["call"], answer.get("value"), answer.get("error")
    if event in calls:
        return record.pop("call"), record
    return (record,)
