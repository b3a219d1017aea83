"""Undo for one person on one object: it takes back your own changes and never those of others.

Each of your gestures is kept with the changes that undo it: first as computed when you made it, then as
computed when the channel confirmed it. Undo sends these as a new gesture. Changes that no longer apply,
because somebody removed their item, are left out, and a step with nothing left is skipped."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

C = TypeVar("C")

MOST_STEPS = 1000
"""The most steps in an undo list; older ones are dropped."""
_FOLLOWED = 50
"""The newest steps that follow gestures which are no steps themselves."""


@dataclass(frozen=True, slots=True)
class Step(Generic[C]):
    """One step that can be undone or redone."""

    number: int
    """The number of the gesture; 0 for one of an earlier run."""
    name: str
    inverse: tuple[C, ...]
    own: tuple[str, ...] = ()
    """The values that each of these would replace, as it was when the gesture was made; see `overwritten`."""
    elsewhere: bool = False
    """True for a gesture in another object, which only the code that made it can undo."""


Left: TypeAlias = Callable[[Step[C]], tuple[tuple[C, ...], tuple[str, ...]]]
"""Returns the changes of a step that can still be made, and the reasons against the others."""


class UndoList(Generic[C]):
    """The steps that one person can undo and redo on one object, newest last."""

    def __init__(self, undo: tuple[Step[C], ...] = (), redo: tuple[Step[C], ...] = ()) -> None:
        self._undo = deque((replace(step, number=0) for step in undo), MOST_STEPS)
        self._redo = deque((replace(step, number=0) for step in redo), MOST_STEPS)

    @property
    def undo_names(self) -> tuple[str, ...]:
        """The names of the steps that can be undone, next one first."""
        return tuple(step.name for step in reversed(self._undo))

    @property
    def redo_names(self) -> tuple[str, ...]:
        """The names of the steps that can be redone, next one first."""
        return tuple(step.name for step in reversed(self._redo))

    @property
    def steps(self) -> tuple[tuple[Step[C], ...], tuple[Step[C], ...]]:
        """Both lists, for the undo file."""
        return tuple(self._undo), tuple(self._redo)

    def did(self, step: Step[C]) -> None:
        """Add a new gesture; the redo list becomes empty."""
        self._undo.append(step)
        self._redo.clear()

    def undid(self, step: Step[C]) -> None:
        """Move an undone step to the redo list, with the changes that redo it."""
        self._redo.append(step)

    def redid(self, step: Step[C]) -> None:
        """Move a redone step back to the undo list."""
        self._undo.append(step)

    def elsewhere(self, *, undone: bool = False) -> Step[C] | None:
        """Remove and return the newest step, or the step undone last, if it was made in another object."""
        steps = self._redo if undone else self._undo
        return steps.pop() if steps and steps[-1].elsewhere else None

    def confirm(self, number: int, inverse: tuple[C, ...], own: tuple[str, ...] = ()) -> None:
        """Store the final changes that undo a delivered gesture; drop the step if it changed nothing."""
        for steps in (self._undo, self._redo):
            for at, step in enumerate(steps):
                if step.number == number:
                    if inverse:
                        steps[at] = replace(step, inverse=inverse, own=own)
                    else:
                        del steps[at]
                    return

    def follow(
        self, before: Callable[[Step[C]], tuple[str, ...]], after: Callable[[Step[C]], tuple[str, ...]]
    ) -> None:
        """Take on the values of an own gesture that is no step itself: what was your own `before` it is so
        `after` it."""
        for steps in (self._undo, self._redo):
            for at in range(max(0, len(steps) - _FOLLOWED), len(steps)):
                step = steps[at]
                if step.own:
                    values = zip(step.own, before(step), after(step), strict=True)
                    own = tuple(new if mine == old else mine for mine, old, new in values)
                    steps[at] = replace(step, own=own)

    def take_undo(self, left: Left[C]) -> tuple[Step[C] | None, tuple[str, ...]]:
        """Remove and return the newest step that can still be undone, reduced to the changes that `left`
        returns, and one sentence for each step that was skipped."""
        return _take(self._undo, left, "undone")

    def take_redo(self, left: Left[C]) -> tuple[Step[C] | None, tuple[str, ...]]:
        """Remove and return the step undone last, as `take_undo` does."""
        return _take(self._redo, left, "redone")


def _take(steps: deque[Step[C]], left: Left[C], what: str) -> tuple[Step[C] | None, tuple[str, ...]]:
    passed: list[str] = []
    while steps:
        if passed and steps[-1].elsewhere:
            break  # it can only be undone in the other object
        step = steps.pop()
        changes, why = left(step)
        if changes:
            return replace(step, inverse=changes), tuple(passed)
        passed.append(f"“{step.name}” can no longer be {what}: {'; '.join(why) or 'there is nothing to do'}")
    return None, tuple(passed)
