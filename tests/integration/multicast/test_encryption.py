"""Privacy on real sockets: another user of the machine, who may join every group on loopback, reads none."""

from __future__ import annotations

import logging
import os
import random
import select
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.multicast.engines import join_all, received, until

from liven.multicast.group import View
from liven.multicast.key_file import (
    ClusterKeys,
    add_key,
    drop_key,
    ensure_keys,
    fingerprint,
    read_keys,
    switch_keys,
)
from liven.multicast.service_process import ServicePaths, first_port, stop_service
from liven.multicast.socket_engine import Engine, EngineConfig, default_place, group_identity
from liven.multicast.socket_group import SocketGroup

_PATIENCE = 60.0
_SOCKETS = 3
_NOBODY = 65_534
_SECRET = b"the word that nobody else may read "

_EAVESDROPPER = """
import os, select, socket, sys
port, secret, user = int(sys.argv[1]), bytes.fromhex(sys.argv[2]), int(sys.argv[3])
if os.geteuid() == 0:  # joining a group needs no rights: without root, this user listens as well
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
ears = []
for last in range(24):
    for kind in range(3):
        address = f"239.255.80.{last}"
        ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ear.bind((address, port + kind))
        group = socket.inet_aton(address) + socket.inet_aton("127.0.0.1")
        ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
        ears.append(ear)
print("listening", flush=True)
data = read = 0
while True:
    ready, _, _ = select.select([*ears, sys.stdin], [], [])
    if sys.stdin in ready:
        break
    for ear in ready:
        datagram = ear.recv(65536)
        data += datagram[1:2] in (b"\\x01", b"\\x02")
        read += secret in datagram
print(data, read, flush=True)
"""


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ServicePaths]:
    made = default_place(tmp_path)
    yield made
    stop_service(made)


@pytest.fixture
def config(place: ServicePaths, tmp_path: Path) -> EngineConfig:
    keys = tmp_path / "cluster.key"
    ensure_keys(keys)
    return EngineConfig(place, keys=keys, suspicion=_PATIENCE, cluster=os.getpid())


