"""Everything installed on a machine, put together for a session and for the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.library.store import Store
from liven.runtime.problems import Problem, Problems
from liven.runtime.process import installation
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.process.installation import Installation
from liven.runtime.process.session import Session
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    Plain,
    Reference,
    Requirement,
)
from liven.runtime.reference.xml import write
from liven.runtime.reference.xml.metadata import Metadata
from liven.runtime.user_folders import UserFolders

BOX = """
from __future__ import annotations
from liven.types.declare import Exports, interface, proxy

@interface
class Post:
    def say(self, words: str) -> None: ...

@proxy(id="11112222333344445555666677778888", alias="example:box")
class Box:
    box: Exports[Post]
    def __init__(self, title: str = "") -> None:
        self.title = title
    def say(self, words: str) -> None: ...
"""
PLATFORM = Reference("liven:memory-folder", (Parameter("name", Plain("string", "mine")),))
WORDS = Plain("string", "w")
REGISTRY = Reference("liven:registry")
pytestmark = pytest.mark.slow


@pytest.fixture
def folders(tmp_path: Path) -> UserFolders:
    return UserFolders.below(tmp_path / "machine")


@pytest.fixture
def installed(folders: UserFolders) -> str:
    bundle = Bundle(Metadata(0xABC, 1, ("box.py",)), {"box.py": BOX.encode()})
    return Store(folders.data / "libraries").add(bundle)[0].recorded()


def box() -> Reference:
    return Reference("example:box", (Parameter("title", Plain("string", "hello")),))


def test_an_installed_library_can_be_checked_without_running_an_object(
    folders: UserFolders, installed: str
) -> None:
    problems: list[Problem] = []
    installation = Installation.learn(learn_stock(TypeKnowledge.stock()), folders, problems.append)
    whole = Composite(components=(Component("a", box()), Component("b", REGISTRY)))
    assert not installation.known.checker.check(whole).ok
    brought = installation.load_for(whole)
    assert brought.problems == ()
    report = installation.known.checker.check(brought.thing, brought.choices)
    assert report.faults == ()
    assert report.unbuilt() == ()
    assert problems == []
    installation.modules.close()


def test_a_missing_pinned_library_is_a_problem(folders: UserFolders, installed: str) -> None:
    installation = Installation.learn(learn_stock(TypeKnowledge.stock()), folders, Problems().report)
    pinned = Reference("example:box", requires=(Requirement("ABC", 1, "ab" * 32),))
    (error,) = installation.load_for(pinned).problems
    assert "the one of sha256 abab" in str(error)
    installation.modules.close()


def test_a_session_of_this_machine_builds_from_libraries_and_the_registry(
    crank: HandCranked, problems: Problems, folders: UserFolders, installed: str
) -> None:
    entry = folders.config / "registry" / "MyPlatform" / "mine.liveobject"
    entry.parent.mkdir(parents=True)
    entry.write_bytes(write(PLATFORM))
    session = Session.start(crank, problems, folders)
    try:
        for thing in (
            box(),
            Reference("MyPlatform", source=REGISTRY),
            Reference("communication", source=REGISTRY),
        ):
            reply = session.loader.dereference(thing)
            crank.wait(lambda reply=reply: reply.settled)  # type: ignore[misc]
            reply.value().close()
        assert list(problems) == []
    finally:
        session.close()


def test_the_program_may_add_registry_defaults(folders: UserFolders) -> None:
    ours: dict[str, Object] = {"communication": PLATFORM}
    installation = Installation.learn(
        learn_stock(TypeKnowledge.stock()), folders, Problems().report, defaults=ours
    )
    entry = installation.registry.find("communication")
    assert entry is not None
    assert entry.object == PLATFORM
    installation.modules.close()


def test_a_requirement_counts_for_the_check_as_for_the_loader(folders: UserFolders) -> None:
    store = Store(folders.data / "libraries")
    second = BOX.replace("8888", "8888`2").replace('title: str = ""', "title: str, extra: str")
    old, new = (
        store.add(Bundle(Metadata(0xABC, version, ("box.py",)), {"box.py": text.encode()}))[0].recorded()
        for version, text in ((1, BOX), (2, second))
    )
    installation = Installation.learn(learn_stock(TypeKnowledge.stock()), folders, Problems().report)
    inner = (Component("a", Reference("example:box")),)
    extra = (Component("a", Reference("example:box", (*box().parameters, Parameter("extra", WORDS)))),)
    for components, sound in ((inner, old), (extra, new)):
        for sha256 in (old, new):
            whole = Composite(components=components, requires=(Requirement("ABC", 1, sha256),))
            brought = installation.load_for(whole)
            assert brought.problems == ()
            report = installation.known.checker.check(brought.thing, brought.choices)
            assert report.ok == (sha256 == sound)
    missing = Composite(components=inner, requires=(Requirement("ABC", 1, "ab" * 32),))
    (error,) = installation.load_for(missing).problems
    assert "the one of sha256 abab" in str(error)
    installation.modules.close()


def test_a_host_that_a_person_names_meanwhile_is_reached_at_the_next_attempt(
    folders: UserFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[frozenset[str]] = []
    named: set[str] = set()

    def fetch(url: str, named: frozenset[str] = frozenset()) -> bytes:
        seen.append(named)
        return b""

    monkeypatch.setattr(installation, "from_network", fetch)
    made = Installation.learn(
        TypeKnowledge.stock(), folders, lambda *_: None, private_hosts=lambda: frozenset(named)
    )
    made.acquirer._get("http://intranet/library.zip")
    named.add("intranet")
    made.acquirer._get("http://intranet/library.zip")
    assert seen == [frozenset(), frozenset({"intranet"})]
