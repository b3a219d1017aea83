"""Name and password for a broker, from a file of the person: a recipe is seen by everybody who has it."""

from __future__ import annotations

from typing import Final, NamedTuple

from liven.runtime.files import read_regular, refuse_system_file, user_path

_MOST: Final = 4096


class LoginError(Exception):
    """The file cannot be used; the text says why."""


class Login(NamedTuple):
    """The name and the password of a connection."""

    name: str
    password: str


def read_login(path: str) -> Login | None:
    """Return name and password, the first two lines of a file; None for an empty path. It blocks. Raise
    LoginError."""
    if not path:
        return None
    try:
        found = user_path(path)
        refuse_system_file(found)
        lines = read_regular(found, _MOST).decode().splitlines()
    except UnicodeDecodeError:
        raise LoginError(f"{path} is not text in UTF-8") from None
    except OSError as error:
        raise LoginError(f"{path} cannot be read: {error.strerror or error}") from None
    if not lines or not lines[0].strip():
        raise LoginError(f"{path} has no name in its first line, and a password in its second")
    return Login(lines[0].strip(), lines[1].strip() if len(lines) > 1 else "")
