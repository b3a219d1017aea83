"""A confined object on a channel of the program: operations, and the state that a newcomer asks it for."""

from __future__ import annotations

from typing import Any

from tests.integration.confined.conftest import NAMESPACE, Desk, needs_protection

from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.reference.model import OtherClass, Parameter, Plain, Reference, Requirement

pytestmark = needs_protection
TALLY = """
from __future__ import annotations
from typing import Protocol
from dataclasses import dataclass
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.types.declare import Dual, Int64, interface, proxy, value

@value(id="C0FF1E00000000000000000000000022", alias="example:step")
@dataclass(frozen=True)
class Step:
    amount: Int64
    by: str

@interface
class Tally(Protocol):
    def add(self, amount: Int64) -> None: ...

@interface
class TallyClient(Protocol):
    def total(self, number: Int64, last: str) -> None: ...

@proxy(id="C0FF1E00000000000000000000000021", alias="example:tally")
class TallyObject:
    tally: Dual[Tally, TallyClient]
    channel: Dual[CheckpointedClient[Step, Int64], ChannelService[Step]]

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        self.shown = False

    def tell(self, last: str) -> None:
        if self.shown:
            self.tally.peer.total(self.number, last)

    def tally_connected(self) -> None:
        self.shown = True
        self.tell("")

    def add(self, amount: int) -> None:
        self.channel.peer.send(Step(amount, self.name))

    def initialize(self, checkpoint: int | None) -> None:
        self.number = checkpoint or 0
        self.tell("")

    def receive(self, message: Step) -> None:
        self.number += message.amount
        self.tell(message.by)

    def checkpoint(self) -> int:
        return self.number
"""


def opened(desk: Desk, name: str) -> Probe:
    """Open a tally on the channel and return its neighbour."""
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", "C0FF1E00000000000000000000000022")),
        Parameter("CheckpointClass", OtherClass("ValueClass", "liven:int64")),
    )
    address = Parameter("address", Plain("string", "room"))
    on = Reference("liven:local-communication-channel", (*classes, address))
    thing = Reference(
        "C0FF1E00000000000000000000000021",
        (Parameter("name", Plain("string", name)), Parameter("channel", on)),
        requires=(Requirement(f"{NAMESPACE:032X}", 1),),
    )
    reply: Any = desk.session.loader.dereference(thing, at=(name,))
    desk.wait(lambda: reply.settled)
    handle: ProxyHandle = reply.value()
    desk.handles.append(handle)
    return Probe.joined_to(desk.session.node, handle.endpoint("tally"))


def test_operations_reach_every_object_and_a_newcomer_gets_the_state(desk: Desk) -> None:
    desk.bring(TALLY)
    ann = opened(desk, "ann")
    desk.wait(lambda: ("total", {"number": 0, "last": ""}) in ann.heard)
    for _ in range(3):
        ann.send("add", {"amount": 5})
    bob = opened(desk, "bob")
    desk.wait(lambda: ("total", {"number": 15, "last": ""}) in bob.heard)
    bob.send("add", {"amount": 1})
    last = ("total", {"number": 16, "last": "bob"})
    desk.wait(lambda: ann.heard[-1] == last and bob.heard[-1] == last)


def test_process_that_ends_while_it_is_asked_for_its_state_does_not_hold_up_a_newcomer(desk: Desk) -> None:
    desk.bring(TALLY.replace("return self.number", "import os; os._exit(1)"))
    ann = opened(desk, "ann")
    ann.send("add", {"amount": 5})
    bob = opened(desk, "bob")
    desk.wait(lambda: any("ended itself" in one for one in desk.heard))
    assert bob.heard[-1] == ("disconnect",)
    assert ann.heard[-1] == ("disconnect",)
