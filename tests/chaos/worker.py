"""A program of the campaign: it submits operations on a shared channel and writes a side log.

    work PACE   submit operations: moderate, quick (as many as are confirmed), or bulky (long ones)
    finish      submit a last one
    hang N      occupy the main thread for N seconds, as an object's handler that does not return
    tell        write the whole state to the side log
    forget …    declare those of these members gone, by identities, that are absent and waited for
    end         leave in good order and end

    worker.py NAME INCARNATION SIDE_LOG SEED [DATA_FOLDER]       (the other folders are below LIVEN_HOME)

The state is the list of all operations. A row "ack" says that an operation is confirmed and at which place of
the list it is, with a digest of everything up to there. `CHAOS_PLANT` plants a fault, to test the campaign:
an operation that is lost or doubled, or names of members of 13 bits in the messages of the order, as they
were once.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import sys
import time
import traceback
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from channel_figures.program import Program
from tests.chaos.branches import NAME
from tests.chaos.side_log import SideLog

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.ordering import ChannelBusyError, Installed, Output, Stable, message_codec
from liven.runtime.problems import Problem
from liven.types.declare import Dual, proxy
from liven.types.terms.value_types import TEXT

CHANNEL: Final = "home/chaos/registers"
REGISTER_SECONDS: Final = 2.0
"""Each register is used for so long, by all programs: the search of the checker stays small."""
_TELL_EVERY: Final = 0.5
_SHORT: Final = (0,) * 16 + (1_000,) * 3 + (20_000,)
PLANT: Final = os.environ.get("CHAOS_PLANT", "")
if PLANT == "names":
    message_codec._NODE_MOST = 1 << 13  # type: ignore[misc]  # it is final in programs without planted faults


def operation_of(text: str) -> str:
    """Return the name of an operation, such as `m2.1.17`: the 17th of the first incarnation of m2."""
    return text.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Pace:
    """The speed at which a program submits operations, and their size."""

    under_way_most: int
    """Operations that may wait; then it submits no more until some are confirmed."""
    pauses: tuple[float, ...]
    sizes: tuple[int, ...]


PACES: Final = {
    "moderate": Pace(60, (0.01, 0.03, 0.05, 0.1, 0.2), _SHORT),
    "quick": Pace(300, (0.0, 0.0, 0.0, 0.005, 0.02), _SHORT),
    "bulky": Pace(60, (0.02, 0.05, 0.1), (0, 50_000, 400_000)),
}


class History:
    """The list of all operations, with a digest after each."""

    def __init__(self, texts: list[str]) -> None:
        self.texts: list[str] = []
        self.digests: list[str] = []
        self.places: dict[str, int] = {}
        self.digest = ""
        for text in texts:
            self.add(text)

    def add(self, text: str) -> int:
        """Append an operation and return its place."""
        self.digest = hashlib.blake2b((self.digest + text).encode(), digest_size=8).hexdigest()
        self.texts.append(text)
        self.digests.append(self.digest)
        return self.places.setdefault(operation_of(text), len(self.texts) - 1)

    def read(self, place: int) -> int:
        """Return the value that the read at a place finds in its register."""
        register = self.texts[place].split(" ")[2]
        for text in reversed(self.texts[:place]):
            words = text.split(" ")
            if words[1:3] == ["w", register]:
                return int(words[3])
        return 0


@proxy(id="C4E2A7D91B5F40E88D36F0917A2B5C64", alias="test:chaos-registers")
class Registers:
    """The object on the channel."""

    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self) -> None:
        self.history = History([])
        self.begun = False
        self.heard: list[Any] = []

    def initialize(self, checkpoint: str | None) -> None:
        self.history = History(checkpoint.split("\n") if checkpoint else [])
        self.begun = True
        for listener in self.heard:
            listener("begin", len(self.history.texts), "")

    def receive(self, message: str) -> None:
        text = message.partition("|")[0]
        place = self.history.add(text)
        for listener in self.heard:
            listener("got", place, text)

    def checkpoint(self) -> str:
        return "\n".join(self.history.texts)

    def send(self, text: str) -> None:
        self.channel.peer.send(text)


class Worker:
    """The program."""

    def __init__(self, name: str, incarnation: str, side: Path, seed: int, data: Path | None) -> None:
        self._name, self._incarnation = name, incarnation
        self._side = SideLog(side)
        self._side.write("start", name=name, incarnation=int(incarnation), pid=os.getpid(), day=time.time())
        self._chance = random.Random(seed)
        self._program = Program(data)
        self._program.session.node.problems.listen(self._problem)
        self._object = self._program.build(Registers)
        self._channel = self._program.build(SharedChannel, TEXT, TEXT, name=CHANNEL)
        self._registers: Registers = self._object.proxy().instance
        self._registers.heard.append(self._heard)
        node = self._program.session.node
        node.connect(self._object.endpoint("channel"), self._channel.endpoint("Channel"))
        self._session = self._channel.proxy().instance._session
        self._texts: dict[int, str] = {}
        """The names of operations that are not confirmed, by their tickets."""
        self._due: list[str] = []
        """Confirmed operations that the object has not received yet."""
        self._sent = 0
        self._confirmed = 0
        self._pace: Pace | None = None
        self._watched: object = None
        self._over = False

    # Watching the channel

    def _watch(self) -> None:
        """Watch the replica, as soon as there is one."""
        replica = self._session._replica
        if replica is None or replica is self._watched:
            return
        self._watched, channel = replica, replica.channel
        self._texts = {ticket: _name_in(payload) for ticket, payload in channel.tickets.items()}
        submit, handle = channel.submit, replica.handle

        def submitted(payload: bytes) -> int:
            ticket: int = submit(payload)
            self._texts[ticket] = _name_in(payload)
            return ticket

        def handled(output: Output, now: float) -> None:
            handle(output, now)
            if isinstance(output, Stable) and output.ticket is not None:
                self._stable(output.ticket)
            elif isinstance(output, Installed):
                self._installed(output)

        channel.submit, replica.handle = submitted, handled

    def _stable(self, ticket: int) -> None:
        for each in [each for each in self._texts if each <= ticket]:
            self._due.append(self._texts.pop(each))
        self._acknowledge()

    def _installed(self, installed: Installed) -> None:
        for ticket in [each for each in self._texts if each in installed.branched]:
            self._side.write("branched", op=self._texts.pop(ticket))
        self._side.write("view", main=installed.main, members=len(installed.seats))

    def _acknowledge(self) -> None:
        """Acknowledge what is confirmed and received: an object may lag behind its channel."""
        history, rest = self._registers.history, []
        for name in self._due:
            place = history.places.get(name)
            if place is None:
                rest += [name] if name else []
                continue
            words = history.texts[place].split(" ")
            value = history.read(place) if words[1] == "r" else None
            self._side.write("ack", op=name, place=place, digest=history.digests[place], value=value)
            self._confirmed += name.startswith(f"{self._name}.{self._incarnation}.")
        self._due = rest

    def _heard(self, kind: str, place: int, text: str) -> None:
        if kind == "begin":
            self._side.write("begin", count=place, digest=self._registers.history.digest)
        else:
            self._side.write("got", place=place, text=text)
        if self._due:
            self._acknowledge()

    def _problem(self, problem: Problem) -> None:
        self._side.write("problem", what=f"{problem}")

    # Submitting

    def _submit(self, words: str, size: int = 0) -> None:
        self._sent += 1
        name = f"{self._name}.{self._incarnation}.{self._sent}"
        self._side.write("submit", op=name, words=words)
        if PLANT == "lose" and self._sent == 20:
            self._side.write("ack", op=name, place=10**6, digest="", value=None)
            return
        text = f"{name} {words}" + (f"|{'.' * size}" if size else "")
        for _ in range(2 if PLANT == "double" and self._sent == 20 else 1):
            self._registers.send(text)

    def _submit_some(self, pace: Pace) -> None:
        register = int(time.monotonic() / REGISTER_SECONDS)
        drawn = self._chance.random()
        if drawn < 0.1:
            self._submit(f"w {register} {self._chance.getrandbits(40)}")
        elif drawn < 0.2:
            self._submit(f"r {register}")
        else:
            self._submit("x", self._chance.choice(pace.sizes))

    def _may_submit(self, pace: Pace) -> bool:
        under_way = self._sent - self._confirmed
        return self._registers.begun and under_way < pace.under_way_most and not self._session.full

    async def _work(self) -> None:
        while not self._over:
            self._watch()
            pace, pause = self._pace, 0.02
            if pace is not None and self._may_submit(pace):
                try:
                    self._submit_some(pace)
                except ChannelBusyError as error:
                    self._side.write("refused", why=str(error))
                pause = self._chance.choice(pace.pauses)
            await asyncio.sleep(pause)

    # Reporting

    async def _report(self) -> None:
        while not self._over:
            self._tick()
            await asyncio.sleep(_TELL_EVERY)

    def _tick(self) -> None:
        replica, history = self._session._replica, self._registers.history
        stage = "" if replica is None else replica.channel.stage.name.lower()
        waiting = self._session.unacknowledged + len(self._due)
        self._side.write(
            "tick",
            count=len(history.texts),
            digest=history.digest,
            waiting=waiting,
            begun=self._registers.begun,
            stage=stage,
            orders=replica is not None and replica.channel.orders,
            votes=[] if replica is None else [each.hex() for each in replica.channel.voter.identities],
            sent=self._sent,
            confirmed=self._confirmed,
        )

    # Obeying

    async def _obey(self) -> None:
        loop = self._program.loop
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        jobs = [asyncio.ensure_future(self._work()), asyncio.ensure_future(self._report())]
        for job in jobs:
            job.add_done_callback(_end_with_error)
        while not self._over and (line := (await reader.readline()).decode().split()):
            match line:
                case ["work", pace]:
                    self._pace = PACES[pace]
                case ["finish"]:
                    self._pace = None
                    self._submit("last")
                    self._side.write("finish", op=f"{self._name}.{self._incarnation}.{self._sent}")
                case ["hang", seconds]:
                    self._program.session.node.dispatcher.call_soon(partial(time.sleep, float(seconds)))
                case ["tell"]:
                    self._side.write("state", texts=self._registers.history.texts)
                case ["forget", *members]:
                    self._forget([bytes.fromhex(each) for each in members])
                case ["end"]:
                    self._over = True
                case words:
                    raise ValueError(f"no program knows {' '.join(words)!r}")
        await asyncio.gather(*jobs)

    def _forget(self, members: list[bytes]) -> None:
        """Declare members gone, as a person does at the problem that names them."""
        absent = self._session.absent or ()
        if gone := [each for each in members if each in absent]:
            self._side.write("declared", members=[each.hex() for each in gone])
            self._session.declare_gone(gone)

    def run(self) -> None:
        """Obey until told to end, or until the director is gone."""
        loop = self._program.loop
        loop.run_until_complete(self._obey())
        self._side.write("leaving")
        self._object.close()
        self._channel.close()
        left = loop.create_future()
        self._program.channels.farewell(lambda: left.set_result(None))
        loop.run_until_complete(left)
        self._program.channels.close()
        self._program.session.close()
        self._side.write("ended")


def _end_with_error(job: asyncio.Future[None]) -> None:
    """End the process if a job of its own failed: it would watch no more, and nobody would notice."""
    if not job.cancelled() and (error := job.exception()) is not None:
        traceback.print_exception(error)
        os._exit(70)


def _name_in(payload: bytes) -> str:
    """Return the name of the operation in an encoded message; empty for a message of the channel itself."""
    found = NAME.search(payload)
    return found.group().decode() if found else ""


if __name__ == "__main__":
    name, incarnation, side, seed, *data = sys.argv[1:]
    Worker(name, incarnation, Path(side), int(seed), Path(data[0]) if data else None).run()
