"""An endpoint that names its partner is connected to that object and to no other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from liven.runtime.checking import FaultKind, Report
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.reference.identity import digest
from liven.runtime.reference.model import (
    NAME,
    Attribute,
    Component,
    Composite,
    Connection,
    Export,
    Object,
    ObjectSignature,
    Parameter,
    ParameterUse,
    Partner,
    Reference,
    Requirement,
)
from liven.runtime.signing.own_key import OwnKey, make_key
from liven.runtime.signing.signature import Signed

AUTHOR, READER = Reference("t:an-author"), Reference("t:a-reader")
BOX = Reference("t:a-box", attributes=(Attribute(NAME, "Box"),))
OTHER = Reference("t:a-box", requires=(Requirement("AB`1", 1, "ab" * 32),))


@pytest.fixture
def ann(tmp_path: Path) -> OwnKey:
    return make_key(tmp_path / "ann", "Ann")


def faults(known: TypeKnowledge, thing: Object) -> list[str]:
    report: Report = known.checker.check(thing)
    assert all(one.kind is FaultKind.UNKNOWN for one in report.faults), report.faults
    found = known.checker.with_partners(thing, report).faults[len(report.faults) :]
    assert all(one.kind is FaultKind.PARTNER for one in found)
    return [one.what for one in found]


def named(known: TypeKnowledge, thing: Object) -> str:
    return digest(thing, known.checker.lookup)


def signed(known: TypeKnowledge, thing: Reference, by: OwnKey) -> Reference:
    made = by.sign(Signed.OBJECT, named(known, thing))
    return replace(thing, signatures=(ObjectSignature(made.signer, made.name, made.proof),))


def pair(one: Object, other: Object) -> Composite:
    parts = (Component("a", one), Component("b", other))
    return Composite(components=parts, connections=(Connection("a.Out", "b.Box"),))


def test_a_connection_to_the_named_object_is_sound(known: TypeKnowledge) -> None:
    author = replace(AUTHOR, partners=(Partner("Out", named(known, BOX)),))
    assert faults(known, pair(author, BOX)) == []
    renamed = replace(BOX, attributes=(Attribute(NAME, "Another name"),))
    assert faults(known, pair(author, renamed)) == [], "a name is no part of the identity"


def test_a_connection_to_another_object_names_both(known: TypeKnowledge) -> None:
    author = replace(AUTHOR, partners=(Partner("Out", named(known, BOX)),))
    [what] = faults(known, pair(author, OTHER))
    assert f"“t:an-author” connects its endpoint 'Out' only to sha256 {named(known, BOX)}" in what
    assert f"“t:a-box” is sha256 {named(known, OTHER)}" in what


def test_either_end_may_name_its_partner(known: TypeKnowledge) -> None:
    box = replace(BOX, partners=(Partner("Box", "ab" * 32),))
    [what] = faults(known, pair(AUTHOR, box))
    assert what.startswith("“Box” connects its endpoint 'Box' only to sha256 abab")
    elsewhere = replace(BOX, partners=(Partner("Another", "ab" * 32),))
    assert faults(known, pair(AUTHOR, elsewhere)) == []


def test_a_partner_may_be_named_by_its_signer(known: TypeKnowledge, ann: OwnKey, tmp_path: Path) -> None:
    author = replace(AUTHOR, partners=(Partner("Out", signer=ann.signer),))
    assert faults(known, pair(author, signed(known, BOX, ann))) == []
    [unsigned] = faults(known, pair(author, BOX))
    assert unsigned.endswith("“Box” is not signed")
    ben = make_key(tmp_path / "ben", "Ann")
    [stranger] = faults(known, pair(author, signed(known, BOX, ben)))
    assert "“Box” is signed by" in stranger
    changed = replace(OTHER, signatures=signed(known, BOX, ann).signatures)
    [moved] = faults(known, pair(author, changed))
    assert moved.endswith("“t:a-box” is changed since it was signed")


def test_a_demand_holds_through_an_exported_endpoint(known: TypeKnowledge) -> None:
    author = replace(AUTHOR, partners=(Partner("Out", named(known, BOX)),))
    inner = Composite(components=(Component("x", author),), exports=(Export("Out", "x.Out"),))
    assert faults(known, pair(inner, BOX)) == []
    assert len(faults(known, pair(inner, OTHER))) == 1


def test_an_object_given_as_a_parameter_is_a_partner_too(known: TypeKnowledge, ann: OwnKey) -> None:
    def reader(box: Object, *demands: Partner) -> Reference:
        return replace(READER, parameters=(Parameter("box", box),), partners=demands)

    assert faults(known, reader(BOX, Partner("box", named(known, BOX)))) == []
    [what] = faults(known, reader(OTHER, Partner("box", named(known, BOX))))
    assert "connects its endpoint 'box' only to" in what
    wary = replace(BOX, partners=(Partner("Box", signer=ann.signer),))
    [inward] = faults(known, reader(wary))
    assert "“Box” connects its endpoint 'Box' only to an object signed by" in inward
    assert faults(known, signed(known, reader(wary), ann)) == []


def test_parameters_of_a_composite_are_filled_in_first(known: TypeKnowledge) -> None:
    wanted = Reference("t:a-wide")
    part = replace(READER, parameters=(Parameter("box", ParameterUse("p")),))
    part = replace(part, partners=(Partner("box", named(known, BOX)),))
    for given, count in ((BOX, 0), (OTHER, 1)):
        whole = Composite(parameters=(Parameter("p", given),), components=(Component("r", part),))
        assert len(faults(known, whole)) == count, wanted


def test_a_signature_of_a_part_holds_inside_a_whole_with_requirements(
    known: TypeKnowledge, ann: OwnKey
) -> None:
    """Requirements of the whole are copied into the parts before they are built; that is not a change."""
    author = replace(AUTHOR, partners=(Partner("Out", signer=ann.signer),))
    whole = replace(pair(author, signed(known, BOX, ann)), requires=(Requirement("CD`1", 1, "cd" * 32),))
    assert faults(known, whole) == []


def test_a_recipe_that_unfolds_without_end_is_refused(known: TypeKnowledge) -> None:
    inner: Object = replace(AUTHOR, partners=(Partner("Out", "ab" * 32),))
    for _ in range(16):
        use = ParameterUse("p")
        parts = tuple(
            Component(name, Composite(parameters=(Parameter("p", use),), components=(Component("x", inner),)))
            for name in ("a", "b")
        )
        inner = Composite(parameters=(Parameter("p", BOX),), components=parts)
    report = Report(None, (), ())
    assert "cannot be checked" in known.checker.with_partners(inner, report).faults[-1].what
