"""The states of objects to be copied, and the recipes inside those states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Final

from liven.liveobjects.copying.recipe import CopyError
from liven.runtime.objects.proxy import ProxyHandle
from liven.types.codec import Codec, CodecError, NoWireFormError
from liven.types.terms.value_types import TEXT, ListOf, MapOf, OptionalOf, Record, RefTo, ValueType

REFERENCE: Final = "reference"
"""The name of the field in the states of desktops and folders that holds a recipe."""


@dataclass(frozen=True, slots=True)
class State:
    """The state of an object in neutral form, with its value class."""

    name: str
    """The name of the object."""
    kind: ValueType
    value: Any

    def recipes(self) -> list[str]:
        """Return the recipes in the state, as texts."""
        found: list[str] = []

        def note(text: str) -> str:
            found.append(text)
            return text

        _changed(self.kind, self.value, note)
        return found

    def encoded(self, change: Callable[[str], str] = str) -> bytes:
        """Encode the state for the recipe of a channel, with `change` applied to each recipe in it; raise
        CopyError if that is impossible."""
        try:
            return Codec(self.kind).encode(_changed(self.kind, self.value, change))
        except (CodecError, NoWireFormError) as error:
            raise CopyError(f"the state of “{self.name}” cannot be written: {error}") from None


def state_of(handle: ProxyHandle, name: str) -> State:
    """Return the current state of a running object, as it is shown, with changes that are not confirmed yet;
    raise CopyError if it keeps none on a channel."""
    proxy = handle.proxy()
    end = proxy.endpoints.get("channel")
    checkpoint = getattr(proxy.instance, "checkpoint", None)
    start = None if end is None else dict(end.type.inputs).get("initialize")
    if checkpoint is None or not isinstance(start, Record):
        raise CopyError("it has no state on a channel")
    kind = dict(start.fields)["checkpoint"]
    state = getattr(proxy.instance, "shown_checkpoint", checkpoint)()
    neutral = asdict(state) if is_dataclass(state) and not isinstance(state, type) else state
    return State(name, kind.item if isinstance(kind, OptionalOf) else kind, neutral)


def has_begun(handle: ProxyHandle) -> bool:
    """Return True if an object has received its state from its channel."""
    proxy = handle.proxy()
    ready = getattr(proxy.instance, "ready", None)
    if isinstance(ready, bool):
        return ready
    parts = (part.proxy() for part in proxy.parts if not part.ended)
    return any(getattr(part.instance, "ready", False) is True for part in parts)


def _changed(kind: ValueType, value: Any, change: Callable[[str], str], field: str = "") -> Any:
    if isinstance(value, str):
        return change(value) if isinstance(kind, RefTo) or (field == REFERENCE and kind == TEXT) else value
    match kind:
        case OptionalOf(item):
            return None if value is None else _changed(item, value, change, field)
        case ListOf(item):
            return [_changed(item, one, change) for one in value]
        case MapOf(item):
            return {key: _changed(item, one, change) for key, one in value.items()}
        case Record() if isinstance(value, dict):
            kinds = dict(kind.fields)
            return {
                key: _changed(kinds[key], one, change, key) if key in kinds else one
                for key, one in value.items()
            }
    return value
