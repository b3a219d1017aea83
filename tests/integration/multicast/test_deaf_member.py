"""A member behind a firewall: it reaches the membership service and receives no datagram."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest

from liven.multicast.errors import BusyError
from liven.multicast.group import GroupEvent, View
from liven.multicast.service_process import stop_service
from liven.multicast.socket_engine import Engine, EngineConfig, default_place
from liven.multicast.socket_group import SocketGroup

_PATIENCE = 40.0


@pytest.mark.slow
def test_a_deaf_member_is_evicted_and_the_others_go_on(tmp_path: Path) -> None:
    place = default_place(tmp_path)
    engines = [Engine(EngineConfig(place, publish=False, suspicion=2.0)) for _ in range(3)]
    groups: list[SocketGroup] = []
    events: list[list[GroupEvent]] = [[], [], []]

    def turn() -> None:
        for engine, group, seen in zip(engines, groups, events, strict=False):
            engine.wait(0.005)
            seen.extend(group.events())

    try:
        for engine, seen in zip(engines, events, strict=True):
            groups.append(engine.join("chat"))
            limit = time.monotonic() + _PATIENCE
            while not any(isinstance(each, View) for each in seen):
                assert time.monotonic() < limit
                turn()
        engines[2].lose(1.0)
        limit = time.monotonic() + _PATIENCE
        while engines[2].stats()["evictions"] == 0:
            assert time.monotonic() < limit, "the deaf member was never found out"
            with contextlib.suppress(BusyError):
                groups[0].send(b"y" * 1000)
            groups[1].receive()
            turn()
        while engines[0].stats()["pending_packets"] > 0:
            assert time.monotonic() < limit, "the others still wait for it"
            turn()
        assert engines[0].stats()["evictions"] == engines[1].stats()["evictions"] == 0
    finally:
        for engine in engines:
            engine.close(leave=False)
        stop_service(place)
