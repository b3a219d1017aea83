"""What a model is: a fold over the changes that its channel orders.

The law of a model: `apply` is a function of the state and the change alone. It never looks at a clock, at
chance, at a file, or at the order of a set, so that all replicas that applied the same changes are equal.
"""

from __future__ import annotations

import hashlib
from typing import Protocol, TypeVar

S = TypeVar("S")
C = TypeVar("C")
C_contra = TypeVar("C_contra", contravariant=True)


class RefusedError(Exception):
    """A change does not apply to the state, as when it moves what somebody removed; all replicas refuse it
    alike, and the state stays as it was."""


class Model(Protocol[S, C]):
    """The rules of one type of object. States are immutable."""

    def empty(self) -> S:
        """The state before the first change."""
        ...

    def apply(self, state: S, change: C) -> S:
        """The state after `change`; raises RefusedError when it does not apply."""
        ...

    def inverse(self, state: S, change: C) -> tuple[C, ...]:
        """The changes that take `change` back, were it applied to `state`."""
        ...

    @property
    def replacing(self) -> tuple[type, ...]:
        """The kinds of changes that put one thing in place of another, as a name in place of a name. Undo
        makes such a change only where what it would replace is still one's own."""
        ...

    def digest(self, state: S) -> bytes:
        """A hash of what can be seen of the state; equal replicas have equal digests."""
        ...


def covered(model: Model[S, C], state: S, changes: tuple[C, ...]) -> tuple[str, ...]:
    """What each of `changes`, one after the other, would put away, told shortly so that it can be compared;
    empty for those that put nothing away, or do not apply."""
    told: list[str] = []
    for change in changes:
        what, state = _covered(model, state, change)
        told.append(what)
    return tuple(told)


def uncovering(
    model: Model[S, C], state: S, changes: tuple[C, ...], own: tuple[str, ...]
) -> tuple[tuple[C, ...], tuple[str, ...]]:
    """Those of `changes` that apply and put nothing away but what is one's own, told as by `covered`; and why
    the others are left out."""
    good: list[C] = []
    why: list[str] = []
    for number, change in enumerate(changes):
        what, _ = _covered(model, state, change)
        if what and own[number : number + 1] not in ((), ("",), (what,)):
            why.append("others have changed it since")
            continue
        try:
            state = model.apply(state, change)
        except RefusedError as error:
            why.append(str(error))
        else:
            good.append(change)
    return tuple(good), tuple(dict.fromkeys(why))


def _covered(model: Model[S, C], state: S, change: C) -> tuple[str, S]:
    try:
        after = model.apply(state, change)
    except RefusedError:
        return "", state
    if not isinstance(change, model.replacing):
        return "", after
    away = ascii(model.inverse(state, change)).encode()
    return hashlib.blake2b(away, digest_size=8).hexdigest(), after


def applied(model: Model[S, C], state: S, changes: tuple[C, ...]) -> tuple[S, tuple[C, ...], tuple[str, ...]]:
    """The state after those of `changes` that apply, what takes them back, and why the others do not.

    A gesture on five things of which somebody removed one is still a gesture on four.
    """
    back: list[tuple[C, ...]] = []
    refused: list[str] = []
    for change in changes:
        try:
            after = model.apply(state, change)
        except RefusedError as why:
            refused.append(str(why))
            continue
        back.append(model.inverse(state, change))
        state = after
    return state, tuple(one for inverse in reversed(back) for one in inverse), tuple(refused)
