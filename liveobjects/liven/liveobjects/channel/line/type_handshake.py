"""The handshake by which the members of a group check that they use the same value classes.

A member that joins first sends the structural hash of its classes. Members that hear a younger member with
another hash answer with their own. A member that hears another hash from an older one is in the wrong group
and leaves; it learns which classes differ. Messages of such strangers are dropped.

A keeper has no classes of its own. It asks, and later greets with the classes that it heard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.line.transport import (
    Batch,
    Line,
    LineBusyError,
    LineClosedError,
    LineEvent,
    Receiver,
    Transport,
)
from liven.multicast.group import Delivery, Evicted, View
from liven.types.codec.type_form import TypeFormError, form_of, type_of
from liven.types.explanation import Explanation
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.hashing import structural_hash
from liven.types.terms.value_types import ValueType

_MARK: Final = b"\0"
"""The first byte of a greeting, which begins no other message of a channel."""
_LONGEST: Final = 256 * 1024
_MOST_STRANGERS: Final = 64
_NOBODY: Final = b""
"""The hash that a keeper sends to ask for the classes."""


_ASKING: Final[bytes] = _MARK + msgpack.packb([_NOBODY, None])


@dataclass(frozen=True)
class ValueClasses:
    """The kind of a channel and its value classes by parameter name.

    `ChannelSystem.dialect` lets a thousand equal channels share one.
    """

    kind: str
    classes: tuple[tuple[str, ValueType], ...]

    @classmethod
    def of(cls, kind: str, /, **classes: ValueType) -> ValueClasses:
        """Return the classes of this kind of channel."""
        return cls(kind, tuple(sorted(classes.items())))

    @cached_property
    def hash(self) -> bytes:
        """A hash, equal for classes with the same encoding."""
        return structural_hash(self._carrier) + self.kind.encode()

    @property
    def _carrier(self) -> EndpointType:
        return EndpointType(inputs=self.classes)

    def form(self) -> Any:
        """Return the kind and the classes as plain values."""
        return [self.kind, form_of(self._carrier)]

    @cached_property
    def greeting(self) -> bytes:
        """The first message of a member."""
        packed: bytes = msgpack.packb([self.hash, self.form()])
        return _MARK + packed

    def differs_from(self, form: Any) -> Explanation | None:
        """Return how another member's classes differ; None if its message has no valid form."""
        match form:
            case [str(kind), carrier] if kind == self.kind:
                return self._other_classes(carrier)
            case [str(kind), _]:
                return Explanation(
                    False, f"the others have a channel of the kind {kind[:40]!r}, this is {self.kind!r}"
                )
        return None

    def _other_classes(self, carrier: Any) -> Explanation | None:
        formalisms = Formalisms(builtin_formalisms())
        try:
            theirs = type_of(carrier, formalisms)
        except TypeFormError:
            return None
        matcher = Matcher(formalisms)
        return matcher.same(self._carrier, replace(theirs, provides=(), requires=()))


class WrongClassesError(Exception):
    """This member's value classes are not those of the group that it joined."""

    def __init__(self, name: str, explanation: Explanation | None) -> None:
        said = explanation.render() if explanation is not None else "the structural hashes differ"
        super().__init__(
            f"the members of {name!r} use other value classes than this one\n{said}\n"
            "open the same version of the object as the others, or choose another name"
        )
        self.explanation = explanation


