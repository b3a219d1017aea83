"""Constraints are read at import, before any term is made."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.declare import DeclarationError, declaration_of
from liven.types.declare.clause_checks import check_clauses

Write = Callable[[str], ModuleType]
HEAD = (
    "@interface\nclass Shop(Protocol):\n    def order(self, what: str) -> int: ...\n"
    "    def close(self) -> None: ...\n"
    "@interface\nclass Shopper(Protocol):\n    def served(self, what: str) -> None: ...\n"
)


def declared(write: Write, constraints: str, on_object: str = "") -> ModuleType:
    return write(
        HEAD + f"@object_type({on_object})\nclass Counter:\n"
        f"    desk: Annotated[Dual[Shop, Shopper], {constraints}]\n    ui: ExportedUI\n"
    )


@pytest.mark.parametrize(
    "constraints",
    [
        "provides('trace', 'served never precedes order')",
        "provides('trace', 'at most one served')",
        "requires('trace', 'every order is followed by a served')",
        "provides('guarantee', 'fifo, at-most-once')",
        "requires('count', 'at most 3')",
        "requires('trace', 'order.reply never precedes order')",
    ],
)
def test_a_constraint_on_known_events_is_taken(write: Write, constraints: str) -> None:
    assert declaration_of(declared(write, constraints).Counter) is not None


@pytest.mark.parametrize(
    ("constraints", "where"),
    [
        ("provides('trace', 'at most one serve')", "author.Counter.desk provides trace `at most one serve`"),
        ("requires('trace', 'close after close after')", "author.Counter.desk requires trace"),
        ("provides('trace', 'at most one order')", "author.Counter.desk provides trace"),
        ("provides('guarantee', 'quickly')", "author.Counter.desk provides guarantee `quickly`"),
        ("requires('count', 'at least many')", "author.Counter.desk requires count"),
    ],
)
def test_a_faulty_constraint_is_reported_at_import(write: Write, constraints: str, where: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        declared(write, constraints)
    assert caught.value.where.startswith(where)


def test_an_objects_own_constraints_speak_of_its_endpoints(write: Write) -> None:
    good = "requires('trace', 'at most one desk.order')"
    assert declaration_of(declared(write, "requires('count', 'at most 9')", good).Counter)
    with pytest.raises(DeclarationError, match=r"author\.Counter requires trace `at most one order`"):
        declared(write, "requires('count', 'at most 9')", "requires('trace', 'at most one order')")


def test_an_unknown_kind_of_constraint_waits_for_its_library(write: Write) -> None:
    assert declaration_of(declared(write, "provides('of-a-library', 'anything')").Counter)


def test_a_template_is_checked_as_far_as_its_events_are_known(write: Write) -> None:
    text = (
        "I = TypeVar('I')\n@object_type(requires('trace', 'at most one nothing.x'))\nclass T(Generic[I]):\n"
        "    door: Annotated[Exports[I], requires('trace', 'at most one whatever')]\n"
    )
    declaration = declaration_of(write(text).T)
    check_clauses(declaration)
    known = text + "    gate: Annotated[Imports[Shopper], requires('trace', 'at most one whatever')]\n"
    with pytest.raises(DeclarationError, match=r"author\.T\.gate requires trace"):
        write(HEAD + known)


def test_a_refused_object_type_carries_no_declaration(write: Write) -> None:
    author = write(
        HEAD + "class Counter:\n    desk: Annotated[Exports[Shop], provides('trace', 'at most one order')]\n"
        "try:\n    object_type(Counter)\nexcept DeclarationError:\n    pass\n"
    )
    assert declaration_of(author.Counter) is None
