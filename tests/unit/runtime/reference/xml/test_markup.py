"""Free markup: layout and text, comments, namespaces, and types named in attributes."""

from __future__ import annotations

import pytest

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Margin, Markup, Properties
from liven.runtime.reference.xml import Limits, read_object, write
from liven.runtime.reference.xml.names import XSI

NS = f'xmlns:xsi="{XSI}" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'


def around(value: str, declared: str = "") -> str:
    """Return an object with this value."""
    inside = f'<Parameter id="p">{value}</Parameter>'
    return f'<Object {NS} {declared} xsi:type="ReferenceObject" id="1">{inside}</Object>'


def properties(inside: str, declared: str = "") -> Properties:
    """Return the markup as read, after a round through the writer."""
    thing = read_object(around(f'<Value xsi:type="Properties">{inside}</Value>', declared))
    assert read_object(write(thing)) == thing
    found = thing.parameters[0].value
    assert isinstance(found, Properties)
    return found


@pytest.mark.parametrize(
    ("inside", "content"),
    [
        ("", ()),
        ("text", ("text",)),
        ("  text ", ("  text ",)),
        ("   ", ("   ",)),
        ("<a/>", (Markup("a"),)),
        ("\n  <a/>\n  <b/>\n", (Markup("a"), Markup("b"))),
        ("one <b>two</b> three", ("one ", Markup("b", (), ("two",)), " three")),
        ("<a> </a>", (Markup("a", (), (" ",)),)),
        ("<a>\n</a>x", (Markup("a", (), ("\n",)), "x")),
        ("<a>x<!-- c -->y</a>", (Markup("a", (), ("xy",), Margin((" c ",))),)),
        ("<a>\n <!-- c -->\n</a>", (Markup("a", (), (), Margin((" c ",))),)),
        ("<a><![CDATA[<b>]]></a>", (Markup("a", (), ("<b>",)),)),
        ("<a>&lt;&amp;&#65;</a>", (Markup("a", (), ("<&A",)),)),
        ("<a x='1' b='2'/>", (Markup("a", (("b", "2"), ("x", "1"))),)),
        ("<a><?target word?></a>", (Markup("a"),)),
    ],
)
def test_text_counts_and_layout_does_not(inside: str, content: tuple[Markup | str, ...]) -> None:
    assert properties(inside).content == content


def test_comments_between_elements_go_to_the_element_they_stand_in() -> None:
    found = properties("<!-- one --><a/><!-- two -->")
    assert found.content == (Markup("a"),)
    assert found.margin.comments == (" one ", " two ")


def test_namespaces_are_kept_whatever_their_prefixes() -> None:
    one = properties('<n:a n:x="1"/>', 'xmlns:n="urn:n"')
    two = properties('<a xmlns="urn:n" m:x="1" xmlns:m="urn:n"/>')
    assert one == two == Properties((), (Markup("{urn:n}a", (("{urn:n}x", "1"),)),))


def test_types_named_in_attributes_keep_their_meaning_under_other_prefixes() -> None:
    (piece,) = properties(
        '<a s:type="x:int"/>', f'xmlns:s="{XSI}" xmlns:x="http://www.w3.org/2001/XMLSchema"'
    ).content
    assert piece == Markup("a", ((f"{{{XSI}}}type", "xsd:int"),))
    (piece,) = properties('<a xsi:type="Thing"/>').content
    assert piece == Markup("a", ((f"{{{XSI}}}type", "Thing"),))


def test_a_type_of_any_namespace_is_written_with_its_namespace_declared() -> None:
    (piece,) = properties('<a xsi:type=" q:t "/>', 'xmlns:q="urn:q"').content
    assert piece == Markup("a", ((f"{{{XSI}}}type", "{urn:q}t"),))
    (piece,) = properties('<a xmlns="urn:d" xsi:type="t"/>').content
    assert piece == Markup("{urn:d}a", ((f"{{{XSI}}}type", "{urn:d}t"),))
    (piece,) = properties('<a xsi:type="xsi:t"/>').content
    assert piece == Markup("a", ((f"{{{XSI}}}type", f"{{{XSI}}}t"),))


@pytest.mark.parametrize("odd", ["q:t", "q:", ":t", "{q}t", "{q}a b", "{}t", "{urn:q", "xml:t", " "])
def test_a_type_that_names_nothing_is_kept_as_it_is(odd: str) -> None:
    (piece,) = properties(f'<a xsi:type="{odd}"/>').content
    assert piece == Markup("a", ((f"{{{XSI}}}type", odd),))


def test_a_type_on_an_untyped_element_keeps_its_namespace() -> None:
    typed = '<Parameter id="p" xmlns:q="urn:q" xsi:type="q:t">'
    thing = read_object(around("").replace('<Parameter id="p">', typed))
    assert thing.parameters[0].margin.unknown == ((f"{{{XSI}}}type", "{urn:q}t"),)
    written = write(thing)
    assert read_object(written) == thing
    assert b'="urn:q"' in written


def test_attributes_of_the_value_itself_are_kept() -> None:
    thing = read_object(around('<Value xsi:type="Properties" x="1"/>'))
    assert thing.parameters[0].value == Properties((("x", "1"),))


def test_markup_too_deep_is_refused() -> None:
    with pytest.raises(ReadError, match="more than 128 deep"):
        properties("<a>" * 126 + "</a>" * 126)
    text = around('<Value xsi:type="Properties"><a><b/></a></Value>')
    with pytest.raises(ReadError, match="more than 4 deep"):
        read_object(text, Limits(depth=4))
