"""The stories of the object model as a user sees them, numbered as in the specification."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from liven.runtime.checking.adapter_proposals import propose
from liven.runtime.errors import MismatchError
from liven.runtime.problems import Kind
from liven.runtime.reference.identity import REGISTRY, digest
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Export,
    Object,
    ObjectClass,
    Parameter,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import compact
from liven.types.declare import Ref

if TYPE_CHECKING:
    from tests.e2e.conftest import Machine

MakeMachine = Callable[[str], "Machine"]

ORDERS = """
from typing import Annotated, Protocol
from liven.types.declare import Dual, interface, provides, proxy, requires

@interface
class Sends(Protocol):
    def send(self, text: str) -> None: ...

@interface
class Receives(Protocol):
    def receive(self, text: str) -> None: ...

@proxy(id="E001", alias="story:fifo")
class Fifo:
    channel: Annotated[Dual[Sends, Receives], provides("guarantee", "fifo")]
    def send(self, text: str) -> None:
        self.channel.peer.receive(text)

@proxy(id="E002", alias="story:document")
class Document:
    channel: Annotated[Dual[Receives, Sends], requires("guarantee", "total")]
    def __init__(self) -> None:
        self.text = ""
    def receive(self, text: str) -> None:
        self.text += text

@proxy(id="E003", alias="story:ordering", delegates=("above", "below"))
class Ordering:
    above: Annotated[Dual[Sends, Receives], provides("guarantee", "total")]
    below: Annotated[Dual[Receives, Sends], requires("guarantee", "fifo")]
    def __init__(self, context) -> None:
        context.serve("above", _Above(self))
        context.serve("below", _Below(self))

class _Above:
    def __init__(self, it) -> None: self.it = it
    def send(self, text: str) -> None: self.it.below.peer.send(text)

class _Below:
    def __init__(self, it) -> None: self.it = it
    def receive(self, text: str) -> None: self.it.above.peer.receive(text)
"""


def wired(*parts: tuple[str, Object], joints: tuple[tuple[str, str], ...], **exports: str) -> Composite:
    return Composite(
        "",
        components=tuple(Component(name, thing) for name, thing in parts),
        connections=tuple(Connection(left, right) for left, right in joints),
        exports=tuple(Export(name, origin) for name, origin in exports.items()),
    )


def text(name: str, value: str) -> Parameter:
    return Parameter(name, Plain("string", value))


def test_story_3_a_demand_is_refused_alike_in_the_file_and_at_run_time_and_an_adapter_mends_it(
    machine: MakeMachine,
) -> None:
    here = machine("here")
    here.learn("orders", ORDERS)
    document, fifo = Reference("story:document"), Reference("story:fifo")
    wrong = wired(("doc", document), ("net", fifo), joints=(("doc.channel", "net.channel"),))
    drawn = here.refused(wrong)
    assert drawn.where[-1] == "Connection[doc.channel net.channel]"
    assert drawn.explanation is not None

    doc, net = here.open(document), here.open(fifo)
    with pytest.raises(MismatchError) as ran:
        here.session.node.connect(doc.endpoint("channel"), net.endpoint("channel"))
    assert ran.value.explanation.render() == drawn.explanation.render()
    assert "total" in drawn.explanation.render()
    assert not doc.endpoint("channel").connected

    known = here.session.known
    ends = doc.endpoint("channel").type, net.endpoint("channel").type
    (proposal,) = propose(known.catalogue, known.matcher, *ends)
    assert (proposal.entry.alias, proposal.left, proposal.right) == ("story:ordering", "above", "below")

    mended = wired(
        ("doc", document),
        ("order", Reference(proposal.entry.alias)),
        ("net", fifo),
        joints=(("doc.channel", "order.above"), ("order.below", "net.channel")),
    )
    handle = here.open(mended)
    written = here.instance(handle.proxy().parts[0])
    written.channel.peer.send("in order")
    assert written.text == "in order"


def test_story_4_two_modules_that_never_heard_of_each_other_connect_and_exchange_events(
    machine: MakeMachine,
) -> None:
    here = machine("here")
    here.learn(
        "mine",
        """
from dataclasses import dataclass
from typing import Protocol
from liven.types.declare import Dual, interface, proxy, value
@value
class Note:
    author: str
    words: list[str]
