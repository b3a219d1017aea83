"""Engines in this process, driven by the test: wait, join, receive."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from liven.multicast.group import View
from liven.multicast.socket_engine import Engine
from liven.multicast.socket_group import SocketGroup

PATIENCE: Final = 60.0


def until(engines: list[Engine], true: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < limit, "it did not come about"
        for engine in engines:
            engine.wait(0.01)


def join_all(engines: list[Engine]) -> list[SocketGroup]:
    """Join one group with all engines, and wait until each sees all."""
    groups = [engine.join("chat") for engine in engines]
    seen = [0] * len(groups)

    def complete() -> bool:
        for index, group in enumerate(groups):
            for event in group.events():
                if isinstance(event, View):
                    seen[index] = len(event.members)
        return all(count == len(groups) for count in seen)

    until(engines, complete)
    return groups


def received(engines: list[Engine], group: SocketGroup, count: int) -> list[bytes]:
    taken: list[bytes] = []

    def enough() -> bool:
        taken.extend(each.payload for each in group.receive())
        return len(taken) >= count

    until(engines, enough)
    return taken
