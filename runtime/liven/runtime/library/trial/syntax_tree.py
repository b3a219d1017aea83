"""Python code as a syntax tree, without running any of it."""

from __future__ import annotations

import ast
import threading

# CPython before 3.11.8 counts the depth of all trees that are being made in one place: where the garbage
# collector lets another thread in meanwhile, that one's tree is a SystemError.
_one_at_a_time = threading.RLock()


def parsed(data: bytes, name: str) -> ast.Module:
    """Return the tree of a file. Raise like `ast.parse` if it is not valid Python."""
    with _one_at_a_time:
        return ast.parse(data, name)
