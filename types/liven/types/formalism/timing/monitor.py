"""A timing formula as a run-time monitor. It has no clock: its caller passes the time."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from liven.types.explanation import Explanation
from liven.types.formalism.plugin import Standing, Violation
from liven.types.formalism.timing.measurement import HERE, Measurement
from liven.types.formalism.timing.reaction import Reactions
from liven.types.formalism.verdict import Verdict


class TimingMonitor(Verdict):
    """Judges over the last `window` cases, once there are `minimum`.

    A reaction at all or some instances needs the connected instances (`present`) and the events at each of
    them (`feed_at`). A case still open at the disconnect is not judged.
    """

    def __init__(self, reactions: Reactions, window: int, minimum: int) -> None:
        self._measures = [Measurement(reaction, window) for reaction in sorted(reactions, key=str)]
        self._minimum = minimum
        self._now = float("-inf")

    @property
    def standing(self) -> Standing:
        if self._violation:
            return Standing.BROKEN
        if not all(measure.observable for measure in self._measures):
            return Standing.NOT_OBSERVABLE
        enough = all(len(measure.judged) >= self._minimum for measure in self._measures)
        return Standing.HOLDS_SO_FAR if enough else Standing.UNDECIDED

    def feed(self, atom: str, now: float) -> None:
        """Read the next event on this connection."""
        self.feed_at(HERE, atom, now)

    def feed_at(self, instance: str, atom: str, now: float) -> None:
        """Read the next event at one instance of the endpoint."""
        self.advance(now, atom)
        for measure in self._measures:
            self._check(measure, measure.happened(instance, atom, now), now, atom)

    def present(self, instances: Collection[str], now: float) -> None:
        """Record the instances that are connected from `now` on."""
        self.advance(now)
        for measure in self._measures:
            self._check(measure, measure.gathered(frozenset(instances)), now)

    def advance(self, now: float, noticed: str = "") -> None:
        """Let time pass; raise ValueError if it would run back."""
        if now < self._now:
            raise ValueError(f"time went back from {self._now} to {now}")
        self._now = now
        for measure in self._measures:
            self._check(measure, measure.expire(now), now, noticed)

    def _check(self, measure: Measurement, judged: bool, now: float, noticed: str = "") -> None:
        if judged and not self._violation and measure.falls_short(self._minimum):
            self._break(measure, now, noticed)

    def _break(self, measure: Measurement, now: float, noticed: str) -> None:
        reaction, cases = measure.reaction, len(measure.judged)
        claim = f"{reaction}: {measure.share:.1%} in time of the last {cases}"
        trace = (str(reaction.cause), *([noticed] if noticed else []))
        owed: Literal["owner", "peer"] = "owner" if reaction.answer.kind == "out" else "peer"
        told = Explanation(False, f"no {reaction.answer} came in time after the last {reaction.cause} judged")
        self._violation = Violation(Explanation(False, claim, (told,)), trace, now, owed)
