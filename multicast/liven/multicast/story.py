"""Stories: short scripts for a simulated cluster, and the log of what its applications saw.

A story is text. Lines before a line of `=` are the script, lines after it the log that is expected. A test
that fails shows both; `retell` gives the text with the log as it is now. One line, one sentence:

    seed 7                          nodes A B C                 set link_latency 1000000
    all join chat                   A B join chat               A leaves chat
    B loses 2 data                  B loses 1 data from A       B drops everything for 50 ms
    A sends hello to chat           A sends 300 x 1000 to chat  run 200 ms
    A crashes                       A starts                    A stops
    A sleeps 2 s                    A is cut off                A is back
    the service crashes             the service starts          forget

`forget` empties the log so far. `300 x 1000` are 300 messages of 1000 bytes, told as one line a receiver.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from liven.multicast.group import (
    Behind,
    Demoted,
    Dropped,
    Evicted,
    Expelled,
    Group,
    GroupEvent,
    Joined,
    Lagging,
    Left,
    Lost,
    Missed,
    Paused,
    Refused,
    Resumed,
    Sent,
    Stable,
    Uncertain,
    View,
    Withdrawn,
)
from liven.multicast.simulation import SimulatedGroup, SimulatedNode, Simulation

_UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
_SOCKETS = {"control": 0, "repair": 1, "data": 2}


class StoryError(ValueError):
    """A line that is no sentence of a story."""

    def __init__(self, line: str, why: str) -> None:
        super().__init__(f"cannot tell {line!r}: {why}")
        self.line = line


@dataclass(slots=True)
class _Teller:
    """The state of a story while it is told."""

    seed: int = 0
    settings: dict[str, int] = field(default_factory=dict)
    simulation: Simulation | None = None
    nodes: dict[str, SimulatedNode] = field(default_factory=dict)
    groups: dict[tuple[str, str], SimulatedGroup] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def world(self) -> Simulation:
        """The simulation, made at the first need."""
        if self.simulation is None:
            self.simulation = Simulation(self.seed, settings=self.settings)
        return self.simulation

    def name_of(self, short_name: int) -> str:
        """The letter of a short name, also of one that belonged to an earlier life."""
        for letter, node in self.nodes.items():
            if node.alive and node.short_name:
                self.names.setdefault(node.short_name, letter)
        return self.names.get(short_name, f"#{short_name}")

    def tell(self, at: float, who: str, what: str) -> None:
        """Adds a line to the log."""
        self.log.append(f"{at * 1000:8.0f} ms  {who} {what}")


def _seconds(number: str, unit: str) -> float:
    return float(number) * _UNITS[unit]


def _event_text(event: GroupEvent, name: Callable[[int], str]) -> str | None:
    match event:
        case Joined():
            return "is in"
        case Left():
            return "is out"
        case View(_, members):
            return "sees " + " ".join(sorted(name(member.node) for member in members))
        case Lost(sender, first, last):
            return f"has lost packets {first} to {last} of {name(sender)}"
        case Dropped(sender, number, count):
            return f"drops {count} of {name(sender)} from {number} on"
        case Refused(_, _, reason):
            return f"is refused: {reason}"
        case Missed(sender, first, known):
            return f"lacks {name(sender)} from {first} on, {known} at least"
        case Evicted():
            return "is evicted"
        case Stable(sender, number):
            return f"knows that all have {name(sender)} up to {number}"
        case Sent():
            return None
        case Behind(messages):
            return f"is told: {messages} messages wait"
        case Uncertain() | Withdrawn() | Paused() | Resumed() | Demoted() | Lagging() | Expelled():
            return f"is told: {type(event).__name__.lower()}"


def _tell_deliveries(teller: _Teller, who: str, group: Group) -> None:
    """Runs of messages of one sender become one line."""
    run: list[tuple[int, int, float, bytes]] = []
    for delivery in group.receive():
        if run and (run[-1][0] != delivery.sender or run[-1][1] + 1 != delivery.number):
            _tell_run(teller, who, group.name, run)
            run = []
        run.append((delivery.sender, delivery.number, delivery.at, delivery.payload))
    if run:
        _tell_run(teller, who, group.name, run)


def _tell_run(teller: _Teller, who: str, group: str, run: Sequence[tuple[int, int, float, bytes]]) -> None:
    sender = teller.name_of(run[0][0])
    if len(run) <= 3:
        for _, number, at, payload in run:
            shown = payload.decode("ascii", "replace") if len(payload) <= 24 else f"{len(payload)} bytes"
            teller.tell(at, who, f"gets {shown} of {sender} in {group}, number {number}")
    else:
        teller.tell(run[-1][2], who, f"has {run[0][1]} to {run[-1][1]} of {sender} in {group}")


def _latest_stable(events: list[GroupEvent]) -> list[GroupEvent]:
    """The events without news of stability that a later one of the same sender makes old."""
    newest = {event.sender: event.number for event in events if isinstance(event, Stable)}
    return [e for e in events if not isinstance(e, Stable) or newest[e.sender] == e.number]


def _collect(teller: _Teller) -> None:
    now = teller.world().now
    begin = len(teller.log)
    for (who, _), group in teller.groups.items():
        _tell_deliveries(teller, who, group)
        for event in _latest_stable(group.events()):
            if (text := _event_text(event, teller.name_of)) is not None:
                teller.tell(now, who, f"{text} ({group.name})")
    teller.log[begin:] = sorted(teller.log[begin:], key=lambda line: float(line[:8]))


def _run(teller: _Teller, number: str, unit: str) -> None:
    """Runs in steps, so that what has no time of its own is told near to when it was."""
    left, step = _seconds(number, unit), 0.01
    while left > 1e-12:
        teller.world().run(min(step, left))
        left -= step
        _collect(teller)


def _who(teller: _Teller, text: str) -> Iterator[tuple[str, SimulatedNode]]:
    for name in teller.nodes if text.strip() == "all" else text.split():
        if name not in teller.nodes:
            raise StoryError(text, f"there is no node {name}")
        yield name, teller.nodes[name]


def _join(teller: _Teller, names: str, group: str) -> None:
    for name, node in _who(teller, names):
        teller.groups[name, group] = node.join(group)


def _leave(teller: _Teller, names: str, group: str) -> None:
    for name, _ in _who(teller, names):
        teller.groups[name, group].leave()


def _send(teller: _Teller, name: str, what: str, group: str) -> None:
    many = re.fullmatch(r"(\d+) x (\d+)", what)
    count, size = (int(many[1]), int(many[2])) if many else (1, 0)
    for index in range(count):
        payload = f"{index}".encode().ljust(size, b".") if many else what.encode()
        teller.groups[name, group].send(payload)


def _nodes(teller: _Teller, names: str) -> None:
    for name in names.split():
        teller.nodes[name] = teller.world().node()


def _lose(teller: _Teller, name: str, count: str, socket: str, sender: str | None) -> None:
    source = teller.nodes[sender] if sender else None
    teller.nodes[name].lose(int(count), _SOCKETS[socket], source)


def _each(action: Callable[[SimulatedNode], None]) -> Callable[[_Teller, str], None]:
    def do(teller: _Teller, names: str) -> None:
        for _, node in _who(teller, names):
            action(node)

    return do


def _sleep(teller: _Teller, name: str, number: str, unit: str) -> None:
    teller.nodes[name].freeze(_seconds(number, unit))


def _crash(teller: _Teller, names: str) -> None:
    for name, node in _who(teller, names):
        teller.name_of(node.short_name)
        node.crash()
        for key in [key for key in teller.groups if key[0] == name]:
            del teller.groups[key]


_NAME, _TIME = r"([A-Z]\w*)", r"([\d.]+) (s|ms|us)"
_NAMES = rf"((?:{_NAME} )+|all )".replace("([A-Z]", "(?:[A-Z]")

_SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"seed (\d+)", lambda teller, seed: setattr(teller, "seed", int(seed))),
    (r"set (\w+) (\d+)", lambda teller, name, value: teller.settings.__setitem__(name, int(value))),
    (r"nodes (.+)", _nodes),
    (rf"{_NAMES}joins? (\w+)", _join),
    (rf"{_NAMES}leaves? (\w+)", _leave),
    (rf"{_NAME} sends (.+) to (\w+)", _send),
    (rf"{_NAME} loses (\d+) (control|repair|data)(?: from {_NAME})?", _lose),
    (rf"run {_TIME}", _run),
    (rf"{_NAMES}crash(?:es)?", _crash),
    (rf"{_NAMES}starts?", _each(lambda node: node.restart())),
    (rf"{_NAMES}stops?", _each(lambda node: node.stop())),
    (rf"{_NAME} sleeps {_TIME}", _sleep),
    (rf"{_NAMES}(?:is|are) cut off", _each(lambda node: node.isolate())),
    (rf"{_NAMES}(?:is|are) back", _each(lambda node: node.isolate(False))),
    (r"the service crashes", lambda teller: teller.world().crash_service()),
    (r"the service starts", lambda teller: teller.world().restart_service()),
    (r"forget", lambda teller: teller.log.clear()),
)


def _do(teller: _Teller, line: str) -> None:
    for pattern, action in _SENTENCES:
        if (match := re.fullmatch(pattern, line)) is not None:
            try:
                action(teller, *match.groups())
            except KeyError as error:
                raise StoryError(line, f"there is no {error}") from error
            return
    raise StoryError(line, "no such sentence")


@dataclass(frozen=True, slots=True)
class Told:
    """A story that was told."""

    log: tuple[str, ...]
    breaches: tuple[str, ...]
    trace: int


def parse(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The script and the expected log of a story; remarks and empty lines are left out."""
    script, _, expected = text.partition("\n=\n")
    lines = (line.strip() for line in script.splitlines())
    log = tuple(line.strip() for line in expected.splitlines() if line.strip())
    return tuple(line for line in lines if line and not line.startswith("#")), log


def tell(script: Sequence[str]) -> Told:
    """Tells a script; raises `StoryError` at a line that makes no sense."""
    teller = _Teller()
    for line in script:
        _do(teller, line)
    world = teller.world()
    return Told(tuple(line.strip() for line in teller.log), tuple(world.breaches()), world.trace)


def retell(text: str) -> str:
    """The text of a story with the log as it is now."""
    script = text.partition("\n=\n")[0].rstrip()
    told = tell(parse(text)[0])
    return script + "\n\n=\n" + "".join(f"{line}\n" for line in told.log)
