"""The value that stands for any value: its class by structural hash, and its bytes.

Untyped channels of the original carry these. The typed wrapper, the XML channel and the switch stand on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.types.codec import Codec, CodecError
from liven.types.declare import value
from liven.types.terms.value_types import ValueType

HASH_BYTES: Final = 16


@value(id="148B8C6B886A49029CD81610CB75EEE6", alias="liven:serializable")
@dataclass(frozen=True)
class Serializable:
    """Any value."""

    kind: bytes
    """The beginning of its class's structural hash, or what else says how to read `data`."""
    data: bytes
    mark: bytes | None = None
    """Set by a switch that brought it from another channel."""


class Sealing:
    """Makes serializable values of one class, and reads them."""

    def __init__(self, kind: ValueType) -> None:
        self._codec = Codec(kind)
        self._hash = self._codec.hash[:HASH_BYTES]

    def put(self, given: Any) -> Serializable:
        """A value, in neutral form, as a serializable one."""
        return Serializable(self._hash, self._codec.encode_compact(given))

    def take(self, given: Serializable) -> Any:
        """The value in it; UnfitError if it is of another class."""
        if given.kind != self._hash:
            raise UnfitError("it is of another class of values")
        try:
            return self._codec.decode_compact(given.data, "value")
        except CodecError as error:
            raise UnfitError(str(error)) from None
