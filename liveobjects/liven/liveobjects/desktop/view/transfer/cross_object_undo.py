"""Undo of what was moved from a desktop into an item on it, such as a folder.

Moving an item into a folder is one gesture and two changes: it goes into the folder and off the desktop. Undo
on the desktop reverts both if the folder still holds it unchanged; otherwise it says that the item stays
there as well. Redo removes the item from the desktop only after it is in the folder again, so that nothing is
lost.

Something from outside, such as a file, goes into the folder without a change of the desktop. It still is an
undo step of the desktop: undo takes it out if it is unchanged, and redo puts it back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from PySide6.QtCore import QMimeData

from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.state import Change, Desktop, Item
from liven.liveobjects.desktop.view.items import item_choices
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.messages import offer_undo, redo_and_report, undo_and_report
from liven.runtime.fold import Editor, PersistentMap
from liven.runtime.fold.undo import MOST_STEPS, Step

_PUT_INTO: Final = "Put into "
_STAYS: Final = "It also stays in {}; take it out there."
_LATER: Final = "{} does not run now, so nothing was undone. Bring it into view and try again."
_MAY_STAY: Final = "It may also be in {}; look there."


@dataclass(slots=True)
class MovedInto:
    """Items that one gesture moved from this desktop into one of its items."""

    keys: frozenset[str]
    """The keys of the items on the desktop."""
    to: str
    """The key of the item that received them."""
    entries: Mapping[str, object]
    """The new entries of that item."""
    is_out: bool = False
    """True once undo has taken them out again."""


@dataclass(slots=True)
class DroppedInto:
    """Data from outside that one gesture dropped into an item."""

    step: Step[Change]
    to: str
    entries: Mapping[str, object]
    where: str


@dataclass(slots=True)
class ChosenIn:
    """Options that one gesture chose in items."""

    step: Step[Change]
    choice: str
    options: Mapping[str, tuple[str, str]]
    """The earlier and the new option of each item."""


class _DropAndPaste(Protocol):
    def data_of(self, items: list[Item]) -> QMimeData: ...


class _DropTargets(Protocol):
    def put_wanted(self, key: str, data: QMimeData) -> dict[str, object] | None: ...


class UndoCanvas(Protocol):
    """The part of the canvas that undo across objects needs."""

    @property
    def editor(self) -> Editor[Desktop, Change]: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def host(self) -> ViewHost: ...

    @property
    def drop_and_paste(self) -> _DropAndPaste: ...

    @property
    def drop_targets(self) -> _DropTargets: ...

    def do(self, command: Command) -> bool: ...


class CrossObjectUndo:
    """Undo and redo of one canvas. It knows what was moved since the desktop was opened here."""

    def __init__(self, canvas: UndoCanvas) -> None:
        self._canvas = canvas
        self._given: deque[MovedInto] = deque(maxlen=MOST_STEPS)
        self._brought: deque[DroppedInto] = deque(maxlen=MOST_STEPS)
        self._chosen: deque[ChosenIn] = deque(maxlen=MOST_STEPS)

    def record_move(self, given: MovedInto, where: str, changes: tuple[Change, ...]) -> None:
        """Remove items from the desktop that another item now holds."""
        self._given.append(given)
        if not self._canvas.do(Command(f"{_PUT_INTO}{where}", changes)):
            self._given.remove(given)
        else:
            offer_undo(self._canvas.host, f"Moved into {where}", self.undo)

    def was_moved(self, key: str) -> bool:
        """True if an item that is gone was moved into another one, where it is still an object of mine."""
        return any(key in given.keys for given in self._given)

    def record_drop(self, key: str, entries: Mapping[str, object], name: str, where: str) -> None:
        """Record that data from outside was put into an item that now holds it."""
        step = self._canvas.editor.did_elsewhere(name)
        self._brought.append(DroppedInto(step, key, entries, where))

    def record_choice(self, choice: str, options: Mapping[str, tuple[str, str]], name: str) -> None:
        """Record that options of items were chosen; each is the earlier and the new one."""
        self._chosen.append(ChosenIn(self._canvas.editor.did_elsewhere(name), choice, options))

    def undo(self) -> None:
        """Undo your latest step on the desktop, including what it put into an item."""
        undo_and_report(self._undo, self._canvas.host)

    def redo(self) -> None:
        """Redo the last undone step, on the desktop and in the item."""
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
        self._canvas.host.show_message(f"It cannot be put into {where} again automatically; drag it there.")
        return ""

    def _elsewhere(
        self,
        step: Step[Change],
        give_back: Callable[[Step[Change]], None],
        keep: Callable[[Step[Change]], None],
        *,
        undoing: bool,
    ) -> str:
        """Undo or redo a drop from outside. Return an empty name after a message why it is not
        possible."""
        canvas = self._canvas
        chosen = next((one for one in self._chosen if one.step is step), None)
        if chosen is not None:
            return self._choose_again(chosen, give_back, keep, undoing=undoing)
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

    def _choose_again(
        self,
        chosen: ChosenIn,
        give_back: Callable[[Step[Change]], None],
        keep: Callable[[Step[Change]], None],
        *,
        undoing: bool,
    ) -> str:
        """Choose the earlier options again, or with redo the later ones, where nobody chose others since."""
        canvas, name = self._canvas, chosen.step.name
        there = {key: pair for key, pair in chosen.options.items() if key in canvas.state.items}
        if any(self._comes(key) for key in there):
            give_back(chosen.step)
            canvas.host.show_message(_LATER.format("It"))
            return ""
        options = there if undoing else {key: (after, before) for key, (before, after) in there.items()}
        if item_choices.choose_back(canvas.item_views, chosen.choice, options):
            keep(chosen.step)
            canvas.editor.undo_changed()
            return name
        canvas.editor.undo_changed()
        why = "others have changed it since" if there else "it is no longer on this desktop"
        canvas.host.show_message(f"“{name}” cannot be {'undone' if undoing else 'redone'}: {why}.")
        return ""

    def _comes(self, key: str) -> bool:
        """True if an item does not run but would if it were in view."""
        actors = self._canvas.item_views
        return actors.view(key) is None and not actors.why_not_shown(key)

    def _moved(self, brought: DroppedInto, *, undoing: bool) -> bool:
        """True if the data was taken out of the item, or put back into it."""
        ask, entries = self._canvas.item_views.ask_target, brought.entries
        if not entries:
            return False
        if undoing:
            return ask(brought.to, lambda view: view.remove_entries(entries), False)
        return ask(brought.to, lambda view: view.restore_entries(entries), False)

    def _put_as_it_was(self, given: MovedInto) -> bool:
        """True if the entries are in the item again under the same names."""
        ask, entries = self._canvas.item_views.ask_target, given.entries
        return bool(entries) and ask(given.to, lambda view: view.restore_entries(entries), False)

    def _of(self, keys: set[str]) -> MovedInto | None:
        return next((one for one in reversed(self._given) if one.keys & keys), None)

    def _stays(self, given: MovedInto | None, back: set[str]) -> str:
        """Return what to say about the item that was moved into another; empty if it is no longer there."""
        if given is None:
            return _MAY_STAY
        if self._let_go(given):
            given.is_out = True
            return ""
        data = self._data(back)
        holds = self._canvas.item_views.ask_target(
            given.to, lambda view: _answer(view.holds(data)), _MAY_STAY
        )
        given.is_out = not holds
        return holds

    def _data(self, keys: set[str] | frozenset[str]) -> QMimeData:
        items = self._canvas.state.items
        return self._canvas.drop_and_paste.data_of([items[key] for key in sorted(keys) if key in items])

    def _let_go(self, given: MovedInto) -> bool:
        ask = self._canvas.item_views.ask_target
        return bool(given.entries) and ask(given.to, lambda view: view.remove_entries(given.entries), False)

    def _put_in(self, given: MovedInto, before: PersistentMap[str, Item]) -> bool:
        """Put the items into the target again if undo took them out; True if it holds them now."""
        items = [before[key] for key in sorted(given.keys & before.keys())]
        data = self._canvas.drop_and_paste.data_of(items)
        if given.is_out and not self._put_as_it_was(given):
            added = self._canvas.drop_targets.put_wanted(given.to, data)
            if added is None:
                return False
            given.entries = added
        given.is_out = False
        return self._canvas.item_views.ask_target(given.to, lambda view: view.holds(data), False)


def _why_not(brought: DroppedInto | None, *, lies: bool, undoing: bool) -> str:
    done = "undone" if undoing else "redone"
    if brought is None:
        return f"{done}: it was done before this desktop was opened here. Look for it there."
    if not lies:
        return f"{done}: {brought.where} is no longer on this desktop."
    if undoing and not brought.entries:
        return f"{done} from here; take it out of {brought.where}."
    if undoing:
        return f"{done}: it has changed. Look for it in {brought.where}."
    return f"{done} automatically; bring it there once more."


def _answer(holds: bool) -> str:
    return _STAYS if holds else ""
