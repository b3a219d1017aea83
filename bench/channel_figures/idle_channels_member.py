"""A thousand durable channels for `idle_channels.py`; prints what they cost."""

from __future__ import annotations

import gc
import json
import os
import time
from pathlib import Path

from channel_figures.program import Program

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.counter.object import CounterObject
from liven.types.terms.value_types import INT64

CHANNELS = 1000
IDLE_SECONDS = 5.0


def main() -> None:
    """Open one channel to warm up, and then the rest."""
    program = Program()
    counters = [_opened(program, "warm")]
    program.until(lambda: counters[0].ready)
    program.turn(1.0)
    before = _resident()
    for number in range(CHANNELS):
        counters.append(_opened(program, f"channel {number}"))
        program.turn(0.0)
    program.until(lambda: all(counter.ready for counter in counters), 120.0)
    program.turn(5.0)
    size = (_resident() - before) / CHANNELS
    start = time.process_time()
    program.turn(IDLE_SECONDS)
    idle = (time.process_time() - start) / IDLE_SECONDS
    facts = {"idle": idle, "bytes": size, "descriptors": len(list(Path("/proc/self/fd").iterdir()))}
    print(json.dumps(facts), flush=True)
    os._exit(0)  # without a thousand farewells, which are not measured


def _opened(program: Program, name: str) -> CounterObject:
    opened = program.joined(CounterObject, SharedChannel, INT64, INT64, name=f"home/bench/{name}")
    assert isinstance(opened, CounterObject)
    return opened


def _resident() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
