"""A member for `joining.py`: it holds a list of 10 MB and changes it, or joins it."""

from __future__ import annotations

import os
import sys
import time
import uuid
from collections import deque
from pathlib import Path

from channel_figures.program import Program

from liven.liveobjects.shared_list.object import Edit, ListObject
from liven.types.declare import proxy

RECORDS = 10_000
SIZE = 1000
EVERY = 0.001
NAME = "home/bench/joining"


@proxy(id="D174B0C59A42DE8C39DF821554C90E84", alias="bench:watched-list")
class WatchedList(ListObject):
    """A list that measures the time until its own changes come back."""

    sent: deque[float]
    longest: float
    came: int

    def watch(self) -> None:
        """Begin to measure now."""
        self.sent, self.longest, self.came = deque(), 0.0, 0

    def change(self, key: uuid.UUID, text: str) -> None:
        self.sent.append(time.monotonic())
        super().change(key, text)

    def receive(self, message: Edit) -> None:
        super().receive(message)
        if hasattr(self, "sent"):
            self.came += 1
            if self.sent:
                self.longest = max(self.longest, time.monotonic() - self.sent.popleft())


def main() -> None:
    """As `veteran`, answer lines; as `joiner`, print the seconds it took. Each has a log of its own."""
    program = Program(Path(os.environ["LIVEN_HOME"]) / f"kept by the {sys.argv[1]}")
    if sys.argv[1] == "joiner":
        program.replicated(ListObject, name=f"{NAME} warm")
        program.turn(3.0)
        start = time.monotonic()
        member = _member(program)
        member.watch()
        program.until(lambda: member.ready and len(member.state.rows) >= RECORDS and member.came > 0, 60.0)
        print(time.monotonic() - start, flush=True)
        program.turn(3.0)
        os._exit(0)
    member = _member(program)
    program.until(lambda: member.ready)
    keys = _fill(program, member)
    print("full", flush=True)
    sys.stdin.readline()
    os.set_blocking(0, False)
    _work(program, member, keys)


def _member(program: Program) -> WatchedList:
    made = program.replicated(WatchedList, name=NAME)
    assert isinstance(made, WatchedList)
    return made


def _fill(program: Program, member: WatchedList) -> list[uuid.UUID]:
    for number in range(RECORDS):
        member.append(f"{number:<{SIZE}}")
        if number % 100 == 0:
            program.turn(0.002)
    program.until(lambda: len(member.state.rows) == RECORDS)
    return list(member.state.rows)


def _work(program: Program, member: WatchedList, keys: list[uuid.UUID]) -> None:
    """Make a thousand changes a second, until asked for the longest time of one."""
    program.turn(2.0)
    member.watch()
    due, number = time.monotonic(), 0
    while not sys.stdin.readline():
        while due <= time.monotonic():
            member.change(keys[number % RECORDS], f"changed {number}")
            number, due = number + 1, due + EVERY
        program.turn(EVERY / 2)
    print(member.longest, flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
