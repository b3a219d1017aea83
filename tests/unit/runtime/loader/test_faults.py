"""A recipe that cannot be built is refused with the reason and the place."""

from __future__ import annotations

import pytest
from tests.unit.runtime.loader.conftest import (
    SINK,
    SourceObject,
    external,
    folder,
    refused,
    source,
    text,
)

from liven.runtime.checking import Provided
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.loader import Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Kind, Path, Problems
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Object,
    ObjectClass,
    Parameter,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import compact

pytestmark = pytest.mark.usefixtures("learned")


@pytest.mark.parametrize(
    ("thing", "where", "what"),
    [
        (Reference(), (), "the null reference has nothing to run"),
        (Reference("0000000000000000000000000000B999"), (), f"no object {0xB999:032X} is known here"),
        (Reference("liven:ui-properties"), (), "there is no code here for object liven:ui-properties"),
        (Reference("original:c-foo-1"), (), "will never run here"),
        (Reference("test:source-1"), (), "is not given its parameter 'text'"),
        (
            Reference("test:source-1", (Parameter("text", Plain("int", "3")),)),
            ("Parameter[text]", "Value"),
            "3 is given, but text is expected",
        ),
        (source("x", Parameter("colour", text("red"))), ("Parameter[colour]",), "no parameter 'colour'"),
        (
            source("x", Parameter("out", source("y"))),
            ("Parameter[out]", "Value"),
            "no endpoint of this object",
        ),
        (Reference("test:broken"), (), "its code raised SystemExit: leaves at once"),
        (external("x", SINK), ("From",), "is requested from an object that is not a folder"),
        (
            Composite("", components=(Component("a", SINK),), connections=(Connection("a.end", "b.x"),)),
            ("Connection[a.end b.x]",),
            "there is no component 'b'",
        ),
        (
            Composite(
                "",
                components=(Component("a", source("x")), Component("b", source("y"))),
                connections=(Connection("a.out", "b.out"),),
            ),
            ("Connection[a.out b.out]",),
            "a.out and b.out do not match",
        ),
        (
            Composite("", components=(Component("a", SINK), Component("b", Reference("test:broken")))),
            ("Component[b]", "Object"),
            "SystemExit",
        ),
    ],
)
def test_a_failed_build_is_one_problem_that_names_the_part(
    loader: Loader, node: Node, problems: Problems, thing: Object, where: tuple[str, ...], what: str
) -> None:
    error = refused(loader, thing, at=("it",))
    assert error.where == ("it", *where)
    assert what in error.what
    (problem,) = problems
    assert problem.where == error.where
    assert not node.running


class Lost:
    """Classes that fail to be provided, for an unexpected reason."""

    def __init__(self, known: TypeKnowledge, *, at_once: bool) -> None:
        self._at_once = at_once

    def provide(self, thing: Object, at: Path) -> Reply[Provided]:
        reply: Reply[Provided] = Reply()
        if self._at_once:
            raise KeyError("declares")
        reply.fail(KeyError("declares"))
        return reply

    def recalled(self, thing: Object) -> Provided:
        raise NotImplementedError


@pytest.mark.parametrize("at_once", [True, False])
def test_an_unexpected_failure_is_reported_with_its_place_and_traceback(
    node: Node, known: TypeKnowledge, problems: Problems, at_once: bool
) -> None:
    loader = Loader(node, known, Lost(known, at_once=at_once))
    error = refused(loader, SINK, at=("the", "place"))
    assert "KeyError: 'declares'" in error.what
    (problem,) = problems
    assert problem.kind is Kind.UNBUILT
    assert problem.where == ("the", "place")
    assert "Traceback" in problem.detail
    assert not node.running


def test_invalid_text_is_refused(loader: Loader) -> None:
    assert "this is not a reference" in refused(loader, "<Object").what


def test_a_container_can_ask_whether_a_reference_fits_and_why_not(loader: Loader) -> None:
    assert loader.fits(source("x"), SourceObject)
    assert loader.fits(compact(source("x")), SourceObject)
    refusal = loader.fits(SINK, SourceObject)
    assert not refusal
    assert "out" in refusal.render()
    assert "no object test:nothing" in loader.fits(Reference("test:nothing"), SourceObject).claim
    assert "not a reference" in loader.fits("<Object", SourceObject).claim
    asked = external("a", folder(a=source("x")))
    assert "until its folder is asked" in loader.fits(asked, SourceObject).claim
    named = external("a", folder(a=source("x")), ObjectClass("test:source"))
    assert loader.fits(named, SourceObject)
