"""The formalism `trace`: what may happen at an endpoint, and in which order."""

from liven.types.formalism.trace.decision import Counterexample
from liven.types.formalism.trace.formalism import TRACE, TraceFormalism
from liven.types.formalism.trace.residual import TooLargeError
from liven.types.formalism.trace.syntax import Formula

__all__ = ["TRACE", "Counterexample", "Formula", "TooLargeError", "TraceFormalism"]
