"""A record as a value of JSON that people read, and back. Bytes become base64, numbers keep all their
digits."""

from __future__ import annotations

import base64
import binascii
import math
import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.feeds.payload_decoder import PayloadDecoder, UndecodableError
from liven.liveobjects.feeds.record import CONTROL, FLAG_NAMES, Record, flag_names

BYTES: Final = "$base64"
"""The only key of an object that stands for bytes."""
_FLOATS: Final = "$float"
"""The only key of an object that stands for a number that JSON lacks: nan, inf, -inf."""
_NUMBER: Final = re.compile(r"-?\d+")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FLAGS: Final = {name: bit for bit, name in FLAG_NAMES.items()}
_PAIRS: Final = "$pairs"
"""The only key of an object that stands for a map whose keys are not texts."""


def json_record(
    sequence: int, record: Record, decoder: PayloadDecoder | None, recorder: str = ""
) -> dict[str, Any]:
    """Return a record as an object of JSON; without a decoder the payload is base64."""
    found: dict[str, Any] = {"sequence": sequence}
    if recorder:
        found["recorder"] = recorder
    found |= record._asdict()
    found["flags"] = flag_names(record.flags)
    payload = found.pop("payload")
    if decoder is None or record.flags & CONTROL:  # an operation of the channel itself is of no object's type
        found["payload"] = base64.b64encode(payload).decode()
        return found
    try:
        found["value"] = json_value(decoder.decode(record.type, payload))
    except UndecodableError as error:
        found["payload"] = base64.b64encode(payload).decode()
        found["error"] = str(error)
    return found


def json_value(value: Any) -> Any:
    """Return a neutral value as a value of JSON."""
    if isinstance(value, bytes):
        return {BYTES: base64.b64encode(value).decode()}
    if isinstance(value, float) and not math.isfinite(value):
        return {_FLOATS: str(value)}
    if isinstance(value, list | tuple):
        return [json_value(each) for each in value]
    if isinstance(value, dict):
        if all(isinstance(key, str) and not key.startswith("$") for key in value):
            return {key: json_value(each) for key, each in value.items()}
        return {_PAIRS: [[json_value(key), json_value(each)] for key, each in value.items()]}
    if isinstance(value, str | int | float) or value is None:
        return value
    return str(value)  # a timestamp or an extension of MessagePack


def neutral_value(value: Any) -> Any:
    """Return the neutral value that a value of JSON stands for; raise ValueError."""
    if isinstance(value, list):
        return [neutral_value(each) for each in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (sign,) = value
        if sign == BYTES:
            return _bytes_of(value[sign])
        if sign == _FLOATS:
            return float(value[sign])
        if sign == _PAIRS:
            return {_key(neutral_value(key)): neutral_value(each) for key, each in value[sign]}
    return {key: neutral_value(each) for key, each in value.items()}


def exact_record(sequence: int, record: Record) -> dict[str, Any]:
    """Return a record as an object of JSON that `record_of` makes the same record of.

    The payload is `value`; where that would give other bytes, the payload stands there as well.
    """
    found: dict[str, Any] = {"sequence": sequence, **record._asdict(), "flags": flag_names(record.flags)}
    del found["payload"]
    try:
        value = json_value(msgpack.unpackb(record.payload, strict_map_key=False))
        found["value"] = value
        if msgpack.packb(neutral_value(value)) == record.payload:
            return found
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        found.pop("value", None)
    found["payload"] = base64.b64encode(record.payload).decode()
    return found


def record_of(found: dict[str, Any]) -> Record:
    """Return the record that an object of JSON stands for; raise ValueError with what is wrong.

    Only `received` must be there. A serial of 0, as one gets that has none, is no number: such records are
    never taken for duplicates of each other.
    """
    if "received" not in found:
        raise ValueError(f"it has no `received`; it has {', '.join(list(found)[:12]) or 'nothing'}")
    received = moment_of(found["received"], "received")
    if "payload" in found:
        payload = _bytes_of(found["payload"])
    else:
        try:
            payload = msgpack.packb(neutral_value(found.get("value")))
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise ValueError(f"its value cannot be stored ({error})") from None
    return Record(
        received,
        moment_of(found["sent"], "sent") if "sent" in found else received,
        _text(found, "object"),
        _text(found, "channel"),
        _text(found, "author"),
        _text(found, "type"),
        _integer(found.get("serial", 0), "serial"),
        _flags(found.get("flags", [])),
        payload,
    )


def shown_moment(time: int) -> str | int:
    """Return microseconds since 1970 as a time in UTC, or as they are if no calendar has it."""
    try:
        return (_EPOCH + timedelta(microseconds=time)).isoformat()
    except OverflowError:
        return time


def moment_of(value: Any, name: str) -> int:
    """Return microseconds since 1970, given so or as a time (UTC if it names no zone); raise ValueError."""
    if isinstance(value, str) and not _NUMBER.fullmatch(value):
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(f"its {name}, {value!r:.40}, is no time") from None
        since = (found if found.tzinfo else found.replace(tzinfo=UTC)) - _EPOCH
        return since // _MICROSECOND
    return _integer(value, name)


def _integer(value: Any, name: str) -> int:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"its {name}, {value!r:.40}, is not a whole number")
    return value


def _text(found: dict[str, Any], name: str) -> str:
    value = found.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"its {name}, {value!r:.40}, is not a text")
    return value


def _flags(value: Any) -> int:
    if not isinstance(value, list):
        return _integer(value, "flags")
    flags = 0
    for each in value:
        if each in _FLAGS:
            flags |= _FLAGS[each]
        else:
            flags |= _integer(each, "flag")
    return flags


def _bytes_of(value: Any) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise ValueError(f"{value!r:.40} is not base64") from None


def _key(value: Any) -> Any:
    if isinstance(value, list | dict):
        raise ValueError("a key of a map is no simple value")
    return value
