from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import pytest

from liven.types.explanation import Explanation
from liven.types.formalism.plugin import Formalism, Monitor, Vocabulary
from liven.types.formalism.registry import DuplicateFormalismError, Formalisms, UnknownFormalismError
from liven.types.ids import ClassId


class Plain:
    """A formalism in which equal predicates imply each other."""

    def __init__(self, key: ClassId, name: str) -> None:
        self.id = key
        self.name = name

    def parse(self, text: str, vocabulary: Vocabulary) -> str:
        return text

    def conjoin(self, predicates: Sequence[str]) -> str:
        return " ".join(predicates)

    def implies(self, provided: str, required: str) -> Explanation:
        return Explanation(provided == required, "equal or not")

    def mirror(self, predicate: str) -> str:
        return predicate

    def trivial(self, predicate: str) -> bool:
        return False

    def translate(self, predicate: str) -> Iterable[tuple[ClassId, Hashable]]:
        return []

    def monitor(self, predicate: str) -> Monitor | None:
        return None


ONE: Formalism[Any] = Plain(ClassId(1), "one")
TWO: Formalism[Any] = Plain(ClassId(2), "two")


def test_formalisms_are_found_by_id() -> None:
    known = Formalisms([ONE, TWO])
    assert known.get(ClassId(1)) is ONE
    assert known.find(ClassId(3)) is None
    assert ClassId(2) in known
    assert list(known) == [ONE, TWO]
    assert len(known) == 2


def test_an_unknown_formalism_says_what_to_do() -> None:
    with pytest.raises(UnknownFormalismError, match="register the library that brings it"):
        Formalisms().get(ClassId(1))


def test_two_formalisms_under_one_id_are_refused_and_the_first_stays() -> None:
    known = Formalisms([ONE])
    with pytest.raises(DuplicateFormalismError, match="is `one` already; give `other` an id of its own"):
        known.register(Plain(ClassId(1), "other"))
    assert known.get(ClassId(1)) is ONE
    assert known.generation == 1


def test_registering_the_same_formalism_twice_changes_nothing() -> None:
    known = Formalisms([ONE])
    known.register(ONE)
    assert known.generation == 1
