from __future__ import annotations

from typing import TYPE_CHECKING

from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType

if TYPE_CHECKING:
    from tests.unit.types.matching.conftest import Promised

PROMISED, GRADED, FOREIGN, OATH, ECHO = (ClassId(key) for key in (0xA, 0xB, 0xC, 0xD, 0xE))


def said(text: str, language: ClassId = PROMISED) -> Constraint:
    return Constraint(language, frozenset(text.split()), text)


def gives(*constraints: Constraint) -> EndpointType:
    return EndpointType(provides=constraints)


def wants(*constraints: Constraint) -> EndpointType:
    return EndpointType(requires=constraints)


def test_several_constraints_of_one_formalism_are_their_conjunction(matcher: Matcher) -> None:
    assert matcher.matches(gives(said("a"), said("b")), wants(said("b a")))
    assert matcher.matches(gives(said("a b")), wants(said("b"), said("a")))
    assert not matcher.matches(gives(said("a")), wants(said("a"), said("b")))


def test_implication_goes_from_what_is_provided_to_what_is_required(matcher: Matcher) -> None:
    assert matcher.matches(gives(said("a b")), wants(said("a")))
    assert not matcher.matches(gives(said("a")), wants(said("a b")))


def test_a_demand_is_mirrored_before_it_crosses_a_connection(matcher: Matcher) -> None:
    assert matcher.matches(gives(said("out.Send")), wants(said("in.Send")))
    assert not matcher.matches(gives(said("in.Send")), wants(said("in.Send")))


def test_nothing_is_mirrored_between_a_subtype_and_its_supertype(matcher: Matcher) -> None:
    assert matcher.endpoint_subtype(gives(said("in.Send x")), gives(said("in.Send")))
    assert not matcher.endpoint_subtype(gives(said("out.Send x")), gives(said("in.Send")))


def test_a_demand_that_is_true_of_everything_is_dropped(matcher: Matcher) -> None:
    answer = matcher.matches(gives(), wants(said("")))
    assert answer
    assert "demands nothing" in answer.render(full=True)
    assert not matcher.matches(gives(said("")), wants(said("a")))


def test_a_promise_counts_in_the_formalism_that_its_own_extends(matcher: Matcher) -> None:
    assert matcher.matches(gives(said("sworn:a", GRADED)), wants(said("a")))
    assert matcher.matches(gives(said("sworn:a", GRADED), said("b")), wants(said("a b")))


def test_promises_translate_together_and_not_one_by_one(matcher: Matcher) -> None:
    """Otherwise one constraint, and the same one in two parts, would promise different things."""
    whole, parts = gives(said("most least", GRADED)), gives(said("most", GRADED), said("least", GRADED))
    for end in (whole, parts):
        assert matcher.matches(end, wants(said("exact")))
    assert matcher.endpoint_subtype(parts, whole)
    assert not matcher.matches(gives(said("most", GRADED)), wants(said("exact")))


def test_a_promise_is_translated_through_several_formalisms(matcher: Matcher) -> None:
    assert matcher.matches(gives(said("a", OATH)), wants(said("a")))
    assert matcher.matches(gives(said("most", OATH), said("least", GRADED)), wants(said("exact")))


def test_translations_without_end_are_refused(matcher: Matcher) -> None:
    answer = matcher.matches(gives(said("x", ECHO)), wants(said("a")))
    assert not answer
    assert "cannot be decided: the promises have more than 200 consequences" in answer.render()


def test_a_promise_too_large_to_translate_does_not_affect_others(matcher: Matcher) -> None:
    assert matcher.matches(gives(said("unreadable", GRADED), said("a")), wants(said("a")))


def test_demands_are_not_translated(matcher: Matcher) -> None:
    assert not matcher.matches(gives(said("a")), wants(said("sworn:a", GRADED)))


def test_each_formalism_is_answered_by_itself(matcher: Matcher) -> None:
    answer = matcher.matches(gives(said("a")), wants(said("a"), said("b", GRADED)))
    assert [(path, failure.claim) for path, failure in answer.failures()] == [
        (("graded",), "graded: `b` is required, nothing is promised")
    ]


def test_the_reason_comes_from_the_formalism(matcher: Matcher) -> None:
    answer = matcher.matches(gives(said("a")), wants(said("a"), said("b c")))
    assert "lacking: b, c" in answer.render()


def test_an_identical_promise_covers_a_demand_without_calling_the_formalism(
    matcher: Matcher, promised: Promised
) -> None:
    riddle = said("riddle")
    assert matcher.endpoint_subtype(gives(riddle, said("x")), gives(riddle))
    assert promised.asked == 0


def test_an_undecided_implication_is_refused_with_the_reason(matcher: Matcher) -> None:
    answer = matcher.matches(gives(said("a")), wants(said("riddle")))
    assert not answer
    assert "promised: cannot be decided: a riddle has no answer" in answer.render()


def test_an_unknown_formalism_accepts_identical_text_but_not_across_a_connection(matcher: Matcher) -> None:
    known, foreign = said("a"), said("b", FOREIGN)
    assert matcher.endpoint_subtype(gives(known, foreign), gives(foreign))
    assert not matcher.endpoint_subtype(gives(known), gives(foreign))
    answer = matcher.matches(gives(foreign), wants(foreign))
    assert not answer
    assert f"{FOREIGN}: is not known here; register the library that brings it" in answer.render()


def test_an_implication_is_decided_once_for_all_endpoints(matcher: Matcher, promised: Promised) -> None:
    for _ in range(5):
        assert matcher.matches(gives(said("a b")), wants(said("a")))
    assert promised.asked == 1


def test_registering_a_formalism_changes_later_answers(promised: Promised) -> None:
    formalisms = Formalisms()
    matcher = Matcher(formalisms)
    first, second = gives(said("a b")), wants(said("a"))
    assert not matcher.matches(first, second)
    formalisms.register(promised)
    assert matcher.matches(first, second)


def test_an_earlier_answer_keeps_its_reasons_after_a_formalism_is_registered(promised: Promised) -> None:
    """The tree is made only now, when the formalism would decide differently."""
    formalisms = Formalisms()
    matcher = Matcher(formalisms)
    first, second = gives(said("a b")), wants(said("a"))
    before, unread = matcher.matches(first, second), matcher.matches(first, wants(said("c")))
    formalisms.register(promised)
    assert not before
    assert "is not known here; register the library that brings it" in before.render()
    assert matcher.matches(first, second)
    assert "is not known here" in unread.render()
