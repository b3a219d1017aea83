"""Shared objects in real processes: late joiners, kills, network splits, and restarts of everybody."""

from __future__ import annotations

import ast
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from liven.multicast.key_file import ensure_keys

pytestmark = pytest.mark.slow

PATIENCE = 40.0
RETRIED_WITHIN = 6.0
"""After how long what a disk did not take has been tried again, and forced."""
PORT = 28_199
WRITER = '''
from __future__ import annotations

import os
from typing import Protocol

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.counter.object import Counter, CounterClient
from liven.liveobjects.text.model import typed
from liven.liveobjects.text.object import TextObject
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, interface, proxy


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


@interface
class Page(Protocol):
    def type(self, text: str) -> None: ...


@interface
class PageClient(Protocol):
    def shown(self, text: str) -> None: ...


@proxy(id="0A0B0C0D0E0F40008000000000000076", alias="test:note")
class Typed(TextObject):
    """The shared note, typed into without a screen."""

    page: Dual[Page, PageClient]

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.note.hear(lambda _: self.tell(), self.tell)

    def type(self, text: str) -> None:
        self.note.edit("typing", typed(len(self.note.text), text + " "))

    def page_connected(self) -> None:
        self.tell()

    def tell(self) -> None:
        if self.context.connected("page"):
            self.page.peer.shown(self.note.text)


@proxy(id="0A0B0C0D0E0F40008000000000000077", alias="test:writer")
class Writer:
    """Counts and writes as its file of orders says, a line each; says in another file what it sees."""

    counter: Dual[CounterClient, Counter]
    content: Dual[LinesClient, Lines]
    page: Dual[PageClient, Page]

    def __init__(self, context: Context, orders: str) -> None:
        self.context, self.orders = context, orders
        self.number: int | None = None
        self.lines: list[str] | None = None
        self.text = ""
        self.done = 0
        context.call_later(0.1, self.look)

    def look(self) -> None:
        words = open(self.orders).read().splitlines() if os.path.exists(self.orders) else []
        for word in words[self.done:]:
            self.counter.peer.add(1)
            self.content.peer.append(word)
            self.page.peer.type(word)
        self.done = len(words)
        self.context.call_later(0.1, self.look)

    def counted(self, value: int) -> None:
        self.number = value
        self.tell()

    def listed(self, lines: list[str]) -> None:
        self.lines = lines
        self.tell()

    def shown(self, text: str) -> None:
        self.text = text
        self.tell()

    def tell(self) -> None:
        with open(self.orders + ".new", "w") as stream:
            stream.write(repr((self.number, self.lines, self.text)))
        os.replace(self.orders + ".new", self.orders + ".seen")
'''
HEAD = (
    '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
    'xmlns:xsd="http://www.w3.org/2001/XMLSchema">'
)


