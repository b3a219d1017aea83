"""The keys with which `liven feeds ingest --decrypt` opens the records of encrypted channels.

They come from the files of the objects. The job and Spark's workers get them in a file of mode 0600 in the
user's runtime folder, which is deleted in the end. So they stand on no command line, and in no log or commit.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.errors import BadUseError

if TYPE_CHECKING:
    from liven.liveobjects.feeds.key_file import ChannelKey, OpenedType
    from liven.runtime.checking.type_knowledge import TypeKnowledge
    from liven.runtime.user_folders import UserFolders

_DECRYPT_HELP: Final = "open the records of encrypted channels; the rows in the tables are in clear"
_KEY_HELP: Final = "the file of an object (.liveobject), whose key opens them; repeatable"


class DecryptionError(BadUseError):
    """Keys cannot be used as they were given."""


def add_decryption(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that open the records of encrypted channels."""
    parser.add_argument("--decrypt", action="store_true", help=_DECRYPT_HELP)
    parser.add_argument("--key", action="append", default=[], type=Path, metavar="FILE", help=_KEY_HELP)


@contextmanager
def keys_for_job(arguments: argparse.Namespace, *, is_local: bool) -> Iterator[str | None]:
    """Yield the path of a file with the keys that were named, None without any; raise BadUseError."""
    if not arguments.decrypt:
        if arguments.key:
            raise DecryptionError("--key is for --decrypt, which writes tables in clear; give both")
        yield None
        return
    if not arguments.key:
        raise DecryptionError("--decrypt needs the file of the object, which has the key: --key FILE")
    if not is_local:
        raise DecryptionError(
            "--decrypt works on this computer alone, as a cluster would get the keys;"
            " leave out --master, --remote and --conf-file"
        )
    from liven.liveobjects.feeds.key_file import kept_keys
    from liven.runtime.user_folders import UserFolders

    folders = UserFolders.of_user(os.environ)
    with kept_keys(folders.runtime, _keys_in(arguments.key, folders)) as path:
        yield str(path)


def _keys_in(files: list[Path], folders: UserFolders) -> list[ChannelKey]:
    from liven.app.feeds.encrypted_feed import NO_KEY, recipe_of_file
    from liven.liveobjects.feeds.encryption import sealing_keys
    from liven.liveobjects.feeds.key_file import ChannelKey

    given = [(file, list(sealing_keys(recipe_of_file(file)))) for file in files]
    for file, keys in given:
        if not keys:
            raise DecryptionError(f"{file} {NO_KEY}")
    with _installed(folders) as known:
        return [
            ChannelKey(
                each.key.hex(),
                _opened(known, file, each.message, "MessageClass"),
                _opened(known, file, each.state, "CheckpointClass") if each.state else None,
            )
            for file, keys in given
            for each in keys
        ]


@contextmanager
def _installed(folders: UserFolders) -> Iterator[TypeKnowledge]:
    """Yield the classes that are installed on this computer."""
    from liven.runtime.checking.type_knowledge import TypeKnowledge
    from liven.runtime.process.builtin_objects import learn_stock
    from liven.runtime.process.installation import Installation

    known = learn_stock(TypeKnowledge.stock())
    installation = Installation.learn(known, folders, lambda _problem: None)
    try:
        yield known
    finally:
        installation.close()


def _opened(known: TypeKnowledge, file: Path, class_: str, parameter: str) -> OpenedType:
    """Return the type of the values of a class that a recipe states."""
    from liven.liveobjects.feeds.key_file import OpenedType
    from liven.liveobjects.feeds.recorder.value_types import TypeNames

    if not class_:
        raise DecryptionError(f"{file} has a key, but does not say of what: state the {parameter} beside it")
    try:
        found = TypeNames(known.catalogue).of(known.catalogue.value(class_))
    except (LookupError, ValueError, TypeError) as error:
        raise DecryptionError(f"{file}: the class of its values is not known here ({error})") from None
    return OpenedType(found.name, found.entry.notation)
