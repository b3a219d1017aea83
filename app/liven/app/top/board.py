"""What `liven top` shows: the engines of this user, their rates between two looks, and the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from liven.multicast.board import Shown


@dataclass(frozen=True, slots=True)
class Row:
    """One engine between two looks."""

    pid: int
    groups: int
    regions: int
    sent: float
    received: float
    megabytes: float
    repairs: float
    drops: int
    pending: int
    unread: int
    round_trip: float
    names: tuple[str, ...]


def rows(before: Sequence[Shown], now: Sequence[Shown]) -> list[Row]:
    """A row for each engine of the second look, the busiest first."""
    earlier = {entry.engine: entry for entry in before}
    made = [_row(earlier.get(entry.engine), entry) for entry in now]
    return sorted(made, key=lambda row: (-(row.sent + row.received), row.pid))


def _row(before: Shown | None, now: Shown) -> Row:
    span = now.at - before.at if before is not None else 0.0

    def rate(name: str) -> float:
        if before is None or span <= 0:
            return 0.0
        return max(0, now.stats.get(name, 0) - before.stats.get(name, 0)) / span

    def count(name: str) -> int:
        return now.stats.get(name, 0)

    return Row(
        now.pid,
        count("groups"),
        count("views"),
        rate("messages_sent"),
        rate("messages_delivered"),
        rate("bytes_received") / 1e6,
        rate("repairs_received"),
        count("kernel_drops") + count("messages_dropped"),
        count("pending_messages") + count("pending_packets"),
        count("unread_messages"),
        count("token_rtt") / 1e6,
        now.groups,
    )


def screen(
    service: Mapping[str, int] | None, table: Sequence[Row], width: int = 80, height: int = 24
) -> list[str]:
    """The lines of the table, none wider than `width`, no more than `height`."""
    lines = [_service_line(service), ""]
    lines.append("    pid groups snt/s rcv/s  MB/s rep/s drops  pend  unrd rtt ms in")
    lines += [_line(row) for row in table[: max(0, height - 5)]]
    hidden = len(table) - max(0, height - 5)
    if hidden > 0:
        lines.append(f"… and {hidden} more")
    if not table:
        lines.append("no engine runs")
    return [line[:width] for line in lines]


def _service_line(service: Mapping[str, int] | None) -> str:
    if service is None:
        return "no membership service runs"
    return (
        f"service {service['pid']}: {service['members']} members, {service['groups']} groups, "
        f"{service['regions']} regions, epoch {service['generation']}/{service['epochs']}, "
        f"{service['suspicions']} suspected"
    )


def _line(row: Row) -> str:
    numbers = (row.sent, row.received, row.megabytes, row.repairs, row.drops, row.pending, row.unread)
    cells = " ".join(f"{_short(number):>5}" for number in numbers)
    return f"{row.pid:7} {row.groups:6} {cells} {row.round_trip:6.1f} {' '.join(row.names)}"


def _short(number: float) -> str:
    """A number in at most five signs."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= 10 * size:
            return f"{number / size:.0f}{unit}"
        if number >= size:
            return f"{number / size:.1f}{unit}"
    return f"{number:.0f}"
