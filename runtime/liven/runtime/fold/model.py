"""The contract of a model: a fold over the changes that a channel orders.

The law of a model: `apply` depends on nothing but the state and the change. It uses no clock, no randomness,
no files and no set order, so that all replicas that applied the same changes are equal."""

from __future__ import annotations

import hashlib
from typing import Protocol, TypeVar

S = TypeVar("S")
C = TypeVar("C")
C_contra = TypeVar("C_contra", contravariant=True)


class RefusedError(Exception):
    """A change that does not apply to the state, such as moving an item that somebody has removed. All
    replicas refuse it alike, and the state stays as it was."""


class Model(Protocol[S, C]):
    """The rules of one type of object. States are immutable."""

    def empty(self) -> S:
        """Return the state before the first change."""
        ...

    def apply(self, state: S, change: C) -> S:
        """Return the state after `change`. Raise RefusedError if it does not apply."""
        ...

    def inverse(self, state: S, change: C) -> tuple[C, ...]:
        """Return the changes that would undo `change` if it were applied to `state`."""
        ...

    @property
    def replacing(self) -> tuple[type, ...]:
        """Return the types of changes that overwrite a value, such as a name. Undo makes such a change only
        while the value to be overwritten is still your own."""
        ...

    def digest(self, state: S) -> bytes:
        """Return a hash of the visible state. Equal replicas have equal digests."""
        ...


def overwritten(model: Model[S, C], state: S, changes: tuple[C, ...]) -> tuple[str, ...]:
    """Return, for each of `changes` in turn, a short description of what it would overwrite, for comparison.
    It is empty for a change that overwrites nothing or does not apply."""
    told: list[str] = []
    for change in changes:
        what, state = _covered(model, state, change)
        told.append(what)
    return tuple(told)


def sparing_others(
    model: Model[S, C], state: S, changes: tuple[C, ...], own: tuple[str, ...]
) -> tuple[tuple[C, ...], tuple[str, ...]]:
    """Return those of `changes` that apply and overwrite only your `own` values, as described by
    `overwritten`, and the reasons why the others are left out."""
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
    """Apply those of `changes` that can be applied. Return the new state, the changes that undo them, and the
    reasons why the others were refused.

    A gesture on five items, one of which somebody has removed, still applies to the other four."""
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