class Eavesdropper:
    """A process of another user that joins the region addresses of a cluster on loopback."""

    def __init__(self, config: EngineConfig) -> None:
        port = first_port(config.place, config.cluster, ClusterKeys(()))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _EAVESDROPPER, str(port), _SECRET.hex(), str(_NOBODY)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._line() == "listening"

    def end(self) -> tuple[int, int]:
        """Return how many data packets it received, and in how many datagrams it found the secret."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        data, read = self._line().split()
        return int(data), int(read)

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def kill(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def overheard(config: EngineConfig) -> Iterator[Eavesdropper]:
    made = Eavesdropper(config)
    try:
        yield made
    finally:
        made.kill()


def exchange(config: EngineConfig, sizes: tuple[int, ...]) -> tuple[int, int]:
    """Send secrets between two members, lose some so that they are repaired, and return what another user
    heard."""
    with overheard(config) as other, Engine(config) as one, Engine(config) as two:
        groups = join_all([one, two])
        two.lose(0.2)
        sent = [(_SECRET * (size // len(_SECRET) + 1))[:size] for size in sizes]
        for message in sent:
            groups[0].send(message)
        taken: list[bytes] = []

        def complete() -> bool:
            taken.extend(each.payload for each in groups[1].receive())
            return len(taken) == len(sent)

        until([one, two], complete)
        assert taken == sent
        until([one, two], lambda: not one.waits)
        return other.end()


def test_another_user_of_the_machine_cannot_read_a_loopback_group(config: EngineConfig) -> None:
    data, read = exchange(config, (100, 1_000, 10_000, 300_000))
    assert data > 0
    assert read == 0


def test_without_a_key_another_user_can_read_a_loopback_group(config: EngineConfig) -> None:
    """The eavesdropper of the test above does find what is there to find."""
    data, read = exchange(replace(config, keys=None), (100, 1_000, 10_000, 300_000))
    assert data > 0
    assert read > 0


@pytest.mark.parametrize("other", [True, False])
def test_a_member_with_another_key_or_none_is_told_with_the_fingerprint_and_the_file(
    config: EngineConfig, tmp_path: Path, caplog: pytest.LogCaptureFixture, other: bool
) -> None:
    assert config.keys is not None
    ensure_keys(tmp_path / "other.key")
    stranger = replace(config, keys=tmp_path / "other.key" if other else None)
    with caplog.at_level(logging.WARNING, "liven.multicast"), Engine(config) as one, Engine(stranger) as two:
        # The local service lets both in: they are the same user's.
        groups = join_all([one, two])
        for group in groups:
            group.send(b"to everybody")

        def warnings() -> list[str]:
            return [
                record.getMessage() for record in caplog.records if "cannot be read" in record.getMessage()
            ]

        until([one, two], lambda: len(warnings()) >= 2)
        for engine in (one, two):
            engine.close(leave=False)
    (mine,) = [words for words in warnings() if str(config.keys) in words]
    (its,) = [words for words in warnings() if str(config.keys) not in words]
    assert fingerprint(read_keys(config.keys)) in mine
    if other:
        assert fingerprint(read_keys(tmp_path / "other.key")) in its
        assert str(tmp_path / "other.key") in its
    else:
        assert "without a key, because authentication is off here" in its


def test_a_key_is_replaced_while_messages_flow(config: EngineConfig, tmp_path: Path) -> None:
    """Each computer restarts its program with the next state of the key file, and the others go on."""
    assert config.keys is not None
    states = [tmp_path / name for name in ("old", "added", "switched", "dropped")]
    shutil.copy(config.keys, states[0])
    for before, after, step in zip(states, states[1:], (add_key, switch_keys, drop_key), strict=False):
        shutil.copy(before, after)
        step(after)
    sent = 0
    engines = [Engine(replace(config, keys=states[0])) for _ in range(2)]
    try:
        groups = join_all(engines)
        for state in states[1:]:
            for index in range(2):
                engines[index].close()
                engines[index] = Engine(replace(config, keys=state))
                groups[index] = rejoin(engines, groups, index)
                for _ in range(20):
                    groups[1 - index].send(b"%d" % sent)
                    sent += 1
                expected = [b"%d" % number for number in range(sent - 20, sent)]
                assert received(engines, groups[index], 20) == expected
                assert [engine.stats()["drop_tag"] for engine in engines] == [0, 0], (state, index)
    finally:
        for engine in engines:
            engine.close()


def rejoin(engines: list[Engine], groups: list[SocketGroup], index: int) -> SocketGroup:
    """Join again with one of two engines, and wait until both see both."""
    fresh = engines[index].join("chat")
    both = [fresh, groups[1 - index]]
    seen = [0, 0]

    def complete() -> bool:
        for at, group in enumerate(both):
            group.receive()
            for event in group.events():
                if isinstance(event, View):
                    seen[at] = len(event.members)
        return seen == [2, 2]

    until(engines, complete)
    return fresh


# --- the stream to a service on another machine --------------------------------------------------------


def free_port() -> int:
    """Return a port that is free now, outside the range that the kernel gives out."""
    while True:
        port = random.randrange(10_000, 28_000)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Between:
    """Somebody on the network between a member and the service: keeps everything, and spoils one
    message when it is asked to."""

    def __init__(self, service: int) -> None:
        self.heard = bytearray()
        self.connections = 0
        self.spoil: Callable[[bytes], bytes | None] | None = None
        self._service = service
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ending.is_set():
            if select.select([self._listener], [], [], 0.05)[0]:
                self.connections += 1
                self._pass(self._listener.accept()[0])

    def _pass(self, member: socket.socket) -> None:
        with member, socket.create_connection(("127.0.0.1", self._service)) as service:
            other = {member: service, service: member}
            while not self._ending.is_set():
                for end in select.select(list(other), [], [], 0.05)[0]:
                    if not self._forward(end, other[end], from_member=end is member):
                        return

    def _forward(self, source: socket.socket, sink: socket.socket, *, from_member: bool) -> bool:
        try:
            got = source.recv(65_536)
            self.heard += got
            spoil = self.spoil if from_member and len(got) > 4 + 32 else None
            if spoil is not None:
                self.spoil = None
                got = spoil(got) or b""
            sink.sendall(got)
        except OSError:
            return False
        return bool(got)

    def close(self) -> None:
        """End, with all connections."""
        self._ending.set()
        self._thread.join()
        self._listener.close()


@pytest.fixture
def between(config: EngineConfig) -> Iterator[tuple[EngineConfig, Between]]:
    """Return the configuration of a member whose stream passes through somebody else."""
    address = f"127.0.0.1:{free_port()}"
    with Engine(replace(config, listen_at=address)):
        made = Between(int(address.rpartition(":")[2]))
        yield replace(config, service=f"127.0.0.1:{made.port}"), made
        made.close()


def test_nobody_between_a_member_and_the_service_reads_their_messages(
    between: tuple[EngineConfig, Between],
) -> None:
    config, other = between
    with Engine(config) as one:
        join_all([one])
        assert len(other.heard) > 200
        assert group_identity("chat").to_bytes(16) not in other.heard
        assert group_identity("chat").to_bytes(16, "little") not in other.heard


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda got: got[:-1] + bytes([got[-1] ^ 1]), id="changed"),
        pytest.param(lambda got: got + got, id="repeated"),
        pytest.param(lambda got: bytes([got[0] - 1]) + got[1:-1], id="shortened"),
        pytest.param(lambda _: None, id="cut off"),
    ],
)
def test_a_stream_that_somebody_spoils_ends_and_another_takes_its_place(
    between: tuple[EngineConfig, Between], spoil: Callable[[bytes], bytes | None]
) -> None:
    config, other = between
    with Engine(config) as one:
        join_all([one])
        other.spoil = spoil
        group = one.join("another")
        until([one], lambda: other.spoil is None and other.connections >= 2)
        seen: list[int] = []

        def joined() -> bool:
            seen.extend(len(event.members) for event in group.events() if isinstance(event, View))
            return bool(seen)

        until([one], joined)
