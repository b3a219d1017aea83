"""What a model is: a fold over the changes that its channel orders.

The law of a model: `apply` is a function of the state and the change alone. It never looks at a clock, at
chance, at a file, or at the order of a set, so that all replicas that applied the same changes are equal.
"""

from __future__ import annotations

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

    def digest(self, state: S) -> bytes:
        """A hash of what can be seen of the state; equal replicas have equal digests."""
        ...


def applied(model: Model[S, C], state: S, changes: tuple[C, ...]) -> tuple[S, tuple[C, ...], tuple[str, ...]]:
    """The state after those of `changes` that apply, what takes them back, and why the others do not.

    A gesture on five things of which somebody removed one is still a gesture on four.
    """
    back: tuple[C, ...] = ()
    refused: list[str] = []
    for change in changes:
        try:
            after = model.apply(state, change)
        except RefusedError as why:
            refused.append(str(why))
            continue
        back = (*model.inverse(state, change), *back)
        state = after
    return state, back, tuple(refused)
