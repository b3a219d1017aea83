"""A record as a value of JSON that people read, and back. Bytes become base64, numbers keep all their
digits."""

from __future__ import annotations

import base64
import math
from typing import Any, Final

from liven.liveobjects.feeds.payload_decoder import PayloadDecoder, UndecodableError
from liven.liveobjects.feeds.record import Record, flag_names

BYTES: Final = "$base64"
"""The only key of an object that stands for bytes."""
_FLOATS: Final = "$float"
"""The only key of an object that stands for a number that JSON lacks: nan, inf, -inf."""
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
    if decoder is None:
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
