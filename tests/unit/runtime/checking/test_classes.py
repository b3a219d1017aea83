"""Written classes become types: kinds, arguments, aliases, namespaces, and faults."""

from __future__ import annotations

import pytest

from liven.runtime.checking.classes import UNKNOWN, ClassReader, Unknown, kind_of, known_class
from liven.runtime.checking.fault_collector import FaultCollector
from liven.runtime.checking.report import FaultKind
from liven.runtime.checking.scope import Scope
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.reference.model import (
    Configuration,
    ObjectClass,
    OtherClass,
    Parameter,
    ParameterUse,
    Plain,
    Reference,
    Value,
)
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import ObjectType

TEXT = OtherClass("ValueClass", "liven:text")
COLOR = OtherClass("ValueClass", "2E5E63EE344A4F709DA9766CDC73CEF2")


def channel(message: Value | None, checkpoint: Value | None = TEXT) -> ObjectClass:
    given = (Parameter("MessageClass", message), Parameter("CheckpointClass", checkpoint))
    return ObjectClass("liven:checkpointed-channel", given)


def read(
    known: TypeKnowledge, written: ObjectClass, scope: Scope | None = None
) -> tuple[ObjectType | None, FaultCollector]:
    findings = FaultCollector()
    return ClassReader(known.catalogue, findings).object_class(written, scope or Scope()), findings


def test_a_class_with_its_arguments_is_the_catalogue_s_own_term(known: TypeKnowledge) -> None:
    made, findings = read(known, channel(TEXT))
    assert made is known.catalogue.object("liven:checkpointed-channel<liven:text, liven:text>")
    assert findings.faults == []


def test_ids_and_aliases_mean_the_same(known: TypeKnowledge) -> None:
    by_id = ObjectClass("0806C71E88E749AA879E52F960F4B881", channel(COLOR).parameters)
    assert read(known, by_id)[0] is read(known, channel(OtherClass("ValueClass", "liven:color")))[0]


def test_the_order_of_arguments_means_nothing(known: TypeKnowledge) -> None:
    written = channel(COLOR)
    turned = ObjectClass(written.id, written.parameters[::-1])
    assert read(known, turned)[0] is read(known, written)[0]


def test_a_class_without_an_id_is_any_object(known: TypeKnowledge) -> None:
    assert read(known, ObjectClass())[0] == ObjectType()


def test_classes_nest_in_classes(known: TypeKnowledge) -> None:
    folder = OtherClass(
        "InterfaceClass",
        "liven:folder",
        (Parameter("KeyClass", TEXT), Parameter("ObjectClass", channel(TEXT))),
    )
    service = ObjectClass("liven:service", (Parameter("InterfaceClass", folder),))
    made, findings = read(known, service)
    assert findings.faults == []
    assert made is not None
    assert [name for name, _ in made.endpoints] != []


@pytest.mark.parametrize(
    ("written", "path", "words"),
    [
        (ObjectClass("1234567"), (), f"no object type {0x1234567:032X} is known here"),
        (
            channel(OtherClass("ValueClass", "99999999")),
            ("Parameter[MessageClass]", "Value"),
            f"no value class {0x99999999:032X}",
        ),
        (channel(None), ("Parameter[MessageClass]",), "'MessageClass' is not given"),
        (
            ObjectClass("liven:checkpointed-channel", (Parameter("MessageClass", TEXT),)),
            (),
            "'CheckpointClass'",
        ),
        (channel(Plain("string", "text")), ("Parameter[MessageClass]", "Value"), "this is a plain value"),
        (channel(ObjectClass("liven:ui")), ("Parameter[MessageClass]", "Value"), "this is an object class"),
        (
            channel(OtherClass("InterfaceClass", "1")),
            ("Parameter[MessageClass]", "Value"),
            "this is an interface",
        ),
        (channel(Reference("1")), ("Parameter[MessageClass]", "Value"), "this is an object"),
        (
            ObjectClass("liven:ui", (Parameter("x", TEXT),)),
            ("Parameter[x]",),
            "has no parameter 'x'; it has none",
        ),
        (
            ObjectClass(
                "liven:checkpointed-channel", (*channel(TEXT).parameters, Parameter("MessageClass", TEXT))
            ),
            ("Parameter[MessageClass]",),
            "'MessageClass' is given 2 times",
        ),
    ],
)
def test_an_invalid_class_is_a_fault_with_its_place(
    known: TypeKnowledge, written: ObjectClass, path: tuple[str, ...], words: str
) -> None:
    _, findings = read(known, written)
    (fault,) = findings.faults
    assert fault.path == ("Object", *path)
    assert words in fault.what
    assert fault.kind in (FaultKind.CLASS, FaultKind.UNKNOWN)


def test_a_use_of_a_parameter_is_what_it_was_given(known: TypeKnowledge) -> None:
    use = channel(ParameterUse("M"))
    scope = Scope().inside({"M": COLOR, "open": None})
    assert read(known, use, scope)[0] is read(known, channel(COLOR))[0]
    made, findings = read(known, channel(ParameterUse("open")), scope)
    assert made is None
    assert findings.faults == [], "what is open yet is not judged"


def test_short_ids_count_within_a_namespace_and_long_ones_in_all(known: TypeKnowledge) -> None:
    text = ClassId(0xE3EA16F4ECC84B3B998E01F3B78E9AC9)
    elsewhere = ClassId(text.component, 0, 0x77, 3)
    assert known_class(known.catalogue, "component", elsewhere) is known_class(
        known.catalogue, "component", text
    )
    short = next(
        one for one in known.catalogue.entries("component") if one.id.namespace and one.id.component < 2**32
    )
    assert known_class(known.catalogue, "component", short.id) is not None
    stranger = ClassId(short.id.component, short.id.version, 0x77)
    assert known_class(known.catalogue, "component", stranger) is None


def test_the_unknown_is_one_thing() -> None:
    assert isinstance(UNKNOWN, Unknown)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (ObjectClass(), "an object class"),
        (OtherClass("EndpointClass"), "an endpoint class"),
        (Plain("int"), "a plain value"),
        (Reference(), "an object"),
        (Configuration(), "a configuration"),
    ],
)
def test_values_are_named_by_their_kind(value: Value, words: str) -> None:
    assert kind_of(value) == words
