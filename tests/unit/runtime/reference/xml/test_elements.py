"""Each element of the grammar, as text and as the model, read and written."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import (
    Attribute,
    ClassKind,
    Component,
    Composite,
    Configuration,
    Connection,
    EndpointConstraint,
    Export,
    Margin,
    Markup,
    Object,
    ObjectClass,
    ObjectConstraint,
    OtherClass,
    Parameter,
    ParameterUse,
    Plain,
    PlainType,
    Properties,
    Reference,
    Requirement,
    Setting,
    Token,
    TokenType,
    Value,
)
from liven.runtime.reference.xml import compact, read_object

ONE, TWO = f"{1:032X}", f"{2:032X}"
SHA = "0f" * 32
NS = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"'


def in_short(text: str) -> str:
    """Return XML without the common parts of all elements.

    `t=` stands for `xsi:type=`, `n` for a null, R and C for the types of objects, 1 and 2 for ids.
    """
    return (
        text.replace(" t=", " xsi:type=")
        .replace(" n>", ' xsi:nil="true">')
        .replace(" n/>", ' xsi:nil="true"/>')
        .replace('"R"', '"ReferenceObject"')
        .replace('"C"', '"CompositeObject"')
        .replace('id="1"', f'id="{ONE}"')
        .replace('id="2"', f'id="{TWO}"')
    )


def with_namespaces(text: str) -> str:
    """Return it with the namespaces declared at the end of the first tag."""
    head, sign, tail = text.partition(">")
    slash = "/" if head.endswith("/") else ""
    return f"{head.removesuffix('/')}{NS}{slash}{sign}{tail}"


OBJECTS: list[tuple[str, Object]] = [
    ('<Object t="R"/>', Reference()),
    ('<Object t="R" id="1"/>', Reference(ONE)),
    ('<Object t="R" id="1" n/>', Reference(ONE, nil=True)),
    ('<Object t="R" id="liven:text"/>', Reference("liven:text")),
    ('<Object t="R" id="key"><From t="R" id="1"/></Object>', Reference("key", source=Reference(ONE))),
    ('<Object t="R" id="{ab}"><From t="R" id="1"/></Object>', Reference("{ab}", source=Reference(ONE))),
    ('<Object t="R" id="1"><Parameter id="p"/></Object>', Reference(ONE, (Parameter("p"),))),
    (
        '<Object t="R" id="1"><Parameter id="a b"/><Parameter id="a b"/></Object>',
        Reference(ONE, (Parameter("a b"), Parameter("a b"))),
    ),
    ('<Object t="R" id="1"><Authority t="R" id="2"/></Object>', Reference(ONE, authority=Reference(TWO))),
    (
        '<Object t="R" id="1"><Attribute id="2" value="x"/></Object>',
        Reference(ONE, attributes=(Attribute(TWO, "x"),)),
    ),
    ('<Object t="R" id="1"><ObjectClass/></Object>', Reference(ONE, object_class=ObjectClass())),
    (
        '<Object t="R" id="1"><ObjectClass id="2"><Parameter id="p"/></ObjectClass></Object>',
        Reference(ONE, object_class=ObjectClass(TWO, (Parameter("p"),))),
    ),
    (
        '<Object t="R" id="1"><ObjectClass>'
        '<ObjectConstraint kind="provided" class="guarantee" value="fifo"/></ObjectClass></Object>',
        Reference(
            ONE, object_class=ObjectClass(constraints=(ObjectConstraint("provided", "guarantee", "fifo"),))
        ),
    ),
    (
        '<Object t="R" id="1"><ObjectClass>'
        '<EndpointConstraint name="e" kind="required" class="trace" value="x"/></ObjectClass></Object>',
        Reference(
            ONE,
            object_class=ObjectClass(
                endpoint_constraints=(EndpointConstraint("e", "required", "trace", "x"),)
            ),
        ),
    ),
    (
        '<Object t="R" id="1"><Requires library="ns"/></Object>',
        Reference(ONE, requires=(Requirement("ns"),)),
    ),
    (
        '<Object t="R" id="1">'
        f'<Requires library="ns" version="3" sha256="{SHA}" signer="{SHA}" url="u"/></Object>',
        Reference(ONE, requires=(Requirement("ns", 3, SHA, SHA, "u"),)),
    ),
    ('<Object t="R" id="1" color="red"/>', Reference(ONE, margin=Margin((), (("color", "red"),)))),
    ('<Object t="R" id="1"><!-- c --></Object>', Reference(ONE, margin=Margin((" c ",)))),
    ('<Object t="C"/>', Composite()),
    ('<Object t="C" id="1" n/>', Composite(ONE, nil=True)),
    (
        '<Object t="C"><Component id="a"><Object t="R" id="1"/></Component></Object>',
        Composite(components=(Component("a", Reference(ONE)),)),
    ),
    ('<Object t="C"><Endpoint id="e" from="a.x"/></Object>', Composite(exports=(Export("e", "a.x"),))),
    (
        '<Object t="C"><Connection from="a.x" to="b.y"/></Object>',
        Composite(connections=(Connection("a.x", "b.y"),)),
    ),
    ('<Object t="C"><Parameter id="p"/></Object>', Composite(parameters=(Parameter("p"),))),
    ('<Object t="C"><Authority t="R" id="1"/></Object>', Composite(authority=Reference(ONE))),
    ('<Object t="C"><ObjectClass id="1"/></Object>', Composite(object_class=ObjectClass(ONE))),
    ('<Object t="C"><Requires library="ns"/></Object>', Composite(requires=(Requirement("ns"),))),
    (
        '<Object t="C"><Component id="a"><Object t="C"/></Component></Object>',
        Composite(components=(Component("a", Composite()),)),
    ),
]
VALUES: list[tuple[str, Value]] = [
    *((f'<Value t="xsd:{kind}">1</Value>', Plain(kind, "1")) for kind in get_args(PlainType)),
    *((f'<Value t="xsd:{kind}"/>', Plain(kind)) for kind in get_args(PlainType)),
    *((f'<Value t="xsd:{kind}" n/>', Plain(kind, nil=True)) for kind in get_args(PlainType)),
    *((f'<Value t="{kind}" value="1"/>', Token(kind, "1")) for kind in get_args(TokenType)),
    *((f'<Value t="{kind}">1</Value>', Token(kind, None, "1")) for kind in get_args(TokenType)),
    *((f'<Value t="{kind}" n/>', Token(kind, nil=True)) for kind in get_args(TokenType)),
    *((f'<Value t="{kind}"/>', OtherClass(kind)) for kind in get_args(ClassKind)),
    *((f'<Value t="{kind}" id="1"/>', OtherClass(kind, ONE)) for kind in get_args(ClassKind)),
    *(
        (f'<Value t="{kind}"><Parameter id="p"/></Value>', OtherClass(kind, "", (Parameter("p"),)))
        for kind in get_args(ClassKind)
    ),
    ('<Value t="ObjectClass"/>', ObjectClass()),
    ('<Value t="ObjectClass" id="1"/>', ObjectClass(ONE)),
    (
        '<Value t="ObjectClass"><ObjectConstraint kind="required" class="trace" value="b"/></Value>',
        ObjectClass(constraints=(ObjectConstraint("required", "trace", "b"),)),
    ),
    ('<Value t="R"/>', Reference()),
    ('<Value t="R" id="1"/>', Reference(ONE)),
    ('<Value t="C" id="1"/>', Composite(ONE)),
    ('<Value t="ParameterReference" id="p"/>', ParameterUse("p")),
    ('<Value t="Configuration"/>', Configuration()),
    (
        '<Value t="Configuration"><Parameter name="a" value="b"/></Value>',
        Configuration((Setting("a", "b"),)),
    ),
    ('<Value t="Properties"/>', Properties()),
    ('<Value t="Properties">x</Value>', Properties((), ("x",))),
    ('<Value t="Properties"><a b="c"/></Value>', Properties((), (Markup("a", (("b", "c"),)),))),
    ('<Value t="xsd:int" x="y">1</Value>', Plain("int", "1", margin=Margin((), (("x", "y"),)))),
    ('<Value t="xsd:int"><!--c-->1</Value>', Plain("int", "1", margin=Margin(("c",)))),
]


@pytest.mark.parametrize(("text", "thing"), OBJECTS, ids=[text for text, _ in OBJECTS])
def test_an_object_is_read_and_written_as_this(text: str, thing: Object) -> None:
    whole = with_namespaces(in_short(text))
    assert read_object(whole) == thing
    assert compact(thing) == whole


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[text for text, _ in VALUES])
def test_a_value_is_read_and_written_as_this(text: str, value: Value) -> None:
    inside = f'<Object t="R" id="1"><Parameter id="p">{text}</Parameter></Object>'
    whole = with_namespaces(in_short(inside))
    thing = Reference(ONE, (Parameter("p", value),))
    assert read_object(whole) == thing
    assert compact(thing) == whole


NEEDED = [
    ("Attribute", "id"),
    ("Attribute", "value"),
    ("Parameter", "id"),
    ("Requires", "library"),
    ("ObjectConstraint", "kind"),
    ("ObjectConstraint", "class"),
    ("ObjectConstraint", "value"),
    ("EndpointConstraint", "name"),
    ("EndpointConstraint", "kind"),
    ("EndpointConstraint", "class"),
    ("EndpointConstraint", "value"),
    ("Component", "id"),
    ("Endpoint", "id"),
    ("Endpoint", "from"),
    ("Connection", "from"),
    ("Connection", "to"),
    ("Setting", "name"),
    ("Setting", "value"),
]
EXAMPLES = {
    "Attribute": '<Object t="R"><Attribute id="1" value="x"/></Object>',
    "Parameter": '<Object t="R"><Parameter id="p"/></Object>',
    "Requires": '<Object t="R"><Requires library="ns"/></Object>',
    "ObjectConstraint": (
        '<Object t="R"><ObjectClass>'
        '<ObjectConstraint kind="provided" class="a" value="b"/></ObjectClass></Object>'
    ),
    "EndpointConstraint": (
        '<Object t="R"><ObjectClass>'
        '<EndpointConstraint name="e" kind="provided" class="a" value="b"/></ObjectClass></Object>'
    ),
    "Component": '<Object t="C"><Component id="a"><Object t="R"/></Component></Object>',
    "Endpoint": '<Object t="C"><Endpoint id="e" from="a.x"/></Object>',
    "Connection": '<Object t="C"><Connection from="a.x" to="b.y"/></Object>',
    "Setting": (
        '<Object t="R"><Parameter id="p">'
        '<Value t="Configuration"><Setting name="a" value="b"/></Value></Parameter></Object>'
    ),
}


@pytest.mark.parametrize(("element", "attribute"), NEEDED)
def test_a_missing_required_part_is_an_error(element: str, attribute: str) -> None:
    example = EXAMPLES[element]
    head, tag, tail = example.partition(f"<{element} ")
    lacking = re.sub(rf'{attribute}="[^"]*" ?', "", tail, count=1)
    texts = [
        with_namespaces(in_short(one.replace("Setting", "Parameter")))
        for one in (example, head + tag + lacking)
    ]
    read_object(texts[0])
    with pytest.raises(ReadError) as caught:
        read_object(texts[1])
    shown = element.replace("Setting", "Parameter")
    assert caught.value.reason == f"{shown} must have the attribute {attribute!r}"
    assert caught.value.path[-1].startswith(shown)
