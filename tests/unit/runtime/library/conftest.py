"""Bundles written on the spot: one module with one box, whose declaration a test may change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.store import Installed, Store
from liven.runtime.reference.xml.metadata import Metadata

NAMESPACE = 0xABCDEF0123456789ABCDEF0123456789
BOX = """
from __future__ import annotations
from liven.types.declare import Exports, interface, proxy

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="11112222333344445555666677778888`{version}", alias="example:box")
class Box:
    box: Exports[Post]
    def __init__(self, title: str = "{title}") -> None:
        self.title = title
    def say(self, words: str) -> None:
        self.title = words
"""
Make: TypeAlias = Callable[..., Bundle]
Install: TypeAlias = Callable[..., Installed]


def bundle(version: int = 1, namespace: int = NAMESPACE, **files: str) -> Bundle:
    """Return a bundle of Python files, by their names without `.py`; a box if there are none."""
    named = files or {"box": BOX.format(version=version, title="x")}
    data = {f"{name}.py": text.encode() for name, text in named.items()}
    return Bundle(Metadata(namespace, version, (next(iter(data)),), "a box"), data)


@pytest.fixture
def make() -> Make:
    return bundle


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "libraries")


@pytest.fixture
def install(store: Store) -> Install:
    def installed(version: int = 1, namespace: int = NAMESPACE, **files: str) -> Installed:
        return store.add(bundle(version, namespace, **files))[0]

    return installed


@pytest.fixture
def modules() -> Iterator[Modules]:
    opened = Modules()
    yield opened
    opened.close()
