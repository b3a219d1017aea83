"""The base of adapters: a client above, a channel below, and queues for what comes while one of them is
missing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.runtime.objects.proxy_builder import LocalEndpoint
from liven.runtime.objects.reply import Reply

WAITING_MOST: Final = 10_000


class UnfitError(Exception):
    """A message that cannot be passed on: it was made by other rules, or its sender has no right to
    send it."""


class Adapter:
    """Passes on messages, converted by `lower` and `lift`, and checkpoints, by `lower_state` and
    `lift_state`.

    A subclass is a proxy with the endpoints `above_name` and `below_name`. A value that cannot
    be converted is dropped and reported as a problem; all replicas drop the same values.
    """

    above_name = "Channel"
    below_name = "below"
    context: Context

    def begin(self, context: Context) -> None:
        """Initialize the adapter, for the subclass's constructor."""
        self.context = context
        self._up: deque[tuple[str, Any]] = deque()
        self._down: deque[Any] = deque()
        self._served = False
        self._complaints = 0

    # Conversions, for subclasses

    def lower(self, message: Any) -> Any:
        """Convert a message of the client to the channel's form."""
        return message

    def lift(self, message: Any) -> Any:
        """Convert a message of the channel to the client's form."""
        return message

    def lower_state(self, state: Any) -> Any:
        """Convert a checkpoint of the client to the channel's form."""
        return state

    def lift_state(self, state: Any) -> Any:
        """Convert a checkpoint of the channel to the client's form."""
        return state

    def lowering(self) -> Callable[[Any], Any]:
        """Return a function that converts the state being requested now. An adapter with a state of its own
        binds that here, because it may have changed when the client answers."""
        return self.lower_state

    # Events at the endpoints

    def send(self, message: Any) -> None:
        """Pass on a message of the client."""
        try:
            lowered = self.lower(message)
        except UnfitError as error:
            self.complain(f"a message cannot be sent: {error}")
            return
        if self.context.connected(self.below_name):
            self._peer(self.below_name).send(lowered)
        else:
            self.keep(lowered)

    def keep(self, message: Any) -> None:
        """Queue a message for the channel."""
        if len(self._down) < WAITING_MOST:
            self._down.append(message)
        else:
            self.complain(f"{WAITING_MOST} messages wait for the channel already; one was dropped")

    def receive(self, message: Any) -> None:
        """Pass on a message of the channel."""
        try:
            self._tell("receive", self.lift(message))
        except UnfitError as error:
            self.complain(f"a message was dropped: {error}")

    def initialize(self, checkpoint: Any) -> None:
        """Initialize the client. If the state cannot be converted, the object ends."""
        self._tell("initialize", None if checkpoint is None else self.lift_state(checkpoint))

    def checkpoint(self) -> Any:
        """Return the client's checkpoint to the channel."""
        if not self.context.connected(self.above_name) or self._up:
            raise CallFailedError("no connected client has the state")
        reply = cast(Reply[Any], self._peer(self.above_name).checkpoint())
        return reply.map(self.lowering())

    def connected_above(self) -> None:
        """Deliver queued messages to the client."""
        if self._served:
            raise CallFailedError("its first client left with the state; open the channel again")
        self._served = True
        waiting, self._up = self._up, deque()
        for event, value in waiting:
            getattr(self._peer(self.above_name), event)(value)

    def connected_below(self) -> None:
        """Send queued messages to the channel."""
        waiting, self._down = self._down, deque()
        for message in waiting:
            self._peer(self.below_name).send(message)

    def complain(self, what: str) -> None:
        """Report a problem: the first few, then every hundredth."""
        self._complaints += 1
        if self._complaints <= 3 or self._complaints % 100 == 0:
            self.context.report(
                f"{what} (fault {self._complaints})", "check who sent it; the channel continues"
            )

    def _tell(self, event: str, value: Any) -> None:
        if self.context.connected(self.above_name):
            getattr(self._peer(self.above_name), event)(value)
        elif self._served or len(self._up) >= WAITING_MOST:
            raise CallFailedError("no client receives the channel's messages; connect one")
        else:
            self._up.append((event, value))

    def _peer(self, endpoint: str) -> Any:
        return cast(LocalEndpoint, getattr(self, endpoint)).peer
