from __future__ import annotations

from typing import Any

import pytest

from liven.types.codec import Codec, NoWireFormError
from liven.types.codec.codegen import Emitter
from liven.types.codec.codegen_scope import Form
from liven.types.terms.value_types import INT32, TEXT, ListOf, Record, Union, ValueType, optional, record

NASTY = [
    "'",
    '"',
    "\\",
    "\n",
    "{}",
    "{v}",
    "'); import os; ('",
    "é",
    "\0",
    "f'{x}'",
    "#",
    "__class__",
    "v",
    "depth",
]


@pytest.mark.parametrize("name", NASTY)
def test_names_enter_the_source_as_literals_only(name: str) -> None:
    for kind in (Record(((name, TEXT),)), Union(((name, TEXT),))):
        codec = Codec(kind)
        assert codec.decode(codec.encode({name: "x"})) == {name: "x"}
        with pytest.raises(ValueError) as caught:
            codec.encode({name: 3}, "op")
        assert caught.value.path == f"op.{name}"  # type: ignore[attr-defined]  # a CodecError


def test_the_generated_source_is_readable() -> None:
    source = Emitter(Form(reading=True), deepest=9).write(record(x=INT32))
    assert "def entry(v, name=''):" in source
    assert "return {'x': x1}" in source


def test_containers_nested_past_what_one_function_may_hold_are_split() -> None:
    kind: ValueType = TEXT
    value: Any = "x"
    for _ in range(60):
        kind, value = ListOf(optional(record(a=kind))), [{"a": value}]
    codec = Codec(kind)
    assert codec.decode(codec.encode(value)) == value
    assert codec.decode_compact(codec.encode_compact(value)) == value


def test_a_union_of_many_cases_compiles() -> None:
    kind = Union(tuple((f"t{number:04}", INT32) for number in range(400)))
    codec = Codec(kind)
    assert codec.decode(codec.encode({"t0399": 5})) == {"t0399": 5}


def test_a_type_whose_codec_would_be_too_large_is_refused() -> None:
    kind = record(a=TEXT)
    for _ in range(30):
        kind = record(a=kind, b=kind)
    with pytest.raises(NoWireFormError, match="too large"):
        Codec(kind)


def test_an_empty_record_encodes_in_both_forms() -> None:
    codec = Codec(record())
    assert codec.encode({}) == b"\x80"
    assert codec.encode_compact({}) == b"\x90"
    assert codec.decode(b"\x81\xa1x\x01") == {}
    assert codec.decode_compact(b"\x90") == {}