@interface
class Board(Protocol):
    def pin(self, note: Note) -> None: ...
    def count(self) -> int: ...
@interface
class Watcher(Protocol):
    def pinned(self, note: Note) -> None: ...
@proxy(id="E101", alias="mine:board")
class MyBoard:
    door: Dual[Board, Watcher]
    def __init__(self) -> None:
        self.notes: list[Note] = []
    def pin(self, note: Note) -> None:
        assert type(note) is Note
        self.notes.append(note)
        self.door.peer.pinned(note)
    def count(self) -> int:
        return len(self.notes)
""",
    )
    here.learn(
        "yours",
        """
from typing import Protocol
from liven.types.declare import Dual, interface, proxy, value
@value
class Slip:
    words: tuple[str, ...]
    author: str
@interface
class Wall(Protocol):
    def count(self) -> int: ...
    def pin(self, note: Slip) -> None: ...
@interface
class Reader(Protocol):
    def pinned(self, note: Slip) -> None: ...
@proxy(id="E102", alias="yours:reader")
class YourReader:
    door: Dual[Reader, Wall]
    def __init__(self) -> None:
        self.read: list[Slip] = []
    def door_connected(self) -> None:
        self.door.peer.pin(Slip(("hello", "there"), "you"))
    def pinned(self, note: Slip) -> None:
        assert type(note) is Slip
        self.read.append(note)
""",
    )
    board, reader = here.open(Reference("mine:board")), here.open(Reference("yours:reader"))
    here.session.node.connect(board.endpoint("door"), reader.endpoint("door"))
    (slip,) = here.instance(reader).read
    assert (slip.author, slip.words) == ("you", ("hello", "there"))
    (note,) = here.instance(board).notes
    assert note.words == ["hello", "there"]
    assert here.instance(reader).door.peer.count().value() == 1
    assert len(here.problems) == 0


STACK = """
from typing import Protocol
from liven.types.declare import Dual, Imports, Exports, interface, proxy

@interface
class Down(Protocol):
    def send(self, text: str) -> None: ...
@interface
class Up(Protocol):
    def deliver(self, text: str) -> None: ...
@interface
class Views(Protocol):
    def changed(self, members: list[str]) -> None: ...

@proxy(id="E201", alias="stack:membership")
class Membership:
    views: Imports[Views]
    def __init__(self, members: str) -> None:
        self.members = members.split()
    def views_connected(self) -> None:
        self.views.peer.changed(self.members)

@proxy(id="E202", alias="stack:dissemination")
class Dissemination:
    group: Exports[Views]
    app: Dual[Down, Up]
    def __init__(self) -> None:
        self.members: list[str] = []
    def changed(self, members: list[str]) -> None:
        self.members = members
    def send(self, text: str) -> None:
        for member in self.members:
            self.app.peer.deliver(f"{member}:{text}")

@proxy(id="E203", alias="stack:recovery", delegates=("top", "bottom"))
class Recovery:
    top: Dual[Down, Up]
    bottom: Dual[Up, Down]
    def __init__(self, context) -> None:
        self.seen = set()
        context.serve("top", _Top(self))
        context.serve("bottom", _Bottom(self))

class _Top:
    def __init__(self, it) -> None: self.it = it
    def send(self, text: str) -> None:
        self.it.bottom.peer.send(text)
        self.it.bottom.peer.send(text)
class _Bottom:
    def __init__(self, it) -> None: self.it = it
    def deliver(self, text: str) -> None:
        if text not in self.it.seen:
            self.it.seen.add(text)
            self.it.top.peer.deliver(text)

@proxy(id="E204", alias="stack:application")
class Application:
    net: Dual[Up, Down]
    def __init__(self) -> None:
        self.got = []
    def deliver(self, text: str) -> None:
        self.got.append(text)
