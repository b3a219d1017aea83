"""A note: a text that many write at once, with undo for each.

It keeps two documents. Edits of others go to both. One's own go to *shown* when they are made and to
*confirmed* when the channel brings them back, and since edits merge, nothing has to be taken back in between.
Checkpoints and digests are taken from *confirmed*.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from liven.liveobjects.text.document import Delta, Document, Insert, Keep, Marks, Undoing, refusing
from liven.liveobjects.text.yjs_update import BrokenUpdateError

LONGEST = 10_000_000
"""The most characters of a note."""
MOST_STEPS = 200
"""So many steps are remembered for good, and up to twice as many for a while."""


class TooLongError(ValueError):
    """The note would be longer than it may be."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that can be undone or redone, as it is kept over a restart."""

    name: str
    marks: Marks


class Note:
    """One replica of a note. What `send` raises comes through, and the note is as it was."""

    _undoing: Undoing
    shown: Document

    def __init__(
        self, send: Callable[[bytes], None], undo: tuple[Step, ...] = (), redo: tuple[Step, ...] = ()
    ) -> None:
        self._send = send
        self._heard: list[Callable[[Delta], None]] = []
        self._began: list[Callable[[], None]] = []
        self._pending: list[bytes] = []
        self._time = 0
        self._undo_names = [step.name for step in undo]
        self._redo_names = [step.name for step in redo]
        self.undo_changed: Callable[[], object] = lambda: None
        """Called when what can be undone is another."""
        self.begun = False
        """Whether the channel has initialized this replica."""
        self.confirmed = Document()
        self._replace(Document(), tuple(one.marks for one in undo), tuple(one.marks for one in redo))

    @property
    def text(self) -> str:
        """The characters that are shown."""
        return str(self.shown)

    @property
    def pending(self) -> int:
        """How many of one's own edits are on their way."""
        return len(self._pending)

    @property
    def undo_names(self) -> tuple[str, ...]:
        """What can be undone, the next first."""
        return tuple(reversed(self._undo_names))

    @property
    def redo_names(self) -> tuple[str, ...]:
        """What can be redone, the next first."""
        return tuple(reversed(self._redo_names))

    @property
    def steps(self) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
        """What can be undone and redone, the next last; to be kept over a restart."""
        undo, redo = self._undoing.marks()
        return (
            tuple(map(Step, self._undo_names, undo))[-MOST_STEPS:],
            tuple(map(Step, self._redo_names, redo))[-MOST_STEPS:],
        )

    def remember(self, undo: tuple[Step, ...], redo: tuple[Step, ...]) -> None:
        """Goes on with the steps of an earlier run. ValueError, and nothing changed, if they are none."""
        marks = tuple(one.marks for one in undo), tuple(one.marks for one in redo)
        with refusing("steps that are none"):
            self._undoing = self.shown.undoing(*marks, lambda: self._time)
        self._undo_names = [step.name for step in undo]
        self._redo_names = [step.name for step in redo]

    def hear(self, heard: Callable[[Delta], None], began: Callable[[], None]) -> None:
        """Calls `heard` with every change of what is shown, and `began` when all of it was replaced."""
        self._heard.append(heard)
        self._began.append(began)

    def unhear(self, heard: Callable[[Delta], None], began: Callable[[], None]) -> None:
        """Calls these no longer."""
        self._heard.remove(heard)
        self._began.remove(began)

    def edit(self, name: str, delta: Delta, *, join: bool = False) -> None:
        """Makes an edit. One that is to `join` becomes one step with the newest if that has the same name,
        as letters of a word do."""
        added = sum(len(part.text) for part in delta if isinstance(part, Insert))
        if len(self.shown) + added > LONGEST:
            raise TooLongError(f"a note holds {LONGEST:,} characters, and this would be more")
        if not (join and self._undo_names[-1:] == [name]):
            self._time += 10
        self._do(lambda: self.shown.edit(delta), name)

    def undo(self) -> str | None:
        """Takes the newest of one's own edits back of which something is left; its name, or None."""
        self._time += 10
        name = self._undo_names[-1] if self._undo_names else ""
        return name if self._do(self._undoing.undo, name) else None

    def redo(self) -> str | None:
        """Does again what was undone last; its name, or None when there is nothing."""
        self._time += 10
        name = self._redo_names[-1] if self._redo_names else ""
        return name if self._do(self._undoing.redo, name) else None

    def start(self, checkpoint: bytes | None) -> None:
        """The channel initialized this replica; one's own edits that are on their way stay on top. Raises
        BrokenUpdateError, and nothing is changed, when the checkpoint is none."""
        confirmed, shown = Document(checkpoint), Document(checkpoint)
        for update in self._pending:
            with suppress(BrokenUpdateError):  # it builds on what is not in this history; all will refuse it
                shown.merge(update)
        self.confirmed, self.begun = confirmed, True
        self._replace(shown, *self._undoing.marks())
        for began in tuple(self._began):
            began()

    def receive(self, update: bytes) -> None:
        """The channel delivered an edit, one's own or somebody else's. Raises BrokenUpdateError, and what all
        agree on is as it was, when it is none."""
        if update in self._pending:
            self._pending.remove(update)
        try:
            self.confirmed.merge(update)
            with suppress(BrokenUpdateError):  # it passes over what was made here and comes later
                self.shown.merge(update)
        finally:
            self._come_back()

    def checkpoint(self) -> bytes:
        """The state after exactly what was received."""
        return self.confirmed.whole()

    def digest(self) -> bytes:
        """A hash of what all agree on."""
        return self.confirmed.digest()

    def _come_back(self) -> None:
        """When nothing of one's own is on its way, what is shown is what all agree on. They differ where an
        own edit was refused, or somebody wrote in this replica's name."""
        if not self._pending and not self.shown.is_like(self.confirmed):
            self.start(self.confirmed.whole())

    def _do(self, change: Callable[[], bytes], name: str) -> bool:
        """Makes a change, keeps the names beside the steps, and sends it."""
        marks, names = self._undoing.marks(), (list(self._undo_names), list(self._redo_names))
        update = change()
        self._keep_names(name)
        if not update:
            return False
        self._pending.append(update)
        try:
            self._send(update)
        except BaseException:
            self._pending.remove(update)
            self._undo_names, self._redo_names = names
            self._replace(Document(self.confirmed.whole()), *marks)
            self.start(self.confirmed.whole())
            raise
        self.undo_changed()
        return True

    def _keep_names(self, name: str) -> None:
        """A step that is new to a list has the name of what was just done; those passed over are gone."""
        for names, depth in zip((self._undo_names, self._redo_names), self._undoing.depth, strict=True):
            del names[depth:]
            names.extend([name] * (depth - len(names)))
        if max(self._undoing.depth) > 2 * MOST_STEPS:
            self._forget()

    def _forget(self) -> None:
        undo, redo = (marks[-MOST_STEPS:] for marks in self._undoing.marks())
        self._undo_names, self._redo_names = self._undo_names[-MOST_STEPS:], self._redo_names[-MOST_STEPS:]
        self._undoing = self.shown.undoing(undo, redo, lambda: self._time)

    def _replace(self, shown: Document, undo: tuple[Marks, ...], redo: tuple[Marks, ...]) -> None:
        self.shown = shown
        self._undoing = shown.undoing(undo, redo, lambda: self._time)
        shown.hear(self._tell)

    def _tell(self, delta: Delta) -> None:
        for heard in tuple(self._heard):
            heard(delta)


def typed(at: int, text: str) -> Delta:
    """The edit of typing `text` at `at`, without a look."""
    return (Keep(at, {}), Insert(text, {}))
