"""Two formalisms for matching: names that must be promised, and a stronger one that extends it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import pytest

from liven.types.explanation import Explanation
from liven.types.formalism.plugin import FormulaError, Monitor, Vocabulary
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.matching import Matcher

Names = frozenset[str]


class Promised:
    """A predicate is a set of names, in which mirroring swaps `in.x` and `out.x`; more names imply fewer."""

    id = ClassId(0xA)
    name = "promised"

    def __init__(self) -> None:
        self.asked = 0

    def parse(self, text: str, vocabulary: Vocabulary) -> Names:
        return frozenset(text.split())

    def conjoin(self, predicates: Sequence[Names]) -> Names:
        return frozenset[str]().union(*predicates)

    def implies(self, provided: Names, required: Names) -> Explanation:
        self.asked += 1
        if "riddle" in required:
            raise FormulaError("a riddle has no answer")
        lacking = sorted(required - provided)
        return Explanation(not lacking, f"lacking: {', '.join(lacking)}" if lacking else "all there")

    def mirror(self, predicate: Names) -> Names:
        turned = {"in": "out", "out": "in"}
        parts = (name.partition(".") for name in predicate)
        return frozenset(f"{turned.get(side, side)}{dot}{rest}" for side, dot, rest in parts)

    def trivial(self, predicate: Names) -> bool:
        return not predicate

    def translate(self, predicate: Names) -> Iterable[tuple[ClassId, Hashable]]:
        return ()

    def monitor(self, predicate: Names) -> Monitor | None:
        return None


class Graded(Promised):
    """Extends `Promised`: `sworn:x` also promises `x`; `most` and `least` together promise `exact`."""

    id = ClassId(0xB)
    name = "graded"

    def translate(self, predicate: Names) -> Iterable[tuple[ClassId, Hashable]]:
        if "unreadable" in predicate:
            raise FormulaError("too large")
        plain = frozenset(name.removeprefix("sworn:") for name in predicate)
        return [(Promised.id, plain | {"exact"} if plain >= {"most", "least"} else plain)]


class Oath(Promised):
    """Extends `Graded`: an oath on `x` swears `x`."""

    id = ClassId(0xD)
    name = "oath"

    def translate(self, predicate: Names) -> Iterable[tuple[ClassId, Hashable]]:
        return [(Graded.id, frozenset(f"sworn:{name}" for name in predicate))]


class Echo(Promised):
    """Translates each formula into a longer one, without end."""

    id = ClassId(0xE)
    name = "echo"

    def translate(self, predicate: Names) -> Iterable[tuple[ClassId, Hashable]]:
        return [(self.id, frozenset({*predicate, f"again {len(predicate)}"}))]


@pytest.fixture
def promised() -> Promised:
    return Promised()


@pytest.fixture
def formalisms(promised: Promised) -> Formalisms:
    return Formalisms([promised, Graded(), Oath(), Echo()])


@pytest.fixture
def matcher(formalisms: Formalisms) -> Matcher:
    return Matcher(formalisms)