"""


def test_story_5_a_composite_is_built_saved_mailed_and_runs_elsewhere(machine: MakeMachine) -> None:
    stack = wired(
        ("members", Reference("stack:membership", (text("members", "ann bob"),))),
        ("spread", Reference("stack:dissemination")),
        ("again", Reference("stack:recovery")),
        joints=(("members.views", "spread.group"), ("spread.app", "again.bottom")),
        reliable="again.top",
    )
    author, friend = machine("author"), machine("friend")
    for one in (author, friend):
        one.learn("stack", STACK)
    mailed = friend.home / "from mail.liveobject"
    mailed.write_bytes(author.save(stack, "stack").read_bytes())
    for one, thing in ((author, stack), (friend, mailed)):
        net, app = one.open(thing), one.open(Reference("stack:application"))
        one.session.node.connect(net.endpoint("reliable"), app.endpoint("net"))
        one.instance(app).net.peer.send("hi")
        assert one.instance(app).got == ["ann:hi", "bob:hi"]
        net.close()
        app.close()
        assert not one.session.node.running
    assert digest(stack, author.session.known.checker.lookup) == digest(
        stack, friend.session.known.checker.lookup
    )


PLATFORM = """
from pathlib import Path
from typing import Protocol
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, EndpointRef, interface, proxy

@interface
class Sends(Protocol):
    def send(self, text: str) -> None: ...
@interface
class Receives(Protocol):
    def receive(self, text: str) -> None: ...

@proxy(id="E301", alias="platform:local", delegates=("app", "uplink"))
class LocalNet:
    '''One network: gives each message to the application here and to whoever came over the uplink.'''
    app: Dual[Sends, Receives]
    uplink: Dual[Sends, Receives]
    def __init__(self, context: Context, address_file: str) -> None:
        self.context = context
        context.serve("app", _Side(self))
        context.serve("uplink", _Side(self))
        Path(address_file).write_text(context.offer("uplink").address)
    def spread(self, text: str) -> None:
        for name in ("app", "uplink"):
            if self.context.connected(name):
                getattr(self, name).peer.receive(text)

class _Side:
    def __init__(self, it) -> None: self.it = it
    def send(self, text: str) -> None: self.it.spread(text)

@proxy(id="E302", alias="platform:tunnel", delegates=("app", "far"))
class TunnelNet:
    '''Another network: everything goes through a tunnel to the first.'''
    app: Dual[Sends, Receives]
    far: Dual[Receives, Sends]
    def __init__(self, context: Context, address_file: str) -> None:
        context.serve("app", _Near(self))
        context.serve("far", _Far(self))
        context.reach("far", EndpointRef(Path(address_file).read_text()))

class _Near:
    def __init__(self, it) -> None: self.it = it
    def send(self, text: str) -> None: self.it.far.peer.send(text)
class _Far:
    def __init__(self, it) -> None: self.it = it
    def receive(self, text: str) -> None: self.it.app.peer.receive(text)

@proxy(id="E303", alias="platform:chat")
class Chat:
    net: Dual[Receives, Sends]
    def __init__(self) -> None:
        self.lines: list[str] = []
    def receive(self, text: str) -> None:
        self.lines.append(text)
"""


def test_story_7_one_file_means_each_nodes_own_platform_and_the_two_talk(
    machine: MakeMachine,
) -> None:
    east, west = machine("east"), machine("west")
    address = str(east.home / "address")
    for one, kind in ((east, "platform:local"), (west, "platform:tunnel")):
        one.learn("platform", PLATFORM)
        assert one.session.installation is not None
        one.session.installation.registry.put("MyPlatform", Reference(kind, (text("address_file", address),)))
    platform = Reference("MyPlatform", source=Reference(REGISTRY))
    # which endpoint of the platform is meant is said in a composite, since the local one has two
    chat = wired(("chat", Reference("platform:chat")), ("net", platform), joints=(("chat.net", "net.app"),))
    file = east.save(chat, "chat")
    (west.home / "chat.liveobject").write_bytes(file.read_bytes())
    there, here = east.open(file), west.open(west.home / "chat.liveobject")
    talkers = [one.instance(handle.proxy().parts[0]) for one, handle in ((east, there), (west, here))]

    def both_turn(until: Callable[[], bool]) -> None:
        for _ in range(200):
            for one in (east, west):
                one.crank.wait(lambda: True)
            if until():
                return
        raise AssertionError([talker.lines for talker in talkers])

    net = there.proxy().parts[1].endpoint("uplink")
    both_turn(lambda: net.connected)
    talkers[1].net.peer.send("from the west")
    both_turn(lambda: all(talker.lines == ["from the west"] for talker in talkers))
    talkers[0].net.peer.send("from the east")
    both_turn(lambda: all(len(talker.lines) == 2 for talker in talkers))
    there.close()
    here.close()


def test_story_8_an_item_is_fetched_through_the_folders_protocol_and_refused_when_it_does_not_fit(
    machine: MakeMachine,
) -> None:
    here = machine("here")
    here.learn("stack", STACK)
    here.learn("kinds", _KINDS)
    shelf = here.home / "shelf"
    shelf.mkdir()
    folder = Reference("liven:local-folder", (text("path", str(shelf)),))
    for name, thing in (("good", Reference("stack:application")), ("bad", Reference("stack:dissemination"))):
        (shelf / f"{name}.liveobject").write_bytes(here.save(thing, name).read_bytes())
    wanted = ObjectClass("kinds:application")
    assert here.instance(here.open(Reference("good", source=folder, object_class=wanted))).got == []
    error = here.refused(Reference("bad", source=folder, object_class=wanted))
    assert "the folder's item 'bad' is not of the expected class" in error.what
    assert error.explanation is not None
    assert "net" in error.explanation.render()
    (problem,) = here.problems
    assert problem.kind is Kind.UNBUILT


_KINDS = """
from typing import Protocol
from liven.types.declare import Dual, interface, object_type
@interface
class Down(Protocol):
    def send(self, text: str) -> None: ...
