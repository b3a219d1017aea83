"""What `liven top` shows: the engines of this user, their rates between two looks, and the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from liven.app.network.command import many
from liven.multicast.board import Shown
from liven.multicast.laggard import Laggard


@dataclass(frozen=True, slots=True)
class Row:
    """One engine between two looks."""

    pid: int
    groups: int
    regions: int
    sent: float
    received: float
    megabytes: float
    loss: float
    """The share of its packets that came as repair, in per cent."""
    round_trip: float
    """Of a token, in milliseconds."""
    pending: int
    """Messages that wait to leave, and packets that are not acknowledged."""
    unread: int
    slow: int
    """Groups that wait for a slow receiver, or that this one is too slow for."""
    drops: int
    """Datagrams that the kernel or a check dropped, and messages dropped by a policy."""
    names: tuple[str, ...]
    outs: int = 0
    """How often the others went on without it."""
    missed: int = 0
    """Of how many senders, in each of its groups, it lacks messages for that."""
    waits: tuple[str, ...] = ()
    """Whom it waits for, and why."""
    stopped: bool = False
    """Whether a signal stopped its process."""


MOST_WAITS = 6
"""So many members that are waited for are named."""
_FRESH = 5.0
_DROPS = ("kernel_drops", "messages_dropped", "drop_tag", "drop_malformed", "drop_replay")
_HEAD = "    pid  grp rgn snt/s rcv/s  MB/s loss% rtt ms  pend  unrd slow  drop in"

COLUMNS = (
    ("pid", "the process of the engine"),
    ("grp", "groups it is in"),
    ("rgn", "regions that they are dealt into"),
    ("snt/s", "messages sent a second"),
    ("rcv/s", "messages received a second"),
    ("MB/s", "megabytes received a second"),
    ("loss%", "how many of its packets had to be repaired"),
    ("rtt ms", "the round trip of a token, at the node that leads a region"),
    ("pend", "messages that wait to leave, and packets not acknowledged"),
    ("unrd", "messages that the program has not taken"),
    ("slow", "groups that wait for a slow receiver, or that it is too slow for"),
    ("drop", "dropped by the kernel, by a check (as of wrong tags), or by a policy"),
    (
        "in",
        "the groups that it is in, by name; before them how often it was out, if ever: the others went on",
    ),
)
"""What stands in the head, and what it means."""


def rows(before: Sequence[Shown], now: Sequence[Shown], clock: float = 0.0) -> list[Row]:
    """A row for each engine of the second look, made at `clock`; the busiest first."""
    earlier = {entry.engine: entry for entry in before}
    pids = {entry.node: entry.pid for entry in now if entry.node}
    made = [(_row(earlier.get(entry.engine), entry, pids, clock), entry.engine) for entry in now]
    return [row for row, _ in sorted(made, key=lambda each: (-_busy(each[0]), each[0].pid, each[1]))]


def _busy(row: Row) -> float:
    """The rate to two digits: rows whose rates are as good as equal stay where they are."""
    return float(f"{row.sent + row.received:.2g}")


def _row(before: Shown | None, now: Shown, pids: Mapping[int, int], clock: float) -> Row:
    span = now.at - before.at if before is not None else 0.0

    def count(name: str) -> int:
        return now.stats.get(name, 0)

    def rate(name: str) -> float:
        if before is None or span <= 0:
            return 0.0
        return max(0, count(name) - before.stats.get(name, 0)) / span

    packets = rate("packets_received")
    return Row(
        now.pid,
        count("groups"),
        count("regions"),
        rate("messages_sent"),
        rate("messages_delivered"),
        rate("bytes_received") / 1e6,
        100 * rate("repairs_received") / packets if packets else 0.0,
        count("token_rtt") / 1e6,
        count("pending_messages") + count("pending_packets"),
        count("unread_messages"),
        count("groups_paused") + count("groups_demoted"),
        sum(count(name) for name in _DROPS),
        now.groups,
        count("evictions"),
        count("senders_missed"),
        _waits(now, pids, clock),
        now.stopped,
    )


def _waits(now: Shown, pids: Mapping[int, int], clock: float) -> tuple[str, ...]:
    """Whom it waits for. What was shown long ago, as by a process that stands still, is not so any more."""
    fresh = not now.stopped and clock - now.at < _FRESH
    return tuple(_wait(one, pids) for one in now.laggards) if fresh else ()


def _wait(laggard: Laggard, pids: Mapping[int, int]) -> str:
    """Whom an engine waits for; by its process, where that is one of this user."""
    pid = pids.get(laggard.node)
    whom = f"member {laggard.node}" if pid is None else f"{pid} (member {laggard.node})"
    return f"{whom}: {laggard.words}" + (f", in {laggard.group}" if laggard.group else "")


def screen(
    service: Mapping[str, int] | None,
    table: Sequence[Row],
    width: int = 80,
    height: int = 24,
    last: str = "",
) -> list[str]:
    """The lines of the table, none wider than `width`, no more than `height`; the third is its head. What is
    cut ends in `…`; `last` stands below."""
    lines = [_service_line(service), "", _HEAD]
    still = [
        f"⚠ {row.pid} stands still: a signal stopped it (kill -CONT {row.pid})"
        for row in table
        if row.stopped
    ]
    waits = [f"⚠ {row.pid} waits for {whom}" for row in table for whom in row.waits]
    waits = [*still, *waits][:MOST_WAITS]
    room = max(0, height - 5 - bool(last) - len(waits))
    lines += [_line(row) for row in table[:room]]
    hidden = len(table) - room
    if hidden > 0:
        lines.append(f"… and {hidden} more")
    if not table:
        lines.append("no engine runs")
    lines += waits[: max(0, height - len(lines) - bool(last))]
    return [_cut(line, width) for line in [*lines, *([last] if last else [])]]


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + "…"


def _service_line(service: Mapping[str, int] | None) -> str:
    if service is None:
        return "no membership service runs"
    members, groups = many(service["members"], "member"), many(service["groups"], "group")
    return (
        f"service {service['pid']}: {members}, {groups}, {many(service['regions'], 'region')}, "
        f"epoch {service['generation']}/{service['epochs']}, {service['suspicions']} suspected"
    )


def _line(row: Row) -> str:
    out = f"out {_short(row.outs)}x: " if row.outs else ""
    rates = f"{_short(row.sent):>5} {_short(row.received):>5} {_tenths(row.megabytes):>5}"
    waits = " ".join(f"{_short(number):>5}" for number in (row.pending, row.unread))
    return (
        f"{row.pid:7} {_short(row.groups):>4} {_short(row.regions):>3} {rates} {row.loss:5.1f} "
        f"{min(row.round_trip, 9999.9):6.1f} {waits} {_short(row.slow):>4} {_short(row.drops):>5} "
        f"{out}{' '.join(row.names)}"
    )


def _tenths(number: float) -> str:
    """A number of which the first tenths matter."""
    return f"{number:.1f}" if number < 100 else _short(number)


def _short(number: float) -> str:
    """A number in at most five signs; in four, below a thousand tens of its unit."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 10 * size:
            return f"{number / size:.0f}{unit}"
        if number >= size:
            return f"{number / size:.1f}{unit}"
    return f"{number:.0f}"
