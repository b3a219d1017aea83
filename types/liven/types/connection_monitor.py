"""Watches a connection: finds the constraint that is broken first, the event that broke it, and the guilty
side.

Both sides promise and demand. Every constraint is watched from its owner's point of view. Blame follows
assume and guarantee: a side is guilty when one of its own promises breaks first, while all its demands
still hold, by an event that it sent or owed. If one of its demands breaks earlier, or at the same moment,
the other side is guilty, and that demand is the first violation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Literal, Protocol, TypeAlias

from liven.types.explanation import Explanation
from liven.types.formalism.plugin import Forgetful, Formalism, FormulaError, Monitor, Standing, Violation
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import Constraint

Role: TypeAlias = Literal["provides", "requires"]


class KnownFormalisms(Protocol):
    """A source of formalisms by their ids."""

    def find(self, key: ClassId, /) -> Formalism[Any] | None: ...


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a connection: its name for people, and the promises and demands of its endpoint."""

    name: str
    provides: tuple[Constraint, ...] = ()
    requires: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class Blame:
    """The first broken constraint of a connection."""

    guilty: tuple[str, ...]
    """The names of the sides at fault; empty if the owner could not have kept the promise."""
    owner: str
    """The name of the side whose constraint it is."""
    role: Role
    text: str
    """The text of the constraint as it was written."""
    violation: Violation
    """The violation, with the trace as the owner sees it."""
    explanation: Explanation


@dataclass(slots=True)
class _Watch:
    """One watched constraint, or all constraints of one side, role and formalism together."""

    owner: Party
    role: Role
    text: str
    monitor: Monitor
    breaks_now: bool = False


@dataclass(slots=True)
class ConnectionMonitor:
    """Follows the events of one connection; `blame` is the first violation once there is one.

    It raises ValueError, and does not change, for an impossible report: an event before the connect, time
    running back, a time that is not a number.
    """

    left: Party
    right: Party
    formalisms: KnownFormalisms
    blame: Blame | None = field(default=None, init=False)
    _watches: list[_Watch] = field(default_factory=list, init=False)
    _phase: Literal["new", "connected", "gone"] = field(default="new", init=False)
    _now: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        if self.left.name == self.right.name:
            raise ValueError(f"both sides are called {self.left.name!r}; give them different names")
        for party in (self.left, self.right):
            self._watches.extend(_watches(party, self.formalisms))

    def connected(self, now: float) -> Blame | None:
        """Record that the connection was made."""
        self._go_on("new", "connect", now)
        self._phase = "connected"
        return self._happened("connect", "", now)

    def found_connected(self, now: float) -> None:
        """Begin to watch a connection that already exists: its past is unknown, and nobody is blamed for
        it."""
        self._go_on("new", "connect", now)
        self._phase = "connected"
        for watch in self._watches:
            if isinstance(watch.monitor, Forgetful):
                watch.monitor.forget_past()
            else:
                self._fed(watch, "connect", now)
        self._judge("")

    def disconnected(self, now: float) -> Blame | None:
        """Record that the connection ended, at either side's wish; every event still owed is now missing."""
        self._go_on("connected", "disconnect", now)
        self._phase = "gone"
        return self._happened("disconnect", "", now)

    def sent(self, sender: str, event: str, now: float) -> Blame | None:
        """Record that the side called `sender` sent an event to the other."""
        if sender not in (self.left.name, self.right.name):
            raise ValueError(f"{sender!r} is neither {self.left.name!r} nor {self.right.name!r}")
        self._go_on("connected", event, now)
        return self._happened(event, sender, now)

    def advance(self, now: float) -> Blame | None:
        """Record that time passed without an event."""
        self._go_on(self._phase, "nothing", now)
        for watch in self._watches:
            self._fed(watch, "", now)
        return self._judge("")

    def standings(self) -> Iterator[tuple[str, Role, str, Standing]]:
        """Yield for each constraint its owner, its role, its text, and its state so far."""
        for watch in self._watches:
            yield watch.owner.name, watch.role, watch.text, watch.monitor.standing

    def _go_on(self, phase: str, event: str, now: float) -> None:
        """Raise ValueError for an impossible report before any constraint sees it."""
        if self._phase != phase:
            raise ValueError(f"{event} cannot happen on a connection that is {self._phase}")
        if not isfinite(now):
            raise ValueError(f"{now} is not a time; give the seconds of a single clock")
        if now < self._now:
            raise ValueError(f"time went back from {self._now} to {now}")
        self._now = now

    def _happened(self, event: str, sender: str, now: float) -> Blame | None:
        for watch in self._watches:
            way = "out" if watch.owner.name == sender else "in"
            self._fed(watch, f"{way}.{event}" if sender else event, now)
        return self._judge(sender)

    @staticmethod
    def _fed(watch: _Watch, atom: str, now: float) -> None:
        before = watch.monitor.violation
        if atom:
            watch.monitor.feed(atom, now)
        else:
            watch.monitor.advance(now)
        watch.breaks_now = before is None and watch.monitor.violation is not None

    def _judge(self, sender: str) -> Blame | None:
        fresh = [watch for watch in self._watches if watch.breaks_now]
        if self.blame is None and fresh:
            self.blame = _blame(*self._verdict(fresh, sender))
        return self.blame

    def _verdict(self, fresh: list[_Watch], sender: str) -> tuple[_Watch, tuple[str, ...]]:
        """Return the constraint to name, of those that broke at this step, and the guilty sides."""
        fresh.sort(key=lambda watch: watch.owner.name)  # so that both sides reach one answer
        promises = [watch for watch in fresh if watch.role == "provides"]
        own = [watch for watch in promises if _caused_by(watch, watch.owner, sender)]
        # Each side may have waited for the other until the end: then both are guilty.
        at_fault = [watch for watch in own if not self._wronged(watch.owner)] or own
        if at_fault:
            return at_fault[0], tuple(dict.fromkeys(watch.owner.name for watch in at_fault))
        for watch in fresh:
            other = self._other(watch.owner)
            if watch.role == "requires" and _caused_by(watch, other, sender):
                return watch, (other.name,)
        return (promises or fresh)[0], ()

    def _wronged(self, party: Party) -> bool:
        """True if one of the party's demands broke at the same moment."""
        return any(
            watch.breaks_now for watch in self._watches if watch.owner is party and watch.role == "requires"
        )

    def _other(self, party: Party) -> Party:
        return self.right if party is self.left else self.left


