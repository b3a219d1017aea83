"""Both folders of this room behave alike; the differences are tested below."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liven.runtime.capability import Consent
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import CallFailedError
from liven.runtime.folder import item_files
from liven.runtime.folder.folder_type import FolderObject
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.reference.xml import compact
from liven.types.declare import TermBuilder

NOTE = compact(Reference("0F6280C168784136A591A5B4CB2DB197", (Parameter("path", Plain("string", "x")),)))
Ask = Callable[..., Any]


@pytest.fixture
def known() -> TypeKnowledge:
    return learn_stock(TypeKnowledge.stock())


@pytest.fixture
def node(crank: HandCranked, problems: Problems, known: TypeKnowledge) -> Node:
    return Node(crank, problems, known.matcher, ValueBridges())


@pytest.fixture
def loader(node: Node, known: TypeKnowledge) -> Loader:
    return Loader(node, known, consent=Consent((Path("/"),)))


@pytest.fixture(params=["memory", "filesystem"])
def reference(request: pytest.FixtureRequest, tmp_path: Path) -> Reference:
    if request.param == "memory":
        return Reference("liven:memory-folder", (Parameter("name", Plain("string", "m")),))
    return local(tmp_path / "objects")


def local(path: Path) -> Reference:
    return Reference("liven:local-folder", (Parameter("path", Plain("string", str(path))),))


class Asked:
    """A probe connected to a folder."""

    def __init__(self, crank: HandCranked, node: Node, loader: Loader, reference: Reference) -> None:
        self.crank = crank
        reply = loader.dereference(reference)
        crank.wait(lambda: reply.settled)
        self.handle = reply.value()
        self.probe = Probe.joined_to(node, self.handle.endpoint("Endpoint"))
        crank.wait(lambda: ("ready", {}) in self.probe.heard)

    def __call__(self, event: str, **values: object) -> Any:
        reply = self.probe.call(event, values)
        self.crank.wait(lambda: reply.settled)
        return reply.value()

    def hear(self, *event: object) -> None:
        """Let time pass until the folder has sent this event."""
        for _ in range(200):
            if event in self.probe.heard:
                return
            self.crank.advance(0.3)
            self.crank.wait(lambda: True, 0.01)
            self("count")  # a look at the disk lies between
        raise AssertionError(f"{event} was never told; {self.probe.heard}")

    def tell(self, event: str, **values: object) -> None:
        before = len(self.probe.heard)
        self.probe.send(event, values)
        self.crank.wait(lambda: len(self.probe.heard) > before)


@pytest.fixture
def ask(crank: HandCranked, node: Node, loader: Loader, reference: Reference) -> Asked:
    return Asked(crank, node, loader, reference)


def test_a_folder_has_the_type_of_the_originals_dictionary(ask: Asked, known: TypeKnowledge) -> None:
    folder = known.catalogue.object("liven:folder<text, liven:object>")
    assert known.matcher.same(ask.handle.type, folder)
    assert known.matcher.same(TermBuilder(known.formalisms).of(FolderObject), folder)


def test_an_added_item_is_returned(ask: Asked) -> None:
    assert ask("keys") == []
    ask.tell("add", key="one", object=NOTE)
    assert ask.probe.heard[-1] == ("added", {"key": "one", "object": NOTE})
    assert ask("keys") == ["one"]
    assert ask("count") == 1
    assert ask("objects") == [NOTE]
    assert ask("contains_key", key="one") is True
    assert ask("get_object", key="one") == NOTE
    assert ask("try_get_object", key="one") == {"result": True, "object": NOTE}
    assert ask("is_read_only") is False


def test_a_missing_item_is_none_or_a_failed_call(ask: Asked) -> None:
    assert ask("contains_key", key="none") is False
    assert ask("try_get_object", key="none") == {"result": False, "object": None}
    with pytest.raises(CallFailedError, match="there is no 'none'"):
        ask("get_object", key="none")


def test_a_removed_item_is_gone(ask: Asked) -> None:
    ask.tell("add", key="one", object=NOTE)
    ask.tell("remove", key="one")
    assert ask.probe.heard[-1] == ("removed", {"key": "one"})
    assert ask("keys") == []


def test_adding_a_taken_name_or_removing_a_missing_one_is_a_problem(
    ask: Asked, problems: Problems, crank: HandCranked
) -> None:
    ask.tell("add", key="one", object=NOTE)
    ask.probe.send("add", {"key": "one", "object": NOTE})
    crank.wait(lambda: len(problems) == 1)
    ask.probe.send("remove", {"key": "two"})
    crank.wait(lambda: len(problems) == 2)
    assert ask("count") == 1
    assert not ask.handle.ended


def test_all_proxies_of_a_folder_share_its_items(
    ask: Asked, crank: HandCranked, node: Node, loader: Loader, reference: Reference
) -> None:
    other = Asked(crank, node, loader, reference)
    ask.tell("add", key="one", object=NOTE)
    other.hear("added", {"key": "one", "object": NOTE})
    assert other("keys") == ["one"]


def test_a_memory_folder_is_gone_with_its_last_proxy(crank: HandCranked, node: Node, loader: Loader) -> None:
    memory = Reference("liven:memory-folder")
    one = Asked(crank, node, loader, memory)
    one.tell("add", key="x", object=NOTE)
    one.handle.close()
    assert Asked(crank, node, loader, memory)("keys") == []


def test_files_added_and_removed_by_others_are_noticed(
    crank: HandCranked, node: Node, loader: Loader, tmp_path: Path
) -> None:
    ask = Asked(crank, node, loader, local(tmp_path))
    item_files.store(tmp_path, "theirs", NOTE)
    (tmp_path / "other.txt").write_text("no object")
    ask.hear("added", {"key": "theirs", "object": NOTE})
    item_files.delete(tmp_path, "theirs")
    ask.hear("removed", {"key": "theirs"})


def test_an_invalid_file_is_a_problem_and_the_other_items_are_available(
    crank: HandCranked, node: Node, loader: Loader, tmp_path: Path, problems: Problems
) -> None:
    item_files.store(tmp_path, "good", NOTE)
    (tmp_path / "bad.liveobject").write_text("<Root><Object")
    ask = Asked(crank, node, loader, local(tmp_path))
    assert ask("keys") == ["bad", "good"]
    assert ask("objects") == [NOTE]
    assert "bad.liveobject" in next(iter(problems)).what
    with pytest.raises(CallFailedError, match=r"bad\.liveobject: line 1"):
        ask("try_get_object", key="bad")


@pytest.mark.parametrize("name", ["", ".hidden", "../up", "a/b", "a\\b", "a\0b", "x" * 300, "new\nline"])
def test_a_name_that_leads_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(item_files.ItemError, match="is not a valid file name"):
        item_files.store(tmp_path, name, NOTE)
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_fails_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(item_files.ItemError, match="not given a reference"):
        item_files.store(tmp_path, "x", "<Object")
    item_files.store(tmp_path, "x", NOTE)
    with pytest.raises(item_files.ItemError, match=r"is in .* already"):
        item_files.store(tmp_path, "x", NOTE)
    assert [path.name for path in tmp_path.iterdir()] == ["x.liveobject"]


def test_a_file_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "huge.liveobject").write_bytes(b" " * (5 << 20))
    with pytest.raises(item_files.ItemError, match=r"huge\.liveobject"):
        item_files.load(tmp_path, "huge")


def test_a_pipe_in_a_folder_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.liveobject")
    assert item_files.names(tmp_path) == []
    with pytest.raises(item_files.ItemError, match="it is a pipe or a device"):
        item_files.load(tmp_path, "pipe")


def test_a_link_that_leads_to_itself_spoils_neither_the_other_items_nor_the_folder(tmp_path: Path) -> None:
    item_files.store(tmp_path, "good", NOTE)
    (tmp_path / "bad.liveobject").symlink_to(tmp_path / "bad.liveobject")
    assert item_files.names(tmp_path) == ["bad", "good"]
    with pytest.raises(item_files.ItemError, match="leads to itself"):
        item_files.load(tmp_path, "bad")


def test_a_folder_that_leads_to_itself_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(item_files.ItemError, match="loop cannot be read: it is a link that leads to itself"):
        item_files.names(tmp_path / "loop")
