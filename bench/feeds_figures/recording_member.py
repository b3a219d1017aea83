"""A member of a busy channel, told by lines on its input what to do.

wait      waits until it has a state, and says ready
flow      begins to send at the rate of its second argument
turn N    runs for N seconds, and says how much processor time it took and how many messages it received

    recording_member.py send|plain|record RATE     (its folders are below LIVEN_HOME)
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from channel_figures.program import Program

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.recorder.recording import Recording, RecordingOptions
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, proxy
from liven.types.terms.value_types import TEXT

NAME = "home/bench/busy"
EVERY = 0.002
PAYLOAD = "." * 100


@proxy(id="0A0B0C0D0E0F4000800000000000007B", alias="bench:busy")
class Busy:
    """Sends at a rate, and counts what it receives."""

    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.ready = False
        self.received = self.sent = 0
        self.rate = 0.0
        self._begun = 0.0

    def initialize(self, checkpoint: str | None) -> None:  # noqa: ARG002 - the contract's
        self.ready = True

    def receive(self, message: str) -> None:  # noqa: ARG002 - the contract's
        self.received += 1

    def checkpoint(self) -> str:
        return ""

    def flow(self, rate: float) -> None:
        """Begin to send."""
        self.rate, self._begun = rate, self.context.now()
        self._send()

    def _send(self) -> None:
        due = int((self.context.now() - self._begun) * self.rate)
        for _ in range(min(due - self.sent, 1000)):
            self.channel.peer.send(PAYLOAD)
            self.sent += 1
        self.context.call_later(EVERY, self._send)


def main(how: str, rate: float) -> None:
    """Do what the input says."""
    home = Path(os.environ["LIVEN_HOME"])
    program = Program(home / how)
    busy = program.joined(Busy, SharedChannel, TEXT, TEXT, name=NAME)
    program.until(lambda: busy.ready)
    if how == "record":
        system = program.session.node.service(ChannelSystem)
        options = RecordingOptions(FeedFolder(home / "feed"))
        catalogue = program.session.known.catalogue
        recording = Recording(system, catalogue, options, lambda *_: None, lambda _: None)
        recording.begin(channel_reference(NAME))
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "flow":
            busy.flow(rate)
        if word == "turn":
            before, received = time.process_time(), busy.received
            program.turn(float(rest[0]))
            print(time.process_time() - before, busy.received - received, flush=True)
        elif word == "flow":
            print("flows", flush=True)
            program.loop.run_forever()
        else:
            print("ready", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
