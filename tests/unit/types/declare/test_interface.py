"""`@interface` on classes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Generic, Protocol, TypeVar

import pytest

from liven.types.declare import DeclarationError, TermBuilder, interface
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import GivenUse, InterfaceUse
from liven.types.formalism.registry import Formalisms
from liven.types.terms.type_text import spell_events
from liven.types.terms.value_types import TEXT

M = TypeVar("M")


def events(cls: type, *arguments: object) -> str:
    given = tuple(GivenUse(argument) for argument in arguments)
    return spell_events(TermBuilder(Formalisms()).interface(InterfaceUse(cls, given)))


def test_a_method_is_an_event_with_its_parameters_by_name() -> None:
    @interface
    class Sender(Protocol):
        def send(self, message: str, urgent: bool) -> None: ...
        def close(self) -> None: ...

    assert events(Sender) == "close({}), send({message: text, urgent: bool})"


def test_a_method_with_a_result_is_two_events() -> None:
    @interface
    class Shop(Protocol):
        def price(self, of: str) -> int: ...

    assert events(Shop) == (
        "price({call: uint64, of: text}), price.reply({answer: <error: text | value: int64>, call: uint64})"
    )


def test_methods_of_the_bases_belong_to_the_interface() -> None:
    @interface
    class Reader(Protocol):
        def read(self) -> str: ...

    @interface
    class Both(Reader, Protocol):
        def write(self, text: str) -> None: ...

    assert [method.name for method in declaration_of(Both).methods(())] == ["read", "write"]


def test_an_interface_need_not_be_a_protocol() -> None:
    @interface
    class Bell:
        def ring(self, times: int = 1) -> None:
            """Rings."""

    assert events(Bell) == "ring({times: int64})"


def test_private_methods_are_not_events() -> None:
    @interface
    class Bell:
        def ring(self) -> None:
            """Rings."""

        def _swing(self) -> None:
            """Not an event."""

    assert events(Bell) == "ring({})"


def test_an_interface_may_take_a_class() -> None:
    @interface
    class Channel(Protocol, Generic[M]):  # type: ignore[misc]  # variance is beside the point
        def send(self, message: M) -> None: ...

    assert events(Channel, TEXT) == "send({message: text})"
    with pytest.raises(DeclarationError, match="cannot be compared until its parameters are given"):
        TermBuilder(Formalisms()).interface(InterfaceUse(Channel, declaration_of(Channel).open()))


REFUSED = [
    ("    def f(self, x) -> None: ...", "author.I.f(x): it has no type; write x: type"),
    ("    def f(self): ...", "author.I.f: it has no result type"),
    ("    async def f(self) -> int: ...", "author.I.f: a method of an interface cannot be async"),
    ("    def f(self, *xs: int) -> None: ...", "author.I.f(*xs: 'int'): an event carries named values only"),
    ("    def f(self, **xs: int) -> None: ...", "author.I.f(**xs: 'int'): an event carries named values"),
    ("    def f(self, x: int, /) -> None: ...", "author.I.f(x: 'int'): every parameter needs a name"),
    ("    def f(self, _x: int) -> None: ...", "author.I.f(_x): a private name would be sent"),
    (
        "    def f(self, call: int) -> int: ...",
        "author.I.f(call): operations number their calls by that name",
    ),
    ("    x = 3", "author.I.x: an interface has methods only"),
    ("    @property\n    def x(self) -> int: ...", "author.I.x: an interface has methods only"),
    ("    def f(self, x: set[int]) -> None: ...", "author.I.f(x): set[int] cannot be sent"),
    ("    def f(self) -> object: ...", "author.I.f -> result: object cannot be sent"),
]


@pytest.mark.parametrize(("body", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_a_method_that_cannot_be_an_event_is_refused_at_import(
    write: Callable[[str], ModuleType], body: str, said: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        write(f"@interface\nclass I(Protocol):\n{body}\n")
    assert str(caught.value).startswith(said)
    assert caught.value.fix


def test_an_event_may_have_a_parameter_named_call() -> None:
    @interface
    class Phone(Protocol):
        def ring(self, call: int) -> None: ...

    assert events(Phone) == "ring({call: int64})"
