from __future__ import annotations

import sys
from typing import Annotated, Protocol

from liven.runtime.checking.adapter_proposals import propose
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.types.catalogue import register
from liven.types.declare import Dual, TermBuilder, interface, object_type, provides, proxy, requires, scan


@interface
class Sends(Protocol):
    def send(self, text: str) -> None: ...


@interface
class Receives(Protocol):
    def receive(self, text: str) -> None: ...


@interface
class Other(Protocol):
    def other(self, n: int) -> None: ...


@object_type
class Strict:
    channel: Annotated[Dual[Receives, Sends], requires("guarantee", "total")]


@object_type
class Fifo:
    channel: Annotated[Dual[Sends, Receives], provides("guarantee", "fifo")]


@object_type
class Quiet:
    channel: Dual[Other, Other]


@proxy(id="0000000000000000000000000000D001", alias="test:orders", delegates=("above", "below"))
class Orders:
    above: Annotated[Dual[Sends, Receives], provides("guarantee", "total")]
    below: Annotated[Dual[Receives, Sends], requires("guarantee", "fifo")]


@proxy(id="0000000000000000000000000000D002", alias="test:passes", delegates=("above", "below"))
class Passes:
    """An adapter that promises nothing."""

    above: Dual[Sends, Receives]
    below: Dual[Receives, Sends]


def test_an_adapter_for_a_mismatch_is_proposed_with_its_two_sides() -> None:
    known = TypeKnowledge.stock()
    register(known.catalogue, scan(sys.modules[__name__]), known.matcher)
    terms = TermBuilder(known.formalisms)
    strict, fifo, quiet = (dict(terms.of(cls).endpoints)["channel"] for cls in (Strict, Fifo, Quiet))  # type: ignore[union-attr]
    assert not known.matcher.matches(strict, fifo)
    (proposal,) = propose(known.catalogue, known.matcher, strict, fifo)
    assert str(proposal) == "insert test:orders: its above on the left, its below on the right"
    (mirrored,) = propose(known.catalogue, known.matcher, fifo, strict)
    assert (mirrored.left, mirrored.right) == ("below", "above")
    assert list(propose(known.catalogue, known.matcher, strict, quiet)) == []


def test_without_code_nothing_is_proposed() -> None:
    known = TypeKnowledge.stock()
    terms = TermBuilder(known.formalisms)
    strict, fifo = (dict(terms.of(cls).endpoints)["channel"] for cls in (Strict, Fifo))  # type: ignore[union-attr]
    assert list(propose(known.catalogue, known.matcher, strict, fifo)) == []
