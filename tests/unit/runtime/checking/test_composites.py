"""Composites: connections, exports, parameters passed on, and the derived type."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liven.runtime.checking import FaultKind, Report

Check = Callable[[str], Report]


def part(name: str, id_: str, inside: str = "") -> str:
    return (
        f'<Component id="{name}"><Object xsi:type="ReferenceObject" id="{id_}">{inside}</Object></Component>'
    )


def join(left: str, right: str) -> str:
    return f'<Connection from="{left}" to="{right}"/>'


def show(name: str, origin: str) -> str:
    return f'<Endpoint id="{name}" from="{origin}"/>'


def composite(*inside: str) -> str:
    return f'<Object xsi:type="CompositeObject">{"".join(inside)}</Object>'


def words(report: Report) -> list[tuple[FaultKind, str]]:
    return [(fault.kind, fault.what) for fault in report.faults]


PAIR = (part("a", "t:an-author"), part("b", "t:a-box"), join("a.Out", "b.Box"))


def test_a_composite_whose_endpoints_match_is_sound(check: Check) -> None:
    report = check(composite(*PAIR))
    assert report.ok
    assert report.type is not None
    assert report.type.endpoints == ()
    assert [part.path[-2:] for part in report.parts[1:]] == [
        ("Component[a]", "Object"),
        ("Component[b]", "Object"),
    ]


def test_the_type_of_a_composite_is_its_exported_endpoints(check: Check) -> None:
    report = check(composite(part("a", "t:a-reader"), show("Screen", "a.View"), show("In", "a.box")))
    assert report.type is not None
    assert [name for name, _ in report.type.endpoints] == ["In", "Screen"]


def test_endpoints_that_do_not_match_are_a_fault_with_its_reasons(check: Check) -> None:
    (fault,) = check(composite(*PAIR[:2], join("a.Out", "a.Out").replace("a.Out", "b.Box", 2))).faults[-1:]
    assert fault.kind in (FaultKind.NAME, FaultKind.CONNECTION)
    report = check(composite(part("a", "t:a-careful"), part("b", "t:a-box"), join("a.Out", "b.Box")))
    (fault,) = report.faults
    assert fault.kind is FaultKind.CONNECTION
    assert fault.path == ("Object", "Connection[a.Out b.Box]")
    assert fault.explanation is not None
    assert "total" in fault.explanation.render()


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ((*PAIR[:2], join("a.Outt", "b.Box")), "'a' has no open endpoint 'Outt'; it has Out"),
        ((*PAIR[:2], show("x", "b.Out")), "'b' has no open endpoint 'Out'; it has Box"),
        ((*PAIR[:2], join("a.Out", "c.Box")), "there is no component 'c'; there is a, b"),
        ((*PAIR, show("x", "a.Out")), "is connected inside"),
        ((*PAIR, join("a.Out", "b.Box")), "an endpoint joins one other"),
    ],
)
def test_an_unknown_or_ambiguous_name_is_a_fault(
    check: Check, inside: tuple[str, ...], expected: str
) -> None:
    assert any(expected in what for _, what in words(check(composite(*inside))))


def test_an_unknown_part_is_one_fault_and_is_not_guessed(check: Check) -> None:
    report = check(
        composite(part("a", "123456789"), part("b", "t:a-box"), join("a.Out", "b.Box"), show("x", "a.y"))
    )
    assert [kind for kind, _ in words(report)] == [FaultKind.UNKNOWN]
    assert report.type is None


PASSED = '<Parameter id="MessageClass"><Value xsi:type="ParameterReference" id="M"/></Parameter>'
TYPED = (
    PASSED + '<Parameter id="of"><Value xsi:type="ParameterReference" id="v"/></Parameter>'
    '<Parameter id="to"><Value xsi:type="ParameterReference" id="box"/></Parameter>'
)
GIVEN = (
    '<Parameter id="M"><Value xsi:type="ValueClass" id="liven:text"/></Parameter>'
    '<Parameter id="v"><Value xsi:type="xsd:string">x</Value></Parameter>'
    '<Parameter id="box"><Value xsi:type="ReferenceObject" id="t:a-box"/></Parameter>'
)


def test_parameters_are_passed_on_and_checked_where_they_are_used(check: Check) -> None:
    assert check(composite(GIVEN, part("a", "t:typed", TYPED))).faults == ()
    wrong = GIVEN.replace("t:a-box", "t:an-author")
    (fault,) = check(composite(wrong, part("a", "t:typed", TYPED))).faults
    assert fault.kind is FaultKind.VALUE
    assert fault.path == ("Object", "Component[a]", "Object", "Parameter[to]", "Value")
    number = GIVEN.replace("liven:text", "liven:uint32")
    assert [kind for kind, _ in words(check(composite(number, part("a", "t:typed", TYPED))))] == [
        FaultKind.VALUE
    ]


def test_a_parameter_without_a_default_is_not_judged_before_it_is_given(check: Check) -> None:
    open_ = '<Parameter id="M"/><Parameter id="v"/><Parameter id="box"/>'
    assert check(composite(open_, part("a", "t:typed", TYPED))).faults == ()


def test_a_use_of_an_unknown_parameter_is_a_fault(check: Check) -> None:
    report = check(
        composite('<Parameter id="N"/>', part("a", "t:a-box", PASSED.replace("MessageClass", "x")))
    )
    assert (FaultKind.NAME, "the composite has no parameter 'M'; it has N") in words(report)


def test_a_composite_inside_a_composite_has_parameters_of_its_own(check: Check) -> None:
    inner = composite(
        GIVEN.replace(
            '<Value xsi:type="xsd:string">x</Value>', '<Value xsi:type="ParameterReference" id="w"/>'
        ),
        part("a", "t:typed", TYPED),
    )
    outer = composite(
        '<Parameter id="w"><Value xsi:type="xsd:string">x</Value></Parameter>',
        f'<Component id="in">{inner}</Component>',
    )
    assert check(outer).faults == ()
    number = outer.replace('xsd:string">x', 'xsd:int">3')
    assert [kind for kind, _ in words(check(number))] == [FaultKind.VALUE]


def test_the_class_of_a_composite_must_follow_from_its_exports(check: Check) -> None:
    inside = (part("b", "t:a-box"), show("Box", "b.Box"))
    report = check(composite('<ObjectClass id="t:box"/>', *inside))
    assert report.ok
    report = check(composite('<ObjectClass id="t:author"/>', *inside))
    assert [kind for kind, _ in words(report)] == [FaultKind.CAST]
    report = check(composite('<ObjectClass id="t:fifo-box"/>', *inside))
    assert [kind for kind, _ in words(report)] == [FaultKind.CAST], (
        "a promise of an endpoint must be kept by it"
    )


def test_a_promise_of_the_whole_is_trusted_and_reported_as_asserted(check: Check) -> None:
    promise = '<ObjectConstraint kind="provided" class="guarantee" value="encrypted"/>'
    report = check(
        composite(
            f'<ObjectClass id="t:box">{promise}</ObjectClass>', part("b", "t:a-box"), show("Box", "b.Box")
        )
    )
    assert report.ok
    (asserted,) = report.asserted
    assert asserted.constraint.text == "encrypted"
    assert report.type is not None
    assert [one.text for one in report.type.provides] == ["encrypted"]


def test_a_composite_is_accepted_where_an_object_is_expected(check: Check) -> None:
    inner = composite(part("b", "t:a-box"), show("Box", "b.Box"))[len("<Object") : -len("</Object>")]
    parameter = f'<Parameter id="box"><Value{inner}</Value></Parameter>'
    assert check(f'<Object xsi:type="ReferenceObject" id="t:a-reader">{parameter}</Object>').ok


def test_a_use_outside_of_any_composite_is_a_fault(check: Check) -> None:
    alone = f'<Object xsi:type="ReferenceObject" id="t:typed">{TYPED}</Object>'
    found = words(check(alone))
    assert [kind for kind, _ in found if kind is FaultKind.NAME] == [FaultKind.NAME] * 3
    assert "the parameter 'M' is used outside of any composite" in found[0][1]


@pytest.mark.parametrize(
    "default",
    [
        '<Value xsi:type="ParameterReference" id="p"/>',
        '<Value xsi:type="ReferenceObject" id="t:a-reader"><Parameter id="box">'
        '<Value xsi:type="ParameterReference" id="p"/></Parameter></Value>',
        '<Value xsi:type="ObjectClass" id="liven:folder"><Parameter id="ObjectClass">'
        '<Value xsi:type="ParameterReference" id="p"/></Parameter></Value>',
    ],
)
def test_a_default_that_uses_itself_is_a_fault_not_an_endless_loop(check: Check, default: str) -> None:
    use = '<Parameter id="box"><Value xsi:type="ParameterReference" id="p"/></Parameter>'
    report = check(composite(f'<Parameter id="p">{default}</Parameter>', part("a", "t:a-reader", use)))
    assert (FaultKind.NAME, "the parameter 'p' is used outside of any composite") in words(report)


def unfolding(levels: int, value: str, twice: str) -> str:
    """Return nested composites, each of which uses its parameter twice and passes that on."""
    inside = part(
        "a", "t:a-reader", '<Parameter id="box"><Value xsi:type="ParameterReference" id="p"/></Parameter>'
    )
    for _ in range(levels):
        whole = composite(f'<Parameter id="p">{twice}</Parameter>', inside)
        inside = f'<Component id="in">{whole}</Component>'
    return composite(f'<Parameter id="p">{value}</Parameter>', inside)


USE = '<Value xsi:type="ParameterReference" id="p"/>'
OBJECTS = (
    '<Value xsi:type="ReferenceObject" id="t:a-box"/>',
    f'<Value xsi:type="ReferenceObject" id="t:two"><Parameter id="x">{USE}</Parameter>'
    f'<Parameter id="y">{USE}</Parameter></Value>',
)
CLASSES = (
    '<Value xsi:type="ValueClass" id="liven:text"/>',
    f'<Value xsi:type="ValueClass" id="liven:versioned"><Parameter id="VersionClass">{USE}</Parameter>'
    f'<Parameter id="ValueClass">{USE}</Parameter></Value>',
)


@pytest.mark.slow
def test_a_small_file_that_unfolds_to_very_much_is_refused_in_time(check: Check) -> None:
    (fault,) = [one for one in check(unfolding(30, *OBJECTS)).faults if one.kind is FaultKind.SIZE]
    assert "it unfolds to more than 20,000 objects and classes" in fault.what
    assert not any(one.kind is FaultKind.SIZE for one in check(unfolding(3, *OBJECTS)).faults)


@pytest.mark.slow
def test_classes_that_unfold_to_very_much_are_refused_as_well(check: Check) -> None:
    taken = '<Parameter id="MessageClass"><Value xsi:type="ParameterReference" id="p"/></Parameter>'
    text = unfolding(30, *CLASSES).replace(
        '"t:a-reader"><Parameter id="box"><Value xsi:type="ParameterReference" id="p"/></Parameter>',
        f'"t:typed">{taken}',
    )
    assert any(one.kind is FaultKind.SIZE for one in check(text).faults)


def test_parameters_substituted_into_parts_are_limited_in_depth(check: Check) -> None:
    chain = USE
    for _ in range(20):
        inside = f'<Parameter id="box">{chain}</Parameter>'
        chain = f'<Value xsi:type="ReferenceObject" id="t:a-reader">{inside}</Value>'
    deep = check(unfolding(20, OBJECTS[0], chain))
    assert any("or 160 levels" in fault.what for fault in deep.faults)
    assert not any(fault.kind is FaultKind.SIZE for fault in check(unfolding(2, OBJECTS[0], chain)).faults)
