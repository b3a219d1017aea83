"""`liven show`: print the content of a file as a tree with names, types and ids. It runs no code of it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.commands import module_option
from liven.runtime.commands.input_file import load
from liven.runtime.exit_codes import BAD_USE, NO, OK
from liven.runtime.process.id_labels import IdLabels
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.tree import Painter, lines
from liven.runtime.reference.xml import read
from liven.runtime.user_folders import UserFolders
from liven.types.ids import ClassId

if TYPE_CHECKING:
    from liven.runtime.library.classes.class_index import Snapshot


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("file", metavar="F", help="a .liveobject file; - reads standard input")
    module_option.configure(parser)
    parser.add_argument("--json", action="store_true", help="print the tree as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the tree; return 1 if the file is not a reference."""
    data = load(arguments.file)
    if data is None:
        return BAD_USE
    try:
        document = read(data)
    except ReadError as error:
        print(f"{arguments.file}: {error}", file=sys.stderr)
        return NO
    if document.object is None:
        print("null" if arguments.json else f"{Path(arguments.file).name} holds no object")
        return OK
    known = TypeKnowledge.stock()
    if not module_option.load_modules(arguments.module, known):
        return BAD_USE
    tree = Painter(IdLabels(known.catalogue, _Installed().alias)).tree(document.object)
    if arguments.json:
        print(json.dumps(tree.as_record(), indent=1, ensure_ascii=False))
    else:
        print("\n".join(lines(tree)))
    return OK


class _Installed:
    """The class names of installed libraries, from the cache; looked up when first needed."""

    def __init__(self) -> None:
        self._snapshot: Snapshot | None = None

    def alias(self, kind: str, id_: ClassId) -> str:
        """Return the alias of a class; empty if no library here declares it."""
        if self._snapshot is None:
            self._snapshot = _recalled()
        found = self._snapshot.of(kind, id_)
        return found[0].declared.alias if found else ""


def _recalled() -> Snapshot:
    from liven.runtime.library.classes.class_index import ClassIndex
    from liven.runtime.library.store import Store

    folders = UserFolders.of_user(os.environ)
    return ClassIndex(Store(folders.data / "libraries"), folders.cache / "libraries").snapshot(ask=False)
