"""Recipes reach files and folders after a yes only; their other capabilities are listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.runtime.capability import Capability, CapabilityKind, Consent, ConsentQuestion
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.folder import item_files
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.loader import Loader
from liven.runtime.loader.capabilities import capabilities_of
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Kind, Problems
from liven.runtime.process.session import Session
from liven.runtime.reference.ids import brief
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    ParameterUse,
    Plain,
    Reference,
    Requirement,
)
from liven.runtime.reference.xml import compact
from liven.runtime.reference.xml.metadata import Metadata
from liven.runtime.testing.immediate_workers import ImmediateWorkers
from liven.runtime.user_folders import UserFolders

FOLDER = "4A9D7A367CCF496A9A80891C48D5E773"
STATED = "C0FF1E00000000000000000000000032"
STATING = """
from __future__ import annotations
from liven.types.declare import ExportedUI, proxy

@proxy(id="C0FF1E00000000000000000000000032", alias="example:stating")
class Stating:
    UI: ExportedUI

    def __init__(self, path: str) -> None: ...

    @staticmethod
    def capabilities(path: str):
        {statement}
"""


def folder(path: object, id_: str = "liven:local-folder") -> Reference:
    return Reference(id_, (Parameter("path", Plain("string", str(path))),))


class Person:
    """Answers questions, and remembers them."""

    def __init__(self, *answers: bool) -> None:
        self.questions: list[ConsentQuestion] = []
        self.answers = list(answers)
        self.waiting: list[Reply[bool]] = []

    def ask(self, question: ConsentQuestion) -> Reply[bool]:
        self.questions.append(question)
        reply: Reply[bool] = Reply()
        if self.answers:
            reply.resolve(self.answers.pop(0))
        else:
            self.waiting.append(reply)
        return reply


@pytest.fixture
def at_once(node: Node) -> Iterator[None]:
    node.errands = ImmediateWorkers()
    yield


def loader(node: Node, known: TypeKnowledge, person: Person | None = None, *free: Path) -> Loader:
    consent = Consent(free, person.ask) if person is not None else Consent(free, advice="say so")
    return Loader(node, known, consent=consent)


def opened(node: Node, loader: Loader, thing: Object) -> Reply[object]:
    reply = loader.dereference(thing)
    node.dispatcher.settle()  # type: ignore[attr-defined]  # the hand-cranked one
    return reply  # type: ignore[return-value]


@pytest.mark.usefixtures("at_once")
def test_a_folder_is_refused_where_nobody_can_be_asked(
    node: Node, known: TypeKnowledge, tmp_path: Path
) -> None:
    reply = opened(node, loader(node, known), folder(tmp_path))
    assert isinstance(reply.error, DereferenceError)
    assert reply.error.kind is Kind.DECLINED
    assert f"it wants to read the objects in the folder {tmp_path}" in reply.error.what
    assert reply.error.advice == "say so"
    assert not node.running


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("id_", ["liven:local-folder", FOLDER, f"{{{FOLDER.lower()}}}", f"0:{FOLDER}"])
def test_every_spelling_of_the_class_is_asked_about(
    id_: str, node: Node, known: TypeKnowledge, tmp_path: Path
) -> None:
    person = Person(False)
    opened(node, loader(node, known, person), folder(tmp_path, id_))
    assert [one.kind for one in person.questions[0].capabilities] == [
        CapabilityKind.READ_FOLDER,
        CapabilityKind.WRITE_FOLDER,
    ]


@pytest.mark.usefixtures("at_once")
def test_a_yes_builds_it_and_is_not_asked_again_for_the_same_recipe(
    node: Node, known: TypeKnowledge, tmp_path: Path
) -> None:
    person = Person(True)
    loading = loader(node, known, person)
    first = opened(node, loading, folder(tmp_path))
    second = opened(node, loading, folder(tmp_path))
    assert first.error is None
    assert second.error is None
    assert len(person.questions) == 1


@pytest.mark.usefixtures("at_once")
def test_an_allowed_folder_inside_another_recipe_is_asked_about_again(
    node: Node, known: TypeKnowledge, tmp_path: Path
) -> None:
    person = Person(True, False)
    loading = loader(node, known, person)
    opened(node, loading, folder(tmp_path))
    around = Composite(components=(Component("a", folder(tmp_path)),))
    assert opened(node, loading, around).error is not None
    assert len({one.recipe for one in person.questions}) == 2


@pytest.mark.usefixtures("at_once")
def test_a_recipe_with_many_paths_asks_one_question(node: Node, known: TypeKnowledge, tmp_path: Path) -> None:
    parts = tuple(Component(f"c{one}", folder(tmp_path / str(one))) for one in range(20))
    person = Person(False)
    opened(node, loader(node, known, person), Composite(components=parts))
    assert len(person.questions) == 1
    assert len(person.questions[0].capabilities) == 40


@pytest.mark.usefixtures("at_once")
def test_a_path_given_by_a_parameter_of_a_composite_is_asked_about(
    node: Node, known: TypeKnowledge, tmp_path: Path
) -> None:
    inner = Reference("liven:local-folder", (Parameter("path", ParameterUse("where")),))
    whole = Composite(
        parameters=(Parameter("where", Plain("string", str(tmp_path))),), components=(Component("a", inner),)
    )
    person = Person(False)
    opened(node, loader(node, known, person), whole)
    assert str(tmp_path) in str(person.questions[0])


@pytest.mark.usefixtures("at_once")
def test_what_an_allowed_folder_returns_is_asked_about_by_itself(
    node: Node, known: TypeKnowledge, tmp_path: Path
) -> None:
    free, other = tmp_path / "free", tmp_path / "other"
    item_files.store(free, "item", compact(folder(other)))
    person = Person(False)
    reply = opened(node, loader(node, known, person, free), Reference("item", source=folder(free)))
    assert reply.error is not None
    assert [one.subject for one in person.questions[0].capabilities] == [str(other), str(other)]


@pytest.mark.usefixtures("at_once")
def test_a_cancelled_question_builds_nothing(node: Node, known: TypeKnowledge, tmp_path: Path) -> None:
    person = Person()
    reply = opened(node, loader(node, known, person), folder(tmp_path))
    reply.cancel()
    person.waiting[0].cancel()
    node.dispatcher.settle()  # type: ignore[attr-defined]
    assert not node.running


def test_libraries_and_their_hosts_are_listed(known: TypeKnowledge) -> None:
    need = Requirement("AB", 1, url="https://user@example.org:8443/a.zip")
    assert capabilities_of(Reference("x", requires=(need,)), known) == (
        Capability(CapabilityKind.RUN_CODE, brief("AB")),
        Capability(CapabilityKind.REACH_HOST, "example.org"),
    )


def test_a_composite_that_unfolds_without_end_is_listed_up_to_a_limit(known: TypeKnowledge) -> None:
    deep: Object = folder("/a")
    for _ in range(60):
        used = Reference("x", (Parameter("a", ParameterUse("p")), Parameter("b", ParameterUse("p"))))
        deep = Composite(parameters=(Parameter("p", deep),), components=(Component("c", used),))
    assert {str(one) for one in capabilities_of(deep, known)} == {
        "read the objects in the folder /a",
        "add and remove objects in the folder /a",
    }


def test_a_folder_that_is_only_asked_for_items_is_read_and_not_written(known: TypeKnowledge) -> None:
    kinds = [one.kind for one in capabilities_of(Reference("item", source=folder("/a")), known)]
    assert kinds == [CapabilityKind.READ_FOLDER]


def test_a_recipe_that_connects_to_the_registry_is_asked_about_and_one_that_reads_it_is_not(
    tmp_path: Path,
) -> None:
    crank, problems = HandCranked(lambda _: None), Problems()
    session = Session.start(crank, problems, UserFolders.below(tmp_path))
    registry = Reference("liven:registry")
    connected = Composite(components=(Component("a", registry),))
    refused = session.loader.dereference(connected)
    crank.wait(lambda: refused.settled)
    assert isinstance(refused.error, DereferenceError)
    assert refused.error.kind is Kind.DECLINED
    assert str(tmp_path / "config" / "registry") in refused.error.what
    read = session.loader.dereference(Reference("010BA5DB9C7F48B0A242A0AD2EF73C54", source=registry))
    crank.wait(lambda: read.settled)
    assert not isinstance(read.error, DereferenceError) or read.error.kind is not Kind.DECLINED
    session.close()


@pytest.mark.parametrize(
    "statement", ["raise ValueError('no')", "return [3]", "return 5", "raise SystemExit"]
)
def test_a_class_whose_statement_fails_is_the_fault_of_its_author(statement: str, tmp_path: Path) -> None:
    crank, problems = HandCranked(lambda _: None), Problems()
    session = Session.start(crank, problems, UserFolders.below(tmp_path))
    assert session.installation is not None
    index = session.installation.acquirer.index
    source = STATING.format(statement=statement).encode()
    index.store.add(Bundle(Metadata(0x31, 1, ("one.py",), "one"), {"one.py": source}), index.declares)
    reply = session.loader.dereference(Reference(STATED, folder("/a").parameters))
    crank.wait(lambda: reply.settled)
    assert isinstance(reply.error, DereferenceError)
    assert "its code raised" in reply.error.what
    assert not session.node.running
    session.close()
