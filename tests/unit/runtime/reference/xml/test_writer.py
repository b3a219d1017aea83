"""The writer: equal bytes for equal references, and an error with its place for anything XML cannot hold."""

from __future__ import annotations

import pytest

from liven.runtime.reference.model import (
    NAME,
    Attribute,
    Composite,
    Document,
    Margin,
    Markup,
    Object,
    Parameter,
    Plain,
    Properties,
    Reference,
    Value,
)
from liven.runtime.reference.xml import ReadError, WriteError, compact, read, read_object, write
from liven.runtime.reference.xml.limits import LIMITS

NOTE = Reference(
    "E3EA16F4ECC84B3B998E01F3B78E9AC9",
    (
        Parameter("channel", Reference("standup", source=Reference("011E83FA6A9F426993BB8EF26FF7D7B8"))),
        Parameter("title", Plain("string", "a < b & c")),
        Parameter("open"),
    ),
    attributes=(Attribute(NAME, 'Say "hello"'),),
    margin=Margin((" ours ",), (("{urn:mood}mood", "calm"),)),
)
FILE = """<?xml version="1.0" encoding="utf-8"?>
<!-- a file -->
<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:a3="urn:mood">
  <Object xsi:type="ReferenceObject" id="E3EA16F4ECC84B3B998E01F3B78E9AC9" a3:mood="calm">
    <!-- ours -->
    <Attribute id="9F4C608A9A6D44FFAD8A2FDC662E185B" value="Say &quot;hello&quot;"/>
    <Parameter id="channel">
      <Value xsi:type="ReferenceObject" id="standup">
        <From xsi:type="ReferenceObject" id="011E83FA6A9F426993BB8EF26FF7D7B8"/>
      </Value>
    </Parameter>
    <Parameter id="title">
      <Value xsi:type="xsd:string">a &lt; b &amp; c</Value>
    </Parameter>
    <Parameter id="open"/>
  </Object>
</Root>
"""


def with_value(value: Value) -> Object:
    return Reference("1", (Parameter("p", value),))


def test_a_file_is_laid_out_for_people_and_always_the_same() -> None:
    assert write(Document(NOTE, (" a file ",))).decode() == FILE
    assert write(read(FILE)).decode() == FILE


def test_the_compact_form_has_no_layout() -> None:
    text = compact(Reference("1", (Parameter("p"),)))
    assert text == (
        '<Object xsi:type="ReferenceObject" id="1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        'xmlns:xsd="http://www.w3.org/2001/XMLSchema"><Parameter id="p"/></Object>'
    )


def test_an_object_alone_is_written_as_a_file() -> None:
    assert write(NOTE) == write(Document(NOTE))


@pytest.mark.parametrize(
    "text", ["\r", "\r\n", "a\tb\nc", "]]>", "<!--", "&amp;", "\U0001f600", "\x85\u2028", " "]
)
def test_texts_that_xml_would_change_survive_as_values_and_as_attributes(text: str) -> None:
    thing = Reference(
        f"{1:032X}", (Parameter("p", Plain("string", text)),), attributes=(Attribute(NAME, text),)
    )
    assert read_object(write(thing)) == thing
    assert read_object(compact(thing)) == thing


@pytest.mark.parametrize("bad", ["\0", "\x1f", "\ud800", "\ufffe", "\uffff"])
def test_a_character_that_xml_cannot_hold_is_named_with_its_place(bad: str) -> None:
    with pytest.raises(WriteError) as caught:
        write(with_value(Plain("string", f"a{bad}b")))
    assert caught.value.path == ("Root", "Object", "Parameter[p]", "Value")
    assert f"U+{ord(bad):04X}" in str(caught.value)
    with pytest.raises(WriteError, match=f"U\\+{ord(bad):04X}"):
        write(Reference(f"a{bad}"))


@pytest.mark.parametrize("comment", ["a--b", "a-", "a\rb", "a\0b"])
def test_a_comment_that_xml_cannot_hold_is_refused(comment: str) -> None:
    with pytest.raises(WriteError):
        write(Reference("1", margin=Margin((comment,))))
    with pytest.raises(WriteError):
        write(Document(None, (comment,)))


@pytest.mark.parametrize(
    "name", ["", "two words", "1st", "a:b", "{urn:a}", "{http://www.w3.org/2000/xmlns/}x", "a<b"]
)
def test_a_name_that_xml_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(WriteError, match="is not a name that XML can write"):
        write(Reference("1", margin=Margin((), ((name, "x"),))))
    with pytest.raises(WriteError, match="is not a name that XML can write"):
        write(with_value(Properties((), (Markup(name),))))


def test_a_comment_in_an_empty_text_brings_no_layout_into_it() -> None:
    value = Plain("string", "", margin=Margin((" nothing ",)))
    written = write(with_value(value))
    assert b"<!-- nothing --></Value>" in written
    assert read_object(written).parameters[0].value == value


def test_an_unknown_attribute_cannot_pass_for_a_known_one() -> None:
    with pytest.raises(WriteError, match="given twice"):
        write(Reference("1", margin=Margin((), (("id", "2"),))))


def test_too_many_attributes_or_namespaces_are_not_written() -> None:
    crowd = tuple((f"x{n:02}", "1") for n in range(65))
    with pytest.raises(WriteError, match="Part has 65 attributes; the limit is 64"):
        write(with_value(Properties((), (Markup("Part", crowd),))))
    strangers = tuple(Markup(f"{{urn:{n}}}Part") for n in range(63))
    with pytest.raises(WriteError, match="Root has 0 attributes and 65 namespaces"):
        write(with_value(Properties((), strangers)))


def test_markup_in_namespaces_keeps_them() -> None:
    value = Properties((("{urn:a}x", "1"),), (Markup("{urn:b}Part", (("{urn:a}y", "2"),), ("text",)),))
    assert read_object(write(with_value(value))).parameters[0].value == value


def test_nesting_too_deep_to_be_read_is_not_written() -> None:
    thing: Object = Reference("1")
    for _ in range(LIMITS.depth - 2):
        thing = Reference("1", source=thing)
    assert read_object(write(thing)) == read_object(compact(thing))
    with pytest.raises(WriteError, match="deep"):
        write(Reference("1", source=thing))


def test_a_composite_is_written_in_a_fixed_order() -> None:
    first = read_object(write(Composite("2", (Parameter("p"),))))
    assert first == Composite(f"{2:032X}", (Parameter("p"),))


def test_faults_of_reading_and_writing_are_faults_of_this_room() -> None:
    from liven.runtime.errors import ObjectRuntimeError

    assert issubclass(ReadError, ObjectRuntimeError)
    assert issubclass(WriteError, ValueError)
