from __future__ import annotations

from typing import Any

import pytest

from liven.types.codec import Codec
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.template import Arguments, Kind, Parameter, Template, TemplateError
from liven.types.terms.value_types import INT32, TEXT, ClassTag, ListOf, Local, ValueType, record

TAG = ClassTag(ClassId(0x0806), "liven:channel")


def build(given: Arguments) -> ObjectType:
    message = record(message=given["Message"])
    return ObjectType((("Channel", EndpointType((("Send", message),), (("Receive", message),))),))


CHANNEL = Template(
    TAG,
    (
        Parameter("Message", Kind.VALUE_CLASS),
        Parameter("history", Kind.VALUE, lambda given: ListOf(given["Message"])),
    ),
    build,
    check=lambda kind, value, name: Codec(kind).check(value, name),
)


def test_assigning_everything_gives_the_type() -> None:
    given = CHANNEL.assign(Message=TEXT, history=["a"])
    assert given.open == ()
    assert given.entity() == build({"Message": TEXT})


def test_parameters_may_be_given_in_steps_and_the_template_stays_as_it_was() -> None:
    partly = CHANNEL.assign(Message=TEXT)
    assert [parameter.name for parameter in partly.open] == ["history"]
    assert [parameter.name for parameter in CHANNEL.open] == ["Message", "history"]
    assert str(partly) == "liven:channel<Message=text, history=?>"
    assert partly.assign(history=[]).entity() == build({"Message": TEXT})


def test_types_come_before_values() -> None:
    with pytest.raises(TemplateError, match="history: type parameters come before values; give Message"):
        CHANNEL.assign(history=[])


def test_types_and_values_of_one_assignment_are_taken_in_that_order() -> None:
    assert CHANNEL.assign(history=[1], Message=INT32).open == ()


def test_a_value_is_checked_against_the_type_that_the_other_arguments_give_it() -> None:
    with pytest.raises(TemplateError, match=r"history\[0\]: expected text, got 3"):
        CHANNEL.assign(Message=TEXT, history=[3])


def test_a_failed_assignment_changes_nothing() -> None:
    partly = CHANNEL.assign(Message=TEXT)
    with pytest.raises(TemplateError):
        partly.assign(history="no list")
    assert dict(partly.given) == {"Message": TEXT}


def test_unknown_and_repeated_parameters_are_refused() -> None:
    with pytest.raises(TemplateError, match="Msg: liven:channel has no such parameter; it has Message"):
        CHANNEL.assign(Msg=TEXT)
    with pytest.raises(TemplateError, match="Message: is given already"):
        CHANNEL.assign(Message=TEXT).assign(Message=INT32)


def test_a_partly_applied_template_gives_no_type_and_refuses_every_comparison() -> None:
    partly = CHANNEL.assign(Message=TEXT)
    with pytest.raises(TemplateError, match=r"is not a type yet: `history` \(value\) is not given"):
        partly.entity()
    matcher = Matcher(Formalisms())
    whole = build({"Message": TEXT})
    for answer in (
        matcher.subtype(partly, whole),
        matcher.subtype(whole, partly),
        matcher.subtype(partly, partly),
    ):
        assert not answer
        assert "cannot be compared: `history` (value) is not given" in answer.claim
    assert not matcher.same(CHANNEL, whole)


def test_a_fully_applied_template_compares_as_its_type() -> None:
    matcher = Matcher(Formalisms())
    assert matcher.same(CHANNEL.assign(Message=TEXT, history=[]), build({"Message": TEXT}))
    assert not matcher.subtype(CHANNEL.assign(Message=TEXT, history=[]), build({"Message": INT32}))


ARGUMENTS: dict[Kind, Any] = {
    Kind.VALUE_CLASS: TEXT,
    Kind.INTERFACE_CLASS: (("Send", TEXT),),
    Kind.ENDPOINT_CLASS: EndpointType(),
    Kind.OBJECT_CLASS: ObjectType(),
}


@pytest.mark.parametrize("kind", list(ARGUMENTS))
@pytest.mark.parametrize("other", list(ARGUMENTS))
def test_each_kind_of_parameter_takes_its_own_kind_of_class(kind: Kind, other: Kind) -> None:
    template = Template(TAG, (Parameter("P", kind),), lambda _given: TEXT)
    if kind is other:
        assert template.assign(P=ARGUMENTS[other]).entity() == TEXT
    else:
        with pytest.raises(TemplateError, match=f"P: expected a type of kind {kind.value}"):
            template.assign(P=ARGUMENTS[other])


def test_a_value_parameter_may_have_a_plain_type() -> None:
    def check(kind: ValueType, value: Any, name: str) -> Any:
        return Codec(kind).check(value, name)

    template = Template(TAG, (Parameter("size", Kind.VALUE, INT32),), lambda _given: ObjectType(), check)
    assert template.assign(size=3).given == {"size": 3}
    with pytest.raises(TemplateError, match="size: expected int32, got text"):
        template.assign(size="3")


def test_a_parameter_says_the_type_of_a_value_and_of_nothing_else() -> None:
    with pytest.raises(TemplateError, match="needs the type of its value"):
        Parameter("p", Kind.VALUE)
    with pytest.raises(TemplateError, match="takes no type of its own"):
        Parameter("P", Kind.OBJECT_CLASS, TEXT)


def test_an_interface_argument_prints_its_events() -> None:
    template = Template(TAG, (Parameter("I", Kind.INTERFACE_CLASS),), lambda _given: TEXT)
    assert str(template.assign(I=(("Send", TEXT),))) == "liven:channel<I=(Send(text))>"


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ((("b", TEXT), ("a", TEXT)), "I: the events are not in the order of their names; sort them"),
        ((("a", TEXT), ("a", INT32)), "I: the event `a` is named twice; leave one out"),
        (((3, TEXT),), "I: expected a type of kind interface class, got something else"),
        ((("a", TEXT, TEXT),), "I: expected a type of kind interface class, got something else"),
    ],
)
def test_the_events_of_an_argument_are_named_once_and_in_order(events: Any, said: str) -> None:
    template = Template(TAG, (Parameter("I", Kind.INTERFACE_CLASS),), lambda _given: TEXT)
    with pytest.raises(TemplateError) as caught:
        template.assign(I=events)
    assert str(caught.value) == said


def test_a_type_whose_values_have_no_form_is_told_with_the_parameter() -> None:
    with pytest.raises(TemplateError, match=r"^history: takes no value: .*local<x>.*cannot be sent"):
        CHANNEL.assign(Message=Local("x"), history=[])
