"""Opening sealed payloads in a worker, with keys out of a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from liven.liveobjects.channel.adapters.shared_key_encryption import MESSAGE, STATE
from liven.liveobjects.feeds.encryption import SealedValues, sealed_in
from liven.liveobjects.feeds.key_file import read_keys
from liven.liveobjects.feeds.payload_decoder import UndecodableError, unchecked
from liven.liveobjects.feeds.table.reading import Sealing


def opener(sealing: Sealing) -> Callable[[bytes], bytes]:
    """Return a function that returns the payload inside a sealed one, or raises UndecodableError; raise
    BadKeysError."""
    values = _values(sealing.keys)
    purposes = (MESSAGE, STATE) if sealing.states is None else (STATE if sealing.states else MESSAGE,)

    def opened(payload: bytes) -> bytes:
        sealed = sealed_in(unchecked(payload))
        if sealed is None:
            raise UndecodableError("it is not sealed")
        return values.open(sealed, purposes)

    return opened


@lru_cache(maxsize=4)
def _values(path: str) -> SealedValues:
    """Return the keys of a file, which has a name of its own for each job."""
    return SealedValues([bytes.fromhex(each.key) for each in read_keys(Path(path))])
