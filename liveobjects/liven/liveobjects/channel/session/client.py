"""An object that uses a channel, as the session of the channel sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from liven.liveobjects.channel.line.type_handshake import WrongClassesError
from liven.liveobjects.channel.replica import Replayed
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState
from liven.liveobjects.channel.session.state_requests import Got


class Client(Protocol):
    """One of the objects, as the session sees it."""

    ready: bool
    """True if it has a state and can return it."""
    begins: bool
    """True if it was told to begin and has not done so yet."""

    def begin(self, state: bytes | None) -> None:
        """Begin with a state, and drop undelivered operations."""

    def begin_again(self, parcel: Parcel) -> None:
        """Begin with the content of the log, and drop undelivered operations."""

    def deliver(self, payloads: list[bytes], *, many: bool = False) -> None:
        """Deliver operations. `many` marks a large batch."""

    def ask(self, got: Got) -> None:
        """Pass on the state after everything delivered so far."""

    def give(self, state: EncodedState | None, why: str) -> None:
        """Take the state of another object here."""

    def report_digest(self, got: Callable[[bytes], object]) -> None:
        """Pass on the digest of the state after everything delivered so far."""

    def compare_with_log(self, parcel: Parcel, got: Callable[[Replayed], object]) -> None:
        """Compare the state with a replay of the log, after everything delivered so far."""

    def take_state_of(self, right: Any, /) -> None:
        """Take the state of another object here, and everything after it."""

    def wait_for_state(self) -> None:
        """Mark that the state being requested from another object includes everything up to now."""

    def refuse(self, error: WrongClassesError) -> None:
        """Handle that the group has other value classes."""
