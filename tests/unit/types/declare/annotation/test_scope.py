"""The scope of names in annotations."""

from __future__ import annotations

import pytest

from liven.types.declare import TermBuilder, value
from liven.types.declare.annotation.scope import Scope
from liven.types.formalism.registry import Formalisms
from liven.types.terms.type_text import spell


@value
class Outside:
    x: int


def test_names_are_found_in_the_module_and_around_the_class() -> None:
    @value
    class Near:
        y: int

    @value
    class Both:
        a: Outside
        b: Near

    assert spell(TermBuilder(Formalisms()).of(Both)) == "{a: {x: int64}, b: {y: int64}}"


def test_names_inside_an_enclosing_class_are_found() -> None:
    class Holder:
        @value
        class Inner:
            x: int

        @value
        class Other:
            inner: Inner  # type: ignore[name-defined]  # noqa: F821  found where it was declared

    assert spell(TermBuilder(Formalisms()).of(Holder.Other)) == "{inner: {x: int64}}"


def test_a_name_that_comes_later_is_found_once_it_is_there() -> None:
    names: dict[str, object] = {}
    scope = Scope(names, {})
    with pytest.raises(NameError):
        scope.look_up("list[Later]")
    names["Later"] = int
    assert scope.look_up("list[Later]") == list[int]


def test_an_annotation_that_is_not_text_is_returned_as_it_is() -> None:
    scope = Scope({}, {})
    assert scope.look_up(int) is int
    assert scope.look_up(None) is type(None)
    assert scope.look_up(list["int"]) == list[int]
