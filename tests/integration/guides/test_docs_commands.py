"""The guides name only commands and options that exist."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from liven.app import main as front
from liven.app.cli.commands import COMMANDS
from liven.app.feeds.command import ROWS

_ROOT = Path(__file__).parents[3]
PAGES = sorted(
    [
        _ROOT / "README.md",
        *(_ROOT / "docs").glob("*.md"),
        *(_ROOT / "docs" / "feeds").glob("*.md"),
        *_ROOT.glob("*/README.md"),
    ]
)
_SPAN = re.compile(r"`([^`]+)`")
_LINE = re.compile(r"^(?: {4,}|\$ |`{0,3})?(?:[A-Z_]+=\S* )*(liven(?: .*)?)$", re.MULTILINE)
_VERBS = {
    "feeds": tuple(row.name for row in ROWS),
    "library": ("add", "list", "remove", "verify"),
    "types": ("list", "show", "match", "subtype"),
}
_WORD = re.compile(r"[a-z][a-z-]*")
_OPTION = re.compile(r"(?<=\s)--[a-z][a-z-]*")


def mentioned(text: str) -> Iterator[str]:
    """Yield every command in the code of a page: within a sentence or in a block."""
    flowing = re.sub(r"\s+", " ", text)
    yield from (span for span in _SPAN.findall(flowing) if span.startswith("liven "))
    yield from (line.partition("#")[0].strip() for line in _LINE.findall(text))


@cache
def help_of(*words: str) -> str:
    told = io.StringIO()
    with contextlib.redirect_stdout(told), pytest.raises(SystemExit):
        front.main([*words, "--help"])
    return told.getvalue()


def faults(command: str) -> list[str]:
    """Yield the parts of a command that do not exist."""
    names = {entry.name for entry in COMMANDS}
    words = command.split()
    if len(words) == 1 or not _WORD.fullmatch(words[1]):
        return []
    name = words[1]
    if name not in names:
        return [f"{command}: there is no command {name}"]
    if name == "bench":
        return []  # its options are those of the measurement
    verb = words[2:3] if name in _VERBS else []
    if verb and _WORD.fullmatch(verb[0]) and verb[0] not in _VERBS[name]:
        return [f"{command}: {name} has no {verb[0]}"]
    told = help_of(name, *(each for each in verb if each in _VERBS[name]))
    options = re.findall(r"--[a-z][a-z-]*", told)
    return [f"{command}: no option {one}" for one in _OPTION.findall(command) if one not in options]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(_ROOT)))
def test_every_command_of_a_page_exists(page: Path) -> None:
    found = [fault for command in mentioned(page.read_text(encoding="utf-8")) for fault in faults(command)]
    assert found == []


def test_a_wrong_page_is_reported() -> None:
    page = (
        "Type `liven opne` or `liven library\nput X`:\n\n"
        "    liven cp FILE GROUP --fast   # sends\n"
        "    HOME=/tmp liven top --json\n"
    )
    assert [fault for command in mentioned(page) for fault in faults(command)] == [
        "liven opne: there is no command opne",
        "liven library put X: library has no put",
        "liven cp FILE GROUP --fast: no option --fast",
    ]
