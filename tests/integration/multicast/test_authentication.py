"""Encryption with real cryptography, on real sockets: a sender without the key is ignored.

Datagrams are decrypted here independently, from docs/wire.md, so that the engine is compared with the page,
not with itself.
"""

from __future__ import annotations

import logging
import os
import random
import select
import shutil
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path

import pytest
from nacl.bindings import crypto_aead_aegis256_decrypt
from tests.integration.multicast.engines import join_all, received, until

from liven.multicast.errors import MulticastError
from liven.multicast.key_file import (
    ClusterKeys,
    add_key,
    ensure_keys,
    fingerprint,
    read_keys,
    switch_keys,
)
from liven.multicast.service_process import (
    RemoteListener,
    ServicePaths,
    first_port,
    open_server,
    service_status,
    stop_service,
)
from liven.multicast.socket_engine import Engine, EngineConfig, default_place

_PATIENCE = 60.0
_SOON_SUSPECTED = 2.0
_HERE = "127.0.0.1"
_HEADER = struct.Struct(">BBBBIIIQQ")
_DATA = 1
_DATA_PORT = 2


@pytest.fixture
def place(tmp_path: Path) -> Iterator[ServicePaths]:
    made = default_place(tmp_path)
    yield made
    stop_service(made)


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    path = tmp_path / "cluster.key"
    ensure_keys(path)
    return path


@pytest.fixture
def config(place: ServicePaths, keys: Path) -> EngineConfig:
    return EngineConfig(place, keys=keys, suspicion=_PATIENCE)


class Listener:
    """Receive datagrams to the first region addresses on loopback, as any process of the machine could."""

    def __init__(self, port: int) -> None:
        self._sockets = [self._listen(f"239.255.80.{last}", port) for last in range(24)]

    def _listen(self, address: str, port: int) -> socket.socket:
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.IPPROTO_IP, 49, 0)  # IP_MULTICAST_ALL
        made.bind((address, port))
        membership = socket.inet_aton(address) + socket.inet_aton(_HERE)
        made.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
        return made

    def hear(self, of_cluster: int) -> tuple[bytes, tuple[str, int]]:
        """Return the next data packet of a cluster that carries a message, and its destination."""
        limit = time.monotonic() + _PATIENCE
        while time.monotonic() < limit:
            ready, _, _ = select.select(self._sockets, [], [], 1.0)
            for each in ready:
                datagram = each.recv(65_536)
                if datagram[1] == _DATA and _HEADER.unpack_from(datagram)[4] == of_cluster:
                    return datagram, each.getsockname()
        raise AssertionError("nothing was heard")

    def close(self) -> None:
        for each in self._sockets:
            each.close()


@pytest.fixture
def listen() -> Iterator[Callable[[EngineConfig], Listener]]:
    made: list[Listener] = []

    def begin(config: EngineConfig) -> Listener:
        made.append(Listener(first_port(config.place, config.cluster, ClusterKeys(())) + _DATA_PORT))
        return made[-1]

    yield begin
    for each in made:
        each.close()


def say(datagram: bytes, where: tuple[str, int]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
        mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(_HERE))
        mouth.sendto(datagram, where)


def decrypted(keys: Path, datagram: bytes) -> bytes:
    """Decrypt the body of a datagram as docs/wire.md says."""
    first, kind, _, key_id, _, sender, incarnation, counter, _ = _HEADER.unpack_from(datagram)
    assert first == 128 + 2
    key = blake2b(digest_size=32, key=dict(read_keys(keys).keys)[key_id], person=b"liven-datagram").digest()
    head, body, session = datagram[:32], datagram[32:-8], datagram[-8:]
    nonce = session + struct.pack(">IIQB", sender, incarnation, counter, kind) + bytes(7)
    return crypto_aead_aegis256_decrypt(body, head, nonce, key)


def test_members_with_the_key_communicate_and_encrypt_as_documented(
    config: EngineConfig, keys: Path, listen: Callable[[EngineConfig], Listener]
) -> None:
    config = replace(config, cluster=81)
    listener = listen(config)
    with Engine(config) as one, Engine(config) as two:
        groups = join_all([one, two])
        groups[0].send(b"hello")
        assert received([one, two], groups[1], 1) == [b"hello"]
        datagram = b""
        while not datagram or b"hello" not in decrypted(keys, datagram):
            datagram, _ = listener.hear(81)
            assert b"hello" not in datagram
        assert two.stats()["drop_tag"] == 0


