"""Load for a channel, under the original ids: sources of intervals, and a generator that sends texts.

The original program does not give the units of these numbers. Here intervals and durations are in seconds,
and lengths in characters.
"""

from __future__ import annotations

import math
import string
from collections import deque
from pathlib import Path
from secrets import SystemRandom
from typing import Final, Protocol

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.runtime.capability import Capability, CapabilityKind
from liven.runtime.capability.capability import sends
from liven.runtime.errors import CallFailedError
from liven.runtime.files import read_regular, refuse_system_file, user_path
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Exports, Imports, Int32, interface, proxy

_LONGEST: Final = 1_000_000
_LONGEST_NUMBER: Final = 20
_SCRIPT_MOST: Final = 1 << 20
_PAUSE_MOST: Final = 86_400.0
_LETTERS: Final = string.ascii_lowercase + " "


@interface
class Intervals(Protocol):
    """The events that a client sends to a source of intervals."""

    def next(self) -> bool:
        """Advance to the next interval. Return False at the end."""

    def interval(self) -> float:
        """Return the length of this interval in seconds."""

    def length(self) -> Int32:
        """Return the number of characters to send after it."""


@proxy(
    id="D326B117A923441BA2F56C6A0EB0CAB6",
    alias="liven:uniform-interval",
    names={
        "interval_min": "intervalMin",
        "interval_max": "intervalMax",
        "size_min": "sizeMin",
        "size_max": "sizeMax",
    },
)
class UniformInterval:
    """Random intervals and lengths, uniform within bounds, for `duration` seconds from the first."""

    Generator: Exports[Intervals]

    def __init__(
        self,
        context: Context,
        interval_min: float = 0.1,
        interval_max: float = 1.0,
        size_min: Int32 = 1,
        size_max: Int32 = 100,
        duration: float = 60.0,
    ) -> None:
        if not 0 <= interval_min <= interval_max <= _PAUSE_MOST:
            raise CallFailedError(f"there is no interval between {interval_min} and {interval_max} seconds")
        if not 0 <= size_min <= size_max <= _LONGEST:
            raise CallFailedError(f"there is no length between {size_min} and {size_max}")
        self.context = context
        self._interval = (interval_min, interval_max)
        self._size = (size_min, size_max)
        self._duration = duration
        self._over: float | None = None
        self._chance = SystemRandom()

    @staticmethod
    def capabilities(interval_min: float = 0.1, size_max: int = 100) -> tuple[Capability, ...]:
        """State the highest rate that a recipe with these parameters asks for."""
        return (sends(size_max / interval_min if interval_min > 0 else math.inf),)

    def next(self) -> bool:
        now = self.context.now()
        if self._over is None:
            self._over = now + self._duration
        return now < self._over

    def interval(self) -> float:
        return self._chance.uniform(*self._interval)

    def length(self) -> int:
        return self._chance.randint(*self._size)


@proxy(id="5E0DD08BDD3648779E8F4B36F14501AB", alias="liven:scripted-interval")
class ScriptedInterval:
    """Intervals and lengths from a file: each line has a number of seconds and a number of characters."""

    Generator: Exports[Intervals]

    def __init__(self, context: Context, file: str) -> None:
        self.context = context
        self._file = file
        self._rows: deque[tuple[float, int]] | None = None
        self._row = (0.0, 0)

    @staticmethod
    def capabilities(file: str) -> tuple[Capability, ...]:
        """State what a recipe with this parameter reaches."""
        return Capability(CapabilityKind.READ_FILE, file), sends(math.inf)

    async def next(self) -> bool:
        if self._rows is None:
            self._rows = deque()
            try:
                self._rows.extend(await self.context.work(_read, self._file))
            except CallFailedError as error:
                self.context.report(str(error), "it gives no intervals")
                raise
        if self._rows:
            self._row = self._rows.popleft()
            return True
        return False

    def interval(self) -> float:
        return self._row[0]

    def length(self) -> int:
        return self._row[1]


def _read(file: str) -> list[tuple[float, int]]:
    """Return the rows of a script; for a worker, because a disk may be slow or gone."""
    try:
        path = user_path(file)
        refuse_system_file(path)
        text = read_regular(path, _SCRIPT_MOST).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise CallFailedError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    lines = enumerate(text.splitlines(), 1)
    return [_row(path, number, line) for number, line in lines if line.strip()]


def _row(path: Path, number: int, line: str) -> tuple[float, int]:
    try:
        seconds, length = line.split()
        row = float(seconds), int(length[:_LONGEST_NUMBER])
    except ValueError:
        row = -1.0, -1
    if not (0 <= row[0] <= _PAUSE_MOST and 0 <= row[1] <= _LONGEST):
        raise CallFailedError(
            f"{path}, line {number}: {line[:40]!r} is not a number of seconds and one of characters"
        )
    return row


@proxy(id="517B849D9D5B692D7D7112776A2BEC88", alias="liven:text-generator")
class TextGenerator:
    """Sends random texts at the times of its `generator`; each text replaces the previous one."""

    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]
    generator: Imports[Intervals]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.sent = 0
        self._latest = ""
        self._chance = SystemRandom()
        self._runs = self._ready = False

    def initialize(self, checkpoint: str | None) -> None:
        self._latest = checkpoint or ""
        self._ready = True
        self._begin()

    def receive(self, message: str) -> None:
        self._latest = message

    def checkpoint(self) -> str:
        return self._latest

    def generator_connected(self) -> None:
        self._begin()

    def _begin(self) -> None:
        if self._ready and not self._runs and self.context.connected("generator"):
            self._runs = True
            self.context.run(self._run(), (CallFailedError,))

    async def _run(self) -> None:
        source = self.generator.peer
        while await source.next():  # type: ignore[misc]  # at the caller it is a reply
            seconds, length = await source.interval(), await source.length()  # type: ignore[misc]
            await self.context.sleep(min(max(seconds, 0.0), _PAUSE_MOST))
            if not self.context.connected("channel"):
                return
            self.channel.peer.send(self._text(min(max(length, 0), _LONGEST)))
            self.sent += 1

    def _text(self, length: int) -> str:
        return "".join(self._chance.choices(_LETTERS, k=length))
