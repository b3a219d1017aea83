"""The engine on real sockets, and the membership service: every function of the binding face, checked."""

from __future__ import annotations

import errno
import os
import struct
import threading
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from liven.multicast._core import ffi, lib
from liven.multicast.engine.codes import error_text, measure_names, names
from liven.multicast.engine.keyring import held_keyring, new_keyring
from liven.multicast.errors import BusyError, ClosedError, MulticastError, SystemFaultError
from liven.multicast.message_batch import Batch

_TAKE_MOST, _NUMBERS, _GROUP_AT = 512, 10, 3
_ROW = struct.Struct("=QQqQQQQQQQ")
_LAGGARDS_MOST, _LAGGARD = 64, 5
_CORE_CODES = -1000
_SERVICE = "the membership service"
_NEEDS_KEYS = "others can reach it, and without keys anybody could speak there"
DELIVERY, WANT, NOTICE, FAILED, SERVICE = 1, 2, 3, 4, 5


class Item(NamedTuple):
    """One item of the engine for the application."""

    kind: int
    notice: int
    code: int
    group: int
    sender: int
    number: int
    last: int
    amount: int
    cookie: int
    length: int
    payload: bytes


Buffer = bytes | bytearray | memoryview
Keys = Sequence[tuple[int, bytes]]
"""The keys of a cluster by their ids, the sealing one first; none turns encryption off."""


def failure(code: int, what: str) -> MulticastError:
    """Return the error of a code: a negated errno of the system, or a code of the core minus 1000."""
    if code <= _CORE_CODES:
        code -= _CORE_CODES
        return MulticastError(code, f"{what}: {error_text(code)}")
    return SystemFaultError(code, f"{what}: {os.strerror(-code)}")


def _check(code: int, what: str) -> None:
    if code == 0:
        return
    if code == -errno.EAGAIN:
        raise BusyError(code, f"{what} now: too much waits to leave; receive, or wait, and try again")
    if code == -errno.EPIPE:
        raise ClosedError(code, f"{what}: the engine has ended")
    if code == -errno.ECHILD:
        raise ClosedError(
            code, f"{what}: the engine is that of the process that forked this one; start another"
        )
    raise failure(code, what)


def _handle(handle: Any, what: str) -> Any:
    if handle is None:
        raise ClosedError(-errno.EPIPE, f"{what} was closed")
    return handle


