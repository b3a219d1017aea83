"""The formalism `trace`: what may happen at an endpoint, and in which order."""

from liven.types.formalism.trace.formalism import TRACE, TraceFormalism
from liven.types.formalism.trace.formula import Formula
from liven.types.formalism.trace.implication import Counterexample
from liven.types.formalism.trace.progression import TooLargeError

__all__ = ["TRACE", "Counterexample", "Formula", "TooLargeError", "TraceFormalism"]
