"""Payloads decoded by the types that a feed's description lists, without the library of their author."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgpack  # type: ignore[import-untyped]

from liven.liveobjects.feeds.description import TypeEntry
from liven.types.catalogue import builtin_catalogue
from liven.types.catalogue.errors import CatalogueError
from liven.types.catalogue.notation import NotationError
from liven.types.codec import Codec, CodecError, Codecs
from liven.types.formalism.registry import Formalisms


class UndecodableError(Exception):
    """A payload is no value of its type; the text says why."""


class PayloadDecoder:
    """Decodes payloads by the names of their types. A type is looked up once."""

    def __init__(self, types: Mapping[str, TypeEntry]) -> None:
        self._types = types
        self._catalogue = builtin_catalogue(Formalisms())
        self._codecs = Codecs()
        self._known: dict[str, Codec | None] = {}

    def decode(self, name: str, payload: bytes) -> Any:
        """Return the neutral value of a payload; raise UndecodableError.

        A type that is not known here is decoded without being checked: MessagePack says enough to show it.
        """
        try:
            codec = self._known[name]
        except KeyError:
            codec = self._known[name] = self._codec(name)
        try:
            return unchecked(payload) if codec is None else codec.decode(payload)
        except CodecError as error:
            raise UndecodableError(str(error)) from None

    def is_known(self, name: str) -> bool:
        """Return True if payloads of the type are checked."""
        if name not in self._known:
            self._known[name] = self._codec(name)
        return self._known[name] is not None

    def _codec(self, name: str) -> Codec | None:
        entry = self._types.get(name)
        try:
            return self._codecs.of(self._catalogue.value(entry.notation if entry else name))
        except (NotationError, CatalogueError, ValueError):
            return None


def unchecked(payload: bytes) -> Any:
    """Return the neutral value of a payload of any type; raise UndecodableError."""
    try:
        return msgpack.unpackb(payload, strict_map_key=False)
    except (ValueError, msgpack.UnpackException, RecursionError) as error:
        raise UndecodableError(f"it is not MessagePack ({error})") from None
