"""The registry as a folder object: called, edited and watched over its endpoint, and by the loader."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.runtime.capability import Consent
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.dispatcher.workers import MOST_THREADS
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import ObjectClass, OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import compact, read_object, write
from liven.runtime.registry.defaults import stock_defaults
from liven.runtime.registry.registry_folder import LOOK_EVERY, learn_registry
from liven.runtime.registry.store import RegistryStore

REGISTRY = Reference("E8C9D312C27649F39812B8E99AA67CBC")
COMMUNICATION = "011E83FA6A9F426993BB8EF26FF7D7B8"
OURS = Reference("liven:memory-folder", (Parameter("name", Plain("string", "ours")),))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "registry"


@pytest.fixture
def loader(crank: HandCranked, problems: Problems, root: Path) -> Loader:
    known = learn_stock(TypeKnowledge.stock())
    learn_registry(known, RegistryStore(root, known.checker, stock_defaults()))
    return Loader(Node(crank, problems, known.matcher, ValueBridges()), known, consent=Consent((Path("/"),)))


@pytest.fixture
def probe(loader: Loader, crank: HandCranked) -> Probe:
    handle = built(loader, crank, REGISTRY)
    node = handle.proxy().node
    probe = Probe.joined_to(node, handle.endpoint("Endpoint"))
    probe.keep = handle  # type: ignore[attr-defined]  # the probe holds what it looks at
    crank.wait(lambda: ("ready", {}) in probe.heard)
    return probe


def built(loader: Loader, crank: HandCranked, thing: Reference) -> ProxyHandle:
    reply = loader.dereference(thing)
    crank.wait(lambda: reply.settled)
    return reply.value()


def ask(crank: HandCranked, probe: Probe, event: str, **values: object) -> object:
    reply = probe.end.call(event, values)
    crank.wait(lambda: reply.settled)
    return reply.value()


def test_the_registry_is_a_folder_with_the_well_known_keys(probe: Probe, crank: HandCranked) -> None:
    assert probe.heard == [("connect",), ("ready", {})]
    assert COMMUNICATION in ask(crank, probe, "keys")  # type: ignore[operator]
    assert ask(crank, probe, "contains_key", key="communication") is True
    assert ask(crank, probe, "contains_key", key="{11E83FA6A9F426993BB8EF26FF7D7B8}") is True
    answer = ask(crank, probe, "try_get_object", key="communication")
    assert isinstance(answer, dict)
    assert read_object(answer["object"]).id == "liven:memory-folder"


def test_a_reference_through_the_registry_is_built(loader: Loader, crank: HandCranked) -> None:
    folder = ObjectClass(
        "liven:folder",
        (
            Parameter("KeyClass", OtherClass("ValueClass", "2FEB1E028342422CBD38CB074B957973")),
            Parameter("ObjectClass", ObjectClass("liven:object")),
        ),
    )
    handle = built(loader, crank, Reference(COMMUNICATION, source=REGISTRY, object_class=folder))
    assert list(handle.endpoints) == ["Endpoint"]


def test_an_added_entry_is_written_and_announced(probe: Probe, crank: HandCranked, root: Path) -> None:
    probe.send("add", {"key": "communication", "object": compact(OURS)})
    crank.wait(lambda: len(probe.heard) == 4)
    assert (root / COMMUNICATION / "communication.liveobject").read_bytes() == write(OURS)
    told = probe.heard[2:]
    assert [event for event, *_ in told] == ["removed", "added"]
    assert told[1][1] == {"key": COMMUNICATION, "object": compact(OURS)}
    probe.send("remove", {"key": "communication"})
    crank.wait(lambda: len(probe.heard) == 6)
    assert not (root / COMMUNICATION).exists()
    assert [event for event, *_ in probe.heard[4:]] == ["removed", "added"], "the default stands again"


def test_a_refused_entry_is_a_problem_and_changes_nothing(
    probe: Probe, problems: Problems, crank: HandCranked, root: Path
) -> None:
    probe.send("add", {"key": "communication", "object": compact(Reference("123456789"))})
    crank.wait(lambda: len(problems) == 1)
    (problem,) = problems
    assert f"no object {0x123456789:032X} is known here" in problem.what
    assert "nothing was changed" in problem.advice
    assert not root.exists()
    probe.send("add", {"key": "a", "object": compact(OURS)})
    probe.send("add", {"key": "a", "object": compact(OURS)})
    crank.wait(lambda: len(problems) == 2)
    assert "the registry has 'a' already" in list(problems)[-1].what
    probe.send("remove", {"key": "b"})
    crank.wait(lambda: len(problems) == 3)
    assert "does not exist" in list(problems)[-1].what


def test_an_ill_typed_entry_is_one_problem_and_the_registry_goes_on(
    probe: Probe, problems: Problems, crank: HandCranked, root: Path
) -> None:
    path = root / "MyPlatform" / "x.liveobject"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"<Root")
    for _ in range(3):
        ask(crank, probe, "keys")
    (problem,) = problems
    assert "the registry's entry MyPlatform is refused" in problem.what
    assert str(path) in problem.what
    assert problem.advice == "fix the file or remove it"
    assert ask(crank, probe, "contains_key", key="MyPlatform") is False
    path.write_bytes(write(OURS))
    crank.advance(LOOK_EVERY)
    crank.wait(lambda: len(probe.heard) > 2)
    assert len(problems) == 1
    assert probe.heard[-1] == ("added", {"key": "MyPlatform", "object": compact(OURS)})


def test_edited_files_are_announced_to_connected_clients(
    probe: Probe, crank: HandCranked, root: Path
) -> None:
    path = root / "MyPlatform" / "x.liveobject"
    path.parent.mkdir(parents=True)
    path.write_bytes(write(OURS))
    crank.advance(LOOK_EVERY)
    crank.wait(lambda: len(probe.heard) == 3)
    path.unlink()
    path.parent.rmdir()
    crank.advance(LOOK_EVERY)
    crank.wait(lambda: len(probe.heard) == 4)
    assert [event for event, *_ in probe.heard[2:]] == ["added", "removed"]


def test_the_disk_is_read_and_written_in_other_threads_while_objects_keep_theirs_busy(
    probe: Probe, crank: HandCranked, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, seen = threading.get_ident(), set[bool]()
    original = Path.iterdir

    def noted(path: Path) -> Iterator[Path]:
        seen.add(threading.get_ident() == here)
        return original(path)

    monkeypatch.setattr(Path, "iterdir", noted)
    over = threading.Event()
    for _ in range(MOST_THREADS):
        probe.keep.proxy().node.workers.run(lambda: over.wait(20))  # type: ignore[attr-defined]
    try:
        probe.send("add", {"key": "a", "object": compact(OURS)})
        crank.wait(lambda: len(probe.heard) == 3)
        crank.advance(LOOK_EVERY)
        assert ask(crank, probe, "contains_key", key="a") is True
        probe.send("remove", {"key": "a"})
        crank.wait(lambda: len(probe.heard) == 4)
    finally:
        over.set()
    assert not root.joinpath("a").exists()
    assert seen == {False}


def test_a_late_check_of_the_files_announces_nothing_old(
    probe: Probe, crank: HandCranked, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is read, then the entry is added and announced; the old reading arrives after that."""
    registry = probe.keep.proxy().instance.registry  # type: ignore[attr-defined]
    look, go, waits = registry.look, threading.Event(), [True]

    def slow() -> object:
        found = look()
        if waits:
            waits.clear()
            assert go.wait(20)
        return found

    monkeypatch.setattr(registry, "look", slow)
    crank.advance(LOOK_EVERY)
    crank.wait(lambda: not waits)
    probe.send("add", {"key": "a", "object": compact(OURS)})
    crank.wait(lambda: len(probe.heard) == 3)
    go.set()
    crank.advance(LOOK_EVERY)
    assert ask(crank, probe, "contains_key", key="a") is True
    assert [event for event, *_ in probe.heard[2:]] == ["added"]
