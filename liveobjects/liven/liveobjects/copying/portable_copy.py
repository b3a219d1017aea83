"""A portable copy: one file with an object, everything in it, and its pictures, for a computer that reaches
none of the original's channels. It is a ZIP archive: a recipe whose channels begin with their states, and
apart from it the pictures, which are too large for recipes, with the recipes of their images."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from liven.liveobjects.copying.recipe import LARGEST_FILE
from liven.liveobjects.copying.states import State

SUFFIX: Final = ".liveboard"
LARGEST: Final = 256 * 1024 * 1024
"""The most bytes of all pictures together, and of a file that is read."""
MOST_PICTURES: Final = 1_000
_RECIPE, _INDEX = "object.liveobject", "pictures.json"
_LARGEST_INDEX: Final = 16 * 1024 * 1024
_LARGEST_PICTURE: Final = 25 * 1024 * 1024


class PortableCopyError(ValueError):
    """A file that is no portable copy, or more than fits into one; the message says why."""


@dataclass(frozen=True, slots=True)
class HeldPicture:
    """A picture, and the recipe of the image that it goes into."""

    name: str
    recipe: str
    data: bytes = field(repr=False)


def picture_in(state: State) -> tuple[str, bytes] | None:
    """Return name and bytes of the picture that an image shows; None for the state of anything else."""
    held = state.value.get("held") if isinstance(state.value, dict) else None
    if not isinstance(held, dict) or not isinstance(held.get("pictures"), list):
        return None
    for one in held["pictures"]:
        if one["about"]["picture"] == held["shown"] and len(one["data"]) == one["about"]["size"]:
            return str(one["about"]["name"]), bytes(one["data"])
    return None


def packed(recipe: bytes, pictures: Sequence[HeldPicture]) -> bytes:
    """Return the bytes of a portable copy."""
    if len(pictures) > MOST_PICTURES:
        raise PortableCopyError(f"it has more than {MOST_PICTURES:,} pictures; save parts of it")
    if (size := sum(len(one.data) for one in pictures)) > LARGEST:
        raise PortableCopyError(f"its pictures have {size / 1e6:.0f} MB; the limit is {LARGEST / 1e6:.0f} MB")
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_RECIPE, recipe)
        archive.writestr(_INDEX, json.dumps([[one.name, one.recipe] for one in pictures]))
        for number, one in enumerate(pictures):
            archive.writestr(_name(number), one.data, zipfile.ZIP_STORED)  # pictures are packed already
    return made.getvalue()


def unpacked(data: bytes) -> tuple[bytes, list[HeldPicture]]:
    """Return the recipe and the pictures in a portable copy; raise PortableCopyError for anything else."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            recipe = _member(archive, _RECIPE, LARGEST_FILE)
            index = json.loads(_member(archive, _INDEX, _LARGEST_INDEX))
            return recipe, list(_pictures(archive, index))
    except PortableCopyError:
        raise
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, RecursionError, OSError, EOFError) as error:
        raise PortableCopyError(f"it is cut off or damaged ({str(error)[:120]}); copy it again") from None
    except (NotImplementedError, RuntimeError):
        raise PortableCopyError("it is packed in a way that Liven does not write") from None


def _pictures(archive: zipfile.ZipFile, index: Any) -> Iterator[HeldPicture]:
    if not isinstance(index, list) or len(index) > MOST_PICTURES:
        raise PortableCopyError("its list of pictures is damaged; copy it again")
    room = LARGEST
    for number, (name, recipe) in enumerate(index):
        data = _member(archive, _name(number), min(_LARGEST_PICTURE, room))
        room -= len(data)
        yield HeldPicture(str(name), str(recipe), data)


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return a part of an archive that is not larger than allowed, however small it is packed."""
    with archive.open(name) as part:
        found = part.read(most + 1)
    if len(found) > most:
        raise PortableCopyError(f"its part {name} is too large; the limit is {most / 1e6:.0f} MB")
    return found


def _name(number: int) -> str:
    return f"pictures/{number}"
