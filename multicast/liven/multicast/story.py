"""Stories: short scripts for a simulated cluster, and the log of what its applications saw.

A story is text. Lines before a line of `=` are the script, lines after it the expected log. A failing test
shows both; `rewrite` returns the text with the current log. Each line is one sentence:

    seed 7                          nodes A B C                 set link_latency 1000000
    all join chat                   A B join chat               A leaves chat
    B loses 2 data                  B loses 1 data from A       B drops everything for 50 ms
    A sends hello to chat           A sends 300 x 1000 to chat  run 200 ms
    A crashes                       A starts                    A stops
    A sleeps 2 s                    A is cut off                A is back
    the service crashes             the service starts          forget

`forget` empties the log so far. `300 x 1000` are 300 messages of 1000 bytes, logged as one line for each
receiver.
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
    """Raised for a line that is not a sentence of a story."""

    def __init__(self, line: str, why: str) -> None:
        super().__init__(f"cannot tell {line!r}: {why}")
        self.line = line


@dataclass(slots=True)
class _Player:
    """The state of a story while it is played."""

    seed: int = 0
    settings: dict[str, int] = field(default_factory=dict)
    simulation: Simulation | None = None
    nodes: dict[str, SimulatedNode] = field(default_factory=dict)
    groups: dict[tuple[str, str], SimulatedGroup] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)

    def world(self) -> Simulation:
        """Return the simulation, made on first use."""
        if self.simulation is None:
            self.simulation = Simulation(self.seed, settings=self.settings)
        return self.simulation

    def name_of(self, short_name: int) -> str:
        """Return the letter of a node by its short name, also one of a former incarnation."""
        for letter, node in self.nodes.items():
            if node.alive and node.short_name:
                self.names.setdefault(node.short_name, letter)
        return self.names.get(short_name, f"#{short_name}")

    def log_line(self, at: float, who: str, what: str) -> None:
        """Add a line to the log."""
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
            return f"is warned: {messages} messages wait"
        case Uncertain() | Withdrawn() | Paused() | Resumed() | Demoted() | Lagging() | Expelled():
            return f"gets {type(event).__name__.lower()}"


def _tell_deliveries(player: _Player, who: str, group: Group) -> None:
    """Log the deliveries; consecutive messages of one sender become one line."""
    run: list[tuple[int, int, float, bytes]] = []
    for delivery in group.receive():
        if run and (run[-1][0] != delivery.sender or run[-1][1] + 1 != delivery.number):
            _tell_run(player, who, group.name, run)
            run = []
        run.append((delivery.sender, delivery.number, delivery.at, delivery.payload))
    if run:
        _tell_run(player, who, group.name, run)


def _tell_run(player: _Player, who: str, group: str, run: Sequence[tuple[int, int, float, bytes]]) -> None:
    sender = player.name_of(run[0][0])
    if len(run) <= 3:
        for _, number, at, payload in run:
            shown = payload.decode("ascii", "replace") if len(payload) <= 24 else f"{len(payload)} bytes"
            player.log_line(at, who, f"gets {shown} of {sender} in {group}, number {number}")
    else:
        player.log_line(run[-1][2], who, f"has {run[0][1]} to {run[-1][1]} of {sender} in {group}")


def _latest_stable(events: list[GroupEvent]) -> list[GroupEvent]:
    """Return the events without those `Stable` that a later one of the same sender supersedes."""
    newest = {event.sender: event.number for event in events if isinstance(event, Stable)}
    return [e for e in events if not isinstance(e, Stable) or newest[e.sender] == e.number]


def _collect(player: _Player) -> None:
    now = player.world().now
    begin = len(player.log)
    for (who, _), group in player.groups.items():
        _tell_deliveries(player, who, group)
        for event in _latest_stable(group.events()):
            if (text := _event_text(event, player.name_of)) is not None:
                player.log_line(now, who, f"{text} ({group.name})")
    player.log[begin:] = sorted(player.log[begin:], key=lambda line: float(line[:8]))


def _run(player: _Player, number: str, unit: str) -> None:
    """Run in small steps, so that events without a time of their own are logged close to their time."""
    left, step = _seconds(number, unit), 0.01
    while left > 1e-12:
        player.world().run(min(step, left))
        left -= step
        _collect(player)


def _who(player: _Player, text: str) -> Iterator[tuple[str, SimulatedNode]]:
    for name in player.nodes if text.strip() == "all" else text.split():
        if name not in player.nodes:
            raise StoryError(text, f"there is no node {name}")
        yield name, player.nodes[name]


def _join(player: _Player, names: str, group: str) -> None:
    for name, node in _who(player, names):
        player.groups[name, group] = node.join(group)


def _leave(player: _Player, names: str, group: str) -> None:
    for name, _ in _who(player, names):
        player.groups[name, group].leave()


def _send(player: _Player, name: str, what: str, group: str) -> None:
    many = re.fullmatch(r"(\d+) x (\d+)", what)
    count, size = (int(many[1]), int(many[2])) if many else (1, 0)
    for index in range(count):
        payload = f"{index}".encode().ljust(size, b".") if many else what.encode()
        player.groups[name, group].send(payload)


def _nodes(player: _Player, names: str) -> None:
    for name in names.split():
        player.nodes[name] = player.world().node()


def _lose(player: _Player, name: str, count: str, socket: str, sender: str | None) -> None:
    source = player.nodes[sender] if sender else None
    player.nodes[name].lose(int(count), _SOCKETS[socket], source)


def _each(action: Callable[[SimulatedNode], None]) -> Callable[[_Player, str], None]:
    def do(player: _Player, names: str) -> None:
        for _, node in _who(player, names):
            action(node)

    return do


def _sleep(player: _Player, name: str, number: str, unit: str) -> None:
    player.nodes[name].freeze(_seconds(number, unit))


def _crash(player: _Player, names: str) -> None:
    for name, node in _who(player, names):
        player.name_of(node.short_name)
        node.crash()
        for key in [key for key in player.groups if key[0] == name]:
            del player.groups[key]


_NAME, _TIME = r"([A-Z]\w*)", r"([\d.]+) (s|ms|us)"
_NAMES = rf"((?:{_NAME} )+|all )".replace("([A-Z]", "(?:[A-Z]")

_SENTENCES: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"seed (\d+)", lambda player, seed: setattr(player, "seed", int(seed))),
    (r"set (\w+) (\d+)", lambda player, name, value: player.settings.__setitem__(name, int(value))),
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
    (r"the service crashes", lambda player: player.world().crash_service()),
    (r"the service starts", lambda player: player.world().restart_service()),
    (r"forget", lambda player: player.log.clear()),
)


def _do(player: _Player, line: str) -> None:
    for pattern, action in _SENTENCES:
        if (match := re.fullmatch(pattern, line)) is not None:
            try:
                action(player, *match.groups())
            except KeyError as error:
                raise StoryError(line, f"there is no {error}") from error
            return
    raise StoryError(line, "no such sentence")


@dataclass(frozen=True, slots=True)
class StoryResult:
    """The result of a story."""

    log: tuple[str, ...]
    breaches: tuple[str, ...]
    trace: int


def parse(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the script and the expected log of a story, without comments and empty lines."""
    script, _, expected = text.partition("\n=\n")
    lines = (line.strip() for line in script.splitlines())
    log = tuple(line.strip() for line in expected.splitlines() if line.strip())
    return tuple(line for line in lines if line and not line.startswith("#")), log


def play(script: Sequence[str]) -> StoryResult:
    """Play a script. Raise `StoryError` at an invalid line."""
    player = _Player()
    for line in script:
        _do(player, line)
    world = player.world()
    return StoryResult(tuple(line.strip() for line in player.log), tuple(world.breaches()), world.trace)


def rewrite(text: str) -> str:
    """Return the text of a story with the current log."""
    script = text.partition("\n=\n")[0].rstrip()
    told = play(parse(text)[0])
    return script + "\n\n=\n" + "".join(f"{line}\n" for line in told.log)
