"""Recording the value stream of an object that runs here, such as a sensor, a timer or a file that grows.

Such an object is on no channel, so each program that runs it has a stream of its own: each run is an author.
A replay plays it as a shared value under the name that it gets here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final

from liven.liveobjects.channel.api.recipes import KINDS
from liven.liveobjects.feeds.recorder.stream.archive import StreamArchive
from liven.liveobjects.feeds.recorder.target.wire_classes import VALUE
from liven.liveobjects.feeds.value_face import Face
from liven.runtime.reference.model import NAME, Attribute, Object, OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.model import name_of as name_in
from liven.types.codec import Codec, CodecError

NETWORK: Final = "local"
"""The first part of the names of these streams: no network."""
_LIFE_BYTES: Final = 8


def stream_name(thing: Object) -> tuple[str, str]:
    """Return the name of an object, and the name of the channel that its stream gets."""
    name = name_in(thing) or thing.id.removeprefix("liven:")
    return name, f"{NETWORK}/streams/{name.replace('/', '-')}"


def replayed_recipe(thing: Object, value_class: str) -> Reference:
    """Return the recipe of a shared value that plays the stream of an object."""
    name, channel = stream_name(thing)
    given = (
        Parameter("ValueClass", OtherClass("ValueClass", value_class)),
        Parameter("name", Plain("string", channel)),
    )
    return Reference(KINDS[VALUE], given, attributes=(Attribute(NAME, name),))


class ObjectStream:
    """One run of an object. Its values are numbered from 1."""

    def __init__(self, face: Face, archive: StreamArchive, say: Callable[[str, str], object]) -> None:
        """Connect to the object; raise ObjectRuntimeError."""
        self._archive = archive
        self._say = say
        self._codec = Codec(face.value)
        self._author = os.urandom(_LIFE_BYTES).hex()
        self._count = 0
        self._probe = face.reader("recorder", self._set)

    def close(self) -> None:
        """Leave the object."""
        self._probe.close()

    def _set(self, value: Any) -> None:
        try:
            payload = self._codec.encode(value)
        except CodecError as error:
            self._say(f"a value is not recorded: {error}", "the recording goes on")
            return
        self._count += 1
        self._archive.take(self._author, self._count, [payload], compact=False)
