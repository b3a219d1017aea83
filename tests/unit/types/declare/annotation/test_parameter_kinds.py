"""The kind of class that a type parameter takes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.declare import DeclarationError
from liven.types.declare.annotation.reader import declaration_of

Write = Callable[[str], ModuleType]
HEAD = "A = TypeVar('A')\nB = TypeVar('B')\n"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("@value\nclass C(Generic[A]):\n    x: A\n", {"A": "value"}),
        ("@value\nclass C(Generic[A]):\n    x: dict[str, list[A | None]]\n", {"A": "value"}),
        ("@value\nclass C(Generic[A]):\n    x: Ref[A]\n", {"A": "object"}),
        ("@value\nclass C(Generic[A]):\n    x: EndpointRef[A]\n", {"A": "endpoint"}),
        (
            "@value\nclass C(Generic[A, B]):\n    x: EndpointRef[Dual[A, B]]\n",
            {"A": "interface", "B": "interface"},
        ),
        ("@object_type\nclass C(Generic[A]):\n    x: Exports[A]\n", {"A": "interface"}),
        ("@object_type\nclass C(Generic[A]):\n    x: A\n", {"A": "endpoint"}),
        ("@interface\nclass C(Generic[A]):\n    def f(self, x: A) -> None: ...\n", {"A": "value"}),
        ("@value\nclass C(Generic[A]):\n    x: int\n", {}),
        (
            "@value\nclass D(Generic[A]):\n    x: Ref[A]\n@value\nclass C(Generic[B]):\n    x: D[B]\n",
            {"B": "object"},
        ),
        (
            "@object_type\nclass D(Generic[A]):\n    x: Exports[A]\n"
            "@value\nclass C(Generic[B]):\n    x: list[Ref[D[B]]]\n",
            {"B": "interface"},
        ),
        ("@value\nclass C(Generic[A]):\n    x: A\n    more: list[C[A]]\n", {"A": "value"}),
    ],
)
def test_the_kind_of_a_parameter_follows_from_its_place(
    write: Write, text: str, kinds: dict[str, str]
) -> None:
    assert declaration_of(write(HEAD + text).C).kinds() == kinds


def test_a_parameter_in_two_kinds_of_places_is_refused(write: Write) -> None:
    with pytest.raises(DeclarationError) as caught:
        write(HEAD + "@value\nclass C(Generic[A]):\n    x: A\n    y: Ref[A]\n")
    assert str(caught.value) == (
        "author.C[A]: it is used as a class of value in one place and of object in another; "
        "use two type variables"
    )


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("D", "D takes one parameter and got 0; write D[A]"),
        ("D[int, str]", "Too many"),
        ("E[int]", "Too few"),
    ],
)
def test_a_template_is_given_all_its_parameters(write: Write, use: str, said: str) -> None:
    with pytest.raises(DeclarationError, match=said.replace("[", r"\[")):
        write(
            HEAD
            + "@value\nclass D(Generic[A]):\n    x: A\n@value\nclass E(Generic[A, B]):\n    x: A\n    y: B\n"
            f"@value\nclass C:\n    x: {use}\n"
        )
