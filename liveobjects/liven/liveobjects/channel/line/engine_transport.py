"""The transport over the multicast engine: a node of it, real or simulated.

The composition root creates the node. `Watch` lets a dispatcher watch an engine's descriptor and processes
its events in batches. For a simulated node, the simulation calls `pump`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, cast

from liven.liveobjects.channel.compact_rows import Rows, with_row, without_first
from liven.liveobjects.channel.line.transport import (
    LINE_BUDGET,
    MESSAGE_MOST,
    Batch,
    HasRoom,
    LineBusyError,
    LineClosedError,
    LineEvent,
    Receiver,
)
from liven.multicast.errors import MulticastError
from liven.multicast.group import (
    Delivery,
    Evicted,
    Expelled,
    Group,
    GroupEvent,
    GroupPolicy,
    Joined,
    Left,
    Missed,
    Node,
    Paused,
    Refused,
    Resumed,
    Sent,
    Uncertain,
    View,
    Withdrawn,
)
from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry
from liven.runtime.problems import Kind, Problem, Report

_TOO_LONG: Final = -8
_ENDED: Final = -32
_BEHIND: Final = -9
"""Error code for a line that lost its node or its place in the group. In both cases it rejoins."""
_FALLEN_ADVICE: Final = (
    "it joins them again by itself and nothing is lost; if it happens often, close what makes it slow"
)
LOOK_EVERY: Final = 1.0
"""Seconds between two checks of an engine that waits for others."""


class Resumable(Protocol):
    """A group that can deliver messages again after a demotion."""

    def resume(self) -> None: ...


class EngineLine:
    """A line over a group of the engine."""

    __slots__ = (
        "_batches",
        "_budget",
        "_events",
        "_expelled",
        "_group",
        "_joined",
        "_leaving",
        "_life",
        "_messages",
        "_next",
        "_out",
        "_paused",
        "_receiver",
        "_refused",
        "_transport",
        "_turned",
        "_waiting",
        "_waiting_bytes",
        "me",
        "name",
    )

    def __init__(self, transport: EngineTransport, name: str, group: Group, receiver: Receiver) -> None:
        self._transport = transport
        self._group: Group | None = group
        self._batches: tuple[Batch, ...] = ()
        self._messages: Rows[Delivery] = ()
        self._events: tuple[LineEvent, ...] = ()
        self._turned = False
        self._life = transport.life
        self._receiver = receiver
        self._budget = transport.budget
        self._waiting: Rows[tuple[int, bytes]] = ()
        self._waiting_bytes = 0
        self._out: dict[int, int] | None = None
        """Our tickets by the group's tickets, for messages in transit; None if there are none."""
        self._next = 0
        self._joined = self._leaving = self._paused = self._refused = self._expelled = False
        self.name = name
        self.me = 0
        group.listen(self._deliver, self._tell)

    @property
    def room(self) -> int:
        """Bytes that can be sent now before the line is busy."""
        return max(0, self._budget - self._waiting_bytes)

    def send(self, payload: bytes) -> int:
        """Send a payload, or queue it until the engine accepts it."""
        if self._leaving:
            raise LineClosedError(f"the line in group {self.name!r} was left; open it again")
        if len(payload) > MESSAGE_MOST:
            raise MulticastError(
                _TOO_LONG, f"a message has {len(payload) / 1e6:.1f} MB; the limit is 67.1 MB"
            )
        if self._waiting and self._waiting_bytes + len(payload) > self._budget:
            self._refused = True
            raise LineBusyError(f"{self._waiting_bytes} bytes wait on the line in group {self.name!r}")
        self._next += 1
        self._waiting = with_row(self._waiting, (self._next, payload))
        self._waiting_bytes += len(payload)
        self._flush()
        return self._next

    def rejoin(self) -> None:
        """Rejoin as a new member, after `Evicted`."""
        if self._group is not None or self._leaving:
            return
        again = self._transport.join if self._expelled and self._life == self._transport.life else None
        self._expelled = False
        group = again(self.name) if again else self._transport.join_again(self.name, self._life)
        self._group, self._life = group, self._transport.life
        group.listen(self._deliver, self._tell)

    def resume(self) -> None:
        """Resume delivery, after `Demoted`."""
        if self._group is not None:
            cast(Resumable, self._group).resume()

    def leave(self) -> None:
        """Leave the group; `Left` follows."""
        if self._leaving:
            return
        self._leaving = True
        self._waiting = ()
        self._waiting_bytes = 0
        if self._group is None:
            self._gone()
            self._receiver(Batch((), (Left(),)))  # the group is gone, and reports nothing more
        else:
            self._group.leave()

    def pump(self) -> None:
        """Pass what arrived to the receiver."""
        if self._waiting:
            self._flush()
        if self._refused and self.room >= self._budget // 2:
            self._refused = False
            self._events += (HasRoom(),)
        self._turn()
        batches, self._batches = self._batches, ()
        for batch in batches:
            self._receiver(batch)

    def _deliver(self, message: Delivery) -> None:
        """Accept a message from the node."""
        if self._turned:
            self._turn()  # this message comes after a change of the view
        elif not self._messages:
            self._transport.wake(self)
        self._messages = with_row(self._messages, message)

    def _tell(self, event: GroupEvent) -> None:
        """Accept an event from the node."""
        self._events += tuple(self._seen(event))
        self._turned = self._turned or isinstance(event, Joined | View | Evicted | Expelled | Left)
        self._transport.wake(self)

    def _turn(self) -> None:
        if self._messages or self._events:
            self._batches += (Batch(self._messages, self._events),)
            self._messages, self._events = (), ()
        self._turned = False

    def end(self, code: int) -> None:
        """Report that the engine has ended."""
        if self._group is not None:
            self._tell(Evicted(code))
            self._leaving = True
            self._group = None
            self.pump()

    def _flush(self) -> None:
        sent = 0
        for ticket, payload in self._waiting:
            if not self._joined or self._paused or self._group is None:
                break
            try:
                sent_as = self._group.send(payload)
            except MulticastError:
                # If the engine is busy, `Sent` will bring us here again. If not, the group is gone, which an
                # event will report.
                break
            if self._out is None:
                self._out = {}
            self._out[sent_as] = ticket
            sent += 1
            self._waiting_bytes -= len(payload)
        self._waiting = without_first(self._waiting, sent)

    def _seen(self, event: GroupEvent) -> list[LineEvent]:
        """Return the receiver's events for an event of the group."""
        match event:
            case Joined():
                self._joined = True
            case View(number=number, members=members) as view:
                self.me = self._transport.me_in(view)
                return [View(number, tuple(sorted(members, key=lambda each: each.node)))]
            case Paused():
                self._paused = True
            case Resumed():
                self._paused = False
            case Sent(ticket=ticket, number=number):
                return [Sent(self._ours(ticket), number)]
            case Uncertain(ticket=ticket):
                return [Uncertain(self._ours(ticket))]
            case Withdrawn(ticket=ticket):
                return [Withdrawn(self._ours(ticket))]
            case Refused(ticket=ticket, code=code, reason=reason):
                return [Refused(self._ours(ticket), code, reason)]
            case Missed():
                return []  # a returning member takes the others' state and everything after it
            case Evicted() | Expelled():
                return self._removed(event)
            case Left():
                self._gone()
        return [event]

    def _removed(self, event: Evicted | Expelled) -> list[LineEvent]:
        """Return the receiver's events after the node, or the group, lost its place."""
        if isinstance(event, Evicted):
            self._transport.was_evicted(self._life)
        else:
            self._transport.fell_behind(self.name)
        if self._leaving:  # no other end comes
            self._gone()
            return [Left()]
        told = self._given_up()
        if isinstance(event, Evicted):
            return [*told, event]
        self._group, self._expelled = None, True
        return [*told, Evicted(_BEHIND)]

    def _gone(self) -> None:
        self._group = None
        self._leaving = True
        self._transport.forget(self)

    def _ours(self, ticket: int) -> int:
        """Remove a ticket that is no longer in transit, and return ours."""
        if self._out is None:
            return 0
        ours = self._out.pop(ticket, 0)
        if not self._out:
            self._out = None
        return ours

    def _given_up(self) -> list[LineEvent]:
        """Return the events for the messages of an evicted member."""
        self._joined = self._paused = False
        self.me = 0
        if not self._transport.keeps_groups:
            self._group = None
        told: list[LineEvent] = [Uncertain(ticket) for ticket in (self._out or {}).values()]
        told += [Withdrawn(ticket) for ticket, _ in self._waiting]
        self._out = None
        self._waiting = ()
        self._waiting_bytes = 0
        return told


