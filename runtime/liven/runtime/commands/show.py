"""`liven show`: what a file holds, as a tree with names, types and ids. Runs nothing of it."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from liven.runtime.commands.files import BAD_USE, load
from liven.runtime.known import Known
from liven.runtime.naming import CatalogueNames
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.tree import Painter, lines
from liven.runtime.reference.xml import read


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments."""
    parser.add_argument("file", metavar="F", help="a .liveobject file; - reads standard input")
    parser.add_argument("--json", action="store_true", help="print the tree as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Prints the tree; 1 if the file is no reference."""
    data = load(arguments.file)
    if data is None:
        return BAD_USE
    try:
        document = read(data)
    except ReadError as error:
        print(f"{arguments.file}: {error}", file=sys.stderr)
        return 1
    if document.object is None:
        print("null" if arguments.json else f"{Path(arguments.file).name} holds no object")
        return 0
    tree = Painter(CatalogueNames(Known.stock().catalogue)).tree(document.object)
    if arguments.json:
        print(json.dumps(tree.as_record(), indent=1, ensure_ascii=False))
    else:
        print("\n".join(lines(tree)))
    return 0
