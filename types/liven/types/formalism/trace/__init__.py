"""The formalism `trace`: which events may happen at an endpoint, and in which order.

`grammar` and `sentences` read text into a `formula`, `automaton` compiles it, `implication` compares two,
`monitor` watches one at run time, and `realizability` judges promises. Start with `formula` and
`formalism`.
"""

from liven.types.formalism.trace.formalism import TRACE, TraceFormalism
from liven.types.formalism.trace.formula import Formula
from liven.types.formalism.trace.implication import Counterexample
from liven.types.formalism.trace.progression import TooLargeError

__all__ = ["TRACE", "Counterexample", "Formula", "TooLargeError", "TraceFormalism"]
