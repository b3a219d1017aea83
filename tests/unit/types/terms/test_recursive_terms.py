"""Terms that refer to themselves."""

from __future__ import annotations

import pytest

from liven.types.terms.recursive_terms import RecursiveTerms
from liven.types.terms.value_types import TEXT, ListOf, Loop, Recursive, ValueType, optional, record


def test_a_term_that_contains_itself_becomes_recursive() -> None:
    recursive_terms = RecursiveTerms()

    def tree() -> ValueType:
        return recursive_terms.recursive("tree", "Tree", lambda: record(children=ListOf(tree())))

    assert tree() == Recursive("Tree", record(children=ListOf(Loop("Tree"))))


def test_a_term_that_does_not_contain_itself_stays_plain() -> None:
    assert RecursiveTerms().recursive("x", "X", lambda: TEXT) is TEXT


def test_a_term_is_made_once_for_a_key() -> None:
    recursive_terms, made = RecursiveTerms(), list[int]()

    def make() -> ValueType:
        made.append(1)
        return TEXT

    for _ in range(3):
        recursive_terms.recursive("x", "X", make)
    assert made == [1]


def test_a_term_that_depends_on_an_unfinished_class_is_not_kept() -> None:
    recursive_terms = RecursiveTerms()

    def inner() -> ValueType:
        return recursive_terms.recursive("inner", "Inner", lambda: record(up=optional(outer())))

    def outer() -> ValueType:
        return recursive_terms.recursive("outer", "Outer", lambda: record(down=ListOf(inner())))

    assert outer() == Recursive("Outer", record(down=ListOf(record(up=optional(Loop("Outer"))))))
    assert inner() == record(up=optional(outer()))


def test_nested_recursive_terms_of_one_name_get_different_binders() -> None:
    recursive_terms = RecursiveTerms()

    def first() -> ValueType:
        return recursive_terms.recursive(1, "N", lambda: record(a=ListOf(first()), b=second()))

    def second() -> ValueType:
        return recursive_terms.recursive(2, "N", lambda: record(c=ListOf(second()), d=optional(first())))

    made = first()
    assert isinstance(made, Recursive)
    assert made.name == "N"
    inner = dict(made.body.fields)["b"]  # type: ignore[union-attr]
    assert isinstance(inner, Recursive)
    assert inner.name == "N2"


def test_the_number_of_kept_terms_is_bounded() -> None:
    recursive_terms, made = RecursiveTerms(most=2), list[int]()

    def make(number: int) -> ValueType:
        made.append(number)
        return ListOf(TEXT)

    for number in (1, 2, 1, 3, 1):
        recursive_terms.once(number, lambda number=number: make(number))  # type: ignore[misc]
    assert made == [1, 2, 3, 1]


def test_a_failure_leaves_no_class_unfinished() -> None:
    recursive_terms = RecursiveTerms()

    def broken() -> ValueType:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        recursive_terms.recursive("x", "X", broken)
    assert recursive_terms.recursive("x", "X", lambda: TEXT) is TEXT
