"""Writing one appearance setting into `config.toml`, keeping everything else as the user wrote it."""

from __future__ import annotations

import re
import tomllib
from io import StringIO
from pathlib import Path

from liven.app import config_file
from liven.app.appearance.settings import ALLOWED, SECTION, AppearanceError
from liven.runtime.files import PRIVATE, write_file
from liven.runtime.os_error_text import explain_os_error

_TABLE = re.compile(r"\s*\[")
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s#"']+)"""
_OURS = re.compile(rf"\s*\[\s*{SECTION}\s*\]\s*(#.*)?$")


def remember(config: Path, name: str, value: str) -> None:
    """Save a setting; raise AppearanceError, with the file unchanged, if that is impossible."""
    assert value in ALLOWED[name]
    path = config / config_file.NAME
    mend = f'write {name} = "{value}" under [{SECTION}] in {path} yourself'
    try:
        before = path.read_bytes().decode() if path.exists() else ""
        after = changed(before, name, value)
        if after != before:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, after.encode(), PRIVATE)
    except OSError as error:
        raise AppearanceError(f"{explain_os_error(error)}; {mend}") from error
    except (
        ValueError,
        TypeError,
        RecursionError,
    ) as error:  # the file is invalid, or cannot be edited line by line
        raise AppearanceError(f"{path} cannot be changed: {error}; correct it, or {mend}") from error


def changed(text: str, name: str, value: str) -> str:
    """Return the file's text with one setting changed; raise ValueError if a single line cannot express
    that."""
    wanted = tomllib.loads(text)
    wanted.setdefault(SECTION, {})[name] = value
    made = _altered(text, name, f'"{value}"')
    if tomllib.loads(made) != wanted:
        raise ValueError("the setting is written there in a form that cannot be edited")
    return made


def _altered(text: str, name: str, value: str) -> str:
    """Change the setting, keeping line endings and comments."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = StringIO(text if not text or text.endswith("\n") else text + end, newline="\n").readlines()
    line = f"{name} = {value}{end}"
    at = next((number for number, one in enumerate(lines) if _OURS.match(one)), None)
    if at is None:
        return "".join([*lines, *([end] if lines else []), f"[{SECTION}]{end}", line])
    last = next((n for n in range(at + 1, len(lines)) if _TABLE.match(lines[n])), len(lines))
    setting = re.compile(rf"(\s*{name}\s*=\s*){_VALUE}(\s*(?:#.*)?)$", re.DOTALL)
    for number in range(at + 1, last):
        found = setting.match(lines[number])
        if found:
            lines[number] = found[1] + value + found[2]
            return "".join(lines)
    return "".join([*lines[: at + 1], line, *lines[at + 1 :]])
