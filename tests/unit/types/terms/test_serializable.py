from __future__ import annotations

import pytest

from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.serializable import can_tunnel, is_serializable
from liven.types.terms.value_types import (
    INT32,
    TEXT,
    UINT64,
    ClassTag,
    EndpointTo,
    Integer,
    ListOf,
    Local,
    Loop,
    MapOf,
    Opaque,
    OptionalOf,
    Recursive,
    RefTo,
    ValueType,
    optional,
    record,
    union,
)

HANDLE = Local("widget")
CHAIN = Recursive("T", record(head=INT32, tail=optional(Loop("T"))))


@pytest.mark.parametrize(
    "kind",
    [
        TEXT,
        UINT64,
        CHAIN,
        ListOf(MapOf(optional(union(a=TEXT, b=record(x=INT32))))),
        RefTo(ObjectType((("UI", EndpointType(local="UI")),))),
        EndpointTo(EndpointType((("Send", TEXT),))),
    ],
)
def test_values_without_local_parts_are_serializable(kind: ValueType) -> None:
    answer = is_serializable(kind)
    assert answer
    assert answer.claim.endswith("can travel")


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        (HANDLE, ""),
        (record(a=ListOf(HANDLE)), ".a[]"),
        (record(a=MapOf(HANDLE)), ".a[]"),
        (union(shown=OptionalOf(HANDLE)), ".shown"),
        (Recursive("T", record(more=ListOf(Loop("T")), own=HANDLE)), ".own"),
        (EndpointTo(EndpointType(inputs=(("Show", HANDLE),))), "→Show"),
        (EndpointTo(EndpointType(outputs=(("Show", record(w=HANDLE)),))), "→Show.w"),
        (record(end=EndpointTo(EndpointType(local="UI"))), ".end"),
        (record(n=Integer(0, 2**64)), ".n"),
        (record(old=Opaque(ClassTag(ClassId(1), "Frame"))), ".old"),
    ],
)
def test_a_refusal_names_the_part_that_is_not_serializable(kind: ValueType, place: str) -> None:
    answer = is_serializable(kind)
    assert not answer
    [(path, failure)] = answer.failures()
    assert path == ((place,) if place else ())
    assert failure.claim.startswith(place)


def test_a_refusal_names_every_part_that_is_not_serializable() -> None:
    kind = record(a=HANDLE, b=Integer(-(2**80), 0), c=TEXT)
    assert sorted(path for path, _ in is_serializable(kind).failures()) == [(".a",), (".b",)]


def test_an_endpoint_tunnels_if_its_events_are_serializable() -> None:
    assert can_tunnel(EndpointType((("Send", CHAIN),), (("Receive", TEXT),)))
    answer = can_tunnel(EndpointType((("Show", HANDLE),), (("Shown", record(by=HANDLE)),)))
    assert sorted(path for path, _ in answer.failures()) == [("Show",), ("Shown.by",)]


def test_an_endpoint_of_a_local_kind_never_tunnels() -> None:
    answer = can_tunnel(EndpointType(local="~UI"))
    assert not answer
    assert "local kind `~UI` never tunnels" in answer.render()


def test_shared_parts_are_checked_once() -> None:
    kind: ValueType = HANDLE
    for _ in range(60):
        kind = record(a=kind, b=EndpointTo(EndpointType(inputs=(("m", kind),))))
    assert len(list(is_serializable(kind).failures())) == 1
