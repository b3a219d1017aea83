"""One thing that an object reaches outside of itself: a file, a folder, a channel, a host, a rate, code."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import Final

from liven.runtime.files import readable_size
from liven.runtime.foreign_text import visible
from liven.runtime.reference.errors import shortened


class CapabilityKind(enum.Enum):
    """The kind of a capability; the text is stable, and answers on disk hold it."""

    READ_FILE = "read file"
    WRITE_FILE = "write file"
    READ_FOLDER = "read folder"
    WRITE_FOLDER = "write folder"
    JOIN_CHANNEL = "join channel"
    KEEP_CHANNEL = "keep channel"
    SEND = "send"
    REACH_HOST = "reach host"
    USE_HOST = "use host"
    RUN_CODE = "run code"
    RUN_QUERY = "run query"


_LONGEST: Final = 300
_PATHS: Final = frozenset(
    {
        CapabilityKind.READ_FILE,
        CapabilityKind.WRITE_FILE,
        CapabilityKind.READ_FOLDER,
        CapabilityKind.WRITE_FOLDER,
    }
)
_SENTENCES: Final = {
    CapabilityKind.READ_FILE: "read the file {}",
    CapabilityKind.WRITE_FILE: "replace the file {}",
    CapabilityKind.READ_FOLDER: "read the objects in the folder {}",
    CapabilityKind.WRITE_FOLDER: "add and remove objects in the folder {}",
    CapabilityKind.JOIN_CHANNEL: "join the channel {}",
    CapabilityKind.KEEP_CHANNEL: "store the channel {} on this computer",
    CapabilityKind.SEND: "send {}",
    CapabilityKind.REACH_HOST: "reach the computer {}",
    CapabilityKind.USE_HOST: "exchange data with the computer {}",
    CapabilityKind.RUN_CODE: "run code of the library {}",
    CapabilityKind.RUN_QUERY: "run a query with Spark on the recorded feed {}",
}


@dataclass(frozen=True, slots=True)
class Capability:
    """One capability. Its text shows characters that move the cursor or change the direction as escapes."""

    kind: CapabilityKind
    subject: str = ""
    """The path, channel, host (for `USE_HOST`: HOST:PORT), library or feed; empty for a rate."""
    rate: float = 0.0
    """Bytes a second, for `SEND`; infinite if nothing limits it but the rate limit of the program."""

    @property
    def is_path(self) -> bool:
        """True for a file or folder of this computer."""
        return self.kind in _PATHS

    @property
    def is_asked(self) -> bool:
        """True for a path, for a computer that the object exchanges data with, and for a query: a person is
        asked about them. `REACH_HOST` is the host of a library, which the trust question names."""
        return self.is_path or self.kind in (CapabilityKind.USE_HOST, CapabilityKind.RUN_QUERY)

    def __str__(self) -> str:
        if self.kind is CapabilityKind.SEND:
            return _SENTENCES[self.kind].format(self._rate())
        return _SENTENCES[self.kind].format(visible(shortened(self.subject, _LONGEST)))

    def _rate(self) -> str:
        if math.isinf(self.rate):
            return "as fast as it can"
        return f"up to {readable_size(max(1, round(self.rate)))} a second"


def sends(rate: float) -> Capability:
    """Return the capability of sending that many bytes a second."""
    return Capability(CapabilityKind.SEND, rate=rate)


def reads_and_writes_file(path: str) -> tuple[Capability, ...]:
    """Return the capabilities of an object that stands for a file."""
    return Capability(CapabilityKind.READ_FILE, path), Capability(CapabilityKind.WRITE_FILE, path)


def reads_and_writes_folder(path: str) -> tuple[Capability, ...]:
    """Return the capabilities of an object that stands for a folder."""
    return Capability(CapabilityKind.READ_FOLDER, path), Capability(CapabilityKind.WRITE_FOLDER, path)


def uses_host(host: str, port: int) -> tuple[Capability, ...]:
    """Return the capability of exchanging data with one port of another computer."""
    return (Capability(CapabilityKind.USE_HOST, f"[{host}]:{port}" if ":" in host else f"{host}:{port}"),)


def runs_query(feed: str) -> tuple[Capability, ...]:
    """Return the capability of a query on a feed that was recorded on this computer."""
    return (Capability(CapabilityKind.RUN_QUERY, feed),)


def joins_channel(name: str) -> tuple[Capability, ...]:
    """Return the capability of a channel: to receive what the others send, and to send."""
    return (Capability(CapabilityKind.JOIN_CHANNEL, name),)


def keeps_channel(name: str) -> tuple[Capability, ...]:
    """Return the capabilities of an object that stores a channel on this computer."""
    return *joins_channel(name), Capability(CapabilityKind.KEEP_CHANNEL, name)
