"""Going back in time in a window: the recorded object takes the place of the live one, which runs on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from liven.app.time_travel.program_history.histories import Histories
from liven.app.window.menus.file_actions import not_copied_note
from liven.app.window.pages.prompt_bar import PromptBar
from liven.app.window.recordings.absence import WindowAbsence
from liven.liveobjects.view.contract import Action
from liven.liveobjects.view.focus import set_initial_focus
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from liven.app.time_travel.past_view import PastView
    from liven.app.time_travel.recording_finder import FoundRecording
    from liven.app.time_travel.restorer import Restored
    from liven.app.time_travel.time_machine import TimeMachine
    from liven.app.window.object_window import ObjectWindow

_TIP = "Show this object as it was at earlier moments, and restore things"
_RECORD_TIP = "Keep everything that happens to this object, on this computer; others see that you do"
_NOT_RECORDED = (
    "“{}” has no history here: {}. View › Record or stop recording keeps what happens from then on."
)
_NOTHING_YET = "nothing has happened to it yet"
_LOOK_MS, _LOOKS = 250, 20
"""Milliseconds between two looks for a history that has only just begun, and their number."""
_NONE = "There is nothing to go back in here."


class WindowPast:
    """The earlier moments of one window."""

    def __init__(self, window: ObjectWindow, machine: Callable[[], TimeMachine] | None) -> None:
        self._window = window
        self._machine = machine
        self._view: PastView | None = None
        self._live: QWidget | None = None
        self._asked: Reply[list[FoundRecording]] | None = None
        self._prompt: PromptBar | None = None
        self._end_history: Callable[[], None] = lambda: None
        self._histories: Histories | None = None
        self._looks = self._records = 0
        """The number of looks for a history that are left, and that of the records in the last look."""
        self.absence = WindowAbsence(window, machine)
        window.about_to_close.connect(self.leave)

    @property
    def view(self) -> PastView | None:
        """The recording that is shown; None while the live object is."""
        return self._view

    def actions(self) -> tuple[Action, ...]:
        """Return the entries for the menus of the window."""
        return (
            Action("History", ("Ctrl+H",), self.toggle, "View", _TIP, "time"),
            Action("Record or stop recording", (), self.record, "View", _RECORD_TIP, "time"),
            *self.absence.actions(),
        )

    def record(self) -> None:
        """Begin or stop to record the object of the window."""
        window = self._window
        if self._machine is None or window.recipe is None or window.view is None:
            window.show_message("There is nothing to record here.")
        else:
            window.show_message(self._machine().recorders.toggle(window.recipe, window.name))

    def toggle(self) -> None:
        """Show an earlier moment, or the live object again."""
        if self._view is not None:
            self.leave()
            return
        window = self._window
        recipe = window.recipe
        if self._machine is None or recipe is None or window.view is None:
            window.show_message(_NONE)
            return
        if self._asked is None:
            self._looks, self._records = _LOOKS, 0
            self._find()

    def _find(self) -> None:
        recipe = self._window.recipe
        if self._machine is not None and recipe is not None:
            machine = self._machine()
            self._asked = machine.find(recipe)
            self._asked.then(lambda done: self._found(machine, done))

    def begin(self, node: Node) -> None:
        """Begin to keep the history of the object that the window shows now."""
        self._end_history()
        recipe = self._window.recipe
        if recipe is not None:
            with suppress(CallFailedError):  # a program without histories
                self._histories = node.service(Histories)
                self._end_history = self._histories.begin(recipe, self._window.name)
                self.absence.begin(node)

    def end(self) -> None:
        """Note that the window shows its object no longer."""
        self.leave()
        self.absence.end()
        end, self._end_history = self._end_history, lambda: None
        end()

    def leave(self) -> None:
        """Show the live object again."""
        view, self._view = self._view, None
        self._asked = None
        if view is None:
            return
        live, self._live = self._live, None
        view.close()
        if live is not None:
            self._window.setCentralWidget(live)  # deletes the page
            live.show()
            set_initial_focus(live)
        view.deleteLater()
        self._window.past_changed()

    def _found(self, machine: TimeMachine, done: Reply[list[FoundRecording]]) -> None:
        if self._asked is not done:
            return
        self._asked = None
        window = self._window
        if done.error is not None:
            window.show_message(f"The recordings cannot be read: {done.error}")
        elif not done.value():
            self._look_again()
        elif self._grows(done.value()[0]):
            self._look_soon()
        elif window.recipe is not None and window.view is not None:
            self._enter(machine, done.value()[0])

    def _look_again(self) -> None:
        """Look again soon if a history has only just begun, else say why there is none."""
        recipe, histories = self._window.recipe, self._histories
        why = "it is kept by no program" if recipe is None or histories is None else histories.why_not(recipe)
        if recipe is not None and histories is not None and not why and self._looks:
            self._looks -= 1
            if histories.hasten(recipe):
                self._look_soon()
                return
        self._window.show_message(_NOT_RECORDED.format(self._window.name, why or _NOTHING_YET))

    def _grows(self, found: FoundRecording) -> bool:
        """Return True if a history that has only just begun is still being written."""
        before, self._records = self._records, found.records
        return self._looks < _LOOKS and found.records != before

    def _look_soon(self) -> None:
        wait: Reply[list[FoundRecording]] = Reply()
        self._asked = wait
        QTimer.singleShot(_LOOK_MS, self._window, lambda: self._find() if self._asked is wait else None)

    def _enter(self, machine: TimeMachine, recording: FoundRecording) -> None:
        from liven.app.time_travel.past_view import PastView  # rarely needed

        window = self._window
        assert window.recipe is not None
        view = self._view = PastView(machine, recording, window.recipe, window.name, is_live=True)
        view.message.connect(window.show_message)
        view.returned.connect(self.leave)
        view.copied.connect(self._open_copy)
        view.restored.connect(self._say_restored)
        self._live = window.takeCentralWidget()
        if self._live is not None:
            self._live.setParent(window)  # it stays where its view keeps it, unseen
            self._live.hide()
        window.setCentralWidget(view.page)
        view.page.show()
        view.page.setFocus()
        window.past_changed()
        view.open()

    def _open_copy(self, recipe: Object, lacking: list[str]) -> None:
        self._window.show_message(
            f"The copy is a separate object that begins as this one was.{not_copied_note(lacking)}"
        )
        self._window.open_requested.emit(write(recipe))  # as bytes: it is begun here, and kept

    def _say_restored(self, restored: Restored) -> None:
        if not restored.done:
            self._window.show_message(restored.sentence)
            return
        view = self._view
        assert view is not None
        restorer = view.restorer

        def undo() -> None:
            self._answered()
            restorer.undo(restored, undone)

        def undone(result: Restored) -> None:
            self._window.show_message(
                "The restoration is undone." if not result.failures else result.sentence
            )
            if self._view is view:
                view.compare_again()

        self._drop_prompt()
        self._prompt = PromptBar(self._window, restored.sentence, "Undo", undo, self._answered, no="Keep")
        self._prompt.destroyed.connect(self._forget_prompt)

    def _drop_prompt(self) -> None:
        prompt, self._prompt = self._prompt, None
        if prompt is not None:
            prompt.hide()  # until it is deleted, it would still take the focus
            prompt.deleteLater()

    def _answered(self) -> None:
        """Remove the question, and give the keys to what the window shows."""
        self._drop_prompt()
        centre = self._window.centralWidget()
        if self._view is not None:
            self._view.page.bar.slider.setFocus()
        elif centre is not None:
            set_initial_focus(centre)

    def _forget_prompt(self) -> None:
        self._prompt = None
