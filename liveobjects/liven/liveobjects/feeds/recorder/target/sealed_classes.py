"""The value classes of encrypted channels, which recipes rarely state: they follow from what encrypts."""

from __future__ import annotations

from functools import cache

from liven.liveobjects.channel.adapters.reader_encryption import Guarded, GuardedState
from liven.liveobjects.channel.adapters.sealed_values import Sealed
from liven.liveobjects.channel.api.encryption import component, encrypts
from liven.liveobjects.channel.line.type_handshake import ValueClasses
from liven.liveobjects.feeds.recorder.target.wire_classes import wire_classes
from liven.runtime.reference.model import Object, parts
from liven.types.declare import TermBuilder
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms

_CHECKPOINTED = "checkpointed"
_GUARD = component("89BC5908C9724040399C132CB4E94D4E"), "liven:guard"


def sealing_part(thing: Object) -> Object | None:
    """Return the object that encrypts: this one, or one directly inside it; None without any."""
    if encrypts(thing):
        return thing
    return next((part for _, part in parts(thing) if encrypts(part)), None)


def sealed_classes(sealing: Object, kind: str) -> ValueClasses | None:
    """Return the classes of a channel of this kind below an object that encrypts."""
    terms = _terms()
    if component(sealing.id) in _GUARD:
        return ValueClasses.of(
            kind, MessageClass=terms.value_of(Guarded), CheckpointClass=terms.value_of(GuardedState)
        )
    sealed = terms.value_of(Sealed)
    if kind == _CHECKPOINTED:
        return ValueClasses.of(kind, MessageClass=sealed, CheckpointClass=sealed)
    return wire_classes(kind, sealed)


@cache
def _terms() -> TermBuilder:
    return TermBuilder(Formalisms(builtin_formalisms()))
