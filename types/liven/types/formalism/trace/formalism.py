"""`trace`: temporal logic over what happens at endpoints, read on complete finite traces."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from liven.types.explain import Explanation
from liven.types.formalism.guarantee import GuaranteeTable, stock_table
from liven.types.formalism.plugin import Monitor, Vocabulary
from liven.types.formalism.trace import decision
from liven.types.formalism.trace.assumptions import mirrored
from liven.types.formalism.trace.grammar import Reader
from liven.types.formalism.trace.printing import show
from liven.types.formalism.trace.syntax import Formula, conjunction, rebuild
from liven.types.ids import ClassId

TRACE = ClassId(0x63A4E3A7375EEEAE4D41A326F84BE184)


class TraceFormalism:
    """Formulas are terms of `syntax`; the table gives meaning to `given X is …`."""

    id = TRACE
    name = "trace"

    def __init__(self, table: GuaranteeTable | None = None) -> None:
        self.table = table or stock_table()

    def parse(self, text: str, vocabulary: Vocabulary) -> Formula:
        """Reads plain words or operators; raises FormulaError, also where the formula is too large."""
        formula = Reader(text, vocabulary, self.table).read()
        decision.check_size(formula, self.table)
        return formula

    def print(self, predicate: Formula) -> str:
        """The formula in operators, which `parse` reads back as the same formula."""
        return show(predicate)

    def conjoin(self, predicates: Sequence[Formula]) -> Formula:
        return conjunction(*predicates)

    def implies(self, provided: Formula, required: Formula) -> Explanation:
        """Whether every trace that keeps `provided` keeps `required`; if not, a shortest one that does not."""
        return decision.implied(provided, required, self.table)

    def counterexample(self, provided: Formula, required: Formula) -> decision.Counterexample | None:
        """A shortest trace that keeps `provided` and breaks `required`."""
        return decision.counterexample(provided, required, self.table)

    def mirror(self, predicate: Formula) -> Formula:
        return rebuild(predicate, mirrored)

    def trivial(self, predicate: Formula) -> bool:
        return decision.tautology(predicate, self.table)

    def translate(self, predicate: Formula) -> Iterable[tuple[ClassId, Hashable]]:  # noqa: ARG002
        return ()

    def monitor(self, predicate: Formula) -> Monitor | None:  # noqa: ARG002
        return None
