"""The sessions that one member knows: the last stable one and the attempts since."""

from __future__ import annotations

from liven.liveobjects.channel.history import Session, founding
from liven.liveobjects.channel.ordering.decision import NOBODY
from liven.liveobjects.channel.ordering.open_view import OpenView


class QuorumSessions:
    """The sessions of one channel, as one member knows them."""

    __slots__ = ("attempts", "stable")

    def __init__(self, stable: Session = NOBODY, attempts: tuple[Session, ...] = ()) -> None:
        self.stable = stable
        self.attempts = attempts

    @property
    def serial(self) -> int:
        """The serial of the latest one."""
        if not self.attempts:
            return self.stable.serial
        return max(each.serial for each in self.attempts)

    @property
    def founding(self) -> bytes:
        """The founding epoch of the channel."""
        return founding(self.stable, self.attempts)

    def counts(self, author: bytes) -> bool:
        """True if other members may count on an author."""
        return author in self.stable.members or bool(self.attempts)

    def recorded(self, open_view: OpenView) -> tuple[Session, tuple[Session, ...]]:
        """Return the updated sessions after members reported what is on their disks: the latest attempt that
        all its members recorded is stable."""
        recorded = [each for each in self.attempts if open_view.recorded(each)]
        if not recorded:
            return self.stable, self.attempts
        stable = recorded[-1]
        return stable, tuple(each for each in self.attempts if each.serial > stable.serial)

    def proposal(self, open_view: OpenView) -> Session | None:
        """Return the session to propose, if the members differ from those of the last one."""
        serial = self.stable.serial + 1
        if self.attempts or open_view.orderer is None or open_view.proposed >= serial:
            return None
        wanted = open_view.wanted()
        return None if wanted == self.stable.members else Session(serial, wanted, self.stable.founding)
