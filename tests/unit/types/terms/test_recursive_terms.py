"""Tying loops."""

from __future__ import annotations

import pytest

from liven.types.terms.recursive_terms import RecursiveTerms
from liven.types.terms.value_types import TEXT, ListOf, Loop, Recursive, ValueType, optional, record


def test_what_holds_itself_becomes_recursive() -> None:
    knots = RecursiveTerms()

    def tree() -> ValueType:
        return knots.tied("tree", "Tree", lambda: record(children=ListOf(tree())))

    assert tree() == Recursive("Tree", record(children=ListOf(Loop("Tree"))))


def test_what_does_not_hold_itself_stays_plain() -> None:
    assert RecursiveTerms().tied("x", "X", lambda: TEXT) is TEXT


def test_a_thing_is_made_once() -> None:
    knots, made = RecursiveTerms(), list[int]()

    def make() -> ValueType:
        made.append(1)
        return TEXT

    for _ in range(3):
        knots.tied("x", "X", make)
    assert made == [1]


def test_what_leans_on_an_open_knot_is_not_kept() -> None:
    knots = RecursiveTerms()

    def inner() -> ValueType:
        return knots.tied("inner", "Inner", lambda: record(up=optional(outer())))

    def outer() -> ValueType:
        return knots.tied("outer", "Outer", lambda: record(down=ListOf(inner())))

    assert outer() == Recursive("Outer", record(down=ListOf(record(up=optional(Loop("Outer"))))))
    assert inner() == record(up=optional(outer()))


def test_two_knots_of_one_name_inside_one_another_are_told_apart() -> None:
    knots = RecursiveTerms()

    def first() -> ValueType:
        return knots.tied(1, "N", lambda: record(a=ListOf(first()), b=second()))

    def second() -> ValueType:
        return knots.tied(2, "N", lambda: record(c=ListOf(second()), d=optional(first())))

    made = first()
    assert isinstance(made, Recursive)
    assert made.name == "N"
    inner = dict(made.body.fields)["b"]  # type: ignore[union-attr]
    assert isinstance(inner, Recursive)
    assert inner.name == "N2"


def test_only_so_many_terms_are_kept() -> None:
    knots, made = RecursiveTerms(most=2), list[int]()

    def make(number: int) -> ValueType:
        made.append(number)
        return ListOf(TEXT)

    for number in (1, 2, 1, 3, 1):
        knots.once(number, lambda number=number: make(number))  # type: ignore[misc]
    assert made == [1, 2, 3, 1]


def test_a_failure_leaves_no_knot_open() -> None:
    knots = RecursiveTerms()

    def broken() -> ValueType:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        knots.tied("x", "X", broken)
    assert knots.tied("x", "X", lambda: TEXT) is TEXT
