"""The catalogue looks classes up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liven.types.catalogue import AmbiguousClassError, Catalogue, CatalogueError, Entry, UnknownClassError
from liven.types.catalogue.notation import NotationError
from liven.types.catalogue.notation_terms import OpenTemplateError
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.type_text import spell


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("value/liven:text", "liven:text"),
        ("component/text", "liven:text"),
        ("liven:desktop", "liven:desktop"),
        ("desktop", "liven:desktop"),
        ("570482D150074A5381C8F5FD8C348503", "liven:desktop"),
        ("570482d150074a5381c8f5fd8c348503`0", "liven:desktop"),
    ],
)
def test_a_class_is_found_by_alias_or_id(catalogue: Catalogue, name: str, alias: str) -> None:
    assert catalogue.find(name).alias == alias


def test_an_unknown_name_gets_the_nearest_suggestion(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownClassError) as caught:
        catalogue.find("liven:desktpo")
    assert caught.value.near[0] == "liven:desktop"
    assert "no class is called liven:desktpo; did you mean liven:desktop" in str(caught.value)
    with pytest.raises(UnknownClassError, match="no value class is called foldr"):
        catalogue.find("foldr", "value")
    with pytest.raises(UnknownClassError, match=r"called zzzzzzzzzzzz$"):
        catalogue.find("zzzzzzzzzzzz")


def test_an_ambiguous_name_asks_for_the_kind(catalogue: Catalogue) -> None:
    with pytest.raises(AmbiguousClassError) as caught:
        catalogue.find("liven:text")
    assert {entry.kind for entry in caught.value.found} == {"value", "component"}
    assert "write one of value/liven:text" in str(caught.value)
    assert isinstance(caught.value, CatalogueError)


def test_a_version_means_that_one_or_a_later_one(catalogue: Catalogue) -> None:
    folder = catalogue.find("value/liven:folder")
    assert folder.id.version == 1
    base = ClassId(folder.id.component)
    assert catalogue.by_id("value", base) is folder
    assert catalogue.by_id("value", replace(base, version=1)) is folder
    assert catalogue.by_id("value", replace(base, version=2)) is None
    assert catalogue.exactly("value", base) is None


def test_the_lowest_sufficient_version_is_taken(catalogue: Catalogue) -> None:
    first = catalogue.find("value/liven:folder")
    second = replace(first, id=replace(first.id, version=5), alias="liven:folder-5")
    catalogue.put(second)
    assert catalogue.by_id("value", ClassId(first.id.component, 1)) is first
    assert catalogue.by_id("value", ClassId(first.id.component, 2)) is second


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("text", "text"),
        ("list<liven:color?>", "list<optional<{a: uint8, b: uint8, g: uint8, r: uint8}>>"),
        ("optional<int8>", "optional<int8>"),
        ("map<text, id>", "map<text, id>"),
        ("{b: text, a: bytes}", "{a: bytes, b: text}"),
        ("<b: {} | a: int(0..3)>", "<a: int(0..3) | b: {}>"),
        ("ref<liven:ui>", "ref<object {UI: endpoint {local UI}}>"),
        ("endpoint<local ~UI>", "endpoint<endpoint {local ~UI}>"),
        ("endpoint<liven:exported-ui>", "endpoint<endpoint {local UI}>"),
        ("liven:reference<liven:object>", "ref<object {}>"),
        ("liven:tuple<text, bool>", "{item1: text, item2: bool}"),
        ("liven:endpoint-reference<exports liven:log>", "endpoint<endpoint {in log({message: text})}>"),
    ],
)
def test_a_written_type_is_made(catalogue: Catalogue, text: str, spelled: str) -> None:
    assert spell(catalogue.value(text)) == spelled


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("liven:nothing", UnknownClassError, "no value class is called liven:nothing"),
        ("liven:tuple", OpenTemplateError, r"until T1, T2 are given; write liven:tuple<T1, T2>"),
        ("liven:tuple<text>", NotationError, "got 1 classes; its parameters: T1, T2"),
        ("liven:text<text>", NotationError, "got 1 classes; its parameters: none"),
        ("map<int8, text>", NotationError, "the keys of a map are text, not int8"),
        ("{a: text, a: bool}", NotationError, "a name occurs twice in a, a"),
        ("ref<liven:text>", UnknownClassError, "no object type is called liven:text"),
        ("exports liven:log", NotationError, "a written type is used where a value class is expected"),
    ],
)
def test_malformed_notation_is_refused(
    catalogue: Catalogue, text: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        catalogue.value(text)


def test_a_class_is_made_once_for_the_same_arguments(catalogue: Catalogue) -> None:
    first = catalogue.object("liven:folder<text, liven:object>")
    assert catalogue.object("liven:folder<text, liven:object>") is first
    assert catalogue.object("liven:folder<text, liven:ui>") is not first


def test_an_open_template_has_no_term(catalogue: Catalogue) -> None:
    with pytest.raises(OpenTemplateError):
        catalogue.term(catalogue.find("object/liven:folder"))


class Written:
    """A value class written in notation, for tests."""

    def __init__(self, catalogue: Catalogue, text: str) -> None:
        self._catalogue = catalogue
        self._text = text

    def type_parameters(self) -> tuple[()]:
        return ()

    def value_parameters(self) -> tuple[()]:
        return ()

    def lines(self) -> tuple[str, ...]:
        return (self._text,)

    def term(self, arguments: tuple[object, ...]) -> object:
        return self._catalogue.value(self._text)


def test_classes_may_hold_one_another(formalisms: Formalisms) -> None:
    catalogue = Catalogue(formalisms)
    for place, (alias, text) in enumerate(
        [("a", "{b: list<b>}"), ("b", "{a: a?, t: tree}"), ("tree", "{kids: list<tree>}")]
    ):
        catalogue.put(Entry("value", ClassId(place + 1), alias, alias, "test", Written(catalogue, text)))
    assert spell(catalogue.value("a")) == (
        "rec a. {b: list<{a: optional<a>, t: rec tree. {kids: list<tree>}}>}"
    )
    assert spell(catalogue.value("tree")) == "rec tree. {kids: list<tree>}"


def test_replacing_a_class_changes_what_is_made_of_it(formalisms: Formalisms) -> None:
    catalogue = Catalogue(formalisms)
    old = Entry("value", ClassId(1), "a", "a", "test", Written(catalogue, "text"))
    catalogue.put(old)
    assert spell(catalogue.value("list<a>")) == "list<text>"
    new = Entry("value", ClassId(1), "b", "b", "test", Written(catalogue, "bool"))
    catalogue.replace(old, new)
    assert spell(catalogue.value("list<a>")) == spell(catalogue.value("list<b>")) == "list<bool>"
    assert catalogue.by_id("value", ClassId(1)) is new


def test_catalogues_are_independent(catalogue: Catalogue, formalisms: Formalisms) -> None:
    other = Catalogue(formalisms)
    other.put(catalogue.find("liven:desktop"))
    assert len(other) == 1
    assert len(catalogue) == 676
