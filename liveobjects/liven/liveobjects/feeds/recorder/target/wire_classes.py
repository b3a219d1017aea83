"""The value classes that the members of a channel agree on, by the kind of the channel.

A shared value is sent with its author and a count, and presence as a value that may be missing.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.line.type_handshake import ValueClasses
from liven.types.terms.value_types import Integer, OptionalOf, Record, Scalar, ValueType

GROUP: Final = "group"
VALUE: Final = "value"
ORDERED: Final = "ordered"
PRESENCE: Final = "presence"
_COUNT: Final = Integer(0, 2**63 - 1)


def wire_classes(kind: str, value: ValueType) -> ValueClasses:
    """Return the classes of the members of a channel for these values."""
    if kind == VALUE:
        fields = (("author", Scalar("bytes")), ("count", _COUNT), ("value", value))
        return ValueClasses.of(kind, MessageClass=Record(fields))
    return ValueClasses.of(kind, MessageClass=OptionalOf(value) if kind == PRESENCE else value)


def message_of(classes: ValueClasses) -> ValueType | None:
    """Return the class of the messages on the wire; None if the members name none."""
    return dict(classes.classes).get("MessageClass")


def value_of(classes: ValueClasses) -> ValueType | None:
    """Return the class of the values in the messages; None if they do not have the form of their kind."""
    message = message_of(classes)
    if classes.kind != VALUE or message is None:
        return message
    return dict(message.fields).get("value") if isinstance(message, Record) else None
