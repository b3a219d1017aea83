"""Records that are sealed with a key, and the recipe that has it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.adapters.sealed_values import Sealed, Sealer, derived
from liven.liveobjects.channel.adapters.shared_key_encryption import MESSAGE, STATE
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.liveobjects.feeds.encryption import without_keys
from liven.liveobjects.feeds.key_file import ChannelKey, OpenedType
from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.runtime.reference.model import Document, OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import compact, write
from liven.types.declare import TermBuilder
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.terms.type_text import spell

KEY, OTHER = "ab" * 32, "cd" * 32
CHANNEL, CLEAR = "home/f/secret", "home/f/open"
SEALED = "liven:sealed"
NOON = 20_000 * 86_400_000_000 + 43_200_000_000


def recipe(key: str = KEY) -> Reference:
    classes = [
        Parameter(f"{one}Class", OtherClass("ValueClass", "text")) for one in ("Message", "Checkpoint")
    ]
    return Reference("liven:encrypt-replicated", (*classes, Parameter("key", Plain("string", key))))


def key_file(folder: Path, key: str = KEY) -> Path:
    """Return a file of the object with a key."""
    path = folder / f"{key[:2]}.liveobject"
    path.write_bytes(write(Document(recipe(key))))
    return path


def channel_key(key: str = KEY) -> ChannelKey:
    """Return the key as a job gets it."""
    return ChannelKey(
        derived(bytes.fromhex(key), "").hex(), OpenedType("text", "text"), OpenedType("text", "text")
    )


def described(*channels: str) -> FeedDescription:
    notation = spell(TermBuilder(Formalisms(builtin_formalisms())).value_of(Sealed))
    return FeedDescription(
        "Takings",
        compact(without_keys(recipe())),
        {SEALED: TypeEntry(notation)},
        encrypted=channels or (CHANNEL,),
    )


def describe(feed: Path, *channels: str) -> None:
    """Write the description of a feed with these encrypted channels."""
    write_description(feed, described(*channels))


class Sender:
    """Somebody who seals values."""

    def __init__(self, key: str = KEY, channel: str = CHANNEL) -> None:
        self._sealer = Sealer(UserKeys.make())
        self._key = derived(bytes.fromhex(key), "")
        self._channel = channel

    def record(self, number: int, value: Any, *, is_state: bool = False, **more: Any) -> Record:
        """Return a record of a value, sealed as a message or as a state."""
        data = msgpack.packb(value)
        if is_state:
            data = self._sealer.remembered() + data
        sealed = self._sealer.seal(data, self._key, 0, STATE if is_state else MESSAGE)
        values = {
            "received": NOON + number * 1000,
            "sent": NOON + number * 1000,
            "object": "takings",
            "channel": self._channel,
            "author": "" if is_state else "ann",
            "type": SEALED,
            "serial": number,
            "flags": CHECKPOINT if is_state else 0,
            "payload": msgpack.packb(asdict(sealed)),
        }
        return Record(**{**values, **more})


def clear_record(number: int, value: str, **more: Any) -> Record:
    """Return a record that is not sealed."""
    at = NOON + number * 1000
    values = (at, at, "notice", CLEAR, "bo", "text", number, 0, msgpack.packb(value))
    return Record(*values)._replace(**more)
