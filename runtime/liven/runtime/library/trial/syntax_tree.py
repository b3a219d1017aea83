"""Python code as a syntax tree, without running any of it."""

from __future__ import annotations

import ast
import threading

# CPython before 3.11.8 counts the depth of all unfinished trees in one variable. When the garbage collector
# lets another thread run meanwhile, parsing raises SystemError: https://github.com/python/cpython/issues/106905
_one_at_a_time = threading.RLock()


def parsed(data: bytes, name: str) -> ast.Module:
    """Return the tree of a file. Raise like `ast.parse` if it is not valid Python."""
    with _one_at_a_time:
        return ast.parse(data, name)
