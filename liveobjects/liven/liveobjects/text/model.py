"""The model of a note: a text that several people write at once, each with their own undo.

A note has two documents. Edits by others go to both. Your own edits go to *shown* at once and to *confirmed*
when the channel returns them. Since edits merge, nothing has to be rolled back in between. Checkpoints and
digests are made from *confirmed*."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from liven.liveobjects.look.tokens import DEFAULT_PAPER
from liven.liveobjects.text.document import Delta, Document, Insert, Keep, Marks, Undoing, refusing
from liven.liveobjects.text.papers import DEFAULT_SIZE, PAPERS, SIZES
from liven.liveobjects.text.yjs_update import BrokenUpdateError

LONGEST = 10_000_000
"""The most characters in a note."""
MOST_STEPS = 200
"""The number of undo steps that are kept; up to twice as many exist between clean-ups."""


class TooLongError(ValueError):
    """The edit would exceed the longest note."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step to undo or redo, as the undo file stores it."""

    name: str
    marks: Marks


class Note:
    """One replica of a note. An exception of `send` reaches the caller, and the note stays as it was."""

    _undoing: Undoing
    shown: Document

    def __init__(
        self, send: Callable[[bytes], None], undo: tuple[Step, ...] = (), redo: tuple[Step, ...] = ()
    ) -> None:
        self._send = send
        self._heard: list[Callable[[Delta], None]] = []
        self._began: list[Callable[[], None]] = []
        self._dressed: list[Callable[[], None]] = []
        self._pending: list[bytes] = []
        self._time = 0
        self._undo_names = [step.name for step in undo]
        self._redo_names = [step.name for step in redo]
        self.undo_changed: Callable[[], object] = lambda: None
        """Called after each change of the undo list."""
        self.begun = False
        """True once the channel has initialized this replica."""
        self.confirmed = Document()
        self._replace(Document(), tuple(one.marks for one in undo), tuple(one.marks for one in redo))

    @property
    def text(self) -> str:
        """The characters that are shown."""
        return str(self.shown)

    @property
    def pending(self) -> int:
        """The number of your own edits that the channel has not delivered yet."""
        return len(self._pending)

    @property
    def undo_names(self) -> tuple[str, ...]:
        """The names of the steps that can be undone, next one first."""
        return tuple(reversed(self._undo_names))

    @property
    def redo_names(self) -> tuple[str, ...]:
        """The names of the steps that can be redone, next one first."""
        return tuple(reversed(self._redo_names))

    @property
    def steps(self) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
        """The steps to undo and to redo, next one last, for the undo file."""
        undo, redo = self._undoing.marks()
        return (
            tuple(map(Step, self._undo_names, undo))[-MOST_STEPS:],
            tuple(map(Step, self._redo_names, redo))[-MOST_STEPS:],
        )

    def remember(self, undo: tuple[Step, ...], redo: tuple[Step, ...]) -> None:
        """Continue with the steps of an earlier run. Raise ValueError and change nothing if they are
        invalid."""
        marks = tuple(one.marks for one in undo), tuple(one.marks for one in redo)
        with refusing("invalid undo steps"):
            self._undoing = self.shown.undoing(*marks, lambda: self._time)
        self._undo_names = [step.name for step in undo]
        self._redo_names = [step.name for step in redo]

    def hear(self, heard: Callable[[Delta], None], began: Callable[[], None]) -> None:
        """Call `heard` with every change of the shown text, and `began` when all of it was replaced."""
        self._heard.append(heard)
        self._began.append(began)

    def unhear(self, heard: Callable[[Delta], None], began: Callable[[], None]) -> None:
        """Stop calling these functions."""
        self._heard.remove(heard)
        self._began.remove(began)

    @property
    def paper(self) -> str:
        """The name of the paper, one of `papers.PAPERS`."""
        found = self.shown.setting("paper")
        return found if found in PAPERS else DEFAULT_PAPER

    @property
    def size(self) -> str:
        """The size of the letters, one of `papers.SIZES`."""
        found = self.shown.setting("size")
        return found if found in SIZES else DEFAULT_SIZE

    def choose_paper(self, paper: str) -> None:
        """Put the note on another paper."""
        if paper not in PAPERS:
            raise ValueError(f"{paper!r} is not a paper")
        self._choose("paper", paper, "colour")

    def choose_size(self, size: str) -> None:
        """Write in another size."""
        if size not in SIZES:
            raise ValueError(f"{size!r} is not a size of letters")
        self._choose("size", size, "size")

    def hear_settings(self, dressed: Callable[[], None]) -> None:
        """Call `dressed` after each change of paper or size."""
        self._dressed.append(dressed)

    def unhear_settings(self, dressed: Callable[[], None]) -> None:
        """Stop calling this function."""
        self._dressed.remove(dressed)

    def _choose(self, setting: str, value: str, name: str) -> None:
        self._time += 10
        self._do(lambda: self.shown.set(setting, value), name)

    def edit(self, name: str, delta: Delta, *, join: bool = False) -> None:
        """Make an edit. With `join`, extend the newest step if it has the same name, such as for the letters
        of a word."""
        added = sum(len(part.text) for part in delta if isinstance(part, Insert))
        if len(self.shown) + added > LONGEST:
            raise TooLongError(f"the limit of a note is {LONGEST:,} characters")
        if not (join and self._undo_names[-1:] == [name]):
            self._time += 10
        self._do(lambda: self.shown.edit(delta), name)

    def undo(self) -> str | None:
        """Undo your newest edit that has something left, and return its name, or None if there is none."""
        self._time += 10
        name = self._undo_names[-1] if self._undo_names else ""
        return name if self._do(self._undoing.undo, name) else None

    def redo(self) -> str | None:
        """Redo the step that was undone last, and return its name, or None if there is none."""
        self._time += 10
        name = self._redo_names[-1] if self._redo_names else ""
        return name if self._do(self._undoing.redo, name) else None

    def start(self, checkpoint: bytes | None) -> None:
        """Begin with the checkpoint that the channel delivered; your own pending edits stay on top. Raise
        BrokenUpdateError and change nothing if the checkpoint is invalid."""
        confirmed, shown = Document(checkpoint), Document(checkpoint)
        for update in self._pending:
            with suppress(BrokenUpdateError):  # its context is missing here: everybody refuses it
                shown.merge(update)
        self.confirmed, self.begun = confirmed, True
        self._replace(shown, *self._undoing.marks())
        for began in tuple(self._began):
            began()

    def receive(self, update: bytes) -> None:
        """Apply an edit that the channel delivered, your own or another's. Raise BrokenUpdateError and leave
        the confirmed text as it was if the edit is invalid."""
        if update in self._pending:
            self._pending.remove(update)
        try:
            self.confirmed.merge(update)
            with suppress(BrokenUpdateError):  # it skips pending edits of this replica, which come later
                self.shown.merge(update)
        finally:
            self._come_back()

    def checkpoint(self) -> bytes:
        """Return the state after exactly the edits that were received."""
        return self.confirmed.whole()

    def digest(self) -> bytes:
        """Return a hash of the confirmed text."""
        return self.confirmed.digest()

    def _come_back(self) -> None:
        """Show the confirmed text when none of your edits is pending. The two differ if an own edit was
        refused, or if somebody wrote in this replica's name."""
        if not self._pending and not self.shown.is_like(self.confirmed):
            self.start(self.confirmed.whole())

    def _do(self, change: Callable[[], bytes], name: str) -> bool:
        """Make a change, keep the step names in line with the steps, and send it."""
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
        """Name the steps that are new to a list after the current edit, and drop the names of skipped
        steps."""
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
        shown.hear(self._tell, self._tell_settings)

    def _tell_settings(self) -> None:
        for dressed in tuple(self._dressed):
            dressed()

    def _tell(self, delta: Delta) -> None:
        for heard in tuple(self._heard):
            heard(delta)


def typed(at: int, text: str) -> Delta:
    """Return the delta that inserts plain `text` at `at`."""
    return (Keep(at, {}), Insert(text, {}))
