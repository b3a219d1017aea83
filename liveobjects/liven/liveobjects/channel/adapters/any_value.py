"""A value that represents any value: its class by structural hash, and its bytes.

Untyped channels of the original program carry these, so the typed wrapper, the XML channel and the switch use
them.
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
    """The beginning of its class's structural hash, or another name of the encoding of `data`."""
    data: bytes
    mark: bytes | None = None
    """Set by a switch that brought the value from another channel."""


class AnyValueCodec:
    """Encodes values of one class as serializable values, and decodes them."""

    def __init__(self, kind: ValueType) -> None:
        self._codec = Codec(kind)
        self._hash = self._codec.hash[:HASH_BYTES]

    def put(self, given: Any) -> Serializable:
        """Encode a value in neutral form."""
        return Serializable(self._hash, self._codec.encode_compact(given))

    def take(self, given: Serializable) -> Any:
        """Decode a value. Raises UnfitError if it is of another class."""
        if given.kind != self._hash:
            raise UnfitError("its value class is another one")
        try:
            return self._codec.decode_compact(given.data, "value")
        except CodecError as error:
            raise UnfitError(str(error)) from None
