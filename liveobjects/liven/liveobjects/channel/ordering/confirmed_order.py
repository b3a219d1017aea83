"""The confirmed order of a channel, as one of its members learns it: the state machine behind an archive.

It takes the outputs of the ordered channel and passes on operations up to the stable number, each once and
in order. It never passes on a number twice, except after a `Forked`, which says
that what it passed on after a number is in a branch now. Numbers that this member cannot get any more are a
`Missing`. A state at a number is passed on right after the operation with that number.

    passed on       operations that are stable
    pending         delivered here, and not stable yet: another history may still replace them
    aside           pending ones of an earlier history, while the state of another one is on its way
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias

from liven.liveobjects.channel.history import BEGINNING, Epoch, Position
from liven.liveobjects.channel.ordering.operations.delivered_log import Run

_TRAIL_MOST: Final = 1024
"""Positions of operations passed on that are remembered, to find out where histories fork."""
NOBODY: Final = b""
"""The author of operations that came inside a state: it names none."""


class Confirmed(NamedTuple):
    """Consecutive operations of one author that are stable."""

    run: Run
    seen: int
    """The time at which they were delivered here."""


class Missing(NamedTuple):
    """Numbers of stable operations that this member does not have."""

    first: int
    last: int


class StateAt(NamedTuple):
    """The state after exactly the operations up to a number; None is the empty state."""

    number: int
    state: bytes | None


class Forked(NamedTuple):
    """Everything passed on after this number is in a branch: another history won."""

    number: int


Passed: TypeAlias = Confirmed | Missing | StateAt | Forked
_Pending: TypeAlias = Confirmed | Missing | Forked


class _Tail(NamedTuple):
    """The rows that were delivered and are not passed on."""

    rows: tuple[_Pending, ...]
    states: tuple[tuple[Position, bytes | None], ...]
    tip: Position
    stable: int
    waits: bool


class ConfirmedOrder:
    """One channel's confirmed order. `number` and `chain` are those of the last operation that an earlier
    process passed on; an unknown chain is empty."""

    def __init__(self, number: int = 0, chain: bytes = b"") -> None:
        self.number = number
        """The last number that was passed on or is missing."""
        self.chain = chain if number else BEGINNING.chain
        """The chain hash there; empty if it is unknown."""
        self._trail: deque[tuple[int, bytes]] = deque(maxlen=_TRAIL_MOST)
        if chain:
            self._trail.append((number, chain))
        self._tip = Position(BEGINNING.epoch, 0, BEGINNING.chain)
        self._rows: deque[_Pending] = deque()
        self._forks: deque[int] = deque()
        """The numbers of the forks among the rows."""
        self._states: deque[tuple[Position, bytes | None]] = deque()
        self._stable = 0
        self._aside: _Tail | None = None
        self._waits = False
        """True until the objects have the state of this history: nothing is passed on before."""
        self._follows = False
        """True while the state of another history is on its way."""
        self._passed: list[Passed] = []

    @property
    def pending(self) -> int:
        """The number of operations that were delivered and are not passed on."""
        return max(0, self._tip.number - self.number)

    def take(self) -> list[Passed]:
        """Return what is passed on now, in order."""
        passed, self._passed = self._passed, []
        return passed

    # The outputs of the ordered channel

    def found(self, position: Position, runs: Iterable[Run], stable: int, now: int) -> None:
        """Take the log of an earlier process: its state's position, and the operations after it."""
        self._waits = True
        self._restart_at(position)
        for run in runs:
            self._put(run, now)
        self.stable(stable)

    def installed(
        self, position: Position, epochs: Sequence[Epoch], stable: int, *, begins: bool, lost: bool
    ) -> None:
        """Follow a view. With `begins`, the history of the others replaces that of this member, and `lost`
        tells that stable operations of this one are not in it."""
        if begins:
            if not self._follows:
                tail = _Tail(tuple(self._rows), tuple(self._states), self._tip, self._stable, self._waits)
                self._aside = tail
            self._waits = self._follows = True
            self._begin_history(position, epochs, lost=lost)
        elif self._tip.number != position.number:
            self._restart_at(position)
        self.stable(stable)

    def begins_empty(self) -> None:
        """Follow that nobody has a state: this member begins empty."""
        self._waits, self._follows = True, False
        self._aside = None
        self._begin_history(BEGINNING, (), lost=True)

    def restored(self, position: Position) -> None:
        """Follow that the history which was set aside continues."""
        aside, self._aside = self._aside, None
        self._waits = self._follows = False
        if aside is None:
            self._restart_at(position)
        else:
            self._rows, self._states = deque(aside.rows), deque(aside.states)
            self._forks = deque(row.number for row in self._rows if isinstance(row, Forked))
            self._tip, self._stable, self._waits = aside.tip, aside.stable, aside.waits
        self._flush()

    def delivered(self, run: Run, now: int) -> None:
        """Take operations that have their numbers."""
        self._put(run, now)
        self._flush()

    def began(self, position: Position, state: bytes | None, after: Sequence[bytes] = ()) -> None:
        """Take the state with which the objects begin: a state, and the last operations before `position`
        that it does not contain."""
        self._waits = self._follows = False
        self._aside = None
        base = position.number - len(after)
        if after:
            self._fill(base, after)
            position = Position(BEGINNING.epoch, base, b"")
        self.state_at(position, state)

    def state_at(self, position: Position, state: bytes | None) -> None:
        """Take a state. One before the last operation passed on comes too late and is dropped."""
        number = position.number
        if number >= self._floor and not any(number == at.number for at, _ in self._states):
            self._states.append((position, state))
            self._states = deque(sorted(self._states, key=lambda each: each[0].number))
        self._flush()

    def stable(self, number: int) -> None:
        """Take the number up to which all is stable."""
        self._stable = max(self._stable, number)
        self._flush()

    # The pending rows

    def _begin_history(self, position: Position, epochs: Sequence[Epoch], *, lost: bool) -> None:
        """Begin to follow another history at its cut."""
        if self.number:
            common = self._common(position, epochs) if lost or self._contradicts(position) else self.number
        else:
            common = 0
        self._rows.clear()
        self._forks.clear()
        self._states.clear()
        self._stable = 0
        if common < self.number:
            self._fork(common)
        self._tip = position
        if position.number > common:
            self._rows.append(Missing(common + 1, position.number))

    def _restart_at(self, position: Position) -> None:
        """Continue at a position of the same history."""
        self._rows.clear()
        self._forks.clear()
        self._states.clear()
        self._tip = position
        if position.number > self.number:
            self._rows.append(Missing(self.number + 1, position.number))

    def _contradicts(self, position: Position) -> bool:
        """True if a history with this position cannot have what was passed on."""
        if position.number == self.number:
            return bool(self.chain) and self.chain != position.chain
        return position.number < self.number

    def _common(self, position: Position, epochs: Sequence[Epoch]) -> int:
        """Return the last number passed on that is certainly in a history: a position of it that is known
        here, or 0."""
        theirs = {(each.parent.number, each.parent.chain) for each in epochs}
        theirs.add((position.number, position.chain))
        return max((each[0] for each in self._trail if each in theirs), default=0)

    def _put(self, run: Run, now: int) -> None:
        if run.last <= self._tip.number:
            return
        if run.number <= self._tip.number:
            run = run.after(self._tip.number + 1 - run.number)
        if run.number > self._tip.number + 1:
            self._rows.append(Missing(max(self._tip.number, self.number) + 1, run.number - 1))
        self._tip = Position(BEGINNING.epoch, run.last, run.chains[-1])
        floor = self._floor
        if run.number <= floor:
            self._compare(run, floor)
            run = run.after(min(floor + 1 - run.number, len(run.payloads)))
        if run.payloads:
            self._rows.append(Confirmed(run, now))

    @property
    def _floor(self) -> int:
        """The last number that the next pending row must follow."""
        return self._forks[-1] if self._forks else self.number

    def _compare(self, run: Run, floor: int) -> None:
        """Note a fork if an operation is another one than the one passed on under its number."""
        known = run.last >= floor and bool(self.chain) and floor == self.number
        if known and run.chains[floor - run.number] != self.chain:
            common = [at for at, chain in self._trail if self._is_in(run, at, chain)]
            self._fork(max(common, default=run.number - 1))

    def _fork(self, number: int) -> None:
        self._rows.append(Forked(number))
        self._forks.append(number)

    @staticmethod
    def _is_in(run: Run, number: int, chain: bytes) -> bool:
        return run.number <= number <= run.last and run.chains[number - run.number] == chain

    def _fill(self, base: int, after: Sequence[bytes]) -> None:
        """Replace missing numbers by operations that came with a state."""
        rows: deque[_Pending] = deque()
        for row in self._rows:
            if isinstance(row, Missing) and row.last > base and row.last - base <= len(after):
                first = max(row.first, base + 1)
                if first > row.first:
                    rows.append(Missing(row.first, first - 1))
                payloads = list(after[first - base - 1 : row.last - base])
                rows.append(Confirmed(Run(first, NOBODY, 0, payloads, [b""] * len(payloads)), 0))
            else:
                rows.append(row)
        self._rows = rows

    # Passing on

    def _flush(self) -> None:
        if self._waits:
            return
        self._pass_states()
        while self._rows:
            row = self._rows[0]
            match row:
                case Forked(number=number):
                    self.number, self.chain = number, self._known_chain(number)
                    self._forks.popleft()
                    self._passed.append(row)
                case Missing():
                    if not self._pass_missing(row):
                        return
                    continue
                case Confirmed():
                    if not self._pass_run(row):
                        return
                    continue
            self._rows.popleft()
            self._pass_states()

    def _pass_missing(self, row: Missing) -> bool:
        """Pass on the stable part of missing numbers. Return False if none is stable."""
        last = min(row.last, self._stable)
        if last < row.first:
            return False
        if last == row.last:
            self._rows.popleft()
        else:
            self._rows[0] = Missing(last + 1, row.last)
        self.number, self.chain = last, b""
        self._passed.append(Missing(row.first, last))
        self._pass_states()
        return True

    def _pass_run(self, row: Confirmed) -> bool:
        """Pass on the stable part of a run, up to the next state. Return False if none is stable."""
        run = row.run
        end = min(run.last, self._stable)
        if self._states and self._states[0][0].number >= run.number:
            end = min(end, self._states[0][0].number)
        count = end + 1 - run.number
        if count <= 0:
            return False
        if count == len(run.payloads):
            self._rows.popleft()
        else:
            self._rows[0] = Confirmed(run.after(count), row.seen)
            void = tuple(place for place in run.void if place < count)
            run = Run(run.number, run.author, run.first, run.payloads[:count], run.chains[:count], void)
        self.number, self.chain = end, run.chains[-1]
        if self.chain:
            self._trail.append((end, self.chain))
        self._passed.append(Confirmed(run, row.seen))
        self._pass_states()
        return True

    def _pass_states(self) -> None:
        """Pass on states at the last number; those before it came too late. A fork comes first."""
        if self._forks:
            return
        while self._states and self._states[0][0].number <= self.number:
            position, state = self._states.popleft()
            same = not (self.chain and position.chain) or self.chain == position.chain
            if position.number == self.number and same:
                self._passed.append(StateAt(position.number, state))
                self.chain = self.chain or position.chain

    def _known_chain(self, number: int) -> bytes:
        if number == 0:
            return BEGINNING.chain
        while self._trail and self._trail[-1][0] > number:
            self._trail.pop()
        return self._trail[-1][1] if self._trail and self._trail[-1][0] == number else b""
