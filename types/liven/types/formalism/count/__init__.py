"""The formalism `count`: the number of connected instances of an endpoint.

Predicates are intervals (`interval`). Start with `formalism`, which has the grammar.
"""

from liven.types.formalism.count.formalism import COUNT, CountFormalism
from liven.types.formalism.count.interval import Counts, Interval
from liven.types.formalism.count.monitor import CountMonitor

__all__ = ["COUNT", "CountFormalism", "CountMonitor", "Counts", "Interval"]
