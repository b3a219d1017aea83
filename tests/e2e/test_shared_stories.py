"""Shared objects in real processes: late joiners, kills, and everybody gone and back."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PATIENCE = 20.0
WRITER = '''
from __future__ import annotations

import os
from typing import Protocol

from liven.liveobjects.channel.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.shared import SharedChannel
from liven.liveobjects.counter.object import Counter, CounterClient
from liven.runtime.context import Context
from liven.types.declare import Dual, Int64, interface, proxy


@proxy(id="0A0B0C0D0E0F40008000000000000079", alias="test:numbers")
class Numbers(SharedChannel[Int64, Int64]):
    """A shared channel of numbers; files have no name for their class."""


@interface
class Lines(Protocol):
    def append(self, text: str) -> None: ...


@interface
class LinesClient(Protocol):
    def listed(self, lines: list[str]) -> None: ...


@proxy(id="0A0B0C0D0E0F40008000000000000078", alias="test:list")
class Shopping:
    """Lines in one order; a message is a line, a checkpoint is all of them."""

    content: Dual[Lines, LinesClient]
    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.rows: list[str] | None = None

    def append(self, text: str) -> None:
        self.channel.peer.send(text)

    def initialize(self, checkpoint: str | None) -> None:
        self.rows = (checkpoint or "").split()
        self.tell()

    def receive(self, message: str) -> None:
        self.rows = [*self.rows, message]
        self.tell()

    def checkpoint(self) -> str:
        return " ".join(self.rows)

    def content_connected(self) -> None:
        self.tell()

    def tell(self) -> None:
        if self.context.connected("content") and self.rows is not None:
            self.content.peer.listed(self.rows)


@proxy(id="0A0B0C0D0E0F40008000000000000077", alias="test:writer")
class Writer:
    """Counts and writes as its file of orders says, a line each; says in another file what it sees."""

    counter: Dual[CounterClient, Counter]
    content: Dual[LinesClient, Lines]

    def __init__(self, context: Context, orders: str) -> None:
        self.context, self.orders = context, orders
        self.number: int | None = None
        self.lines: list[str] | None = None
        self.done = 0
        context.call_later(0.1, self.look)

    def look(self) -> None:
        words = open(self.orders).read().splitlines() if os.path.exists(self.orders) else []
        for word in words[self.done:]:
            self.counter.peer.add(1)
            self.content.peer.append(word)
        self.done = len(words)
        self.context.call_later(0.1, self.look)

    def counted(self, value: int) -> None:
        self.number = value
        self.tell()

    def listed(self, lines: list[str]) -> None:
        self.lines = lines
        self.tell()

    def tell(self) -> None:
        with open(self.orders + ".new", "w") as stream:
            stream.write(repr((self.number, self.lines)))
        os.replace(self.orders + ".new", self.orders + ".seen")
'''
HEAD = (
    '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:xsd="http://www.w3.org/2001/XMLSchema">'
)


def counter_recipe(name: str) -> str:
    """The shared counter on the group of that name."""
    return (
        f'{HEAD}<Object xsi:type="ReferenceObject" id="liven:shared-counter"><Parameter id="channel">'
        '<Value xsi:type="ReferenceObject" id="test:numbers"><Parameter id="name">'
        f'<Value xsi:type="xsd:string">{name}</Value></Parameter></Value></Parameter></Object></Root>'
    )


def recipe(alias: str, channel: str, value: str) -> str:
    """A shared object on the channel of that name, which carries values of that class."""
    classes = "".join(
        f'<Parameter id="{name}"><Value xsi:type="ValueClass" id="{value}"/></Parameter>'
        for name in ("MessageClass", "CheckpointClass")
    )
    return (
        f'{HEAD}<Object xsi:type="ReferenceObject" id="{alias}"><Parameter id="channel">'
        f'<Value xsi:type="ReferenceObject" id="{channel}">'
        f'<ObjectClass id="liven:checkpointed-channel">{classes}</ObjectClass>'
        '<From xsi:type="ReferenceObject" id="liven:communication"/></Value>'
        "</Parameter></Object></Root>"
    )


class Person:
    """Somebody at a terminal of one machine, where `liven run` has a counter and a list."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._home = folder / "home"
        self._orders = folder / f"{name}.orders"
        self._journal = folder / f"{name}.journal"
        self._written = 0
        self._running: subprocess.Popen[bytes] | None = None
        self._files = [folder / f"{name}-{stem}.liveobject" for stem in ("counter", "list", "writer")]
        self._module = folder / "writer.py"
        self._module.write_text(WRITER)
        self._files[0].write_text(counter_recipe("home/stories/tally"))
        self._files[1].write_text(recipe("test:list", "shopping", "liven:text"))
        self._files[2].write_text(
            f'{HEAD}<Object xsi:type="ReferenceObject" id="test:writer"><Parameter id="orders">'
            f'<Value xsi:type="xsd:string">{self._orders}</Value></Parameter></Object></Root>'
        )

    def start(self) -> None:
        """Begins the objects."""
        self._seen.unlink(missing_ok=True)
        self._orders.write_text("")
        name = self.name
        joined = (f"{name}-counter.counter", f"{name}-writer.counter")
        listed = (f"{name}-list.content", f"{name}-writer.content")
        words = [*map(str, self._files), "--module", str(self._module), "--service-idle", "1", "--json"]
        words += ["--connect", *joined, "--connect", *listed]
        with self._journal.open("ab") as journal:
            self._running = subprocess.Popen(
                [sys.executable, "-m", "liven.app.main", "run", *words],
                env={**os.environ, "LIVEN_HOME": str(self._home)},
                stdout=journal,
                stderr=journal,
            )

    def write(self, *words: str) -> None:
        """Adds lines to the list, and counts one for each."""
        with self._orders.open("a") as orders:
            orders.writelines(f"{word}\n" for word in words)

    @property
    def sees(self) -> tuple[int | None, list[str] | None]:
        """The counter and the list."""
        try:
            number, lines = ast.literal_eval(self._seen.read_text())
        except FileNotFoundError:
            return None, None
        return number, lines

    @property
    def told(self) -> str:
        """The journal, for a test that fails."""
        return self._journal.read_text()[-4000:]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends the objects."""
        if self._running is not None:
            self._running.send_signal(how)
            self._running.wait(PATIENCE)
            self._running = None

    @property
    def _seen(self) -> Path:
        return self._orders.with_name(self._orders.name + ".seen")


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Callable[[str], Person]]:
    made: list[Person] = []

    def make(name: str) -> Person:
        made.append(Person(tmp_path, name))
        return made[-1]

    yield make
    for person in made:
        person.stop(signal.SIGKILL)


def agreed(*people: Person, words: set[str]) -> list[str]:
    """Waits until all see the same, with just these words; the list."""
    end = time.monotonic() + PATIENCE
    while True:
        views = [person.sees for person in people]
        number, lines = views[0]
        alike = all(view == views[0] for view in views) and number == len(words)
        if alike and lines is not None and sorted(lines) == sorted(words):
            return lines
        if time.monotonic() > end:
            told = "\n".join(f"--- {person.name}: {person.sees}\n{person.told}" for person in people)
            raise AssertionError(f"they do not agree on {sorted(words)}:\n{told}")
        time.sleep(0.05)


def test_a_third_joins_late_the_first_is_killed_and_all_agree(people: Callable[[str], Person]) -> None:
    ann, bob, cy = (people(name) for name in ("ann", "bob", "cy"))
    ann.start()
    bob.start()
    agreed(ann, bob, words=set())
    ann.write("bread", "milk")
    bob.write("salt")
    agreed(ann, bob, words={"bread", "milk", "salt"})
    cy.start()
    early = agreed(ann, bob, cy, words={"bread", "milk", "salt"})
    cy.write("tea")
    agreed(ann, bob, cy, words={"bread", "milk", "salt", "tea"})
    ann.stop(signal.SIGKILL)
    bob.write("rice")
    cy.write("figs")
    lines = agreed(bob, cy, words={"bread", "milk", "salt", "tea", "rice", "figs"})
    assert lines[:3] == early


def test_everybody_quits_and_the_state_is_back(people: Callable[[str], Person]) -> None:
    ann, bob = people("ann"), people("bob")
    ann.start()
    bob.start()
    agreed(ann, bob, words=set())
    ann.write("bread", "milk")
    bob.write("salt")
    agreed(ann, bob, words={"bread", "milk", "salt"})
    ann.stop()
    bob.write("tea")
    before = agreed(bob, words={"bread", "milk", "salt", "tea"})
    bob.stop()
    ann.start()
    bob.start()
    assert agreed(ann, bob, words={"bread", "milk", "salt", "tea"}) == before
    ann.write("rice")
    agreed(ann, bob, words={"bread", "milk", "salt", "tea", "rice"})
