"""The code of bundles in this process: each under a name that carries its hash, so that versions never meet.

A bundle's modules live in a package of their own, `liven_bundle_HASH`; inside it they import each other
relatively. They are compiled from the verified source in the store: no cached bytecode is read or written.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

from liven.runtime.library.errors import CodeError, DamagedError
from liven.runtime.library.imports import faults
from liven.runtime.library.store import Installed

PREFIX: Final = "liven_bundle_"


def package_name(sha256: str) -> str:
    """The package of the bundle with that hash."""
    return PREFIX + sha256[:32]


class SourceOnly(SourceFileLoader):
    """Compiles what is in the file, always: bytecode beside it is nobody's."""

    def get_code(self, fullname: str) -> CodeType:
        """The code of the module."""
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


class BundleFinder(MetaPathFinder):
    """Finds the modules of the bundles that were opened, and nothing else."""

    def __init__(self) -> None:
        self._roots: dict[str, Path] = {}

    def open(self, name: str, root: Path) -> None:
        """Makes the bundle's package known."""
        self._roots[name] = root

    def close(self, name: str) -> None:
        """Forgets the bundle; what runs from it goes on."""
        self._roots.pop(name, None)
        for module in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[module]

    def find_spec(  # Python calls it with all three
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """The module's place, if it belongs to an open bundle."""
        name, *inside = fullname.split(".")
        root = self._roots.get(name)
        if root is None:
            return None
        if not inside:
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [str(root)]
            return spec
        return self._inside(fullname, root.joinpath(*inside))

    def _inside(self, fullname: str, place: Path) -> ModuleSpec | None:
        package = place / "__init__.py"
        if package.is_file():
            loader = SourceOnly(fullname, str(package))
            return spec_from_file_location(
                fullname, package, loader=loader, submodule_search_locations=[str(place)]
            )
        file = place.with_name(f"{place.name}.py")
        if file.is_file():
            return spec_from_file_location(fullname, file, loader=SourceOnly(fullname, str(file)))
        return None


class Modules:
    """The bundles that are loaded. One for a process: it hangs itself into Python's import machinery."""

    def __init__(self) -> None:
        self._finder = BundleFinder()
        self._loaded: dict[str, tuple[ModuleType, ...]] = {}
        sys.meta_path.append(self._finder)

    def load(self, installed: Installed, sha256: str = "") -> tuple[ModuleType, ...]:
        """The modules that the library includes. Its files are verified first, against `sha256` if given.

        Raises DamagedError or CodeError; then nothing of it stays loaded.
        """
        actual = installed.verified()
        if sha256 and actual != sha256:
            raise DamagedError(
                installed.library, f"its sha256 is {actual[:16]}…, and {sha256[:16]}… was expected"
            )
        known = self._loaded.get(actual)
        if known is not None:
            return known
        wrong = faults(dict(installed.files()))
        if wrong:
            raise CodeError(installed.library, "; ".join(wrong))
        name = package_name(actual)
        self._finder.open(name, installed.data)
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
        """Forgets a bundle's modules; objects that run keep theirs until they end."""
        self._loaded.pop(sha256, None)
        self._finder.close(package_name(sha256))

    def close(self) -> None:
        """Takes everything out of the import machinery again."""
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
        return f"it ends the program when it is imported (exit code {error.code})"
    return f"it raises when it is imported: {type(error).__name__}: {error}"
