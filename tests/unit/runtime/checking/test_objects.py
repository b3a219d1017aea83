"""Checks of ids, parameters, casts, folders and authorities, each right and each wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liven.runtime.checking import FaultKind, Report
from liven.runtime.checking.type_knowledge import TypeKnowledge

Check = Callable[[str], Report]
TEXT = '<Value xsi:type="ValueClass" id="liven:text"/>'
CHANNEL = (
    '<ObjectClass id="liven:checkpointed-channel">'
    f'<Parameter id="MessageClass">{TEXT}</Parameter><Parameter id="CheckpointClass">{TEXT}</Parameter>'
    "</ObjectClass>"
)
FOLDER = (
    '<ObjectClass id="liven:folder"><Parameter id="KeyClass">'
    '<Value xsi:type="ValueClass" id="2FEB1E028342422CBD38CB074B957973"/></Parameter>'
    '<Parameter id="ObjectClass"><Value xsi:type="ObjectClass" id="liven:object"/></Parameter></ObjectClass>'
)


def ref(name: str, inside: str = "", tag: str = "Object") -> str:
    return f'<{tag} xsi:type="ReferenceObject" id="{name}">{inside}</{tag}>'


def given(name: str, value: str) -> str:
    return f'<Parameter id="{name}">{value}</Parameter>'


def plain(kind: str, text: str) -> str:
    return f'<Value xsi:type="xsd:{kind}">{text}</Value>'


def only(report: Report) -> tuple[FaultKind, str, str]:
    (fault,) = report.faults
    return fault.kind, "/".join(fault.path), fault.what


REGISTRY = ref("liven:registry", tag="From")
NOTE = ref(
    "liven:text",
    given("channel", ref("standup", CHANNEL + ref("communication", FOLDER + REGISTRY, "From"), "Value")),
)


def test_a_shared_note_is_sound_and_every_part_of_it_is_known(check: Check, known: TypeKnowledge) -> None:
    report = check(NOTE)
    assert report.ok
    assert [("/".join(part.path), part.type is not None) for part in report.parts] == [
        ("Object", True),
        ("Object/Parameter[channel]/Value", True),
        ("Object/Parameter[channel]/Value/From", True),
        ("Object/Parameter[channel]/Value/From/From", True),
    ]
    assert report.type is not None
    assert [name for name, _ in report.type.endpoints] == ["UI"]
    top = report.part(("Object",))
    assert top is not None
    assert top.entry is known.catalogue.find("liven:text", "component")


def test_the_null_object_is_sound_and_nothing(check: Check) -> None:
    report = check('<Object xsi:type="ReferenceObject"/>')
    assert report.ok
    assert report.type is None


def test_an_unknown_id_is_a_fault_that_says_what_to_install(check: Check) -> None:
    report = check(ref("123456789", '<Requires library="37" version="4"/>'))
    kind, path, what = only(report)
    assert (kind, path, what) == (FaultKind.UNKNOWN, "Object", f"no object {0x123456789:032X} is known here")
    assert f"install library {0x37:032X} version 4" in report.faults[0].advice
    assert report.unknown == (f"{0x123456789:032X}",)


def test_an_unknown_alias_is_a_fault_that_names_a_near_one(check: Check) -> None:
    report = check(ref("liven:desktob"))
    assert "liven:desktop" in report.faults[0].advice


def test_faults_inside_an_unknown_object_are_reported_too(check: Check) -> None:
    report = check(ref("1234567890", given("a", ref("1234567891", tag="Value"))))
    assert [fault.kind for fault in report.faults] == [FaultKind.UNKNOWN] * 2


def test_a_parameter_that_the_class_does_not_have_is_a_fault_that_lists_those_it_has(check: Check) -> None:
    kind, path, what = only(check(NOTE.replace("</Object>", given("size", plain("int", "3")) + "</Object>")))
    assert (kind, path) == (FaultKind.PARAMETER, "Object/Parameter[size]")
    assert "has no parameter 'size'; it has UI, channel" in what


def test_a_parameter_that_is_missing_is_a_fault_that_says_its_type(check: Check) -> None:
    kind, path, what = only(check(ref("liven:text")))
    assert (kind, path) == (FaultKind.PARAMETER, "Object")
    assert "'channel', ref<liven:checkpointed-channel<liven:text, liven:text>>" in what


def test_a_parameter_given_twice_is_a_fault(check: Check) -> None:
    null = given("channel", '<Value xsi:type="ReferenceObject" xsi:nil="true"/>')
    assert "is given 2 times" in only(check(ref("liven:text", null + null)))[2]


@pytest.mark.parametrize("value", ['<Value xsi:type="ReferenceObject" xsi:nil="true"/>', ""])
def test_a_parameter_may_be_null_or_left_open(check: Check, value: str) -> None:
    assert check(ref("liven:text", given("channel", value))).ok


def test_an_object_of_another_class_is_a_fault_with_its_reasons(check: Check) -> None:
    (fault,) = check(ref("liven:text", given("channel", ref("t:a-box", tag="Value")))).faults
    assert fault.kind is FaultKind.VALUE
    assert fault.path == ("Object", "Parameter[channel]", "Value")
    assert fault.explanation is not None
    assert "Channel" in fault.explanation.render()
    assert "Channel" in str(fault)


def test_a_channel_of_another_message_does_not_fit(check: Check) -> None:
    wrong = NOTE.replace(TEXT, '<Value xsi:type="ValueClass" id="liven:color"/>', 1)
    (fault,) = check(wrong).faults
    assert fault.explanation is not None
    assert "color" in fault.explanation.render()


VALUES = {
    "count": plain("int", "7"),
    "ratio": plain("double", "0.5"),
    "title": plain("string", "Notes"),
    "on": plain("boolean", "true"),
    "place": '<Value xsi:type="Identifier" value="1F"/>',
    "few": plain("unsignedByte", "7"),
    "maybe": '<Value xsi:type="xsd:int" xsi:nil="true"/>',
    "settings": '<Value xsi:type="Configuration"><Parameter name="a" value="b"/></Value>',
    "whatever": '<Value xsi:type="Properties"><Property/></Value>',
}


def filled(**other: str) -> str:
    return ref("t:plain", "".join(given(name, value) for name, value in (VALUES | other).items()))


def test_plain_values_of_every_kind_fit_their_parameters(check: Check) -> None:
    assert check(filled()).faults == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", plain("unsignedByte", "7")),
        ("count", plain("long", "7")),
        ("ratio", plain("int", "7")),
        ("ratio", plain("double", "INF")),
        ("title", '<Value xsi:type="xsd:string" xsi:nil="true"/>'),
        ("title", '<Value xsi:type="Name" value="x"/>'),
        ("place", plain("string", "{1f}")),
        ("few", plain("int", "255")),
        ("maybe", plain("int", "3")),
    ],
)
def test_a_value_may_be_written_in_any_type_that_holds_it(check: Check, name: str, value: str) -> None:
    assert check(filled(**{name: value})).faults == ()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("count", plain("long", "3000000000"), "3000000000 is given, but int32 is expected"),
        ("count", plain("double", "1.5"), "1.5 is given, but int32 is expected"),
        ("count", plain("string", "7"), "'7' is given, but int32 is expected"),
        ("count", plain("boolean", "1"), "True is given, but int32 is expected"),
        ("count", plain("int", "many"), "'many' is not a whole number"),
        ("count", '<Value xsi:type="xsd:int" xsi:nil="true"/>', "no value is given"),
        ("ratio", plain("boolean", "1"), "True is given, but float64"),
        ("on", plain("int", "1"), "1 is given, but bool"),
        ("few", plain("int", "256"), "256 is given, but uint8"),
        ("place", plain("string", "here"), "'here' is given, but id"),
        ("title", plain("int", "3"), "3 is given, but text"),
        ("title", TEXT, "a class is given, but text"),
        ("settings", plain("string", "a=b"), "'a=b' is given, but map<text, text>"),
        ("title", '<Value xsi:type="Configuration"/>', "settings are given, but text"),
        ("title", '<Value xsi:type="Properties"/>', "properties are given, but text"),
    ],
)
def test_a_value_that_does_not_fit_is_a_fault_that_names_both_sides(
    check: Check, name: str, value: str, words: str
) -> None:
    kind, path, what = only(check(filled(**{name: value})))
    assert (kind, path) == (FaultKind.VALUE, f"Object/Parameter[{name}]/Value")
    assert words in what
    assert what.startswith(f"{name}: ")


def test_a_plain_value_is_not_an_object(check: Check) -> None:
    kind, _, what = only(check(ref("liven:text", given("channel", plain("string", "standup")))))
    assert kind is FaultKind.VALUE
    assert "is expected" in what


def test_classes_are_applied_before_values(check: Check) -> None:
    fits = (
        given("MessageClass", TEXT)
        + given("of", plain("string", "x"))
        + given("to", ref("t:a-box", tag="Value"))
    )
    assert check(ref("t:typed", fits)).faults == ()
    number = '<Value xsi:type="ValueClass" id="liven:uint32"/>'
    kind, path, what = only(check(ref("t:typed", fits.replace(TEXT, number))))
    assert (kind, path) == (FaultKind.VALUE, "Object/Parameter[of]/Value")
    assert "'x' is given, but uint32 is expected" in what


def test_a_missing_class_is_a_fault_and_its_dependents_are_not_judged(check: Check) -> None:
    inside = given("of", plain("string", "x")) + given("to", ref("t:a-box", tag="Value"))
    assert [fault.kind for fault in check(ref("t:typed", inside)).faults] == [FaultKind.CLASS]


def test_a_class_of_another_kind_is_a_fault(check: Check) -> None:
    wrong = given("MessageClass", '<Value xsi:type="ObjectClass" id="liven:object"/>')
    inside = wrong + given("of", plain("string", "x")) + given("to", ref("t:a-box", tag="Value"))
    kind, path, what = only(check(ref("t:typed", inside)))
    assert (kind, path) == (FaultKind.CLASS, "Object/Parameter[MessageClass]/Value")
    assert what == "'MessageClass' takes a value class; this is an object class"


def test_a_template_without_its_classes_takes_no_part_in_comparisons(check: Check) -> None:
    report = check(ref("t:a-box", '<ObjectClass id="liven:checkpointed-channel"/>'))
    assert [fault.kind for fault in report.faults] == [FaultKind.CLASS] * 2


def test_a_cast_to_a_class_that_the_object_is_of_gives_that_class(check: Check, known: TypeKnowledge) -> None:
    report = check(ref("t:a-box", '<ObjectClass id="t:box"/>'))
    assert report.ok
    assert report.type is known.catalogue.object("t:box")


def test_a_cast_to_another_class_is_a_fault_with_its_reasons(check: Check) -> None:
    report = check(ref("t:a-box", '<ObjectClass id="t:author"/>'))
    assert only(report)[:2] == (FaultKind.CAST, "Object/ObjectClass")
    assert report.faults[0].explanation is not None


def test_a_cast_cannot_add_a_promise_that_the_object_does_not_make(check: Check) -> None:
    promise = '<EndpointConstraint name="Box" kind="provided" class="guarantee" value="fifo"/>'
    cast = f'<ObjectClass id="t:box">{promise}</ObjectClass>'
    assert only(check(ref("t:a-box", cast)))[0] is FaultKind.CAST
    demand = cast.replace("provided", "required")
    assert check(ref("t:a-box", demand)).ok, "who is asked for more may still be given it"


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        (
            '<EndpointConstraint name="Nox" kind="provided" class="guarantee" value="fifo"/>',
            "has no endpoint 'Nox'",
        ),
        (
            '<EndpointConstraint name="Box" kind="provided" class="gurantee" value="fifo"/>',
            "no formalism gurantee",
        ),
        (
            '<EndpointConstraint name="Box" kind="provided" class="9999" value="fifo"/>',
            f"no formalism {0x9999:032X}",
        ),
        ('<ObjectConstraint kind="provided" class="trace" value="((("/>', "trace '((('"),
    ],
)
def test_a_constraint_that_cannot_be_read_is_a_fault(check: Check, constraint: str, words: str) -> None:
    report = check(ref("t:a-box", f'<ObjectClass id="t:box">{constraint}</ObjectClass>'))
    assert any(words in fault.what for fault in report.faults), report.faults


def test_an_object_from_a_folder_has_the_type_of_its_as_clause(check: Check, known: TypeKnowledge) -> None:
    report = check(ref("notes", CHANNEL + REGISTRY))
    assert report.ok
    assert report.type is known.catalogue.object("liven:checkpointed-channel<liven:text, liven:text>")
    assert check(ref("notes", REGISTRY)).type is None


def test_an_object_that_is_not_a_folder_cannot_be_asked(check: Check) -> None:
    report = check(ref("notes", ref("t:a-box", tag="From")))
    assert only(report)[:2] == (FaultKind.SOURCE, "Object/From")
    assert report.faults[0].explanation is not None
    nothing = '<From xsi:type="ReferenceObject" xsi:nil="true"/>'
    assert "is requested from nothing" in only(check(ref("notes", nothing)))[2]


def test_a_parameterised_object_in_a_folder_is_checked_as_far_as_it_is_known(check: Check) -> None:
    inside = given("anything", ref("t:a-box", tag="Value")) + given("size", plain("int", "3")) + REGISTRY
    assert check(ref("notes", inside)).ok


def test_a_class_that_demands_an_authority_and_has_none_is_a_fault(check: Check) -> None:
    kind, path, what = only(check(ref("t:a-guarded")))
    assert (kind, path) == (FaultKind.AUTHORITY, "Object")
    assert "demands an authority and has none" in what
    null = '<Authority xsi:type="ReferenceObject" xsi:nil="true"/>'
    assert only(check(ref("t:a-guarded", null)))[0] is FaultKind.AUTHORITY


def test_an_authority_must_be_one(check: Check) -> None:
    assert check(ref("t:a-guarded", ref("t:a-guard", tag="Authority"))).ok
    assert check(ref("t:a-box", ref("t:a-guard", tag="Authority"))).ok
    report = check(ref("t:a-guarded", ref("t:a-box", tag="Authority")))
    assert only(report)[:2] == (FaultKind.AUTHORITY, "Object/Authority")


def test_a_parameter_that_is_an_endpoint_takes_an_object_with_one_that_matches(check: Check) -> None:
    report = check(ref("t:a-reader", given("box", ref("t:a-box", tag="Value"))))
    assert report.ok
    assert report.type is not None
    assert [name for name, _ in report.type.endpoints] == ["View"], "what is connected is open no more"
    open_ = check(ref("t:a-reader", given("box", '<Value xsi:type="ReferenceObject"/>')))
    assert open_.type is not None
    assert [name for name, _ in open_.type.endpoints] == ["View", "box"]


def test_two_endpoints_that_match_are_one_too_many(check: Check) -> None:
    report = check(ref("t:a-reader", given("box", ref("t:a-wide", tag="Value"))))
    kind, path, what = only(report)
    assert (kind, path) == (FaultKind.VALUE, "Object/Parameter[box]/Value")
    assert "In, In2 of this object all match 'box'" in what
    assert "composite" in report.faults[0].advice


def test_no_endpoint_that_matches_is_one_too_few(check: Check) -> None:
    report = check(ref("t:a-reader", given("box", ref("t:an-author", tag="Value"))))
    assert "no endpoint of this object matches 'box'" in only(report)[2]
    assert report.faults[0].explanation is not None
    assert (
        "takes an object; this is a plain value"
        in only(check(ref("t:a-reader", given("box", plain("int", "1")))))[2]
    )


def test_a_class_that_is_only_named_cannot_be_built_here(check: Check) -> None:
    report = check(NOTE)
    assert [part.entry.alias if part.entry else "" for part in report.unbuilt()] == [
        "liven:text",
        "liven:registry",
    ]


def test_all_faults_are_reported_at_once(check: Check) -> None:
    inside = given("channel", ref("123456789", tag="Value")) + given("size", plain("int", "3"))
    kinds = {fault.kind for fault in check(ref("liven:text", inside)).faults}
    assert kinds == {FaultKind.UNKNOWN, FaultKind.PARAMETER}


def test_aliases_are_looked_up_for_identities(known: TypeKnowledge) -> None:
    """A value class may have the name of an object, so the caller says which kind is meant."""
    lookup = known.checker.lookup
    assert lookup("component", "liven:text") == known.catalogue.find("liven:text", "component").id
    assert lookup("value", "liven:text") == known.catalogue.find("liven:text", "value").id
    assert lookup("component", "liven:text") != lookup("value", "liven:text")
    assert lookup("object", "liven:checkpointed-channel") is not None
    assert lookup("component", "liven:nobody") is None
    assert lookup("nothing", "liven:text") is None
