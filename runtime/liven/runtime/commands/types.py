"""`liven types`, with the classes installed on this machine beside those of Liven itself.

The newest version of each library is loaded, as when an object of it is opened; errors are printed.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from liven.types import command

if TYPE_CHECKING:
    from liven.runtime.library.store import Installed
    from liven.runtime.problems import Problem
    from liven.runtime.process.installation import Installation
    from liven.types.queries import Queries

configure = command.configure


def run(arguments: argparse.Namespace) -> int:
    """Answer the question; see `liven.types.command`."""
    return command.run(arguments, _of_this_machine)


def _of_this_machine() -> Queries:
    from liven.runtime.checking.type_knowledge import TypeKnowledge
    from liven.runtime.process.builtin_objects import learn_stock
    from liven.runtime.process.installation import Installation
    from liven.runtime.user_folders import UserFolders
    from liven.types.queries import Queries

    known = learn_stock(TypeKnowledge.stock())
    installation = Installation.learn(known, UserFolders.of_user(os.environ), _warn)
    _load_all_newest(installation)
    installation.modules.close()  # their declarations are known without running them
    return Queries(known.catalogue, known.matcher)


def _load_all_newest(installation: Installation) -> None:
    from liven.runtime.library.errors import LibraryError

    for installed in _newest(installation):
        try:
            installation.libraries.learn(installed)
        except LibraryError as error:
            print(error, file=sys.stderr)


def _newest(installation: Installation) -> list[Installed]:
    """Return the highest version of each library."""
    from liven.runtime.library.store import Installed

    found: dict[int, Installed] = {}
    for one in installation.libraries.index.store.all():
        if not isinstance(one, Installed):
            print(f"{one.path}: {one.reason}", file=sys.stderr)
        elif one.namespace not in found or found[one.namespace].version < one.version:
            found[one.namespace] = one
    return [found[namespace] for namespace in sorted(found)]


def _warn(problem: Problem) -> None:
    print(problem, file=sys.stderr)
