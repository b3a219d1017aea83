"""The desktop program, from start to end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from liven.app.appearance.settings import Appearance, AppearanceError, read_appearance
from liven.app.appearance.theme import Theme
from liven.app.identity.person import person
from liven.app.instance.lock_file import LOOK_AFTER
from liven.app.instance.server import InstanceServer
from liven.app.log_file import start_log
from liven.app.network.service_problems import report_service_problems
from liven.app.opening.source import reason_unopenable
from liven.app.program import gc_policy
from liven.app.program.composition import Composition
from liven.app.program.window_list import WindowList
from liven.app.qt_application import application
from liven.app.qt_dispatcher import QtDispatcher
from liven.app.trust.path_policy import PathPolicy
from liven.app.trust.path_store import PathStore
from liven.app.trust.policy import TrustPolicy
from liven.app.trust.question_board import QuestionBoard
from liven.app.trust.settings import LibrarySettingError, read_private_hosts
from liven.app.trust.trust_store import TrustStore
from liven.liveobjects.channel.composition import Channels
from liven.runtime.library.placement import Placement
from liven.runtime.problems import Kind, Problem, Problems
from liven.runtime.signing.known_signers import KnownSigners
from liven.runtime.user_folders import UserFolders


def run(
    files: Sequence[str],
    channels: Channels,
    placement: Placement,
    *,
    alone: bool,
    place: str = "",
    safe: bool = False,
) -> int:
    """Open files, or the start window, and run until the last window closes. Return the exit code.

    `placement` says which libraries run in processes of their own. With `alone`, other starts hand nothing
    over. `place` is the half of the screen to begin on; "both" opens the first object a second time, in
    another program on the right half. With `safe`, nothing in the files runs.
    """
    qt = application()
    qt.setQuitOnLastWindowClosed(False)
    folders = UserFolders.of_user(os.environ)
    problems = Problems()
    dispatcher = QtDispatcher(problems.report)
    board, trust_policy, path_policy = _policies(folders, placement)
    hosts_problem = _private_hosts(folders)[1]
    program = Composition(
        dispatcher,
        problems,
        folders,
        person(folders.config),
        trust_policy.ask,
        channels,
        path_policy.ask,
        lambda: _private_hosts(folders)[0],
        placement,
    )
    trust_policy.known = program.session.known
    log = start_log(folders, program.person.slot)
    windows = WindowList(program, lambda: end_when_left(program, windows, qt.quit), place)
    trust_policy.window_of = windows.window_for_question
    path_policy.window_of = windows.window_of_path
    windows.before_reload = board.restarted
    problems.listen(windows.show_problem)
    ignore_service = report_service_problems(problems.report)
    server, server_problem = (None, None) if alone else _start_server(folders, dispatcher, windows)
    _stop_by_signals(windows)
    _collect_garbage(qt)
    looking = _keep_files(qt, program, server)
    appearance_problem = _apply_appearance(qt, folders)
    windows.open_files(files, safe=safe)
    for problem in filter(None, (server_problem, appearance_problem, hosts_problem)):
        problems.report(problem)
    if not alone:
        windows.offer_to_restore()
    try:
        return qt.exec() if windows.wanted else 1
    finally:
        looking.stop()
        if server is not None:
            server.close()
        windows.close_all()
        ignore_service()
        program.close()
        dispatcher.close()
        if log is not None:
            log.end()


def _policies(folders: UserFolders, placement: Placement) -> tuple[QuestionBoard, TrustPolicy, PathPolicy]:
    """Return the answers to questions of trust, and the board on which those stand that a person must
    answer."""
    board = QuestionBoard()
    trust = TrustPolicy(TrustStore.of(folders), KnownSigners.of(folders.config), board, placement.confine)
    return board, trust, PathPolicy(PathStore.of(folders), board)


def _keep_files(qt: QApplication, program: Composition, server: InstanceServer | None) -> QTimer:
    """Look after the files by which later starts know this program: somebody may delete them."""
    looking = QTimer(qt, interval=int(LOOK_AFTER * 1000))
    looking.timeout.connect(program.keep_slot)
    if server is not None:
        looking.timeout.connect(server.keep)
    looking.start()
    return looking


def _collect_garbage(qt: QApplication) -> None:
    """Let only this thread collect garbage, now that the program has started."""
    gc_policy.freeze()
    looking = QTimer(qt, interval=gc_policy.EVERY_MS)
    looking.timeout.connect(gc_policy.collect_if_due)
    looking.start()


def _private_hosts(folders: UserFolders) -> tuple[frozenset[str], Problem | None]:
    """Return the hosts of the own network that libraries may come from; none, and a problem, if the setting
    is invalid."""
    try:
        return read_private_hosts(folders.config), None
    except LibrarySettingError as error:
        advice = "correct it; until then no library is fetched from the own network"
        return frozenset(), Problem(Kind.RAISED, ("settings",), str(error), advice)


def _apply_appearance(qt: QApplication, folders: UserFolders) -> Problem | None:
    """Apply the appearance settings; return a problem, and use the defaults, if they are invalid."""
    try:
        chosen, appearance_problem = read_appearance(folders.config, os.environ), None
    except AppearanceError as error:
        chosen, appearance_problem = (
            Appearance(),
            Problem(
                Kind.RAISED, ("settings",), str(error), "correct it; until then the system's settings apply"
            ),
        )
    Theme(qt, chosen, os.environ)
    return appearance_problem


def end_when_left(program: Composition, windows: WindowList, end: Callable[[], object]) -> None:
    """End the program once all channels have left, unless another start has handed over files by then."""
    program.farewell(lambda: None if windows.wanted else end())


def _start_server(
    folders: UserFolders, dispatcher: QtDispatcher, windows: WindowList
) -> tuple[InstanceServer | None, Problem | None]:
    """Start the server for later starts; return it, or the problem that prevents it.

    If another program became the server meanwhile, return neither; this program then runs on its own.
    """
    try:
        made = InstanceServer(
            folders.runtime,
            dispatcher.watch_fd,
            lambda files, tell, safe: open_handed_over(
                windows, files, dispatcher.call_soon, tell=tell, safe=safe
            ),
        )
    except FileExistsError:
        return None, None
    except OSError as error:
        what = f"Liven cannot receive files from other starts in {folders.runtime}: {error}"
        advice = (
            "each start opens a separate program; make the folder writable, or choose a shorter LIVEN_HOME"
        )
        return None, Problem(Kind.RAISED, ("program",), what, advice)
    return made, None


def open_handed_over(
    windows: WindowList,
    files: Sequence[str],
    soon: Callable[[Callable[[], object]], object],
    *,
    tell: bool,
    safe: bool = False,
) -> list[str]:
    """Open the files that another start handed over, after it has its answer; return the reasons for those
    that cannot be opened. With `tell`, the other start prints them, so they get no window here."""
    problems = {name: why for name in files if (why := reason_unopenable(name))} if tell else {}
    good = [name for name in files if name not in problems]
    if good or not files:
        soon(windows.accept_handover(good, safe=safe))
    return list(problems.values())


def _stop_by_signals(windows: WindowList) -> None:
    """Close the windows on SIGINT and SIGTERM. Python runs signal handlers only between its own instructions
    and Qt's loop executes none, so a timer runs some regularly."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: _end_by_signal(windows, number))
    chance = QTimer(application(), interval=200)
    chance.timeout.connect(lambda: None)
    chance.start()


def _end_by_signal(windows: WindowList, number: int) -> None:
    """Close all windows, and say in the terminal which signal asked for it."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):  # such as a terminal that was closed
            sys.stderr.write(f"liven open: ended by {signal.Signals(number).name}\n")
    windows.end()
