"""The layout of `liven top`: a table that fits any terminal, with remarks below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from liven.app.network.cli import many
from liven.app.network.number_format import short, tenths, wide
from liven.app.network.rates import EngineRates

MOST_WAITS = 6
"""Most remarks below the table."""
LEAST_WIDTH, LEAST_HEIGHT = 30, 6
MARK = " · "
"""Separates the parts of the last line; as many as fit are shown."""
_LAST = "groups"
_NAMES_LEAST = 12
"""Least width for the names of groups; columns are dropped to make room."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    meaning: str
    width: int
    told: Callable[[EngineRates], str]
    need: int = 0
    """Columns with a higher number are dropped first in a narrow terminal."""


COLUMNS = (
    Column("pid", "process ID", 7, lambda row: str(row.pid)),
    Column("grp", "number of groups", 4, lambda row: short(row.groups), 5),
    Column("snt/s", "messages sent per second", 5, lambda row: short(row.sent)),
    Column("rcv/s", "messages received per second", 5, lambda row: short(row.received)),
    Column(
        "MB out",
        "megabytes sent per second, with repairs and control",
        6,
        lambda row: tenths(row.megabytes_sent),
        1,
    ),
    Column("MB in", "megabytes received per second", 5, lambda row: tenths(row.megabytes), 1),
    Column("loss%", "share of received packets that had to be repaired", 5, lambda row: f"{row.loss:.1f}", 2),
    Column(
        "rtt ms",
        "round trip of a token, measured at a region's leader",
        6,
        lambda row: f"{row.round_trip:.1f}" if row.round_trip < 1e4 else short(row.round_trip),
        6,
    ),
    Column(
        "pend",
        "messages waiting to be sent, and packets not acknowledged",
        4,
        lambda row: short(row.pending),
        3,
    ),
    Column("unrd", "messages that the program has not processed", 4, lambda row: short(row.unread), 4),
    Column(
        "drop",
        "dropped by the kernel, by a check (such as another key), or by a policy",
        4,
        lambda row: short(row.drops),
        4,
    ),
)
GROUPS = "its groups, by the objects on them; on a line below if they do not fit"
"""The explanation of the last column."""


def screen(
    service: Mapping[str, int] | None,
    table: Sequence[EngineRates],
    width: int = 80,
    height: int = 24,
    last: str = "",
) -> list[str]:
    """Return at most `height` lines of at most `width` columns. The third is the header; `last` stands
    below."""
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return [_cut(line, width) for line in ("too small:", "enlarge it", last.split(MARK)[0])][
            : max(1, height)
        ]
    columns = _fitting(width)
    lines = [_joined(_service_words(service), width, ", "), "", _head(columns)]
    words = _remarks(table, width)
    room = max(0, height - len(lines) - bool(last) - len(words))
    lines += _body(table, columns, width, room)
    lines += words[: max(0, height - len(lines) - bool(last))]
    return [
        _cut(line, width) for line in [*lines, *([_joined(last.split(MARK), width, MARK)] if last else [])]
    ]


def _fitting(width: int) -> list[Column]:
    """Return the columns that fit beside the names of the groups."""
    kept = list(COLUMNS)
    while len(kept) > 3 and _span(kept) + 1 + _NAMES_LEAST > width:
        kept.remove(max(kept, key=lambda column: column.need))
    return kept


def _span(columns: Sequence[Column]) -> int:
    return sum(column.width + 1 for column in columns) - 1


def _head(columns: Sequence[Column]) -> str:
    return " ".join([*(f"{column.name:>{column.width}}" for column in columns), _LAST])


def _body(table: Sequence[EngineRates], columns: Sequence[Column], width: int, room: int) -> list[str]:
    if not table:
        return ["no program uses the network"][:room]
    beside = width - _span(columns) - 1
    whole = [lines for row in table for lines in _lines(row, columns, beside, width)]
    if len(whole) <= room:
        return whole
    lines = [_numbers(row, columns) + " " + _names_beside(row, beside) for row in table]
    if len(lines) <= room:
        return lines
    shown = max(0, room - 1)
    return [*lines[:shown], f"… and {len(lines) - shown} more"][:room]


def _lines(row: EngineRates, columns: Sequence[Column], beside: int, width: int) -> list[str]:
    """Return a row, with the names of its groups on a line below if they do not fit beside it."""
    names = ", ".join(row.names)
    if wide(names) <= beside and len(row.names) >= row.groups:
        return [f"{_numbers(row, columns)} {names}"]
    indent = " " * (columns[0].width + 1)
    return [f"{_numbers(row, columns)} ↓", indent + _fitting_names(row, width - len(indent), ", ")]


def _names_beside(row: EngineRates, room: int) -> str:
    return _fitting_names(row, room, " ")


def _fitting_names(row: EngineRates, room: int, mark: str) -> str:
    """Return the names that fit completely, and the number of the others. A single long name is cut."""
    count = max(row.groups, len(row.names))
    for shown in range(len(row.names), 0, -1):
        more = f"{mark}+{count - shown}" if count > shown else ""
        text = mark.join(row.names[:shown]) + more
        if wide(text) <= room or shown == 1:
            return _cut(mark.join(row.names[:shown]), room - len(more)) + more
    return many(count, "group") if count else ""


def _numbers(row: EngineRates, columns: Sequence[Column]) -> str:
    return " ".join(f"{column.told(row):>{column.width}}" for column in columns)


def _remarks(table: Sequence[EngineRates], width: int) -> list[str]:
    """Return remarks on the figures, the most important first."""
    still = [
        f"⚠ {row.pid} is stopped by a signal (to continue it: kill -CONT {row.pid})"
        for row in table
        if row.stopped
    ]
    waits = [f"⚠ {row.pid} waits for {whom}" for row in table for whom in row.waits]
    slow = [
        f"⚠ {row.pid}: {many(row.slow, 'group')} with a slow receiver, or it is slow itself"
        for row in table
        if row.slow and not row.waits and not row.stopped
    ]
    outs = [
        f"⚠ {row.pid} was out {'once' if row.outs == 1 else f'{short(row.outs)} times'}: the others went on"
        " without it"
        for row in table
        if row.outs
    ]
    return [line for text in [*still, *waits, *slow, *outs][:MOST_WAITS] for line in _wrapped(text, width)]


def _wrapped(text: str, width: int) -> list[str]:
    """Return a sentence broken into lines between words."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if wide(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(f"  {word}")
    return lines


def _service_words(service: Mapping[str, int] | None) -> list[str]:
    if service is None:
        return ["no membership service is running"]
    words = [
        f"service {service['pid']}: {many(service['members'], 'member')}",
        many(service["groups"], "group"),
        many(service["regions"], "region"),
    ]
    if service["suspicions"]:
        words.append(f"{service['suspicions']} removed for silence")
    return [*words, f"epoch {service['generation']}/{service['epochs']}"]


def _joined(words: Sequence[str], width: int, mark: str) -> str:
    """Return as many of the words as fit."""
    text = words[0]
    for word in words[1:]:
        if wide(text + mark + word) > width:
            break
        text += mark + word
    return text


def _cut(line: str, width: int) -> str:
    if wide(line) <= width:
        return line
    kept = line[: max(0, width - 1)]
    while wide(kept) > max(0, width - 1):
        kept = kept[:-1]
    return kept + "…"
