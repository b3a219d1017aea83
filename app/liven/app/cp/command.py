"""`liven cp FILE… GROUP` and `liven cp --get GROUP`."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from liven.app.cp.messages import FILES_MOST, is_plain
from liven.app.cp.progress import ProgressLine
from liven.app.cp.receiver import FileReceiver
from liven.app.cp.rejoin import POLICY
from liven.app.cp.sender import FileSender, TransferError
from liven.app.network.cli import complain, config_of, group_fault
from liven.app.network.settings import add_arguments
from liven.multicast.errors import MulticastError
from liven.multicast.socket_engine import Engine
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.os_error_text import explain_os_error, reason_unreadable

_PREFIX = "cp:"
_INTERRUPTED = {
    False: "interrupted; receivers keep what arrived, and get the rest when you send again",
    True: "interrupted; received parts are kept, and the same command resumes",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven cp`."""
    parser.usage = "%(prog)s [options] FILE… GROUP\n       %(prog)s --get [options] GROUP"
    parser.add_argument("words", nargs="*", metavar="FILE… GROUP", help="with --get, only the group")
    parser.add_argument("--get", action="store_true", help="receive instead of sending")
    parser.add_argument(
        "--into", type=Path, default=Path(), help="the folder for received files (the current one)"
    )
    parser.add_argument("--replace", action="store_true", help="overwrite existing files")
    parser.add_argument(
        "--receivers", type=int, default=1, help="send until this many receivers have everything (1)"
    )
    parser.add_argument(
        "--wait", type=float, default=60.0, help="seconds to wait for receivers, or for a sender (60)"
    )
    add_arguments(parser)
    parser.epilog = (
        "Each byte is sent once, to all receivers together. To resume an interrupted transfer, run --get\n"
        "again in the same folder.\n"
        "Exit code: 0 everyone has everything, 1 somebody does not, 2 bad use, 3 the network cannot be used."
    )


def run(arguments: argparse.Namespace) -> int:
    """Send or receive files."""
    *files, name = arguments.words or [""]
    paths = [Path(file) for file in files]
    wrong = _wrong(arguments, name) or _not_sendable(paths)
    if wrong:
        return complain(wrong, BAD_USE)
    try:
        with Engine(config_of(arguments)) as engine:
            if arguments.get:
                return _receive(engine, name, arguments)
            return _send(engine, name, paths, arguments)
    except KeyboardInterrupt:
        complain(_INTERRUPTED[arguments.get], NO)
        raise
    except TransferError as error:
        return complain(str(error), NO)
    except MulticastError as error:
        return complain(str(error), ENVIRONMENT)
    except OSError as error:
        return complain(explain_os_error(error, arguments.into if arguments.get else ", ".join(files)), NO)


def _wrong(arguments: argparse.Namespace, name: str) -> str:
    """Return the error in the arguments; empty if there is none."""
    if not name or (len(arguments.words) > 1) == arguments.get:
        return "use `liven cp FILE… GROUP` to send, `liven cp --get GROUP` to receive"
    if why := group_fault(name):
        return why
    if arguments.receivers < 1 or not 0 < arguments.wait < float("inf"):
        return "--receivers takes a number of at least 1, --wait a number of seconds"
    if arguments.get and not arguments.into.is_dir():
        return f"--into {arguments.into}: there is no such folder; create it first"
    if arguments.get and not os.access(arguments.into, os.W_OK | os.X_OK):
        return f"{arguments.into} is not writable; choose another folder with --into"
    return ""


def _not_sendable(paths: list[Path]) -> str:
    """Return the files that cannot be sent, with reasons; empty if all can."""
    if len(paths) > FILES_MOST:
        return f"{len(paths)} files are too many; send at most {FILES_MOST}, or an archive"
    for path in paths:
        if why := reason_unreadable(path):
            return why
        if not is_plain(path.name):
            return f"{path.name!a}: receivers refuse names that are hidden or not printable; rename it"
    if len({path.name for path in paths}) < len(paths):
        return "two files have the same name"
    return ""


def _send(engine: Engine, name: str, paths: list[Path], arguments: argparse.Namespace) -> int:
    sending = FileSender(engine, engine.join(_PREFIX + name, POLICY), paths, ProgressLine("sent"))
    count = sending.run(arguments.receivers, arguments.wait)
    for problem in sending.problems:
        complain(f"a receiver reports: {problem}", NO)
    print(f"{len(paths)} file{'s' if len(paths) > 1 else ''} at {count} receiver{'s' if count != 1 else ''}")
    return NO if sending.problems else OK


def _receive(engine: Engine, name: str, arguments: argparse.Namespace) -> int:
    group = engine.join(_PREFIX + name, POLICY)
    receiving = FileReceiver(
        engine, group, arguments.into, replace=arguments.replace, bar=ProgressLine("received")
    )
    receiving.run(arguments.wait)
    for file in receiving.files:
        resumed = f", {file.resumed} of them resumed" if file.resumed else ""
        if file.done:
            print(f"{file.offered.name}: {file.offered.size} bytes{resumed}")
        else:
            complain(file.problem, NO)
    return OK if all(file.done for file in receiving.files) else NO
