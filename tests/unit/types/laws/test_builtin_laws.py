"""The laws again, with constraints in the built-in formalisms.

A subtype matches whatever its supertype matches only if each formalism keeps its laws: `implies` is a
preorder, and `conjoin`, `mirror` and `translate` respect it. Here all are tried together.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.guarantee import SECURE
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import Constraint, EndpointType
from liven.types.terms.hashing import structural_hash
from liven.types.terms.value_types import TEXT

tried = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))

WORDS = Vocabulary(frozenset({"Send"}), frozenset({"Receive"}))
TEXTS = {
    "guarantee": [
        "fifo",
        "total",
        "total, fifo",
        "causal",
        "encrypted",
        "encrypted, authenticated",
        "atomic",
    ],
    "trace": [
        "every Receive follows a Send",
        "at most one Receive",
        "Receive never precedes Send",
        "at most one Send, and nothing after it",
        "always (Receive implies previously Send)",
    ],
}
FORMALISMS = Formalisms(builtin_formalisms())


def stock() -> list[Constraint]:
    """Return constraints in built-in formalisms, for an owner that receives `Send` and sends `Receive`."""
    named = {formalism.name: formalism for formalism in FORMALISMS}
    said = [
        Constraint(named[name].id, named[name].parse(text, WORDS), text)
        for name, texts in TEXTS.items()
        for text in texts
    ]
    return [*said, Constraint(SECURE, FORMALISMS.get(SECURE).parse("", Vocabulary()), "Secure")]


STOCK = stock()
constraints = st.lists(st.sampled_from(STOCK), max_size=2, unique=True).map(tuple)
endpoints = st.builds(
    EndpointType, st.just((("Send", TEXT),)), st.just((("Receive", TEXT),)), constraints, constraints
)


def mirror(constraint: Constraint) -> Constraint:
    turned = FORMALISMS.get(constraint.formalism).mirror(constraint.predicate)
    return Constraint(constraint.formalism, turned, f"mirror of {constraint.text}")


def partner(endpoint: EndpointType) -> EndpointType:
    """Return the other end that fits exactly."""
    provides, requires = (tuple(map(mirror, side)) for side in (endpoint.provides, endpoint.requires))
    return EndpointType(endpoint.outputs, endpoint.inputs, requires, provides)


@pytest.fixture(scope="module")
def matcher() -> Matcher:
    return Matcher(FORMALISMS)


@tried
@given(endpoint=endpoints)
def test_an_endpoint_stands_for_itself_and_matches_its_mirror_image(
    matcher: Matcher, endpoint: EndpointType
) -> None:
    assert matcher.endpoint_subtype(endpoint, endpoint)
    assert matcher.matches(endpoint, partner(endpoint))


@tried
@given(first=endpoints, second=endpoints)
def test_matching_is_symmetric(matcher: Matcher, first: EndpointType, second: EndpointType) -> None:
    other = partner(second)
    assert matcher.matches(first, other).holds == matcher.matches(other, first).holds


@tried
@given(first=endpoints, second=endpoints)
def test_subtyping_is_matching_with_the_mirror_image(
    matcher: Matcher, first: EndpointType, second: EndpointType
) -> None:
    """The two relations are one relation seen from two sides."""
    assert matcher.endpoint_subtype(first, second).holds == matcher.matches(first, partner(second)).holds


@tried
@given(first=endpoints, second=endpoints, third=endpoints)
def test_subtyping_is_transitive(
    matcher: Matcher, first: EndpointType, second: EndpointType, third: EndpointType
) -> None:
    if matcher.endpoint_subtype(first, second) and matcher.endpoint_subtype(second, third):
        assert matcher.endpoint_subtype(first, third)


def test_promises_alone_form_a_preorder_on_all_triples(matcher: Matcher) -> None:
    ends = [EndpointType(provides=chosen) for size in (0, 1) for chosen in combinations(STOCK, size)]
    fits = {(a, b): bool(matcher.endpoint_subtype(ends[a], ends[b])) for a in range(14) for b in range(14)}
    assert len(ends) == 14
    assert all(fits[a, a] for a in range(14))
    broken = [
        (a, b, c)
        for (a, b), first in fits.items()
        if first
        for c in range(14)
        if fits[b, c] and not fits[a, c]
    ]
    assert not broken
    assert sum(fits.values()) > 14 + 13, "some must imply others"


MANY = Vocabulary(frozenset(), frozenset(f"E{number}" for number in range(12)))


def promised(*texts: str) -> tuple[Constraint, ...]:
    trace = next(formalism for formalism in FORMALISMS if formalism.name == "trace")
    return tuple(Constraint(trace.id, trace.parse(text, MANY), text) for text in texts)


BESIDE = ["eventually {}", "{} only after E0", "at most 2 {} between two E0", "nothing after {}"]


@pytest.mark.parametrize(
    ("each", "count"),
    [("at most one {}", 7), ("at most one {}", 12), ("at most two {}", 9), ("at most 3 {}", 8)],
)
def test_what_is_promised_besides_takes_nothing_away(matcher: Matcher, each: str, count: int) -> None:
    """A subtype matches whatever its supertype matches, however much more it promises."""
    texts = [each.format(f"E{number}") for number in range(count)]
    much, little = EndpointType(provides=promised(*texts)), EndpointType(provides=promised(texts[0]))
    asks = EndpointType(requires=tuple(map(mirror, promised("at most 4 E0"))))
    assert matcher.endpoint_subtype(much, little)
    assert matcher.matches(little, asks)
    assert matcher.matches(much, asks)
    assert not matcher.matches(much, EndpointType(requires=tuple(map(mirror, promised("no E0")))))


@tried
@given(
    pair=st.sampled_from(
        [
            (("at most one E0",), "at most two E0"),
            (("no E0",), "no E0 after E1"),
            (("no E0 before E1", "no E1 before E2"), "no E0 before E2"),
            (("every E0 is answered by E1", "no E1"), "no E0"),
        ]
    ),
    beside=st.lists(st.tuples(st.sampled_from(BESIDE), st.integers(3, 11)), max_size=9),
)
def test_what_follows_from_few_promises_follows_from_them_among_many(
    matcher: Matcher, pair: tuple[tuple[str, ...], str], beside: list[tuple[str, int]]
) -> None:
    few, asked = pair
    more = [text.format(f"E{number}") for text, number in beside]
    asks = EndpointType(requires=tuple(map(mirror, promised(asked))))
    assert matcher.matches(EndpointType(provides=promised(*few)), asks)
    assert matcher.matches(EndpointType(provides=promised(*more, *few)), asks)


@tried
@given(endpoint=endpoints)
def test_the_hash_of_stock_constraints_does_not_depend_on_their_order(endpoint: EndpointType) -> None:
    turned = EndpointType(endpoint.inputs, endpoint.outputs, endpoint.provides[::-1], endpoint.requires[::-1])
    assert structural_hash(turned) == structural_hash(endpoint)
