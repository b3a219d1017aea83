"""Recordings of encrypted channels: the records stay sealed with the channel's own key, as its log does.

The description must not hold a key, so it has the recipe without them; whoever has the recipe of the object
itself can read. Keys of reader lists are in no recipe: each reader's own key opens them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.liveobjects.channel.adapters.sealed_values import Sealed, Sealer, derived
from liven.liveobjects.channel.adapters.shared_key_encryption import MESSAGE, STATE, BadKeyError, key_of
from liven.liveobjects.channel.api.encryption import encrypts
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.feeds.description import FeedDescription, TypeEntry
from liven.liveobjects.feeds.errors import BadUseError
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder, UndecodableError, unchecked
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.model import Composite, Object, Parameter, Plain, Reference, parts

_KEY: Final = "key"
_LABEL: Final = "label"
_FIELDS: Final = frozenset(Sealed.__dataclass_fields__)


class EncryptedError(BadUseError):
    """A recording is encrypted, and its key is missing or is another one."""


def encrypted_error(feed: str, described: FeedDescription, advice: str) -> EncryptedError:
    """Return the error that a recording cannot be read without its key."""
    (first, *more) = described.encrypted
    others = f" and {len(more)} more" if more else ""
    return EncryptedError(f"{shown_line(feed)} is encrypted (channel {shown_line(first)}{others}); {advice}")


def without_keys(thing: Object) -> Object:
    """Return a recipe without the keys of what encrypts in it, at any depth."""

    def clean(one: Parameter) -> Parameter | None:
        if isinstance(one.value, Reference | Composite):
            return replace(one, value=without_keys(one.value))
        return None if encrypts(thing) and one.id == _KEY else one

    kept = tuple(one for each in thing.parameters if (one := clean(each)) is not None)
    if isinstance(thing, Composite):
        inside = tuple(replace(one, object=without_keys(one.object)) for one in thing.components)
        return replace(thing, parameters=kept, components=inside)
    source = None if thing.source is None else without_keys(thing.source)
    return replace(thing, parameters=kept, source=source)


def keys_in(thing: Object) -> Iterator[bytes]:
    """Yield the keys with which objects in a recipe encrypt."""
    given = {one.id: one.value.text for one in thing.parameters if isinstance(one.value, Plain)}
    if encrypts(thing) and _KEY in given:
        try:
            yield derived(key_of(given[_KEY]), given.get(_LABEL, ""))
        except BadKeyError as error:
            raise EncryptedError(f"the recipe has a bad key: {error}") from None
    for _, part in parts(thing):
        yield from keys_in(part)


class SealedPayloadDecoder(PayloadDecoder):
    """A decoder that opens sealed values with keys."""

    def __init__(self, types: Mapping[str, TypeEntry], keys: Sequence[bytes]) -> None:
        super().__init__(types)
        self._keys = tuple(keys)
        self._sealer = Sealer(UserKeys.make())

    def decode(self, name: str, payload: bytes) -> Any:
        """Return the value that was sealed, or any other value as it is; raise UndecodableError."""
        found = super().decode(name, payload)
        if not isinstance(found, dict) or found.keys() != _FIELDS:
            return found
        return unchecked(self._opened(Sealed(**found)))

    def _opened(self, sealed: Sealed) -> bytes:
        purpose = self._purpose(sealed)
        for key in self._keys:
            try:
                data = self._sealer.open(sealed, key, purpose)
                return data if purpose == MESSAGE else self._sealer.remember(data)
            except UnfitError:
                continue
        raise UndecodableError("it was sealed with another key")

    def _purpose(self, sealed: Sealed) -> bytes:
        """Return the purpose for which a value was signed; raise UndecodableError."""
        for purpose in (MESSAGE, STATE):
            try:
                self._sealer.verify(sealed, purpose)
            except UnfitError as error:
                why = str(error)
            else:
                return purpose
        raise UndecodableError(why)
