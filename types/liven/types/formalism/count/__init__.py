"""The formalism `count`: how many instances of an endpoint are connected."""

from liven.types.formalism.count.formalism import COUNT, CountFormalism
from liven.types.formalism.count.interval import Counts, Interval
from liven.types.formalism.count.monitor import CountMonitor

__all__ = ["COUNT", "CountFormalism", "CountMonitor", "Counts", "Interval"]
