"""A check that the code of a bundle imports its own modules relatively. It runs none of the code.

Two versions of a bundle can share a process only if neither claims a top-level name; `import own` would find
nothing, or somebody else's module of that name.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping

from liven.runtime.library.trial.syntax_tree import parsed


def faults(files: Mapping[str, bytes]) -> list[str]:
    """Return the wrong imports in a bundle's Python files, and the files that are not valid Python."""
    own = _own(files)
    found = []
    for path, data in sorted(files.items()):
        if not path.endswith(".py"):
            continue
        try:
            tree = parsed(data, path)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            found.append(f"{path}{line} is not valid Python: {reason}")
            continue
        found += _absolute(path, tree, own)
    return found


def _own(files: Mapping[str, bytes]) -> set[str]:
    tops = {path.split("/")[0].removesuffix(".py") for path in files if path.endswith(".py")}
    return tops - sys.stdlib_module_names


def _absolute(path: str, tree: ast.AST, own: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        for name in _imported(node):
            top = name.split(".")[0]
            if top in own:
                place = f"{path}:{getattr(node, 'lineno', 0)}"
                yield f"{place} imports its own module {top!r} absolutely; write from . import {top}"


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        return [node.module]
    return []
