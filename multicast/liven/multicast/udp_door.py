"""The door to the engine on real sockets: each function of the face, with lengths and codes checked."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from liven.multicast._core import ffi, lib
from liven.multicast.engine import error_text, measure_names
from liven.multicast.errors import BusyError, MulticastError, SystemFaultError

_TAKE_MOST, _NUMBERS = 512, 10
_CODE, _SIGNED = 2, 2**63
_CORE_CODES = -1000
DELIVERY, WANT, NOTICE, FAILED = 1, 2, 3, 4


class Item(NamedTuple):
    """One thing that the engine has for the application."""

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


def failure(code: int, what: str) -> MulticastError:
    """The error for a code: a negated errno of the system, or a code of the core less 1000."""
    if code <= _CORE_CODES:
        code -= _CORE_CODES
        return MulticastError(code, f"{what}: {error_text(code)}")
    return SystemFaultError(code, f"{what}: {os.strerror(-code)}")


def _check(code: int, what: str) -> None:
    if code == -errno.EAGAIN:
        raise BusyError(code, f"{what} now: too many wait; receive, or wait, and try again")
    if code != 0:
        raise failure(code, what)


class Socket:
    """A running engine; numbers in, items out."""

    def __init__(self, settings: Mapping[str, int], interface: str, service: str) -> None:
        config = ffi.gc(lib.udp_face_config_new(), lib.udp_face_config_free)
        for name, value in settings.items():
            if not lib.udp_face_config_set(config, name.encode(), value):
                raise ValueError(f"no engine setting {name!r} that can be {value}")
        code = ffi.new("int *")
        handle = lib.udp_face_start(config, interface.encode(), service.encode(), code)
        if handle == ffi.NULL:
            raise failure(int(code[0]), f"the engine cannot start on {interface}")
        self._engine: Any = ffi.gc(handle, lib.mcast_engine_close)
        self._numbers = ffi.new(f"uint64_t[{_TAKE_MOST * _NUMBERS}]")
        self._bytes = ffi.new(f"const uint8_t *[{_TAKE_MOST}]")

    def close(self) -> None:
        """Ends the engine at once; calling again does nothing."""
        engine, self._engine = self._engine, None
        if engine is not None:
            ffi.release(engine)

    def fileno(self) -> int:
        """Readable when something waits to be taken."""
        return int(lib.mcast_engine_fd(self._engine))

    def take(self) -> list[Item]:
        """What waits, a batch at most; empty when nothing does."""
        count = int(lib.udp_face_take(self._engine, self._numbers, self._bytes, _TAKE_MOST))
        rows = ffi.unpack(self._numbers, count * _NUMBERS) if count else []
        items = []
        for index in range(count):
            row = rows[index * _NUMBERS : (index + 1) * _NUMBERS]
            if row[_CODE] >= _SIGNED:
                row[_CODE] -= 2 * _SIGNED
            length = row[-1]
            row.append(bytes(ffi.buffer(self._bytes[index], length)) if length else b"")
            items.append(Item._make(row))
        return items

    def join(self, group: int, identity: int, policy: tuple[int, int, int, bool]) -> None:
        """Joins the group with this 128-bit name under a number of the caller's choice."""
        high, low = divmod(identity, 2**64)
        _check(lib.udp_face_join(self._engine, group, high, low, *policy), "the group cannot be joined")

    def send(self, group: int, payload: bytes | None, cookie: int) -> None:
        """Sends; without a payload it is asked for later."""
        data = ffi.NULL if payload is None else ffi.from_buffer("uint8_t[]", payload)
        size = 0 if payload is None else len(payload)
        _check(lib.udp_face_send(self._engine, group, data, size, cookie), "the message cannot be sent")

    def supply(self, group: int, payload: bytes | None, cookie: int) -> None:
        """Answers a WANT."""
        data = ffi.NULL if payload is None else ffi.from_buffer("uint8_t[]", payload)
        size = 0 if payload is None else len(payload)
        _check(lib.udp_face_supply(self._engine, group, data, size, cookie), "the payload cannot be given")

    def leave(self, group: int) -> None:
        """Leaves a group."""
        _check(lib.udp_face_leave(self._engine, group), "the group cannot be left")

    def consumed(self, group: int, messages: int, size: int) -> None:
        """Tells that the application took messages."""
        _check(lib.udp_face_consumed(self._engine, group, messages, size), "the engine")

    def ask_members(self, group: int) -> None:
        """Asks who is in a group; a notice answers."""
        _check(lib.udp_face_members(self._engine, group), "the members cannot be asked for")

    def stop(self) -> None:
        """Leaves everything in good order; a notice says when that is done."""
        _check(lib.udp_face_stop(self._engine), "the engine cannot stop")

    def lose(self, of_a_million: int, seed: int) -> None:
        """Loses datagrams on purpose, for tests and measurements."""
        lib.mcast_engine_set_loss(self._engine, of_a_million, seed)

    def stats(self) -> dict[str, int]:
        """Everything that the member measured, by name."""
        names = measure_names()
        values = ffi.new(f"uint64_t[{len(names)}]")
        lib.udp_face_measure(self._engine, values, len(names))
        return dict(zip(names, (int(value) for value in values), strict=True))


class Server:
    """A membership service on a socket, run by its caller's loop."""

    def __init__(
        self, path: str, lock: str, cluster: int, first_ip: str, port: int, count: int, batch: int
    ) -> None:
        code = ffi.new("int *")
        handle = lib.udp_face_serve(
            path.encode(), lock.encode(), cluster, first_ip.encode(), port, count, batch, code
        )
        if handle == ffi.NULL:
            if int(code[0]) == -errno.EWOULDBLOCK:
                raise BlockingIOError(errno.EWOULDBLOCK, "another membership service is running", lock)
            raise failure(int(code[0]), f"the membership service cannot listen at {path}")
        self._server: Any = ffi.gc(handle, lib.udp_server_close)

    def run(self, seconds: float) -> bool:
        """Serves for up to `seconds`, or until something happened. False when it has to give way to a
        service of a higher generation."""
        code = int(lib.udp_server_run(self._server, int(seconds * 1e9)))
        if code == -errno.ECANCELED:
            return False
        _check(code, "the membership service")
        return True

    def connections(self) -> int:
        """How many members are connected."""
        return int(lib.udp_face_connections(self._server))

    def idle(self) -> float:
        """For how many seconds nobody has been connected."""
        return int(lib.udp_face_idle(self._server)) / 1e9

    def close(self) -> None:
        """Ends the service; members go on without it."""
        server, self._server = self._server, None
        if server is not None:
            ffi.release(server)
