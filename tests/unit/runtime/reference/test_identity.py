"""Identity: changes to a reference that keep it, and changes that do not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.runtime.reference.errors import IdentityError
from liven.runtime.reference.identity import REGISTRY, canonical, digest
from liven.runtime.reference.model import (
    NAME,
    Attribute,
    Component,
    Composite,
    Configuration,
    Connection,
    Export,
    Margin,
    Object,
    ObjectClass,
    ObjectConstraint,
    OtherClass,
    Parameter,
    Plain,
    Reference,
    Requirement,
    Setting,
)
from liven.runtime.reference.xml import read_object, write
from liven.runtime.testing.reference_strategies import OBJECTS
from liven.types.ids import ClassId

law = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
TEXT = ClassId(0xE3EA16F4ECC84B3B998E01F3B78E9AC9)
HASH = "ab" * 32


def lookup(kind: str, alias: str) -> ClassId | None:
    """Look up any alias; one of them has its real id."""
    return TEXT if (kind, alias) == ("component", "liven:text") else ClassId(hash((kind, alias)) % 2**128)


def nothing(kind: str, alias: str) -> ClassId | None:
    return None


NOTE = Reference(
    str(TEXT),
    (
        Parameter("size", Plain("int", "7")),
        Parameter("channel", Reference("standup", source=Reference(REGISTRY))),
    ),
)


def test_the_hash_of_a_known_reference_never_changes() -> None:
    """It is stored and compared between nodes and versions: a change here is a change of all identities."""
    assert digest(NOTE, nothing) == "1de273945f453539679a979d3be5e7334e7207953e79df0d508daab147932402"


SAME: list[tuple[str, Object]] = [
    ("attributes", replace(NOTE, attributes=(Attribute(NAME, "Standup notes"),))),
    ("comments", replace(NOTE, margin=Margin(("a comment",)))),
    ("unknown attributes", replace(NOTE, margin=Margin((), (("color", "red"),)))),
    ("the order of parameters", replace(NOTE, parameters=NOTE.parameters[::-1])),
    ("the alias of the id", replace(NOTE, id="liven:text")),
    (
        "the spelling of a number",
        replace(NOTE, parameters=(Parameter("size", Plain("int", " +07 ")), NOTE.parameters[1])),
    ),
    (
        "the spelling of a registry's key",
        replace(
            NOTE,
            parameters=(
                NOTE.parameters[0],
                Parameter("channel", Reference("standup ", source=Reference(REGISTRY))),
            ),
        ),
    ),
]
OTHER: list[tuple[str, Object]] = [
    ("another id", replace(NOTE, id=f"{7:032X}")),
    ("another version", replace(NOTE, id=f"{NOTE.id}`1")),
    ("a parameter left out", replace(NOTE, parameters=NOTE.parameters[:1])),
    (
        "another type of a value",
        replace(NOTE, parameters=(Parameter("size", Plain("long", "7")), NOTE.parameters[1])),
    ),
    ("an authority", replace(NOTE, authority=Reference("1"))),
    ("an as clause", replace(NOTE, object_class=ObjectClass("1"))),
    ("a pinned library", replace(NOTE, requires=(Requirement("1", 1, HASH),))),
    ("no object", Reference()),
]


@pytest.mark.parametrize("other", [thing for _, thing in SAME], ids=[what for what, _ in SAME])
def test_an_irrelevant_change_keeps_the_identity(other: Object) -> None:
    assert digest(other, lookup) == digest(NOTE, lookup)


@pytest.mark.parametrize("other", [thing for _, thing in OTHER], ids=[what for what, _ in OTHER])
def test_a_relevant_change_gives_another_identity(other: Object) -> None:
    assert digest(other, lookup) != digest(NOTE, lookup)


def test_the_order_and_direction_inside_a_composite_make_no_difference() -> None:
    parts = (Component("a", Reference("1")), Component("b", Reference("2")))
    first = Composite("3", (), parts, (Export("u", "a.u"), Export("v", "b.v")), (Connection("a.x", "b.y"),))
    second = Composite("3", (), parts[::-1], first.exports[::-1], (Connection("b.y", "a.x"),))
    assert digest(first, nothing) == digest(second, nothing)
    assert digest(replace(first, connections=()), nothing) != digest(first, nothing)


def test_the_order_of_constraints_settings_and_needs_makes_no_difference() -> None:
    constraints = (ObjectConstraint("provided", "1", "fifo"), ObjectConstraint("required", "1", "total"))
    settings_ = (Setting("a", "1"), Setting("b", "2"))
    needs = (Requirement("1"), Requirement("2"))
    first = Reference(
        "1",
        (Parameter("c", Configuration(settings_)),),
        object_class=ObjectClass("2", (), constraints),
        requires=needs,
    )
    second = Reference(
        "1",
        (Parameter("c", Configuration(settings_[::-1])),),
        object_class=ObjectClass("2", (), constraints[::-1]),
        requires=needs[::-1],
    )
    assert digest(first, nothing) == digest(second, nothing)


def test_the_url_of_a_library_counts_unless_its_hash_is_pinned() -> None:
    def needing(sha256: str, url: str) -> str:
        return digest(Reference("1", requires=(Requirement("2", 1, sha256, url=url),)), nothing)

    assert needing(HASH, "file:///a") == needing(HASH, "https://b")
    assert needing("", "file:///a") != needing("", "https://b")


def test_an_alias_is_looked_up_among_classes_of_its_kind() -> None:
    """An object and a value class may share a name without being one class."""
    thing = Reference("liven:text", (Parameter("p", OtherClass("ValueClass", "liven:text")),))
    form = canonical(thing, lookup)
    inner = form.parameters[0].value
    assert isinstance(inner, OtherClass)
    assert form.id == str(TEXT)
    assert inner.id != form.id


def test_a_well_known_key_of_the_registry_may_be_named() -> None:
    def asked(key: str) -> str:
        return digest(Reference(key, source=Reference(REGISTRY)), nothing)

    assert asked("communication") == asked("011E83FA6A9F426993BB8EF26FF7D7B8")
    assert asked("multicast") != asked("communication")


def test_a_key_in_a_folder_is_taken_literally_but_in_the_registry_it_is_an_id() -> None:
    def asked(key: str, folder: str) -> str:
        return digest(Reference(key, source=Reference(folder)), nothing)

    assert asked("{11e8}", REGISTRY) == asked("11E8", REGISTRY)
    assert asked("{11e8}", "37") != asked("11E8", "37")


@pytest.mark.parametrize("null", [Reference(), Reference("1", nil=True), Composite("2", nil=True)])
def test_all_null_objects_are_one(null: Object) -> None:
    assert canonical(null, nothing) == Reference()


def test_an_unknown_alias_has_no_identity_and_is_named_with_its_place() -> None:
    thing = Reference("1", (Parameter("p", Reference("2", object_class=ObjectClass("example:notes"))),))
    with pytest.raises(IdentityError, match="install the library") as caught:
        digest(thing, nothing)
    assert caught.value.alias == "example:notes"
    assert caught.value.path == ("Object", "Parameter[p]", "Value", "ObjectClass")


@law
@given(OBJECTS)
def test_the_canonical_form_is_its_own_canonical_form(thing: Object) -> None:
    form = canonical(thing, lookup)
    assert canonical(form, lookup) == form


@law
@given(OBJECTS)
def test_writing_and_reading_keep_the_identity(thing: Object) -> None:
    assert digest(read_object(write(thing)), lookup) == digest(thing, lookup)


@law
@given(OBJECTS, st.randoms(use_true_random=False))
def test_shuffling_keeps_the_identity(thing: Object, random: object) -> None:
    import random as chance

    assert isinstance(random, chance.Random)
    parameters = list(thing.parameters)
    random.shuffle(parameters)
    assert digest(replace(thing, parameters=tuple(parameters)), lookup) == digest(thing, lookup)


@pytest.mark.parametrize(
    ("kind", "one", "other"), [("UINT128", "007", "7"), ("ID", "{abc}", "ABC"), ("Identifier", "0abc", "ABC")]
)
def test_the_spelling_of_a_number_of_128_bits_makes_no_other_object(kind: str, one: str, other: str) -> None:
    def holding(text: str) -> str:
        value = f'<Parameter id="p"><Value xsi:type="{kind}" value="{text}"/></Parameter>'
        return digest(read_object(_object(value)), nothing)

    assert holding(one) == holding(other) != holding("abd")


def test_a_type_of_another_namespace_makes_another_object_and_its_prefix_does_not() -> None:
    def typed(prefix: str, namespace: str) -> str:
        inside = f'<a xmlns:{prefix}="{namespace}" xsi:type="{prefix}:t"/>'
        value = f'<Parameter id="p"><Value xsi:type="Properties">{inside}</Value></Parameter>'
        return digest(read_object(_object(value)), nothing)

    assert typed("q", "urn:one") != typed("q", "urn:two")
    assert typed("q", "urn:one") == typed("r", "urn:one")


def _object(inside: str) -> str:
    declared = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    return f'<Object {declared} xsi:type="ReferenceObject" id="1">{inside}</Object>'
