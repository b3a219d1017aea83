"""Settings of Spark in a file, in the form of its `spark-defaults.conf`: a key and a value a line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import BadUseError
from liven.runtime.files import PRIVATE, read_regular, write_file
from liven.runtime.os_error_text import explain_os_error

MASTER: Final = "spark.master"
_LONGEST: Final = 1 << 20
_LINE: Final = re.compile(r"(?P<key>(?:\\.|[^\s=:\\])+)(?:\s*[=:]\s*|\s+)(?P<value>.*)")
_ESCAPED: Final = re.compile(r"\\(.)")
_NAMES: Final = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}


class BadSettingsError(BadUseError):
    """A file with settings cannot be read."""


def read_settings(path: Path) -> dict[str, str]:
    """Return the settings in a file; raise BadSettingsError."""
    try:
        text = read_regular(path, _LONGEST).decode()
    except UnicodeDecodeError:
        raise BadSettingsError(f"{path}: it is not a text file with settings of Spark") from None
    except OSError as error:
        raise BadSettingsError(explain_os_error(error)) from None
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.strip()
        if not words or words.startswith(("#", "!")):
            continue
        match = _LINE.fullmatch(words)
        if match is None:
            raise BadSettingsError(f"{path}, line {number}: {words!r} is not a key and a value")
        found[_plain(match["key"])] = _plain(match["value"])
    return found


def write_settings(path: Path, settings: Mapping[str, str], note: str = "") -> None:
    """Write settings to a file that only the user can read, with a comment above; raise OSError."""
    lines = [*(f"# {line}" for line in note.splitlines())]
    lines += [f"{_escaped(key, keys=True)}={_escaped(value)}" for key, value in settings.items()]
    write_file(path, "".join(f"{line}\n" for line in lines).encode(), PRIVATE)


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda match: _NAMES.get(match[1], match[1]), text)


def _escaped(text: str, *, keys: bool = False) -> str:
    """Return a text as Java's Properties read it."""
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return re.sub(r"([\s=:#!])", r"\\\1", text) if keys else re.sub(r"^([\s=:])", r"\\\1", text)