def _caused_by(watch: _Watch, party: Party, sender: str) -> bool:
    """True if the party sent the event that broke the constraint, or owed the one that is missing."""
    violation = watch.monitor.violation
    owed = violation.owed_by if violation else ""
    if owed:
        return owed == ("owner" if party is watch.owner else "peer")
    return sender == party.name


def _watches(party: Party, formalisms: KnownFormalisms) -> Iterator[_Watch]:
    sides: tuple[tuple[Role, tuple[Constraint, ...]], ...] = (
        ("requires", party.requires),
        ("provides", party.provides),
    )
    for role, constraints in sides:
        # Two constraints may contradict each other before either of them is broken.
        for together in (*((one,) for one in constraints), *_groups(constraints)):
            yield from _watch(party, role, together, formalisms)


def _groups(constraints: tuple[Constraint, ...]) -> list[tuple[Constraint, ...]]:
    """Return the constraints of each formalism together."""
    grouped: dict[ClassId, tuple[Constraint, ...]] = {}
    for constraint in constraints:
        grouped[constraint.formalism] = (*grouped.get(constraint.formalism, ()), constraint)
    return [group for group in grouped.values() if len(group) > 1]


def _watch(
    party: Party, role: Role, constraints: tuple[Constraint, ...], formalisms: KnownFormalisms
) -> Iterator[_Watch]:
    formalism = formalisms.find(constraints[0].formalism)
    if formalism is None:
        return
    try:
        monitor = formalism.monitor(formalism.conjoin([one.predicate for one in constraints]))
    except FormulaError:  # too large together; each is still watched alone
        return
    if monitor:
        yield _Watch(party, role, "; ".join(one.text for one in constraints), monitor)


def _blame(watch: _Watch, guilty: tuple[str, ...]) -> Blame:
    violation = watch.monitor.violation
    assert violation is not None
    who = " and ".join(guilty)
    if guilty:
        fault = f"the fault is with {who}"
    elif watch.role == "provides":
        fault = f"no fault of {watch.owner.name}, who could not have kept it alone"
    else:
        fault = f"no event that its peer sent or owed broke a demand of {watch.owner.name}"
    claim = f"{watch.owner.name} {watch.role} `{watch.text}`, and it was broken; {fault}"
    explanation = Explanation(False, claim, (violation.explanation,), subject=watch.owner.name)
    return Blame(guilty, watch.owner.name, watch.role, watch.text, violation, explanation)
