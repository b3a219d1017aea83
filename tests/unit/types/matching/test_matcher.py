from __future__ import annotations

import gc
import weakref

import pytest

from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.recursion import UnguardedRecursionError
from liven.types.terms.value_types import (
    BYTES,
    INT32,
    INT64,
    TEXT,
    ListOf,
    Loop,
    Record,
    Recursive,
    ValueType,
    optional,
    record,
)


def test_a_repeated_question_gets_the_same_answer_object(matcher: Matcher) -> None:
    first, second = EndpointType(), EndpointType()
    assert matcher.matches(first, second) is matcher.matches(first, second)


def test_answers_of_different_questions_about_the_same_types_are_kept_apart(matcher: Matcher) -> None:
    sender = EndpointType(outputs=(("m", TEXT),))
    assert matcher.endpoint_subtype(sender, sender)
    assert not matcher.matches(sender, sender)
    assert matcher.endpoint_subtype(sender, sender)


def test_types_of_different_kinds_do_not_compare(matcher: Matcher) -> None:
    answer = matcher.subtype(TEXT, EndpointType())
    assert not answer
    assert answer.claim == "text is a value type, endpoint {} is an endpoint type"
    assert not matcher.subtype(ObjectType(), EndpointType())
    assert not matcher.subtype(ObjectType(), TEXT)


def test_subtype_asks_the_relation_of_the_kind(matcher: Matcher) -> None:
    assert matcher.subtype(INT32, optional(INT32))
    assert matcher.subtype(EndpointType(), EndpointType(outputs=(("m", TEXT),)))
    assert matcher.subtype(ObjectType((("e", EndpointType()),)), ObjectType())


def test_same_shows_both_directions(matcher: Matcher) -> None:
    answer = matcher.same(INT32, optional(INT32))
    assert [reason.holds for reason in answer.reasons] == [True, False]
    assert answer.claim == "int32 and optional<int32> are not one type"


def test_the_memory_of_answers_is_bounded_and_types_are_freed() -> None:
    matcher = Matcher(Formalisms(), most_answers=10)
    first = EndpointType(inputs=(("m", TEXT),))
    other = Held()
    kept = weakref.ref(other)
    assert matcher.endpoint_subtype(first, other)
    del other
    for number in range(20):
        matcher.matches(first, EndpointType(outputs=((f"m{number}", TEXT),)))
    gc.collect()
    assert kept() is None


class Held(EndpointType):
    """An endpoint type with weak references."""

    __slots__ = ("__weakref__",)


def test_answers_stay_correct_while_types_are_freed_and_made(matcher: Matcher) -> None:
    """Answers are keyed by address, and addresses are reused."""
    target = record(x=INT32)
    for number in range(2000):
        good = number % 3 == 0
        assert matcher.value_subtype(record(x=INT32 if good else TEXT), target).holds == good


def test_answers_about_parts_stay_correct_while_types_are_freed_and_made() -> None:
    """The solver remembers parts longer than the matcher remembers the whole."""
    matcher = Matcher(Formalisms(), most_answers=1)
    target = record(held=ListOf(record(y=INT32)))
    for number in range(2000):
        good = number % 3 == 0
        actual = record(held=ListOf(record(y=INT32 if good else TEXT)))
        assert matcher.value_subtype(actual, target).holds == good
        del actual


def test_a_decision_that_would_take_too_long_is_refused_and_says_so() -> None:
    matcher = Matcher(Formalisms(), most_parts=50)

    def broad(leaf: ValueType) -> ValueType:
        return record(**{f"f{number}": ListOf(leaf) for number in range(100)})

    answer = matcher.value_subtype(broad(INT32), broad(optional(INT32)))
    assert not answer
    assert "not decided, more than 50 parts would have to be compared" in answer.claim


def test_types_that_share_parts_a_million_times_are_decided_at_once(matcher: Matcher) -> None:
    def doubled(leaf: ValueType) -> ValueType:
        for _ in range(40):
            leaf = record(a=leaf, b=leaf)
        return leaf

    assert matcher.value_subtype(doubled(INT32), doubled(optional(INT32)))
    refused = matcher.value_subtype(doubled(TEXT), doubled(INT32))
    assert not refused
    assert len(refused.render().splitlines()) < 200


def test_very_deep_types_do_not_exhaust_the_stack(matcher: Matcher) -> None:
    def deep(leaf: ValueType) -> ValueType:
        for _ in range(5000):
            leaf = ListOf(leaf)
        return leaf

    assert matcher.value_subtype(deep(INT32), deep(optional(INT32)))
    refused = matcher.value_subtype(deep(TEXT), deep(INT32))
    assert not refused
    assert refused.render(full=True)


def test_an_explanation_of_too_many_parts_still_says_the_answer(matcher: Matcher) -> None:
    def broad(last: ValueType) -> ValueType:
        many = {f"a{number:05}": record(x=INT32) for number in range(21_000)}
        return record(**many, z=last)

    answer = matcher.value_subtype(broad(TEXT), broad(INT32))
    assert not answer
    assert answer.render()


def test_a_part_that_was_not_checked_is_not_claimed_to_fit(matcher: Matcher) -> None:
    """There are more goals here than an explanation visits, and two of them fail."""

    def inner(last: ValueType) -> ValueType:
        return record(**{f"g{number}": ListOf(INT32) for number in range(200)}, z=ListOf(last))

    def broad(wrong: tuple[int, ...]) -> ValueType:
        return record(**{f"f{n:04}": inner(BYTES if n in wrong else INT32) for n in range(130)})

    left, right = broad(()), broad((2, 128))
    assert isinstance(left, Record) and isinstance(right, Record)
    answer = matcher.value_subtype(left, right)
    shown = {reason.subject: reason.holds for reason in answer.reasons}
    for (name, one), (_, other) in zip(left.fields, right.fields, strict=True):
        if name in shown:
            assert shown[name] == matcher.value_subtype(one, other).holds
    assert shown["f0128"] is False
    assert len(shown) < 130
    assert f"; {130 - len(shown)} more parts were not fully checked" in answer.claim


def test_every_part_of_a_fitting_whole_is_claimed_to_fit(matcher: Matcher) -> None:
    left, right = (
        record(**{f"f{n}": ListOf(record(x=kind)) for n in range(12_000)}) for kind in (INT32, INT64)
    )
    answer = matcher.value_subtype(left, right)
    assert answer.holds
    assert "looked at" not in answer.claim
    assert len(answer.reasons) == 12_000
    assert all(reason.holds for reason in answer.reasons)


def test_thousands_of_missing_fields_are_explained_quickly(matcher: Matcher) -> None:
    left = record(**{f"a{number:05}": INT32 for number in range(5_000)})
    right = record(**{f"b{number:05}": INT32 for number in range(5_000)})
    assert len(list(matcher.value_subtype(left, right).failures())) == 5_000


def test_an_unguarded_recursive_type_is_an_error_not_an_endless_loop(matcher: Matcher) -> None:
    with pytest.raises(UnguardedRecursionError):
        matcher.value_subtype(Recursive("T", optional(Loop("T"))), TEXT)


def test_a_recurring_goal_refers_to_the_line_above(matcher: Matcher) -> None:
    chain = Recursive("T", record(head=INT32, tail=optional(Loop("T"))))
    other = Recursive("U", record(head=optional(INT32), tail=optional(Loop("U"))))
    assert "as shown above" in matcher.value_subtype(chain, other).render(full=True)