def recipe(alias: str, channel: str, value: str) -> str:
    """Return the recipe of a shared object on a named channel with a value class."""
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
    """A user with a terminal, in which `liven run` has a counter, a list and a note."""

    def __init__(
        self, folder: Path, name: str, inside: tuple[str, ...] = (), options: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self._home = folder / (f"home of {name}" if inside else "home")
        self._inside = inside
        self._options = options
        self._orders = folder / f"{name}.orders"
        self._journal = folder / f"{name}.journal"
        self._views = folder / f"{name}.views"
        self._written = 0
        self._running: subprocess.Popen[bytes] | None = None
        self._writer: subprocess.Popen[bytes]
        self._files = [folder / f"{name}-{stem}.liveobject" for stem in ("counter", "list", "note", "writer")]
        self._module = folder / "writer.py"
        self._module.write_text(WRITER)
        self._files[0].write_text(recipe("liven:shared-counter", "tally", "liven:int64"))
        self._files[1].write_text(recipe("test:list", "shopping", "liven:text"))
        self._files[2].write_text(recipe("test:note", "minutes", "liven:text"))
        self._files[3].write_text(
            f'{HEAD}<Object xsi:type="ReferenceObject" id="test:writer"><Parameter id="orders">'
            f'<Value xsi:type="xsd:string">{self._orders}</Value></Parameter></Object></Root>'
        )

    def start(self) -> None:
        """Start the objects."""
        self._seen.unlink(missing_ok=True)
        self._orders.write_text("")
        name = self.name
        joined = (f"{name}-counter.counter", f"{name}-writer.counter")
        listed = (f"{name}-list.content", f"{name}-writer.content")
        typed = (f"{name}-note.page", f"{name}-writer.page")
        words = [*map(str, self._files), "--module", str(self._module), "--service-idle", "1", "--json"]
        words += ["--connect", *joined, "--connect", *listed, "--connect", *typed, *self._options]
        words += ["--log-file", str(self._views)]
        with self._journal.open("ab") as journal:
            self._writer = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=journal)
        assert self._writer.stdin is not None
        with self._writer.stdin as pipe:
            self._running = subprocess.Popen(
                [*self._inside, sys.executable, "-m", "liven.app.main", "run", *words],
                env={**os.environ, "LIVEN_HOME": str(self._home)},
                stdout=pipe,
                stderr=pipe,
            )

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process of the objects."""
        assert self._running is not None
        self._running.send_signal(number)

    def limit_files(self, size: int | None) -> None:
        """Limit the size of files that the process may write; None removes the limit."""
        assert self._running is not None
        most = resource.RLIM_INFINITY if size is None else size
        resource.prlimit(self._running.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    @property
    def journal(self) -> str:
        """Return all output of the process."""
        return self._journal.read_text()

    def write(self, *words: str) -> None:
        """Add lines to the list, and count each."""
        with self._orders.open("a") as orders:
            orders.writelines(f"{word}\n" for word in words)

    @property
    def sees(self) -> tuple[int | None, list[str] | None, str]:
        """Return the counter, the list and the note."""
        try:
            number, lines, text = ast.literal_eval(self._seen.read_text())
        except FileNotFoundError:
            return None, None, ""
        return number, lines, text

    @property
    def told(self) -> str:
        """Return the output and the engine's log, for a failing test."""
        views = self._views.read_text() if self._views.exists() else ""
        return self._journal.read_text()[-4000:] + views[-4000:]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop the objects."""
        if self._running is not None:
            self._running.send_signal(how)
            self._running.wait(PATIENCE)
            self._running = None
            self._writer.wait(PATIENCE)

    @property
    def _seen(self) -> Path:
        return self._orders.with_name(self._orders.name + ".seen")


@pytest.fixture
def people(tmp_path: Path) -> Iterator[Callable[..., Person]]:
    made: list[Person] = []

    def make(name: str, *network: tuple[str, ...]) -> Person:
        made.append(Person(tmp_path, name, *network))
        return made[-1]

    yield make
    for person in made:
        person.stop(signal.SIGKILL)


def agreed(*people: Person, words: set[str], patience: float = PATIENCE) -> list[str]:
    """Wait until all see the same list with exactly these words; return the list."""
    end = time.monotonic() + patience
    while True:
        views = [person.sees for person in people]
        number, lines, text = views[0]
        alike = all(view == views[0] for view in views) and number == len(words)
        if alike and lines is not None and sorted(lines) == sorted(text.split()) == sorted(words):
            return lines
        if time.monotonic() > end:
            told = "\n".join(f"--- {person.name}: {person.sees}\n{person.told}" for person in people)
            raise AssertionError(f"they do not agree on {sorted(words)}:\n{told}")
        time.sleep(0.05)


def test_a_third_joins_late_the_first_is_killed_and_all_agree(people: Callable[..., Person]) -> None:
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


def test_the_state_is_restored_after_everybody_quit(people: Callable[..., Person]) -> None:
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


@pytest.fixture
def hosts(script: Callable[[str], ModuleType]) -> Iterator[Callable[[int], Any]]:
    """Return a function that makes a network of hosts, each a network namespace with its own cable."""
    frame = script("tests/integration/multicast/test_hosts.py")
    if reason := frame.why_not():
        pytest.skip(reason)
    with ExitStack() as made:

        def make(count: int) -> Any:
            segment = frame.Segment(count)
            made.callback(segment.close)
            return segment

        yield make


@pytest.fixture
def office(
    tmp_path: Path, hosts: Callable[[int], Any], people: Callable[..., Person]
) -> Iterator[Callable[..., tuple[Any, list[Person]]]]:
    """A network with a service on its first host, which may keep channels, and a person on each host."""
    with ExitStack() as ends:

        def make(count: int, *kept: str) -> tuple[Any, list[Person]]:
            key, segment = tmp_path / "cluster.key", hosts(count)
            ensure_keys(key)
            common = ("--key-file", str(key), "--suspicion", "2")
            service = f"{segment.address(0)}:{PORT}"
            words = (*common, "--interface", segment.address(0), *(("--keep", *kept) if kept else ()))
            ends.callback(_end, _served(segment, words, tmp_path))
            options = (*common, "--service", service, "--start-service", "no")
            names = ("ann", "bob", "cy", "dee")[:count]
            return segment, [
                people(name, tuple(segment.inside(host)), (*options, "--interface", segment.address(host)))
                for host, name in enumerate(names)
            ]

        yield make


def _served(segment: Any, options: tuple[str, ...], folder: Path) -> subprocess.Popen[str]:
    """Start the service as an operator does."""
    started = subprocess.Popen(
        [*segment.inside(0), sys.executable, "-m", "liven.app.main", "serve", *options],
        env={**os.environ, "LIVEN_HOME": str(folder / "operator")},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdout is not None
    assert started.stdout.readline().startswith(("serving", "keeping"))
    return started


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


CUTS = {
    "the youngest for eight seconds": ([2], 8.0),
    "the oldest for eight seconds": ([0], 8.0),
    "two of four for eight seconds": ([2, 3], 8.0),
    "the youngest for a minute": ([2], 60.0),
}


@pytest.mark.parametrize("case", CUTS)
def test_edits_on_both_sides_of_a_network_split_are_all_kept(
    case: str, office: Callable[..., tuple[Any, list[Person]]]
) -> None:
    away, seconds = CUTS[case]
    segment, people = office(4 if len(away) > 1 else 3)
    order = [*away, *(host for host in range(len(people)) if host not in away)]
    for host in order if "oldest" in case else reversed(order):
        people[host].start()  # the first to come is the oldest
        agreed(people[host], words=set())
    words = {f"{person.name}{number}" for person in people for number in range(3)}
    for person in people:
        person.write(*sorted(word for word in words if word.startswith(person.name)))
    agreed(*people, words=words)
    for host in away:
        segment.link(host, "down")
    end = time.monotonic() + seconds
    for step in range(100):
        if time.monotonic() > end:
            break
        for person in people:
            person.write(word := f"{person.name}-cut{step}")
            words.add(word)
        time.sleep(seconds / 20)  # the length of the cut is what is tested
    others = [person for host, person in enumerate(people) if host not in away]
    assert len({tuple(person.sees[1] or ()) for person in others}) == 1
    for host in away:
        segment.link(host, "up")
    words.add("back")
    people[away[0]].write("back")
    agreed(*people, words=words, patience=60.0)


def test_a_stopped_process_catches_up_when_it_continues(people: Callable[..., Person]) -> None:
    ann, bob, cy = (people(name) for name in ("ann", "bob", "cy"))
    for person in (ann, bob, cy):
        person.start()
    agreed(ann, bob, cy, words=set())
    words = {"bread"}
    ann.write("bread")
    agreed(ann, bob, cy, words=words)
    for stopped, others in ((ann, (bob, cy)), (cy, (ann, bob))):
        stopped.send(signal.SIGSTOP)
        stopped.write(f"of-{stopped.name}")
        for other in others:
            other.write(f"{other.name}-without-{stopped.name}")
        words |= {f"{other.name}-without-{stopped.name}" for other in others}
        agreed(*others, words=words, patience=2 * PATIENCE)
        stopped.send(signal.SIGCONT)
        words.add(f"of-{stopped.name}")
        agreed(ann, bob, cy, words=words, patience=2 * PATIENCE)


def test_a_disk_that_is_full_for_a_while_loses_nothing(people: Callable[..., Person]) -> None:
    ann, bob = people("ann"), people("bob")
    ann.start()
    bob.start()
    agreed(ann, bob, words=set())
    ann.write("bread")
    agreed(ann, bob, words={"bread"})
    for person in (ann, bob):
        person.limit_files(1000)
    ann.write("milk")
    bob.write("salt")
    agreed(ann, bob, words={"bread", "milk", "salt"})
    end = time.monotonic() + PATIENCE
    while "cannot write to the log of channels" not in ann.journal:
        assert time.monotonic() < end, f"nothing was told of the disk:\n{ann.told}"
        time.sleep(0.05)
    for person in (ann, bob):
        person.limit_files(None)
    ann.write("rice")
    agreed(ann, bob, words={"bread", "milk", "salt", "rice"})
    time.sleep(RETRIED_WITHIN)
    ann.stop(signal.SIGKILL)
    bob.stop(signal.SIGKILL)
    bob.start()
    ann.start()
    agreed(ann, bob, words={"bread", "milk", "salt", "rice"}, patience=2 * PATIENCE)


def test_all_leave_and_one_with_a_clean_home_gets_the_state_from_the_keeper(
    office: Callable[..., tuple[Any, list[Person]]],
) -> None:
    _, (_, bob, cy) = office(3, "shopping", "minutes", "tally")
    bob.start()
    agreed(bob, words=set())
    bob.write("bread", "milk")
    agreed(bob, words={"bread", "milk"})
    bob.stop()
    cy.start()
    agreed(cy, words={"bread", "milk"})
    cy.write("tea")
    agreed(cy, words={"bread", "milk", "tea"})
    bob.start()
    agreed(bob, cy, words={"bread", "milk", "tea"})
