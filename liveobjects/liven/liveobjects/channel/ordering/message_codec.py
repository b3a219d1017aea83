"""The encoding of the messages of an ordered channel.

Each message is a byte with its version, and a MessagePack array: its kind, the identity of its view, and its
fields. A checksum follows the array: a changed byte could otherwise pass as another number or another
operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast
from zlib import crc32

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import FOUNDING_MOST, Claim, MalformedError, wire
from liven.liveobjects.channel.history.position import CHAIN_BYTES
from liven.liveobjects.channel.ordering.messages import (
    BATCH_MOST,
    VIEW_ID_BYTES,
    Doubt,
    Fill,
    Held,
    HistorySource,
    Judged,
    LeftOut,
    Message,
    Open,
    Order,
    Plan,
    Progress,
    Report,
    Start,
    Tail,
    Unordered,
    Verdict,
    Work,
)

MESSAGE_MOST: Final = 32 * 1024 * 1024
_BYTES: Final = frozenset((bytes,))
_INT: Final = frozenset((int,))
_BOOL: Final = frozenset((bool,))
_MEMBERS_MOST: Final = wire.SESSION_MOST
_NODE_MOST: Final = (1 << 32) - 1
_EPOCHS_MOST: Final = 65_536
_MARKS_MOST: Final = 1 << 20
_ATTEMPTS_MOST: Final = 1024
"""Sessions in one report: those of several members together, of which none adds more than 32."""
SUM_BYTES: Final = 4
VERSION: Final = 5
"""The first byte of each message. It grows with every change of the messages; version 1 had none, and its
messages begin with a byte above 127."""
_VERSION: Final = bytes((VERSION,))


class OtherVersionError(MalformedError):
    """A whole message of a member that runs another version of Liven."""


def _packed_claim(claim: Claim | None) -> object:
    if claim is None:
        return None
    stable = wire.packed_position(claim.stable)
    return [wire.packed_position(claim.tip), claim.main, stable, claim.main_number]


def _packed_progress(progress: Progress | None) -> object:
    if progress is None:
        return None
    return list(progress)


def _packed_order(order: Order | None) -> object:
    if order is None:
        return None
    session = None if order.session is None else wire.packed_session(order.session)
    return [order.sequence, order.runs, order.successor, session]


def _packed_report(report: Report) -> list[object]:
    following = None if report.following is None else wire.packed_position(report.following)
    return [
        report.author,
        list(report.voter),
        int(report.history),
        report.from_disk,
        report.complete,
        report.turn,
        report.turns,
        report.since,
        _packed_claim(report.claim),
        following,
        report.kept_from,
        [[each.author, each.first, each.last] for each in report.held],
        wire.packed_session(report.stable_session),
        [wire.packed_session(each) for each in report.attempts],
        report.stores,
        report.history_founding,
    ]


def _packed_start(start: Start) -> list[object]:
    return [
        wire.packed_position(start.position),
        wire.packed_position(start.stable),
        [wire.packed_epoch(each) for each in start.epochs],
        start.marks,
    ]


def encode(message: Message) -> bytes:
    """Encode a message."""
    match message:
        case Work(view_id, first, payloads, order, progress):
            parts: list[object] = [
                1,
                view_id,
                first,
                payloads,
                _packed_order(order),
                _packed_progress(progress),
            ]
        case Report():
            parts = [2, message.view_id, *_packed_report(message)]
        case Verdict(view_id, judged):
            parts = [3, view_id, [[each.tip, each.stable, each.following] for each in judged]]
        case Plan(view_id, tails):
            parts = [4, view_id, [[each.author, each.first, each.last, each.holder] for each in tails]]
        case Start():
            parts = [5, message.view_id, *_packed_start(message)]
        case Fill(view_id, number, runs, epochs):
            parts = [6, view_id, number, runs, [wire.packed_epoch(each) for each in epochs]]
        case Open(view_id):
            parts = [7, view_id]
        case LeftOut(view_id, nodes):
            parts = [9, view_id, nodes]
        case Unordered(payload):
            parts = [8, payload]
        case Doubt(view_id, nodes):
            parts = [10, view_id, nodes]
    return sealed(_VERSION + msgpack.packb(parts))


def sealed(content: bytes) -> bytes:
    """Return the content of a message with its checksum."""
    return content + crc32(content).to_bytes(SUM_BYTES, "big")


def _payloads(value: object, what: str) -> list[bytes]:
    listed = wire.items(value, what, most=BATCH_MOST)
    if not set(map(type, listed)) <= _BYTES:
        raise MalformedError(f"{what}: operations must be bytes")
    return cast(list[bytes], listed)


def _optional(value: object, what: str, read: Callable[[object, str], Any]) -> Any:
    return None if value is None else read(value, what)


def _place(value: object, what: str) -> int:
    return wire.number(value, what, _MEMBERS_MOST)


def _progress(value: object, what: str) -> Progress:
    number, serial, complete, leaving, chain, stores = wire.items(value, what, 6)
    return Progress(
        wire.number(number, what),
        wire.number(serial, what),
        wire.flag(complete, what),
        wire.flag(leaving, what),
        wire.octets(chain, what, CHAIN_BYTES),
        wire.flag(stores, what),
    )


def _order(value: object, what: str) -> Order:
    sequence, runs, successor, session = wire.items(value, what, 4)
    places: tuple[Any, ...] = tuple(wire.items(runs, what, most=2 * BATCH_MOST))
    if not set(map(type, places)) <= _INT or min(places, default=0) < 0:
        raise MalformedError(f"{what}: runs are numbers")
    if len(places) % 2:
        raise MalformedError(f"{what}: runs are pairs of member and count")
    return Order(
        wire.number(sequence, what),
        places,
        _optional(successor, what, _place),
        _optional(session, what, wire.session),
    )


def _claim(value: object, what: str) -> Claim:
    tip, main, stable, main_number = wire.items(value, what, 4)
    claim = Claim(
        wire.position(tip, what),
        wire.flag(main, what),
        wire.position(stable, what),
        wire.number(main_number, what),
    )
    if max(claim.stable.number, claim.main_number) > claim.tip.number:
        raise MalformedError(f"{what}: its stable or main part is longer than the history")
    return claim


def _held(value: object, what: str) -> Held:
    author, first, last = wire.items(value, what, 3)
    return Held(wire.identity(author, what), wire.number(first, what), wire.number(last, what))


def _tail(value: object, what: str) -> Tail:
    author, first, last, holder = wire.items(value, what, 4)
    return Tail(
        wire.identity(author, what),
        wire.number(first, what),
        wire.number(last, what),
        _node(holder, what),
    )


def _judged(value: object, what: str) -> Judged:
    return Judged(*(wire.flag(each, what) for each in wire.items(value, what, 3)))


def _mark(value: object, what: str) -> tuple[bytes, int]:
    author, number = wire.items(value, what, 2)
    return wire.identity(author, what), wire.number(number, what)


def _run(value: object, what: str) -> tuple[bytes, int, list[bytes]]:
    author, first, payloads = wire.items(value, what, 3)
    return wire.identity(author, what), wire.number(first, what), _payloads(payloads, what)


def _work(view_id: bytes, rest: list[object]) -> Work:
    first, payloads, order, progress = wire.items(rest, "work", 4)
    return Work(
        view_id,
        wire.number(first, "work"),
        _payloads(payloads, "work"),
        None if order is None else _order(order, "order"),
        None if progress is None else _progress(progress, "progress"),
    )


def _founding(value: object, what: str) -> bytes:
    return wire.octets(value, what, FOUNDING_MOST)


def _report(view_id: bytes, rest: list[object]) -> Report:
    identity, rest = wire.items(rest, "report", 16)[:4], rest[4:]
    author, voter, history, from_disk = identity
    complete, turn, turns, since, claim, following, kept, held, *sessions = rest
    stable, attempts, stores, founded = sessions
    return Report(
        view_id,
        wire.identity(author, "report: author"),
        wire.voter(voter, "report: voter"),
        HistorySource(wire.number(history, "report: history", 2)),
        wire.flag(from_disk, "report: from disk"),
        wire.flag(complete, "report: complete"),
        wire.octets(turn, "report: turn", VIEW_ID_BYTES),
        wire.number(turns, "report: turns"),
        wire.number(since, "report: since"),
        _optional(claim, "report: claim", _claim),
        _optional(following, "report: following", wire.position),
        wire.number(kept, "report: kept from"),
        wire.each(held, "report: held", _held, _MEMBERS_MOST),
        wire.session(stable, "report: stable session"),
        wire.each(attempts, "report: attempts", wire.session, _ATTEMPTS_MOST),
        wire.flag(stores, "report: stores"),
        _optional(founded, "report: founding", _founding),
    )


def _start(view_id: bytes, rest: list[object]) -> Start:
    position, stable, epochs, marks = wire.items(rest, "start", 4)
    return Start(
        view_id,
        wire.position(position, "start: position"),
        wire.position(stable, "start: stable"),
        wire.each(epochs, "start: epochs", wire.epoch, _EPOCHS_MOST),
        wire.each(marks, "start: marks", _mark, _MARKS_MOST),
    )


def _fill(view_id: bytes, rest: list[object]) -> Fill:
    number, runs, epochs = wire.items(rest, "fill", 3)
    return Fill(
        view_id,
        wire.number(number, "fill"),
        wire.each(runs, "fill", _run, BATCH_MOST),
        wire.each(epochs, "fill: epochs", wire.epoch, _EPOCHS_MOST),
    )


def _verdict(view_id: bytes, rest: list[object]) -> Verdict:
    (judged,) = wire.items(rest, "verdict", 1)
    return Verdict(view_id, wire.each(judged, "verdict", _judged, _MEMBERS_MOST))


def _plan(view_id: bytes, rest: list[object]) -> Plan:
    (tails,) = wire.items(rest, "plan", 1)
    return Plan(view_id, wire.each(tails, "plan", _tail, _MEMBERS_MOST))


def _open(view_id: bytes, rest: list[object]) -> Open:
    wire.items(rest, "open", 0)
    return Open(view_id)


def _left_out(view_id: bytes, rest: list[object]) -> LeftOut:
    (nodes,) = wire.items(rest, "left out", 1)
    return LeftOut(view_id, wire.each(nodes, "left out", _node, _MEMBERS_MOST))


def _doubt(view_id: bytes, rest: list[object]) -> Doubt:
    (nodes,) = wire.items(rest, "doubt", 1)
    return Doubt(view_id, wire.each(nodes, "doubt", _node, _MEMBERS_MOST))


def _node(value: object, what: str) -> int:
    return wire.number(value, what, _NODE_MOST)


def _plain_work(parts: list[Any]) -> Work | None:
    """Decode an ordinary Work message in one pass. Return None for anything unusual, which is then decoded
    field by field so that errors name the field."""
    _, view_id, first, payloads, order, progress = parts
    if (
        type(view_id) is not bytes
        or len(view_id) > VIEW_ID_BYTES
        or type(first) is not int
        or not 0 <= first <= wire.NUMBER_MOST
        or type(payloads) is not list
        or len(payloads) > BATCH_MOST
        or not set(map(type, payloads)) <= _BYTES
    ):
        return None
    ordered = told = None
    if order is not None and (ordered := _plain_order(order)) is None:
        return None
    if progress is not None and (told := _plain_progress(progress)) is None:
        return None
    return Work(view_id, first, payloads, ordered, told)


def _plain_order(value: Any) -> Order | None:
    if type(value) is not list or len(value) != 4:
        return None
    sequence, runs, successor, session = value
    if (
        successor is not None
        or session is not None
        or type(sequence) is not int
        or not 0 <= sequence <= wire.NUMBER_MOST
        or type(runs) is not list
        or not 0 < len(runs) <= 2 * BATCH_MOST
        or len(runs) % 2
        or not set(map(type, runs)) <= _INT
        or min(runs) < 0
    ):
        return None
    return Order(sequence, tuple(runs))


def _plain_progress(value: Any) -> Progress | None:
    if type(value) is not list or len(value) != 6:
        return None
    number, serial, complete, leaving, chain, stores = value
    if type(chain) is not bytes or len(chain) > CHAIN_BYTES:
        return None
    if type(number) is not int or type(serial) is not int or min(number, serial) < 0:
        return None
    if not {type(complete), type(leaving), type(stores)} <= _BOOL or max(number, serial) > wire.NUMBER_MOST:
        return None
    return Progress(number, serial, complete, leaving, chain, stores)


_READERS: dict[object, Callable[[bytes, list[object]], Message]] = {
    1: _work,
    2: _report,
    3: _verdict,
    4: _plan,
    5: _start,
    6: _fill,
    7: _open,
    9: _left_out,
    10: _doubt,
}


def decode(payload: bytes) -> Message:
    """Decode a message; raise MalformedError if it is not one."""
    if len(payload) > MESSAGE_MOST:
        raise MalformedError(f"a message has at most {MESSAGE_MOST} bytes, not {len(payload)}")
    content, end = memoryview(payload)[:-SUM_BYTES], payload[-SUM_BYTES:]
    if crc32(content).to_bytes(SUM_BYTES, "big") != end:
        raise MalformedError("its checksum is wrong")
    if content[:1] != _VERSION:
        raise OtherVersionError("it is of another version")
    try:
        parts = msgpack.unpackb(content[1:])
    except Exception as error:  # msgpack raises many kinds, without a base class of its own
        raise MalformedError(f"it is not MessagePack: {error}") from error
    if type(parts) is list and len(parts) == 6 and parts[0] == 1:
        work = _plain_work(parts)
        if work is not None:
            return work
    if type(parts) is not list or len(parts) < 2:
        raise MalformedError("a message must be an array that begins with its kind")
    kind, view_id, *rest = parts
    if kind == 8:
        return Unordered(wire.octets(view_id, "beside", MESSAGE_MOST))
    reader = _READERS.get(kind) if type(kind) is int else None
    if reader is None:
        raise MalformedError(f"{kind!r:.40} is not a kind of message")
    return reader(wire.octets(view_id, "view", VIEW_ID_BYTES), rest)
