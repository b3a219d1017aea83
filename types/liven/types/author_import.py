"""Imports an author's file: whatever the module does, the caller gets a module or an AuthorFileError."""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from liven.types.declare.errors import DeclarationError
from liven.types.uncached_import import fresh_spec


class AuthorFileError(ValueError):
    """A file that cannot be imported; the text names the file, and the line if it is known."""


def run_file(path: Path) -> ModuleType:
    """Return the module in that file, run under a name of its own; its output goes to standard error."""
    spec = _spec(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        with redirect_stdout(sys.stderr), _siblings_of(path):
            assert spec.loader is not None
            spec.loader.exec_module(module)
    except BaseException as problem:
        del sys.modules[spec.name]
        if isinstance(problem, KeyboardInterrupt):  # Ctrl+C stops the caller, not only this file
            raise
        raise AuthorFileError(f"{_place(path, problem)}{_said(problem)}") from problem
    return module


def _spec(path: Path) -> ModuleSpec:
    if not path.is_file():
        raise AuthorFileError(f"{path} is not a file; name a Python module")
    try:
        path.open("rb").close()
    except OSError as error:
        raise AuthorFileError(f"{path} cannot be read: {error.strerror}") from None
    name = path.stem if path.stem not in sys.modules else f"{path.stem}_of_author"
    spec = fresh_spec(name, path)
    if spec is None or spec.loader is None:
        raise AuthorFileError(f"{path} is not a Python module; its name must end in .py")
    return spec


@contextmanager
def _siblings_of(path: Path) -> Iterator[None]:
    """Let a module import files beside it; they come last on the path, so none of them hides a standard
    module."""
    folder = str(path.resolve().parent)
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _place(path: Path, problem: BaseException) -> str:
    """Return the file, and the line of it that was running."""
    own = os.path.abspath(path)  # noqa: PTH100  as the loader spells it
    places = traceback.extract_tb(problem.__traceback__)
    lines = [place.lineno for place in places if place.filename == own]
    if isinstance(problem, SyntaxError) and problem.filename == own:
        lines.append(problem.lineno)
    return f"{path}:{lines[-1]}" if lines else str(path)


def _said(problem: BaseException) -> str:
    if isinstance(problem, DeclarationError):
        return f": {problem}"
    if isinstance(problem, SystemExit):
        guard = "if __name__ == '__main__':"
        return f" ended the program (exit {problem.code}); put the code that it runs under {guard}"
    return f" cannot be run: {type(problem).__name__}: {problem}"
