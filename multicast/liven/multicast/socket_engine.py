"""The engine: a member of the cluster on real sockets, with a thread of its own in the core.

An `Engine` is a `Node` and its groups are `Group`s, as in the simulation. The thread of the engine calls no
Python: the owner watches `fileno()` and calls `poll()`, which passes deliveries and events to the groups and
calls payload functions. Any thread may send.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import os
import secrets
import select
import subprocess
import threading
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from liven.multicast import event_log
from liven.multicast.engine.sockets import (
    DELIVERY,
    FAILED,
    NOTICE,
    SERVICE,
    WANT,
    Buffer,
    Item,
    Socket,
    failure,
)
from liven.multicast.errors import ClosedError, MulticastError
from liven.multicast.event_log import EventLog
from liven.multicast.group import (
    Delivery,
    Demoted,
    GroupEvent,
    GroupPolicy,
    Left,
    Paused,
    Payload,
    Resumed,
    Withdrawn,
)
from liven.multicast.key_file import ClusterKeys, ensure_keys, fingerprint, read_keys
from liven.multicast.laggard import Lag, Laggard
from liven.multicast.message_batch import Batch, check_block
from liven.multicast.notice_decoder import (
    EVICTED,
    EXPELLED,
    LEFT,
    NOT_ASKED,
    REFUSED,
    STOPPED,
    UNREADABLE,
    VIEW_CHANGED,
    WHOLE_NODE,
    WITHDRAWN,
    event_of,
    members,
)
from liven.multicast.published_stats import StatsFile
from liven.multicast.service_process import (
    IDLE_SECONDS,
    SUSPICION_SECONDS,
    RemoteListener,
    ServicePaths,
    ensure_service,
    fault_at_ports,
)
from liven.multicast.socket_group import SocketGroup

_STOP_WITHIN = 2.0
_STOP_WITHIN_AFTER_ERROR = 0.5
_TRY_AGAIN_AFTER = 1.0
_BATCHES_A_POLL = 16
_NO_GROUP, _IN_USE, _TOO_LONG = -6, -7, -8
_CLOSED = -errno.EPIPE
_ENDED = "the engine has ended"
MESSAGE_MOST = 64 * 1024 * 1024


def group_identity(name: str) -> int:
    """Return the 128-bit id of the group called `name`."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=16, person=b"liven-group").digest())


def _check_length(payload: bytes) -> None:
    if len(payload) > MESSAGE_MOST:
        raise MulticastError(_TOO_LONG, f"a message may have at most 64 MiB, not {len(payload)} bytes")


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """The configuration of an engine. The default stays on loopback and needs nothing else."""

    place: ServicePaths
    interface: str = "127.0.0.1"
    cluster: int = 1
    start_service: bool = True
    """Start a membership service if none is found."""
    service_idle: float = IDLE_SECONDS
    """The seconds after which such a service ends when nobody is connected."""
    keys: Path | None = None
    """The file with the keys of the cluster; None turns encryption off, which works only on loopback: other
    users of the machine can then read everything."""
    service: str = ""
    """`ADDRESS:PORT` of a membership service on another machine; empty for one on this machine."""
    listen_at: str = ""
    """`ADDRESS:PORT` where a service started here listens for other machines; empty for none."""
    suspicion: float = SUSPICION_SECONDS
    """The seconds of silence after which a service started here removes a member."""
    hybrid_regions: int = 0
    """The count of regions with which a group gets an address of its own from a service started here, so that
    one datagram reaches them all; 0 for never."""
    log: Path | None = None
    """The log of a service started here; `shared_log.write_log` starts the log of this process."""
    publish: bool = True
    """Publish the statistics of the engine beside the socket of the service, for `liven top`."""
    settings: dict[str, int] = field(default_factory=dict)
    """Settings of the core by name."""


