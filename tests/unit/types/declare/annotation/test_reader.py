"""Annotations and their shapes."""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NewType, Optional, Protocol, Union

import pytest

from liven.types.declare import (
    Bits,
    DeclarationError,
    Dual,
    EndpointRef,
    ExportedUI,
    Exports,
    Float32,
    Imports,
    Int8,
    Int16,
    Int32,
    Int64,
    Range,
    Ref,
    TermBuilder,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    interface,
    object_type,
    provides,
    value,
)
from liven.types.declare.annotation.reader import Reader, shown
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import ClassTag, ValueType
from liven.types.terms.value_types import Union as UnionTerm

Celsius = NewType("Celsius", float)


@value
class Cat:
    lives: Int8


@value
class Dog:
    name: str


@interface
class Petting(Protocol):
    def stroke(self) -> None: ...


@object_type
class Zoo:
    pets: Exports[Petting]


class Undeclared:
    text: str


class Plain:
    pass


def term(annotation: Any) -> ValueType:
    return TermBuilder(Formalisms()).value(Reader("here", {}).value(annotation))


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (bool, "bool"),
        (int, "int64"),
        (float, "float64"),
        (str, "text"),
        (bytes, "bytes"),
        (uuid.UUID, "id"),
        (Int8, "int8"),
        (Int16, "int16"),
        (Int32, "int32"),
        (Int64, "int64"),
        (UInt8, "uint8"),
        (UInt16, "uint16"),
        (UInt32, "uint32"),
        (UInt64, "uint64"),
        (Float32, "float32"),
        (Annotated[float, Bits(64)], "float64"),
        (Annotated[int, Range(1, 6)], "int(1..6)"),
        (Annotated[int, "a note for readers"], "int64"),
        (list[int], "list<int64>"),
        (Sequence[str], "list<text>"),
        (tuple[float, ...], "list<float64>"),
        (dict[str, bool], "map<text, bool>"),
        (Mapping[str, list[bytes]], "map<text, list<bytes>>"),
        (int | None, "optional<int64>"),
        (Optional[str], "optional<text>"),  # noqa: UP045  both ways are read
        (Annotated[int | None, Range(0, 9)], "optional<int(0..9)>"),
        (list[Int8 | None], "list<optional<int8>>"),
        (Celsius, "float64"),
        (Cat, "{lives: int8}"),
        (Cat | Dog, "<Cat: {lives: int8} | Dog: {name: text}>"),
        (
            Union[Dog, Cat, None],  # noqa: UP007
            "optional<<Cat: {lives: int8} | Dog: {name: text}>>",
        ),
        (Ref[Zoo], "ref<object {pets: endpoint {in stroke({})}}>"),
        (EndpointRef[Imports[Petting]], "endpoint<endpoint {out stroke({})}>"),
        (EndpointRef[Dual[Petting, Petting]], "endpoint<endpoint {in stroke({}); out stroke({})}>"),
        (EndpointRef[ExportedUI], "endpoint<endpoint {local UI}>"),
    ],
    ids=str,
)
def test_an_annotation_has_its_term(annotation: Any, text: str) -> None:
    assert spell(term(annotation)) == text


@pytest.mark.parametrize(
    ("annotation", "problem", "fix"),
    [
        (Any, "Any cannot be sent", "write a definite type"),
        (object, "object cannot be sent", "write a definite type"),
        (set[int], "set[int] cannot be sent", "write list[X]"),
        (frozenset, "frozenset cannot be sent", "write list[X]"),
        (complex, "complex cannot be sent", "two floats"),
        (bytearray, "bytearray cannot be sent", "write bytes"),
        (decimal.Decimal, "Decimal cannot be sent", "write str"),
        (datetime.datetime, "datetime cannot be sent", "seconds since 1970"),
        (list, "list cannot be sent", "name its items: list[X]"),
        (dict, "dict cannot be sent", "name its values: dict[str, X]"),
        (tuple[int, str], "a tuple of fixed length", "named fields"),
        (dict[int, str], "the keys of a map are text, not int", "dict[str, …]"),
        (
            int | str,
            "recognised by name, and int has none",
            "put each case in a @value class",
        ),
        (type(None), "NoneType cannot be sent", "leave it out"),
        (Ref, "Ref is incomplete", "write Ref[X]"),
        (Exports, "Exports is incomplete", "write Exports[X]"),
        (Ref[Cat], "Cat is not an object type", "put @object_type above class Cat"),
        (Ref[int], "int is not an object type", "name an object type"),
        (EndpointRef[Cat], "Cat is not an endpoint", "write Exports[I]"),
        (EndpointRef[Exports[Cat]], "Cat is not one", "put @interface above class Cat"),
        (Petting, "Petting is an interface, not a value", "EndpointRef[Exports[Petting]]"),
        (Zoo, "Zoo is an object type, not a value", "pass a Ref[Zoo]"),
        (Exports[Petting], "is an endpoint, not a value", "pass an EndpointRef["),
        (Undeclared, "Undeclared cannot be sent", "put @value above class Undeclared"),
        (Plain, "Plain cannot be sent", "use bool, int, float"),
        (Annotated[str, Range(0, 1)], "does not fit this type", "Range bounds an int"),
        (Annotated[int, Range(0, 2**64)], "allows numbers that cannot be written", "write str"),
        (Annotated[list[int], Range(0, 9)], "does not fit this type", "Range bounds an int"),
        (Annotated[Cat, Bits(32)], "does not fit this type", "Range bounds an int"),
        (
            Annotated[str, provides("trace", "x")],
            "a constraint cannot belong to a value",
            "beside an endpoint",
        ),
        (Annotated[int, Bits(32)], "does not fit this type", "Bits sizes a float"),
        (3, "3 cannot be sent", "use bool"),
    ],
    ids=str,
)
def test_an_annotation_without_a_neutral_form_is_refused_with_a_fix(
    annotation: Any, problem: str, fix: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        term(annotation)
    assert caught.value.where == "here"
    assert problem in caught.value.problem
    assert fix in caught.value.fix


def test_a_bool_is_not_read_as_an_int() -> None:
    with pytest.raises(DeclarationError, match="Range bounds an int"):
        term(Annotated[bool, Range(0, 1)])


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(DeclarationError, match="contains no number"):
        Range(2, 1)


def test_the_cases_of_a_union_have_one_order_however_they_are_written() -> None:
    assert term(Cat | Dog) == term(Dog | Cat)


def test_a_union_may_carry_the_id_of_its_class() -> None:
    tag = ClassTag(ClassId(7), "demo:pet")
    made = term(Annotated[Cat | Dog, tag])
    assert isinstance(made, UnionTerm)
    assert made.tag == tag


def test_two_cases_of_one_name_are_refused() -> None:
    @value
    class Other:
        x: int

    Other.__name__ = "Cat"
    with pytest.raises(DeclarationError, match="two cases of the union are called Cat"):
        term(Cat | Other)


def test_a_class_without_parameters_takes_none() -> None:
    with pytest.raises(DeclarationError, match="takes 0 parameters and got 1"):
        Reader("here", {})._generic(Cat, (int,), Cat)


@pytest.mark.parametrize(
    ("annotation", "text"),
    [(int, "int"), (list[int], "list[int]"), (Any, "Any"), (list[Any], "list[Any]")],
)
def test_an_error_shows_an_annotation_as_it_was_written(annotation: Any, text: str) -> None:
    assert shown(annotation) == text