class Socket:
    """A running engine: numbers in, items out."""

    def __init__(self, settings: Mapping[str, int], interface: str, service: str, keys: Keys = ()) -> None:
        config = ffi.gc(lib.udp_face_config_new(), lib.udp_face_config_free)
        for name, value in settings.items():
            if not lib.udp_face_config_set(config, name.encode(), value):
                raise ValueError(f"no engine setting {name!r} that can be {value}; see engine_settings()")
        code = ffi.new("int *")
        keyring = new_keyring(keys) if keys else ffi.NULL
        handle = lib.udp_face_start(config, interface.encode(), service.encode(), keyring, code)
        if handle == ffi.NULL:
            if int(code[0]) == -errno.EACCES and not keys:
                raise MulticastError(int(code[0]), f"the engine cannot start on {interface}: {_NEEDS_KEYS}")
            raise failure(int(code[0]), f"the engine cannot start on {interface}")
        # Freed with its last holder, so that a thread about to send still finds it after the end.
        self._engine: Any = ffi.gc(handle, lib.mcast_engine_close)
        self._reading = threading.Lock()
        self._open = True
        self._numbers = ffi.new(f"uint64_t[{_TAKE_MOST * _NUMBERS}]")
        self._bytes = ffi.new(f"const uint8_t *[{_TAKE_MOST}]")
        # The same memory again, in the two forms that are fast to read.
        self._rows = memoryview(ffi.buffer(self._numbers))
        self._texts = ffi.cast("const char **", self._bytes)
        self._words = self._rows.cast("Q")
        self._addresses = memoryview(ffi.buffer(self._bytes)).cast("Q")
        self._size = ffi.new("uint64_t *")
        self._batched: set[int] = set()

    def close(self) -> None:
        """End the engine at once; calling it again does nothing."""
        with self._reading:
            self._open = False
            lib.mcast_engine_end(self._engine)

    def fileno(self) -> int:
        """Return the descriptor that is readable while items wait, until a take finds none."""
        return int(lib.mcast_engine_fd(self._engine))

    def batch(self, group: int, wanted: bool) -> None:
        """Deliver the messages of a group as batches from the next take on, or no longer."""
        (self._batched.add if wanted else self._batched.discard)(group)

    def take(self) -> list[Item | Batch]:
        """Take the waiting items, or a part of them; empty if there are none. A batch is invalid after the
        next take."""
        with self._reading:
            if not self._open:
                return []
            count = int(lib.udp_face_take(self._engine, self._numbers, self._bytes, _TAKE_MOST))
            if not count:
                return []
            return self._in_batches(count) if self._batched else self._items(0, count)

    def _items(self, first: int, count: int) -> list[Item | Batch]:
        rows = _ROW.iter_unpack(self._rows[first * _ROW.size : (first + count) * _ROW.size])
        texts, unpack, new = self._texts, ffi.unpack, tuple.__new__
        return [
            new(Item, (*row, unpack(texts[index], row[9]) if row[9] else b""))
            for index, row in enumerate(rows, first)
        ]

    def _in_batches(self, count: int) -> list[Item | Batch]:
        parts: list[Item | Batch] = []
        at = 0
        while at < count:
            run = int(lib.udp_face_run(self._numbers + at * _NUMBERS, count - at, self._size))
            if run and self._words[at * _NUMBERS + _GROUP_AT] in self._batched:
                words = self._words[at * _NUMBERS : (at + run) * _NUMBERS]
                parts.append(Batch(words, self._addresses[at : at + run], int(self._size[0])))
            else:
                run = max(run, 1)
                parts += self._items(at, run)
            at += run
        return parts

    def join(self, group: int, identity: int, policy: tuple[int, int, int, bool]) -> None:
        """Join the group with this 128-bit id under a number chosen by the caller."""
        high, low = divmod(identity, 2**64)
        _check(lib.udp_face_join(self._engine, group, high, low, *policy), "the group cannot be joined")

    def send(self, group: int, payload: bytes | None, cookie: int) -> None:
        """Send a message; without a payload it is requested later."""
        data = ffi.NULL if payload is None else ffi.from_buffer("uint8_t[]", payload)
        size = 0 if payload is None else len(payload)
        _check(lib.udp_face_send(self._engine, group, data, size, cookie), "the message cannot be sent")

    def send_many(self, group: int, block: Buffer, lengths: array[int], cookie: int) -> None:
        """Send messages whose payloads are contiguous; they are copied in one piece."""
        data = ffi.from_buffer("uint8_t[]", block)
        sizes = ffi.from_buffer("uint32_t[]", lengths)
        code = lib.mcast_engine_send_many(self._engine, group, data, sizes, len(lengths), cookie)
        _check(code, "the messages cannot be sent")

    def supply(self, group: int, payload: bytes | None, cookie: int) -> None:
        """Answer a WANT."""
        data = ffi.NULL if payload is None else ffi.from_buffer("uint8_t[]", payload)
        size = 0 if payload is None else len(payload)
        _check(lib.udp_face_supply(self._engine, group, data, size, cookie), "the payload cannot be given")

    def leave(self, group: int) -> None:
        """Leave a group."""
        _check(lib.udp_face_leave(self._engine, group), "the group cannot be left")

    def consumed(self, group: int, messages: int, size: int) -> None:
        """Report that the application took messages."""
        _check(lib.udp_face_consumed(self._engine, group, messages, size), "the engine")

    def ask_members(self, group: int) -> None:
        """Request the members of a group; a notice answers."""
        _check(lib.udp_face_members(self._engine, group), "the members cannot be asked for")

    def stop(self) -> None:
        """Leave everything in good order; a notice follows when that is done."""
        _check(lib.udp_face_stop(self._engine), "the engine cannot stop")

    def lose(self, of_a_million: int, seed: int) -> None:
        """Lose datagrams on purpose, for tests and measurements."""
        lib.mcast_engine_set_loss(self._engine, of_a_million, seed)

    def rejoin(self, incarnation: int) -> None:
        """Start again after an eviction."""
        _check(lib.udp_face_rejoin(self._engine, incarnation), "the engine cannot rejoin")

    def resume(self, group: int) -> None:
        """Resume the deliveries of a demoted group."""
        _check(lib.udp_face_resume(self._engine, group), "the group cannot be resumed")

    def stats(self) -> dict[str, int]:
        """Return all measurements of the member and the driver, by name."""
        known = (*measure_names(), *names(lib.udp_face_driver_name))
        values = ffi.new(f"uint64_t[{len(known)}]")
        _check(lib.udp_face_measure(self._engine, values, len(known)), "nothing can be measured")
        return dict(zip(known, (int(value) for value in values), strict=True))

    def laggards(self) -> tuple[int, list[tuple[int, int, int, int, int]]]:
        """Return the short name of the engine and the members it waits for: node, kind, group, packets,
        nanoseconds."""
        rows = ffi.new(f"uint64_t[{_LAGGARDS_MOST * _LAGGARD}]")
        own = ffi.new("uint64_t *")
        count = int(lib.udp_face_laggards(self._engine, rows, _LAGGARDS_MOST, own))
        _check(min(count, 0), "nobody can be asked for")
        numbers = struct.iter_unpack("=5Q", ffi.buffer(rows)[: count * _LAGGARD * 8])
        return int(own[0]), list(numbers)


