"""Running a file as it is now.

Python remembers what it compiled by the size of the file and the second in which it was written: an author
who saves twice within a second, without changing the length, would be shown what he wrote first.
"""

from __future__ import annotations

from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType


class UncachedSource(SourceFileLoader):
    """Compiles the source each time; neither reads nor writes what was compiled before."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the file as it is now."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def fresh_spec(name: str, path: Path) -> ModuleSpec | None:
    """What a module of that name in that file is made from; None if it is no Python file."""
    if path.suffix != ".py":
        return spec_from_file_location(name, path)
    return spec_from_file_location(name, path, loader=UncachedSource(name, str(path.absolute())))
