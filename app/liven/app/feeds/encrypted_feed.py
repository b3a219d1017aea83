"""Reading encrypted recordings at the command line: with the file of the object, which has the key.

Only an encrypted feed loads the code for keys and recipes, which takes longer than a whole command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from liven.liveobjects.feeds.description import FeedDescription
from liven.liveobjects.feeds.errors import BadUseError

if TYPE_CHECKING:
    from liven.liveobjects.feeds.payload_decoder import PayloadDecoder
    from liven.runtime.reference.model import Object

NO_KEY = "has no key: it may keep a list of readers; open the object in a window and go back in time there"
_ADVICE = "name the file of the object, which has the key, with --key FILE"


class BadKeyFileError(BadUseError):
    """A file that was named as the key of a recording cannot be used."""


def add_key(parser: argparse._ActionsContainer) -> None:
    """Add the argument that names the key of an encrypted recording."""
    text = "the file of the object (.liveobject), whose key reads an encrypted recording"
    parser.add_argument("--key", type=Path, metavar="FILE", help=text)


def keyed_recipe(arguments: argparse.Namespace, feed: str, described: FeedDescription) -> Object | None:
    """Return the recipe with the key of an encrypted recording, None for one in clear; raise
    EncryptedError."""
    if not described.encrypted:
        return None
    from liven.liveobjects.feeds.encryption import encrypted_error

    path: Path | None = arguments.key
    if path is None:
        raise encrypted_error(feed, described, _ADVICE)
    return recipe_of_file(path)


def recipe_of_file(path: Path) -> Object:
    """Return the recipe in a file that was named as a key; raise BadKeyFileError."""
    from liven.app.opening.source import LARGEST_FILE, UnopenableError, recipe_in
    from liven.runtime.files import read_regular
    from liven.runtime.os_error_text import explain_os_error

    try:
        return recipe_in(read_regular(path, LARGEST_FILE))
    except OSError as error:
        raise BadKeyFileError(explain_os_error(error, path)) from None
    except UnopenableError as error:
        raise BadKeyFileError(f"{path}: {error}") from None


def decoder_of(arguments: argparse.Namespace, feed: str, described: FeedDescription) -> PayloadDecoder:
    """Return a decoder for the records of a feed; raise EncryptedError without their key."""
    from liven.liveobjects.feeds.payload_decoder import PayloadDecoder

    thing = keyed_recipe(arguments, feed, described)
    if thing is None:
        return PayloadDecoder(described.types)
    from liven.liveobjects.feeds.encryption import EncryptedError, SealedPayloadDecoder, keys_in

    keys = keys_in(thing)
    if not keys:
        raise EncryptedError(f"{arguments.key} {NO_KEY}")
    return SealedPayloadDecoder(described.types, keys)


def refuse_encrypted(feed: str, described: FeedDescription, advice: str) -> None:
    """Raise EncryptedError for an encrypted recording."""
    if described.encrypted:
        from liven.liveobjects.feeds.encryption import encrypted_error

        raise encrypted_error(feed, described, advice)
