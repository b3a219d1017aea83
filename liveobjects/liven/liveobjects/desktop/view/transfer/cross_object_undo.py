"""Undo of what was put from a desktop into something that lies on it.

To put a thing into a folder is one gesture and two changes: it goes into the folder, and off the desktop.
Undo on the desktop takes both back, as far as the thing is in the folder still, as it was put there; else it
says that it stays there as well. Redo takes a thing off the desktop only where it is in the folder again, so
that nothing is lost.

What comes from elsewhere, as a file, is put in without a change of the desktop. It is a step of the desktop
all the same: undo takes it out again where it is as it was put there, and redo puts it in again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QMimeData

from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Change, Item
from liven.liveobjects.view.messages import redo_and_report, undo_and_report
from liven.runtime.fold import PersistentMap
from liven.runtime.fold.undo import MOST_STEPS, Step

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

_PUT_INTO: Final = "Put into "
_STAYS: Final = "It stays in {} as well; take it out there."
_LATER: Final = "{} does not run now, so nothing was taken back; look at it first, and take it back then."
_MAY_STAY: Final = "It may be in {} as well; look there."


@dataclass(slots=True)
class Given:
    """What one gesture put into a thing that lies on the desktop."""

    keys: frozenset[str]
    """Of what was put in, as it lay on the desktop."""
    to: str
    """The key of the thing that it was put into."""
    entries: Mapping[str, object]
    """What it is there."""
    is_out: bool = False
    """Whether undo took it out again."""


@dataclass(slots=True)
class Brought:
    """What one gesture put into a thing that lies on the desktop, from elsewhere."""

    step: Step[Any]
    to: str
    entries: Mapping[str, object]
    where: str


class Returning:
    """One canvas's. It knows what was put in since the desktop was opened here."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._given: deque[Given] = deque(maxlen=MOST_STEPS)
        self._brought: deque[Brought] = deque(maxlen=MOST_STEPS)

    def give(self, given: Given, where: str, changes: tuple[Change, ...]) -> None:
        """Takes off the desktop what was put into a thing, which holds it."""
        if self._canvas.do(Command(f"{_PUT_INTO}{where}", changes)):
            self._given.append(given)

    def gave(self, key: str, entries: Mapping[str, object], name: str, where: str) -> None:
        """Something from elsewhere was put into a thing, which holds it."""
        step = self._canvas.editor.did_elsewhere(name)
        self._brought.append(Brought(step, key, entries, where))

    def undo(self) -> None:
        """Takes back one's newest step on the desktop, and out of a thing what it put there."""
        undo_and_report(self._undo, self._canvas.host)

    def redo(self) -> None:
        """Does again what was taken back, on the desktop and in the thing."""
        redo_and_report(self._redo, self._canvas.host)

    def _undo(self) -> str | None:
        undo = self._canvas.editor.undo_list
        step = undo.elsewhere()
        if step is not None:
            return self._elsewhere(step, undo.redid, undo.undid, undoing=True)
        before = self._canvas.state.items
        name = self._canvas.editor.undo()
        back = self._canvas.state.items.keys() - before.keys()
        if not name or not name.startswith(_PUT_INTO) or not back:
            return name
        stays = self._stays(self._of(back), back)
        if stays:
            self._canvas.host.show_message(f"Undone: {name}. {stays.format(name.removeprefix(_PUT_INTO))}")
        return "" if stays else name

    def _redo(self) -> str | None:
        undo = self._canvas.editor.undo_list
        step = undo.elsewhere(undone=True)
        if step is not None:
            return self._elsewhere(step, undo.undid, undo.redid, undoing=False)
        before = self._canvas.state.items
        name = self._canvas.editor.redo()
        gone = before.keys() - self._canvas.state.items.keys()
        if not name or not name.startswith(_PUT_INTO) or not gone:
            return name
        given = self._of(gone)
        if given is not None and self._put_in(given, before):
            return name
        self._canvas.editor.undo()
        where = name.removeprefix(_PUT_INTO)
        self._canvas.host.show_message(
            f"It cannot be put into {where} again by itself; drag it there once more."
        )
        return ""

    def _elsewhere(
        self,
        step: Step[Any],
        give_back: Callable[[Step[Any]], None],
        keep: Callable[[Step[Any]], None],
        *,
        undoing: bool,
    ) -> str:
        """Takes back, or does again, what was put in from elsewhere; empty where it was told why not."""
        canvas = self._canvas
        brought = next((one for one in self._brought if one.step is step), None)
        lies = brought is not None and brought.to in canvas.state.items
        if brought is not None and lies and self._comes(brought.to):
            give_back(step)
            canvas.host.show_message(_LATER.format(brought.where))
            return ""
        if brought is not None and lies and self._moved(brought, undoing=undoing):
            keep(step)
            canvas.editor.undo_changed()
            return step.name
        canvas.editor.undo_changed()
        canvas.host.show_message(
            f"“{step.name}” can no longer be {_why_not(brought, lies=lies, undoing=undoing)}"
        )
        return ""

    def _comes(self, key: str) -> bool:
        """Whether a thing does not run, and would if one looked at it."""
        actors = self._canvas.actors
        return actors.view(key) is None and not actors.trouble(key)

    def _moved(self, brought: Brought, *, undoing: bool) -> bool:
        """Whether it is out of the thing now, or in it again."""
        ask, entries = self._canvas.actors.ask_target, brought.entries
        if not entries:
            return False
        if undoing:
            return ask(brought.to, lambda view: view.remove_entries(entries), False)
        return ask(brought.to, lambda view: view.restore_entries(entries), False)

    def _put_as_it_was(self, given: Given) -> bool:
        """Whether it is in the thing again, under the names that it had there."""
        ask, entries = self._canvas.actors.ask_target, given.entries
        return bool(entries) and ask(given.to, lambda view: view.restore_entries(entries), False)

    def _of(self, keys: set[str]) -> Given | None:
        return next((one for one in reversed(self._given) if one.keys & keys), None)

    def _stays(self, given: Given | None, back: set[str]) -> str:
        """What to say of where it was put; empty once it is not there any more."""
        if given is None:
            return _MAY_STAY
        if self._let_go(given):
            given.is_out = True
            return ""
        data = self._data(back)
        holds = self._canvas.actors.ask_target(given.to, lambda view: _answer(view.holds(data)), _MAY_STAY)
        given.is_out = not holds
        return holds

    def _data(self, keys: set[str] | frozenset[str]) -> QMimeData:
        items = self._canvas.state.items
        return self._canvas.taking.data_of([items[key] for key in sorted(keys) if key in items])

    def _let_go(self, given: Given) -> bool:
        ask = self._canvas.actors.ask_target
        return bool(given.entries) and ask(given.to, lambda view: view.remove_entries(given.entries), False)

    def _put_in(self, given: Given, before: PersistentMap[str, Item]) -> bool:
        """Whether it is in the thing, now or still."""
        items = [before[key] for key in sorted(given.keys & before.keys())]
        data = self._canvas.taking.data_of(items)
        if given.is_out and not self._put_as_it_was(given):
            added = self._canvas.receiving.put_wanted(given.to, data)
            if added is None:
                return False
            given.entries = added
        given.is_out = False
        return self._canvas.actors.ask_target(given.to, lambda view: view.holds(data), False)


def _why_not(brought: Brought | None, *, lies: bool, undoing: bool) -> str:
    done = "taken back" if undoing else "done again"
    if brought is None:
        return f"{done}: it is of before this desktop was opened here; look for it there."
    if not lies:
        return f"{done}: {brought.where} lies here no more."
    if undoing and not brought.entries:
        return f"{done} from here; take it out of {brought.where}."
    if undoing:
        return f"{done}: it is not there as it was put in; look for it in {brought.where}."
    return f"{done} by itself: bring it there once more."


def _answer(holds: bool) -> str:
    return _STAYS if holds else ""
