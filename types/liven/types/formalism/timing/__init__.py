"""The formalism `timing`: how soon, and how often, an event is answered by another one.

A formula is a set of reactions (`reaction`); `measurement` judges one of them at run time. Start with
`formalism`, which has the grammar.
"""

from liven.types.formalism.timing.formalism import TIMING, TimingFormalism
from liven.types.formalism.timing.monitor import TimingMonitor
from liven.types.formalism.timing.reaction import Reaction, Reactions

__all__ = ["TIMING", "Reaction", "Reactions", "TimingFormalism", "TimingMonitor"]
