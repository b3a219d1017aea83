"""The formalism `timing`: how soon, and how often, one event is answered by another."""

from liven.types.formalism.timing.formalism import TIMING, TimingFormalism
from liven.types.formalism.timing.monitor import TimingMonitor
from liven.types.formalism.timing.reaction import Reaction, Reactions

__all__ = ["TIMING", "Reaction", "Reactions", "TimingFormalism", "TimingMonitor"]
