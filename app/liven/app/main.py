"""The command line's entry, as light as can be: handing a file to a running program loads little more.

What takes longer to load, parsing and the table of commands, is in `choosing`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

ENVIRONMENT = 3
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the `liven` command and returns its exit code."""
    _speak_plainly()
    try:
        return _flushed(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`liven … | head`); Python must not complain again when it flushes.
        sys.stdout = None
        return 0
    except OSError as error:
        from liven.runtime.os_error_text import told  # rarely needed

        print(f"liven: {told(error, 'a file of this program' if error.errno else '')}", file=sys.stderr)
        sys.stdout = None
        return ENVIRONMENT


def gui() -> int:
    """Runs the desktop program, as an icon does."""
    return main(["open", "--from-icon", *sys.argv[1:]])


def version() -> str:
    """The version that is installed."""
    from importlib import metadata  # costs more than all of a hand-over

    return metadata.version("liven")


def _speak_plainly() -> None:
    """A terminal that lacks a sign is shown another in its place, not an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flushed(words: list[str]) -> int:
    """Runs the command and brings out what it said, also when it ends by SystemExit, as help does."""
    try:
        return _run(words)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def _run(words: list[str]) -> int:
    if words[:1] == ["open"]:
        from liven.app.open.hand_over import hand_over

        code = hand_over(words[1:])
        if code is not None:
            return code
    from liven.app.cli.dispatch import dispatch

    return dispatch(words)


if __name__ == "__main__":
    sys.exit(main())
