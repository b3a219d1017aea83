"""Templates from folders: the asking reference completes them."""

from __future__ import annotations

from liven.runtime.loader.connect_parts import completed
from liven.runtime.reference.model import (
    Composite,
    ObjectClass,
    OtherClass,
    Parameter,
    Plain,
    Reference,
)

TEXT = Parameter("MessageClass", OtherClass("ValueClass", "liven:text"))
NUMBER = Parameter("MessageClass", OtherClass("ValueClass", "liven:uint32"))
NAME = Parameter("name", Plain("string", "x"))
ASKED = Reference("key", source=Reference("folder"), object_class=ObjectClass("channel", (TEXT, NAME)))
OPEN = frozenset({"MessageClass"})


def test_a_class_that_a_template_leaves_open_comes_from_the_as_clause() -> None:
    assert completed(Reference("t", (NAME,)), ASKED, OPEN) == Reference("t", (NAME, TEXT))


def test_the_template_s_own_classes_stay() -> None:
    fixed = Reference("t", (NUMBER,))
    assert completed(fixed, ASKED, OPEN) is fixed


def test_only_classes_that_it_takes_are_given() -> None:
    plain = Reference("t")
    assert completed(plain, ASKED, frozenset()) is plain


def test_without_an_as_clause_or_a_template_nothing_changes() -> None:
    plain, whole = Reference("t"), Composite()
    assert completed(plain, Reference("key", source=Reference("folder")), OPEN) is plain
    assert completed(whole, ASKED, OPEN) is whole
    elsewhere = Reference("key", source=Reference("folder"))
    assert completed(elsewhere, ASKED, OPEN) is elsewhere
