"""The log of delivered operations: the member's history, and the operations it can still give to others."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from liven.liveobjects.channel.compact_rows import Rows, with_row, without_first
from liven.liveobjects.channel.history import (
    ALIKE,
    BEGINNING,
    FIRST_OWN,
    Claim,
    Comparison,
    Epoch,
    Operation,
    Position,
    chained_all,
    retention,
)
from liven.liveobjects.channel.history.inheritance import VOID, original

Older = Callable[[int], bytes | None]
"""A function that returns the chain hash at a number that is no longer in memory; None if it is unknown."""


def unknown(_: int) -> bytes | None:
    """Return no chain hash: for members without a log of this history."""
    return None


class Run(NamedTuple):
    """Consecutive operations of one author, with the chain hash after each.

    A tuple, because a busy channel creates one per message and tuples are created faster.
    """

    number: int
    author: bytes
    first: int
    payloads: list[bytes]
    chains: list[bytes]
    void: tuple[int, ...] = ()
    """The places of operations that the history had already."""

    @property
    def last(self) -> int:
        """The number of the last operation."""
        return self.number + len(self.payloads) - 1

    @property
    def taken(self) -> list[bytes]:
        """The payloads as submitted first, with `VOID` in place of those that the history had already."""
        if self.first >= FIRST_OWN and not self.void:
            return self.payloads
        return [
            VOID if place in self.void else operation.payload
            for place, operation in enumerate(self.originals())
        ]

    def original(self, place: int) -> Operation:
        """Return an operation under the identity that it got when it was submitted first."""
        return original(self.author, self.first + place, self.payloads[place])

    def originals(self) -> list[Operation]:
        """Return all operations under those identities."""
        return [self.original(place) for place in range(len(self.payloads))]

    def after(self, skip: int) -> Run:
        """Return the run without its first operations."""
        void = tuple(place - skip for place in self.void if place >= skip)
        number, first = self.number + skip, self.first + skip
        return Run(number, self.author, first, self.payloads[skip:], self.chains[skip:], void)


class DeliveredLog:
    """One history. Operations stay in memory until they are stable, so that others can receive them."""

    __slots__ = (
        "_bottom",
        "_coming",
        "_kept",
        "chain",
        "epochs",
        "kept_bytes",
        "marks",
        "number",
        "stable",
    )

    def __init__(
        self,
        tip: Position = BEGINNING,
        stable: Position = BEGINNING,
        epochs: tuple[Epoch, ...] = (),
        marks: dict[bytes, int] | None = None,
    ) -> None:
        self.number = tip.number
        self.chain = tip.chain
        self.epochs = epochs
        """The last epochs of this history; the last one numbers now."""
        self.stable = stable
        self.marks = dict(marks or {})
        """The number of each author's last operation in this history, the latest author last."""
        self._coming: tuple[Epoch, ...] = ()
        self._kept: Rows[Run] = ()
        self.kept_bytes = 0
        """Bytes kept in memory for others."""
        self._bottom = (tip.number, tip.chain)

    @property
    def epoch(self) -> bytes:
        """The epoch that numbers now."""
        return self.epochs[-1].identity if self.epochs else BEGINNING.epoch

    @property
    def main(self) -> bool:
        """True if that epoch is a main epoch."""
        return not self.epochs or self.epochs[-1].main

    @property
    def tip(self) -> Position:
        """The last position."""
        return Position(self.epoch, self.number, self.chain)

    @property
    def claim(self) -> Claim:
        """The claim of this history when histories meet."""
        return Claim(self.tip, self.main, self.stable, self._main_number)

    @property
    def _main_number(self) -> int:
        """The number of the last operation that a main epoch ordered, or of the last one of all if members
        who may confirm it continue here with a main epoch that has no operation yet."""
        number = self.number
        if any(epoch.main and epoch.parent.number == number for epoch in self._coming):
            return number
        for epoch in reversed(self.epochs):
            if epoch.main:
                break
            number = epoch.parent.number
        return number

    @property
    def kept_from(self) -> int:
        """The first number that others can receive from here."""
        return self._bottom[0] + 1

    def add(self, author: bytes, first: int, payloads: list[bytes]) -> Run:
        """Number operations of one author. The caller has checked that they follow the present ones."""
        while self._coming and self._coming[0].parent.number == self.number:
            self.epochs = retention.with_epoch(self.epochs, self._coming[0])
            self._coming = self._coming[1:]
        known = retention.take(self.marks, author, first, payloads)
        chains = chained_all(self.chain, author, first, payloads, known)
        run = Run(self.number + 1, author, first, payloads, chains, known)
        self.number += len(payloads)
        self.chain = chains[-1] if chains else self.chain
        self._kept = with_row(self._kept, run)
        self.kept_bytes += sum(map(len, payloads))
        return run

    def expect(self, epochs: Iterable[Epoch]) -> None:
        """Register epochs that begin at later numbers. An epoch begins with its first operation: without any
        it leaves no trace, so that equal histories have equal positions."""
        known = {epoch.identity for epoch in self._coming}
        new = [each for each in epochs if each.parent.number >= self.number and each.identity not in known]
        self._coming = tuple(sorted([*self._coming, *new], key=lambda epoch: epoch.parent.number))

    def expect_nothing(self) -> None:
        """Forget epochs that did not begin."""
        self._coming = ()

    def forget(self, number: int) -> None:
        """Forget whole runs up to `number`, which is stable and known to all.

        Operations that are not stable stay, because a member may come with another history of the same
        epoch.
        """
        gone = bisect_right(self._kept, number, key=_last)
        for run in self._kept[:gone]:
            self.kept_bytes -= sum(map(len, run.payloads))
            self._bottom = (run.last, run.chains[-1])
        self._kept = without_first(self._kept, gone)

    def confirm(self, number: int) -> None:
        """Mark everything up to `number` as stable."""
        chain = self.chain_at(number)
        if chain is not None and number > self.stable.number:
            self.stable = Position(self.epoch_at(number), number, chain)

    def chain_at(self, number: int) -> bytes | None:
        """Return the chain hash after operation `number`, while it is in memory."""
        if number == 0:
            return BEGINNING.chain
        if number == self.number:
            return self.chain
        if number == self._bottom[0]:
            return self._bottom[1]
        place = bisect_left(self._kept, number, key=_last)
        if place == len(self._kept) or self._kept[place].number > number:
            return None
        return self._kept[place].chains[number - self._kept[place].number]

    def epoch_at(self, number: int) -> bytes:
        """Return the epoch in which an operation was numbered."""
        beginning = [each for each in self._coming if each.parent.number == self.number]
        for epoch in reversed((*self.epochs, *beginning)):
            if epoch.after < number:
                return epoch.identity
        return BEGINNING.epoch

    def holds(self, position: Position, older: Older, compared: Comparison = ALIKE) -> bool:
        """True if a position of another history is part of this one.

        Without a hash to compare, the epochs decide, provided that everything up to there is stable here:
        what is stable in an epoch stays in every continuation, unless members were declared gone (`compared`)
        who confirmed something else there. A position that was not stable may then count
        as part of this history by mistake; that is harmless, as its author submits it again if it is missing.
        Positions that are neither stable nor known count as missing.
        """
        if position.number > self.number:
            return False
        chain = self.known_chain(position.number, older)
        if chain is not None:
            return chain == position.chain
        known = position.number <= self.stable.number
        known = known and position.epoch == self.epoch_at(position.number)
        return known and not compared.may_differ(position.number, self.epochs)

    def known_chain(self, number: int, older: Older) -> bytes | None:
        """Return the chain hash after an operation, wherever it is still known. If another history has the
        same one, everything before is the same, too."""
        if number > self.number:
            return None
        chain = self.chain_at(number)
        if chain is None:
            chain = older(number)
        if chain is None:
            noted = (self.stable, *(each.parent for each in self.epochs))
            chain = next((each.chain for each in noted if each.number == number), None)
        return chain

    def since(self, number: int) -> Iterator[Run]:
        """Return the operations in memory from `number` on."""
        for run in self._kept:
            if run.last >= number:
                yield run.after(max(0, number - run.number))


def _last(run: Run) -> int:
    return run.last
