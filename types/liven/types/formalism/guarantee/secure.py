"""`Secure`: the only constraint of the original program, read as guarantees."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from liven.types.explanation import Explanation
from liven.types.formalism.guarantee.formalism import GUARANTEE, SECURE, GuaranteeFormalism, Guarantees
from liven.types.formalism.plugin import Monitor, Vocabulary
from liven.types.ids import ClassId


class SecureFormalism:
    """An alias of `guarantee`: predicates are guarantees, and each formalism translates into the other."""

    name = "Secure"

    def __init__(self, guarantee: GuaranteeFormalism, id: ClassId = SECURE) -> None:  # noqa: A002
        self.id = id
        self._guarantee = guarantee

    def parse(self, text: str, vocabulary: Vocabulary) -> Guarantees:
        """Read `secure` and any guarantees that the text adds; the original wrote no text, or its own
        name."""
        return self._guarantee.parse(text, vocabulary) | {"secure"}

    def print(self, predicate: Guarantees) -> str:
        return self._guarantee.print(predicate)

    def conjoin(self, predicates: Sequence[Guarantees]) -> Guarantees:
        return self._guarantee.conjoin(predicates)

    def implies(self, provided: Guarantees, required: Guarantees) -> Explanation:
        return self._guarantee.implies(provided, required)

    def mirror(self, predicate: Guarantees) -> Guarantees:
        return self._guarantee.mirror(predicate)

    def trivial(self, predicate: Guarantees) -> bool:
        return self._guarantee.trivial(predicate)

    def translate(self, predicate: Guarantees) -> Iterable[tuple[ClassId, Hashable]]:
        return ((GUARANTEE, predicate),)

    def monitor(self, predicate: Guarantees) -> Monitor | None:
        return self._guarantee.monitor(predicate)
