"""`Secure`: the one constraint of the original program, read as guarantees."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from liven.types.explain import Explanation
from liven.types.formalism.guarantee.formalism import GUARANTEE, GuaranteeFormalism, Guarantees
from liven.types.formalism.plugin import Monitor, Vocabulary
from liven.types.ids import ClassId

SECURE = ClassId(0xE333127706844104B0B6A98069FE350B)
SECURE_TOO = ClassId(0xE333127706844104B0B6A98069FE350C)
"""The original declared the name twice: for endpoints and for objects."""


class SecureFormalism:
    """An alias: its texts are guarantees, and `alias_of` says where its constraints belong.

    A registry that knows `alias_of` files a constraint written under this id under `guarantee`, on both
    sides of a comparison. One that does not still gets `translate` on the provided side.
    """

    name = "Secure"
    alias_of = GUARANTEE

    def __init__(self, guarantee: GuaranteeFormalism, id: ClassId = SECURE) -> None:  # noqa: A002
        self.id = id
        self._guarantee = guarantee

    def parse(self, text: str, vocabulary: Vocabulary) -> Guarantees:
        """`secure`, and whatever guarantees the text adds; the original wrote no text or its own name."""
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
