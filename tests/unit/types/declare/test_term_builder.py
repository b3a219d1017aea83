"""Terms made from declarations."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from liven.types.declare import DeclarationError, TermBuilder, value
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import EndpointUse, GivenUse, InterfaceUse, ParameterUse
from liven.types.formalism.registry import Formalisms
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import TEXT
from liven.types.terms.wellformed import demand_wellformed

Load = Callable[[str], ModuleType]
Write = Callable[[str], ModuleType]


def test_a_class_is_made_once() -> None:
    @value
    class Note:
        text: str

    terms = TermBuilder(Formalisms())
    assert terms.of(Note) is terms.of(Note)


def test_every_term_of_an_authors_module_is_well_formed(load: Load, formalisms: Formalisms) -> None:
    author, terms = load("wall"), TermBuilder(formalisms)
    for name in ("Colour", "Point", "Note", "Pin", "Unpin", "WallObject", "PaperWall"):
        demand_wellformed(terms.of(getattr(author, name)))


def test_an_object_whose_events_refer_to_it_is_recursive_at_the_reference(write: Write) -> None:
    author = write(
        "@interface\nclass Visitor(Protocol):\n    def visit(self, other: Ref[House]) -> None: ...\n"
        "@object_type\nclass House:\n    door: Exports[Visitor]\n"
    )
    assert spell(TermBuilder(Formalisms()).of(author.House)) == (
        "object {door: endpoint {in visit({other: rec House. "
        "ref<object {door: endpoint {in visit({other: House})}}>})}}"
    )


def test_mutually_recursive_classes_of_one_name_are_told_apart(write: Write) -> None:
    author = write(
        "@value\nclass Node:\n    children: list[Node]\n    other: Other\n"
        "@value\nclass Other:\n    back: Node | None\n    own: list[Other]\n"
        "Other.__name__ = 'Node'\n"
    )
    term = TermBuilder(Formalisms()).of(author.Node)
    demand_wellformed(term)
    assert "rec Node2." in spell(term)


def test_mutually_recursive_types_do_not_depend_on_the_entry_point(write: Write) -> None:
    author = write(
        "@value\nclass A:\n    b: list[B]\n@value\nclass B:\n    a: A | None\n"
        "@value\nclass Holder:\n    first: B\n    second: A\n"
    )
    one, other = TermBuilder(Formalisms()), TermBuilder(Formalisms())
    one.of(author.A)
    matcher = Matcher(Formalisms())
    for cls in (author.A, author.B, author.Holder):
        assert matcher.same(one.of(cls), other.of(cls))


def test_an_undeclared_class_has_no_term() -> None:
    with pytest.raises(DeclarationError, match="int: it is not a value class; put @value above it"):
        TermBuilder(Formalisms()).of(int)
    with pytest.raises(DeclarationError, match="put @object_type above it"):
        TermBuilder(Formalisms()).object_of(str)


def test_terms_may_be_given_in_place_of_classes() -> None:
    terms = TermBuilder(Formalisms())
    events = (("go", TEXT),)
    assert terms.value(GivenUse(TEXT)) is TEXT
    assert terms.interface(GivenUse(events)) is events
    assert terms.endpoint(GivenUse(EndpointType())) == EndpointType()
    assert terms.object(GivenUse(ObjectType())) == ObjectType()
    assert terms.endpoint(EndpointUse(exported=GivenUse(events))).inputs == events


@pytest.mark.parametrize("ask", ["value", "object", "endpoint", "interface"])
def test_an_open_parameter_has_no_term(ask: str) -> None:
    with pytest.raises(DeclarationError, match="until its parameters are given"):
        getattr(TermBuilder(Formalisms()), ask)(ParameterUse("M"))


def test_two_strangers_declare_one_type(load: Load, formalisms: Formalisms) -> None:
    wall, stranger, terms = load("wall"), load("stranger"), TermBuilder(formalisms)
    matcher = Matcher(formalisms)
    for own, other in (("Note", "Leaf"), ("Point", "Where"), ("Colour", "Paint"), ("Pin", "Pin")):
        answer = matcher.same(terms.of(getattr(wall, own)), terms.of(getattr(stranger, other)))
        assert answer, answer.render()
    first, second = (
        EndpointType(terms.interface(InterfaceUse(cls))) for cls in (wall.Wall, stranger.Surface)
    )
    assert matcher.same(first, second), matcher.same(first, second).render()


def test_strangers_objects_match_and_stand_for_one_another(load: Load, formalisms: Formalisms) -> None:
    wall, stranger, terms = load("wall"), load("stranger"), TermBuilder(formalisms)
    matcher = Matcher(formalisms)
    own, eye, board = (
        terms.object(declaration_of(cls).use(())) for cls in (wall.WallObject, stranger.Eye, stranger.Board)
    )
    answer = matcher.matches(dict(own.endpoints)["wall"], dict(eye.endpoints)["wall"])
    assert answer, answer.render()
    assert matcher.object_subtype(own, board), matcher.object_subtype(own, board).render()
    assert not matcher.object_subtype(board, own)
