"""Finding the subcommand that was typed, importing only its module, and running it."""

from __future__ import annotations

import argparse
from importlib import import_module
from itertools import groupby
from typing import NoReturn, Protocol, cast

from liven.app.cli.commands import COMMANDS, Entry
from liven.app.version import version
from liven.runtime.exit_codes import BAD_USE


class Command(Protocol):
    """The functions that a command's module provides."""

    def configure(self, parser: argparse.ArgumentParser) -> None: ...

    def run(self, arguments: argparse.Namespace) -> int: ...


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors end with where to find help."""

    def error(self, message: str) -> NoReturn:
        """Print the error and where help is, and exit with the code for bad use."""
        self.exit(BAD_USE, f"{self.prog}: {message}\nTry: {self.prog} --help\n")


def dispatch(words: list[str]) -> int:
    """Run the command named by the first word with the remaining words."""
    entries = {entry.name: entry for entry in COMMANDS}
    if words and words[0] == "--":
        del words[0]
    parser = _front()
    if not words or words[0].startswith("-"):
        parser.parse_args(words)
        parser.print_help()
        return 0
    if words[0] not in entries:
        parser.error(f"there is no command {words[0]!r}{_nearest(words[0], entries)}")
    return _run(entries[words[0]], words[1:])


def _run(entry: Entry, words: list[str]) -> int:
    parser = Parser(
        prog=f"liven {entry.name}",
        description=entry.help[0].upper() + entry.help[1:] + ".",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command = cast(Command, import_module(entry.module))
    command.configure(parser)
    return command.run(parser.parse_args(words))


def _front() -> Parser:
    parser = Parser(
        prog="liven",
        description="A desktop of live distributed objects.",
        epilog=_listing() + "\n\n`liven COMMAND --help` explains one of them.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="liven COMMAND …",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"liven {version()}")
    return parser


def _listing() -> str:
    width = max(len(entry.name) for entry in COMMANDS)
    lines = []
    for room, group in groupby(COMMANDS, key=lambda entry: entry.room):
        lines.append(f"{room}:")
        lines += [f"  {entry.name:<{width}}  {entry.help}" for entry in group]
    return "\n".join(lines)


def _nearest(word: str, entries: dict[str, Entry]) -> str:
    from difflib import get_close_matches  # only for the error message

    near = get_close_matches(word, entries, n=1)
    return f"; did you mean {near[0]!r}?" if near else ""
