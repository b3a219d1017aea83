"""`guarantee`: promises that name well-known properties, as in `total, reliable`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeAlias

from liven.types.explanation import Explanation
from liven.types.formalism.guarantee.table import GuaranteeTable, Rule, builtin_table
from liven.types.formalism.plugin import FormulaError, Monitor, Vocabulary
from liven.types.formalism.suggestions import listing
from liven.types.ids import ClassId

GUARANTEE = ClassId(0xB1CACB7787EF2EE7693915A524A09B31)

SECURE = ClassId(0xE333127706844104B0B6A98069FE350B)
SECURE_TOO = ClassId(0xE333127706844104B0B6A98069FE350C)
"""The original program's only constraint, which it declared twice: for endpoints and for objects."""

MAX_TEXT = 4096
"""The longest text of a formula, in characters."""

MAX_DEPTH = 5
"""The most rules in a row that an explanation shows."""

Guarantees: TypeAlias = frozenset[str]
"""A set of names of the table."""

_SEPARATOR = re.compile(r"[,;&\n]+|\band\b", re.IGNORECASE)


class GuaranteeFormalism:
    """Predicates are sets of names; one implies another if the other follows by the rules of the table."""

    id = GUARANTEE
    name = "guarantee"

    def __init__(
        self, table: GuaranteeTable | None = None, aliases: Sequence[ClassId] = (SECURE, SECURE_TOO)
    ) -> None:
        self.table = table or builtin_table()
        self._aliases = tuple(aliases)

    def parse(self, text: str, vocabulary: Vocabulary) -> Guarantees:  # noqa: ARG002
        """Read names separated by commas or `and`; raise FormulaError that suggests the nearest name."""
        if len(text) > MAX_TEXT:
            raise FormulaError(f"a list of guarantees may have {MAX_TEXT} characters, this has {len(text)}")
        parts = [part for part in _SEPARATOR.split(text) if part.strip()]
        return frozenset(self.table.name(part) for part in parts)

    def print(self, predicate: Guarantees) -> str:
        """Return the names in their order, as `parse` reads them."""
        return ", ".join(sorted(predicate))

    def conjoin(self, predicates: Sequence[Guarantees]) -> Guarantees:
        return frozenset().union(*predicates)

    def implies(self, provided: Guarantees, required: Guarantees) -> Explanation:
        """True if every required name follows from the provided ones; the reasons show the rules."""
        derived = self.table.derivation(sorted(provided))
        reasons = tuple(self._reason(name, derived) for name in sorted(required))
        holds = all(reasons)
        left, right = self.print(provided) or "nothing", self.print(required) or "nothing"
        verb = "provides" if holds else "does not provide"
        return Explanation(holds, f"{left} {verb} {right}", reasons, left=left, right=right)

    def _reason(self, name: str, derived: dict[str, Rule | None], depth: int = 0) -> Explanation:
        if name not in derived:
            return Explanation(False, f"{name} ({self.table.says[name]}) does not follow", subject=name)
        rule = derived[name]
        if rule is None:
            return Explanation(True, f"{name} is provided", subject=name)
        shown = sorted(rule.given) if depth < MAX_DEPTH else ()
        before = tuple(self._reason(one, derived, depth + 1) for one in shown)
        return Explanation(True, f"{name} follows from {listing(sorted(rule.given))}", before, subject=name)

    def mirror(self, predicate: Guarantees) -> Guarantees:
        """Return the same predicate: a guarantee is about the whole connection and has no direction."""
        return predicate

    def trivial(self, predicate: Guarantees) -> bool:
        return predicate <= self.table.closure(())

    def translate(self, predicate: Guarantees) -> Iterable[tuple[ClassId, Hashable]]:
        """Yield the same set in each alias of this formalism, so that a demand written there is met."""
        return ((alias, predicate) for alias in self._aliases)

    def monitor(self, predicate: Guarantees) -> Monitor | None:  # noqa: ARG002
        """Return None: a guarantee is about all participants together and the network between them."""
        return None