class TypeHandshake:
    """A line whose members agree on their classes. Greetings do not reach the receiver.

    `refused` is called once with a WrongClassesError, after the line was left.
    """

    __slots__ = (
        "_greeting",
        "_hash",
        "_oldest",
        "_over",
        "_receiver",
        "_refused",
        "_strangers",
        "_value_classes",
        "line",
    )

    def __init__(
        self,
        transport: Transport,
        name: str,
        value_classes: ValueClasses | None,
        receiver: Receiver,
        refused: Callable[[WrongClassesError], object],
    ) -> None:
        self._value_classes = value_classes
        self._hash, self._greeting = self._words()
        self._receiver = receiver
        self._refused = refused
        self._strangers: tuple[int, ...] = ()
        self._oldest = 0
        self._over = False
        self.line: Line = transport.open(name, self._batch)
        self.line.send(self._greeting)

    def _words(self) -> tuple[bytes, bytes]:
        """Return the hash of this member's classes and its greeting."""
        return (
            (_NOBODY, _ASKING)
            if self._value_classes is None
            else (self._value_classes.hash, self._value_classes.greeting)
        )

    def rejoin(self) -> None:
        """Rejoin after an eviction."""
        self.line.rejoin()
        self.line.send(self._greeting)

    def _batch(self, batch: Batch) -> None:
        if batch.events:
            self._events(batch.events)
        for one in batch.messages:
            if self._strangers or one.payload[:1] == _MARK:
                batch = Batch([one for one in batch.messages if self._passes(one)], batch.events)
                break
        if not self._over and (batch.messages or batch.events):
            self._receiver(batch)

    def _events(self, events: Sequence[LineEvent]) -> None:
        for event in events:
            if isinstance(event, View):
                self._oldest = event.members[0].node if event.members else 0
                present = {one.node for one in event.members}
                self._strangers = tuple(one for one in self._strangers if one in present)
                self._answer()
            elif isinstance(event, Evicted):
                self._strangers = ()

    def _passes(self, message: Delivery) -> bool:
        if message.payload[:1] == _MARK:
            self._greeted(message)
            return False
        return message.sender not in self._strangers and not self._over

    def _greeted(self, message: Delivery) -> None:
        said = _read(message.payload)
        if said is None or said[0] == self._hash or self._over:
            return
        if said[0] == _NOBODY:
            self._answer_keeper()
        elif message.sender < self.line.me:
            self._over = True
            self.line.leave()
            why = None if self._value_classes is None else self._value_classes.differs_from(said[1])
            self._refused(WrongClassesError(self.line.name, why))
        elif len(self._strangers) < _MOST_STRANGERS:
            if message.sender not in self._strangers:
                self._strangers += (message.sender,)
            self._answer()

    def _answer_keeper(self) -> None:
        """Tell a keeper the classes of the group."""
        with suppress(LineClosedError, LineBusyError):
            self.line.send(self._greeting)

    def _answer(self) -> None:
        """Tell strangers the classes of the group, as its oldest member."""
        if self._strangers and self._oldest == self.line.me and not self._over:
            with suppress(LineClosedError, LineBusyError):  # the next oldest member does it, or we do later
                self.line.send(self._greeting)


class KeeperHandshake(TypeHandshake):
    """The handshake of a keeper, which adopts the first classes that it hears."""

    def __init__(
        self,
        transport: Transport,
        name: str,
        greeting: bytes,
        receiver: Receiver,
        refused: Callable[[WrongClassesError], object],
        learned: Callable[[bytes], object],
    ) -> None:
        """Begin with `greeting`, as stored by an earlier process; empty if it heard none. `learned` gets a
        new one."""
        self._learned = learned
        self._known = greeting
        super().__init__(transport, name, None, receiver, refused)

    def _words(self) -> tuple[bytes, bytes]:
        said = _read(self._known) if self._known else None
        return super()._words() if said is None else (said[0], self._known)

    def _greeted(self, message: Delivery) -> None:
        said = _read(message.payload)
        if self._hash == _NOBODY and said is not None and said[0] != _NOBODY:
            self._known = message.payload
            self._hash, self._greeting = self._words()
            self._learned(message.payload)
        super()._greeted(message)


def classes_in(greeting: bytes) -> ValueClasses | None:
    """Return the value classes that a greeting names; None if it names none."""
    said = _read(greeting)
    match said:
        case [bytes(), [str(kind), carrier]]:
            with suppress(TypeFormError):
                return ValueClasses(kind, type_of(carrier, Formalisms(builtin_formalisms())).inputs)
    return None


def _read(payload: bytes) -> tuple[bytes, Any] | None:
    """Decode a greeting; return None if it is not one."""
    if len(payload) > _LONGEST:
        return None
    try:
        said = msgpack.unpackb(payload[1:])
    except (ValueError, msgpack.UnpackException):
        return None
    match said:
        case [bytes(hash_), form]:
            return hash_, form
    return None
