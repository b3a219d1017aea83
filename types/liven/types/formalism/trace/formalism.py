"""`trace`: temporal logic over what happens at endpoints, read on complete finite traces."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from liven.types.explanation import Explanation
from liven.types.formalism.atoms import Atom
from liven.types.formalism.count import COUNT, Interval
from liven.types.formalism.guarantee import GuaranteeTable, builtin_table
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import implication
from liven.types.formalism.trace.alphabet import Scope
from liven.types.formalism.trace.assumptions import in_some_case, mirrored
from liven.types.formalism.trace.automaton import compiled
from liven.types.formalism.trace.formula import Formula, always, atoms_of, conjunction, negation, rebuild
from liven.types.formalism.trace.formula_text import show
from liven.types.formalism.trace.grammar import Reader
from liven.types.formalism.trace.monitor import TraceMonitor
from liven.types.formalism.trace.realizability import judge_realizability
from liven.types.ids import ClassId

TRACE = ClassId(0x63A4E3A7375EEEAE4D41A326F84BE184)


class TraceFormalism:
    """Predicates are the terms of `formula`; the table gives meaning to `given X is …`."""

    id = TRACE
    name = "trace"

    def __init__(self, table: GuaranteeTable | None = None) -> None:
        self.table = table or builtin_table()

    def parse(self, text: str, vocabulary: Vocabulary) -> Formula:
        """Read plain words or operators; raise FormulaError, also if the formula is too large."""
        formula = Reader(text, vocabulary, self.table).read()
        implication.check_size(formula, self.table)
        return formula

    def print(self, predicate: Formula) -> str:
        """Return the formula in operators, which `parse` reads back as the same formula."""
        return show(predicate)

    def conjoin(self, predicates: Sequence[Formula]) -> Formula:
        return conjunction(*predicates)

    def implies(self, provided: Formula, required: Formula) -> Explanation:
        """True if every trace that keeps `provided` keeps `required`; else the reason shows a shortest one
        that does not."""
        return implication.implied(provided, required, self.table)

    def counterexample(self, provided: Formula, required: Formula) -> implication.Counterexample | None:
        """Return a shortest trace that keeps `provided` and breaks `required`."""
        return implication.counterexample(provided, required, self.table)

    def mirror(self, predicate: Formula) -> Formula:
        return rebuild(predicate, mirrored)

    def trivial(self, predicate: Formula) -> bool:
        return implication.tautology(predicate, self.table)

    def translate(self, predicate: Formula) -> Iterable[tuple[ClassId, Hashable]]:
        """Yield `no instances connected` for an endpoint that is never connected."""
        for place in sorted({atom.endpoint for atom in atoms_of(predicate)} - {""}):
            if self.implies(predicate, always(negation(Atom(place, "connect")))):
                yield COUNT, ((place, Interval(0, 0)),)

    def monitor(self, predicate: Formula) -> TraceMonitor:
        """Return a monitor. It cannot see assumptions, so the formula is broken only if it is so under all of
        them."""
        seen = in_some_case(predicate, self.table)
        return TraceMonitor(compiled(seen, Scope.of(atoms_of(seen))), show(predicate))

    def realizable(self, provided: Formula, required: Formula) -> Explanation:
        """True if the owner of `provided` can keep it by itself while `required` is kept."""
        return judge_realizability(provided, required, self.table)
