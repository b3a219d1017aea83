"""`@object_type` on classes, and the constraints written beside its endpoints."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Annotated, Generic, Protocol, TypeVar

import pytest

from liven.types.declare import (
    DeclarationError,
    Dual,
    ExportedUI,
    ExportedUI_X,
    Exports,
    ImportedUI,
    ImportedUI_X,
    Imports,
    TermBuilder,
    interface,
    object_type,
    provides,
    requires,
)
from liven.types.declare.annotation.markers import Clause
from liven.types.declare.annotation.reader import declaration_of
from liven.types.formalism.registry import Formalisms
from liven.types.terms.endpoint_types import ObjectType
from liven.types.terms.type_text import spell

M = TypeVar("M")


@interface
class Sender(Protocol):
    def send(self, text: str) -> None: ...


@interface
class Counter(Protocol):
    def count(self) -> int: ...


def term(cls: type, formalisms: Formalisms | None = None) -> ObjectType:
    made = TermBuilder(formalisms or Formalisms()).of(cls)
    assert isinstance(made, ObjectType)
    return made


def test_each_annotated_name_is_an_endpoint() -> None:
    @object_type
    class Hub:
        inward: Exports[Sender]
        outward: Imports[Sender]
        both: Dual[Sender, Counter]

    assert spell(term(Hub)) == (
        "object {both: endpoint {in count.reply({answer: <error: text | value: int64>, call: uint64}), "
        "send({text: text}); out count({call: uint64})}; "
        "inward: endpoint {in send({text: text})}; outward: endpoint {out send({text: text})}}"
    )


def test_a_property_may_say_its_endpoint_too() -> None:
    @object_type
    class Hub(Protocol):
        @property
        def door(self) -> Exports[Sender]: ...

    assert [name for name, _ in term(Hub).endpoints] == ["door"]


def test_ui_endpoints_are_local_kinds_with_opposites() -> None:
    @object_type
    class Window:
        a: ExportedUI
        b: ImportedUI
        c: ExportedUI_X
        d: ImportedUI_X

    assert [endpoint.local for _, endpoint in term(Window).endpoints] == ["UI", "~UI", "UI_X", "~UI_X"]


def test_an_endpoint_is_named_after_its_object() -> None:
    @object_type(alias="demo:hub")
    class Hub:
        door: Exports[Sender]

    [(_, endpoint)] = term(Hub).endpoints
    assert endpoint.tag is not None
    assert endpoint.tag.alias == "demo:hub.door"


def test_an_object_type_has_the_endpoints_and_constraints_of_its_bases(formalisms: Formalisms) -> None:
    @object_type(provides("guarantee", "fifo"))
    class Base:
        door: Exports[Sender]
        window: ExportedUI

    @object_type(requires("guarantee", "total"))
    class Derived(Base):
        door: Dual[Sender, Counter]  # type: ignore[assignment]  # only our own rules are asked here
        gate: Imports[Counter]

    made = term(Derived, formalisms)
    assert [name for name, _ in made.endpoints] == ["door", "gate", "window"]
    assert [name for name, _ in dict(made.endpoints)["door"].outputs] == ["count"]
    assert [one.text for one in made.provides] == ["fifo"]
    assert [one.text for one in made.requires] == ["total"]


def test_a_base_may_be_given_a_class() -> None:
    @interface
    class Sends(Protocol[M]):  # type: ignore[misc]  # variance is beside the point
        def send(self, message: M) -> None: ...

    @object_type
    class Channel(Generic[M]):
        door: Exports[Sends[M]]

    @object_type
    class Texts(Channel[str]):
        pass

    assert spell(term(Texts)) == "object {door: endpoint {in send({message: text})}}"


def test_constraints_stand_beside_the_endpoint_they_bind(formalisms: Formalisms) -> None:
    @object_type
    class Hub:
        door: Annotated[
            Exports[Sender],
            provides("guarantee", "fifo"),
            requires("trace", "at most one send"),
            3,
        ]
        gate: Exports[Sender]

    ends = dict(term(Hub, formalisms).endpoints)
    assert [one.text for one in ends["door"].provides] == ["fifo"]
    assert [one.text for one in ends["door"].requires] == ["at most one send"]
    assert not ends["gate"].provides


def test_a_constraint_that_says_nothing_is_dropped(formalisms: Formalisms) -> None:
    @object_type
    class Hub:
        door: Annotated[Exports[Sender], requires("trace", "true")]

    assert not dict(term(Hub, formalisms).endpoints)["door"].requires


def test_private_names_and_methods_are_no_endpoints() -> None:
    @object_type
    class Hub:
        door: Exports[Sender]
        _secret: int

        def helper(self) -> int:
            return 1

    assert [name for name, _ in term(Hub).endpoints] == ["door"]


HEAD = "@interface\nclass S(Protocol):\n    def send(self) -> None: ...\n    def got(self) -> None: ...\n"
REFUSED = [
    ("@object_type\nclass O:\n    x: int\n", "author.O.x: int is not an endpoint; write Exports[I]"),
    (
        "@object_type\nclass O:\n    @property\n    def x(self): ...\n",
        "author.O.x: the property has no result type; write -> Exports[I]",
    ),
    (
        "@object_type('fifo')\nclass O:\n    pass\n",
        "object_type: 'fifo' is not a constraint; write provides(",
    ),
    (
        "@object_type\nclass O:\n    x: Annotated[Exports[S], provides('trace', 'at most one sned')]\n",
        "author.O.x provides trace `at most one sned`: ",
    ),
    (
        "@object_type\nclass O:\n    x: Annotated[Exports[S], requires('guarantee', 'fiffo')]\n",
        "author.O.x requires guarantee `fiffo`: ",
    ),
    (
        "@object_type(provides('trace', 'at most one y.send'))\nclass O:\n    x: Exports[S]\n",
        "author.O provides trace `at most one y.send`: ",
    ),
    (
        "@object_type\nclass O:\n    x: Annotated[Exports[S], provides('trace', 'at most one send')]\n",
        "author.O.x provides trace: ",
    ),
]


@pytest.mark.parametrize(("text", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_a_malformed_object_type_is_refused_at_import(
    write: Callable[[str], ModuleType], text: str, said: str
) -> None:
    with pytest.raises(DeclarationError) as caught:
        write(HEAD + text)
    assert str(caught.value).startswith(said)
    assert caught.value.fix


def test_a_promise_that_others_can_break_is_refused_with_the_shortest_trace(
    write: Callable[[str], ModuleType],
) -> None:
    with pytest.raises(DeclarationError) as caught:
        write(
            HEAD
            + "@object_type\nclass O:\n    x: Annotated[Exports[S], provides('trace', 'at most one send')]\n"
        )
    assert "connect, in.send, in.send" in str(caught.value)
    assert caught.value.fix == "promise less, or require that the other side prevents it"


def test_the_same_promise_is_taken_where_the_other_side_must_keep_it_possible(
    write: Callable[[str], ModuleType],
) -> None:
    author = write(
        HEAD + "@object_type\nclass O:\n    x: Annotated[Exports[S], provides('trace', 'at most one send'),"
        " requires('trace', 'at most one send')]\n"
    )
    assert declaration_of(author.O) is not None


def test_a_formalism_that_is_not_known_at_import_is_read_when_the_type_is_made(
    formalisms: Formalisms,
) -> None:
    @object_type
    class Hub:
        door: Annotated[Exports[Sender], provides("of-a-library", "anything")]

    with pytest.raises(DeclarationError) as caught:
        term(Hub, formalisms)
    assert "no formalism is called 'of-a-library'" in caught.value.problem
    assert "guarantee" in caught.value.fix


def test_a_misspelt_formalism_gets_the_nearest_suggestion(formalisms: Formalisms) -> None:
    @object_type
    class Hub:
        door: Annotated[Exports[Sender], provides("trcae", "at most one send")]

    with pytest.raises(DeclarationError, match="write trace"):
        term(Hub, formalisms)


def test_a_clause_prints_its_side() -> None:
    assert provides("a", "b") == Clause("provides", "a", "b")
    assert requires("a", "b").side == "requires"


def test_constraints_on_a_parameter_are_read_when_it_is_given(write: Callable[[str], ModuleType]) -> None:
    author = write(
        "I = TypeVar('I')\n@object_type\nclass O(Generic[I]):\n"
        "    x: Annotated[Exports[I], requires('trace', 'at most one send')]\n" + HEAD
    )
    formalisms = _stock()
    use = declaration_of(author.O).use((declaration_of(author.S).use(()),))
    [(_, endpoint)] = TermBuilder(formalisms).object(use).endpoints
    assert [one.text for one in endpoint.requires] == ["at most one send"]


def _stock() -> Formalisms:
    from liven.types.formalism.builtin import builtin_formalisms

    return Formalisms(builtin_formalisms())


def test_an_annotation_has_no_peer() -> None:
    with pytest.raises(NotImplementedError, match="only a proxy's endpoint"):
        _ = Imports[Sender]().peer
