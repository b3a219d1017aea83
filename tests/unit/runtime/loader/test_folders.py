"""Requests to folders while a recipe is loaded."""

from __future__ import annotations

import pytest
from tests.unit.runtime.loader.conftest import (
    SINK,
    FixedFolder,
    external,
    folder,
    instance,
    refused,
    run,
    source,
    text,
)

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.folder.folder_type import Found
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.problems import Kind, Problems
from liven.runtime.reference.model import (
    Component,
    Composite,
    Export,
    ObjectClass,
    Parameter,
    Reference,
)
from liven.runtime.reference.xml import compact
from liven.types.declare import Ref

pytestmark = pytest.mark.usefixtures("learned")


def test_an_item_of_a_folder_is_built(loader: Loader) -> None:
    assert (
        instance(run(loader, external("note", folder(note=source("from the folder"))))).text
        == "from the folder"
    )


def test_folders_are_kept_for_a_while_and_used_again(loader: Loader, node: Node, crank: HandCranked) -> None:
    FixedFolder.built = 0
    libraries = folder(a=source("a"), b=source("b"))
    one, other = run(loader, external("a", libraries)), run(loader, external("b", libraries))
    assert FixedFolder.built == 1
    assert loader.kept_folders == 1
    crank.advance(6)
    assert loader.kept_folders == 0
    run(loader, external("a", libraries))
    assert FixedFolder.built == 2
    one.close()
    other.close()
    loader.close()
    assert not node.running


def test_folders_that_lead_in_a_circle_are_refused(loader: Loader, known: TypeKnowledge) -> None:
    """The shared memory folder `m` holds under `a` a reference to its own item `b`, and the reverse."""
    memory = Reference("liven:memory-folder", (Parameter("name", text("m")),))
    libraries = run(loader, memory)
    instance(libraries).add("a", Ref(compact(external("b", memory))))
    instance(libraries).add("b", Ref(compact(external("a", memory))))
    error = refused(loader, external("a", memory))
    assert "circle: 'a' → 'b' → 'a'" in error.what


def test_a_chain_of_folders_without_end_is_refused(loader: Loader) -> None:
    class Counting:
        count = 0

    def grow(self: FixedFolder, key: str) -> Found:
        Counting.count += 1
        return Found(True, Ref(compact(external(f"n{Counting.count}", folder()))))

    original = FixedFolder.try_get_object
    FixedFolder.try_get_object = grow  # type: ignore[method-assign]
    try:
        error = refused(loader, external("n0", folder()))
    finally:
        FixedFolder.try_get_object = original  # type: ignore[method-assign]
    assert "more than 32 folders lead one to another" in error.what


def test_a_folder_that_never_answers_is_given_up(loader: Loader, node: Node, crank: HandCranked) -> None:
    reply = loader.dereference(external("x", Reference("test:mute-folder")), time_limit=2.0)
    crank.advance(1.9)
    assert not reply.settled
    crank.advance(0.2)
    assert isinstance(reply.error, DereferenceError)
    assert "not ready after 2 s" in reply.error.what
    assert reply.error.where == ("x",)
    loader.close()
    assert not node.running


def test_of_several_folders_in_one_object_the_one_with_the_right_name_is_asked(loader: Loader) -> None:
    double = Composite(
        "",
        components=(Component("one", folder(a=source("one"))), Component("other", folder(a=source("other")))),
        exports=(Export("Endpoint", "other.Endpoint"), Export("more", "one.Endpoint")),
    )
    assert instance(run(loader, external("a", double))).text == "other"


def test_an_item_that_is_not_of_the_expected_class_is_refused_before_it_runs(
    loader: Loader, node: Node, problems: Problems
) -> None:
    expected = ObjectClass("test:source")
    assert run(loader, external("good", folder(good=source("x")), expected)).type.endpoints[0][0] == "out"
    error = refused(loader, external("bad", folder(bad=SINK), expected))
    assert error.where[-1] == "ObjectClass"
    assert error.explanation is not None
    assert "no endpoint" in error.explanation.render() or "out" in error.explanation.render()
    (problem,) = problems
    assert problem.kind is Kind.UNBUILT
    assert problem.explanation is error.explanation


def test_a_missing_item_is_named(loader: Loader) -> None:
    error = refused(loader, external("nothing", folder()))
    assert "the folder has no 'nothing'" in error.what


def test_a_parameter_that_the_item_has_cannot_be_given_again(loader: Loader) -> None:
    asked = external("t", folder(t=source("inside")), None, Parameter("text", text("outside")))
    assert "has a parameter 'text' already" in refused(loader, asked).what
