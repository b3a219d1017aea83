"""The base of shared objects: a replicated state on one channel, with an editor and undo.

A subclass declares its endpoints, among them `channel`, and passes its model and its wire format to the
constructor. It adds the commands of its view. An object with a state of another kind, such as a note, derives
from `ChannelObject` alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from liven.liveobjects.channel.api.backpressure import check_room
from liven.runtime.fold import (
    Editor,
    Gesture,
    Model,
    ReplayedState,
    UndoList,
    decode_steps,
    encode_steps,
    proof_of,
)
from liven.runtime.objects.context import Context

S = TypeVar("S")
C = TypeVar("C")
M = TypeVar("M")
K = TypeVar("K")


class ChannelObject:
    """An object on one channel, whose endpoint is called `channel`."""

    if TYPE_CHECKING:
        channel: Any

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ready = False
        """True from the channel's `initialize` until it is disconnected."""

    def channel_disconnected(self) -> None:
        self.ready = False

    def _send(self, message: object) -> None:
        """Send a message. Raise RefusedError if the channel is full or not connected."""
        check_room(self.context, "channel")
        self.channel.peer.send(message)


@dataclass(frozen=True, slots=True)
class Wire(Generic[S, C, M, K]):
    """The wire format of a shared object: gestures become messages, and states become checkpoints."""

    operation: Callable[[Gesture[C]], M]
    gesture: Callable[[M], Gesture[C]]
    pack: Callable[[S], K]
    unpack: Callable[[K], S]
    records: tuple[type, ...]
    """The types of changes, and of the records inside them, that an undo file may contain."""


class SharedObject(ChannelObject, Generic[S, C, M, K]):
    """An object whose state is a fold over the gestures on its channel."""

    def __init__(self, context: Context, model: Callable[[], Model[S, C]], wire: Wire[S, C, M, K]) -> None:
        super().__init__(context)
        self.editor: Editor[S, C] = Editor(model(), context.person, self._send_gesture)
        self._model = model
        self._wire = wire

    def channel_connected(self) -> None:
        self.context.show_beside("channel", proof_of(self.editor, self._replayed, self._wire.pack))

    def initialize(self, checkpoint: K | None) -> None:
        self.ready = True
        self.editor.start(None if checkpoint is None else self._wire.unpack(checkpoint))

    def receive(self, message: M) -> None:
        self.editor.receive(self._wire.gesture(message))

    def checkpoint(self) -> K:
        return self._wire.pack(self.editor.confirmed)

    def shown_checkpoint(self) -> K:
        """Return the state that is shown, with your own changes that are not confirmed yet."""
        return self._wire.pack(self.editor.state)

    def undo_data(self) -> bytes:
        return encode_steps(self.editor.undo_list.steps)

    def restore_undo(self, kept: bytes) -> None:
        self.editor.undo_list = UndoList(*decode_steps(kept, self._wire.records))

    def on_undo_change(self, call: Callable[[], object]) -> None:
        self.editor.undo_changed = call

    def _replayed(self) -> ReplayedState[S, C]:
        """Return an empty state for a worker, which must not share the model of the loop."""
        return ReplayedState(self._model(), self._wire.unpack, self._wire.gesture)

    def _send_gesture(self, made: Gesture[C]) -> None:
        self._send(self._wire.operation(made))


def gesture_of(message: Any) -> Gesture[Any]:
    """Return the gesture of a message that has the fields of one."""
    return Gesture(message.origin, message.number, message.author, message.name, tuple(message.changes))


def operation_of(kind: Callable[..., M], made: Gesture[Any]) -> M:
    """Return a gesture as a message of a kind that has its fields."""
    return kind(made.origin, made.number, made.author, made.name, list(made.changes))
