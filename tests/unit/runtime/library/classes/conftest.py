"""A loader that fetches libraries from a local server, and a person who is asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.unit.runtime.library.classes.library_recipes import Person

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.classes.class_provider import LibraryClasses
from liven.runtime.library.classes.loaded import LoadedLibraries
from liven.runtime.library.fetching.acquisition import Acquirer, from_network
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.library_folder import learn_library
from liven.runtime.library.placement import Confine, Placement
from liven.runtime.library.store import Store
from liven.runtime.library.trial.declarations import declared_by
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.signing.known_signers import KnownSigners
from liven.runtime.signing.own_key import OwnKey, make_key


class Quiet(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        """Serve a file, or send on to a host of another name for a path below `/away`, and for signatures
        below `/split`."""
        split = self.path.startswith("/split/") and self.path.endswith(".sig")
        if not (split or self.path.startswith("/away/")):
            return super().do_GET()
        port = self.server.server_port  # type: ignore[attr-defined]  # it is an HTTPServer
        self.send_response(302)
        there = self.path.removeprefix("/away").replace("/split/", "/moved/")
        self.send_header("Location", f"http://localhost:{port}{there}")
        self.end_headers()
        return None

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""


@pytest.fixture
def person() -> Person:
    return Person()


@pytest.fixture
def known() -> TypeKnowledge:
    return TypeKnowledge.stock()


@pytest.fixture
def index(store: Store, tmp_path: Path) -> ClassIndex:
    """An index that imports in this process, for speed; the child has tests of its own."""
    return ClassIndex(store, tmp_path / "cache", lambda installed: declared_by(installed.path))


@pytest.fixture
def node(crank: HandCranked, problems: Problems, known: TypeKnowledge) -> Node:
    return Node(crank, problems, known.matcher, ValueBridges())


@pytest.fixture
def loader(
    node: Node,
    known: TypeKnowledge,
    index: ClassIndex,
    modules: Modules,
    person: Person,
    signers: KnownSigners,
) -> Loader:
    acquirer = Acquirer(index, partial(from_network, named=frozenset({"127.0.0.1", "localhost"})), signers)
    learn_library(known, acquirer, person)
    here = Placement(Confine.NONE)  # the tests look into the objects, so these run in this process
    libraries = LoadedLibraries(known, index, modules, here)
    return Loader(node, known, LibraryClasses(node, known, libraries, acquirer, person))


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that a local server offers, and its URL."""
    folder = tmp_path / "site"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def ann(tmp_path: Path) -> OwnKey:
    return make_key(tmp_path / "ann", "Ann's laptop")


@pytest.fixture
def signers(tmp_path: Path) -> KnownSigners:
    return KnownSigners.of(tmp_path / "config")
