"""References to classes that an author declared: defaults, templates, authorities, casts with constraints."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

import pytest

from liven.runtime.checking import FaultKind, Report
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.reference.model import (
    EndpointConstraint,
    ObjectClass,
    ObjectConstraint,
    OtherClass,
    Parameter,
    Plain,
    Reference,
    Value,
)
from liven.types.catalogue import register
from liven.types.declare import Declarations, Exports, Ref, UInt8, interface, object_type, proxy
from liven.types.declare.annotation.reader import declaration_of
from liven.types.terms.value_types import TEXT

M = TypeVar("M")
C = TypeVar("C", contravariant=True)


@interface
class Take(Protocol[C]):
    def take(self, item: C) -> None: ...


@object_type(id="0B000000000000000000000000000001", alias="t:store")
class Store(Generic[M]):
    store: Exports[Take[M]]


@object_type(id="AC3EEF4F190D46ED97E3030EB7D93B24")
class Demanding:
    """An authenticated object, in the original's words."""


@proxy(id="0B000000000000000000000000000002", alias="t:shelf")
class Shelf(Generic[M]):
    store: Exports[Take[M]]

    def __init__(self, size: UInt8, label: str = "shelf", first: M | None = None) -> None: ...

    def take(self, item: M) -> None: ...


@proxy(id="0B000000000000000000000000000003", alias="t:guarded")
class Guarded(Demanding):
    store: Exports[Take[str]]

    def take(self, item: str) -> None: ...


@proxy(id="0B000000000000000000000000000004", alias="t:owner")
class Owner:
    note: Exports[Take[str]]

    def __init__(self, of: Ref[Store[str]]) -> None: ...

    def take(self, item: str) -> None: ...


@pytest.fixture(scope="module")
def known() -> TypeKnowledge:
    known = TypeKnowledge.stock()
    classes = (Store, Shelf, Owner)
    declared = Declarations(__name__, tuple(declaration_of(one) for one in classes))
    register(known.catalogue, declared, known.matcher)
    return known


def values(**given: Value) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, value) for name, value in given.items())


WORDS, NUMBERS = (OtherClass("ValueClass", alias) for alias in ("liven:text", "liven:uint32"))
SIZE = Plain("unsignedByte", "7")


def shelf(kind: Value = WORDS, cast: ObjectClass | None = None, **given: Value) -> Reference:
    return Reference("t:shelf", values(M=kind, **{"size": SIZE, **given}), object_class=cast)


def faults(report: Report) -> list[tuple[FaultKind, str]]:
    return [(fault.kind, fault.what) for fault in report.faults]


def test_only_parameters_with_defaults_may_be_left_out(known: TypeKnowledge) -> None:
    assert known.checker.check(shelf()).ok
    assert known.checker.check(shelf(label=Plain("string", "x"))).ok
    (fault,) = faults(known.checker.check(Reference("t:shelf", values(M=WORDS))))
    assert fault[0] is FaultKind.PARAMETER
    assert "'size'" in fault[1]


def test_the_type_of_a_value_follows_from_the_class_that_is_given(known: TypeKnowledge) -> None:
    assert known.checker.check(shelf(first=Plain("string", "x"))).ok
    assert known.checker.check(shelf(NUMBERS, first=Plain("int", "7"))).ok
    (fault,) = faults(known.checker.check(shelf(NUMBERS, first=Plain("string", "x"))))
    assert fault[0] is FaultKind.VALUE


def test_a_bounded_number_is_bounded(known: TypeKnowledge) -> None:
    (fault,) = faults(known.checker.check(shelf(size=Plain("int", "256"))))
    assert "256 is given, but uint8 is expected" in fault[1]


def test_the_values_of_an_endpoint_follow_from_the_class(known: TypeKnowledge) -> None:
    report = known.checker.check(shelf())
    assert report.type is not None
    ((name, endpoint),) = report.type.endpoints
    assert name == "store"
    assert TEXT in dict(endpoint.inputs)["take"].fields[0]  # type: ignore[union-attr]


def test_a_cast_to_a_template_takes_the_same_classes(known: TypeKnowledge) -> None:
    store = ObjectClass("t:store", values(M=WORDS))
    assert known.checker.check(shelf(cast=store)).faults == ()
    numbers = known.checker.check(shelf(NUMBERS, cast=store))
    assert [kind for kind, _ in faults(numbers)] == [FaultKind.CAST]


def test_a_reference_given_as_a_value_must_be_of_its_class(known: TypeKnowledge) -> None:
    (fault,) = faults(
        known.checker.check(Reference("t:owner", values(of=Reference("t:owner", values(of=Reference())))))
    )
    assert fault[0] is FaultKind.VALUE
    assert known.checker.check(Reference("t:owner", values(of=Reference()))).ok, "null stands for any object"


def test_an_author_s_class_may_demand_an_authority() -> None:
    known = TypeKnowledge.stock()
    declared = Declarations(__name__, (declaration_of(Guarded),))
    register(known.catalogue, declared, known.matcher)
    (fault,) = faults(known.checker.check(Reference("t:guarded")))
    assert fault[0] is FaultKind.AUTHORITY
    guard = Reference("liven:permissive-authority")
    assert known.checker.check(Reference("t:guarded", authority=guard)).ok


@pytest.mark.parametrize(
    ("constraint", "ok"),
    [
        (EndpointConstraint("store", "required", "guarantee", "fifo"), True),
        (EndpointConstraint("store", "provided", "guarantee", "fifo"), False),
        (EndpointConstraint("store", "required", "trace", "at most one take"), True),
        (ObjectConstraint("required", "guarantee", "encrypted"), True),
        (ObjectConstraint("provided", "guarantee", "encrypted"), False),
    ],
)
def test_an_added_demand_is_accepted_and_an_added_promise_must_hold(
    known: TypeKnowledge, constraint: EndpointConstraint | ObjectConstraint, ok: bool
) -> None:
    on_endpoint = isinstance(constraint, EndpointConstraint)
    cast = ObjectClass(
        "t:store",
        values(M=WORDS),
        () if isinstance(constraint, EndpointConstraint) else (constraint,),
        (constraint,) if isinstance(constraint, EndpointConstraint) else (),
    )
    report = known.checker.check(shelf(cast=cast))
    assert [kind for kind, _ in faults(report)] == ([] if ok else [FaultKind.CAST])
    assert report.type is not None
    asked = dict(report.type.endpoints)["store"] if on_endpoint else report.type
    assert [one.text for one in (*asked.requires, *asked.provides)] == [constraint.text]


def test_an_unknown_object_has_the_class_that_it_states(known: TypeKnowledge) -> None:
    promise = ObjectConstraint("provided", "guarantee", "encrypted")
    cast = ObjectClass("t:store", values(M=WORDS), (promise,))
    report = known.checker.check(Reference("t:nobody", object_class=cast))
    assert [kind for kind, _ in faults(report)] == [FaultKind.UNKNOWN]
    assert report.type is not None
    assert [one.text for one in report.type.provides] == ["encrypted"]


def test_a_reference_that_is_only_passed_on_need_not_be_buildable_here(known: TypeKnowledge) -> None:
    inner = Reference("liven:text", values(channel=Reference()))
    report = known.checker.check(Reference("t:owner", values(of=inner)))
    part = report.part(("Object", "Parameter[of]", "Value"))
    assert part is not None
    assert part.passed
    assert report.unbuilt() == ()
    assert [one.path for one in known.checker.check(inner).unbuilt()] == [("Object",)]
