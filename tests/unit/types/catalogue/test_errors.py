"""Errors of the catalogue."""

from __future__ import annotations

from typing import Any

import pytest

from liven.types.catalogue import (
    AliasTakenError,
    AmbiguousClassError,
    CatalogueError,
    ConflictError,
    Entry,
    UnknownClassError,
)
from liven.types.ids import ClassId


class Lines:
    """A source of a class that has only lines."""

    def __init__(self, *lines: str) -> None:
        self._lines = lines

    def type_parameters(self) -> tuple[()]:
        return ()

    def value_parameters(self) -> tuple[()]:
        return ()

    def lines(self) -> tuple[str, ...]:
        return self._lines

    def term(self, arguments: tuple[Any, ...]) -> Any:
        raise AssertionError("nobody asks")


def entry(number: int, alias: str, origin: str, *lines: str) -> Entry:
    return Entry("value", ClassId(number), alias, alias, origin, Lines(*lines))


def test_a_conflict_shows_both_and_the_way_out() -> None:
    known, new = entry(10, "a:point", "alpha", "{x: int8}"), entry(10, "b:point", "beta", "{x: text}")
    problem = ConflictError(known, new, "✗ they differ")
    assert str(problem) == (
        "value 0000000000000000000000000000000A is declared twice with different structures\n"
        "  a:point of alpha:\n    {x: int8}\n"
        "  b:point of beta:\n    {x: text}\n"
        "✗ they differ\n"
        "give one of them another id, or a new version (id`2)"
    )
    assert (problem.known, problem.new) == (known, new)


def test_a_taken_alias_says_whose_it_is() -> None:
    problem = AliasTakenError(entry(10, "a:point", "alpha"), entry(0, "a:point", "beta"))
    assert str(problem) == (
        "value a:point of beta: the alias belongs to another class, "
        "0000000000000000000000000000000A of alpha; use a prefix of your own"
    )
    assert "without id of beta" in str(AliasTakenError(entry(0, "a:p", "beta"), entry(1, "a:p", "alpha")))


def test_an_ambiguous_name_says_how_to_name_each() -> None:
    problem = AmbiguousClassError("p", [entry(10, "a:p", "alpha"), entry(0, "p", "beta")])
    assert str(problem) == (
        "p is the name of several classes; "
        "write one of value/a:p (0000000000000000000000000000000A, alpha), value/beta.p"
    )
    assert isinstance(problem, CatalogueError)


@pytest.mark.parametrize(
    ("kind", "near", "said"),
    [
        (None, [], "no class is called x"),
        ("value", [], "no value class is called x"),
        ("component", ["y"], "no object is called x; did you mean y?"),
        ("object", ["y", "z"], "no object type is called x; did you mean y or z?"),
    ],
)
def test_an_unknown_name_lists_similar_ones(kind: Any, near: list[str], said: str) -> None:
    assert str(UnknownClassError("x", kind, near)) == said


def test_an_entry_prints_as_kind_and_alias() -> None:
    one = entry(10, "a:point", "alpha")
    assert str(one) == "value class a:point"
    assert one.has_id
    assert not entry(0, "p", "beta").has_id
    assert one == entry(10, "a:point", "alpha", "other lines")
