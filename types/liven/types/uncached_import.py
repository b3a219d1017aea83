"""Imports a file without Python's cache of compiled modules.

The cache recognises a file by its size and the second of its last change: an author who saves twice within a
second, without changing the size, would see the older text run.
See https://docs.python.org/3/reference/import.html#cached-bytecode-invalidation
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType


class UncachedSource(SourceFileLoader):
    """A loader that compiles the source each time; it neither reads nor writes cached bytecode."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the file in its present form."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def fresh_spec(name: str, path: Path) -> ModuleSpec | None:
    """Return the import spec of a module of that name in that file; None if it is not a Python file."""
    if path.suffix != ".py":
        return spec_from_file_location(name, path)
    return spec_from_file_location(name, path, loader=UncachedSource(name, str(path.absolute())))
