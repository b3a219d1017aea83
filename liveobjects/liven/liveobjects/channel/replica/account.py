"""Where a replica's state stands: after which operation, in which epochs, with how much of whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from liven.liveobjects.channel.history import BEGINNING, Epoch, Position
from liven.liveobjects.channel.ordering import Run


@dataclass(slots=True)
class Account:
    """The books of one state; each operation that is applied is entered."""

    position: Position = BEGINNING
    stable: Position = BEGINNING
    epochs: tuple[Epoch, ...] = ()
    marks: dict[bytes, int] = field(default_factory=dict)
    """For each author its last operation in the state."""

    def copy(self) -> Account:
        """The books as they are now."""
        return Account(self.position, self.stable, self.epochs, dict(self.marks))

    def add(self, run: Run, epoch: Epoch | None) -> None:
        """Operations were applied; `epoch` is the one that numbered them, unless it is a main of old."""
        if epoch is not None and epoch not in self.epochs:
            self.epochs = (*self.epochs, epoch)
        identity = BEGINNING.epoch if epoch is None else epoch.identity
        self.position = Position(identity, run.last, run.chains[-1])
        self.marks[run.author] = run.first + len(run.payloads) - 1
