"""What one member knows of who may go on alone: the last session that is stable, and those tried since."""

from __future__ import annotations

from liven.liveobjects.channel.history import Session, founding
from liven.liveobjects.channel.ordering.decision import NOBODY
from liven.liveobjects.channel.ordering.open_view import Regime


class Sessions:
    """The sessions of one channel, as one member knows them."""

    __slots__ = ("attempts", "stable")

    def __init__(self, stable: Session = NOBODY, attempts: tuple[Session, ...] = ()) -> None:
        self.stable = stable
        self.attempts = attempts

    @property
    def serial(self) -> int:
        """The last of them."""
        if not self.attempts:
            return self.stable.serial
        return max(each.serial for each in self.attempts)

    @property
    def founding(self) -> bytes:
        """The beginning of the channel whose they are."""
        return founding(self.stable, self.attempts)

    def counts(self, author: bytes) -> bool:
        """Whether others might count on an author."""
        return author in self.stable.members or bool(self.attempts)

    def recorded(self, regime: Regime) -> tuple[Session, tuple[Session, ...]]:
        """What they are, now that members told what is on their disks: the last that all its members have is
        stable."""
        recorded = [each for each in self.attempts if regime.recorded(each)]
        if not recorded:
            return self.stable, self.attempts
        stable = recorded[-1]
        return stable, tuple(each for each in self.attempts if each.serial > stable.serial)

    def proposal(self, regime: Regime) -> Session | None:
        """The session to begin, if the members are not those of the last one."""
        serial = self.stable.serial + 1
        if self.attempts or regime.orderer is None or regime.proposed >= serial:
            return None
        wanted = regime.wanted()
        return None if wanted == self.stable.members else Session(serial, wanted, self.stable.founding)
