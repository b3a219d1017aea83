from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from enum import Enum

import pytest

from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.hashing import SIZE, structural_hash
from liven.types.terms.type_text import Entity
from liven.types.terms.value_types import (
    FLOAT64,
    INT32,
    INT64,
    TEXT,
    ClassTag,
    EndpointTo,
    ListOf,
    Local,
    Loop,
    MapOf,
    Opaque,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    optional,
    record,
    union,
)

SEND = EndpointType(inputs=(("Send", TEXT),))


def chain(name: str) -> Recursive:
    return Recursive(name, record(head=INT32, tail=optional(Loop(name))))


def promise(predicate: object, text: str = "words") -> Constraint:
    return Constraint(ClassId(9), predicate, text)


DISTINCT: list[Entity] = [
    INT32,
    INT64,
    FLOAT64,
    TEXT,
    Local("text"),
    Opaque(ClassTag(ClassId(1), "text")),
    ListOf(TEXT),
    MapOf(TEXT),
    optional(TEXT),
    record(),
    record(a=TEXT),
    record(b=TEXT),
    union(a=TEXT),
    record(a=TEXT, b=TEXT),
    record(a=optional(TEXT)),
    RefTo(ObjectType()),
    RefTo(ObjectType((("e", SEND),))),
    EndpointTo(SEND),
    SEND,
    EndpointType(outputs=(("Send", TEXT),)),
    EndpointType(local="UI"),
    EndpointType(local="~UI"),
    EndpointType(provides=(promise(1),)),
    EndpointType(requires=(promise(1),)),
    EndpointType(provides=(promise(2),)),
    ObjectType((("e", SEND),)),
    ObjectType((("f", SEND),)),
    ObjectType(provides=(promise(1),)),
    chain("T"),
    Recursive("T", record(head=INT64, tail=optional(Loop("T")))),
    Recursive("T", record(head=INT32, tail=ListOf(Loop("T")))),
]


def test_different_structures_have_different_hashes() -> None:
    assert len({structural_hash(term) for term in DISTINCT}) == len(DISTINCT)
    assert all(len(structural_hash(term)) == SIZE for term in DISTINCT)


def test_the_hash_is_the_same_in_another_process_whatever_its_seed() -> None:
    code = (
        "from liven.types.terms.hashing import structural_hash as h\n"
        "from liven.types.terms.value_types import *\n"
        "print(h(Recursive('Q', record(head=INT32, tail=optional(Loop('Q'))))).hex())"
    )
    for seed in ("0", "77"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip() == structural_hash(chain("T")).hex()


def test_hashes_match_the_recorded_ones() -> None:
    assert structural_hash(record(x=FLOAT64, y=optional(TEXT))).hex() == "e35e4821a316312d477bfc68be85e965"
    assert structural_hash(chain("T")).hex() == "10d98cd6ca63acd93338da7f15d7048b"


def test_the_hash_ignores_binder_names_and_unrolling() -> None:
    unrolled = record(head=INT32, tail=optional(record(head=INT32, tail=optional(chain("Other")))))
    assert structural_hash(chain("T")) == structural_hash(chain("U")) == structural_hash(unrolled)


def test_mutually_recursive_types_hash_like_their_unfolding() -> None:
    turns = Recursive("A", record(next=ListOf(record(next=ListOf(Loop("A"))))))
    plain = Recursive("B", record(next=ListOf(Loop("B"))))
    assert structural_hash(turns) == structural_hash(plain)


def test_the_hash_ignores_tags_order_and_nested_optionals() -> None:
    tagged = record(ClassTag(ClassId(3), "Point"), x=INT32, y=INT32)
    assert structural_hash(tagged) == structural_hash(Record((("y", INT32), ("x", INT32))))
    assert structural_hash(OptionalOf(OptionalOf(TEXT))) == structural_hash(optional(TEXT))


@dataclass(frozen=True)
class Bound:
    low: int
    names: frozenset[str]


class Mood(Enum):
    ALL = 1


@pytest.mark.parametrize(
    "predicate",
    [
        None,
        3,
        2.5,
        "fifo",
        b"x",
        ("a", 1),
        frozenset({"total", "fifo"}),
        Bound(1, frozenset({"b", "a"})),
        Mood.ALL,
    ],
)
def test_plain_predicates_hash_by_value_not_by_text(predicate: object) -> None:
    first = EndpointType(provides=(promise(predicate, "one way"),))
    second = EndpointType(provides=(promise(predicate, "to say it"),))
    assert structural_hash(first) == structural_hash(second)


def test_other_predicates_hash_by_their_text() -> None:
    first, second = (EndpointType(provides=(promise(object(), "words"),)) for _ in range(2))
    assert structural_hash(first) == structural_hash(second)


def test_the_order_of_constraints_does_not_change_the_hash() -> None:
    first = EndpointType(provides=(promise(1), promise(2), promise(1)))
    second = EndpointType(provides=(promise(2), promise(1)))
    assert structural_hash(first) == structural_hash(second)


def test_a_loop_without_its_binder_is_refused() -> None:
    with pytest.raises(ValueError, match="`T` is used outside"):
        structural_hash(ListOf(Loop("T")))