class EngineTransport:
    """A node of the engine, or of its simulation, as a transport.

    `me_in` finds this node in a view. `rejoin` starts the node's next incarnation after an eviction; a
    simulated node does so by itself and keeps its groups, so it passes none.
    """

    def __init__(
        self,
        node: Node,
        me_in: Callable[[View], int],
        rejoin: Callable[[], object] | None = None,
        *,
        budget: int = LINE_BUDGET,
        policy: GroupPolicy | None = None,
    ) -> None:
        self._node = node
        self._rejoin = rejoin
        self._policy = policy
        self._lines: dict[str, EngineLine] = {}
        self._awake: dict[EngineLine, None] = {}
        self._ended_life = -1
        """The incarnation that an eviction ended."""
        self._fallen: list[str] = []
        self.life = 0
        self.me_in = me_in
        self.budget = budget
        self.keeps_groups = rejoin is None

    def open(self, name: str, receiver: Receiver) -> EngineLine:
        """Join the group called `name`."""
        group = self.join_again(name, self._ended_life)
        line = self._lines[name] = EngineLine(self, name, group, receiver)
        return line

    def was_evicted(self, life: int) -> None:
        """Record that an eviction ended an incarnation."""
        self._ended_life = life

    def fell_behind(self, name: str) -> None:
        """Record that this program was removed from a group, because it took its messages too late."""
        self._fallen.append(name)

    def take_fallen(self) -> list[str]:
        """Return the groups from which this program was removed since the last call."""
        fallen, self._fallen = self._fallen, []
        return fallen

    def pump(self) -> None:
        """Pass what arrived on all lines to their receivers."""
        while self._awake:
            awake, self._awake = self._awake, {}
            for line in awake:
                line.pump()

    def wake(self, line: EngineLine) -> None:
        """Schedule a line for `pump`, on its own request."""
        self._awake[line] = None

    def end(self, code: int = _ENDED) -> None:
        """Tell every line that the node has ended."""
        for line in list(self._lines.values()):
            line.end(code)
        self._lines.clear()

    def join(self, name: str) -> Group:
        """Join a group again for a line that fell behind. The node has kept its place in other groups."""
        return self._node.join(name, self._policy)

    def join_again(self, name: str, life: int) -> Group:
        """Join a group again for a line that an eviction ended in the given incarnation of the node. The
        first line to ask starts the next one."""
        if life == self.life and self._rejoin is not None:
            self._rejoin()
            self.life += 1
        return self._node.join(name, self._policy)

    def forget(self, line: EngineLine) -> None:
        """Forget a line that was left."""
        if self._lines.get(line.name) is line:
            del self._lines[line.name]


