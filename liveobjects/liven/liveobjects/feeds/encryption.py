"""Recordings of encrypted channels: the records stay sealed with the channel's own key, as its log does.

The description must not hold a key, so it has the recipe without them; whoever has the recipe of the object
itself can read. Keys of reader lists are in no recipe: each reader's own key opens them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.liveobjects.channel.adapters.reader_encryption import Guarded, GuardedState
from liven.liveobjects.channel.adapters.sealed_values import Sealed, Sealer, derived
from liven.liveobjects.channel.adapters.shared_key_encryption import MESSAGE, STATE, BadKeyError, key_of
from liven.liveobjects.channel.api.encryption import encrypts
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.feeds.description import FeedDescription, TypeEntry
from liven.liveobjects.feeds.errors import BadUseError
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder, UndecodableError, unchecked
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.model import (
    Composite,
    Object,
    OtherClass,
    Parameter,
    Plain,
    Reference,
    parts,
)
from liven.types.declare import TermBuilder
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.terms.type_text import spell

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


@dataclass(frozen=True, slots=True)
class SealingKey:
    """The key of an object that encrypts, and the classes of the values that it encrypts."""

    key: bytes
    message: str
    """The id or the alias of the class; empty if the recipe does not state it."""
    state: str


def sealing_keys(thing: Object) -> Iterator[SealingKey]:
    """Yield the keys with which objects in a recipe encrypt; raise EncryptedError."""
    given = {one.id: one.value.text for one in thing.parameters if isinstance(one.value, Plain)}
    if encrypts(thing) and _KEY in given:
        classes = {one.id: one.value.id for one in _uses(thing) if isinstance(one.value, OtherClass)}
        try:
            key = derived(key_of(given[_KEY]), given.get(_LABEL, ""))
        except BadKeyError as error:
            raise EncryptedError(f"the recipe has a bad key: {error}") from None
        yield SealingKey(key, classes.get("MessageClass", ""), classes.get("CheckpointClass", ""))
    for _, part in parts(thing):
        yield from sealing_keys(part)


def _uses(thing: Object) -> tuple[Parameter, ...]:
    """Return the parameters of an object, and those of its class."""
    of_class = getattr(thing, "object_class", None)
    return (*(of_class.parameters if of_class is not None else ()), *thing.parameters)


def keys_in(thing: Object) -> list[bytes]:
    """Return the keys with which objects in a recipe encrypt; raise EncryptedError."""
    return [one.key for one in sealing_keys(thing)]


class SealedValues:
    """Opens sealed values with keys."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = tuple(keys)
        self._sealer = Sealer(UserKeys.make())

    def open(self, sealed: Sealed, purposes: Sequence[bytes] = (MESSAGE, STATE)) -> bytes:
        """Return the value that was sealed for one of these purposes; raise UndecodableError."""
        purpose = self._purpose(sealed, purposes)
        for key in self._keys:
            try:
                data = self._sealer.open(sealed, key, purpose)
                return data if purpose == MESSAGE else self._sealer.remember(data)
            except UnfitError:
                continue
        raise UndecodableError("it was sealed with another key")

    def _purpose(self, sealed: Sealed, purposes: Sequence[bytes]) -> bytes:
        """Return the purpose for which a value was signed; raise UndecodableError."""
        for purpose in purposes:
            try:
                self._sealer.verify(sealed, purpose)
            except UnfitError as error:
                why = str(error)
            else:
                return purpose
        raise UndecodableError(why)


class SealedPayloadDecoder(PayloadDecoder):
    """A decoder that opens sealed values with keys."""

    def __init__(self, types: Mapping[str, TypeEntry], keys: Sequence[bytes]) -> None:
        super().__init__(types)
        self._values = SealedValues(keys)

    def decode(self, name: str, payload: bytes) -> Any:
        """Return the value that was sealed, or any other value as it is; raise UndecodableError."""
        found = super().decode(name, payload)
        sealed = sealed_in(found)
        return found if sealed is None else unchecked(self._values.open(sealed))


def sealed_in(found: Any) -> Sealed | None:
    """Return the sealed value that a neutral value is; None for any other."""
    if not isinstance(found, dict) or found.keys() != _FIELDS:
        return None
    numbers = (found["count"], found["view"])
    texts = (found[name] for name in _FIELDS if name not in ("count", "view"))
    if not all(isinstance(one, bytes) for one in texts):
        return None
    fits = all(isinstance(one, int) and 0 <= one < 1 << 64 for one in numbers)
    return Sealed(**found) if fits else None


def is_sealed_type(notation: str) -> bool:
    """Return True if values of a type with this structure are sealed ones."""
    return notation in _sealed_notations()


@cache
def _sealed_notations() -> frozenset[str]:
    terms = TermBuilder(Formalisms(builtin_formalisms()))
    return frozenset(spell(terms.value_of(each)) for each in (Sealed, Guarded, GuardedState))
