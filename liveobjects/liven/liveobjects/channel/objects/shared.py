"""The shared channel: checkpointed, over a group, stored on disk. Most shared objects use it.

All objects of one process that have it open are one replica (`session/session.py`). A client is initialized
once and then receives. It is initialized again only when another history wins, for example after a network
cut. Large batches are delivered over several turns of the event loop (`session/delivery_queue.py`).
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic

from liven.liveobjects.channel.api.endpoints import (
    BEGINS_FIRST,
    TOTAL,
    ChannelService,
    CheckpointClass,
    CheckpointedClient,
    MessageClass,
)
from liven.liveobjects.channel.api.names import Companion
from liven.liveobjects.channel.branches.problems import BranchProblems
from liven.liveobjects.channel.line.type_handshake import WrongClassesError
from liven.liveobjects.channel.members.confirmation import Confirmation
from liven.liveobjects.channel.objects.local import checkpoint_class, value_classes_of
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.titles import report_title
from liven.liveobjects.channel.replica import Replayed
from liven.liveobjects.channel.replica.control_operations import for_objects
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState
from liven.liveobjects.channel.session.delivery_queue import AT_ONCE, PIECE, DeliveryQueue, Question
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.session.state_digest import StateDigest
from liven.liveobjects.channel.session.state_requests import GONE, Got
from liven.liveobjects.channel.session.typed_line import class_in
from liven.liveobjects.channel.session.typed_messages import TypedMessages
from liven.runtime.capability.capability import Capability, joins_channel
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.runtime.objects.reply import Reply
from liven.types.codec import CodecError
from liven.types.declare import Dual, provides, proxy


@proxy(id="8D2A6C0F4B5E4C1F9E0B7A31D6C95E24", alias="liven:shared-channel")
class SharedChannel(Generic[MessageClass, CheckpointClass]):
    """The checkpointed channel over the group called `name`. A `seed` is its initial state while it has no
    history: an encoded checkpoint, as base64. It is a constant of the recipe, so everyone who opens one
    recipe begins with the same state."""

    Channel: Annotated[
        Dual[ChannelService[MessageClass], CheckpointedClient[MessageClass, CheckpointClass]],
        provides("guarantee", TOTAL),
        provides("trace", BEGINS_FIRST),
    ]

    def __init__(self, context: Context, name: str, seed: str = "") -> None:
        self.context = context
        self.name = name
        self.ready = self.begins = False
        """True if the client has a state and can return it; and true if it is about to get one."""
        companion = Companion(name, self._full, self._recorders, self._watch_recorders)
        context.show_beside("Channel", companion)
        kind = context.external("Channel").type
        self._system = context.service(ChannelSystem)
        self._value_classes = self._system.value_classes(value_classes_of(kind))
        self._messages = TypedMessages(
            context, name, self._system.codec(class_in(kind, "send", "message")), self._system
        )
        self._states = self._system.codec(checkpoint_class(kind))
        self._seed = seed
        self._beginning(None)
        self._session: ChannelSession | None = None
        self._backlog: DeliveryQueue | None = None
        """Operations not delivered yet; None if there are none."""

    @staticmethod
    def capabilities(name: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return joins_channel(name)

    def Channel_connected(self) -> None:
        """Join the channel."""
        self._system.entered(self.name, self._value_classes)
        report_title(self.context, self.name)
        session = self._session = self._system.shared(ChannelSession, self.name, self._made)
        session.clients += (self,)
        if session.begun:
            session.asking.give(self)

    def Channel_disconnected(self) -> None:
        """Leave the channel. The process leaves the group with its last object."""
        session, self._session = self._session, None
        self.ready = self.begins = False
        if session is None:
            return
        self._messages.flush(session.submit)
        session.clients = tuple(one for one in session.clients if one is not self)
        session.asking.gone(self)
        self._drop()
        self._system.left(self.name)
        if not session.in_use:
            self._system.drop_session(self.name)
            session.leave()

    def on_end(self) -> None:
        """Leave the channel."""
        self.Channel_disconnected()

    # Calls of the session, run as handlers of this object

    def begin(self, state: bytes | None) -> None:
        """Initialize the client with a state, and drop undelivered operations."""
        self.begins = True
        self._handle(self._begin_with, state, ())

    def begin_again(self, parcel: Parcel) -> None:
        """Initialize the client with the content of the log, and drop undelivered operations."""
        self.begins = True
        self._handle(self._begin_with, parcel.state, for_objects(parcel.after))

    def deliver(self, payloads: list[bytes], *, many: bool = False) -> None:
        """Deliver operations. `many` marks a large batch, such as one after a state."""
        self._handle(self._deliver, payloads, many)

    def ask(self, got: Got) -> None:
        """Ask the client for its state."""
        self._handle(self._in_place, Question(lambda: self._ask(got), lambda: got(None, GONE)))

    def give(self, state: EncodedState | None, why: str) -> None:
        """Give the client the state of another object here."""
        self._handle(self._give, state, why)

    def report_digest(self, got: Callable[[bytes], object]) -> None:
        """Ask the client for its digest, after everything delivered so far."""
        report_digest = Question(lambda: self._report_digest(got), lambda: got(b""))
        self._handle(self._handle, self._in_place, report_digest)

    def compare_with_log(self, parcel: Parcel, got: Callable[[Replayed], object]) -> None:
        """Compare the client's state with a replay of the log, after everything delivered so far."""
        compare_with_log = Question(
            lambda: self._state_digest.compare_with_log(parcel, got), lambda: got(Replayed.UNKNOWN)
        )
        self._handle(self._handle, self._in_place, compare_with_log)

    def _handle(self, action: Callable[..., object], *args: object) -> None:
        self.context.perform(action, *args)

    def refuse(self, error: WrongClassesError) -> None:
        """Handle that the group has other value classes."""
        self._handle(self._refuse, error)

    def send(self, message: MessageClass) -> None:
        """Add a message to the order."""
        if self._session is not None:
            self._messages.send(message, self._session.submit)

    @property
    def recovered(self) -> BranchProblems | None:
        """The branches of this channel that wait for a decision; None while nobody is connected."""
        return None if self._session is None else self._session.recovered

    @property
    def confirmation(self) -> Confirmation:
        """Return what the state here waits for before it is confirmed."""
        return Confirmation() if self._session is None else self._session.confirmation

    def _full(self) -> str:
        return "" if self._session is None else self._session.full or self._messages.full

    def _recorders(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(notice.name for notice in self._system.recordings.of(self.name)))

    def _watch_recorders(self, changed: Callable[[], object]) -> Callable[[], object]:
        name = self.name
        return self._system.recordings.listen(lambda which: changed() if which == name else None)

    def _made(self) -> ChannelSession:
        return ChannelSession(self._system, self.name, self._value_classes, self._refusal)

    @property
    def _state_digest(self) -> StateDigest:
        return StateDigest(self.context, self.name, self._messages.codec, self._beginning)

    def _beginning(self, state: bytes | None) -> Any:
        """Return the initial state; the seed for None. Raises CallFailedError for an invalid seed."""
        if state is not None:
            return self._read(state)
        if not self._seed:
            return None
        try:
            return self._states.decode(b64decode(self._seed, validate=True), "seed")
        except (ValueError, CodecError) as error:
            raise CallFailedError(f"the seed of {self.name} is not a valid state: {error}") from None

    def _read(self, state: bytes) -> Any:
        return self._states.decode_compact(state, "checkpoint")

    def _refusal(self, state: bytes) -> str | None:
        try:
            self._read(state)
        except CodecError as error:
            return str(error)
        return None

    def _begin_with(self, state: bytes | None, after: Sequence[bytes]) -> None:
        self._drop()
        self.begins, self._backlog = False, DeliveryQueue(after) if after else None
        self._begin(state)

    def _begin(self, state: bytes | None) -> None:
        if not self.context.connected("Channel"):
            return
        self.context.send_once("Channel", "initialize", self._beginning(state))
        self.ready = True
        self._deliver_all()
        if self._session is not None:
            self._session.asking.serve_waiting()

    def _deliver(self, payloads: Sequence[bytes], many: bool) -> None:
        backlog = self._backlog
        if self.ready and backlog is None and not many:
            if self.context.connected("Channel"):
                self._messages.receive(payloads, self.Channel.peer.receive)
            return
        if backlog is None:
            backlog = self._backlog = DeliveryQueue()
        backlog.put(payloads)
        if many:
            self._go_on_soon(backlog)
        else:
            self._deliver_part(len(payloads))  # at the rate of arrival, so that the queue cannot grow

    def _deliver_part(self, most: int) -> None:
        """Deliver the next operations, up to a question; the rest in later turns."""
        backlog = self._backlog
        if backlog is None or not self.ready or not self.context.connected("Channel"):
            return
        self._messages.receive(backlog.take(most), self.Channel.peer.receive)
        if backlog.asks:
            self._handle(self._ask_next)
        self._go_on_soon(backlog)

    def _deliver_all(self) -> None:
        """Deliver everything in the queue, or its first part if it is long."""
        if self._backlog is not None:
            self._deliver_part(AT_ONCE if len(self._backlog) <= AT_ONCE else PIECE)

    def _go_on_soon(self, backlog: DeliveryQueue) -> None:
        if not backlog:
            self._backlog = None
        elif not backlog.called:
            backlog.called = True
            self._system.dispatcher.call_soon(lambda: self._handle(self._next_turn, backlog))

    def _next_turn(self, backlog: DeliveryQueue) -> None:
        backlog.called = False
        if backlog is self._backlog:
            self._deliver_part(PIECE)

    def _ask_next(self) -> None:
        """Ask the next question, once everything before it was delivered."""
        question = None if self._backlog is None or not self.ready else self._backlog.take_question()
        if question is not None:
            question.ask()

    def _in_place(self, question: Question) -> None:
        """Ask something after everything in the queue; at once if it is empty."""
        if self._backlog is None:
            question.ask()
        else:
            self._backlog.ask(question)

    def _drop(self) -> None:
        """Empty the queue, and tell those who asked questions that there is no answer."""
        backlog, self._backlog = self._backlog, None
        if backlog is not None:
            backlog.drop_all()

    def _ask(self, got: Got) -> None:
        """Ask the client for its state after everything received. A worker encodes it."""

        def wrapped(reply: Reply[EncodedState]) -> None:
            got(None if reply.error else reply.value(), str(reply.error or ""))

        def answered(reply: Reply[Any]) -> None:
            if reply.error is not None:
                got(None, str(reply.error))
            else:
                self.context.work(self._encoded_state, reply.value()).then(wrapped)

        said = self._state_digest.snapshot()
        if said is not None:
            self.context.work(lambda: self._encoded_state(said())).then(wrapped)
        else:
            reply: Any = self.Channel.peer.checkpoint()
            reply.then(answered)

    def _encoded_state(self, state: Any) -> EncodedState:
        return EncodedState.of(Parcel(self._states.encode_compact(state)))

    def _report_digest(self, got: Callable[[bytes], object]) -> None:
        """Pass on the client's digest after everything received; empty if it has none."""
        got(self._state_digest.digest())

    def _give(self, state: EncodedState | None, why: str) -> None:
        if self.ready:
            return
        if state is None:
            self.context.report(f"{self.name}: another object here did not return its state: {why}")
        else:
            if self._backlog is not None:
                self._backlog.drop_marked()
            self._begin(state.parcel.state)

    def take_state_of(self, right: SharedChannel[Any, Any]) -> None:
        """Take the state of another object here, and everything after it."""
        self._handle(self._wait_for_state)

        def said(state: EncodedState | None, why: str) -> None:
            self.give(state, why)
            if state is None:
                self._handle(self._go_on)

        if self._session is not None:
            self._session.asking.ask(right, said)

    def wait_for_state(self) -> None:
        """Mark that the state being requested from another object includes everything up to now."""
        self._handle(self._wait_for_state)

    def _wait_for_state(self) -> None:
        self.ready = False
        if self._backlog is not None:
            self._backlog.mark()

    def _go_on(self) -> None:
        """Keep the present state until the next comparison, because the other object did not return
        its own."""
        if self._session is not None and not self.ready:
            self.ready = True
            if self._backlog is not None:
                self._backlog.unmark()
            self._deliver_all()

    def _refuse(self, error: WrongClassesError) -> None:
        raise error
