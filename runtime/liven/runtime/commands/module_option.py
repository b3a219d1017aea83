"""`--module`: the user's own modules, whose objects a command knows without installation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from liven.runtime.checking.type_knowledge import TypeKnowledge


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument(
        "--module",
        type=Path,
        action="append",
        default=[],
        metavar="FILE.py",
        help="load the objects of this Python file, which is run; may be repeated",
    )


def load_modules(paths: Iterable[Path], known: TypeKnowledge) -> bool:
    """Load all modules; print the first error and return False if one cannot be loaded."""
    from liven.runtime.process.local_module import (  # most calls have no such option
        LocalModuleError,
        load_module,
    )

    for path in paths:
        try:
            load_module(path, known)
        except LocalModuleError as error:
            print(f"{error}\n{error.detail}".strip(), file=sys.stderr)
            return False
    return True
