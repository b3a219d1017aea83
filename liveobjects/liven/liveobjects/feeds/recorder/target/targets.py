"""The channels in a recipe, with their value classes where the recipe or the catalogue tells them.

A recipe is only read: no code of its objects runs. Objects that say "no recording" are left out, and named.
Of an encrypted channel, the sealed values are found, and no key.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from liven.liveobjects.channel.api.names import ChannelNameError, group_name
from liven.liveobjects.channel.api.recipes import COMMUNICATION, KINDS
from liven.liveobjects.channel.line.type_handshake import ValueClasses
from liven.liveobjects.channel.objects.channel_folder import ORIGINAL_SYSTEMS
from liven.liveobjects.feeds.recorder.target.sealed_classes import sealed_classes, sealing_part
from liven.liveobjects.feeds.recorder.target.wire_classes import wire_classes
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.ids import normal
from liven.runtime.reference.model import (
    Composite,
    Object,
    OtherClass,
    Parameter,
    Plain,
    Reference,
    attribute,
    name_of,
    parts,
)
from liven.runtime.reference.xml import read_object
from liven.types.catalogue.catalogue import Catalogue
from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.value_types import OptionalOf, Record, ValueType

NO_RECORDING: Final = "liven:no-recording"
"""The attribute of a recipe whose object may not be recorded; its value is the reason, or anything."""
DEEPEST: Final = 64
"""Recipes inside recipes; beyond that, nobody nests by hand."""
_SYSTEM_IDS: Final = (normal(COMMUNICATION), "liven:communication", *ORIGINAL_SYSTEMS)
_KIND_OF: Final = {alias: kind for kind, alias in KINDS.items()}
CHECKPOINTED: Final = "checkpointed"


@dataclass(frozen=True, slots=True)
class Target:
    """One channel that may be recorded."""

    channel: str
    kind: str
    object: str
    """The path of the object, by names."""
    type: str
    """The class of the object."""
    classes: ValueClasses | None = None
    """None if they are learned from the members."""
    seed: bytes | None = None
    """The state with which the channel begins while it has no history."""
    encrypted: bool = False
    """True if everything on the channel is sealed."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An object that is not recorded."""

    object: str
    type: str
    why: str


Found: TypeAlias = Target | Skipped