class Engine:
    """A member of the cluster on real sockets."""

    def __init__(self, config: EngineConfig) -> None:
        self._config = config
        keys = _keys_of(config)
        self._key_shown = fingerprint(keys) if keys.keys else ""
        if self._may_start_service():
            self._ensure_service()
        self._incarnation = time.time_ns()
        settings = {
            "cluster": config.cluster,
            "id_high": secrets.randbits(64),
            "id_low": secrets.randbits(64) | 1,
            "incarnation": self._incarnation,
            "seed": secrets.randbits(64),
            **config.settings,
        }
        service = config.service or str(config.place.socket)
        self._socket = Socket(settings, config.interface, service, keys.keys)
        self._groups: dict[int, SocketGroup] = {}
        self._names: dict[str, int] = {}
        self._makers: dict[int, tuple[int, Payload]] = {}
        self._tickets = itertools.count(1)
        self._free_numbers: list[int] = []
        self._leaving: set[int] = set()
        self._paused: set[int] = set()
        self._demoted: set[int] = set()
        self._event_log = EventLog()
        self._errors: list[Exception] = []
        self._owed: dict[int, tuple[int, int]] = {}
        self._handed: list[SocketGroup] = []
        self._polling = False
        self._process = os.getpid()
        self._stopped = False
        self._closed = False
        self._ended = False
        self._closing = threading.Event()
        self._reviver: threading.Thread | None = None
        self._stats_file = StatsFile(config.place.stats_folder) if config.publish else None
        self.further_laggards: Callable[[], tuple[Laggard, ...]] = tuple
        """Returns members that lag for reasons that the owner knows, to be published with the others."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self._close_after_error()

    def _close_after_error(self) -> None:
        """Leave, so that the others need not suspect this member first; but call no payload function or
        listener, and add nothing to the exception that is being raised."""
        self._makers.clear()
        for group in self._groups.values():
            group.listen(None)
        with contextlib.suppress(MulticastError, OSError, ExceptionGroup):
            self.close(within=_STOP_WITHIN_AFTER_ERROR)

    def close(self, *, leave: bool = True, within: float = _STOP_WITHIN) -> None:
        """End the engine. First leave its groups in good order, if that takes at most `within` seconds.
        Without leaving, the others go on as if it were there until they suspect it."""
        if self._closed:
            return
        self._closed = True
        if os.getpid() != self._process:
            return  # everything belongs to the parent process
        limit = time.monotonic() + within
        self._closing.set()
        self._polling = False  # a function called by poll() may close; then nothing more is passed
        for group in self._groups.values():
            group.hush()
        try:
            if leave and self._groups:
                self._leave_all(limit)
        except ClosedError:
            pass  # it had ended by itself
        finally:
            self._ended = True
            self._socket.close()
            self._makers.clear()
            self._groups.clear()
            if self._stats_file is not None:
                self._stats_file.clear()
            if self._reviver is not None:
                self._reviver.join(max(0.0, limit - time.monotonic()))  # its service ends when idle

    def fileno(self) -> int:
        """Return the descriptor that is readable when `poll()` has something to do."""
        return self._socket.fileno()

    def wait(self, seconds: float) -> bool:
        """Wait until there is something to poll for, and poll; for programs without a loop."""
        watched = select.poll()
        watched.register(self.fileno(), select.POLLIN)
        ready = bool(watched.poll(max(0.0, seconds) * 1000))
        if ready:
            self.poll()
        return ready

    def poll(self) -> None:
        """Handle the waiting items; if there are very many, a part of them, and `fileno()` stays readable.

        Raise MulticastError if the engine has ended by itself, and the exceptions of functions of the
        application, after everything else was handled; a payload that was not made is withdrawn."""
        if self._polling:
            raise MulticastError(_IN_USE, "poll() was called by a function that poll() called; return first")
        self._polling = True
        try:
            for _ in range(_BATCHES_A_POLL):
                items = self._socket.take()
                if not items:
                    break
                self._file_all(items)
        finally:
            self._polling = False
        if self._stats_file is not None and self._stats_file.is_due():
            node, laggards = self._laggards()
            laggards += self.further_laggards()
            self._stats_file.publish(self.stats(), self._names, node, laggards)
        if self._errors:
            errors, self._errors = self._errors, []
            if len(errors) == 1:
                raise errors[0]
            raise ExceptionGroup("several functions failed", errors)

    def _file_all(self, items: list[Item | Batch]) -> None:
        now = time.monotonic()
        for item in items:
            if isinstance(item, Batch):
                self._hand(item)
            elif item.kind == DELIVERY:
                group = self._groups.get(item.group)
                if group is not None:
                    group.deliver(Delivery(item.sender, item.number, item.payload, now))
            else:
                self._file_safely(item)
        for group in self._handed:
            group.settle()
        self._handed.clear()

    def _file_safely(self, item: Item) -> None:
        """Handle one item; its exception is raised after all others were handled."""
        try:
            self._file(item)
        except ClosedError:
            pass  # the engine has ended; the item with the reason follows, or was handled
        except MulticastError as error:
            self._errors.append(error)

    def _hand(self, batch: Batch) -> None:
        group = self._groups.get(batch.group)
        if group is not None:
            group.hand(batch)
        batch.end()

    def join(self, name: str, policy: GroupPolicy | None = None) -> SocketGroup:
        """Join the group called `name`; `Joined` follows."""
        if self._closed:
            raise ClosedError(_CLOSED, "the engine was closed")
        if name in self._names:
            raise MulticastError(_IN_USE, f"this engine is in group {name!r} already")
        chosen = policy or GroupPolicy()
        number = self._free_numbers[-1] if self._free_numbers else len(self._groups)
        self._socket.join(
            number,
            group_identity(name),
            (int(chosen.slow), chosen.queue_messages, chosen.queue_bytes, chosen.tell_stable),
        )
        if self._free_numbers:
            self._free_numbers.pop()
        group = SocketGroup(self, name, number)
        self._groups[number] = group
        self._names[name] = number
        return group

    def rejoin(self) -> None:
        """Start again with a new incarnation after `Evicted`, which ended every group; then join them
        again."""
        self._incarnation = max(time.time_ns(), self._incarnation + 1)  # a clock may be set back
        self._socket.rejoin(self._incarnation)

    def stats(self) -> dict[str, int]:
        """Return all measurements of the member and the driver, by name."""
        slow = {"groups_paused": len(self._paused), "groups_demoted": len(self._demoted)}
        return {**self._socket.stats(), **slow}

    def laggards(self) -> tuple[Laggard, ...]:
        """Return the members that this engine waits for now."""
        return self._laggards()[1]

    @property
    def waits(self) -> bool:
        """True while a message is under way that some member lacks."""
        try:
            return not self._closed and self._socket.stats()["pending_packets"] > 0
        except ClosedError:
            return False  # it has ended by itself

    def _laggards(self) -> tuple[int, tuple[Laggard, ...]]:
        node, rows = self._socket.laggards()
        found = (
            Laggard(other, Lag(kind), self._named(group), packets, age / 1e9)
            for other, kind, group, packets, age in rows
        )
        return node, tuple(found)

    def _named(self, number: int) -> str:
        """Return the name of the group with this number; empty if all are meant."""
        group = self._groups.get(number)
        return "" if group is None else group.name

    def lose(self, share: float, seed: int = 1) -> None:
        """Lose this share of all incoming datagrams on purpose; for tests and measurements."""
        self._socket.lose(round(share * 1_000_000), seed)

    def send(self, group: SocketGroup, payload: Payload) -> int:
        """Send a message; called by a group."""
        self._expect(group)
        ticket = next(self._tickets)
        if isinstance(payload, bytes):
            _check_length(payload)
            self._socket.send(group.number, payload, ticket)
        elif callable(payload):
            self._makers[ticket] = (group.number, payload)
            try:
                self._socket.send(group.number, None, ticket)
            except MulticastError:
                del self._makers[ticket]
                raise
        else:
            kind = type(payload).__name__
            raise TypeError(f"a payload is bytes or a function that returns bytes, not {kind}")
        return ticket

    def send_many(self, group: SocketGroup, block: Buffer, lengths: array[int]) -> int:
        """Send contiguous messages; called by a group."""
        self._expect(group)
        check_block(block, lengths)
        ticket = next(self._tickets)
        self._socket.send_many(group.number, block, lengths, ticket)
        return ticket

    def batches(self, group: SocketGroup, wanted: bool) -> None:
        """Deliver the messages of a group as batches, or no longer; called by the group."""
        if self._groups.get(group.number) is group:
            self._socket.batch(group.number, wanted)

    def consumed(self, group: SocketGroup, messages: int, size: int) -> None:
        """Report to the core that messages were taken; called by a group. It never fails: the reader has
        them."""
        if self._closed or self._groups.get(group.number) is not group:
            return
        owed_messages, owed_size = self._owed.pop(group.number, (0, 0))
        messages, size = messages + owed_messages, size + owed_size
        try:
            self._socket.consumed(group.number, messages, size)
        except ClosedError:
            pass  # nobody counts any more
        except MulticastError:
            self._owed[group.number] = (messages, size)  # reported with the next

    def handed(self, group: SocketGroup) -> None:
        """Note a group whose listener received messages; called by the group."""
        self._handed.append(group)

    def failed(self, error: Exception) -> None:
        """Keep the exception of a listener until everything else was passed; called by a group."""
        self._errors.append(error)

    def leave(self, group: SocketGroup) -> None:
        """Leave a group; called by the group."""
        self._expect(group)
        self._socket.leave(group.number)
        self._leaving.add(group.number)

    def resume(self, group: SocketGroup) -> None:
        """Resume the deliveries of a demoted group; called by the group."""
        self._expect(group)
        self._socket.resume(group.number)
        self._demoted.discard(group.number)

    def _expect(self, group: SocketGroup) -> None:
        if self._closed:
            raise ClosedError(_CLOSED, "the engine was closed")
        if self._groups.get(group.number) is not group or group.number in self._leaving:
            raise MulticastError(_NO_GROUP, f"this engine is not in group {group.name!r}; join it first")

    def _file(self, item: Item) -> None:
        if item.kind == NOTICE:
            self._notice(item)
        elif item.kind == WANT:
            self._supply(item)
        elif item.kind == FAILED and not self._closed:
            error = failure(item.code, ": ".join(filter(None, (_ENDED, fault_at_ports(item.code)))))
            event_log.failed(str(error).removeprefix(f"{_ENDED}: "))
            raise error
        elif item.kind == SERVICE and not self._closed:
            if item.amount:
                event_log.service_found()
            else:
                self._service_lost(item.code)

    def _may_start_service(self) -> bool:
        return self._config.start_service and not self._config.service

    def _ensure_service(self) -> None:
        config = self._config
        remote = (
            RemoteListener(config.listen_at, config.keys)
            if config.listen_at and config.keys is not None
            else None
        )
        ensure_service(
            config.place,
            config.cluster,
            config.service_idle,
            remote,
            config.suspicion,
            config.log,
            config.hybrid_regions,
        )

    def _service_lost(self, code: int) -> None:
        where = self._config.service or str(self._config.place.socket)
        if code == -errno.EACCES:
            event_log.service_strange(where, str(self._config.keys), self._key_shown)
            return
        if code == -errno.EPROTO:
            event_log.service_of_another_version(where)
            return
        event_log.service_lost()
        if self._may_start_service():
            self._revive_service()

    def _revive_service(self) -> None:
        """Start a membership service to replace the lost one. Groups go on meanwhile."""
        if self._reviver is None or not self._reviver.is_alive():
            self._reviver = threading.Thread(target=self._start_service, name="liven-service", daemon=True)
            self._reviver.start()

    def _start_service(self) -> None:
        while not self._closing.is_set():
            try:
                self._ensure_service()
            except (MulticastError, OSError, subprocess.TimeoutExpired):
                self._closing.wait(_TRY_AGAIN_AFTER)
            else:
                return

    def _notice(self, item: Item) -> None:
        known = self._groups.get(item.group)
        if item.notice == STOPPED:
            self._stopped = True
        elif item.notice == VIEW_CHANGED and known is not None and not self._closed:
            self._socket.ask_members(item.group)
        elif item.notice == UNREADABLE:
            event_log.unreadable(item.amount, str(self._config.keys or ""), self._key_shown)
        elif item.notice in (REFUSED, WITHDRAWN):
            self._makers.pop(item.cookie, None)
        if item.notice == REFUSED and item.code == NOT_ASKED:
            return  # the payload came too late; `Withdrawn` was reported
        # Events of the whole node are reported in each of its groups.
        groups = list(self._groups.values()) if item.group == WHOLE_NODE else [known] if known else []
        event = event_of(item.notice, item, members)
        if event is not None and (known or item.group == WHOLE_NODE):
            self._event_log.tell(known.name if known else "", event)
        for group in groups:
            if event is not None:
                self._note_slow(group.number, event)
                group.tell(event)
        # A refusal without a ticket refuses the join.
        if item.notice in (LEFT, EXPELLED) or (item.notice == REFUSED and item.cookie == 0):
            self._forget(item.group)
        elif item.notice == EVICTED:
            for number in list(self._groups):
                self._forget(number)

    def _note_slow(self, number: int, event: GroupEvent) -> None:
        """Track the groups that wait for a slow receiver, and those that are demoted here."""
        if isinstance(event, Paused):
            self._paused.add(number)
        elif isinstance(event, Resumed):
            self._paused.discard(number)
        elif isinstance(event, Demoted):
            self._demoted.add(number)

    def _forget(self, number: int) -> None:
        group = self._groups.pop(number, None)
        if group is not None:
            del self._names[group.name]
            self._socket.batch(number, wanted=False)
            self._free_numbers.append(number)
            self._leaving.discard(number)
            self._paused.discard(number)
            self._demoted.discard(number)
            self._owed.pop(number, None)
            for ticket, (of, _) in list(self._makers.items()):  # other threads may send meanwhile
                if of == number:
                    self._makers.pop(ticket, None)

    def _supply(self, item: Item) -> None:
        _, maker = self._makers.pop(item.cookie, (0, b""))
        payload = None
        try:
            payload = maker(item.amount) if callable(maker) else None
            if payload is not None and len(payload) > MESSAGE_MOST:
                raise MulticastError(
                    _TOO_LONG, f"a message may have at most 64 MiB, not {len(payload)} bytes"
                )
        except Exception as error:
            payload = None
            self._errors.append(error)
        if self._ended:
            return  # the function closed the engine
        self._socket.supply(item.group, payload, item.cookie)
        group = self._groups.get(item.group)
        if payload is None and group is not None:
            group.tell(Withdrawn(item.cookie))

    def _leave_all(self, limit: float) -> None:
        self._socket.stop()
        while not self._stopped and time.monotonic() < limit:
            self.wait(limit - time.monotonic())
        for group in list(self._groups.values()):
            if self._stopped:
                group.tell(Left())


def _keys_of(config: EngineConfig) -> ClusterKeys:
    """Return the keys; they are made at the first start, unless they have to be those of an existing
    cluster."""
    if config.keys is None:
        return ClusterKeys(())
    return read_keys(config.keys) if config.service else ensure_keys(config.keys)


def default_place(runtime: Path) -> ServicePaths:
    """Return the paths of the membership service of this user, below the folder for sockets."""
    return ServicePaths(runtime / "membership", runtime / "membership.lock")
