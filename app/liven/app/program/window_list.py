"""The open windows of the program: opening files in windows, and ending the program with the last one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from subprocess import Popen

from PySide6.QtCore import QTimer

from liven.app.begun.begun_objects import BegunObjects
from liven.app.identity.rename_dialog import ask_for_name
from liven.app.instance.spawn import (
    file_for_program,
    half_of_screen,
    handed_folder,
    on_a_screen,
    other_half,
    spawn,
)
from liven.app.opening.link_url import LinkError, is_link, read_link
from liven.app.opening.recent_files import RecentFiles
from liven.app.opening.source import UnopenableError, read_bytes
from liven.app.program import opening_marks, safe_opening
from liven.app.program.begun_windows import BegunWindows
from liven.app.program.composition import Composition
from liven.app.program.foreign_files import ForeignFiles
from liven.app.program.opening_marks import OpeningMarks
from liven.app.program.portable_copies import PortableCopies
from liven.app.program.start_screen import StartScreen
from liven.app.program.window_pictures import WindowPictures
from liven.app.trust.preview_cache import PreviewCache, picture_page
from liven.app.trust.recipe_summary import needs
from liven.app.welcome_desktop.location import home_desktop
from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.last_picture import LastPicture
from liven.app.window.pages.prompt_bar import PromptBar
from liven.app.window.pages.stopped_page import StoppedPage
from liven.app.window.saved import crash_restore
from liven.app.window.saved.crash_restore import CrashedWindows, OpenWindow, OpenWindows
from liven.app.window.saved.placement import apply_state, current_state
from liven.app.window.saved.saved_state import SavedWindowStates
from liven.liveobjects.channel.branches.problems import on_branch
from liven.liveobjects.copying.portable_copy import SUFFIX as PORTABLE
from liven.liveobjects.desktop.foreign.suffixes import goes_on_new_desktop
from liven.liveobjects.view.contract import NoViewError
from liven.runtime.folder.item_files import SUFFIX
from liven.runtime.library.trust import Question
from liven.runtime.loader import Progress
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import NothingToShowError
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import Composite, Object, Reference, name_of
from liven.runtime.reference.xml import write

MOST_NAMES, MOST_LETTERS = 8, 60
"""Most windows in the offer to reopen, and most characters of each name."""
WRITTEN_AFTER_MS = 1000
"""Milliseconds after a change until it is saved, so that dragging does not write constantly."""
MOST_GONE = 256
"""Most names of closed windows to remember: problems of their objects may still arrive."""
SIDE_BY_SIDE = (
    "Two programs side by side share this desktop. Write in one and watch the other; "
    "Ctrl+Shift+N opens a third."
)

HOW_TO_BE_SEEN = "Its author can give it a view: see “A lamp with a switch” in docs/author-guide-view.md."


class WindowList:
    """All windows of one program. `emptied` is called when the last one closes."""

    def __init__(self, program: Composition, emptied: Callable[[], object], place: str = "") -> None:
        self._program = program
        self._emptied = emptied
        self._place = place
        self._ending = self._safe = False
        self._pending_handovers = 0
        """The number of hand-overs that are accepted but not opened yet."""
        self._others: list[Popen[bytes]] = []
        self.recent = RecentFiles(program.folders.state / "recent.json", handed_folder(program.folders))
        self._begun_objects = BegunObjects(program.folders.data)
        self._begun = BegunWindows(self._begun_objects, self.recent, self.open_file, self.open_recipe)
        self._start = self._make_start(program)
        self._foreign = ForeignFiles(self._begun.begin)
        self._portable = PortableCopies(self.open_bytes, self._show_unreadable)
        self._previews = PreviewCache(program.folders.cache / "pictures")
        self._pictures = WindowPictures(self._previews, program.session.node.errands.run)
        self._crash_list = OpenWindows(program.folders.state / crash_restore.FOLDER)
        self._marks = OpeningMarks(program.folders.state / opening_marks.FOLDER)
        whose = f"{program.person.key}-{program.person.slot}"
        self._saved_states = SavedWindowStates(program.folders.state / "left" / whose, program.identity)
        self._saved_states.forget_oldest()
        self.open_windows: list[ObjectWindow] = []
        self.before_reload: Callable[[ObjectWindow], object] = lambda _: None
        program.channels.show_branches_with(self.open_branch)
        self._closed_names: deque[str] = deque(maxlen=MOST_GONE)
        self._moved = QTimer(singleShot=True, interval=WRITTEN_AFTER_MS)
        self._moved.timeout.connect(self._write_down)
        self._looked = QTimer(singleShot=True, interval=WRITTEN_AFTER_MS)
        self._looked.timeout.connect(self._save_all)

    def open_files(self, names: Sequence[str], *, safe: bool = False) -> None:
        """Open each file in a window, or the start window if `names` is empty. A file that cannot be read
        becomes a problem. With `safe`, nothing in them runs. Do nothing while the program is ending."""
        if self._ending:
            return
        self._safe = safe or safe_opening.is_asked_for()
        try:
            self._open_each(names)
        finally:
            self._safe = False

    def _open_each(self, names: Sequence[str]) -> None:
        for name in names:
            if is_link(name):
                self.open_link(name)
            else:
                self.open_file(Path(name))
        if not names:
            self._show_start()

    def accept_handover(self, names: Sequence[str], *, safe: bool = False) -> Callable[[], None]:
        """Return a function that opens files handed over by another start. Until it is called, the program
        does not end."""
        self._pending_handovers += 1

        def come() -> None:
            self._pending_handovers -= 1
            self.open_files(names, safe=safe)

        return come

    @property
    def wanted(self) -> bool:
        """True while a window is open or about to open. Dialogs do not count."""
        awaited = self._pending_handovers > 0 and not self._ending
        return bool(self.open_windows) or self._start.is_shown or awaited

    def _show_start(self, *, search: bool = False) -> None:
        """Show the start window. The first time, the welcome desktop is in it."""
        self._begun.note_open_ones()
        try:
            self._start.welcome(home_desktop(self._program.folders))
        except OSError as error:
            what = f"your own desktop cannot be created: {error.filename}: {error.strerror}"
            self._start.show(search=search)
            self._start.say(f"{what}. Free some disk space, or make the folder writable.")
        else:
            self._start.show(search=search)

    def _make_start(self, program: Composition) -> StartScreen:
        made = StartScreen(
            program, self._begun_objects, self.recent, self.open_file, lambda: self.open_windows
        )
        made.on_closed = self._end_if_left
        made.quit = self.close_all
        made.note_open_ones = self._begun.note_open_ones
        return made

    def open_link(self, text: str) -> ObjectWindow:
        """Open the object that a link leads to. An invalid link becomes a problem."""
        try:
            found = read_link(text)
        except LinkError as error:
            window = self._window("link")
            self._show_failure(window, f"{text[:60]} is not a link to an object: {error}")
            return window
        return self.open_file(found) if isinstance(found, Path) else self.open_bytes(found, "link")

    def open_bytes(self, data: bytes, name: str) -> ObjectWindow:
        """Open an object from its recipe as XML text."""
        window = self._window(name)
        self._begun.keep_when_shown(window)
        self._read(window, data, name)
        return window

    def open_file(self, path: Path) -> ObjectWindow:
        """Open the object in a file, or a desktop with what is in a file of another program. The window's
        title leaves out the usual suffix."""
        if goes_on_new_desktop(path.name):
            return self._foreign.open(path)
        if path.suffix == PORTABLE:
            return self._portable.open(path)
        foreign = path.suffix != SUFFIX
        window = self._window(path.name if foreign else path.stem)
        try:
            data = read_bytes(path)
        except UnopenableError as error:
            self._show_failure(window, str(error))
            return window
        window.file = path.absolute()
        if self._read(window, data, str(path), foreign=foreign):
            self.recent.add(window.file)
        return window

    def _show_unreadable(self, path: Path, why: str) -> ObjectWindow:
        window = self._window(path.name)
        self._show_failure(window, f"{path} cannot be opened: {why}")
        return window

    def _read(self, window: ObjectWindow, data: bytes, name: str, *, foreign: bool = False) -> bool:
        thing = self._program.recipe(data, window.step, foreign=foreign)
        if thing is None:
            window.show()
            last = list(self._program.problems)[-1]
            window.show_words(f"{name} cannot be opened.\n\n{last.what}")
            return False
        self._open(window, thing)
        return True

    def open_recipe(self, thing: Object, name: str = "object") -> ObjectWindow:
        """Open an object from its recipe."""
        window = self._window(name_of(thing) or name)
        self._open(window, thing)
        return window

    def open_branch(self, channel: str, branch: str) -> None:
        """Open the object on a channel once more, with the state that it has in a branch of that channel."""
        for window in tuple(self.open_windows):
            there = None if window.recipe is None else on_branch(window.recipe, channel, branch)
            if there is not None and there != window.recipe:
                opened = self.open_recipe(there, window.name)
                opened.show_message(f"This is “{window.name}” as of the branch {branch}.")
                return
        advice = "open the object's file, and then the branch again"
        self._program.tell(
            channel, f"no window shows an object on this channel; the branch {branch} stays", advice
        )

    def offer_to_restore(self) -> None:
        """Offer to reopen the windows of a program that crashed."""
        first = self.open_windows[0] if self.open_windows else self._start.window
        if first is None:
            return
        left = CrashedWindows(self._program.folders.state / crash_restore.FOLDER)
        lacking = self._move_restored(left)
        if not lacking:
            if left.windows:
                first.show_message("Liven ended unexpectedly last time. Your work is restored.")
            left.drop()
            return
        names = list(dict.fromkeys(f"“{one.name[:MOST_LETTERS]}”" for one in lacking))
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        open_then = ", ".join(names[:MOST_NAMES])
        words = f"Liven ended unexpectedly last time. It had these windows open: {open_then}{more}."
        bar = PromptBar(first, words, "Reopen", lambda: self._restore(left), left.drop, no="Do not reopen")
        bar.destroyed.connect(lambda: left.close())  # without an answer they are offered again next time

    def _move_restored(self, left: CrashedWindows) -> list[OpenWindow]:
        """Move windows that are open again to their old positions; return the windows still missing."""
        open_now = {self._text(window): window for window in self.open_windows}
        for one in left.windows:
            if one.recipe in open_now and not self._place:
                open_now[one.recipe].setGeometry(on_a_screen(one.area))
        return [one for one in left.windows if one.recipe not in open_now]

    def _restore(self, left: CrashedWindows) -> None:
        open_now = {self._text(window) for window in self.open_windows}
        for one in left.windows:
            if one.recipe not in open_now:
                thing = self._program.recipe(one.recipe.encode(), one.name)
                window = None if thing is None else self.open_recipe(thing, one.name)
                if window is not None:
                    window.setGeometry(on_a_screen(one.area))
        left.drop()  # they are now in this program's list

    def _text(self, window: ObjectWindow) -> str:
        return "" if window.recipe is None else write(window.recipe).decode()

    def _save_state(self, window: ObjectWindow) -> None:
        """Save the state of a window."""
        if window.recipe is not None and not window.picture_only:
            self._saved_states.keep(window.recipe, current_state(window))

    def _save_soon(self) -> None:
        """Save the state of all windows shortly, unless all are closed: the last window's docks emit signals
        while it closes."""
        if self.open_windows:
            self._looked.start()

    def _save_all(self) -> None:
        for window in self.open_windows:
            self._save_state(window)

    def _restore_position(self, window: ObjectWindow) -> None:
        """Show a window where it was last time. A second window on the same object gets a position of its
        own."""
        left = None if window.isVisible() else self._saved_states.recall(window.recipe)
        if left is not None:
            alone = all(one.recipe != window.recipe for one in self.open_windows if one is not window)
            apply_state(window, left, place=alone and not self._place, size=not self._place)
        window.show()

    def _write_down(self) -> None:
        self._moved.stop()
        self._crash_list.write(
            [
                OpenWindow(window.name, self._text(window), _geometry(window))
                for window in self.open_windows
                if window.recipe is not None
            ]
        )

    def window_for_question(self, question: Question) -> ObjectWindow | None:
        """Return the window above which to ask about new code: one whose recipe needs that code, preferably
        one that is loading, else the one whose object contains what needs it. Names alone prove nothing,
        because anyone can give an object any name."""
        needing = [window for window in self.open_windows if needs(window.recipe, question)]
        needing.sort(key=lambda window: (window.awaited is None, not _is_in(question.reason, window.step)))
        around = [window for window in self.open_windows if _is_in(question.reason, window.step)]
        return next(iter([*needing, *around, *self.open_windows]), None)

    def window_of_path(self, path: str) -> ObjectWindow | None:
        """Return the window whose object contains the object at a path, or any window."""
        around = [window for window in self.open_windows if _is_in(path, window.step)]
        return next(iter([*around, *self.open_windows]), None)

    def show_problem(self, problem: Problem) -> None:
        """Show a problem in the window it concerns, or in all windows if it concerns none (such as the
        network).

        Problems of closed windows are dropped. So are those that follow from the user's own "no" to code: the
        object itself shows that it was declined. A handler that took long is over by the time at which a
        window can say so; the log has it.
        """
        if problem.kind in (Kind.DECLINED, Kind.SLOW):
            return
        about = problem.where[0] if problem.where else None
        named = [window for window in self.open_windows if window.step == about]
        for window in named:
            window.add_problem(problem)
        if not named and about not in self._closed_names:
            for window in self.open_windows:
                window.problems.add(problem)

    def end(self) -> None:
        """Close all windows and open no more, because the program was asked to end."""
        self._ending = True
        self.close_all()

    def close_all(self) -> None:
        """Close all windows of this program. Other programs keep running."""
        for window in tuple(self.open_windows):
            window.close()
        self._start.close()

    def _window(self, name: str) -> ObjectWindow:
        offers = self._program.palette_sections.ask
        window = ObjectWindow(
            name, self.recent.files, offers, self._program.channels.onlooker, self._program.time_machine
        )
        self._name_window(window, name)
        window.insertion.load = lambda thing: self._program.open_example(thing, window.step)
        window.insertion.picture_of = self._previews.picture_in_this_light
        self.open_windows.append(window)
        window.closed.connect(lambda: self._closed(window))
        window.open_requested.connect(self._wanted)
        self._begun.watch(window)
        window.start_requested.connect(lambda: self._show_start(search=True))
        window.about_to_close.connect(lambda: self._start.keep_look(window))
        window.saved.connect(self.recent.add)
        window.saved.connect(lambda _: self._write_down())
        window.about_to_close.connect(lambda: self._pictures.keep(window))
        window.about_to_close.connect(lambda: self._save_state(window))
        window.about_to_close.connect(lambda: self._close_in_order(window))
        window.other_program_requested.connect(
            lambda: self.open_elsewhere(window, *self._place_for_other(window))
        )
        window.quit_requested.connect(self.close_all)
        window.rename_requested.connect(lambda: ask_for_name(self._program, window, window.show_message))
        window.restart_requested.connect(lambda: self._reload(window))
        window.moved.connect(self._moved.start)
        window.moved.connect(self._save_soon)
        window.view_state_changed.connect(self._save_soon)
        if self._place:
            window.setGeometry(half_of_screen(self._place))
        return window

    def _name_window(self, window: ObjectWindow, name: str) -> None:
        """Name a window, and choose a step for the paths of its problems that no other open window has."""
        taken = {one.step for one in self.open_windows if one is not window}
        steps = (name, *(f"{name} {number}" for number in range(2, len(taken) + 3)))
        window.name, window.step = name, next(step for step in steps if step not in taken)

    def _wanted(self, what: object) -> None:
        self._safe = safe_opening.is_asked_for()
        try:
            self._open_wanted(what)
        finally:
            self._safe = False

    def _open_wanted(self, what: object) -> None:
        if isinstance(what, Path):
            self.open_file(what)
        elif isinstance(what, Reference | Composite):
            self.open_recipe(what)
        elif isinstance(what, bytes):
            self.open_bytes(what, "clipboard")
        elif isinstance(what, str):
            self.open_link(what)

    def _place_for_other(self, window: ObjectWindow) -> tuple[str, ...]:
        """Return arguments that put the first additional program on the other half of the screen."""
        alone = not self._place and all(one.poll() is not None for one in self._others)
        return ("--place", other_half(window)) if alone else ()

    def open_elsewhere(self, window: ObjectWindow, *arguments: str) -> None:
        """Open a window's object in another program, as a second person would."""
        if window.recipe is None:
            window.show_message("There is nothing to open here.")
            return
        try:
            file = file_for_program(self._program.folders, window.recipe, window.name)
        except OSError as error:
            window.show_message(f"It cannot be opened in another program: {error.strerror or error}")
            return
        started = spawn(file, *arguments)
        if started is None:
            window.show_message("Another program cannot be started.")
        else:
            self._others = [one for one in self._others if one.poll() is None] + [started]

    def _open(self, window: ObjectWindow, thing: Object) -> None:
        self._name_window(window, name_of(thing) or window.name)
        window.recipe = thing
        self._restore_position(window)
        self._write_down()
        window.stop_loading()
        window.declined = False
        if self._is_held_back(window, thing):
            return
        reply = self._program.open(thing, window.step, lambda progress: self._progress(window, progress))
        window.awaited = reply
        if not reply.settled:
            window.show_loading("finding its code")
            picture = self._previews.picture_in_this_light(thing)
            if picture is not None:
                LastPicture(window, picture)
        reply.then(lambda done: self._loaded(window, done))

    def _is_held_back(self, window: ObjectWindow, thing: Object) -> bool:
        """Mark the object as being opened. If it is to be opened safely, say so; return True if it is not
        loaded at all, because only a picture of it is safe."""
        key = self._mark_of(thing)
        crashes = self._marks.begin(key)
        window.is_safe = window.is_safe or self._safe or crashes >= safe_opening.CRASHES
        if not window.is_safe:
            return False
        cards = crashes < safe_opening.CRASHES_OF_CARDS and safe_opening.has_cards(
            thing, self._program.session.known
        )
        safe_opening.tell(window, crashes, lambda: self._open_normally(window), cards=cards)
        if cards:
            return False
        self._marks.end(key)
        window.show_page(picture_page(thing, self._previews.picture(thing)))
        return True

    def _open_normally(self, window: ObjectWindow) -> None:
        if window.recipe is not None:
            self._marks.forget(self._mark_of(window.recipe))
            window.is_safe = False
            window.restart()

    def _mark_of(self, thing: Object) -> str:
        try:
            return self._program.identity(thing)
        except ValueError:
            return sha256(write(thing)).hexdigest()

    def _close_in_order(self, window: ObjectWindow) -> None:
        """Count an object that could be closed as one that did not crash."""
        if window.view is not None:
            self._lived(window)

    def _lived(self, window: ObjectWindow) -> None:
        """Count the opening as survived, once the object has run for a while."""
        if window in self.open_windows and window.recipe is not None and not window.is_safe:
            self._marks.lived(self._mark_of(window.recipe))

    def _reload(self, window: ObjectWindow) -> None:
        """Load the object of a window again, into the same window."""
        if window.recipe is not None:
            self.before_reload(window)
            window.picture_only = False
            self._open(window, window.recipe)

    def _progress(self, window: ObjectWindow, progress: Progress) -> None:
        if window in self.open_windows and window.handle is None:
            inside = progress.where[1:]  # the first one is the object of the window, which it names itself
            window.show_loading_step(": ".join(filter(None, ("/".join(inside), progress.what))))

    def _loaded(self, window: ObjectWindow, done: Reply[ProxyHandle]) -> None:
        wanted = window in self.open_windows and window.awaited is done
        picture = wanted and window.picture_only
        if done.error is None and (picture or not wanted):
            done.value().close()
        if not wanted:
            return
        window.awaited = None
        if picture and window.recipe is not None:
            window.show_page(picture_page(window.recipe, self._previews.picture(window.recipe)))
            return
        if done.error is not None and window.declined:
            words = f"You did not allow the code that “{window.name}” needs. Nothing was downloaded or run."
            window.show_page(StoppedPage(words, window.restart))
            return
        if done.error is not None:
            words = f"{window.name} cannot be opened.\n\n{done.error}"
            window.show_page(StoppedPage(words, window.restart, failed=True))
            return
        try:
            window.show_object(
                self._program.session.node,
                done.value(),
                lambda model: self._program.undo.follow(window.recipe, model),
            )
        except (NothingToShowError, NoViewError) as why:
            self._show_without_view(window, why)
        else:
            window.restore_panels()
            self._pictures.watch(window)
            window.take_last_look(lambda: self._previews.picture_in_this_light(window.recipe or Reference()))
            self._begun.shown(window)
            self._foreign.shown(window)
            self._start.changed()
            self._portable.shown(window)
            QTimer.singleShot(safe_opening.LIVED_MS, window, lambda: self._lived(window))
            self._open_other_half(window)

    def _open_other_half(self, window: ObjectWindow) -> None:
        if self._place == "both":
            self._place = "left"
            self.open_elsewhere(window, "--place", "right")
        if self._place:
            window.show_message(SIDE_BY_SIDE)

    def _show_without_view(self, window: ObjectWindow, why: Exception) -> None:
        words = f"{window.name} runs, but it has nothing to show.\n\n{why}"
        if isinstance(why, NoViewError):
            self._program.tell(window.step, str(why), "tell the object's author")
        else:
            words += f"\n\n{HOW_TO_BE_SEEN}"
        window.show_words(words)

    def _show_failure(self, window: ObjectWindow, what: str) -> None:
        window.show()
        self._program.tell(window.step, what)
        window.show_words(what)

    def _closed(self, window: ObjectWindow) -> None:
        self.open_windows.remove(window)
        if window.recipe is not None and all(one.recipe != window.recipe for one in self.open_windows):
            self._marks.end(self._mark_of(window.recipe))
        self._closed_names.append(window.step)
        if self.open_windows:
            self._write_down()
        else:
            self._moved.stop()
            self._looked.stop()
            self._crash_list.close()
        self._start.changed()
        self._end_if_left()

    def _end_if_left(self) -> None:
        """Announce that the last window is closed."""
        if not self.open_windows and not self._start.is_shown:
            self._marks.close()
            self._emptied()


def _is_in(path: str, name: str) -> bool:
    """Return True if a path is that of the object `name` or of something inside it."""
    return path == name or path.startswith(f"{name}/")


def _geometry(window: ObjectWindow) -> tuple[int, int, int, int]:
    place = window.geometry()
    return place.x(), place.y(), place.width(), place.height()