class TargetFinder:
    """Finds the channels of recipes. `network` names the network of channels that leave it open."""

    def __init__(self, network: str, catalogue: Catalogue | None) -> None:
        self._network = network
        self._catalogue = catalogue

    def in_text(self, recipe: str, within: str) -> list[Found]:
        """Return what is in the text of a recipe; a text that is none is skipped."""
        try:
            thing = read_object(recipe)
        except ReadError as error:
            return [Skipped(within, "", f"its recipe cannot be read: {error}")]
        return list(self.inside(thing, within))

    def inside(self, thing: Object, within: str = "") -> Iterator[Found]:
        """Yield what is in a recipe, at the path `within`."""
        yield from self._inside(thing, within, None, 0)

    def _inside(self, thing: Object, within: str, owner: Parameter | None, depth: int) -> Iterator[Found]:
        called = name_of(thing) or ("" if owner is not None else thing.id)
        path = "/".join(filter(None, (within, called)))
        why = attribute(thing, NO_RECORDING)
        if why:
            said = "" if why.lower() in ("true", "yes", "1") else f": {why[:200]}"
            yield Skipped(path, thing.id, f"its recipe refuses to be recorded{said}")
        elif depth > DEEPEST:
            yield Skipped(path, thing.id, f"it is nested more than {DEEPEST} deep")
        elif (channel := self.channel_of(thing)) is not None and isinstance(thing, Reference):
            yield Target(*channel, path, thing.id, self._stated(thing, channel[1]), _seed(thing))
        else:
            yield from self._parts(thing, path, depth)

    def _parts(self, thing: Object, path: str, depth: int) -> Iterator[Found]:
        ends = self._endpoints(thing)
        sealing = sealing_part(thing)
        for steps, part in parts(thing):
            if steps[0] in ("From", "Authority"):
                continue
            channel = self.channel_of(part)
            if channel is None or attribute(part, NO_RECORDING) or not isinstance(part, Reference):
                owner = Parameter(steps[0]) if isinstance(thing, Reference) else None
                yield from self._inside(part, path, owner, depth + 1)
                continue
            name, kind = channel
            end = ends.get(steps[0].removeprefix("Parameter[").removesuffix("]"))
            classes = self._stated(part, kind) or (None if end is None else _expected(end, kind))
            if sealing is not None:
                classes = classes or sealed_classes(sealing, kind)
            yield Target(name, kind, path, thing.id, classes, _seed(part), encrypted=sealing is not None)

    def channel_of(self, thing: Object) -> tuple[str, str] | None:
        """Return the group and the kind of the channel that a recipe names; None if it names none."""
        if not isinstance(thing, Reference) or thing.null:
            return None
        try:
            if thing.source is None:
                kind = _KIND_OF.get(thing.id)
                name = _plain(thing, "name")
                return None if kind is None or not name else (name, kind)
            source = thing.source
            if isinstance(source, Reference) and normal(source.id) in _SYSTEM_IDS:
                folder = _plain(source, "folder") or COMMUNICATION
                network = _plain(source, "network") or self._network
                return group_name(network, folder, thing.id), _plain(source, "kind") or CHECKPOINTED
        except ChannelNameError:
            return None
        return None

    def _stated(self, channel: Reference, kind: str) -> ValueClasses | None:
        """Return the classes that the recipe of a channel states."""
        uses = channel.object_class.parameters if channel.object_class is not None else ()
        given = {
            each.id: each.value.id
            for each in (*uses, *channel.parameters)
            if isinstance(each.value, OtherClass)
        }
        return self._classes(kind, given)

    def _classes(self, kind: str, given: Mapping[str, str]) -> ValueClasses | None:
        if self._catalogue is None:
            return None
        try:
            classes = {name: self._catalogue.value(id_) for name, id_ in given.items()}
        except (ValueError, LookupError):
            return None
        if kind == CHECKPOINTED and classes.keys() >= {"MessageClass", "CheckpointClass"}:
            message, state = classes["MessageClass"], classes["CheckpointClass"]
            return ValueClasses.of(kind, MessageClass=message, CheckpointClass=state)
        only = classes.get("MessageClass") or classes.get("ValueClass")
        return wire_classes(kind, only) if only is not None and kind != CHECKPOINTED else None

    def _endpoints(self, thing: Object) -> dict[str, EndpointType]:
        """Return the endpoints of an object's class, as far as the catalogue knows it."""
        if self._catalogue is None or isinstance(thing, Composite) or thing.source is not None:
            return {}
        try:
            term = self._catalogue.term(self._catalogue.find(thing.id, "component"))
        except (ValueError, LookupError, TypeError):
            return {}
        return dict(term.endpoints) if isinstance(term, ObjectType) else {}


def _expected(end: EndpointType, kind: str) -> ValueClasses | None:
    """Return the classes of the channel that an object's endpoint needs."""
    message = _field(end.outputs, "send", "message")
    state = _field(end.inputs, "initialize", "checkpoint")
    if kind == CHECKPOINTED:
        if message is None or not isinstance(state, OptionalOf):
            return None
        return ValueClasses.of(kind, MessageClass=message, CheckpointClass=state.item)
    value = message or _field(end.outputs, "set", "value")
    return None if value is None else wire_classes(kind, value)


def _field(events: Events, event: str, field: str) -> ValueType | None:
    record = dict(events).get(event)
    return dict(record.fields).get(field) if isinstance(record, Record) else None


def _plain(thing: Reference, parameter: str) -> str:
    found = next((each.value for each in thing.parameters if each.id == parameter), None)
    return found.text if isinstance(found, Plain) else ""


def _seed(channel: Reference) -> bytes | None:
    try:
        return b64decode(_plain(channel, "seed"), validate=True) or None
    except ValueError:
        return None