def engine_settings() -> tuple[str, ...]:
    """Return the names of the settings of an engine."""
    return names(lib.udp_face_config_name)


def is_gauge(name: str) -> bool:
    """True for a measurement that can shrink; the others only count up."""
    return bool(lib.udp_face_is_gauge(name.encode()))


class Server:
    """A membership service on a socket, run by the loop of its caller."""

    def __init__(
        self,
        path: str,
        lock: str,
        cluster: int,
        first_ip: str,
        port: int,
        count: int,
        batch: int,
        suspicion: float,
        hybrid_regions: int = 0,
        at: str = "",
        keys: Keys = (),
    ) -> None:
        code = ffi.new("int *")
        self._keyring = held_keyring(keys) if keys else ffi.NULL  # must outlive the server
        handle = lib.udp_face_serve(
            path.encode(),
            lock.encode(),
            cluster,
            first_ip.encode(),
            port,
            count,
            batch,
            int(suspicion * 1e9),
            hybrid_regions,
            at.encode(),
            self._keyring,
            code,
        )
        if handle == ffi.NULL:
            if int(code[0]) == -errno.EACCES and at and not keys:
                raise MulticastError(int(code[0]), f"{_SERVICE} cannot listen at {at}: {_NEEDS_KEYS}")
            if int(code[0]) == -errno.EWOULDBLOCK:
                raise BlockingIOError(errno.EWOULDBLOCK, "another membership service is running", lock)
            where = f"{path} and {at}" if at else path
            raise failure(int(code[0]), f"the membership service cannot listen at {where}")
        self._server: Any = ffi.gc(handle, lib.udp_server_close)

    def run(self, seconds: float) -> bool:
        """Serve for up to `seconds`, or until something happened. Return False if it has to yield to another
        service, of a higher generation or with the lock."""
        code = int(lib.udp_server_run(_handle(self._server, _SERVICE), int(seconds * 1e9)))
        if code == -errno.ECANCELED:
            return False
        _check(code, "the membership service")
        return True

    def fileno(self) -> int:
        """Return the descriptor that is readable when there is something to do."""
        return int(lib.udp_server_fd(_handle(self._server, _SERVICE)))

    def stats(self) -> dict[str, int]:
        """Return all measurements of the service, by name."""
        known = names(lib.udp_face_service_name)
        values = ffi.new(f"uint64_t[{len(known)}]")
        lib.udp_face_service_measure(_handle(self._server, _SERVICE), values, len(known))
        return dict(zip(known, (int(value) for value in values), strict=True))

    def generation(self) -> int:
        """Return the generation: one above that of the former service."""
        return int(lib.udp_face_generation(_handle(self._server, _SERVICE)))

    def connections(self) -> int:
        """Return the count of connected members."""
        return int(lib.udp_face_connections(_handle(self._server, _SERVICE)))

    def idle(self) -> float:
        """Return the seconds since the last member disconnected."""
        return int(lib.udp_face_idle(_handle(self._server, _SERVICE))) / 1e9

    def close(self) -> None:
        """End the service; members go on without it."""
        server, self._server = self._server, None
        if server is not None:
            ffi.release(server)
