"""Recipes that lead to encrypted channels.

The log of an encrypted channel cannot be read without its key. So the text and the pictures of an object on
such a channel must not be stored in clear beside it.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.api.recipes import COMMUNICATION, SYSTEMS
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.ids import parse
from liven.runtime.reference.model import Composite, Object, Reference, parts
from liven.runtime.reference.xml import read_object


def component(spelled: str) -> int | str:
    """Return the part of an id that identifies a class, without namespace and version; an alias as it is."""
    found = parse(spelled)
    return spelled.strip() if found is None else found.component


_OPEN: Final = frozenset(
    component(one)
    for one in (COMMUNICATION, SYSTEMS, "liven:communication", "E8C9D312C27649F39812B8E99AA67CBC")
)
"""Sources of channels without encryption: the folder of channels, and its own source."""
_ENCRYPTING: Final = frozenset(
    component(one)
    for pair in (
        ("1A2D6868E7BDE0F650AF42E3C1074905", "liven:encrypt"),
        ("2E878791C0BAE550AB20A27EC81EA408", "liven:encrypt-replicated"),
        ("89BC5908C9724040399C132CB4E94D4E", "liven:guard"),
    )
    for one in pair
)
"""The objects that encrypt."""
# Objects that an object may contain if its text and pictures are written to disk, by id and alias: our
# channels without encryption, and folders. Anything else might encrypt. Ids, because their modules would load
# too much code.
_WITHIN: Final = _OPEN | frozenset(
    component(one)
    for pair in (
        ("8D2A6C0F4B5E4C1F9E0B7A31D6C95E24", "liven:shared-channel"),
        ("55C16D652529A71518F37CCCE6BF35F4", "liven:ordered-group-channel"),
        ("6D0C87273C74D7CDB7FCD65B17823F1B", "liven:group-channel"),
        ("E986DBC39CAF7ECE4ABC4E8A2CD0F65E", "liven:presence-channel"),
        ("4FF15AA1A8BD458BA3847691DF96D289", "liven:local-communication-channel"),
        ("A23A3D5432FB40BAB87181FD0943299A", "liven:shared-folder"),
    )
    for one in pair
)


def is_unencrypted(recipe: str) -> bool:
    """True if a recipe leads only to channels without encryption; False if that cannot be determined."""
    try:
        thing = read_object(recipe)
    except (ReadError, UnicodeError):
        return False
    return thing != Reference() and _leads_openly(thing)


def _leads_openly(thing: Object) -> bool:
    return _comes_openly(thing) and all(_may_stand_within(part) for _, part in parts(thing))


def _may_stand_within(thing: Object) -> bool:
    if isinstance(thing, Composite):
        return False
    named = thing.source is not None  # in a folder of channels, under any name
    return (named or component(thing.id) in _WITHIN) and _leads_openly(thing)


def _comes_openly(thing: Object) -> bool:
    if isinstance(thing, Composite):
        return False
    source = thing.source
    return source is None or (isinstance(source, Reference) and component(source.id) in _OPEN)


def may_be_encrypted(recipe: str) -> bool:
    """True if a part of a recipe, at any depth, encrypts, or comes from a folder that may hold something that
    does. An object of another author may encrypt, too, which its recipe does not tell."""
    try:
        return _may_encrypt(read_object(recipe))
    except (ReadError, UnicodeError):
        return False


def _may_encrypt(thing: Object) -> bool:
    from_folder = isinstance(thing, Reference) and not _comes_openly(thing)
    return encrypts(thing) or from_folder or any(_may_encrypt(part) for _, part in parts(thing))


def encrypts(thing: Object) -> bool:
    """True if an object itself encrypts what it passes on."""
    return isinstance(thing, Reference) and component(thing.id) in _ENCRYPTING
