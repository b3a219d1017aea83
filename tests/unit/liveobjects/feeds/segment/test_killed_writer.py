"""A writer killed at any moment: all that it said was on the disk is there once, in order, and it goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.upkeep.verification import verify

_WRITER = """
import random, sys
from pathlib import Path
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block_format import LONG_PAYLOAD
from liven.liveobjects.feeds.segment.writer import LogWriter

def record(n):
    payload = n.to_bytes(8, "little") * (LONG_PAYLOAD // 8 + 1 if n % 97 == 0 else n % 50)
    return Record(n, n, f"o{n % 7}", "c", "a", "t", n, 0, payload)

writer = LogWriter(Path(sys.argv[1]), segment_blocks=9)
chance = random.Random(int(sys.argv[2]))
while True:
    count = chance.randrange(1, 40)
    writer.extend([record(n) for n in range(writer.end, writer.end + count)])
    if chance.random() < 0.5:
        writer.sync()
        print(writer.durable, flush=True)
    elif chance.random() < 0.2:
        writer.seal()
"""


def record(n: int) -> Record:
    payload = n.to_bytes(8, "little") * (LONG_PAYLOAD // 8 + 1 if n % 97 == 0 else n % 50)
    return Record(n, n, f"o{n % 7}", "c", "a", "t", n, 0, payload)


def kill_once(folder: Path, seed: int) -> int:
    """Let a writer work, kill it after some promises, and return the last one."""
    chance = random.Random(seed)
    promised = 0
    command = [sys.executable, "-c", _WRITER, str(folder), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        for _ in range(chance.randrange(1, 30)):
            promised = int(program.stdout.readline())
        os.kill(program.pid, signal.SIGKILL)
        rest = program.stdout.read().splitlines()
    return int(rest[-1]) if rest and rest[-1].isdigit() else promised


@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_nothing_promised_is_lost_and_nothing_is_there_twice(folder: Path, kills: int) -> None:
    promised = 0
    for seed in range(kills):
        promised = max(promised, kill_once(folder, seed))
        assert Log(folder).end >= promised
        assert [each for each in verify(folder) if each.kind.is_damage] == []
    found = list(Log(folder).records())
    assert len(found) >= promised > 0
    assert [sequence for sequence, _ in found] == list(range(len(found)))
    assert all(each == record(sequence) for sequence, each in found)
