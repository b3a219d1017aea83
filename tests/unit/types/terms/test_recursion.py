from __future__ import annotations

import pytest

from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.recursion import UnguardedRecursionError, bare, unfold
from liven.types.terms.value_types import (
    INT32,
    TEXT,
    EndpointTo,
    ListOf,
    Loop,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Union,
    optional,
    record,
    union,
)

CHAIN = Recursive("T", record(head=INT32, tail=optional(Loop("T"))))


def test_unfolding_puts_the_type_in_place_of_its_loops() -> None:
    assert unfold(CHAIN) == record(head=INT32, tail=optional(CHAIN))


def test_a_type_is_unfolded_once_so_that_walking_it_meets_finitely_many_objects() -> None:
    first = unfold(CHAIN)
    assert unfold(CHAIN) is first
    assert isinstance(first, Record)
    tail = dict(first.fields)["tail"]
    assert isinstance(tail, OptionalOf)
    assert tail.item is CHAIN


def test_parts_without_loops_stay_the_same_objects() -> None:
    held = record(a=ListOf(TEXT))
    whole = Recursive("T", record(held=held, next=ListOf(Loop("T"))))
    unfolded = unfold(whole)
    assert isinstance(unfolded, Record)
    assert dict(unfolded.fields)["held"] is held


def test_loops_are_found_in_every_kind_of_container() -> None:
    body = union(
        list=ListOf(Loop("T")),
        map=MapOf(Loop("T")),
        ref=RefTo(ObjectType((("e", EndpointType(inputs=(("m", Loop("T")),))),))),
        end=EndpointTo(EndpointType(outputs=(("m", Loop("T")),))),
        rest=TEXT,
    )
    whole = Recursive("T", body)
    unfolded = unfold(whole)
    assert isinstance(unfolded, Union)
    tags = dict(unfolded.tags)
    assert tags["list"] == ListOf(whole)
    assert tags["map"] == MapOf(whole)
    assert tags["ref"] == RefTo(ObjectType((("e", EndpointType(inputs=(("m", whole),))),)))
    assert tags["end"] == EndpointTo(EndpointType(outputs=(("m", whole),)))


def test_an_inner_binder_of_the_same_name_hides_the_outer_one() -> None:
    inner = Recursive("T", record(x=ListOf(Loop("T"))))
    unfolded = unfold(Recursive("T", record(inner=inner, outer=ListOf(Loop("T")))))
    assert isinstance(unfolded, Record)
    assert dict(unfolded.fields)["inner"] is inner


def test_an_inner_recursive_type_is_unfolded_too() -> None:
    assert unfold(Recursive("A", Recursive("B", record(a=ListOf(Loop("A")))))) == record(
        a=ListOf(Recursive("A", Recursive("B", record(a=ListOf(Loop("A"))))))
    )


def test_bare_takes_off_every_optional_and_unfolds_every_recursion() -> None:
    assert bare(OptionalOf(Recursive("T", OptionalOf(record(x=Loop("T")))))) == record(
        x=Recursive("T", OptionalOf(record(x=Loop("T"))))
    )


@pytest.mark.parametrize(
    "whole",
    [
        Recursive("T", Loop("T")),
        Recursive("T", OptionalOf(Loop("T"))),
        Recursive("T", Recursive("U", OptionalOf(Loop("T")))),
    ],
)
def test_a_type_that_is_nothing_but_itself_is_refused(whole: Recursive) -> None:
    with pytest.raises(UnguardedRecursionError, match="is defined as itself alone"):
        unfold(whole)