@interface
class Up(Protocol):
    def deliver(self, text: str) -> None: ...
@object_type(id="E2F4", alias="kinds:application")
class Application:
    net: Dual[Up, Down]
"""


def test_story_9_the_last_reference_dropped_tells_the_neighbours_and_gives_the_memory_back(
    machine: MakeMachine,
) -> None:
    here = machine("here")
    here.learn("stack", STACK)
    app = here.open(Reference("stack:application"))
    left: list[str] = []

    def live() -> weakref.ref[object]:
        net = here.open(Reference("stack:dissemination"))
        connection = here.session.node.connect(net.endpoint("app"), app.endpoint("net"))
        connection.on_disconnect(lambda: left.append("left"))
        watch = weakref.ref(here.instance(net))
        other = net.clone()
        net.close()
        assert app.endpoint("net").connected
        other.close()
        assert not app.endpoint("net").connected
        return watch

    live()
    gc.collect()
    before = len(gc.get_objects())
    gc.disable()
    try:
        assert [live()() for _ in range(49)] == [None] * 49, "no collector is needed to free a proxy"
    finally:
        gc.enable()
    here.crank.advance(60)
    gc.collect()
    assert len(gc.get_objects()) - before < 50
    assert left == ["left"] * 50
    assert [proxy.path for proxy in here.session.node.running.values()] == [app.path]


ALBUM = """
from typing import Protocol
from liven.runtime.objects.context import Context
from liven.types.declare import Exports, Ref, interface, object_type, proxy

@object_type
class Anything: ...

@interface
class Pages(Protocol):
    def put(self, name: str, item: Ref[Anything]) -> None: ...
    def show(self, name: str) -> None: ...

@proxy(id="E401", alias="album:album")
class Album:
    '''Holds references in its state, and runs the one whose page is open.'''
    pages: Exports[Pages]
    def __init__(self, context: Context) -> None:
        self.context, self.items, self.shown = context, {}, None
    def put(self, name: str, item: Ref[Anything]) -> None:
        self.items[name] = item
    def show(self, name: str) -> None:
        self.shown = None
        if name in self.items:
            self.context.dereference(self.items[name], name).then(self.opened)
    def opened(self, reply) -> None:
        self.shown = reply.value() if reply.error is None else None
"""


def test_story_10_an_object_in_anothers_state_runs_while_it_is_shown(machine: MakeMachine) -> None:
    here = machine("here")
    here.learn("stack", STACK)
    here.learn("album", ALBUM)
    album = here.open(Reference("album:album"))
    instance = here.instance(album)
    node = here.session.node

    def show(name: str) -> list[tuple[str, ...]]:
        instance.show(name)
        here.crank.wait(lambda: name not in instance.items or instance.shown is not None)
        return [proxy.path for proxy in node.running.values()][1:]

    for name in ("first", "second"):
        instance.put(name, Ref(compact(Reference("stack:application"))))
    assert len(node.running) == 1
    assert show("first") == [("album:album", "first")]
    assert show("second") == [("album:album", "second")]
    assert show("nothing") == []
    show("first")
    album.close()
    assert not node.running
