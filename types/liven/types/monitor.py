"""Watching a connection: which constraint was broken first, by what, and whose fault it is.

Both sides promise and demand. Every constraint is watched as its owner sees the connection. Blame is by
assume and guarantee: a side is guilty when one of its own promises breaks first, while all that it demands
still holds, by an event that it sent or one that it owed. If what it demands broke earlier, or breaks with
it, the fault is the other side's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from liven.types.explain import Explanation
from liven.types.formalism.plugin import Formalism, FormulaError, Monitor, Standing, Violation
from liven.types.ids import ClassId
from liven.types.structure import Constraint

Role: TypeAlias = Literal["provides", "requires"]


class KnownFormalisms(Protocol):
    """Whoever knows formalisms by their ids."""

    def find(self, key: ClassId, /) -> Formalism[Any] | None: ...


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a connection: its name to people, and what its endpoint promises and demands."""

    name: str
    provides: tuple[Constraint, ...] = ()
    requires: tuple[Constraint, ...] = ()


@dataclass(frozen=True, slots=True)
class Blame:
    """The first broken constraint of a connection."""

    guilty: tuple[str, ...]
    """The names of the sides at fault; none where a promise was not one that its owner could keep."""
    owner: str
    """Whose constraint it is."""
    role: Role
    text: str
    """The constraint, in the words it was written in."""
    violation: Violation
    """The trace in it is told as the owner sees it."""
    explanation: Explanation


@dataclass(slots=True)
class _Watch:
    """One constraint, or all promises of one formalism together, being watched."""

    owner: Party
    role: Role
    text: str
    monitor: Monitor
    breaks_now: bool = False

    @property
    def broke_before(self) -> bool:
        return self.monitor.violation is not None and not self.breaks_now


@dataclass(slots=True)
class ConnectionMonitor:
    """Fed with what happens on one connection; `blame` is the first violation once there is one."""

    left: Party
    right: Party
    formalisms: KnownFormalisms
    blame: Blame | None = None
    _watches: list[_Watch] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.left.name == self.right.name:
            raise ValueError(f"both sides are called {self.left.name!r}; give them different names")
        for party in (self.left, self.right):
            self._watches.extend(_watches(party, self.formalisms))

    def connected(self, now: float) -> Blame | None:
        """The connection was made."""
        return self._happened("connect", "", now)

    def disconnected(self, now: float) -> Blame | None:
        """The connection ended, on either side's wish; what was to happen has now failed to."""
        return self._happened("disconnect", "", now)

    def sent(self, sender: str, event: str, now: float) -> Blame | None:
        """The side called `sender` sent an event to the other one."""
        if sender not in (self.left.name, self.right.name):
            raise ValueError(f"{sender!r} is neither {self.left.name!r} nor {self.right.name!r}")
        return self._happened(event, sender, now)

    def advance(self, now: float) -> Blame | None:
        """Time passed and nothing happened."""
        for watch in self._watches:
            self._fed(watch, "", now)
        return self._judge("")

    def standings(self) -> Iterator[tuple[str, Role, str, Standing]]:
        """Of each constraint: whose it is, its role, its text, and what can be said by now."""
        for watch in self._watches:
            yield watch.owner.name, watch.role, watch.text, watch.monitor.standing

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
        if self.blame is None:
            fresh = [watch for watch in self._watches if watch.breaks_now]
            verdicts = [(watch, self._guilty(watch, sender)) for watch in fresh]
            chosen = next((pair for pair in verdicts if pair[1]), None) or self._circle(verdicts, sender)
            if chosen:
                self.blame = _blame(*chosen)
        return self.blame

    def _circle(
        self, verdicts: Sequence[tuple[_Watch, tuple[str, ...]]], sender: str
    ) -> tuple[_Watch, tuple[str, ...]] | None:
        """Where each side waited for the other, each is guilty of what it owed; else nobody is."""
        promises = [watch for watch, _ in verdicts if watch.role == "provides"]
        owing = [watch for watch in promises if _caused(watch, sender)]
        if owing:
            return owing[0], tuple(dict.fromkeys(watch.owner.name for watch in owing))
        first = promises[0] if promises else next((watch for watch, _ in verdicts), None)
        return (first, ()) if first else None

    def _guilty(self, watch: _Watch, sender: str) -> tuple[str, ...]:
        if watch.role == "requires":
            return ()
        demands = [one for one in self._watches if one.owner is watch.owner and one.role == "requires"]
        if any(demand.broke_before for demand in demands):
            return (self._other(watch.owner).name,)
        if any(demand.breaks_now for demand in demands):
            return ()
        return (watch.owner.name,) if _caused(watch, sender) else ()

    def _other(self, party: Party) -> Party:
        return self.right if party is self.left else self.left


def _caused(watch: _Watch, sender: str) -> bool:
    """Whether the owner sent the event that broke it, or owed the one that did not come."""
    violation = watch.monitor.violation
    owed = violation.owed_by if violation else ""
    return owed == "owner" if owed else sender == watch.owner.name


def _watches(party: Party, formalisms: KnownFormalisms) -> Iterator[_Watch]:
    for constraint in party.requires:
        yield from _watch(party, "requires", (constraint,), formalisms)
    for constraint in party.provides:
        yield from _watch(party, "provides", (constraint,), formalisms)
    for together in _groups(party.provides):
        # Two promises may contradict each other before either is broken by itself.
        yield from _watch(party, "provides", together, formalisms)


def _groups(constraints: tuple[Constraint, ...]) -> list[tuple[Constraint, ...]]:
    """Several constraints of one formalism together."""
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
    except FormulaError:  # too large together; each is still watched by itself
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
        fault = f"{watch.owner.name} demands it, but nothing that was promised to it is broken"
    claim = f"{watch.owner.name} {watch.role} `{watch.text}`, and it was broken; {fault}"
    explanation = Explanation(False, claim, (violation.explanation,), subject=watch.owner.name)
    return Blame(guilty, watch.owner.name, watch.role, watch.text, violation, explanation)
