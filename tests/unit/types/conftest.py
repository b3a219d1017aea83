"""Fixtures for several tests of types: authors' modules, and a catalogue with its matcher."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from liven.types.catalogue import Catalogue, builtin_catalogue
from liven.types.formalism.builtin import builtin_formalisms
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.uncached_import import fresh_spec

AUTHORS = Path(__file__).parent / "authors"
Load = Callable[[str], ModuleType]
Write = Callable[[str], ModuleType]


def run_module(path: Path) -> ModuleType:
    """Return the module in that file, run afresh under the file's name."""
    spec = fresh_spec(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def forget_modules() -> Iterator[None]:
    """Remove the modules that a test loaded."""
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__spec__", None) is None or "." not in name:
            del sys.modules[name]


@pytest.fixture
def load(forget_modules: None) -> Load:
    """Return a function that runs an author's module from `authors`."""
    return lambda name: run_module(AUTHORS / f"{name}.py")


@pytest.fixture
def run(forget_modules: None) -> Callable[[Path], ModuleType]:
    """Return a function that runs any module file."""
    return run_module


@pytest.fixture
def write(forget_modules: None, tmp_path: Path) -> Write:
    """Return a function that runs a module with this text after the usual imports."""
    head = (
        "from __future__ import annotations\n"
        "from typing import *\n"
        "from liven.types.declare import *\n"
        "from liven.types.declare import value, interface, object_type, proxy\n"
    )

    def written(text: str) -> ModuleType:
        path = tmp_path / "author.py"
        path.write_text(head + text, encoding="utf-8")
        return run_module(path)

    return written


@pytest.fixture
def formalisms() -> Formalisms:
    return Formalisms(builtin_formalisms())


@pytest.fixture
def matcher(formalisms: Formalisms) -> Matcher:
    return Matcher(formalisms)


@pytest.fixture
def catalogue(formalisms: Formalisms) -> Catalogue:
    return builtin_catalogue(formalisms)
