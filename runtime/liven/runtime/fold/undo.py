"""Undo for one person on one object: takes back what that person did, never what others did.

Each gesture of one's own is kept with the changes that take it back: at first as they were when it was made,
then as they were when the channel confirmed it. To undo sends these as a new gesture; those that no longer
apply, because somebody removed what they are about, are left out, and a step of which nothing is left is
passed over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

C = TypeVar("C")

MOST_STEPS = 1000
"""So many gestures are remembered; the oldest are forgotten."""


@dataclass(frozen=True, slots=True)
class Step(Generic[C]):
    """One thing that can be undone or redone."""

    number: int
    """The gesture's number at its replica; 0 for one of an earlier run."""
    name: str
    inverse: tuple[C, ...]
    own: tuple[str, ...] = ()
    """What each of these would put away, as it was when the gesture was made; see `covered`."""
    elsewhere: bool = False
    """It changed something in another object: only who made it there can take it back."""


Left: TypeAlias = Callable[[Step[C]], tuple[tuple[C, ...], tuple[str, ...]]]
"""What of a step can still be done, and why the rest cannot."""


class UndoList(Generic[C]):
    """What one person can undo and redo on one object, the newest last."""

    def __init__(self, undo: tuple[Step[C], ...] = (), redo: tuple[Step[C], ...] = ()) -> None:
        self._undo = deque((replace(step, number=0) for step in undo), MOST_STEPS)
        self._redo = deque((replace(step, number=0) for step in redo), MOST_STEPS)

    @property
    def undo_names(self) -> tuple[str, ...]:
        """What can be undone, the next first."""
        return tuple(step.name for step in reversed(self._undo))

    @property
    def redo_names(self) -> tuple[str, ...]:
        """What can be redone, the next first."""
        return tuple(step.name for step in reversed(self._redo))

    @property
    def steps(self) -> tuple[tuple[Step[C], ...], tuple[Step[C], ...]]:
        """Both lists, to be kept over a restart."""
        return tuple(self._undo), tuple(self._redo)

    def did(self, step: Step[C]) -> None:
        """A gesture was made: it can be undone, and what was undone before can no longer be redone."""
        self._undo.append(step)
        self._redo.clear()

    def undid(self, step: Step[C]) -> None:
        """An undo was made; its inverse does again what it took back."""
        self._redo.append(step)

    def redid(self, step: Step[C]) -> None:
        """A redo was made."""
        self._undo.append(step)

    def elsewhere(self, *, undone: bool = False) -> Step[C] | None:
        """The newest step, or the one undone last, taken off the list, if it was made in another object."""
        steps = self._redo if undone else self._undo
        return steps.pop() if steps and steps[-1].elsewhere else None

    def confirm(self, number: int, inverse: tuple[C, ...], own: tuple[str, ...] = ()) -> None:
        """What takes a gesture back is known for good; one that changed nothing is forgotten."""
        for steps in (self._undo, self._redo):
            for at, step in enumerate(steps):
                if step.number == number:
                    if inverse:
                        steps[at] = replace(step, inverse=inverse, own=own)
                    else:
                        del steps[at]
                    return

    def take_undo(self, left: Left[C]) -> tuple[Step[C] | None, tuple[str, ...]]:
        """The newest step of which something is `left`, taken off the list, with that alone; and for each
        that was passed over because nothing is, a sentence that says why."""
        return _take(self._undo, left, "taken back")

    def take_redo(self, left: Left[C]) -> tuple[Step[C] | None, tuple[str, ...]]:
        """As `take_undo`, for what was undone."""
        return _take(self._redo, left, "done again")


def _take(steps: deque[Step[C]], left: Left[C], what: str) -> tuple[Step[C] | None, tuple[str, ...]]:
    passed: list[str] = []
    while steps:
        if passed and steps[-1].elsewhere:
            break  # this is not the place to take it back
        step = steps.pop()
        changes, why = left(step)
        if changes:
            return replace(step, inverse=changes), tuple(passed)
        passed.append(f"“{step.name}” can no longer be {what}: {'; '.join(why) or 'there is nothing to do'}")
    return None, tuple(passed)
