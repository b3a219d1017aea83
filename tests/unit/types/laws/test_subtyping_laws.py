"""The laws of the relations: preorders, symmetry, and substitution by subtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.types.matching import Matcher

if TYPE_CHECKING:
    from tests.unit.types.laws.conftest import Terms

tried = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@tried
@given(data=st.data())
def test_a_value_type_fits_all_its_supertypes_and_theirs(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    first = data.draw(terms.values())
    second = data.draw(terms.wider_of(first))
    third = data.draw(terms.wider_of(second))
    assert matcher.value_subtype(first, first)
    for narrow, wide in ((first, second), (second, third), (first, third)):
        assert matcher.value_subtype(narrow, wide), matcher.value_subtype(narrow, wide).render()


@tried
@given(data=st.data())
def test_subtyping_of_values_is_transitive_on_unrelated_types(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    first, second, third = (data.draw(terms.near_values()) for _ in range(3))
    if matcher.value_subtype(first, second) and matcher.value_subtype(second, third):
        assert matcher.value_subtype(first, third)


@tried
@given(data=st.data())
def test_an_endpoint_stands_for_all_its_supertypes_and_theirs(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    first = data.draw(terms.endpoints())
    second = data.draw(terms.wider_endpoint_of(first))
    third = data.draw(terms.wider_endpoint_of(second))
    assert matcher.endpoint_subtype(first, first)
    for narrow, wide in ((first, second), (second, third), (first, third)):
        assert matcher.endpoint_subtype(narrow, wide), matcher.endpoint_subtype(narrow, wide).render()


@tried
@given(data=st.data())
def test_an_object_stands_for_all_its_supertypes_and_theirs(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    first = data.draw(terms.objects())
    second = data.draw(terms.wider_object_of(first))
    third = data.draw(terms.wider_object_of(second))
    assert matcher.object_subtype(first, first)
    for narrow, wide in ((first, second), (second, third), (first, third)):
        assert matcher.object_subtype(narrow, wide), matcher.object_subtype(narrow, wide).render()


@tried
@given(data=st.data())
def test_matching_is_symmetric(terms: Terms, matcher: Matcher, data: st.DataObject) -> None:
    first = data.draw(terms.endpoints())
    second = data.draw(terms.endpoints() | terms.near_mirrors(first))
    assert matcher.matches(first, second).holds == matcher.matches(second, first).holds


@tried
@given(data=st.data())
def test_an_endpoint_matches_its_mirror_image(terms: Terms, matcher: Matcher, data: st.DataObject) -> None:
    endpoint = data.draw(terms.endpoints())
    answer = matcher.matches(endpoint, terms.mirror(endpoint))
    assert answer, answer.render()


@tried
@given(data=st.data())
def test_a_subtype_matches_whatever_its_supertype_matches(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    first = data.draw(terms.endpoints())
    second = data.draw(terms.wider_endpoint_of(first))
    third = data.draw(terms.near_mirrors(second))
    assert not matcher.matches(second, third) or matcher.matches(first, third)


@tried
@given(data=st.data())
def test_a_subtype_object_connects_wherever_its_supertype_connects(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    """Substitutivity: the subtype has every endpoint of the supertype, and each matches all that it
    matched."""
    first = data.draw(terms.objects())
    second = data.draw(terms.wider_object_of(first))
    actual = dict(first.endpoints)
    for name, expected in second.endpoints:
        partner = data.draw(terms.near_mirrors(expected))
        assert not matcher.matches(expected, partner) or matcher.matches(actual[name], partner)


@tried
@given(data=st.data())
def test_the_tree_always_says_what_the_answer_says(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    first, second = data.draw(terms.endpoints()), data.draw(terms.endpoints())
    answer = matcher.matches(first, second)
    assert answer.render(full=True).startswith("✓" if answer else "✗")
    assert bool(list(answer.failures())) == (not answer)
    assert all(reason.holds for reason in answer.reasons) or not answer
