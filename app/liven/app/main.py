"""The entry point of the command line. It imports almost nothing, so that handing a file to the running
program is fast.

Argument parsing and the table of commands, which load slowly, are in `cli.dispatch`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from liven.app.backup import JOURNAL
from liven.runtime.exit_codes import ENVIRONMENT
from liven.runtime.files import keep_files_private

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the `liven` command and return its exit code."""
    _speak_plainly()
    keep_files_private()
    try:
        return _flushed(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader is gone (`liven … | head`). Keep Python from failing again when it flushes at exit.
        sys.stdout = None
        return 0
    except OSError as error:
        from liven.runtime.os_error_text import explain_os_error  # rarely needed

        print(f"liven: {explain_os_error(error, 'a file' if error.errno else '')}", file=sys.stderr)
        sys.stdout = None
        return ENVIRONMENT


def gui() -> int:
    """Run the desktop program for an icon."""
    return main(["open", "--from-icon", *sys.argv[1:]])


def _speak_plainly() -> None:
    """Print a substitute for characters that the terminal cannot show, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flushed(words: list[str]) -> int:
    """Run the command and flush its output, even when it ends by SystemExit as `--help` does."""
    try:
        return _run(words)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def _run(words: list[str]) -> int:
    if not words and _has_screen():
        words = ["open"]
    if words[:1] == ["open"]:
        from liven.app.open.hand_over import hand_over

        code = hand_over(words[1:])
        if code is not None:
            return code
    from liven.app.cli.dispatch import dispatch

    _finish_restore()
    return dispatch(words)


def _has_screen() -> bool:
    """True if windows can open here; `doctor.display` knows more, and loads more."""
    return sys.platform != "linux" or any(os.environ.get(one) for one in ("DISPLAY", "WAYLAND_DISPLAY"))


def _finish_restore() -> None:
    """Finish a restore that was interrupted, before any file of the person is opened."""
    from liven.runtime.user_folders import UserFolders

    try:
        folders = UserFolders.of_user(os.environ)
    except OSError:
        return  # the command says so, if it needs them
    if not folders.data.with_name(JOURNAL).exists():
        return
    from liven.app.backup.restore_journal import finish_restore  # rarely needed

    for each in finish_restore(folders):
        print(f"liven: an interrupted restore is finished; the earlier files are in {each}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
