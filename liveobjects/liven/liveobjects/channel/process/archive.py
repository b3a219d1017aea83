"""The recipient of a channel's confirmed order in this process, such as a recorder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from liven.liveobjects.channel.ordering import Seat
from liven.liveobjects.channel.ordering.confirmed_order import Passed
from liven.liveobjects.channel.process.recordings import Notice


class Archive(Protocol):
    """The recipient of a channel's confirmed order."""

    def resume(self) -> tuple[int, bytes]:
        """Return the number of the last operation that it has, and the chain hash there if it knows it."""

    def began(self, state: bytes | None, after: Sequence[bytes]) -> None:
        """Take a state of the channel and the operations after it, whether they are new or not."""

    def passed(self, rows: Sequence[Passed]) -> None:
        """Take what is confirmed, in order."""

    @property
    def title(self) -> str:
        """The title of the recording, as others read it."""

    def heard(self, notice: Notice) -> None:
        """Take what a member says about being recorded."""

    def seated(self, seats: Sequence[Seat]) -> None:
        """Take the members of a view: the authors of what follows."""
