"""The digest of a client's state: as it is now, as a snapshot, and against a replay of the log.

Only a client that offers a `Proof` has one.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from liven.liveobjects.channel.replica import Replayed
from liven.liveobjects.channel.replica.control_operations import for_objects
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.wire import STATE_DIGEST_MOST
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.runtime.objects.event_queue import Handler
from liven.runtime.objects.reply import Reply
from liven.types.codec import Codec, CodecError


class StateDigest:
    """One client, connected to the endpoint `Channel`."""

    __slots__ = ("_beginning", "_codec", "_context", "_name")

    def __init__(
        self, context: Context, name: str, codec: Codec, beginning: Callable[[bytes | None], Any]
    ) -> None:
        self._context = context
        self._name = name
        self._codec = codec
        self._beginning = beginning
        """The value of a stored state."""

    @property
    def _proof(self) -> Proof | None:
        shown = self._context.shown("Channel")
        return shown if isinstance(shown, Proof) else None

    def snapshot(self) -> Handler | None:
        """Return a function that returns the present state in a worker; None if the client itself must be
        asked."""
        proof = self._proof
        if proof is None or proof.snapshot is None:
            return None
        return self._context.standing_in("Channel", "checkpoint", proof.snapshot())

    def digest(self) -> bytes:
        """Return the digest of the client's state; empty if it has none."""
        proof = self._proof
        try:
            return b"" if proof is None else proof.digest()[:STATE_DIGEST_MOST]
        except Exception as error:  # the object's own code may fail in any way
            self._context.report(f"{self._name}: the object's digest failed: {error!r}")
            return b""

    def compare_with_log(self, parcel: Parcel, got: Callable[[Replayed], object]) -> None:
        """Compare the client's state with a replay of a checkpoint and the operations after it."""
        proof, there = self._proof, self.digest()
        if proof is None or proof.fold is None or not there:
            got(Replayed.UNKNOWN)
            return
        fold = proof.fold()

        def compared(reply: Reply[bytes]) -> None:
            if reply.error is not None:
                self._context.report(f"{self._name}: the log could not be replayed: {reply.error}")
                got(Replayed.UNKNOWN)
            else:
                got(Replayed.TRUE if reply.value() == there else Replayed.WRONG)

        self._context.work(self._replay, parcel, fold).then(compared)

    def _replay(self, parcel: Parcel, fold: Any) -> bytes:
        """Return the digest of a replay, by an object that stands in for the client."""
        initialize, receive = (
            self._context.standing_in("Channel", event, fold) for event in ("initialize", "receive")
        )
        initialize(self._beginning(parcel.state))
        for payload in for_objects(parcel.after):
            with suppress(CodecError):  # it was also dropped when it was received
                receive(self._codec.decode_compact(payload, "message"))
        digest: bytes = fold.digest()[:STATE_DIGEST_MOST]
        return digest
