"""The measurement of one reaction: the cases that wait for an answer, and the result of the last ones."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from liven.types.formalism.timing.reaction import Reaction

MAX_OPEN = 10_000
"""The most cases that wait for an answer at once; beyond it the oldest is dropped unjudged."""

HERE = ""
"""The only instance that a monitor of one connection sees."""


@dataclass(slots=True)
class _Case:
    began: float
    waiting: frozenset[str]
    """The instances whose answer is still missing."""


class Measurement:
    """The cases of one reaction, of which the last `window` results are kept."""

    def __init__(self, reaction: Reaction, window: int) -> None:
        self.reaction = reaction
        self.judged: deque[bool] = deque(maxlen=window)
        self._open: deque[_Case] = deque(maxlen=MAX_OPEN)
        self._limit = float(reaction.seconds)
        self._cause, self._answer = str(reaction.cause), str(reaction.answer)
        self._instances = frozenset([HERE]) if reaction.where == "here" else None

    @property
    def observable(self) -> bool:
        """True if all instances that the reaction is about are known."""
        return self._instances is not None

    @property
    def share(self) -> float:
        """The share of timely answers among the judged cases."""
        return sum(self.judged) / len(self.judged)

    def falls_short(self, minimum: int) -> bool:
        """True if enough cases were judged, and too few of them were in time."""
        return len(self.judged) >= minimum and sum(self.judged) < self.reaction.share * len(self.judged)

    def happened(self, instance: str, atom: str, now: float) -> bool:
        """Record an event at one instance, first as an answer to earlier cases; return True if a case was
        judged."""
        if self._instances is None or (self.reaction.where == "here" and instance != HERE):
            return False
        judged = atom == self._answer and self._answered(instance)
        if atom == self._cause:
            self._open.append(_Case(now, self._instances))
            judged = (not self._instances and self._stop_waiting(frozenset())) or judged
        return judged

    def gathered(self, instances: frozenset[str]) -> bool:
        """Record the connected instances; nobody waits for those that left. Return True if a case was
        judged."""
        if self.reaction.where == "here":
            return False
        left = (self._instances or frozenset()) - instances
        self._instances = instances
        return self._stop_waiting(left)

    def _answered(self, instance: str) -> bool:
        if self.reaction.where == "all":
            return self._stop_waiting(frozenset([instance]))
        judged = len(self._open)
        self.judged.extend([True] * judged)
        self._open.clear()
        return judged > 0

    def expire(self, now: float) -> bool:
        """Judge the cases whose time is over; return True if there was one."""
        late = False
        while self._open and now - self._open[0].began > self._limit:
            self._open.popleft()
            self.judged.append(False)
            late = True
        return late

    def _stop_waiting(self, instances: frozenset[str]) -> bool:
        """Stop waiting for these instances: they have answered, or cannot. A case of which all must answer is
        in time when nobody is left to wait for."""
        if self.reaction.where != "all":
            return False
        still = deque[_Case](maxlen=MAX_OPEN)
        for case in self._open:
            case.waiting -= instances
            if case.waiting:
                still.append(case)
            else:
                self.judged.append(True)
        judged = len(still) < len(self._open)
        self._open = still
        return judged
