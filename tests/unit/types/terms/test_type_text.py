from __future__ import annotations

import pytest

from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.type_text import Entity, brief, spell, spell_events, spell_name, spell_words
from liven.types.terms.value_types import (
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
    ValueType,
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
        (record(**{"a b": TEXT, "c": TEXT}), "{'a b': text, c: text}"),
        (union(**{"two\nlines": TEXT}), "<'two\\nlines': text>"),
        (
            EndpointType(inputs=(("get.reply", TEXT), ("x}", TEXT))),
            "endpoint {in get.reply(text), 'x}'(text)}",
        ),
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


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Send", "Send"),
        ("get.reply", "get.reply"),
        ("liven:text-2", "liven:text-2"),
        ("~UI", "~UI"),
        ("été", "été"),
        ("", "''"),
        ("two words", "'two words'"),
        ("a: text, b", "'a: text, b'"),
        ("x}", "'x}'"),
        ("end\n✓ all is well", "'end\\n✓ all is well'"),
        ("\x1b[31m", "'\\x1b[31m'"),
    ],
)
def test_a_name_that_could_be_taken_for_something_else_is_quoted(name: str, shown: str) -> None:
    assert spell_name(name) == shown


def test_the_words_of_a_constraint_cannot_break_out_of_their_line() -> None:
    forged = EndpointType(provides=(Constraint(ClassId(1), 1, "fifo`\n✓ all is well"),))
    assert spell(forged) == "endpoint {provides `fifo`\\n✓ all is well`}"
    assert spell_words("every Receive follows a Send") == "every Receive follows a Send"


def test_every_part_of_a_deep_type_is_spelled() -> None:
    deep: ValueType = TEXT
    for level in range(20):
        deep = record(**{f"level_{level}": ListOf(optional(deep))})
    assert all(f"level_{level}" in spell(deep) for level in range(20))


def test_a_reference_to_a_declared_object_is_named() -> None:
    note = ObjectType((("UI", EndpointType(local="UI")),), tag=ClassTag(ClassId(9), "liven:text"))
    assert brief(RefTo(note)) == "ref<liven:text>"
    assert spell(RefTo(note)) == "ref<object {UI: endpoint {local UI}}>"


def test_printing_is_bounded_however_often_a_part_is_used() -> None:
    doubled: ValueType = TEXT
    for _ in range(55):
        doubled = record(a=doubled, b=doubled)
    assert len(spell(doubled)) < 500_000
    assert "…" in spell(doubled)
    assert len(brief(doubled)) <= 72


def test_a_broad_type_is_brief_without_being_walked() -> None:
    """An explanation prints one type a thousand times."""
    broad = record(**{f"field_{number}": TEXT for number in range(20_000)})
    for _ in range(2000):
        assert brief(broad).endswith("…")


def test_a_term_that_is_not_a_type_has_no_printed_form() -> None:
    with pytest.raises(TypeError, match="str is not a type"):
        spell("int32")  # type: ignore[arg-type]  # that is the mistake
