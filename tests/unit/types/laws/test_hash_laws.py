"""The laws of the structural hash: one hash exactly for mutual subtypes, as far as promised."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.types.matching import Matcher
from liven.types.terms.hashing import structural_hash

if TYPE_CHECKING:
    from tests.unit.types.laws.conftest import Terms

tried = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@tried
@given(data=st.data())
def test_two_value_types_share_a_hash_exactly_when_each_fits_the_other(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    first = data.draw(terms.values())
    others = [terms.rewritten(first), data.draw(terms.wider_of(first)), data.draw(terms.near_values())]
    for left, right in product([first, *others], repeat=2):
        same = matcher.same(left, right).holds
        assert (structural_hash(left) == structural_hash(right)) == same


@tried
@given(data=st.data())
def test_unrolling_and_other_binder_names_leave_the_hash_alone(terms: Terms, data: st.DataObject) -> None:
    first = data.draw(terms.values())
    assert structural_hash(first) == structural_hash(terms.rewritten(first))


@tried
@given(data=st.data())
def test_equal_hashes_of_endpoints_and_objects_mean_mutual_subtypes(
    terms: Terms, matcher: Matcher, data: st.DataObject
) -> None:
    endpoint = data.draw(terms.endpoints())
    wider = data.draw(terms.wider_endpoint_of(endpoint))
    if structural_hash(endpoint) == structural_hash(wider):
        assert matcher.same(endpoint, wider)
    item = data.draw(terms.objects())
    wider_item = data.draw(terms.wider_object_of(item))
    if structural_hash(item) == structural_hash(wider_item):
        assert matcher.same(item, wider_item)