def test_changed_repeated_and_foreign_datagrams_are_dropped(
    config: EngineConfig, keys: Path, listen: Callable[[EngineConfig], Listener]
) -> None:
    config = replace(config, cluster=82)
    listener = listen(config)
    with Engine(config) as one, Engine(config) as two:
        groups = join_all([one, two])
        groups[0].send(b"hello")
        assert received([one, two], groups[1], 1) == [b"hello"]
        datagram, where = listener.hear(82)
        before = two.stats()
        # Some name the receiver itself as the sender; those are its own echo, and dropped uncounted.
        for first in range(0, 8 * len(datagram), 64):  # no more at a time than a small kernel queue holds
            last = min(first + 64, 8 * len(datagram))
            for bit in range(first, last):
                changed = bytearray(datagram)
                changed[bit // 8] ^= 1 << bit % 8
                say(bytes(changed), where)
            until([one, two], partial(has_dropped, two, drops_of(before) + last - 8))
        say(datagram, where)
        until([one, two], lambda: two.stats()["drop_replay"] + two.stats()["drop_closed"] > 0)
        assert two.stats()["messages_delivered"] == before["messages_delivered"]
        groups[0].send(b"still here")
        assert received([one, two], groups[1], 1) == [b"still here"]


def drops_of(stats: dict[str, int]) -> int:
    return stats["drop_tag"] + stats["drop_malformed"] + stats["drop_foreign"]


def has_dropped(engine: Engine, count: int) -> bool:
    return drops_of(engine.stats()) >= count


@pytest.mark.slow
def test_a_sender_without_the_key_is_ignored(config: EngineConfig, tmp_path: Path) -> None:
    ensure_keys(tmp_path / "other.key")
    config = replace(config, suspicion=_SOON_SUSPECTED)  # the member leaves when the other is taken for dead
    strangers = [replace(config, keys=None), replace(config, keys=tmp_path / "other.key")]
    with Engine(config) as member:
        for stranger in strangers:
            before = drops_of(member.stats())
            with Engine(stranger) as other:
                # One user's service lets both in: it is the datagrams that tell them apart.
                groups = join_all([member, other])
                groups[1].send(b"let me in")
                groups[0].send(b"for members")
                until([member, other], partial(has_dropped, member, before + 1))
                assert received([member, other], groups[0], 1) == [b"for members"]
                other.close(leave=False)
            groups[0].leave()
            until([member], lambda: "chat" not in member._names)


def test_during_a_key_change_both_keys_are_accepted(config: EngineConfig, keys: Path, tmp_path: Path) -> None:
    old = keys.read_text().splitlines()[-1]
    both = tmp_path / "both.key"
    both.touch(mode=0o600)
    both.write_text(f"2 {'ab' * 32}\n{old}\n")
    turned = tmp_path / "turned.key"
    turned.touch(mode=0o600)
    turned.write_text(f"{old}\n2 {'ab' * 32}\n")
    with Engine(replace(config, keys=both)) as one, Engine(replace(config, keys=turned)) as two:
        groups = join_all([one, two])
        groups[0].send(b"new")
        groups[1].send(b"old")
        assert sorted(received([one, two], groups[0], 2)) == [b"new", b"old"]
        assert sorted(received([one, two], groups[1], 2)) == [b"new", b"old"]


def test_without_keys_only_loopback_is_allowed(place: ServicePaths) -> None:
    with pytest.raises(MulticastError, match="without keys anybody could speak"):
        Engine(EngineConfig(place, interface="203.0.113.9", start_service=False))
    with pytest.raises(MulticastError, match="without keys anybody could speak"):
        Engine(EngineConfig(place, service="203.0.113.9:28199"))


# --- the service's stream ---------------------------------------------------------------------------------


def free_port() -> int:
    """Return a port that is free now, outside the range that the kernel gives out."""
    while True:
        port = random.randrange(10_000, 28_000)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe, suppress(OSError):
            probe.bind((_HERE, port))
            return port


class Service:
    """A service that listens for other machines, on a thread."""

    def __init__(self, place: ServicePaths, keys: Path) -> None:
        self.address = f"{_HERE}:{free_port()}"
        self.server = open_server(place, 1, RemoteListener(self.address, keys))
        self._ending = threading.Event()
        self._turn = threading.Lock()  # a server is not thread-safe: a query waits for the end of its turn
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ending.is_set():
            with self._turn:
                self.server.run(0.05)
            self._ending.wait(0.001)  # a lock is not fair: let a query in here

    def stats(self) -> dict[str, int]:
        with self._turn:
            return self.server.stats()

    def connections(self) -> int:
        with self._turn:
            return self.server.connections()

    def close(self) -> None:
        self._ending.set()
        self._thread.join()
        self.server.close()


@pytest.fixture
def service(place: ServicePaths, keys: Path) -> Iterator[Service]:
    made = Service(place, keys)
    yield made
    made.close()


def test_members_with_the_key_reach_a_remote_service(config: EngineConfig, service: Service) -> None:
    away = replace(config, service=service.address)
    with Engine(away) as one, Engine(away) as two, Engine(config) as here:
        groups = join_all([one, two, here])
        for number, group in enumerate(groups):
            group.send(b"%d" % number)
        for group in groups:
            assert sorted(received([one, two, here], group, 3)) == [b"0", b"1", b"2"]
        assert service.connections() == 3
    until([], lambda: service.connections() == 0)
    assert service.stats()["strangers"] == 0


def test_a_member_with_another_key_is_refused_and_logs_why(
    config: EngineConfig, service: Service, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ensure_keys(tmp_path / "other.key")
    stranger = replace(config, service=service.address, keys=tmp_path / "other.key")
    with caplog.at_level(logging.WARNING, "liven.multicast"), Engine(stranger) as engine:
        until([engine], lambda: bool(caplog.records))
        assert engine.stats()["service_strangers"] == 1
        engine.close(leave=False)
    assert "copy the file from its machine" in caplog.text
    assert fingerprint(read_keys(tmp_path / "other.key")) in caplog.text
    assert str(tmp_path / "other.key") in caplog.text
    assert service.stats()["strangers"] == 1
    assert service.stats()["members"] == 0


def test_a_member_of_a_remote_cluster_needs_its_key_and_makes_none(
    config: EngineConfig, tmp_path: Path
) -> None:
    with pytest.raises(MulticastError, match=r"none\.key: No such file"):
        Engine(replace(config, service=f"{_HERE}:1", keys=tmp_path / "none.key"))
    assert not (tmp_path / "none.key").exists()


def test_a_connection_with_malformed_input_is_closed_without_an_answer(service: Service) -> None:
    host, port = service.address.split(":")
    for words in (b"GET / HTTP/1.0\r\n\r\n", b"\xff\xff\xff\x7f", b"\x22\x00\x00\x00\x01\x01" + bytes(32)):
        with socket.create_connection((host, int(port))) as stranger:
            stranger.settimeout(_PATIENCE)
            challenge = stranger.recv(1000)
            assert challenge[:5] == b"\x21\x00\x00\x00\x02"
            stranger.sendall(words)
            assert stranger.recv(1000) == b""
    assert service.stats()["strangers"] == 3


def test_silent_unproved_connections_do_not_keep_members_out(config: EngineConfig, service: Service) -> None:
    host, port = service.address.split(":")
    silent = [socket.create_connection((host, int(port))) for _ in range(100)]
    until([], lambda: service.stats()["strangers"] >= 100 - 64)
    assert service.stats()["strangers"] == 100 - 64
    with Engine(replace(config, service=service.address)) as engine:
        join_all([engine])
    for each in silent:
        each.close()


@pytest.mark.slow
def test_silent_unproved_connections_are_closed_after_a_while(service: Service) -> None:
    host, port = service.address.split(":")
    with socket.create_connection((host, int(port))) as stranger:
        stranger.settimeout(_PATIENCE)
        assert len(stranger.recv(1000)) == 4 + 33
        assert stranger.recv(1000) == b""
    assert service.stats()["strangers"] == 1


def test_a_service_started_by_an_engine_accepts_remote_members(config: EngineConfig, keys: Path) -> None:
    address = f"{_HERE}:{free_port()}"
    first = replace(config, listen_at=address, service_idle=0.5)
    with Engine(first) as here, Engine(replace(config, service=address)) as away:
        groups = join_all([here, away])
        groups[1].send(b"hello")
        assert received([here, away], groups[0], 1) == [b"hello"]
        facts = status_with(config.place, members=2)
    assert facts["strangers"] == 0


def status_with(place: ServicePaths, members: int) -> dict[str, int]:
    """Wait until the service reports so many members, and return its status.

    The question itself is a connection for a moment, so connections cannot be waited for."""
    limit = time.monotonic() + _PATIENCE
    while (facts := service_status(place)) is None or facts["members"] != members:
        assert time.monotonic() < limit, facts
        time.sleep(0.05)
    return facts


def test_during_a_key_change_members_communicate(config: EngineConfig, keys: Path, tmp_path: Path) -> None:
    """One machine does not know the second key yet, one knows it, one seals with it already."""
    paths = [tmp_path / name for name in ("old", "both", "new")]
    for path in paths[:2]:
        shutil.copy(keys, path)
    add_key(paths[1])
    shutil.copy(paths[1], paths[2])
    switch_keys(paths[2])
    config = replace(config, cluster=os.getpid())  # others on this machine are no strangers, but foreign
    for first, second in ((0, 1), (1, 2)):
        with (
            Engine(replace(config, keys=paths[first])) as one,
            Engine(replace(config, keys=paths[second])) as two,
        ):
            groups = join_all([one, two])
            groups[0].send(b"from one")
            assert received([one, two], groups[1], 1) == [b"from one"]
            groups[1].send(b"from two")
            assert received([one, two], groups[0], 2) == [b"from one", b"from two"]
            assert (one.stats()["drop_tag"], two.stats()["drop_tag"]) == (0, 0), (first, second)
