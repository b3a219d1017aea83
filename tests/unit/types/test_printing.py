from __future__ import annotations

import pytest

from liven.types.ids import ClassId
from liven.types.printing import Entity, brief, spell, spell_events
from liven.types.structure import Constraint, EndpointType, ObjectType
from liven.types.values import (
    BOOL,
    BYTES,
    FLOAT32,
    FLOAT64,
    ID,
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
    Recursive,
    RefTo,
    optional,
    record,
    union,
)

POINT = ClassTag(ClassId(7), "Point")


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (INT32, "int32"),
        (UINT64, "uint64"),
        (Integer(0, 100), "int(0..100)"),
        (FLOAT32, "float32"),
        (BOOL, "bool"),
        (BYTES, "bytes"),
        (ID, "id"),
        (ListOf(TEXT), "list<text>"),
        (MapOf(INT32), "map<text, int32>"),
        (record(x=FLOAT64, y=optional(TEXT)), "{x: float64, y: optional<text>}"),
        (union(a=INT32, b=TEXT), "<a: int32 | b: text>"),
        (record(), "{}"),
        (
            Recursive("T", record(head=INT32, tail=optional(Loop("T")))),
            "rec T. {head: int32, tail: optional<T>}",
        ),
        (Local("UI"), "local<UI>"),
        (Opaque(POINT), "Point"),
        (record(POINT, x=INT32), "{x: int32}"),
        (RefTo(ObjectType()), "ref<object {}>"),
        (EndpointTo(EndpointType(inputs=(("Send", TEXT),))), "endpoint<endpoint {in Send(text)}>"),
        (EndpointType(local="~UI"), "endpoint {local ~UI}"),
        (
            EndpointType(
                inputs=(("Send", TEXT),),
                outputs=(("Close", record()), ("Receive", TEXT)),
                provides=(Constraint(ClassId(1), 1, "fifo"),),
                requires=(Constraint(ClassId(1), 2, "total"),),
            ),
            "endpoint {in Send(text); out Close({}), Receive(text); provides `fifo`; requires `total`}",
        ),
        (
            ObjectType(
                endpoints=(("Channel", EndpointType()),), provides=(Constraint(ClassId(1), 1, "live"),)
            ),
            "object {Channel: endpoint {}; provides `live`}",
        ),
    ],
)
def test_every_type_has_a_printed_form(term: Entity, text: str) -> None:
    assert spell(term) == text


def test_events_print_with_what_they_carry() -> None:
    assert spell_events((("Close", record()), ("Send", TEXT))) == "Close({}), Send(text)"


def test_a_declared_type_is_named_in_a_sentence() -> None:
    assert brief(ListOf(record(POINT, x=INT32))) == "list<Point>"


def test_a_class_without_an_alias_is_named_by_its_id() -> None:
    assert brief(record(ClassTag(ClassId(7), ""), x=INT32)) == str(ClassId(7))


def test_a_long_type_is_cut_in_a_sentence_and_whole_when_spelled() -> None:
    wide = record(**{f"field_{n}": TEXT for n in range(30)})
    assert brief(wide).endswith("…")
    assert len(brief(wide)) <= 72
    assert "field_29" in spell(wide)


def test_a_type_nested_beyond_reason_prints_an_ellipsis() -> None:
    deep: Entity = TEXT
    for _ in range(500):
        deep = ListOf(deep)  # type: ignore[arg-type]  # each is a value type
    assert "…" in spell(deep)
