"""Reading a file or link that is about to be opened, before there is a window for it."""

from __future__ import annotations

import errno
from pathlib import Path

from liven.app.opening.link_url import LinkError, is_link, read_link
from liven.liveobjects.content_sniffing import PICTURE, other_thing, why_unread
from liven.liveobjects.copying.portable_copy import SUFFIX as PORTABLE
from liven.liveobjects.desktop.foreign.suffixes import goes_on_new_desktop
from liven.runtime.files import open_regular, read_regular
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read

LARGEST_FILE = 4 * 1024 * 1024
_BEGINNING = 64


class UnopenableError(ValueError):
    """Raised for a file or link that holds no object; the message is the reason."""


def read_bytes(path: Path) -> bytes:
    """Return the contents of a file, if it is a regular file of acceptable size."""
    try:
        return read_regular(path, LARGEST_FILE)
    except OSError as error:
        if error.errno == errno.EFBIG and _is_picture(path):
            raise UnopenableError(f"{path} holds no object: {_instead(PICTURE)}") from None
        raise UnopenableError(f"{path} cannot be read: {error.strerror or error}") from None


def recipe_in(data: bytes) -> Object:
    """Return the recipe in the contents of a file."""
    try:
        thing = read(data).object
    except ReadError as error:
        other = other_thing(data)
        why = _instead(other) if other else why_unread(data, error)
        raise UnopenableError(f"this file holds no object: {why}") from None
    if thing is None:
        raise UnopenableError("this file holds no object: its recipe is empty")
    return thing


def _instead(other: str) -> str:
    return f"it is {other}, which you can drop on a desktop"


def _is_picture(path: Path) -> bool:
    """Return True if a file that is too large for a recipe begins like a picture."""
    try:
        with open_regular(path) as file:
            return other_thing(file.read(_BEGINNING)) == PICTURE
    except OSError:
        return False


def reason_unopenable(name: str) -> str:
    """Return the reason why a file or link of the command line cannot be opened; empty if its text is
    fine."""
    if not is_link(name) and (goes_on_new_desktop(name) or name.endswith(PORTABLE)):
        return ""  # a window says what is wrong with the file
    try:
        found = read_link(name) if is_link(name) else Path(name)
        data = read_bytes(found) if isinstance(found, Path) else found
    except LinkError as error:
        return f"{name[:60]} is not a link to an object: {error}"
    except UnopenableError as error:
        return str(error)
    try:
        recipe_in(data)
    except UnopenableError as error:
        return f"{name[:60] if isinstance(found, bytes) else found}: {error}"
    return ""
