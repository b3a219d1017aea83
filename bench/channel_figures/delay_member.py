"""A member for `delay.py`: it sends on request, and reports the delays of the messages it received."""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial
from statistics import median

from channel_figures.members import FOLDER, KINDS
from channel_figures.program import Program

PAUSE = 0.03


def main() -> None:
    """Answer the lines `send N` and `report`."""
    program = Program()
    delays: dict[str, list[float]] = {kind: [] for kind in KINDS}
    clients = {}
    for kind, (channel, client, classes) in KINDS.items():
        clients[kind] = program.joined(client, channel, *classes, name=f"{FOLDER}/{kind}")
        clients[kind].heard = partial(_note, delays[kind])
    print("here", flush=True)
    os.set_blocking(0, False)
    while True:
        program.turn(0.02)
        line = sys.stdin.readline()
        if line.startswith("send"):
            for _ in range(int(line.split()[1])):
                for client in clients.values():
                    client.send(f"{time.monotonic_ns():<100}")
                    program.turn(PAUSE)
            print("sent", flush=True)
        elif line:
            said = {kind: median(some) if some else -1 for kind, some in delays.items()}
            for some in delays.values():
                some.clear()
            print(json.dumps(said), flush=True)


def _note(delays: list[float], message: str) -> None:
    delays.append((time.monotonic_ns() - int(message)) / 1000)


if __name__ == "__main__":
    main()
