"""Importing the code of bundles: each under a name with its hash, so that versions never meet.

A bundle's modules are in a package of their own, `liven_bundle_HASH`, and import each other relatively. They
are compiled from the verified source, which is kept in memory: a late import, inside a handler, gets what was
installed, whatever is on the disk by then. No bytecode is read or written.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from liven.runtime.library.errors import CodeError, DamagedError
from liven.runtime.library.store import Installed
from liven.runtime.library.trial.relative_imports import faults

PREFIX: Final = "liven_bundle_"


def package_name(sha256: str) -> str:
    """Return the package of the bundle with that hash."""
    return PREFIX + sha256[:32]


class SourceOnly(SourceFileLoader):
    """Always compiles the verified source, never bytecode beside the file."""

    def __init__(self, fullname: str, path: str, source: bytes) -> None:
        super().__init__(fullname, path)
        self._source = source

    def get_data(self, path: str) -> bytes:
        """Return the source of the module; other files that a module reads come from the disk."""
        return self._source if path == self.path else super().get_data(path)

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the module."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class BundleFinder(MetaPathFinder):
    """Finds the modules of the open bundles, and nothing else."""

    def __init__(self) -> None:
        self._bundles: dict[str, tuple[Path, Mapping[str, bytes]]] = {}

    def open(self, name: str, root: Path, sources: Mapping[str, bytes]) -> None:
        """Register the bundle's package: its folder and its Python files."""
        self._bundles[name] = (root, sources)

    def close(self, name: str) -> None:
        """Forget the bundle; its running code goes on."""
        self._bundles.pop(name, None)
        for module in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[module]

    def find_spec(  # Python passes all three
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return the module's spec, if it belongs to an open bundle."""
        name, *inside = fullname.split(".")
        if name not in self._bundles:
            return None
        root, sources = self._bundles[name]
        if not inside:
            return ModuleSpec(name, None, is_package=True)
        return _spec(fullname, root, "/".join(inside), sources)


def _spec(fullname: str, root: Path, inside: str, sources: Mapping[str, bytes]) -> ModuleSpec | None:
    """Return the spec of a module or package of a bundle by its path; None if the bundle has none there."""
    package, module = f"{inside}/__init__.py", f"{inside}.py"
    if package not in sources and module not in sources:
        return None
    file = package if package in sources else module
    place = str(root / file)
    spec = spec_from_file_location(fullname, place, loader=SourceOnly(fullname, place, sources[file]))
    if spec is not None and file == package:
        # Not its folder: Python's own finder would search it before us, and for modules that we refuse.
        spec.submodule_search_locations = []
    return spec


class Modules:
    """The loaded bundles. Make one for a process: it registers itself in Python's import machinery."""

    def __init__(self) -> None:
        self._finder = BundleFinder()
        self._loaded: dict[str, tuple[ModuleType, ...]] = {}
        sys.meta_path.append(self._finder)

    def load(self, installed: Installed, sha256: str = "") -> tuple[ModuleType, ...]:
        """Return the modules that the library includes, after verifying its files,
        against `sha256` if given.

        Raise DamagedError or CodeError; then nothing of it stays loaded.
        """
        actual, files = installed.contents()
        if sha256 and actual != sha256:
            raise DamagedError(
                installed.library, f"its sha256 is {actual[:16]}…, and {sha256[:16]}… was expected"
            )
        known = self._loaded.get(actual)
        if known is not None:
            return known
        wrong = faults(files)
        if wrong:
            raise CodeError(installed.library, "; ".join(wrong))
        name = package_name(actual)
        sources = {path: data for path, data in files.items() if path.endswith(".py")}
        self._finder.open(name, installed.data, sources)
        try:
            modules = tuple(_imported(f"{name}.{_stem(include)}") for include in installed.metadata.includes)
        except BaseException as error:
            self._finder.close(name)
            if isinstance(error, Exception | SystemExit):
                raise CodeError(installed.library, _said(error)) from error
            raise
        self._loaded[actual] = modules
        return modules

    def unload(self, sha256: str) -> None:
        """Forget a bundle's modules; running objects keep theirs until they end."""
        self._loaded.pop(sha256, None)
        self._finder.close(package_name(sha256))

    def close(self) -> None:
        """Remove everything from the import machinery again."""
        for sha256 in list(self._loaded):
            self.unload(sha256)
        if self._finder in sys.meta_path:
            sys.meta_path.remove(self._finder)


def _imported(name: str) -> ModuleType:
    return importlib.import_module(name)


def _stem(include: str) -> str:
    return include.removesuffix(".py")


def _said(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"importing it ends the program (exit code {error.code})"
    return f"importing it raised {type(error).__name__}: {error}"
