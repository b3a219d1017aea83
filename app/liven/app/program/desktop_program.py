"""The desktop program from its first moment to its last."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from liven.app.appearance.settings import Appearance, AppearanceError, read_appearance
from liven.app.appearance.theme import Look
from liven.app.identity.person import person
from liven.app.instance.server import InstanceServer
from liven.app.opening.source import why_not
from liven.app.program import gc_policy
from liven.app.program.composition import House
from liven.app.qt_application import application
from liven.app.qt_dispatcher import QtDispatcher
from liven.app.trust.policy import Asking
from liven.app.trust.trust_store import TrustStore
from liven.app.window.window_list import Windows
from liven.liveobjects.channel.composition import Channels
from liven.runtime.problems import Kind, Problem, Problems
from liven.runtime.user_folders import UserFolders


def run(files: Sequence[str], channels: Channels, *, alone: bool, place: str = "") -> int:
    """Opens files, or the user's own desktop, and runs until the last window is closed. `alone`: other starts
    hand nothing over. `place` is the half of the screen that windows begin on; with "both", what is
    shown first on the left is opened in another program on the right."""
    qt = application()
    qt.setQuitOnLastWindowClosed(False)
    folders = UserFolders.of_user(os.environ)
    problems = Problems()
    dispatcher = QtDispatcher(problems.report)
    asking = Asking(TrustStore.of(folders))
    house = House(dispatcher, problems, folders, person(folders.config), asking.ask, channels)
    windows = Windows(house, lambda: leave(house, windows, qt.quit), place)
    asking.window_of = windows.that_asks
    problems.listen(windows.show_problem)
    bell, deaf = (None, None) if alone else _bell(folders, dispatcher, windows)
    _stop_by_signals(windows)
    _collect(qt)
    unfit = _dress(qt, folders)
    windows.open_files(files)
    for problem in filter(None, (deaf, unfit)):
        problems.report(problem)
    if not alone:
        windows.offer_to_restore()
    try:
        return qt.exec() if windows.open_ones else 1
    finally:
        if bell is not None:
            bell.close()
        windows.close_all()
        house.close()
        dispatcher.close()


def _collect(qt: QApplication) -> None:
    """The program has started: from here on this thread looks for garbage, and no other."""
    gc_policy.begin()
    looking = QTimer(qt, interval=gc_policy.EVERY_MS)
    looking.timeout.connect(gc_policy.look)
    looking.start()


def _dress(qt: QApplication, folders: UserFolders) -> Problem | None:
    """Has the program look as it was chosen; settings that cannot be are a problem, and none is followed."""
    try:
        chosen, unfit = read_appearance(folders.config, os.environ), None
    except AppearanceError as error:
        chosen, unfit = (
            Appearance(),
            Problem(Kind.RAISED, ("settings",), str(error), "mend it; until then the system decides"),
        )
    Look(qt, chosen, os.environ)
    return unfit


def leave(house: House, windows: Windows, end: Callable[[], object]) -> None:
    """Ends the program when all has left in good order; not if another start handed it something by then."""
    house.farewell(lambda: None if windows.wanted else end())


def _bell(
    folders: UserFolders, dispatcher: QtDispatcher, windows: Windows
) -> tuple[InstanceServer | None, Problem | None]:
    """Without one where another program came first between our question and now, or where there can be none,
    which is a problem; this program then stands alone."""
    try:
        made = InstanceServer(
            folders.runtime,
            dispatcher.watch_fd,
            lambda files, tell: open_handed(windows, files, dispatcher.call_soon, tell=tell),
        )
    except FileExistsError:
        return None, None
    except OSError as error:
        what = f"other starts of Liven cannot hand their files over in {folders.runtime}: {error}"
        advice = "each opens a program of its own; make that folder writable, or choose a shorter LIVEN_HOME"
        return None, Problem(Kind.RAISED, ("program",), what, advice)
    return made, None


def open_handed(
    windows: Windows, files: Sequence[str], soon: Callable[[Callable[[], object]], object], *, tell: bool
) -> list[str]:
    """Opens what another start handed over, after it has its answer: why some of it cannot be opened. That
    gets no window here if whoever asked can `tell` it."""
    problems = {name: why for name in files if (why := why_not(name))} if tell else {}
    good = [name for name in files if name not in problems]
    if good or not files:
        soon(windows.expected(good))
    return list(problems.values())


def _stop_by_signals(windows: Windows) -> None:
    """Ctrl-C in the terminal closes the windows in order. Qt's loop runs no Python between events, so a timer
    gives it a chance to."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: _told_to_end(windows, number))
    chance = QTimer(application(), interval=200)
    chance.timeout.connect(lambda: None)
    chance.start()


def _told_to_end(windows: Windows, number: int) -> None:
    """Whoever looks for the reason why the windows are gone finds it in the terminal."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):  # as of a terminal that was closed
            sys.stderr.write(f"liven open: told to end by {signal.Signals(number).name}\n")
    windows.end()