class Descriptor(Protocol):
    """An engine as a dispatcher sees it."""

    def fileno(self) -> int: ...

    def poll(self) -> None: ...

    @property
    def waits(self) -> bool:
        """True if messages are in transit that some member lacks."""


class Watch:
    """Processes an engine's events whenever its descriptor is ready, until it is closed. While the engine
    waits for others, it also checks now and then, so that the network panel shows for whom."""

    def __init__(
        self, dispatcher: Dispatcher, engine: Descriptor, transport: EngineTransport, report: Report
    ) -> None:
        self._dispatcher = dispatcher
        self._engine = engine
        self._transport = transport
        self._report = report
        self._again: Entry | None = None
        self._entry = dispatcher.watch_fd(engine.fileno(), self._drain)

    def close(self) -> None:
        """Stop watching."""
        self._entry.cancel()
        if self._again is not None:
            self._again.cancel()

    def _drain(self) -> None:
        try:
            self._engine.poll()
        except MulticastError as error:
            self.close()
            advice = "unconfirmed changes are stored; start the program again"
            what = f"the multicast engine has ended: {error}"
            self._report(Problem(Kind.RAISED, ("multicast",), what, advice))
            self._transport.end(error.code)
            return
        self._transport.pump()
        fallen = self._transport.take_fallen()
        if fallen:
            self._report(Problem(Kind.PEER, ("multicast",), _fallen_text(len(fallen)), _FALLEN_ADVICE))
        if self._again is None or not self._again.active:
            self._again = self._dispatcher.call_later(LOOK_EVERY, self._look)

    def _look(self) -> None:
        self._again = None
        if self._engine.waits:
            self._drain()


def _fallen_text(channels: int) -> str:
    where = "1 channel" if channels == 1 else f"{channels} channels"
    return f"this program did not respond in time, and the others went on without it in {where}"


def find_member(identity: int) -> Callable[[View], int]:
    """Return a function that finds this node in a view, by the identity of its engine."""

    def me_in(view: View) -> int:
        return next((one.node for one in view.members if one.identity == identity), 0)

    return me_in
