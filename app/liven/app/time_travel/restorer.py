"""Restoration of things as they were: new changes of the live objects, which can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from liven.app.time_travel.present_objects import OpenedObject, PresentObjects
from liven.liveobjects.feeds.history.comparison import Compared
from liven.liveobjects.feeds.history.kind import CannotRestoreError, Kind
from liven.runtime.fold import RefusedError
from liven.runtime.objects.node import Node
from liven.runtime.reference.model import Object

_MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class _Done:
    """One object that was changed, and the state to which undoing returns."""

    kind: Kind
    thing: Object
    channel: str
    before: Any


@dataclass(slots=True)
class Restored:
    """The result of a restoration."""

    objects: int = 0
    failures: list[str] = field(default_factory=list)
    done: list[_Done] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """The result for people."""
        what = "Nothing had to be restored" if not self.objects else f"{self.objects} restored"
        if self.objects == 1:
            what = "Restored"
        more = len(self.failures) - _MOST_TOLD
        told = "; ".join(self.failures[:_MOST_TOLD]) + (f"; and {more} more" if more > 0 else "")
        return f"{what}. Not restored: {told}." if told else f"{what}."


class Restorer:
    """Restores objects one after the other; those that do not run are opened for it without a window."""

    def __init__(self, node: Node, at: tuple[str, ...]) -> None:
        """`at` is the path of the window's object, for problems."""
        self._node = node
        self._at = at

    def restore(
        self,
        found: Sequence[Compared],
        chosen: Mapping[str, frozenset[str]] | None,
        name: str,
        finished: Callable[[Restored], object],
    ) -> None:
        """Make things in the live objects as they were: those `chosen`, or all that differ if that is None.
        Call `finished` once."""
        wanted = [
            one for one in found if one.then.recorded and (chosen is None or one.then.channel in chosen)
        ]
        result = Restored()
        waiting = len(wanted)

        def over() -> None:
            nonlocal waiting
            waiting -= 1
            if waiting == 0:
                finished(result)

        if not wanted:
            finished(result)
        for one in wanted:
            then = one.then
            keys = None if chosen is None else chosen[then.channel]
            change = partial(_restored, then.kind, name=name, then=then.state, keys=keys)
            told = then.path[-1] if then.path else f"this {then.kind.name}"
            self._with_model(_Done(then.kind, then.thing, then.channel, None), told, change, result, over)

    def undo(self, restored: Restored, finished: Callable[[Restored], object]) -> None:
        """Return to the states before a restoration. Call `finished` once."""
        result = Restored()
        waiting = len(restored.done)

        def over() -> None:
            nonlocal waiting
            waiting -= 1
            if waiting == 0:
                finished(result)

        if not restored.done:
            finished(result)
        for one in restored.done:
            change = partial(_restored, one.kind, name="Undo restore", then=one.before, keys=None)
            self._with_model(one, one.kind.name, change, result, over)

    def _with_model(
        self,
        one: _Done,
        told: str,
        change: Callable[[Any], bool],
        result: Restored,
        over: Callable[[], object],
    ) -> None:
        """Change the running object, or open it first."""
        model = PresentObjects(self._node).model_of(one.channel)
        if model is not None:
            _change(model, one, told, change, result)
            over()
            return

        def ready(model: Any) -> None:
            _change(model, one, told, change, result)
            opened.close_when_settled(lambda: _is_pending(model))
            over()

        def failed(why: str) -> None:
            result.failures.append(f"{told} ({why})")
            over()

        opened = OpenedObject(self._node, one.thing, (*self._at, told), ready, failed)


def _change(model: Any, one: _Done, told: str, change: Callable[[Any], bool], result: Restored) -> None:
    before = one.kind.state_of(model)
    try:
        changed = change(model)
    except (CannotRestoreError, RefusedError, ValueError) as error:
        result.failures.append(f"{told} ({error})")
        return
    if changed:
        result.objects += 1
        result.done.append(_Done(one.kind, one.thing, one.channel, before))


def _restored(kind: Kind, model: Any, *, name: str, then: Any, keys: frozenset[str] | None) -> bool:
    return bool(kind.restore(model, name, then, keys))


def _is_pending(model: Any) -> bool:
    """Return True while changes of an object are on their way."""
    for part in ("editor", "note"):
        if hasattr(model, part):
            return bool(getattr(model, part).pending)
    return False
